package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Few drawings stay as they are; many are packed, and each sheet says which is its own.
func TestPack(t *testing.T) {
	drawing := func(name string, size int) sheet {
		return sheet{SVG: template.HTML("<svg>" + name + strings.Repeat(".", size) + "</svg>")}
	}
	claims := func(size int) []claim {
		return []claim{{Figures: []figure{
			{Sheets: []sheet{drawing("a", size), drawing("b", size)}, Parts: []opened{{sheet: drawing("c", size)}}},
		}}, {Figures: []figure{{Sheets: []sheet{drawing("d", size)}}}}}
	}
	few := claims(10)
	text, err := pack(few)
	require.NoError(t, err)
	require.Empty(t, text)
	require.Equal(t, claims(10), few)

	many, plain := claims(plainDrawings/4), claims(plainDrawings/4)
	text, err = pack(many)
	require.NoError(t, err)
	drawings := unpacked(t, string(text))
	require.Len(t, drawings, 4)
	for i, f := range plain {
		require.Equal(t, string(f.Figures[0].Sheets[0].SVG), drawings[many[i].Figures[0].Sheets[0].Packed-1])
	}
	require.Equal(t, string(plain[0].Figures[0].Parts[0].SVG), drawings[many[0].Figures[0].Parts[0].Packed-1])
	require.Empty(t, many[0].Figures[0].Sheets[0].SVG)
}

// unpacked are packed drawings.
func unpacked(t *testing.T, text string) (drawings []string) {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	r, err := gzip.NewReader(bytes.NewReader(raw))
	require.NoError(t, err)
	raw, err = io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &drawings))
	return drawings
}
