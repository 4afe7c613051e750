package pointsto

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// naiveReach follows Targets, cell by cell.
func naiveReach(g *Problem, sol *Solution, nodes []Node, objects []Object) []Object {
	seen := map[Object]bool{}
	var visit func(o Object)
	follow := func(n Node) {
		for _, t := range sol.Targets(n) {
			visit(t.Object)
		}
	}
	visit = func(o Object) {
		if seen[o] {
			return
		}
		seen[o] = true
		for _, c := range g.objects[o].cells {
			follow(c.node)
		}
	}
	for _, o := range objects {
		visit(o)
	}
	for _, n := range nodes {
		follow(n)
	}
	return slices.Sorted(maps.Keys(seen))
}

// A search finds what following the targets one by one finds, whatever was
// searched for before.
func TestReach(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		g := random(t)
		sol, err := g.Solve(context.Background())
		require.NoError(t, err)
		r := sol.Reach()
		for range 4 {
			nodes := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, g.nodes-1), func(n int) Node { return Node(n) }),
				0, 3).Draw(t, "nodes")
			objects := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, len(g.objects)-1),
				func(o int) Object { return Object(o) }), 0, 2).Draw(t, "objects")
			require.Equal(t, naiveReach(g, sol, nodes, objects), r.From(nodes, objects))
		}
	})
}
