package graph

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestSVG: whatever the graph, every node has a place of its own, edges lead down
// unless they lead back, the text is XML, and equal drawings give equal text.
func TestSVG(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "nodes")
		build := &Drawing{name: "<&>"}
		for i := range n {
			build.Node(Node{Label: rapid.SampledFrom([]string{"a", "a\nlong line & more", "é<b>"}).Draw(t, "label"), Start: i == 0})
		}
		for range rapid.IntRange(0, 24).Draw(t, "edges") {
			build.Edge(Edge{From: rapid.IntRange(0, n-1).Draw(t, "from"), To: rapid.IntRange(0, n-1).Draw(t, "to"), Label: "x<y"})
		}
		text := build.SVG()
		require.Equal(t, text, build.SVG())
		for d := xml.NewDecoder(bytes.NewReader(text)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else {
				require.NoError(t, err)
			}
		}
		l := &layout{Drawing: build, at: make([]placed, n)}
		for i := range l.at {
			l.at[i].w, l.at[i].h = 50, 20
		}
		l.rank()
		l.order()
		l.place()
		for i := range n {
			for k := range i {
				a, b := l.at[i], l.at[k]
				apart := a.x+a.w <= b.x || b.x+b.w <= a.x || a.y+a.h <= b.y || b.y+b.h <= a.y
				require.True(t, apart, "boxes %d and %d overlap", i, k)
			}
		}
		for k, e := range build.edges {
			require.True(t, l.back[k] || l.at[e.From].y < l.at[e.To].y)
		}
	})
}
