package cegar

// The composition of the abstractions and its counterexamples, where each component
// runs once, in a number of copies, or in any number.

import (
	"context"
	"fmt"

	"magus/component"
	"magus/evidence/witness"
	"magus/lts"
	"magus/lts/counting"
	"magus/specs"
)

// A cex is a counterexample: a run of copies of the abstractions, in the order of
// the components. Its moves name the copies by their number in that order.
type cex struct {
	*lts.Counterexample
	copies []component.Copy
	deep   bool   // found depth first: shorter ones may violate as well
	others []*cex // found by the same search
	tree   *tree  // of simulation: the steps are those of all its branches, one after the other; nil of others
	lasso  *lasso // of a divergence; nil of others
	stands int    // so many steps at its end only say where a copy stands still
}

// An answer says whether the composition is contained in the specification.
type answer struct {
	verdict lts.Verdict
	reason  string // if it is unknown
	composition
	cex *cex // if it is not
}

// A composition is what a check of the abstractions against the specification
// met.
type composition struct {
	states    int // of the product, or sets of markings
	reduction *lts.Reduction
	bounds    [][]uint32 // how many copies were told apart; nil if their number is given
	visited   [][]bool   // where it met the components, if it held; nil if that is not known
}

// implementation are the LTSs that are checked against the specification, one for
// each component.
func (s *question) implementation() []*lts.LTS {
	impl := make([]*lts.LTS, len(s.comps))
	for i, c := range s.comps {
		impl[i] = c.checked()
	}
	return impl
}

// compose checks the composition of the abstractions against what the session has in
// mind.
func (s *state) compose(ctx context.Context) (answer, error) {
	if s.asksSimulation() {
		return s.simulated(ctx)
	}
	a, err := s.composed(ctx)
	if err != nil || a.verdict != lts.Holds || s.system.Relation == component.Traces || s.asksDeadlock() {
		return a, err
	}
	if s.claim.AsksStanding() {
		if refused, err := s.standstill(ctx); err != nil || refused.verdict != lts.Holds {
			return refused, err
		}
	}
	if s.system.Relation != component.Divergences {
		return a, nil
	}
	endless, err := s.diverging(ctx)
	if err == nil && endless.verdict == lts.Holds {
		return a, nil
	}
	return endless, err
}

// composed is compose of deadlocks and of traces.
func (s *state) composed(ctx context.Context) (answer, error) {
	if s.asksDeadlock() {
		if a, err := s.standstill(ctx); err != nil || a.verdict != lts.Holds || s.system.Proof == s.system.Spec {
			return a, err
		}
	}
	if s.system.AnyNumber() {
		return s.count(ctx)
	}
	impl, spec, original := s.product()
	r, deep, err := s.contains(ctx, impl, spec)
	if err != nil {
		return answer{}, err
	}
	a := answer{verdict: r.Verdict, reason: r.Reason, composition: composition{states: r.States,
		reduction: r.Reduction, visited: r.Visited}}
	if r.Verdict == lts.Fails {
		copies := s.system.Written(s.system.Copies)
		a.cex = &cex{Counterexample: original(r.Counterexample), copies: copies, deep: deep}
		for _, x := range r.Others {
			a.cex.others = append(a.cex.others, &cex{Counterexample: original(x), copies: copies, deep: deep})
		}
	}
	return a, nil
}

// product are the LTSs to compose and their specification, where the numbers of
// copies are given, and the counterexample of the components' LTSs that one of
// theirs stands for.
func (s *state) product() (impl []*lts.LTS, spec *lts.LTS, original func(*lts.Counterexample) *lts.Counterexample) {
	if s.system.Single() {
		return s.implementation(), s.against, func(x *lts.Counterexample) *lts.Counterexample { return x }
	}
	w := lts.Copy(s.implementation(), s.system.Copies, s.against)
	return w.Impl, w.Spec, w.Counterexample
}

// counted is the composition in which copies are counted, with a specification.
func (s *question) counted(spec *lts.LTS) counting.Composition {
	c := counting.Composition{LTSs: s.implementation(), Spec: spec}
	for _, n := range s.system.Copies {
		if n == specs.AnyNumber {
			n = counting.Any
		}
		c.Copies = append(c.Copies, n)
	}
	return c
}

// count checks the composition for every number of copies.
func (s *state) count(ctx context.Context) (answer, error) {
	c := s.counted(s.against)
	r, err := c.Contained(ctx, s.maxStates(s.opt))
	if err != nil {
		return answer{}, err
	}
	a := answer{verdict: r.Verdict, reason: r.Reason, composition: composition{states: r.States, bounds: r.Bounds}}
	if r.Verdict == lts.Fails {
		a.cex = &cex{Counterexample: r.Run, copies: s.system.Written(r.Copies)}
	}
	return a, nil
}

// visible are the visible actions of one copy's part, in order.
func (x *cex) visible(part int) []lts.Action { return visible(x.Path(part)) }

// visible are the visible actions of a path, in order.
func visible(path []lts.Edge) []lts.Action {
	var trace []lts.Action
	for _, e := range path {
		if e.Action != lts.Tau {
			trace = append(trace, e.Action)
		}
	}
	return trace
}

// schedule are the visible actions with the copies that perform them.
func (x *cex) schedule() []witness.Joint { return x.joint(len(x.Steps) - x.stands) }

// standing is the action by which a part says where it stands still at the end.
func (x *cex) standing(part int) lts.Action { return x.Steps[len(x.Steps)-x.stands+part].Action }

// joint are those of the first n steps.
func (x *cex) joint(n int) []witness.Joint {
	var all []witness.Joint
	for _, step := range x.Steps[:n] {
		if step.Action == lts.Tau {
			continue
		}
		j := witness.Joint{Action: step.Action}
		for _, m := range step.Moves {
			j.Parts = append(j.Parts, m.Component)
		}
		all = append(all, j)
	}
	return all
}

// parts are those of a component.
func (x *cex) parts(comp int) []int {
	var parts []int
	for k, c := range x.copies {
		if c.Component == comp {
			parts = append(parts, k)
		}
	}
	return parts
}

// maxWritten bounds the ways in which copies may perform an action together, where
// their numbers are given.
const maxWritten = 1 << 12

// checkCopies refuses numbers of copies that cannot be written out.
func (s *question) checkCopies() error {
	combinations := 1
	for _, n := range s.claim.Copies {
		combinations *= max(1, n)
		if combinations > maxWritten {
			return &component.InputError{Pos: s.claim.Pos,
				Msg: fmt.Sprintf("too many copies: more than %d ways to perform an action together", maxWritten)}
		}
	}
	return nil
}

// single is the reason why something is not done where components run in several
// copies.
func (s *question) single(what string) error {
	if s.system.Single() {
		return nil
	}
	return &component.InputError{Msg: what + " where several copies of a component run"}
}
