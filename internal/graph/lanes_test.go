package graph

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Nodes of a lane are below each other, each below the one before it, and DOT says the same.
func TestLanes(t *testing.T) {
	d := NewDrawing("run")
	d.Lanes("main", "worker <1>")
	d.Node(Node{Label: "1: x = 1;\n  x = 1", Shape: "box", Lane: 0})
	d.Node(Node{Label: "7: read x", Shape: "box", Lane: 1})
	d.Node(Node{Label: "2: join", Shape: "box", Lane: 0, Highlight: true})
	d.Edge(Edge{From: 0, To: 1, Label: "x", Dashed: true})
	d.Edge(Edge{From: 1, To: 2, Label: "has ended"})
	svg, err := d.SVG(t.Context())
	require.NoError(t, err)
	var x, y []float64
	box := regexp.MustCompile(`<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"`)
	for _, m := range box.FindAllSubmatch(svg, -1) {
		var ns [3]float64
		for k := range ns {
			ns[k], err = strconv.ParseFloat(string(m[k+1]), 64)
			require.NoError(t, err)
		}
		x, y = append(x, ns[0]+ns[2]/2), append(y, ns[1])
	}
	require.Len(t, x, 3)
	require.InDelta(t, x[0], x[2], 0.1, "one lane")
	require.Greater(t, x[1], x[0]+laneGap)
	require.IsIncreasing(t, y)
	require.Contains(t, string(svg), "worker &lt;1&gt;</text>")
	text := d.String()
	require.Contains(t, text, `label="worker <1>"`)
	require.Equal(t, text, d.String())
	require.Contains(t, text, `constraint="false"`)
}
