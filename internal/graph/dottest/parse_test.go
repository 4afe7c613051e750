package dottest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	g, err := Parse(`digraph "a b" { rankdir=TB; label="x \"y\" \l";
	subgraph cluster1 { label="in"; n1 [label="ä\n", shape=box]; }
	n2[]; n1->n2[style="dashed"]; n2 -> n2 }`)
	require.NoError(t, err)
	require.Equal(t, &Graph{
		Name: "a b", Attributes: map[string]string{"rankdir": "TB", "label": `x "y" \l`}, Clusters: 1,
		Nodes: map[string]map[string]string{"n1": {"label": `ä\n`, "shape": "box"}, "n2": {}},
		Edges: []Edge{{"n1", "n2", map[string]string{"style": "dashed"}}, {"n2", "n2", map[string]string{}}},
	}, g)
}

func TestWrong(t *testing.T) {
	for text, want := range map[string]string{
		``:                           "token 0: it does not begin with digraph",
		`graph {}`:                   "token 1: it does not begin with digraph",
		`digraph {`:                  "token 2: no name",
		`digraph {} x`:               "token 3: text behind the graph",
		`digraph { a -> b }`:         "token 5: an edge at a, which is no node",
		`digraph { a [x] }`:          "token 5: attribute x has no value",
		`digraph { a [label="x] }`:   "a name without an end",
		`digraph { a; a; }`:          "token 5: node a twice",
		`digraph { a [label=x"y"] }`: "token 8: attribute y has no value",
		`digraph { <a> }`:            `'<' at byte 10`,
		"digraph { \"\x00\" }":       "no UTF-8, or a zero in it",
		`digraph { subgraph { } }`:   "token 3: no name",
	} {
		_, err := Parse(text)
		require.EqualError(t, err, want, text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`digraph g { a [label="x\"\l"]; a -> a; subgraph c { b } k = v }`)
	f.Fuzz(func(t *testing.T, text string) {
		g, err := Parse(text)
		if err == nil {
			for _, e := range g.Edges {
				require.NotNil(t, g.Nodes[e.From])
				require.NotNil(t, g.Nodes[e.To])
			}
		}
	})
}
