package lsp

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"go.lsp.dev/protocol"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

func TestPlaces(t *testing.T) {
	x := newText("ab\né𝛼c\r\n\n")
	for _, tt := range []struct {
		offset     int
		line, unit uint32
	}{{0, 0, 0}, {2, 0, 2}, {3, 1, 0}, {5, 1, 1}, {9, 1, 3}, {10, 1, 4}, {12, 2, 0}, {13, 3, 0}} {
		p := protocol.Position{Line: tt.line, Character: tt.unit}
		assert.Equal(t, p, x.position(tt.offset))
		assert.Equal(t, tt.offset, x.offset(p))
	}
	assert.Equal(t, 9, x.ofCharacters(2, 3))
	assert.Equal(t, 9, x.ofBytes(2, 7))
	assert.Equal(t, 10, x.offset(protocol.Position{Line: 1, Character: 99}), "behind the end of a line")
	assert.Equal(t, 13, x.offset(protocol.Position{Line: 9}), "behind the end of the text")
}

// An editor and the server have the same text after any edits, and places that go
// there and back are the same.
func TestEdits(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		piece := rapid.StringOfN(rapid.SampledFrom([]rune("ab (\n\r\té𝛼")), 0, 12, -1)
		d := &documents{open: map[string]*text{}}
		mine := piece.Draw(t, "text")
		d.set("x", mine)
		for range rapid.IntRange(0, 5).Draw(t, "edits") {
			x := newText(mine)
			from := rapid.IntRange(0, len(mine)).Draw(t, "from")
			to := rapid.IntRange(from, len(mine)).Draw(t, "to")
			from, to = x.offset(x.position(boundary(mine, from))), x.offset(x.position(boundary(mine, to)))
			s := piece.Draw(t, "inserted")
			d.edit("x", []protocol.TextDocumentContentChangeEvent{&protocol.TextDocumentContentChangePartial{Range: x.span(
				from, to), Text: s}})
			mine = mine[:from] + s + mine[to:]
		}
		got := d.text("x")
		assert.Equal(t, mine, got.s)
		for i := range mine {
			if at := got.position(i); !strings.HasPrefix(mine[i:], "\n") && !strings.HasPrefix(mine[i:], "\r") {
				assert.Equal(t, i, got.offset(at))
			}
		}
	})
}

// boundary is the beginning of the character that an offset is in.
func boundary(s string, offset int) int {
	for offset > 0 && offset < len(s) && !utf8.RuneStart(s[offset]) {
		offset--
	}
	return offset
}
