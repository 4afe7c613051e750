// Package coverage says what a proof is about: which statements of a component its
// abstraction reaches, and what keeps it from the others.
//
// A proof that no run does anything forbidden is true, and worth nothing, where no
// run gets anywhere. In
//
//	int main(void) {
//	    SSL *s;
//	    s->state = 1;    // no run makes this pointer valid
//	    return serve(s); // never reached
//	}
//
// any claim holds. [Of] is given the edges of the control graph that the final
// abstraction takes, and answers with a [verdict.Coverage].
//
// SOUND: every statement that a run executes is among those reached, as long as all
// edges that runs take are among those given. The converse does not hold: reached
// means that the proof could not exclude it.
//
// Left out: what the abstraction is (package predabs), and what it means for
// components that wait for each other (package cegar, which gives fewer edges).
package coverage
