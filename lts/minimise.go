package lts

import (
	"context"
	"fmt"

	"magus/internal/bitset"
)

// Minimize returns a smallest LTS that is related to m by r: for the bisimulations the quotient of
// m's reachable states, for WeakTraceEq the minimal deterministic LTS without τ. The states are
// numbered breadth first, the alphabet is m's, a state that stands for one has the name of the least
// of its states, and it is an ERROR state if it stands for one.
//
// A quotient has the fewest states; for weak bisimulation it may have τ transitions that others
// make superfluous. The quotient under DivergenceBranchingBisim has a τ self-loop where m
// diverges, those under BranchingBisim and WeakBisim have none.
//
// The error says that r has no quotient here, that ctx ended, or, being a *[LimitError], that there are
// more states than lim allows, for WeakTraceEq in the deterministic LTS; MaxBytes bounds that LTS
// alone. Cost: that of [Partition] and a pass over the transitions; WeakTraceEq may take time and space
// exponential in m's states.
func Minimize(ctx context.Context, m *LTS, r Relation, lim Limits) (*LTS, error) {
	if r == WeakTraceEq {
		return minimizeTraces(ctx, m, lim)
	}
	if !r.isBisimulation() {
		return nil, fmt.Errorf("lts: there is no quotient under %v", r)
	}
	m = onlyReachable(m)
	if err := lim.allow(m.NumStates()); err != nil {
		return nil, err
	}
	classes, count, err := Partition(ctx, m, r)
	if err != nil {
		return nil, err
	}
	return Reachable(quotientOf(m, classes, count, r)), nil
}

// minimizeTraces makes the quotient under branching bisimulation, which has the same weak traces,
// deterministic and as small as possible.
func minimizeTraces(ctx context.Context, m *LTS, lim Limits) (*LTS, error) {
	q, err := Minimize(ctx, m, BranchingBisim, Limits{})
	if err != nil {
		return nil, err
	}
	d, err := Determinize(ctx, q, lim)
	if err != nil {
		return nil, err
	}
	return Minimize(ctx, d, StrongBisim, lim)
}

// onlyReachable is Reachable, but returns m itself if all its states are reachable.
func onlyReachable(m *LTS) *LTS {
	seen := bitset.New[State](m.NumStates())
	seen.Add(m.init)
	queue := make([]State, 1, m.NumStates())
	queue[0] = m.init
	for i := 0; i < len(queue); i++ {
		for _, e := range m.Out(queue[i]) {
			if seen.Add(e.To) {
				queue = append(queue, e.To)
			}
		}
	}
	if len(queue) == m.NumStates() {
		return m
	}
	return Reachable(m)
}

// quotientOf returns the quotient of m with alphabet, names and ERROR states.
func quotientOf(m *LTS, classes []int32, count int, r Relation) *LTS {
	b := NewBuilder(m.actions)
	b.AddStates(count)
	b.SetInit(State(classes[m.init]))
	b.Alphabet(m.alphabet...)
	least := make([]State, count) // the least state of each class
	met := 0
	for s := range State(m.NumStates()) {
		class := State(classes[s])
		isNew := int(class) == met
		if isNew {
			least[class] = s
			met++
		}
		if m.IsError(s) {
			b.SetError(class)
		}
		if r == StrongBisim && !isNew {
			continue // the least state has the transitions of all
		}
		for _, e := range m.Out(s) {
			if r == StrongBisim || e.Action != Tau || classes[e.To] != int32(class) {
				b.AddEdge(class, e.Action, State(classes[e.To]))
			}
		}
	}
	if r == DivergenceBranchingBisim {
		c := NewTauComponents(m)
		for s := range State(m.NumStates()) {
			if c.Divergent.Has(c.Of[s]) {
				b.AddEdge(State(classes[s]), Tau, State(classes[s]))
			}
		}
	}
	q := b.Build()
	if m.name != nil {
		q.name = func(s State) string { return m.name(least[s]) }
	}
	return q
}
