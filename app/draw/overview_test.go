package draw

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/graph"
	"magus/internal/sample"
)

// An overview keeps its limit; each node is drawn or in one folded part; and what is in a part is drawn by
// opening it, and the parts within it.
func TestOverviews(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "nodes")
		p := &Picture{noun: "node"}
		for i := range n {
			p.add(graph.Node{Label: fmt.Sprintf("node %d", i), Start: i == 0,
				Highlight: rapid.IntRange(0, 9).Draw(t, "red") == 0}, false)
		}
		for range rapid.IntRange(0, 2*n).Draw(t, "edges") {
			p.edges = append(p.edges, graph.Edge{From: rapid.IntRange(0, n-1).Draw(t, "from"),
				To: rapid.IntRange(0, n-1).Draw(t, "to"), Label: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "label")})
		}
		limit := rapid.IntRange(leastNodes, 12).Draw(t, "limit")
		seen := map[string]int{}
		var open func(within []int)
		open = func(within []int) {
			require.Less(t, len(within), n+1, "parts end")
			d, note, err := p.Drawing(context.Background(), Selection{Unfold: true, Limit: limit, Open: within})
			require.NoError(t, err)
			nodes, edges := d.Parts()
			require.LessOrEqual(t, len(nodes), limit)
			for _, e := range edges {
				require.True(t, e.From < len(nodes) && e.To < len(nodes))
			}
			folded := 0
			for _, node := range nodes {
				if !node.Folded {
					first, _, _ := strings.Cut(node.Label, "\n")
					seen[first]++
					continue
				}
				folded++
				number, err := strconv.Atoi(node.Name)
				require.NoError(t, err)
				open(append(within[:len(within):len(within)], number))
			}
			require.Equal(t, folded > 0, note != "")
		}
		open(nil)
		for i := range n {
			require.Equal(t, 1, seen[fmt.Sprintf("node %d", i)], "node %d", i)
		}
	})
}
