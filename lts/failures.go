package lts

// Stable failures: what a specification must offer is not refused.
//
// Idea: a pair is a tuple of states with the set of states that the specification can be in. Where all LTSs stand at a
// tuple and no action leads on that the specification does not observe, the tuple is stable, and offers what all that own an
// action offer. That is a failure of the specification if it contains what one of its own stable states there offers.
//
// Source: stable failures refinement, Roscoe, Understanding Concurrent Systems (2010), sections 10.3 and 11.1; the
// specification is made deterministic on the way as there (normalisation). Deviation: standing still is a choice, as in
// deadlock.go; that traces are contained is another question ([Contains]), and this search follows no trace that is not.
//
// Cost: as many pairs as there are, at worst exponential in the specification's states. Steps are taken in all orders.

import (
	"context"
	"slices"
)

// Failures decides whether the composition of LTSs refuses nothing that a specification must offer. standing and passed are
// as for [DeadlockFree]; named gives an action of the LTSs the name that the specification has for it. Runs with a trace that the
// specification does not have are left out. spec has no ERROR state.
func Failures(ctx context.Context, impl []*LTS, standing []map[Action]Standing, passed []Action, spec *LTS,
	named func(Action) Action, lim Limits) (StandingResult, error) {
	d, err := newStableSearch(impl, standing, passed, lim, 1)
	if err != nil {
		return StandingResult{Reason: err.Error()}, err
	}
	f := &failureSearch{stableSearch: d, spec: spec, named: named, sets: newSets[State]()}
	f.discover(append(d.product.initial(), f.number([]State{spec.init})), parent{none, Tau})
	return d.run(ctx, f.look)
}

// failureSearch looks for a stable pair that refuses too much.
type failureSearch struct {
	*stableSearch
	spec  *LTS
	named func(Action) Action
	sets  *sets[State] // of the specification's states, closed under τ
}

// number is that of a set of the specification's states and what τ leads to from them.
func (f *failureSearch) number(states []State) State {
	return State(f.sets.intern(f.spec.afterTau(states)))
}

// afterTau are some states and those to which τ leads from them, ascending.
func (m *LTS) afterTau(states []State) []State {
	all := slices.Clone(states)
	for k := 0; k < len(all); k++ {
		for _, e := range m.OutBy(all[k], Tau) {
			if !slices.Contains(all, e.To) {
				all = append(all, e.To)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// after are the states to which an action leads, and τ behind it.
func (m *LTS) after(states []State, a Action) []State {
	var all []State
	for _, s := range states {
		for _, e := range m.OutBy(s, a) {
			all = append(all, e.To)
		}
	}
	return m.afterTau(all)
}

// look meets the pairs to which the steps of one lead, and reports whether it refuses too much.
func (f *failureSearch) look(pair []State, n int32) bool {
	at, set := pair[:len(f.impl)], pair[len(f.impl)]
	known := slices.Clone(f.sets.at(set))
	hidden, offered := false, []Action{}
	next := make([]State, len(pair))
	f.product.successors(at, func(a Action, to []State) bool {
		copy(next, to)
		next[len(at)] = set
		name := Tau
		if a != Tau {
			name = f.named(a)
		}
		if name == Tau || !f.spec.HasAction(name) {
			hidden = true
		} else {
			offered = append(offered, name)
			after := f.spec.after(known, name)
			if len(after) == 0 {
				return true
			}
			next[len(at)] = f.number(after)
		}
		f.discover(next, parent{n, a})
		return true
	})
	return !hidden && f.stand(at) && !accepts(f.spec, known, offered)
}

// accepts reports whether one of some states is stable and offers no more than some actions.
func accepts(spec *LTS, states []State, offered []Action) bool {
	return slices.ContainsFunc(acceptances(spec, states), func(must []Action) bool {
		return !slices.ContainsFunc(must, func(a Action) bool { return !slices.Contains(offered, a) })
	})
}

// acceptances are what the stable ones among some states offer.
func acceptances(spec *LTS, states []State) [][]Action {
	var all [][]Action
	for _, s := range states {
		if len(spec.OutBy(s, Tau)) == 0 {
			all = append(all, offered(spec.Out(s)))
		}
	}
	return all
}

// Acceptances are what the stable states of an LTS offer that it may be in after a visible trace: whatever conforms to it by
// failures offers all of one of them. ok is false if the LTS does not have the trace.
func Acceptances(m *LTS, trace []Action) (all [][]Action, ok bool) {
	states := m.afterTau([]State{m.init})
	for _, a := range trace {
		if states = m.after(states, a); len(states) == 0 {
			return nil, false
		}
	}
	return acceptances(m, states), true
}
