package minimize

import (
	"context"
	"math/rand/v2"
	"slices"
)

// The greedy strategy: figure 10 and section 9.1 of Chaki et al., "Efficient
// Verification of Sequential and Concurrent C Programs" (2004). Candidates that
// suffice for the paths that survive are added to the set of the last call;
// then one is removed at a time, in random order, and after each success
// everything starts over with a new order, until none can be removed.
//
// The result is irredundant but can be larger than a minimum by any factor.
//
// Cost: at most k² + k removals tried for k candidates in the set, most of them
// answered without a test: what a smaller set needs, a larger one's failure has
// already shown.

// cumulative is the set so far, for strategies that extend it.
type cumulative struct {
	oracle oracle
	set    Set
}

// greedy is the strategy of figure 10.
type greedy struct {
	cumulative
	seed int64
}

// Greedy returns the strategy of figure 10. The seed determines the orders.
func Greedy(seed int64) Strategy { return &greedy{seed: seed} }

// Minimize returns an irredundant set that eliminates every path.
func (g *greedy) Minimize(ctx context.Context, p Problem) (Result, error) {
	var r Result
	if err := g.suffice(ctx, p, &r.Stats); err != nil {
		return r, err
	}
	rng := rand.New(rand.NewPCG(uint64(g.seed), 0))
	for removed := true; removed; {
		order := g.set.Elements()
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		removed = false
		for _, c := range order {
			x := g.set.Without(c)
			ok, err := g.oracle.eliminatesAll(ctx, p, x, &r.Stats)
			if err != nil {
				return r, err
			}
			r.Stats.try(x, ok)
			if ok {
				g.set, removed = x, true
				break
			}
		}
	}
	r.Set = g.set
	return r, nil
}

// suffice adds, for each path that survives the set, the fewest candidates in
// the order of the hints that eliminate it.
func (c *cumulative) suffice(ctx context.Context, p Problem, st *Stats) error {
	if err := c.oracle.adopt(p); err != nil {
		return err
	}
	for path := range c.oracle.facts {
		if err := c.sufficePath(ctx, p, path, st); err != nil {
			return err
		}
	}
	return nil
}

func (c *cumulative) sufficePath(ctx context.Context, p Problem, path int, st *Stats) error {
	_, likely := grower{o: &c.oracle, p: p, path: path}.order(Set{})
	slices.Reverse(likely)
	order := likely
	for i := range c.oracle.n {
		if !slices.Contains(likely, i) {
			order = append(order, i)
		}
	}
	if r, ok := p.(Relevancer); ok {
		relevant := r.Relevant(ctx, path)
		order = slices.DeleteFunc(order, func(i int) bool { return !relevant.Has(i) })
	}
	// Invariant: the set with order[:hi] eliminates the path, with order[:lo-1] it does not.
	lo, hi := 0, len(order)
	ok, err := c.oracle.eliminates(ctx, p, path, c.set.Union(SetOf(order...)), st)
	if err != nil {
		return err
	}
	if !ok {
		return &NotEliminableError{Path: path}
	}
	for lo < hi {
		mid := (lo + hi) / 2
		ok, err := c.oracle.eliminates(ctx, p, path, c.set.Union(SetOf(order[:mid]...)), st)
		if err != nil {
			return err
		}
		if ok {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	c.set = c.set.Union(SetOf(order[:hi]...))
	return nil
}
