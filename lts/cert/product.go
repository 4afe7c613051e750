package cert

import (
	"encoding/binary"

	"magus/lts"
)

// product gives the transitions of M_1 ‖ … ‖ M_n (Chaki et al., "Efficient Verification of Sequential and
// Concurrent C Programs" (2004), definition 5): an action is performed together by all components that have
// it in their alphabet, and τ by one at a time. It is written to be evidently right: a step is found by
// trying every component, and every action of its edges.
type product struct {
	components []*lts.LTS
	owners     map[lts.Action][]int // in ascending order
}

func newProduct(components []*lts.LTS) product {
	p := product{components, map[lts.Action][]int{}}
	for i, m := range components {
		for _, a := range m.Alphabet() {
			p.owners[a] = append(p.owners[a], i)
		}
	}
	return p
}

// steps calls f for every transition from at; the successor is f's own. It stops at f's first error.
func (p product) steps(at []lts.State, f func(a lts.Action, next []lts.State) error) error {
	for i := range p.components {
		if err := p.stepsOf(at, i, f); err != nil {
			return err
		}
	}
	return nil
}

// performing calls f for every transition of a visible action from at.
func (p product) performing(at []lts.State, a lts.Action, f func(a lts.Action, next []lts.State) error) error {
	first := p.owners[a][0]
	for _, e := range p.components[first].OutBy(at[first], a) {
		for _, next := range p.moves(at, first, e) {
			if err := f(a, next); err != nil {
				return err
			}
		}
	}
	return nil
}

// stepsOf does so for the transitions that are component i's, or of which it is the first component.
func (p product) stepsOf(at []lts.State, i int, f func(a lts.Action, next []lts.State) error) error {
	for _, e := range p.components[i].Out(at[i]) {
		if e.Action != lts.Tau && p.owners[e.Action][0] != i {
			continue // the first component of an action performs it for all
		}
		for _, next := range p.moves(at, i, e) {
			if err := f(e.Action, next); err != nil {
				return err
			}
		}
	}
	return nil
}

// moves returns where the composition can be after component i has taken the transition e.
func (p product) moves(at []lts.State, i int, e lts.Edge) [][]lts.State {
	tuples := [][]lts.State{with(at, i, e.To)}
	if e.Action == lts.Tau {
		return tuples
	}
	for _, j := range p.owners[e.Action][1:] {
		var moved [][]lts.State
		for _, tuple := range tuples {
			for _, f := range p.components[j].Out(at[j]) {
				if f.Action == e.Action {
					moved = append(moved, with(tuple, j, f.To))
				}
			}
		}
		tuples = moved
	}
	return tuples
}

func with(tuple []lts.State, i int, s lts.State) []lts.State {
	changed := append([]lts.State{}, tuple...)
	changed[i] = s
	return changed
}

func (p product) initial() []lts.State {
	at := make([]lts.State, len(p.components))
	for i, m := range p.components {
		at[i] = m.Init()
	}
	return at
}

// key makes a tuple a key of a map.
func key(tuple []lts.State) string {
	var text []byte
	for _, s := range tuple {
		text = binary.LittleEndian.AppendUint32(text, s)
	}
	return string(text)
}
