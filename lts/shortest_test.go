package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"magus/internal/sample"
)

// after are the states that a set can be in after an action, by the definition: for weak traces with any τ before and
// behind it. With τ as the action, of weak traces, it is the set with what τ leads to.
func after(m *LTS, set []State, a Action, weak bool) []State {
	in := map[State]bool{}
	var add func(s State)
	add = func(s State) {
		if in[s] {
			return
		}
		in[s] = true
		for _, e := range m.Out(s) {
			if weak && e.Action == Tau {
				add(e.To)
			}
		}
	}
	for _, s := range set {
		if weak && a == Tau {
			add(s)
			continue
		}
		for _, e := range m.Out(s) {
			if e.Action == a {
				add(e.To)
			}
		}
	}
	var all []State
	for s := range State(m.NumStates()) {
		if in[s] {
			all = append(all, s)
		}
	}
	return all
}

// shortest is the length of a shortest trace that one of two LTSs has and the other has not, and who can have one
// of that length: a search through pairs of sets, without antichains or quotients.
func shortest(a, b *LTS, weak bool) (length int, left, right bool) {
	type pair struct{ x, y []State }
	actions := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(a.Alphabet()), b.Alphabet()...))))
	if !weak {
		actions = append(actions, Tau)
	}
	level := []pair{{after(a, []State{a.Init()}, Tau, true), after(b, []State{b.Init()}, Tau, true)}}
	if !weak {
		level = []pair{{[]State{a.Init()}, []State{b.Init()}}}
	}
	seen := map[string]bool{}
	for length = 1; len(level) > 0; length++ {
		var next []pair
		for _, p := range level {
			for _, act := range actions {
				q := pair{after(a, p.x, act, weak), after(b, p.y, act, weak)}
				left = left || len(q.x) > 0 && len(q.y) == 0
				right = right || len(q.y) > 0 && len(q.x) == 0
				if key := fmt.Sprint(q); len(q.x) > 0 && len(q.y) > 0 && !seen[key] {
					seen[key] = true
					next = append(next, q)
				}
			}
		}
		if left || right {
			return length, left, right
		}
		level = next
	}
	return 0, false, false
}

// The trace that Compare gives is a shortest one of either side, and it is of the side that it says.
func TestShortestTraces(t *testing.T) {
	sample.Long(t)
	r := rand.New(rand.NewPCG(7, 0))
	sides := map[bool]int{}
	for range 3000 {
		table := NewActions()
		draw := func() *LTS {
			b := NewBuilder(table)
			n := 1 + r.IntN(5)
			b.AddStates(n)
			actions := []Action{Tau, table.Intern("a"), table.Intern("b"), table.Intern("c")}
			b.Alphabet(actions...)
			for range 1 + r.IntN(3*n) {
				b.AddEdge(State(r.IntN(n)), actions[r.IntN(len(actions))], State(r.IntN(n)))
			}
			return b.Build()
		}
		a, b := draw(), draw()
		for _, relation := range []Relation{TraceEq, WeakTraceEq, StrongBisim, WeakBisim} {
			weak := relation == WeakTraceEq || relation == WeakBisim
			c, err := Compare(context.Background(), a, b, relation, Limits{})
			require.NoError(t, err)
			length, left, right := shortest(a, b, weak)
			if length == 0 {
				require.False(t, c.HasTrace)
				require.True(t, c.Holds || relation.isBisimulation())
				continue
			}
			require.False(t, c.Holds)
			require.True(t, c.HasTrace)
			require.Len(t, c.Trace, length, "%v\n%v\n%v", relation, a, b)
			require.Equal(t, !left, c.OfRight, "of two shortest ones that of left is shown")
			require.True(t, left || right)
			one, other := a, b
			if c.OfRight {
				one, other = other, one
			}
			require.True(t, has(one, c.Trace, weak))
			require.False(t, has(other, c.Trace, weak))
			sides[c.OfRight]++
		}
	}
	require.Greater(t, sides[true], 500)
	require.Greater(t, sides[false], 500)
}

func has(m *LTS, trace []Action, weak bool) bool {
	set := []State{m.Init()}
	if weak {
		set = after(m, set, Tau, true)
	}
	for _, a := range trace {
		set = after(m, set, a, weak)
	}
	return len(set) > 0
}
