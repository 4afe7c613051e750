package lts

import (
	"slices"
	"strings"
)

// Counterexample is a run of impl_1 ‖ … ‖ impl_n from the initial states.
type Counterexample struct {
	Steps []Step
}

// Step is one transition of the composition.
type Step struct {
	Action Action
	Moves  []Move // the components that take part, in ascending order; exactly one if Action is Tau
}

// Move is the part of one component in a step.
type Move struct {
	Component int // index in the impl list
	From, To  State
}

// Actions returns the actions of the run, τ included.
func (c *Counterexample) Actions() []Action {
	actions := make([]Action, len(c.Steps))
	for i, step := range c.Steps {
		actions[i] = step.Action
	}
	return actions
}

// Trace returns the visible actions of the run, observed by the specification or not.
func (c *Counterexample) Trace() []Action {
	var trace []Action
	for _, step := range c.Steps {
		if step.Action != Tau {
			trace = append(trace, step.Action)
		}
	}
	return trace
}

// Path returns the moves of component i in order, its τ moves included.
func (c *Counterexample) Path(i int) []Edge {
	var path []Edge
	for _, step := range c.Steps {
		for _, move := range step.Moves {
			if move.Component == i {
				path = append(path, Edge{step.Action, move.To})
			}
		}
	}
	return path
}

// Paths returns the paths of all of n components.
func (c *Counterexample) Paths(n int) [][]Edge {
	paths := make([][]Edge, n)
	for _, step := range c.Steps {
		for _, move := range step.Moves {
			paths[move.Component] = append(paths[move.Component], Edge{step.Action, move.To})
		}
	}
	return paths
}

// Project returns trace without the actions outside alphabet (Chaki et al., "Efficient Verification of
// Sequential and Concurrent C Programs" (2004), definition 4). The alphabet need not be sorted.
func Project(trace []Action, alphabet []Action) []Action {
	sorted := slices.Sorted(slices.Values(alphabet))
	var projected []Action
	for _, a := range trace {
		if _, found := slices.BinarySearch(sorted, a); found {
			projected = append(projected, a)
		}
	}
	return projected
}

// FormatTrace writes the names of a trace's actions, separated by blanks.
func FormatTrace(t *Actions, trace []Action) string {
	return strings.Join(t.Names(trace), " ")
}

// step describes the transition from -a-> to. A τ step changes the state of one component, or if τ is
// observed perhaps of none; then it is the first's that can do so.
func (p *product) step(from []State, a Action, to []State) Step {
	step := Step{Action: a}
	if a != Tau {
		for _, i := range p.ownersOf(a) {
			step.Moves = append(step.Moves, Move{int(i), from[i], to[i]})
		}
		return step
	}
	for i := range from {
		if from[i] != to[i] {
			step.Moves = []Move{{i, from[i], to[i]}}
			return step
		}
	}
	for i, m := range p.components {
		if slices.Contains(m.OutBy(from[i], Tau), Edge{Tau, from[i]}) {
			step.Moves = []Move{{i, from[i], from[i]}}
			return step
		}
	}
	panic("lts: a step that no component takes")
}
