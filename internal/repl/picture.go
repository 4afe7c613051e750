package repl

// Pictures: drawings from which nodes can be left out before they are written.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"magus/internal/graph"
	"magus/lts"
)

// A picture is a drawing whose nodes can be left out.
type picture struct {
	title    string
	noun     string // what a node is
	nodes    []graph.Node
	label    func(i int) string // the label of a node that is drawn; nil: it has one
	cluster  []int              // by node: its box from 1, or 0
	collapse []bool             // by node: --collapse may leave it out
	members  map[int]string     // by node: what its box lists
	boxes    []string
	marked   []bool // by box
	edges    []graph.Edge
}

// pathIn is a path of the trace in m, if it has one.
func pathIn(m *lts.LTS, trace []lts.Action) []lts.Edge {
	if trace == nil {
		return nil
	}
	path, _ := lts.Member(m, trace)
	return path // nil if there is none
}

// ltsPicture draws an LTS with a path highlighted.
func ltsPicture(title string, m *lts.LTS, path []lts.Edge) *picture {
	p := &picture{title: title, noun: "state"}
	type step struct {
		from lts.State
		edge lts.Edge
	}
	on, visited := map[step]bool{}, map[lts.State]bool{}
	at := m.Init()
	for _, e := range path {
		on[step{at, e}] = true
		visited[at], visited[e.To] = true, true
		at = e.To
	}
	for s := range lts.State(m.NumStates()) {
		n := graph.Node{Label: m.StateName(s), Start: s == m.Init(), Highlight: visited[s]}
		if m.IsError(s) {
			n.Shape = "octagon"
		}
		p.add(n, 0, len(m.Out(s)) == 1 && m.Out(s)[0].Action == lts.Tau && m.Out(s)[0].To != s && !n.Start)
		for _, e := range m.Out(s) {
			label := "τ"
			if e.Action != lts.Tau {
				label = m.Actions().Name(e.Action)
			}
			p.edges = append(p.edges, graph.Edge{From: int(s), To: int(e.To), Label: label, Dashed: e.Action == lts.Tau, Highlight: on[step{s, e}]})
		}
	}
	return p
}

func (p *picture) add(n graph.Node, box int, collapse bool) {
	p.nodes, p.cluster = append(p.nodes, n), append(p.cluster, box)
	p.collapse = append(p.collapse, collapse)
}

// draw leaves out what is not wanted and gives DOT text.
func (p *picture) draw(d Drawing, limit int, warn func(format string, args ...any)) (string, error) {
	keep := make([]bool, len(p.nodes))
	for i := range keep {
		keep[i] = !d.TraceOnly || p.nodes[i].Highlight
	}
	if d.TraceOnly && !slices.Contains(keep, true) {
		return "", errors.New("--trace-only: there is no counterexample in this drawing")
	}
	if d.Collapse {
		p.skip(keep)
	}
	node, depth, err := d.around()
	switch {
	case err != nil:
		return "", err
	case node >= len(p.nodes):
		return "", fmt.Errorf("--around: no node %d; there are 0 to %d", node, len(p.nodes)-1)
	case node >= 0:
		p.near(node, depth, keep)
	}
	n := count(keep)
	if !d.All && n > limit {
		p.first(limit, keep)
		warn("the drawing shows %d of %d %ss; --all draws them all, --around N DEPTH a part\n", limit, n, p.noun)
	}
	return p.dot(keep, d.TraceOnly), nil
}

func count(keep []bool) (n int) {
	for _, k := range keep {
		if k {
			n++
		}
	}
	return n
}

// skip takes out nodes that only pass on: their predecessors lead to where they
// lead. A cycle of such nodes keeps one.
func (p *picture) skip(keep []bool) {
	next := make([]int, len(p.nodes))
	goesOn := make([]bool, len(p.nodes)) // the counterexample does not end here
	for i := range next {
		next[i] = -1
	}
	for _, e := range p.edges {
		goesOn[e.From] = goesOn[e.From] || e.Highlight
	}
	for _, e := range p.edges {
		if p.collapse[e.From] && keep[e.From] && (goesOn[e.From] || !p.nodes[e.From].Highlight) {
			next[e.From] = e.To
		}
	}
	end := func(i int) int {
		for steps := 0; next[i] >= 0 && steps < len(next); steps++ {
			i = next[i]
		}
		return i
	}
	target := make([]int, len(p.nodes))
	for i := range target {
		target[i] = end(i)
	}
	for i := range keep {
		if next[i] >= 0 && target[i] != i {
			keep[i] = false
		}
	}
	var edges []graph.Edge
	for _, e := range p.edges {
		if !keep[e.From] {
			continue
		}
		e.To = target[e.To]
		if !slices.Contains(edges, e) {
			edges = append(edges, e)
		}
	}
	p.edges = edges
}

// near keeps what is at most depth transitions from a node, in any direction.
func (p *picture) near(from, depth int, keep []bool) {
	distance := p.distances([]int{from}, true)
	for i := range keep {
		keep[i] = keep[i] && distance[i] >= 0 && distance[i] <= depth
	}
}

// first keeps the n nodes nearest to the start.
func (p *picture) first(n int, keep []bool) {
	var starts []int
	for i, node := range p.nodes {
		if node.Start && keep[i] {
			starts = append(starts, i)
		}
	}
	if starts == nil {
		starts = []int{slices.Index(keep, true)}
	}
	distance := p.distances(starts, false)
	far := len(p.nodes) + 1
	var order []int
	for i := range keep {
		if keep[i] {
			order = append(order, i)
		}
		if distance[i] < 0 {
			distance[i] = far
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return distance[a] - distance[b] })
	for _, i := range order[n:] {
		keep[i] = false
	}
}

// distances are those from some nodes; -1 where there is no way.
func (p *picture) distances(from []int, both bool) []int {
	adjacent := make([][]int, len(p.nodes))
	for _, e := range p.edges {
		adjacent[e.From] = append(adjacent[e.From], e.To)
		if both {
			adjacent[e.To] = append(adjacent[e.To], e.From)
		}
	}
	distance := make([]int, len(p.nodes))
	for i := range distance {
		distance[i] = -1
	}
	for _, i := range from {
		distance[i] = 0
	}
	for queue := from; len(queue) > 0; queue = queue[1:] {
		for _, k := range adjacent[queue[0]] {
			if distance[k] < 0 {
				distance[k] = distance[queue[0]] + 1
				queue = append(queue, k)
			}
		}
	}
	return distance
}

// dot writes the nodes that are kept and the edges between them.
func (p *picture) dot(keep []bool, onlyLit bool) string {
	d := graph.NewDrawing(p.title)
	number := make([]int, len(p.nodes))
	for i, n := range p.nodes {
		if !keep[i] {
			continue
		}
		if b := p.cluster[i]; b > 0 {
			n.Cluster = d.Cluster(p.boxes[b-1])
			if p.marked[b-1] {
				d.Highlight(n.Cluster)
			}
		}
		if p.label != nil {
			n.Label = p.label(i)
		}
		number[i] = d.Node(n)
		if list := p.members[i]; list != "" {
			d.Node(graph.Node{Label: list, Shape: "plaintext", Cluster: n.Cluster})
		}
	}
	var edges []graph.Edge
	for _, e := range p.edges {
		if keep[e.From] && keep[e.To] && (!onlyLit || e.Highlight) {
			e.From, e.To = number[e.From], number[e.To]
			edges = append(edges, e)
		}
	}
	for _, e := range together(edges) {
		d.Edge(e)
	}
	return d.String()
}

// shownLabels is how many actions of parallel transitions are drawn.
const shownLabels = 8

// together makes one edge of those that differ in their label only, in the place
// of the first.
func together(edges []graph.Edge) []graph.Edge {
	labels := map[graph.Edge][]string{}
	var order []graph.Edge
	for _, e := range edges {
		key := e
		key.Label = ""
		if labels[key] == nil {
			order = append(order, key)
		}
		labels[key] = append(labels[key], e.Label)
	}
	for i, e := range order {
		all := labels[e]
		if more := len(all) - shownLabels; more > 0 {
			all = append(all[:shownLabels:shownLabels], fmt.Sprintf("and %d more", more))
		}
		order[i].Label = strings.Join(all, "\n")
	}
	return order
}
