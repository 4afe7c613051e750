package lts

// Stable failures: what a specification must offer is not refused.
//
// Idea: a pair is a tuple of states with the set of states that the specification can be in (observer.go). Where all
// LTSs stand at a tuple and no action leads on that the specification does not observe, the tuple is stable, and
// offers what all that own an action offer. It refuses too much unless that contains what one of the specification's
// own stable states there offers.
//
// Source: stable failures refinement, Roscoe, Understanding Concurrent Systems (2010), sections 10.3 and 11.1; the
// specification is made deterministic on the way as there (normalisation). Deviation: standing still is a choice, as in
// deadlock.go; that traces are contained is another question ([Contains]), and this search follows no trace that is
// not.
//
// Cost: as many pairs as there are, at worst exponential in the specification's states. Steps are taken in all
// orders.

import (
	"context"
	"slices"
)

// Failures decides whether the composition of LTSs refuses nothing that a specification must offer. standing and
// passed are as for [DeadlockFree]; named gives an action of the LTSs the name that the specification has for it.
// Runs with a trace that the specification does not have are left out. Of actions that are alike to offer - of each
// set alike gives one - one is as good as the other. spec has no ERROR state.
func Failures(ctx context.Context, impl []*LTS, standing []map[Action]Standing, passed []Action, spec *LTS,
	named, alike func(Action) Action, lim Limits) (StandingResult, error) {
	d, err := newStableSearch(impl, standing, passed, lim, 1)
	if err != nil {
		return StandingResult{Reason: err.Error()}, err
	}
	f := &failureSearch{stableSearch: d, spec: spec, named: named, alike: alike}
	f.observer, _ = newObserver(spec, false, nil)
	d.known = f.observer.bytes
	first, _ := f.observer.start()
	f.discover(append(d.product.initial(), State(first[0])), parent{none, Tau})
	return d.run(ctx, f.look)
}

// failureSearch looks for a stable pair that refuses too much. The last number of its tuples is the observer's.
type failureSearch struct {
	*stableSearch
	spec     *LTS
	observer observer
	named    func(Action) Action
	alike    func(Action) Action
}

// look meets the pairs to which the steps of one lead, and reports whether it refuses too much.
func (f *failureSearch) look(pair []State, n int32) bool {
	at, known := pair[:len(f.impl)], pair[len(f.impl)]
	hidden, offered := false, []Action{}
	next := make([]State, len(pair))
	f.product.successors(at, func(a Action, to []State) bool {
		copy(next, to)
		next[len(at)] = known
		name := Tau
		if a != Tau {
			name = f.named(a)
		}
		if name == Tau || !f.spec.HasAction(name) {
			hidden = true
		} else {
			offered = append(offered, name)
			after, leaves := f.observer.step(int32(known), name)
			if leaves {
				return true
			}
			next[len(at)] = State(after[0])
		}
		f.discover(next, parent{n, a})
		return true
	})
	return !hidden && f.stand(at) && f.refuses(known, offered)
}

// refuses reports whether none of the specification's stable states is offered enough.
func (f *failureSearch) refuses(known State, offered []Action) bool {
	return !slices.ContainsFunc(acceptances(f.spec, f.observer.states(int32(known))), func(must []Action) bool {
		return Offers(must, offered, f.alike)
	})
}

// Offers reports whether all of some actions are offered, or others that are alike.
func Offers(must, offered []Action, alike func(Action) Action) bool {
	return !slices.ContainsFunc(must, func(a Action) bool {
		return !slices.ContainsFunc(offered, func(b Action) bool { return alike(a) == alike(b) })
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

// Acceptances are what the stable states of an LTS offer that it may be in after a visible trace: whatever conforms to
// it by failures offers all of one of them. ok is false if the LTS does not have the trace. It has no ERROR state.
func Acceptances(m *LTS, trace []Action) (all [][]Action, ok bool) {
	at := After(m, trace)
	return acceptances(m, at), at != nil
}

// After are the states, ascending, that an LTS may be in after a visible trace; nil if it does not have it.
// It has no ERROR state.
func After(m *LTS, trace []Action) []State {
	o, _ := newObserver(m, false, nil)
	at, _ := o.start()
	for _, a := range trace {
		var leaves bool
		if at, leaves = o.step(at[0], a); leaves {
			return nil
		}
	}
	return o.states(at[0])
}
