// Package counting represents compositions of LTSs of which some run in any number of copies, and
// decides whether, whatever these numbers are, all traces are those of a specification.
//
// The copies of one LTS have no identities, so a state of the composition says how many copies are in
// each state of each LTS: a [Marking]. An action is performed by exactly one copy of each LTS that has it
// in its alphabet, together, and τ by one copy alone. Such systems are Petri nets: what some copies can do
// they can do beside more copies, and containment is a question of coverability, which is decidable.
//
//	c := counting.Composition{LTSs: []*lts.LTS{worker, server}, Copies: []int{counting.Any, 1}, Spec: spec}
//	r, err := c.Contained(ctx, 0)
//	r.Verdict      // lts.Holds: for every number of workers
//	r.Invariant    // what shows it: sets of markings, closed under all steps
//	r.Run, r.Copies // or a run that violates spec, and how many copies it needs
//
// SOUND: a composition in which copies are counted up to a bound only, and are "any number" above, has all
// traces of the one in which they are counted exactly. A run is one of the exact composition.
//
// Left out: LTSs that must run in at least so many copies, and copies that are told apart.
package counting
