package graph

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/emicklei/dot"
)

// Drawing collects nodes, edges and clusters and writes them as DOT. It is a thin layer over
// github.com/emicklei/dot: it numbers nodes itself, writes them in the order they were added, and
// escapes labels, so that equal calls give equal text whatever the labels are.
type Drawing struct {
	name     string
	nodes    []Node
	edges    []Edge
	clusters []string
	marked   map[Cluster]bool
	lanes    []string
	laneX    []float64 // by lane: its middle, once there is a layout
}

// Node is a node of a drawing. The zero value is an empty ellipse.
type Node struct {
	Label     string  // may have several lines, which are then left aligned
	Name      string  // what edges that are not drawn to their end call it; empty for the first word of the label
	Shape     string  // a Graphviz shape; empty for the default, an ellipse (a box if the label has lines)
	Cluster   Cluster // where it is drawn; the zero value is outside all clusters
	Lane      int     // of a drawing with lanes
	Start     bool    // an arrow from nowhere points at it
	Double    bool    // drawn with a double border
	Highlight bool    // drawn bold and red
	Folded    bool    // stands for a part of the graph that is not drawn
}

// Edge is a directed edge between two nodes of a drawing.
type Edge struct {
	From, To  int // as returned by Drawing.Node
	Label     string
	Dashed    bool
	Highlight bool // drawn bold and red
}

// Cluster is a box around nodes. The zero value is no cluster.
type Cluster int

// NewDrawing returns an empty drawing; name becomes its title, unless it is empty.
func NewDrawing(name string) *Drawing { return &Drawing{name: name} }

// Cluster adds a cluster with a title.
func (d *Drawing) Cluster(title string) Cluster {
	d.clusters = append(d.clusters, title)
	return Cluster(len(d.clusters))
}

// Highlight draws a cluster with a red border.
func (d *Drawing) Highlight(c Cluster) {
	if d.marked == nil {
		d.marked = map[Cluster]bool{}
	}
	d.marked[c] = true
}

// Node adds a node and returns its number; numbers count from 0.
func (d *Drawing) Node(n Node) int {
	d.nodes = append(d.nodes, n)
	return len(d.nodes) - 1
}

// Edge adds an edge. It panics when it is written if its ends have not been added by then.
func (d *Drawing) Edge(e Edge) { d.edges = append(d.edges, e) }

// Parts are the nodes and edges in the order in which they were added; they are not to be
// changed.
func (d *Drawing) Parts() ([]Node, []Edge) { return d.nodes, d.edges }

// String returns the DOT text, which ends with a line feed.
func (d *Drawing) String() string {
	text, _ := d.DOT(context.Background())
	return text
}

// lookEvery is how many parts of a drawing are written between two looks at the context.
const lookEvery = 1024

// DOT is [Drawing.String] for drawings of any size: the error says that ctx ended.
func (d *Drawing) DOT(ctx context.Context) (text string, err error) {
	root := dot.NewGraph(dot.Directed)
	root.Attr("rankdir", "TB")
	if d.name != "" {
		root.Attr("label", quote(d.name))
		root.Attr("labelloc", "t")
	}
	boxes := []*dot.Graph{root}
	for i, title := range d.clusters {
		box := root.Subgraph(fmt.Sprintf("%08d", i), dot.ClusterOption{})
		box.Attr("label", quote(title))
		if d.marked[Cluster(i+1)] {
			box.Attr("color", "red")
			box.Attr("penwidth", 2)
		}
		boxes = append(boxes, box)
	}
	nodes := make([]dot.Node, len(d.nodes))
	for i, n := range d.nodes {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return "", ctx.Err()
		}
		// The library sorts nodes by id; ids of equal width keep the order they were added in.
		nodes[i] = drawNode(boxes[n.Cluster].Node(fmt.Sprintf("%08d", i)), n)
	}
	for i, n := range d.nodes {
		if n.Start {
			from := root.Node(fmt.Sprintf("start%08d", i)).Attr("shape", "point").Label("")
			root.Edge(from, nodes[i])
		}
	}
	for i, e := range d.edges {
		if i%lookEvery == 0 && ctx.Err() != nil {
			return "", ctx.Err()
		}
		edge := root.Edge(nodes[e.From], nodes[e.To])
		if drawEdge(edge, e); d.lanes != nil {
			edge.Attr("constraint", false)
		}
	}
	if d.lanes != nil {
		d.laneOrder(root, nodes)
	}
	out := &interruptible{ctx: ctx}
	defer func() {
		switch why := recover().(type) {
		case nil:
		case interrupted:
			text, err = "", why.error
		default:
			panic(why)
		}
	}()
	root.Write(out)
	return strings.TrimRight(out.String(), "\n") + "\n", nil
}

// interruptible is a buffer whose writes unwind once the context has ended: the library that writes a graph
// has no other way to be stopped.
type interruptible struct {
	bytes.Buffer
	ctx    context.Context
	writes int
}

type interrupted struct{ error }

func (w *interruptible) Write(p []byte) (int, error) {
	if w.writes++; w.writes%lookEvery == 0 {
		if err := w.ctx.Err(); err != nil {
			panic(interrupted{err})
		}
	}
	return w.Buffer.Write(p)
}

func drawNode(node dot.Node, n Node) dot.Node {
	node.Attr("label", quote(n.Label))
	switch {
	case n.Folded:
		node.Attr("shape", "box3d")
	case n.Shape != "":
		node.Attr("shape", n.Shape)
	case strings.Contains(n.Label, "\n"):
		node.Attr("shape", "box")
	}
	if n.Double {
		node.Attr("peripheries", 2)
	}
	if n.Highlight {
		node.Attrs("color", "red", "penwidth", 2)
	}
	return node
}

func drawEdge(edge dot.Edge, e Edge) {
	if e.Label != "" {
		edge.Attr("label", quote(e.Label))
	}
	if e.Dashed {
		edge.Attr("style", "dashed")
	}
	if e.Highlight {
		edge.Attrs("color", "red", "fontcolor", "red", "penwidth", 2)
	}
}

// quoted escapes what has a meaning in strings of DOT.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "", "\x00", "")

// quote returns s as a quoted DOT string. Text of several lines is left aligned: every line ends
// with \l. Backslashes are doubled, so no escape sequence of Graphviz can come from s itself.
func quote(s string) dot.Literal {
	s = quoted.Replace(s)
	if strings.Contains(s, "\n") {
		s = strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", `\l`) + `\l`
	}
	return dot.Literal(`"` + s + `"`)
}
