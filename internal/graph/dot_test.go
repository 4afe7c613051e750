package graph

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func exampleDrawing() *Drawing {
	d := NewDrawing(`the "sample"`)
	c := d.Cluster("inside")
	free := d.Node(Node{Label: "Free", Start: true})
	held := d.Node(Node{Label: "x == 1\ny \\ \"2\"", Cluster: c, Double: true})
	bad := d.Node(Node{Label: "bad", Shape: "octagon", Cluster: c, Highlight: true})
	d.Edge(Edge{From: free, To: held, Label: "lock"})
	d.Edge(Edge{From: held, To: bad, Label: "lock", Highlight: true})
	d.Edge(Edge{From: held, To: free, Dashed: true})
	d.Edge(Edge{From: held, To: free, Label: "unlock"})
	return d
}

func TestDrawing(t *testing.T) {
	text := exampleDrawing().String()
	require.Equal(t, text, exampleDrawing().String())
	for _, want := range []string{
		`digraph  {`,
		`label="the \"sample\""`,
		`label="inside"`,
		`label="x == 1\ly \\ \"2\"\l"`,
		`peripheries="2"`,
		`shape="octagon"`,
		`label="unlock"`,
	} {
		require.Contains(t, text, want)
	}
	require.True(t, strings.HasSuffix(text, "}\n"))
}

// TestDrawingOrder checks that nodes come in the order they were added, beyond nine of them.
func TestDrawingOrder(t *testing.T) {
	d := NewDrawing("")
	for i := range 120 {
		d.Node(Node{Label: strings.Repeat("x", i+1)})
	}
	text, last := d.String(), -1
	for i := range 120 {
		at := strings.Index(text, `"`+strings.Repeat("x", i+1)+`"`)
		require.Greater(t, at, last)
		last = at
	}
}

// TestDrawingParses lets Graphviz read the text.
func TestDrawingParses(t *testing.T) {
	program, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("Graphviz is not installed")
	}
	d := exampleDrawing()
	d.Node(Node{Label: "<b>\\N \\G ä\t'\x00\r\n"})
	cmd := exec.Command(program, "-Tplain")
	cmd.Stdin = strings.NewReader(d.String())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "stop")
}
