package counting

import (
	"encoding/binary"
	"slices"

	"magus/internal/graph"
	"magus/lts"
)

// observer follows the specification: it numbers the sets of states that it can be in after what was
// observed, closed under τ.
type observer struct {
	spec  *lts.LTS
	sets  [][]lts.State // ascending
	known map[string]int
	steps map[observed]int
}

// observed is an action after a set.
type observed struct {
	set    int
	action lts.Action
}

// Numbers that are no sets.
const (
	violation = -1 // the specification does not allow the action, or is in an ERROR state
	harmless  = -2 // it cannot come to an ERROR state any more
)

func newObserver(spec *lts.LTS) *observer {
	return &observer{spec: spec, known: map[string]int{}, steps: map[observed]int{}}
}

func (o *observer) start() int { return o.number([]lts.State{o.spec.Init()}) }

// step is where the specification can be after an action: a set, violation or harmless.
func (o *observer) step(set int, a lts.Action) int {
	if !o.spec.HasAction(a) {
		return set
	}
	key := observed{set, a}
	if next, known := o.steps[key]; known {
		return next
	}
	var states []lts.State
	for _, s := range o.sets[set] {
		for _, e := range o.spec.OutBy(s, a) {
			states = append(states, e.To)
		}
	}
	next := o.number(states)
	o.steps[key] = next
	return next
}

// number is the number of a set that is to be closed under τ.
func (o *observer) number(states []lts.State) int {
	closed := o.closed(states)
	if o.spec.HasError() {
		if slices.ContainsFunc(closed, o.spec.IsError) {
			return violation
		}
		if len(closed) == 0 {
			return harmless
		}
	}
	if len(closed) == 0 {
		return violation
	}
	var key []byte
	for _, s := range closed {
		key = binary.LittleEndian.AppendUint32(key, s)
	}
	n, known := o.known[string(key)]
	if !known {
		n = len(o.sets)
		o.sets, o.known[string(key)] = append(o.sets, closed), n
	}
	return n
}

// closed are the states with those that τ leads to, ascending.
func (o *observer) closed(states []lts.State) []lts.State {
	all := graph.Closure(func(s lts.State, yield func(lts.State)) {
		for _, e := range o.spec.OutBy(s, lts.Tau) {
			yield(e.To)
		}
	}, states...)
	slices.Sort(all)
	return all
}
