package draw

import (
	"errors"
	"slices"
	"strconv"

	"magus/internal/graph"
)

// A Selection says how much of a picture is drawn. The zero value with a limit
// draws everything up to the limit.
type Selection struct {
	All       bool // draw all nodes, whatever the limit
	Collapse  bool // leave out nodes that only pass τ on
	TraceOnly bool // draw the counterexample only
	Around    *Around
	Limit     int // nodes drawn at most: those nearest to the start
}

// DefaultLimit is how many nodes a drawing has at most, unless all are asked
// for: Graphviz needs seconds for a few hundred nodes that are well connected.
const DefaultLimit = 300

// An Around is what is at most Depth transitions from a node, in any direction.
type Around struct{ Node, Depth int }

var errAround = errors.New("--around needs a node and a depth, two numbers")

// ParseAround reads an Around from its two numbers.
func ParseAround(node, depth string) (*Around, error) {
	n, errNode := strconv.Atoi(node)
	d, errDepth := strconv.Atoi(depth)
	if errNode != nil || errDepth != nil || n < 0 || d < 0 {
		return nil, errAround
	}
	return &Around{n, d}, nil
}

// A part is a picture with the nodes that are kept.
type part struct {
	*Picture
	edges []graph.Edge
	keep  []bool // by node
}

// size is how many nodes are kept.
func (p *part) size() (n int) {
	for _, k := range p.keep {
		if k {
			n++
		}
	}
	return n
}

// collapse takes out nodes that only pass on: their predecessors lead to where
// they lead. A cycle of such nodes keeps one.
func (p *part) collapse() {
	target := p.targets()
	for i, to := range target {
		if to != i {
			p.keep[i] = false
		}
	}
	var edges []graph.Edge
	for _, e := range p.edges {
		if !p.keep[e.From] {
			continue
		}
		e.To = target[e.To]
		if !slices.Contains(edges, e) {
			edges = append(edges, e)
		}
	}
	p.edges = edges
}

// targets gives for each node where it leads if nodes that only pass on are
// passed: itself if it is not one of them. The counterexample's last node is
// kept, so that its end shows.
func (p *part) targets() []int {
	next := make([]int, len(p.nodes)) // -1: the node stays
	goesOn := make([]bool, len(p.nodes))
	for i := range next {
		next[i] = -1
	}
	for _, e := range p.edges {
		goesOn[e.From] = goesOn[e.From] || e.Highlight
	}
	for _, e := range p.edges {
		if p.passes[e.From] && p.keep[e.From] && (goesOn[e.From] || !p.nodes[e.From].Highlight) {
			next[e.From] = e.To
		}
	}
	breakCycles(next)
	target := make([]int, len(p.nodes))
	for i := range target {
		target[i] = i
		for next[target[i]] >= 0 {
			target[i] = next[target[i]]
		}
	}
	return target
}

// breakCycles lets one node of every cycle stay.
func breakCycles(next []int) {
	seen := make([]int, len(next)) // in which walk, from 1
	for i := range next {
		for k := i; next[k] >= 0; k = next[k] {
			if seen[k] == i+1 {
				next[k] = -1
				break
			}
			if seen[k] != 0 { // walked before: there is no cycle any more
				break
			}
			seen[k] = i + 1
		}
	}
}

// around keeps what is near a node.
func (p *part) around(a Around) {
	distance := p.distances([]int{a.Node}, true)
	for i := range p.keep {
		p.keep[i] = p.keep[i] && distance[i] >= 0 && distance[i] <= a.Depth
	}
}

// nearest keeps the n nodes nearest to the start.
func (p *part) nearest(n int) {
	var starts []int
	for i, node := range p.nodes {
		if node.Start && p.keep[i] {
			starts = append(starts, i)
		}
	}
	if starts == nil {
		starts = []int{slices.Index(p.keep, true)}
	}
	distance := p.distances(starts, false)
	far := len(p.nodes) + 1
	var order []int
	for i := range p.keep {
		if p.keep[i] {
			order = append(order, i)
		}
		if distance[i] < 0 {
			distance[i] = far
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return distance[a] - distance[b] })
	for _, i := range order[n:] {
		p.keep[i] = false
	}
}

// distances are those from some nodes, along the edges or in both directions;
// -1 where there is no way.
func (p *part) distances(from []int, both bool) []int {
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
