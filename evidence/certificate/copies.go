package certificate

// Containment where components run in several copies, or in any number.
//
// Idea: what is certified is an invariant. A [Set] says for every component how
// many copies may be in which state of its model, and in which states the
// specification can be then; it stands for everything that has not more copies in
// any state. The invariant holds if
//
//	C1  some set has all copies in their initial states, and the specification in
//	    its own
//	C2  for every set and every step from it, some set has what the step leads to:
//	    at least as many copies in every state, and what is claimed of the
//	    specification follows
//	C3  no set leaves the specification without a state, or in an ERROR state
//
// A step is an action that exactly one copy of every component with the action in
// its alphabet performs, or τ of one copy. Of an unbounded number of copies none
// is missing when one leaves: fewer copies can do less, so every run of every number
// of copies stays within the sets.
//
// Of a specification without ERROR, at least the states of the set are claimed to be
// possible, and what is possible after a step must include those of the next set.
// Of one with ERROR, at most they are, and it is the other way round.
//
// Source: docs/semantics.md, "Several copies of a component". Cost: steps times
// sets with the same states of components that run once.

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"magus/lts"
)

// Sets hold everything that the composition can reach.
type Sets struct {
	List []Set

	line int
}

// A Set stands for all states of the composition with no more copies in any
// state.
type Set struct {
	Counts [][]Count // by component; states that are not mentioned have none
	Spec   []int     // the states of the specification

	line int
}

// A Count is a state of a component's model with the number of copies there;
// [Unbounded] is every number.
type Count struct{ State, Copies int }

// Unbounded is every number of copies.
const Unbounded = -1

// A marking says how many copies are in the states of one component's model.
type marking map[lts.State]int

// A setChecker is the composition as its sets are checked.
type setChecker struct {
	models []*lts.LTS
	copies []int // of each; less than 0 for any number
	spec   *lts.LTS
	sets   []Set
	at     map[string][]int // sets by what [setChecker.key] says
}

// Check returns nil if the sets show that the composition of so many copies of the
// models is contained in the specification: C1 to C3. A number less than 0 is any
// number. Otherwise the error is a *RefutedError, or ctx's.
func (c *Sets) Check(ctx context.Context, models []*lts.LTS, copies []int, spec *lts.LTS) error {
	x := &setChecker{models, copies, spec, c.List, map[string][]int{}}
	all := make([][]marking, len(c.List))
	for k := range c.List {
		if err := x.wellFormed(&c.List[k]); err != nil {
			return err
		}
		all[k] = c.List[k].markings()
		key := x.key(all[k])
		x.at[key] = append(x.at[key], k)
	}
	start := closed(x.spec, []lts.State{spec.Init()})
	if !x.included(x.initial(), start) {
		return refuted(c.line, "no set has the copies in their initial states")
	}
	for k := range c.List {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := x.preserved(&c.List[k], all[k]); err != nil {
			return err
		}
	}
	return nil
}

// wellFormed checks that a set speaks of states that there are, and C3.
func (x *setChecker) wellFormed(s *Set) error {
	if len(s.Counts) != len(x.models) {
		return refuted(s.line, "copies of %d components, the claim has %d", len(s.Counts), len(x.models))
	}
	for i, counts := range s.Counts {
		for k, n := range counts {
			if slices.ContainsFunc(counts[:k], func(m Count) bool { return m.State == n.State }) {
				return refuted(s.line, "state %d of component %d twice", n.State, i+1)
			}
			if n.State < 0 || n.State >= x.models[i].NumStates() || n.Copies < Unbounded {
				return refuted(s.line, "%d copies in state %d of component %d, which has %d states", n.Copies,
					n.State, i+1, x.models[i].NumStates())
			}
		}
	}
	if len(s.Spec) == 0 {
		return refuted(s.line, "the specification has no state here")
	}
	for _, st := range s.Spec {
		switch {
		case st < 0 || st >= x.spec.NumStates():
			return refuted(s.line, "the specification has no state %d", st)
		case x.spec.IsError(lts.State(st)):
			return refuted(s.line, "the specification is in an ERROR state here")
		}
	}
	return nil
}

func (s *Set) markings() []marking {
	all := make([]marking, len(s.Counts))
	for i, counts := range s.Counts {
		all[i] = marking{}
		for _, n := range counts {
			if n.Copies != 0 {
				all[i][lts.State(n.State)] = n.Copies
			}
		}
	}
	return all
}

func (x *setChecker) initial() []marking {
	all := make([]marking, len(x.models))
	for i, m := range x.models {
		all[i] = marking{m.Init(): max(x.copies[i], Unbounded)}
	}
	return all
}

// key is the state of each component that runs once and is in one state, so that
// not every set is compared with every other.
func (x *setChecker) key(all []marking) string {
	var key []byte
	for i, m := range all {
		if x.copies[i] == 1 && len(m) == 1 {
			for s := range m { // there is one
				key = strconv.AppendUint(key, uint64(s), 10)
			}
		}
		key = append(key, ' ')
	}
	return string(key)
}

// included reports whether some set has these copies, when the specification can
// be in exactly these states.
func (x *setChecker) included(all []marking, possible []lts.State) bool {
	return slices.ContainsFunc(x.at[x.key(all)], func(k int) bool {
		s := &x.sets[k]
		return x.follows(s, possible) && s.has(all)
	})
}

// follows reports whether what a set claims of the specification is so when it can
// be in exactly these states.
func (x *setChecker) follows(s *Set, possible []lts.State) bool {
	if x.spec.HasError() {
		return !slices.ContainsFunc(possible, func(p lts.State) bool { return !slices.Contains(s.Spec, int(p)) })
	}
	return !slices.ContainsFunc(s.Spec, func(p int) bool { return !slices.Contains(possible, lts.State(p)) })
}

// has reports whether a set has at least these copies.
func (s *Set) has(all []marking) bool {
	for i, m := range all {
		for at, n := range m { // all must be there, in whatever order
			if !slices.ContainsFunc(s.Counts[i], func(c Count) bool {
				return lts.State(c.State) == at && (c.Copies == Unbounded || n != Unbounded && c.Copies >= n)
			}) {
				return false
			}
		}
	}
	return true
}

// preserved checks C2 for one set.
func (x *setChecker) preserved(s *Set, all []marking) error {
	var states []lts.State
	for _, st := range s.Spec {
		states = append(states, lts.State(st))
	}
	possible := closed(x.spec, states)
	for _, a := range x.actions() {
		next := possible
		if x.spec.HasAction(a) {
			next = after(x.spec, possible, a)
		}
		for _, to := range x.steps(all, a) {
			if len(next) == 0 {
				if x.spec.HasError() {
					continue // no way leads to ERROR any more
				}
				return refuted(s.line, "the specification does not allow %s, which can happen here", x.spec.Actions().Name(a))
			}
			if !x.included(to, next) {
				return refuted(s.line, "no set has what %s leads to from here", x.spec.Actions().Name(a))
			}
		}
	}
	return nil
}

// actions are τ and all actions of the components.
func (x *setChecker) actions() []lts.Action {
	all := []lts.Action{lts.Tau}
	for _, m := range x.models {
		all = append(all, m.Alphabet()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// steps are what an action leads to.
func (x *setChecker) steps(all []marking, a lts.Action) [][]marking {
	if a != lts.Tau {
		tos := [][]marking{all}
		for i, m := range x.models {
			if !m.HasAction(a) {
				continue
			}
			var joined [][]marking
			for _, to := range tos {
				joined = append(joined, x.moved(to, i, a)...)
			}
			tos = joined
		}
		return tos
	}
	var tos [][]marking
	for i := range x.models {
		tos = append(tos, x.moved(all, i, a)...)
	}
	return tos
}

// moved are what is left when one copy of component i has performed an action.
func (x *setChecker) moved(all []marking, i int, a lts.Action) [][]marking {
	var tos [][]marking
	for _, from := range slices.Sorted(maps.Keys(all[i])) {
		for _, e := range x.models[i].OutBy(from, a) {
			m := maps.Clone(all[i])
			if m[from] > 0 {
				if m[from]--; m[from] == 0 {
					delete(m, from)
				}
			}
			if m[e.To] != Unbounded {
				m[e.To]++
			}
			to := slices.Clone(all)
			to[i] = m
			tos = append(tos, to)
		}
	}
	return tos
}

// closed adds to states of a specification those that τ leads to.
func closed(spec *lts.LTS, states []lts.State) []lts.State {
	var all []lts.State
	for todo := slices.Clone(states); len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if slices.Contains(all, s) {
			continue
		}
		all = append(all, s)
		for _, e := range spec.OutBy(s, lts.Tau) {
			todo = append(todo, e.To)
		}
	}
	return all
}

// after is where a specification can be after an action.
func after(spec *lts.LTS, states []lts.State, a lts.Action) []lts.State {
	var next []lts.State
	for _, s := range states {
		for _, e := range spec.OutBy(s, a) {
			next = append(next, e.To)
		}
	}
	return closed(spec, next)
}
