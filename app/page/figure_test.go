package page

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/graph"
	"magus/internal/sample"
)

// What stays in a drawing keeps its place, each version shows its own boxes and edges,
// and no two boxes that are shown together overlap.
func TestPlacesStay(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		var all []drawn
		for phase := 1; phase <= rapid.IntRange(1, 5).Draw(t, "versions"); phase++ {
			d := drawn{from: phase, to: phase}
			n := rapid.IntRange(1, 8).Draw(t, "nodes")
			for i := range n {
				known := rapid.SampledFrom([]string{"", "\n  x == 1", "\n  x == 1, y < 3\n  z"}).Draw(t, "known")
				d.nodes = append(d.nodes, graph.Node{Label: fmt.Sprintf("%d  %d: line %d;%s", i, i%4+1, i%4, known),
					Start: i == 0, Double: i == n-1, Highlight: i%2 == 0})
			}
			for range rapid.IntRange(0, 12).Draw(t, "edges") {
				e := graph.Edge{From: rapid.IntRange(0, n-1).Draw(t, "from"), To: rapid.IntRange(0, n-1).Draw(t, "to"),
					Label: rapid.SampledFrom([]string{"", "τ", "send", "<b>"}).Draw(t, "label")}
				d.edges = append(d.edges, e)
			}
			all = append(all, d)
		}
		sheets, err := layOut(t.Context(), "t", all)
		require.NoError(t, err)
		require.Len(t, sheets, 1)
		svg := string(sheets[0].SVG)
		require.NotContains(t, svg, "<b>")
		for k, d := range all {
			shown, hot := shownIn(t, svg, k+1)
			var boxes [][4]float64
			for _, piece := range shown {
				if m := rect.FindStringSubmatch(piece); m != nil {
					boxes = append(boxes, numbers(m[1:]))
				}
			}
			require.Equal(t, (len(d.nodes)+1)/2, hot)
			require.Len(t, boxes, len(d.nodes))
			for i, a := range boxes {
				for _, b := range boxes[:i] {
					apart := a[0]+a[2] <= b[0] || b[0]+b[2] <= a[0] || a[1]+a[3] <= b[1] || b[1]+b[3] <= a[1]
					require.True(t, apart, "%v and %v", a, b)
				}
			}
			for _, n := range d.nodes {
				first, _, _ := strings.Cut(n.Label, "\n")
				require.Contains(t, strings.Join(shown, ""), ">"+first+"<")
			}
		}
		// A place belongs to the line of a box: it is the same in all versions.
		places := map[string][]string{}
		for _, m := range regexp.MustCompile(`data-line="(\d+)"[^>]*><rect x="([\d.]+)" y="([\d.]+)"`).
			FindAllStringSubmatch(svg, -1) {
			places[m[1]] = append(places[m[1]], m[2]+","+m[3])
		}
		for line, at := range places {
			distinct := map[string]bool{}
			for _, a := range at {
				distinct[a] = true
			}
			require.LessOrEqual(t, len(distinct), 2, "line %s: at most two boxes of a version stand there", line)
		}
	})
}

var rect = regexp.MustCompile(`^<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="4"`)

// shownIn are the elements of a drawing that a phase shows, each from its own tag on, and how many boxes the
// counterexample has.
func shownIn(t require.TestingT, svg string, phase int) (shown []string, hot int) {
	in := func(spans string) bool {
		for span := range strings.FieldsSeq(spans) {
			from, to, wide := strings.Cut(span, "-")
			a, err := strconv.Atoi(from)
			require.NoError(t, err)
			b := a
			if wide {
				b, err = strconv.Atoi(to)
				require.NoError(t, err)
			}
			if a <= phase && phase <= b {
				return true
			}
		}
		return false
	}
	var gone []bool // of the elements around
	for _, at := range element.FindAllStringSubmatchIndex(svg, -1) {
		text := svg[at[0]:at[1]]
		if strings.HasPrefix(text, "</") {
			gone = gone[:len(gone)-1]
			continue
		}
		hidden := len(gone) > 0 && gone[len(gone)-1]
		if m := phasesOf.FindStringSubmatch(text); m != nil {
			hidden = hidden || !in(m[1])
		}
		if !hidden {
			shown = append(shown, svg[at[0]:])
			if m := hotOf.FindStringSubmatch(text); m != nil && strings.Contains(text, `"node`) && in(m[1]) {
				hot++
			}
		}
		if !strings.HasSuffix(text, "/>") {
			gone = append(gone, hidden)
		}
	}
	return shown, hot
}

var (
	element  = regexp.MustCompile(`</?[a-z]+[^>]*>`)
	phasesOf = regexp.MustCompile(` data-phases="([^"]*)"`)
	hotOf    = regexp.MustCompile(` data-hot="([^"]*)"`)
)

func numbers(texts []string) (out [4]float64) {
	for i, text := range texts {
		out[i], _ = strconv.ParseFloat(text, 64)
	}
	return out
}

// Many versions with much in each have layouts of their own.
func TestManyVersions(t *testing.T) {
	var all []drawn
	for phase := range 7 {
		d := drawn{from: 3*phase + 1, to: 3*phase + 3, note: "cut"}
		for i := range maxBoxes {
			d.nodes = append(d.nodes, graph.Node{Label: fmt.Sprintf("%d  %d: f%d(%d);", i, i, phase, i)})
		}
		all = append(all, d)
	}
	sheets, err := layOut(t.Context(), "t", all)
	require.NoError(t, err)
	require.Len(t, sheets, 7)
	require.Equal(t, []note{{4, 6, "cut"}}, sheets[1].Notes)
	same := all[0]
	same.from, same.to = 4, 6
	shared, err := layOut(t.Context(), "t", []drawn{all[0], same})
	require.NoError(t, err)
	require.Len(t, shared, 1)
	none, err := layOut(t.Context(), "t", nil)
	require.NoError(t, err)
	require.Empty(t, none)
}
