package order

// Kernel reasons: several reasons why an execution is infeasible, none of which has a literal too many.
//
// Idea: facts are added one by one; one that contradicts those before gives a reason and is left out, so
// that the facts that follow can give others. A second pass begins at the other end. Of each
// reason literals are left out while the rest still is a contradiction.
//
// Source: Yin et al. (2017), section 5.3, keep all smallest reasons of all pairs while they close; the
// reasons here are smallest by inclusion too, but not all of them.
//
// Cost: a closure for each fact of a reason.

import (
	"cmp"
	"context"
	"slices"
)

// A Fact is something that one execution does.
type Fact struct {
	Kind FactKind
	Lit  Lit
	A, B Node   // of Ordered
	W, R Access // the write of Happens and Sees, the read of Sees
}

// A FactKind says what a fact is.
type FactKind uint8

// The kinds of facts.
const (
	Ordered FactKind = iota // A comes before B
	Happens                 // the write W happens
	Sees                    // the read R sees the write W, which comes before it
	SeesOwn                 // it sees one of its own thread, which may become visible to others later than R happens
)

// Add adds a fact.
func (c *Closure) Add(f Fact) {
	switch f.Kind {
	case Ordered:
		c.Order(f.A, f.B, f.Lit)
	case Happens:
		c.Execute(f.W, f.Lit)
	case SeesOwn:
		c.link(f.W, f.R, f.Lit)
	default:
		c.Link(f.W, f.R, f.Lit)
	}
}

// Kernels are reasons why facts contradict each other, the shortest first, at most so many; none if the
// closure of the facts has no cycle. The closure is that of the graph alone, and is left so. The error is
// ctx's.
func (c *Closure) Kernels(ctx context.Context, facts []Fact, most int) ([][]Lit, error) {
	k := kernels{c: c, facts: facts, byLit: map[Lit][]Fact{}, most: most}
	for _, f := range facts {
		k.byLit[f.Lit] = append(k.byLit[f.Lit], f)
	}
	for _, back := range []bool{false, true} {
		if err := k.pass(ctx, back); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(k.found, func(a, b []Lit) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b))
	})
	k.found = slices.CompactFunc(k.found, slices.Equal)
	return k.found[:min(len(k.found), most)], nil
}

type kernels struct {
	c     *Closure
	facts []Fact
	byLit map[Lit][]Fact
	most  int
	found [][]Lit
}

// pass adds the facts in their order, or the links in the other, and leaves out what contradicts.
func (k *kernels) pass(ctx context.Context, back bool) error {
	facts := slices.Clone(k.facts)
	if back {
		slices.Reverse(facts)
	}
	slices.SortStableFunc(facts, func(a, b Fact) int { return cmp.Compare(a.Kind, b.Kind) })
	start := k.c.Mark()
	var reasons [][]Lit
	for _, f := range facts {
		mark := k.c.Mark()
		k.c.Add(f)
		reason, err := k.c.Close(ctx)
		if err != nil {
			k.c.Undo(start)
			return err
		}
		if reason != nil {
			reasons = append(reasons, reason)
			k.c.Undo(mark)
			if len(reasons) >= k.most {
				break
			}
		}
	}
	k.c.Undo(start)
	for _, r := range reasons {
		small, err := k.minimize(ctx, r)
		if err != nil {
			return err
		}
		k.found = append(k.found, small)
	}
	return nil
}

// minimize leaves literals out of a reason while it is one.
func (k *kernels) minimize(ctx context.Context, reason []Lit) ([]Lit, error) {
	for i := 0; i < len(reason); {
		fewer, err := k.contradict(ctx, slices.Delete(slices.Clone(reason), i, i+1))
		if err != nil {
			return nil, err
		}
		if fewer == nil {
			i++
			continue
		}
		// A part of the literals before i may have gone as well: go on with those left.
		i = len(slices.DeleteFunc(slices.Clone(reason[:i]), func(l Lit) bool { return !slices.Contains(fewer, l) }))
		reason = fewer
	}
	return reason, nil
}

// contradict is the reason that some literals are, or nil.
func (k *kernels) contradict(ctx context.Context, lits []Lit) ([]Lit, error) {
	start := k.c.Mark()
	defer k.c.Undo(start)
	for _, l := range append([]Lit{Always}, lits...) {
		for _, f := range k.byLit[l] {
			k.c.Add(f)
		}
	}
	return k.c.Close(ctx)
}
