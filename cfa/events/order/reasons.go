package order

// Reasons: the literals behind an order.
//
// Idea: an edge has its literal; one of rules 2 and 3 the link's, the guard of the other write, and the
// reason of its premise, which is a way over edges that are older. Edges of the graph have no literal:
// the order of a real execution extends to the nodes that it does not execute, since the graph's
// order is transitive through them. Of all ways the one of fewest edges is taken, breadth first.
//
// Source: Yin et al. (2017), section 5, theorem 5.3. Deviations: they keep for every pair all smallest
// reasons; here one way is looked for when somebody asks (kernel.go makes its reasons smallest).
//
// Cost: linear in the edges and rows on the way, for each premise once.

import (
	"math/bits"
	"slices"

	"magus/internal/bitset"
)

// An explainer is the scratch room of searches.
type explainer struct {
	sets    [2]bitset.Set[Node]
	seen    bitset.Set[Node] // nodes whose edges were followed
	entered bitset.Set[Node] // nodes that were come to
	by      []int32          // by node: the edge with which it was come to
	from    []Node           // by node: where the way to that edge began
	queue   []Node
	used    []bool // by edge: its reason is collected
	work    []int32
	lits    []Lit
}

func (x *explainer) init(n int) {
	x.sets[0], x.sets[1] = bitset.New[Node](n), bitset.New[Node](n)
	x.seen, x.entered = bitset.New[Node](n), bitset.New[Node](n)
	x.by, x.from = make([]int32, n), make([]Node, n)
}

// copy is a set with one more node, in room of the explainer's own.
func (x *explainer) copy(i int, s bitset.Set[Node], n Node) bitset.Set[Node] {
	copy(x.sets[i], s)
	x.sets[i].Add(n)
	return x.sets[i]
}

// cycle is the reason why an edge cannot be added: there is a way back.
func (c *Closure) cycle(e reasoned) []Lit {
	c.beginReason()
	c.because(&e)
	if e.from != e.to {
		c.way(e.to, e.from, int32(len(c.edges)))
	}
	return c.endReason()
}

// Explain is the reason why a comes before b, which it is known to do.
func (c *Closure) Explain(a, b Node) []Lit {
	c.beginReason()
	c.way(a, b, int32(len(c.edges)))
	return c.endReason()
}

func (c *Closure) beginReason() {
	x := &c.search
	x.lits, x.work = x.lits[:0], x.work[:0]
	x.used = append(x.used[:0], make([]bool, len(c.edges))...)
}

func (c *Closure) endReason() []Lit {
	x := &c.search
	for len(x.work) > 0 {
		i := x.work[len(x.work)-1]
		x.work = x.work[:len(x.work)-1]
		c.because(&c.edges[i])
	}
	slices.Sort(x.lits)
	return slices.Clone(slices.Compact(x.lits))
}

// because collects the reason of an edge itself, and looks for the way of its premise.
func (c *Closure) because(e *reasoned) {
	x := &c.search
	switch e.rule {
	case resolved:
		x.lits = append(x.lits, e.lits...)
		return
	case behind, ahead:
		if e.guard != Always {
			x.lits = append(x.lits, e.guard)
		}
		c.way(e.premise.from, e.premise.to, e.time)
	}
	if e.lit != Always {
		x.lits = append(x.lits, e.lit)
	}
}

// way finds the way from a to b over the graph and the first few edges, and leaves its edges as work.
func (c *Closure) way(a, b Node, time int32) {
	if c.static[a].Has(b) {
		return
	}
	x := &c.search
	clear(x.seen)
	clear(x.entered)
	x.queue = append(x.queue[:0], a)
	x.entered.Add(a)
	for i := 0; ; i++ {
		if i == len(x.queue) {
			panic("order: no way")
		}
		n := x.queue[i]
		if i > 0 && n == b || c.static[n].Has(b) {
			c.collect(n, a)
			return
		}
		c.follow(n, time)
	}
}

// follow looks at the edges that leave n or what comes behind it in the graph.
func (c *Closure) follow(n Node, time int32) {
	x := &c.search
	if c.starts.Has(n) && x.seen.Add(n) {
		c.enter(n, n, time)
	}
	for i, w := range c.static[n] {
		for m := w & c.starts[i] &^ x.seen[i]; m != 0; m &= m - 1 {
			u := Node(i*64 + bits.TrailingZeros64(m))
			x.seen.Add(u)
			c.enter(n, u, time)
		}
	}
}

// enter comes to where the edges lead that leave u, which is n or behind it.
func (c *Closure) enter(n, u Node, time int32) {
	x := &c.search
	for _, i := range c.out[u] {
		if i >= time {
			break
		}
		if to := c.edges[i].to; x.entered.Add(to) {
			x.by[to], x.from[to] = i, n
			x.queue = append(x.queue, to)
		}
	}
}

// collect leaves as work the edges by which n was come to.
func (c *Closure) collect(n, start Node) {
	x := &c.search
	for n != start {
		if i := x.by[n]; !x.used[i] {
			x.used[i] = true
			x.work = append(x.work, i)
		}
		n = x.from[n]
	}
}
