package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/report"
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
	text, err := pack(few, parsed())
	require.NoError(t, err)
	require.Empty(t, text)
	require.Equal(t, claims(10), few)

	many, plain := claims(plainBytes/4), claims(plainBytes/4)
	text, err = pack(many, parsed())
	require.NoError(t, err)
	drawings := unpacked(t, string(text)).Drawings
	require.Len(t, drawings, 4)
	for i, f := range plain {
		require.Equal(t, string(f.Figures[0].Sheets[0].SVG), drawings[many[i].Figures[0].Sheets[0].Packed-1])
	}
	require.Equal(t, string(plain[0].Figures[0].Parts[0].SVG), drawings[many[0].Figures[0].Parts[0].Packed-1])
	require.Empty(t, many[0].Figures[0].Sheets[0].SVG)
}

// Of a long run the last rows stay as they are, and of a long history no table does.
func TestPackRows(t *testing.T) {
	x := &report.Counterexample{}
	rows := make([]row, 2*plainRows)
	for i := range rows {
		rows[i].Number, rows[i].Faint = i+1, i == len(rows)-2
	}
	many := []claim{{Chart: &chart{Counterexample: x, Rows: rows}}, {Phases: make([]shownPhase, 3)}}
	text, err := pack(many, parsed())
	require.NoError(t, err)
	pieces := unpacked(t, string(text)).Pieces
	require.Len(t, pieces, plainRows+1+3)
	for i, r := range rows {
		if i >= plainRows && i != len(rows)-2 {
			require.Zero(t, r.Packed)
			continue
		}
		require.Contains(t, pieces[r.Packed-1], fmt.Sprintf(`<th scope="row">%d</th>`, i+1))
	}
	few := []claim{{Phases: make([]shownPhase, plainBytes/pieceBytes)}}
	text, err = pack(few, parsed())
	require.NoError(t, err)
	require.Empty(t, text)
	few[0].Phases = append(few[0].Phases, shownPhase{})
	text, err = pack(few, parsed())
	require.NoError(t, err)
	require.NotEmpty(t, text)
}

// What follows from something else in a drawing is left out, and nothing else.
func TestSqueezed(t *testing.T) {
	for _, test := range []struct{ name, svg, want string }{
		{"text in a box", `<g class="node"><rect x="10" y="20" width="9" height="9" rx="4"/><text x="16" y="36">a</text>` +
			`<text x="16" y="50">b</text></g>`,
			`<g class="node"><rect x="10" y="20" width="9" height="9" rx="4"/><t>a</text><t>b</text></g>`},
		{"text elsewhere", `<rect x="10" y="20" width="9" height="9" rx="4"/><text x="17" y="36">a</text><text x="16" y="50">b</text>`,
			`<rect x="10" y="20" width="9" height="9" rx="4"/><text x="17" y="36">a</text><t>b</text>`},
		{"label of an edge", `<rect x="1" y="2" rx="4"/></g><g><text x="7" y="18">a</text></g>`,
			`<rect x="1" y="2" rx="4"/></g><g><text x="7" y="18">a</text></g>`},
		{"head", `<path d="M5 6c0 1 2 3 4 5v7h-1l2 2"/><path class="head" d="M10 20l-4 -8h8z"/>`,
			`<path d="M5 6c0 1 2 3 4 5v7h-1l2 2"/><h l-4 -8h8z/>`},
		{"head elsewhere", `<path d="M5 6v7"/><path class="head" d="M5 14l-4 -8h8z"/>`,
			`<path d="M5 6v7"/><path class="head" d="M5 14l-4 -8h8z"/>`},
		{"several curves", `<path d="M0 0c0 1 -2 1 -2 4c1 1 1 1 -3 -5"/><path class="head" d="M-5 -1l8 -4v8z"/>`,
			`<path d="M0 0c0 1 -2 1 -2 4c1 1 1 1 -3 -5"/><h l8 -4v8z/>`},
		{"curves whose halves are alike", `<path d="M0 0c0 2 -7 2 -7 4c0 2 8 2 8 5c0 -2 1 -2 1 -5"/><path class="head" d="M2 4l8 -4v8z"/>`,
			`<path d="M0 0s-7 4u8 5w1 -5"/><h l8 -4v8z/>`},
	} {
		require.Equal(t, test.want, squeezed(test.svg), test.name)
	}
}

// What is packed the script of the page makes whole again.
func TestScriptUnpacks(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node in PATH")
	}
	svg := `<svg viewBox="0 0 1 1"><g class="edge"><path d="M5 6c0 1 2 3 4 5v7h-1l2 2"/><path class="head" d="M10 20l-4 -8h8z"/></g>` +
		`<g><path d="M0 0c0 2 -7 2 -7 4c0 2 8 2 8 5c0 -2 1 -2 1 -5"/><path class="head" d="M2 4l8 -4v8z"/><text x="3" y="9">read, x &lt; 3</text></g>` +
		`<g class="node"><rect x="10" y="-20" width="9" height="9" rx="4"/><text x="16" y="-4">a</text><text x="16" y="10">12;</text>` +
		`<text x="99" y="24">a</text><text x="16" y="38"></text></g><path d="M1 1v5"/><path class="head" d="M1 7l1 1"/></svg>`
	all := packed{}
	all.Drawings = []string{all.listed(squeezed(svg), map[string]int{})}
	require.Less(t, len(all.Drawings[0]), len(svg)*3/4)
	raw, err := json.Marshal(all)
	require.NoError(t, err)
	from, to := strings.Index(pageJS, "  let drawings = []"), strings.Index(pageJS, "  async function unpack")
	c := exec.CommandContext(t.Context(), node, "-e", pageJS[from:to]+
		`;({ drawings, texts } = `+string(raw)+`); process.stdout.write(loosened(drawings[0]));`)
	text, err := c.CombinedOutput()
	require.NoError(t, err, string(text))
	require.Equal(t, svg, string(text))
}

// unpacked is what is packed.
func unpacked(t *testing.T, text string) (all packed) {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	r, err := gzip.NewReader(bytes.NewReader(raw))
	require.NoError(t, err)
	raw, err = io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &all))
	return all
}
