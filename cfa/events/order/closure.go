package order

// The closure of what one execution does, with an undo list.
//
// Idea: three rules give all orders that follow from single facts (w → r is a link, w' another write
// of the cell that happens):
//
//  1. a < b and b < c: a < c.
//  2. w → r and w' < r: w' < w.
//  3. w → r and w < w': r < w'.
//
// A cycle is a contradiction: an order that has the premises has the conclusions. Rows of bits say
// what comes after and before each node; an edge that they do not have yet is remembered with its
// reason, so that the way between any two nodes can be explained later (reasons.go). A link is looked
// at again when the row before its read or behind its write has changed.
//
// Source: Yin et al. (2017), section 4.2 and algorithm 1. Deviations: a read and a write of one node
// are told apart (sections); facts can be taken back, which makes it a theory for a SAT solver.
//
// Cost: for n nodes, n²/64 words for an edge that is new at most, and two rows for each look at a link.

import (
	"context"
	"math/bits"
	"slices"

	"magus/internal/bitset"
)

// A rule says where an edge comes from.
type rule uint8

const (
	given    rule = iota // a fact: its literal
	behind               // rule 2: the link, the guard of the other write, and premise
	ahead                // rule 3: likewise
	decided              // a choice of the completing search
	resolved             // the other choice has a reason: lits
)

// An ordered pair with how it came about. It follows from edges of lower numbers.
type reasoned struct {
	from, to Node
	rule     rule
	lit      Lit   // of the fact, the link or the choice
	guard    Lit   // of the other write
	premise  edge  // of rules 2 and 3
	time     int32 // number of edges when premise held
	lits     []Lit
}

// A link is a read that sees a write.
type link struct {
	from, to Node
	cell     Cell
	lit      Lit
	dirty    bool
}

// old is what a word was.
type old struct {
	at   int32 // index into rows
	word uint64
}

// A Closure holds the facts of one execution and what follows. It is used by one goroutine at a time.
//
// Invariant after Close without a reason: rows are transitive, have all edges and no node
// behind itself, and rules 2 and 3 give nothing new.
type Closure struct {
	g      *Graph
	words  int
	static []bitset.Set[Node] // what comes behind a node by the graph alone
	rows   []uint64           // behind each node, then before each node
	log    []old

	edges  []reasoned
	out    [][]int32          // by node: edges that leave it
	starts bitset.Set[Node]   // nodes with such edges
	todo   []reasoned         // not added yet
	writes []bitset.Set[Node] // by cell: nodes that write it in this execution
	guards []map[Node]Lit     // by cell: of these
	done   []access           // writes in the order in which they were told
	links  []link
	from   [][]int32 // by node: links from it
	into   [][]int32 // by node: links to it
	ofCell [][]int32
	dirty  []int32 // links to look at

	search explainer
}

// NewClosure is the closure of a graph without an execution.
func NewClosure(g *Graph) *Closure {
	n, cells := g.nodes, g.cells()
	c := &Closure{
		g: g, words: bitset.Words(n), static: g.Behind(),
		out: make([][]int32, n), starts: bitset.New[Node](n), from: make([][]int32, n), into: make([][]int32, n),
		writes: make([]bitset.Set[Node], cells), guards: make([]map[Node]Lit, cells), ofCell: make([][]int32, cells),
	}
	c.rows = make([]uint64, 2*n*c.words)
	for a, row := range c.static {
		copy(c.behind(Node(a)), row)
		for b := range row.All() {
			c.before(b).Add(Node(a))
		}
	}
	for i := range c.writes {
		c.writes[i], c.guards[i] = bitset.New[Node](n), map[Node]Lit{}
	}
	c.search.init(n)
	return c
}

func (c *Closure) behind(n Node) bitset.Set[Node] {
	return c.rows[int(n)*c.words : (int(n)+1)*c.words]
}

func (c *Closure) before(n Node) bitset.Set[Node] { return c.behind(n + Node(c.g.nodes)) }

// Before reports whether a is known to come before b.
func (c *Closure) Before(a, b Node) bool { return c.behind(a).Has(b) }

// Order adds the fact that a comes before b.
func (c *Closure) Order(a, b Node, why Lit) {
	c.todo = append(c.todo, reasoned{from: a, to: b, rule: given, lit: why})
}

// Execute adds the fact that a write happens.
func (c *Closure) Execute(w Access, why Lit) {
	a := c.g.writes[w]
	if !c.writes[a.cell].Add(a.node) {
		return
	}
	c.guards[a.cell][a.node] = why
	c.done = append(c.done, a)
	for _, l := range c.ofCell[a.cell] {
		c.touch(l)
	}
}

// Executed reports whether a write is known to happen.
func (c *Closure) Executed(w Access) bool {
	a := c.g.writes[w]
	return c.writes[a.cell].Has(a.node)
}

// Link adds the fact that a read sees a write, which happens before it.
func (c *Closure) Link(w, r Access, why Lit) {
	c.link(w, r, why)
	c.todo = append(c.todo, reasoned{from: c.g.writes[w].node, to: c.g.reads[r].node, rule: given, lit: why})
}

// link adds the fact that a read sees a write.
func (c *Closure) link(w, r Access, why Lit) {
	from, to := c.g.writes[w], c.g.reads[r]
	i := int32(len(c.links))
	c.links = append(c.links, link{from: from.node, to: to.node, cell: from.cell, lit: why})
	c.from[from.node] = append(c.from[from.node], i)
	c.into[to.node] = append(c.into[to.node], i)
	c.ofCell[from.cell] = append(c.ofCell[from.cell], i)
	c.touch(i)
}

func (c *Closure) touch(l int32) {
	if !c.links[l].dirty {
		c.links[l].dirty = true
		c.dirty = append(c.dirty, l)
	}
}

// A Mark is a point to go back to.
type Mark struct{ log, edges, done, links int }

// Mark is the present point.
func (c *Closure) Mark() Mark { return Mark{len(c.log), len(c.edges), len(c.done), len(c.links)} }

// Undo takes back all facts since a mark, which was made when everything was closed.
func (c *Closure) Undo(m Mark) {
	for i := len(c.log) - 1; i >= m.log; i-- {
		c.rows[c.log[i].at] = c.log[i].word
	}
	c.log = c.log[:m.log]
	for i := len(c.edges) - 1; i >= m.edges; i-- {
		n := c.edges[i].from
		c.out[n] = c.out[n][:len(c.out[n])-1]
		if len(c.out[n]) == 0 {
			c.starts.Remove(n)
		}
	}
	c.edges = c.edges[:m.edges]
	for _, a := range c.done[m.done:] {
		c.writes[a.cell].Remove(a.node)
	}
	c.done = c.done[:m.done]
	for _, l := range slices.Backward(c.links[m.links:]) {
		c.from[l.from] = c.from[l.from][:len(c.from[l.from])-1]
		c.into[l.to] = c.into[l.to][:len(c.into[l.to])-1]
		c.ofCell[l.cell] = c.ofCell[l.cell][:len(c.ofCell[l.cell])-1]
	}
	for _, l := range c.dirty {
		c.links[l].dirty = false
	}
	c.links, c.todo, c.dirty = c.links[:m.links], c.todo[:0], c.dirty[:0]
}

// Close derives everything that follows from the facts. A reason, which may be empty but is not nil,
// says that they contradict each other; the closure is to be undone to a mark then. The error is ctx's.
func (c *Closure) Close(ctx context.Context) (reason []Lit, err error) {
	for steps := 1; len(c.todo) > 0 || len(c.dirty) > 0; steps++ {
		if steps%64 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if n := len(c.todo); n > 0 {
			e := c.todo[n-1]
			c.todo = c.todo[:n-1]
			if e.from == e.to || c.Before(e.to, e.from) {
				return c.cycle(e), nil
			}
			if !c.Before(e.from, e.to) {
				c.add(e)
			}
			continue
		}
		l := c.dirty[len(c.dirty)-1]
		c.dirty = c.dirty[:len(c.dirty)-1]
		c.links[l].dirty = false
		c.apply(&c.links[l])
	}
	return nil, nil
}

// apply uses rules 2 and 3 on a link.
func (c *Closure) apply(l *link) {
	w, r, writes, time := l.from, l.to, c.writes[l.cell], int32(len(c.edges))
	beforeR, beforeW, behindW, behindR := c.before(r), c.before(w), c.behind(w), c.behind(r)
	for i, word := range writes {
		for m := word & beforeR[i] &^ beforeW[i]; m != 0; m &= m - 1 {
			if x := Node(i*64 + bits.TrailingZeros64(m)); x != w {
				c.todo = append(c.todo, reasoned{from: x, to: w, rule: behind, lit: l.lit,
					guard: c.guards[l.cell][x], premise: edge{x, r}, time: time})
			}
		}
		for m := word & behindW[i] &^ behindR[i]; m != 0; m &= m - 1 {
			if x := Node(i*64 + bits.TrailingZeros64(m)); x != r {
				c.todo = append(c.todo, reasoned{from: r, to: x, rule: ahead, lit: l.lit,
					guard: c.guards[l.cell][x], premise: edge{w, x}, time: time})
			}
		}
	}
}

// add puts an edge into the rows: rule 1.
func (c *Closure) add(e reasoned) {
	n := e.from
	c.out[n] = append(c.out[n], int32(len(c.edges)))
	c.starts.Add(n)
	c.edges = append(c.edges, e)
	// The rows themselves change while they are walked: take copies.
	up := c.search.copy(0, c.before(e.from), e.from)
	down := c.search.copy(1, c.behind(e.to), e.to)
	for a := range up.All() {
		if c.unite(int(a)*c.words, down) {
			for _, l := range c.from[a] {
				c.touch(l)
			}
		}
	}
	for b := range down.All() {
		if c.unite((int(b)+c.g.nodes)*c.words, up) {
			for _, l := range c.into[b] {
				c.touch(l)
			}
		}
	}
}

// unite adds a set to the row that starts at a place.
func (c *Closure) unite(at int, set bitset.Set[Node]) bool {
	row, changed := c.rows[at:at+c.words], false
	for i, w := range set {
		if w&^row[i] != 0 {
			c.log = append(c.log, old{int32(at + i), row[i]})
			row[i] |= w
			changed = true
		}
	}
	return changed
}
