package order

// The complete check: a closure without a cycle may still have no order of all nodes.
//
// If for each link w → r every other write w' of the cell that happens is known to come before w or
// after r, rules 2 and 3 have nothing left to say, and every topological order is an execution: the
// closure is total. Otherwise an open triple is chosen: r < w' is tried first, then w' < w. Exact, since
// an order decides every triple. What excludes the first choice is the reason for the second, so that
// what excludes both is a reason without choices (resolution).
//
// Source: Yin et al. (2017) ask a solver here, and take its core.
//
// Cost: exponential in the open triples at worst; a triple decided wrongly is mended where the reason
// names its choice, not in all the choices between.

import (
	"context"
	"math/bits"
	"slices"
)

// firstChoice is the literal of the first choice of the search; those that follow go down.
const firstChoice Lit = -2

// Complete looks for an order of everything that happens, and leaves the choices that it needs among
// the facts: then [Closure.Linear] is an execution. A reason, which is not nil, says that there is none.
// Everything is closed when it is called. The error is ctx's.
func (c *Closure) Complete(ctx context.Context) (reason []Lit, err error) {
	return c.complete(ctx, firstChoice, 0)
}

func (c *Closure) complete(ctx context.Context, choice Lit, first int) ([]Lit, error) {
	l, w, first := c.open(first)
	if l == nil {
		return nil, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	from, to := l.from, l.to
	mark := c.Mark()
	c.todo = append(c.todo, reasoned{from: to, to: w, rule: decided, lit: choice})
	reason, err := c.closeAndComplete(ctx, choice-1, first)
	if reason == nil || err != nil {
		return nil, err
	}
	at := slices.Index(reason, choice)
	if at < 0 {
		return reason, nil
	}
	lits := slices.Delete(reason, at, at+1)
	lits = append(lits, l.because(c.guards[l.cell][w])...)
	c.Undo(mark)
	c.todo = append(c.todo, reasoned{from: w, to: from, rule: resolved, lits: lits})
	return c.closeAndComplete(ctx, choice-1, first)
}

// because are the literals of an open triple.
func (l *link) because(guard Lit) []Lit {
	var lits []Lit
	for _, x := range []Lit{l.lit, guard} {
		if x != Always {
			lits = append(lits, x)
		}
	}
	return lits
}

func (c *Closure) closeAndComplete(ctx context.Context, choice Lit, first int) ([]Lit, error) {
	reason, err := c.Close(ctx)
	if reason != nil || err != nil {
		return reason, err
	}
	return c.complete(ctx, choice, first)
}

// open is a link, from the given one on, and a write of its cell that is ordered with neither end.
func (c *Closure) open(first int) (*link, Node, int) {
	for i := first; i < len(c.links); i++ {
		l := &c.links[i]
		beforeR, behindR, beforeW, behindW := c.before(l.to), c.behind(l.to), c.before(l.from), c.behind(l.from)
		for k, word := range c.writes[l.cell] {
			known := beforeR[k] | behindR[k] | beforeW[k] | behindW[k]
			for m := word &^ known; m != 0; m &= m - 1 {
				if w := Node(k*64 + bits.TrailingZeros64(m)); w != l.from && w != l.to {
					return l, w, i
				}
			}
		}
	}
	return nil, 0, len(c.links)
}

// Total reports whether nothing is left to choose.
func (c *Closure) Total() bool {
	l, _, _ := c.open(0)
	return l == nil
}

// Linear is an order of all nodes that has everything that is known. Where it may choose it goes on with
// a node for which same says that it belongs to the one before. Cost: quadratic in the nodes.
func (c *Closure) Linear(same func(a, b Node) bool) []Node {
	waits := make([]int, c.g.nodes)
	var ready, linear []Node
	for n := range waits {
		if waits[n] = c.before(Node(n)).Len(); waits[n] == 0 {
			ready = append(ready, Node(n))
		}
	}
	for len(ready) > 0 {
		best := 0
		if len(linear) > 0 {
			best = max(0, slices.IndexFunc(ready, func(n Node) bool { return same(linear[len(linear)-1], n) }))
		}
		n := ready[best]
		ready = slices.Delete(ready, best, best+1)
		linear = append(linear, n)
		for m := range c.behind(n).All() {
			if waits[m]--; waits[m] == 0 {
				ready = append(ready, m)
			}
		}
	}
	return linear
}
