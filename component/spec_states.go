package component

// Which states the specification goes through.
//
// Idea: the states it may be in after a trace are those of the subset
// construction, one set at a time. A state is called as the text calls it; the
// numbers of states are those of the specification's text, for observing returns
// and cuts leaves them as they are. STOP stands in many lines of a text and is one
// state: its position is that of the arrow it was reached by.
//
// Cost: linear in the transitions that leave the states of each set.

import (
	"cmp"
	"slices"

	"magus/cfa"
	"magus/lts"
)

// A SpecState is a state that the specification may be in.
type SpecState struct {
	Name string
	Pos  cfa.Pos // of its definition; invalid if nothing defines it
	// Ended says that the specification does nothing there: it is STOP.
	Ended bool
}

// StatesAlong are the states that the specification may be in before each action of a
// trace over its alphabet, and at the end. It is shorter where the trace is none of
// the specification: the last states are those that do not allow the next action.
func (s *System) StatesAlong(trace []lts.Action) [][]SpecState {
	w := walk{system: s, entered: map[lts.State]cfa.Pos{}}
	at := w.closed([]lts.State{s.Spec.Init()})
	along := [][]SpecState{w.described(at)}
	for _, a := range trace {
		if at = w.step(at, a); at == nil {
			break
		}
		along = append(along, w.described(at))
	}
	return along
}

// A walk goes through sets of states.
type walk struct {
	system  *System
	entered map[lts.State]cfa.Pos // where the text says that a state is entered
}

// step are the states behind an action.
func (w *walk) step(from []lts.State, a lts.Action) []lts.State {
	var next []lts.State
	entered := map[lts.State]cfa.Pos{}
	for _, s := range from {
		for _, e := range w.system.Spec.OutBy(s, a) {
			if !slices.Contains(next, e.To) {
				next = append(next, e.To)
				entered[e.To] = w.system.enters(s, e.To)
			}
		}
	}
	w.entered = entered
	return w.closed(next)
}

// closed adds what τ leads to.
func (w *walk) closed(at []lts.State) []lts.State {
	for i := 0; i < len(at); i++ {
		for _, e := range w.system.Spec.OutBy(at[i], lts.Tau) {
			if !slices.Contains(at, e.To) {
				at = append(at, e.To)
				w.entered[e.To] = w.system.enters(at[i], e.To)
			}
		}
	}
	slices.Sort(at)
	return at
}

func (w *walk) described(at []lts.State) []SpecState {
	var all []SpecState
	for _, s := range at {
		st := w.system.specState(s)
		if st.Ended || w.system.Spec.IsError(s) {
			if p := w.entered[s]; p.IsValid() {
				st.Pos = p
			}
		}
		all = append(all, st)
	}
	return all
}

// States are some states of the specification by their names and positions.
func (s *System) States(numbers []lts.State) (all []SpecState) {
	for _, n := range numbers {
		all = append(all, s.specState(n))
	}
	return all
}

// specState is a state by its name and position.
func (s *System) specState(n lts.State) SpecState {
	o := s.origins
	if o == nil || int(n) >= o.NumStates() { // made of none of the text
		return SpecState{Name: s.Spec.StateName(n)}
	}
	name, pos := o.State(n)
	return SpecState{Name: cmp.Or(name, s.Spec.StateName(n)), Pos: cfa.Pos(pos),
		Ended: len(s.Spec.Out(n)) == 0 && !s.Spec.IsError(n)}
}

// enters is where the text says that one state of the specification leads to another.
func (s *System) enters(from, to lts.State) cfa.Pos {
	if o := s.origins; o != nil {
		return cfa.Pos(o.End(from, to))
	}
	return cfa.Pos{}
}
