package minimize

import "slices"

// sigma is formula σ (equation 1 of Chaki et al., "Efficient Verification of
// Sequential and Concurrent C Programs" (2004), section 6.3) over a table of
// eliminating sets, in clauses.
type sigma struct {
	costs []int
	table []eliminating
	opt   *optimizer
}

func newSigma(costs []int, table []eliminating) (*sigma, error) {
	auxiliary := 0
	for _, f := range table {
		for _, s := range f.sets {
			if s.Len() > 1 {
				auxiliary++
			}
		}
	}
	g := &sigma{costs: costs, table: table, opt: newOptimizer(costs, auxiliary)}
	next := len(costs) + 1 // the auxiliary variable that is used next
	for _, f := range table {
		if f.sets[0].Empty() {
			continue
		}
		var clause []int
		for _, s := range f.sets {
			if s.Len() == 1 {
				clause = append(clause, s.Elements()[0]+1)
				continue
			}
			if err := g.implyAll(next, s); err != nil {
				return nil, err
			}
			clause = append(clause, next)
			next++
		}
		if err := g.opt.add(clause...); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// implyAll adds that an auxiliary variable implies all candidates of a set.
func (g *sigma) implyAll(variable int, s Set) error {
	for c := range s.words.All() {
		if err := g.opt.add(-variable, c+1); err != nil {
			return err
		}
	}
	return nil
}

// greedy returns some model: for one path after another the set that adds least cost,
// the first of equals.
func (g *sigma) greedy() Set {
	var model Set
	for _, f := range g.table {
		var best Set
		least := -1
		for _, s := range f.sets {
			if extra := sumCost(s.Minus(model), g.costs); least < 0 || extra < least {
				best, least = s, extra
			}
		}
		model = model.Union(best)
	}
	return model
}

// useful tells whether a candidate occurs in a set of a path that the fixed
// candidates do not eliminate yet. No cheapest model has one that does not.
func (g *sigma) useful(fixed Set, c int) bool {
	return slices.ContainsFunc(g.table, func(f eliminating) bool {
		return slices.ContainsFunc(f.sets, func(s Set) bool { return s.Has(c) }) &&
			!slices.ContainsFunc(f.sets, func(s Set) bool { return s.SubsetOf(fixed) })
	})
}
