// Package component represents what is verified: sequential components with the
// specification bound to them.
//
// A [Claim] is the question in the words of the sources: procedures, conditions
// on their initial states, the name of an LTS. [Claim.Lower] makes the automaton
// of one of its procedures, and [Claim.Bind] ties the automaton to the
// specification: a [Component] is the automaton with what every call and every
// return in it means, as terms and LTSs. [NewSystem] puts the components together
// with the specification as they are observed by it. A [Graph] is a component
// unfolded: guarded parallel assignments with actions.
//
// With the specification
//
//	procedure do_a() { abstract { true, DoA } }
//	DoA = ( a -> return {} -> STOP ).
//
// the call `do_a();` has one [Choice], with the guard true and the LTS DoA, and
// becomes in the graph
//
//	L3 -tau-> L3/0.0 -a-> L3/0.1 -tau-> L4
//
// Everything that asks questions about a program reads these values: the
// abstractions, the replay of violations, the checker of certificates. None
// writes them. What a call means is known once the component is bound; nobody is
// asked for it later.
//
// SOUND: a graph has every run of the automaton in which routines that are
// known by an abstraction do what that says.
//
// Left out: what is not known of a routine without an abstraction or a body
// (package cfa makes any value of it), and the truth of the abstractions, which
// are assumptions or claims of their own ([Component.Routines]).
package component
