package lts

// What any number of copies refuses.
//
// Idea: copies are counted as in deadlock_any.go, with the set of states that the specification can be in beside their
// numbers. What can be performed depends only on the states at which there are any copies. So it does of such
// a set of numbers whether all stand, whether an action leads on that the specification does not observe, and
// what is offered; this has to contain what a stable state of the specification offers (failures.go). A copy
// that only silent steps lead away from may still go first: these steps are no part of the trace.
//
// Laws: if it holds, no number of copies refuses what must be offered. If it fails, the counterexample is a
// run of Copies.
//
// Source: as in deadlock_any.go and failures.go. Cost: that of deadlock_any.go, times the sets of the
// specification's states.

import (
	"context"
	"slices"
)

// FailuresAny decides what [Failures] does of copies[i] copies of each LTS, which may be [AnyCopies], as
// [DeadlockFreeAny] does. The LTSs' actions have the names that the specification has for them.
func FailuresAny(ctx context.Context, impl []*LTS, copies []int, standing []map[Action]Standing,
	passed []Action, spec *LTS,
	alike func(Action) Action, lim Limits) (AnyResult, error) {
	s := newCountedSearch(impl, copies, standing, passed, lim)
	s.against = &countedSpec{spec: spec, alike: alike}
	s.against.observer, _ = newObserver(spec, false, nil)
	return s.decide(ctx)
}

// A countedSpec is what a specification can do beside copies that are counted; nil allows everything.
type countedSpec struct {
	spec     *LTS
	observer observer
	alike    func(Action) Action
}

// start is where the specification can be at first.
func (c *countedSpec) start() int32 {
	if c == nil {
		return 0
	}
	at, _ := c.observer.start()
	return at[0]
}

// after is where it can be after an action; has is false if it does not have it.
func (c *countedSpec) after(known int32, a Action) (next int32, has bool) {
	if c == nil || !c.observes(a) {
		return known, true
	}
	at, leaves := c.observer.step(known, a)
	if leaves {
		return 0, false
	}
	return at[0], true
}

func (c *countedSpec) observes(a Action) bool { return a != Tau && c.spec.HasAction(a) }

// refuses reports whether all copies stand still at a node from which steps lead by some actions, all of which are
// observed, and none of the specification's stable states is offered enough.
func (s *countedSearch) refuses(n int32, steps []Action) bool {
	c := s.against
	if !s.stand(s.nodes[n]) || slices.ContainsFunc(steps, func(a Action) bool { return !c.observes(a) }) {
		return false
	}
	return !slices.ContainsFunc(acceptances(c.spec, c.observer.states(s.known[n])), func(must []Action) bool {
		return Offers(must, steps, c.alike)
	})
}
