package bounded

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/smt/expr"
)

// Sampled states are states of runs, and the clauses that are candidates hold in all of them.
func TestClausesHoldInSamples(t *testing.T) {
	sampled, clauses := 0, 0
	for seed := range uint64(200) {
		m := newMaker(seed, 5)
		c := m.component(4 + m.r.IntN(8))
		g, spec := component.NewGraph(c), m.specification(c.Cut)
		f, err := newFlow(t.Context(), g)
		require.NoError(t, err)
		all := &explorer{flow: f, vars: m.vars, spec: spec, taken: make([]bool, len(g.Edges))}
		states, left := all.initial(), false
		for todo := slices.Collect(maps.Keys(states)); len(todo) > 0; {
			s := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, id := range g.Out(s.node) {
				to, l := all.steps(s, id)
				left = left || l
				for _, n := range to {
					if !states[n] {
						states[n] = true
						todo = append(todo, n)
					}
				}
			}
		}
		if left || all.cut { // samples go on behind that
			continue
		}
		x, err := NewInduction(t.Context(), g, spec, nil)
		require.NoError(t, err)
		met := map[component.Node]map[string]bool{}
		for s := range states {
			if met[s.node] == nil {
				met[s.node] = map[string]bool{}
			}
			vals := make([]uint64, len(f.vars))
			for k, v := range m.vars {
				if i, known := f.index[v]; known && x.live[s.node].Has(i) {
					vals[i] = s.vals[k]
				}
			}
			met[s.node][fmt.Sprint(vals)] = true
		}
		at, err := x.sampled(t.Context())
		require.NoError(t, err)
		for _, p := range x.cutPoints {
			for _, s := range at[p.Node] {
				sampled++
				require.True(t, met[p.Node][fmt.Sprint(s)], "seed %d: no run comes to %v at %v", seed, s, p.Node)
			}
		}
		h, err := x.clauses(t.Context())
		require.NoError(t, err)
		for i, p := range x.cutPoints {
			for _, c := range h.alive[i] {
				clauses++
				for _, s := range at[p.Node] {
					require.NotZero(t, expr.Eval(c, func(v *expr.Expr) uint64 { return s[x.flow.index[v]] }), "seed %d: %v", seed, c)
				}
			}
		}
	}
	require.Greater(t, sampled, 100)
	require.Greater(t, clauses, 50)
}
