package draw

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/internal/graph"
	"magus/internal/sample"
	"magus/internal/usage"
)

// TestLongChains: of a long row of nodes that only pass on, each is gone over once.
func TestLongChains(t *testing.T) {
	sample.Long(t)
	const n = 1_000_000
	p := &part{Picture: &Picture{}, ctx: t.Context()}
	for i := range n {
		p.add(graph.Node{}, i+1 < n)
		p.keep = append(p.keep, true)
		if i > 0 {
			p.edges = append(p.edges, graph.Edge{From: i - 1, To: i})
		}
	}
	began := usage.Time()
	targets := p.targets()
	require.Less(t, usage.Time()-began, time.Minute,
		"each once takes well below a second, all of the rest from each takes many minutes")
	require.Equal(t, slices.Repeat([]int{n - 1}, n), targets)
}
