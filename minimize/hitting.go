package minimize

import (
	"context"
	"slices"
)

// Cheapest hitting sets: a set that has an element in common with each clause,
// where a clause is a set of candidates of which at least one is needed.
//
// The optimum is the optimizer's. Around it are two bounds that cost nothing:
// greedy covering gives an incumbent, and disjoint clauses give a lower bound,
// since each of them needs a candidate of its own. Where the two meet, the
// solver is not asked at all.

// hitting is a growing set of clauses.
type hitting struct {
	costs   []int
	clauses []Set // none is empty
	opt     *optimizer
	last    Set // the optimum found last
}

func newHitting(costs []int) *hitting {
	return &hitting{costs: costs, opt: newOptimizer(costs, 0)}
}

func (h *hitting) add(clause Set) error {
	h.clauses = append(h.clauses, clause)
	lits := clause.Elements()
	for i := range lits {
		lits[i]++
	}
	return h.opt.add(lits...)
}

// cheapest returns a hitting set of least cost.
func (h *hitting) cheapest(ctx context.Context) (Set, error) {
	incumbent := h.greedy(Set{})
	if repaired := h.greedy(h.last); sumCost(repaired, h.costs) < sumCost(incumbent, h.costs) {
		incumbent = repaired
	}
	h.opt.atLeast(h.disjoint())
	set, err := h.opt.minimum(ctx, incumbent)
	if err == nil {
		h.last = set
	}
	return set, err
}

// first returns the lexicographically first cheapest hitting set, given a
// cheapest one. A candidate that hits nothing which the fixed ones leave over
// would be a waste, so no cheapest set has it along with them.
func (h *hitting) first(ctx context.Context, cheapest Set) (Set, error) {
	return h.opt.lexFirst(ctx, cheapest, func(fixed Set, c int) bool {
		return slices.ContainsFunc(h.clauses, func(clause Set) bool {
			return clause.Has(c) && !clause.Intersects(fixed)
		})
	})
}

// greedy extends a set to an irredundant hitting set, each time by the candidate
// that hits most of what is left for its cost, the lowest of equals.
func (h *hitting) greedy(s Set) Set {
	var left []Set
	for _, c := range h.clauses {
		if !c.Intersects(s) {
			left = append(left, c)
		}
	}
	hits := make([]int, len(h.costs))
	for len(left) > 0 {
		clear(hits)
		for _, clause := range left {
			for _, c := range clause.Elements() {
				hits[c]++
			}
		}
		best := 0
		for c := range hits {
			if hits[c]*h.costs[best] > hits[best]*h.costs[c] {
				best = c
			}
		}
		s = s.With(best)
		left = slices.DeleteFunc(left, func(clause Set) bool { return clause.Has(best) })
	}
	return h.irredundant(s)
}

// missed is the first few members of each clause that a set does not hit.
func (h *hitting) missed(s Set, few int) Set {
	var all Set
	for _, c := range h.clauses {
		if !c.Intersects(s) {
			members := c.Elements()
			all = all.Union(SetOf(members[:min(len(members), few)]...))
		}
	}
	return all
}

// irredundant drops elements that no clause needs, highest first.
func (h *hitting) irredundant(s Set) Set {
	elements := s.Elements()
	for i := len(elements) - 1; i >= 0; i-- {
		if t := s.Without(elements[i]); h.hitBy(t) {
			s = t
		}
	}
	return s
}

func (h *hitting) hitBy(s Set) bool {
	for _, clause := range h.clauses {
		if !clause.Intersects(s) {
			return false
		}
	}
	return true
}

// disjoint returns the cost that some pairwise disjoint clauses need, shortest
// clauses first.
func (h *hitting) disjoint() int {
	byLength := slices.Clone(h.clauses)
	slices.SortStableFunc(byLength, func(a, b Set) int { return a.Len() - b.Len() })
	var covered Set
	sum := 0
	for _, clause := range byLength {
		if clause.Intersects(covered) {
			continue
		}
		covered = covered.Union(clause)
		least := 0
		for i, c := range clause.Elements() {
			if i == 0 || h.costs[c] < least {
				least = h.costs[c]
			}
		}
		sum += least
	}
	return sum
}
