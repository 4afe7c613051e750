// Package engine decides whether a parameterised system can reach a bad configuration, for whatever
// number of processes: constrained monotonic abstraction, after the paper of Abdulla, Chen, Delzanno,
// Haziza, Hong and Rezine.
//
//	sys, err := param.Compile(ctx, model)
//	s, err := engine.New(sys, 0, engine.Options{})
//	outcome := s.Check(ctx)     // safe with a proof, unsafe with a run, or unknown with a reason
//
// Each method works in shares of counted effort (package portfolio), and the first answer counts:
//
//	forward   explores few processes explicitly; finds errors only
//	cover     backward coverability by minimal points, where the plain order is exact
//	limits    forward coverability, which bounds what it can, where the plain order is exact
//	dbm       backward search with difference bounds, and safety zones that are learnt
//	linear    the same with linear inequalities
//
// [NewMethod] gives one of them alone. A [Session] is passive: each step is one share, and equal sessions take
// equal steps. Every share ends soon; a context that ends makes the outcome unknown.
//
// SOUND: a run that is reported has been replayed by the model's interpreter; a proof is a set of
// constraints that param/cert can check. Unsafe is not missed by leaving sets out: where a domain cannot
// say something exactly, its sets are larger.
package engine
