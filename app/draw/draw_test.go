package draw

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/countdown"
	"magus/internal/graph"
	"magus/internal/sample"
	"magus/lts"
)

// A drawing that is told to end is none, wherever that happens, nor is its layout; and it does look.
func TestDrawingsEnd(t *testing.T) {
	sample.Long(t)
	const states = 6000
	b := lts.NewBuilder(lts.NewActions())
	b.AddStates(states)
	for i := range states {
		b.AddEdge(lts.State(i), lts.Tau, lts.State((i+1)%states))
		b.AddEdge(lts.State(i), lts.Tau, lts.State(i/2))
	}
	p := LTS("", b.Build(), nil)
	p.kind = func(int) string { return "" }
	p.decides = func(int) bool { return true }
	for _, s := range []Selection{{All: true, Unfold: true}, {All: true}, {Limit: 40}} {
		want, _, err := p.Drawing(context.Background(), s)
		require.NoError(t, err)
		ends := int64(0)
		for ; ; ends++ {
			d, _, err := p.Drawing(countdown.Looks(t.Context(), ends), s)
			if err == nil {
				require.Equal(t, want.String(), d.String())
				break
			}
			require.ErrorIs(t, err, context.Canceled)
			require.Nil(t, d)
		}
		require.Greater(t, ends, int64(states/lookEvery), "%+v", s)
	}
}

// chain is 0 -a,c-> 1 -τ-> 2 -τ-> 3 -b-> 0.
func chain() *lts.LTS {
	names := lts.NewActions()
	b := lts.NewBuilder(names)
	b.AddStates(4)
	b.AddEdge(0, names.Intern("a"), 1)
	b.AddEdge(0, names.Intern("c"), 1)
	b.AddEdge(1, lts.Tau, 2)
	b.AddEdge(2, lts.Tau, 3)
	b.AddEdge(3, names.Intern("b"), 0)
	return b.Build()
}

func TestSelections(t *testing.T) {
	m := chain()
	a, _ := m.Actions().Lookup("a")
	red := []lts.Edge{{Action: a, To: 1}}
	for _, c := range []struct {
		name         string
		s            Selection
		path         []lts.Edge
		nodes, edges int
		note, err    string
	}{
		{"all", Selection{Unfold: true, Limit: 4}, nil, 4, 4, "", ""},
		{"all, with a path", Selection{Unfold: true, Limit: 4}, red, 4, 5, "", ""}, // a is red, c is not
		{"an overview", Selection{Unfold: true, Limit: 2}, nil, 2, 2,
			"the drawing is an overview, with 3 states in 1 folded part; --open N opens one, --all draws all", ""},
		{"a part", Selection{Unfold: true, Limit: 2, Open: []int{1}}, nil, 2, 0,
			"the drawing is an overview, with 2 states in 1 folded part; --open N opens one, --all draws all", ""},
		{"no part", Selection{Unfold: true, Limit: 2, Open: []int{2}}, nil, 0, 0, "",
			"--open: no folded part 2; there are 1"},
		{"nothing to open", Selection{Unfold: true, Limit: 4, Open: []int{2}}, nil, 0, 0, "",
			"--open: nothing is folded there; without --open everything is drawn"},
		{"above the limit", Selection{Unfold: true, All: true, Limit: 2}, nil, 4, 4, "", ""},
		{"folded", Selection{Limit: 4}, nil, 2, 2, "", ""},
		{"folded, the path ends within", Selection{Limit: 4}, red, 3, 4, "", ""},
		{"around", Selection{Unfold: true, Around: &Around{3, 1}, Limit: 4}, nil, 3, 2, "", ""},
		{"around nothing", Selection{Around: &Around{4, 1}, Limit: 4}, nil, 0, 0, "",
			"--around: no node 4; there are 0 to 3"},
		{"trace", Selection{TraceOnly: true, Limit: 4}, red, 2, 1, "", ""},
		{"no trace", Selection{TraceOnly: true, Limit: 4}, nil, 0, 0, "",
			"--trace-only: there is no counterexample in this drawing"},
	} {
		text, note, err := LTS(c.name, m, c.path).Dot(c.s)
		if c.err != "" {
			require.EqualError(t, err, c.err, c.name)
			continue
		}
		require.NoError(t, err, c.name)
		require.Equal(t, c.note, note, c.name)
		require.Equal(t, c.edges+1, strings.Count(text, "->"), "%s: %s", c.name, text) // and the arrow from nowhere
		require.Equal(t, c.nodes, drawn(text), "%s: %s", c.name, text)
	}
}

// drawn counts the nodes with a label.
func drawn(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.Contains(line, `label="`) && !strings.Contains(line, `label=""`) &&
			!strings.Contains(line, "->") && !strings.Contains(line, "labelloc") {
			n++
		}
	}
	return n
}

// Whatever is left out, no edge leads to a node that is not drawn, collapsing
// keeps who can be reached from whom, and a picture can be drawn again.
func TestCollapse(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "nodes")
		p := &Picture{noun: "node"}
		for i := range n {
			p.add(graph.Node{Start: i == 0}, false)
		}
		for range rapid.IntRange(0, 14).Draw(t, "edges") {
			p.edges = append(p.edges, graph.Edge{From: rapid.IntRange(0, n-1).Draw(t, "from"),
				To: rapid.IntRange(0, n-1).Draw(t, "to")})
		}
		for i := 1; i < n; i++ {
			out := 0
			for _, e := range p.edges {
				if e.From == i {
					out++
				}
			}
			p.passes[i] = out == 1 && rapid.Bool().Draw(t, "passes")
		}
		before := reach(n, p.edges)
		d := &part{Picture: p, edges: p.edges, keep: make([]bool, n), ctx: context.Background()}
		for i := range d.keep {
			d.keep[i] = true
		}
		d.collapse()
		after := reach(n, d.edges)
		for i := range n {
			require.True(t, d.keep[i] || p.passes[i])
			for k := range n {
				if d.keep[i] && d.keep[k] {
					require.Equal(t, before[i][k], after[i][k], "%d to %d", i, k)
				}
			}
		}
		for _, e := range d.edges {
			require.True(t, d.keep[e.From] && d.keep[e.To])
		}
		first, _, err := p.Dot(Selection{Limit: n})
		require.NoError(t, err)
		again, _, err := p.Dot(Selection{Limit: n})
		require.NoError(t, err)
		require.Equal(t, first, again)
	})
}

// reach says from which node which one can be reached, in one step or more.
func reach(n int, edges []graph.Edge) [][]bool {
	r := make([][]bool, n)
	for i := range r {
		r[i] = make([]bool, n)
	}
	for _, e := range edges {
		r[e.From][e.To] = true
	}
	for k := range n {
		for i := range n {
			for j := range n {
				r[i][j] = r[i][j] || r[i][k] && r[k][j]
			}
		}
	}
	return r
}

func TestParseAround(t *testing.T) {
	a, err := ParseAround("3", "2")
	require.NoError(t, err)
	require.Equal(t, &Around{3, 2}, a)
	for _, bad := range [][2]string{{"", ""}, {"3", ""}, {"-1", "2"}, {"3", "-2"}, {"x", "1"}, {"1 ", "1"}} {
		_, err := ParseAround(bad[0], bad[1])
		require.EqualError(t, err, "--around needs a node and a depth, two numbers")
	}
}

func TestFormat(t *testing.T) {
	for file, want := range map[string]string{"a.svg": "svg", "b/a.PNG": "png", "a.gv": "dot",
		"a.dot": "dot", "a.pdf": "pdf"} {
		got, err := Format(file)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := Format("a.gif")
	require.EqualError(t, err, "a.gif: the name has to end with .svg, .png, .pdf or .dot")
}

// Every node is drawn once when pieces are folded, by itself or in a piece, and no edge
// between pieces is lost.
func TestFold(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "nodes")
		p := &Picture{noun: "node"}
		for i := range n {
			p.add(graph.Node{Start: i == 0}, false)
		}
		for range rapid.IntRange(0, 12).Draw(t, "edges") {
			p.edges = append(p.edges, graph.Edge{From: rapid.IntRange(0, n-1).Draw(t, "from"),
				To: rapid.IntRange(0, n-1).Draw(t, "to")})
		}
		d := &part{Picture: p, edges: p.edges, keep: make([]bool, n), ctx: context.Background()}
		for i := range d.keep {
			d.keep[i] = true
		}
		d.fold()
		of := make([]int, n)
		for i := range of {
			of[i] = -1
		}
		inner := 0
		for i := range n {
			if !d.keep[i] {
				continue
			}
			require.Equal(t, -1, of[i])
			of[i] = i
			for _, k := range d.pieces[i] {
				e := p.edges[k]
				require.Equal(t, i, of[e.From], "a piece is a path")
				require.Equal(t, -1, of[e.To], "in one piece only")
				of[e.To] = i
				inner++
			}
		}
		require.NotContains(t, of, -1)
		require.Len(t, d.edges, len(p.edges)-inner)
		for _, e := range d.edges {
			require.True(t, d.keep[e.From] && d.keep[e.To])
		}
	})
}

// TestDispatch: rows of decisions are one node: every node is drawn once, rows are paths that
// nothing else leads into, and no other edge is lost.
func TestDispatch(t *testing.T) {
	rows := 0
	sample.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "nodes")
		p := &Picture{noun: "node", decides: func(int) bool { return true }}
		in := make([]int, n)
		edge := func(from, to int, label string) {
			p.edges = append(p.edges, graph.Edge{From: from, To: to, Label: label})
			in[to]++
		}
		for i := range n {
			p.add(graph.Node{Start: i == 0, Highlight: rapid.IntRange(0, 20).Draw(t, "red") == 0}, false)
			if i+1 < n && rapid.IntRange(0, 5).Draw(t, "on") > 0 {
				edge(i, i+1, "false")
			}
			if rapid.Bool().Draw(t, "out") {
				edge(i, rapid.IntRange(0, n-1).Draw(t, "to"), "true")
			}
		}
		d := &part{Picture: p, edges: slices.Clone(p.edges), keep: make([]bool, n), ctx: context.Background()}
		for i := range d.keep {
			d.keep[i] = true
		}
		d.dispatch()
		drawn, within := make([]int, n), 0
		for i := range n {
			if !d.keep[i] {
				continue
			}
			drawn[i]++
			at := i
			for _, k := range d.rows[i] {
				require.True(t, slices.ContainsFunc(p.edges, func(e graph.Edge) bool { return e.From == at && e.To == k }))
				require.Equal(t, 1, in[k])
				drawn[k]++
				within++
				at = k
			}
			rows += min(1, len(d.rows[i]))
		}
		require.NotContains(t, drawn, 0)
		require.NotContains(t, drawn, 2)
		require.Len(t, d.edges, len(p.edges)-within)
		for _, e := range d.edges {
			require.True(t, d.keep[e.From] && d.keep[e.To])
		}
	})
	require.Positive(t, rows)
}

// The middle of a long piece is left out, but for what is performed there.
func TestLongPieces(t *testing.T) {
	p := &Picture{noun: "node"}
	const n = 40
	for i := range n {
		p.add(graph.Node{Start: i == 0, Label: "at " + strconv.Itoa(i)}, false)
		if i > 0 {
			label := ""
			if i == 20 {
				label = "act"
			}
			p.edges = append(p.edges, graph.Edge{From: i - 1, To: i, Label: label})
		}
	}
	text, _, err := p.Dot(Selection{Limit: n})
	require.NoError(t, err)
	var want []string
	at := func(from, to int) {
		for i := from; i <= to; i++ {
			want = append(want, "at "+strconv.Itoa(i))
		}
	}
	at(0, 4)
	want = append(want, "  ... 11 nodes more")
	at(16, 19)
	want = append(want, "  -- act -->")
	at(20, 20)
	want = append(want, "  ... 15 nodes more")
	at(36, 39)
	require.Contains(t, text, `label="`+strings.Join(want, `\l`)+`\l"`)
	whole, _, err := p.Dot(Selection{Limit: n, Unfold: true})
	require.NoError(t, err)
	require.Equal(t, n, strings.Count(whole, `label="at `))
}
