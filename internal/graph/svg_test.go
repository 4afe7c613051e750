package graph

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// TestSVG: whatever the graph, the text is XML, has all labels, and is the same for
// equal drawings.
func TestSVG(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "nodes")
		build := &Drawing{name: "<&>"}
		for i := range n {
			build.Node(Node{Label: rapid.SampledFrom([]string{"", "a", "a\nlong line & more", "é<b>"}).Draw(t, "label"),
				Shape: rapid.SampledFrom([]string{"", "octagon"}).Draw(t, "shape"), Start: i == 0})
		}
		edges := rapid.IntRange(0, 24).Draw(t, "edges")
		for range edges {
			build.Edge(Edge{From: rapid.IntRange(0, n-1).Draw(t, "from"), To: rapid.IntRange(0, n-1).Draw(t, "to"),
				Label: "x<y"})
		}
		text, err := build.SVG(context.Background())
		require.NoError(t, err)
		again, err := build.SVG(context.Background())
		require.NoError(t, err)
		require.Equal(t, text, again)
		require.Equal(t, edges, bytes.Count(text, []byte(">x&lt;y<")))
		for d := xml.NewDecoder(bytes.NewReader(text)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else {
				require.NoError(t, err)
			}
		}
	})
}

func TestSVGInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := exampleDrawing().SVG(ctx)
	require.ErrorIs(t, err, context.Canceled)
}
