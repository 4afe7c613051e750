package draw

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/internal/graph"
)

// TestLongChains: of a long row of nodes that only pass on, each is gone over once.
func TestLongChains(t *testing.T) {
	const n = 300_000
	p := &part{Picture: &Picture{}}
	for i := range n {
		p.add(graph.Node{}, i+1 < n)
		p.keep = append(p.keep, true)
		if i > 0 {
			p.edges = append(p.edges, graph.Edge{From: i - 1, To: i})
		}
	}
	began := time.Now()
	for i, to := range p.targets() {
		require.Equal(t, n-1, to, i)
	}
	require.Less(t, time.Since(began), 5*time.Second)
}
