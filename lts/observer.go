package lts

import (
	"slices"

	"magus/internal/bitset"
)

// observer follows what a specification can do with the observed actions. What is known of spec is
// a number: of a set of spec states, or of one spec state.
type observer interface {
	// start returns where spec can be before the first action; violated if that is a violation.
	start() (specs []int32, violated bool)
	// step returns where it can be after action a of spec's alphabet. The slice is valid until the
	// next call. No result means that the branch ends without a violation.
	step(spec int32, a Action) (specs []int32, violated bool)
	// subset says whether set a is a subset of set b.
	subset(a, b int32) bool
	// count returns how many numbers are in use.
	count() int
	// intersects says whether a set and states have one in common.
	intersects(set int32, states bitset.Set[State]) bool
	// bytes returns the memory of what has been stored.
	bytes() int64
	// states returns the spec states that a number stands for, ascending, in a slice of its own.
	states(spec int32) []State
}

// newObserver chooses the observer for spec. The result single says that the numbers are spec states.
func newObserver(spec *LTS, strong bool, known *subsumption) (o observer, single bool) {
	switch {
	case spec.HasError():
		return newErrorObserver(spec, strong), true
	case isDeterministic(spec, strong):
		return newStateObserver(spec), true
	case known != nil:
		return newSetObserver(spec, strong, known.simulatedSpec), false
	}
	return newSetObserver(spec, strong, nil), false
}

// isDeterministic says whether m has no state with two transitions of one action, and no τ unless that
// is observed.
func isDeterministic(m *LTS, strong bool) bool {
	for s := range State(m.NumStates()) {
		out := m.Out(s)
		for i, e := range out {
			if i > 0 && out[i-1].Action == e.Action || e.Action == Tau && !strong {
				return false
			}
		}
	}
	return true
}

// stateObserver observes a deterministic spec: it is in one known state.
type stateObserver struct {
	spec *LTS
	met  bitset.Set[State]
	n    int
	one  [1]int32
}

func newStateObserver(spec *LTS) *stateObserver {
	return &stateObserver{spec: spec, met: bitset.New[State](spec.NumStates())}
}

func (o *stateObserver) start() ([]int32, bool) { return o.at(o.spec.init), false }

func (o *stateObserver) step(s int32, a Action) ([]int32, bool) {
	out := o.spec.OutBy(State(s), a)
	if len(out) == 0 {
		return nil, true
	}
	return o.at(out[0].To), false
}

func (o *stateObserver) at(s State) []int32 {
	if o.met.Add(s) {
		o.n++
	}
	o.one[0] = int32(s)
	return o.one[:]
}

func (o *stateObserver) subset(a, b int32) bool { return a == b }
func (o *stateObserver) count() int             { return o.n }

func (o *stateObserver) intersects(s int32, states bitset.Set[State]) bool {
	return states.Has(State(s))
}
func (o *stateObserver) bytes() int64 { return bytesOf(o.met) }

// errorObserver observes a spec with ERROR states: each state it can be in is followed on its own,
// and a violation is to be able to be in an ERROR state.
type errorObserver struct {
	spec   *LTS
	strong bool // τ is observed
	reach  *weakReach
	met    bitset.Set[State]
	n      int
	memo   map[stateAction]weakStep
	stored int64 // bytes of memo, about
}

// stepBytes is about what an entry of errorObserver.memo takes.
const stepBytes = 64

type stateAction struct {
	state  State
	action Action
}

type weakStep struct {
	specs    []int32
	violated bool
}

func newErrorObserver(spec *LTS, strong bool) *errorObserver {
	return &errorObserver{spec: spec, strong: strong, reach: newWeakReach(spec),
		met: bitset.New[State](spec.NumStates()), memo: map[stateAction]weakStep{}}
}

func (o *errorObserver) start() ([]int32, bool) {
	w := o.closed([]State{o.spec.init})
	return w.specs, w.violated
}

// step needs no closure before a: every member of a closed set is followed.
func (o *errorObserver) step(s int32, a Action) ([]int32, bool) {
	k := stateAction{State(s), a}
	w, ok := o.memo[k]
	if !ok {
		var targets []State
		for _, e := range o.spec.OutBy(State(s), a) {
			targets = append(targets, e.To)
		}
		w = o.closed(targets)
		o.memo[k] = w
		o.stored += stepBytes + bytesOf(w.specs)
	}
	return w.specs, w.violated
}

func (o *errorObserver) closed(states []State) weakStep {
	var w weakStep
	if !o.strong {
		for _, s := range states {
			o.reach.add(s)
		}
		states = slices.Sorted(slices.Values(o.reach.states))
		o.reach.clear()
	}
	for _, s := range states {
		if o.met.Add(s) {
			o.n++
		}
		w.specs = append(w.specs, int32(s))
		w.violated = w.violated || o.spec.IsError(s)
	}
	return w
}

func (o *errorObserver) subset(a, b int32) bool { return a == b }
func (o *errorObserver) count() int             { return o.n }

func (o *errorObserver) intersects(s int32, states bitset.Set[State]) bool {
	return states.Has(State(s))
}
func (o *errorObserver) bytes() int64 { return bytesOf(o.met) + o.stored }
