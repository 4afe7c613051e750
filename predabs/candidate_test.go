package predabs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/component"
	"magus/lts"
	"magus/smt/embedded"
	"magus/smt/expr"

	"github.com/stretchr/testify/require"
)

// abstraction is that of a routine main whose unknown callees return any value.
func abstraction(t *testing.T, text string) *Abstraction {
	t.Helper()
	ctx := context.Background()
	prog, err := source.Parse(ctx, []source.Source{{Name: "t.c", Text: []byte(text)}}, source.Options{})
	require.NoError(t, err)
	p := expr.NewPool()
	auto, err := lower.Lower(ctx, prog, "main", p, lower.Options{})
	require.NoError(t, err)
	return abstractionOf(t, &component.Component{CFA: auto, Actions: lts.NewActions()}, Options{})
}

func abstractionOf(t *testing.T, c *component.Component, opt Options) *Abstraction {
	t.Helper()
	x, err := New(context.Background(), c, embedded.New(c.CFA.Pool), opt)
	require.NoError(t, err)
	return x
}

func texts(x *Abstraction) []string {
	var all []string
	for _, c := range x.Candidates {
		all = append(all, c.String())
	}
	return all
}

// TestSubjects: what is one candidate.
func TestSubjects(t *testing.T) {
	for _, c := range []struct {
		name, conditions string
		want             []string
	}{
		{"comparisons of a term with constants", "if (x == 1) r++; if (x > 5) r++; if (2 == x) r++;",
			[]string{"x == 1, x < 6, x == 2"}},
		{"the same one twice", "if (x == 1) r++; if (x != 1) r++;", []string{"x == 1"}},
		{"a term with a constant added", "if (x + 3 == 5) r++; if (x == 7) r++;", []string{"x == 2, x == 7"}},
		{"terms that differ", "if (x == 1) r++; if (y == 1) r++; if (x * y == 1) r++;",
			[]string{"x == 1", "y == 1", "x * y == 1"}},
		{"comparisons of two terms, either way round", "if (x < y) r++; if (y < x) r++; if (x == y + 2) r++;",
			[]string{"x < y, y < x, x == y + 2"}},
		{"the parts of a condition", "if (x == 1 && y != 2 || x == 3) r++;", []string{"x == 1, x == 3", "y == 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := abstraction(t, "int main(int x, int y) { int r = 0; "+c.conditions+" return r; }")
			require.ElementsMatch(t, c.want, texts(x))
			var conds []*expr.Expr
			for _, cand := range x.Candidates {
				for _, q := range cand.conds {
					conds = append(conds, q.cond)
				}
			}
			require.Equal(t, len(c.want), Groups(conds))
		})
	}
}

// TestDispatchIsOneCandidate: however many values there are, each has its
// place, and the bound on inferred atoms counts for each of them alone.
func TestDispatchIsOneCandidate(t *testing.T) {
	const n = 2 * DefaultBound
	var b strings.Builder
	b.WriteString("int main(int x, int y) { x = y; switch (x) {")
	for i := range n {
		fmt.Fprintf(&b, "case %d: y++; break;", i)
	}
	b.WriteString("} return x; }")
	x := abstraction(t, b.String())
	require.Len(t, x.Candidates, 1)
	require.Len(t, x.Candidates[0].Conditions(), n)
	require.Contains(t, x.Candidates[0].String(), fmt.Sprintf("… (%d in all)", n))
	require.GreaterOrEqual(t, len(x.Expressions([]int{0})), 2*n, "x and y, from which it comes, are compared with each")
}

// TestWiderVersions: what a path adds to a subject is a new candidate that has
// what the old one has, and only the widest of a set counts.
func TestWiderVersions(t *testing.T) {
	ctx := context.Background()
	x := abstraction(t, "int main(int n) { int i = 0; while (i < 9) i++; if (i == 4) return 1; return 0; }")
	require.Equal(t, []string{"i < 9, i == 4"}, texts(x))
	coarse, err := x.Build(ctx, nil, 0)
	require.NoError(t, err)
	path, core := spurious(t, x, coarse)
	require.Positive(t, x.Discover(path, core))
	require.Zero(t, x.Discover(path, core), "nothing new the second time")
	require.Len(t, x.Candidates, 2)
	for n := range x.Graph.NumNodes() {
		wide, err := x.inferrer.predicates(t.Context(), component.Node(n), []int{1})
		require.NoError(t, err)
		narrow, err := x.inferrer.predicates(t.Context(), component.Node(n), []int{0})
		require.NoError(t, err)
		require.Subset(t, wide, narrow)
	}
	require.Equal(t, []int{1}, x.Widest([]int{0, 1}))
	require.Equal(t, []int{0}, x.Widest([]int{0}))
	gone, err := x.Eliminates(ctx, path, []int{1})
	require.NoError(t, err)
	require.True(t, gone)
}

// spurious finds a spurious path to the end of the routine.
func spurious(t *testing.T, x *Abstraction, m *MP) (path Path, core []int) {
	t.Helper()
	ctx := context.Background()
	var walk func(s lts.State, steps []lts.Edge) bool
	walk = func(s lts.State, steps []lts.Edge) bool {
		if len(steps) > 12 {
			return false
		}
		if m.Node(s) == component.Stop {
			edges, err := m.Edges(ctx, steps)
			require.NoError(t, err)
			p := keep(t, x, edges)
			f, err := x.Feasible(ctx, p)
			require.NoError(t, err)
			path, core = p, f.Core
			return !f.Feasible
		}
		for _, e := range m.LTS.Out(s) {
			if walk(e.To, append(steps[:len(steps):len(steps)], e)) {
				return true
			}
		}
		return false
	}
	require.True(t, walk(m.LTS.Init(), nil), "a spurious path")
	return path, core
}
