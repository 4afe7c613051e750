// Package smtlib asks an SMT solver, z3 or cvc5, that runs as a child process
// and is spoken to in SMT-LIB 2 (logic QF_BV, or QF_BVFP for floating point).
//
// It is the second opinion on the embedded procedure, and the faster choice
// where arithmetic is hard. Nothing is taken on trust that is cheap to check:
// a model is evaluated before Sat is answered, the names of a core are
// looked up, and whatever is no answer to the question is an error.
//
//	s, err := smtlib.New(p, smtlib.Config{Kind: "z3"})
//	r, err := s.Check(ctx, p.Lt(x, y))
//
// When a Check's context ends the process is killed, and the next Check
// starts a new one. When the process dies by itself or answers nonsense, that
// Check and every later one fail.
//
// Left out: reading SMT-LIB files, other logics.
package smtlib
