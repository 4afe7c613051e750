// Package cert represents certificates: answers to the question of weak or strong trace containment
// that can be checked without trusting the search that gave them.
//
// A containment impl_1 ‖ … ‖ impl_n ⊑ spec that holds is certified by an antichain, a set of pairs of
// a state of the composition and a set of spec states that is an inductive invariant, perhaps with
// the help of simulations; one that is violated by a trace. [Of] makes a certificate of a result of
// [lts.Contains], [Certificate.Write] and [Read] are its text form, and [Certificate.Check] validates
// it against the LTSs anew. What Check uses of package lts is the LTSs alone, that is their states
// and transitions; it has its own product, its own τ-closure, its own sets and its own simulations.
//
//	result, err := lts.Contains(ctx, impl, spec, lts.Limits{Antichain: true})
//	c, err := cert.Of(impl, spec, result)
//	err = c.Write(file)
//	...
//	c, err = cert.Read(file, "answer.cert")
//	err = c.Check(ctx, impl, spec) // nil: the answer is right
//
// Of several components, a pair may leave some out whose steps need not be looked at before those of
// the others (persistent.go): what a search with [lts.Limits].PartialOrder has not looked at, the
// checker does not look at either, but it checks that this is enough.
//
// A certificate speaks of LTSs by their state numbers. It says how large they are, which finds most
// mix-ups, but does not contain them: whoever checks one decides which LTSs it is checked against.
//
// What the package leaves out: certificates of the other relations, and of unknown answers, for
// which there is nothing to certify.
package cert
