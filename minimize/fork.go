package minimize

// Copies of what a strategy has learned.
//
// Idea: whoever goes back to an earlier problem, with fewer paths or candidates,
// needs a strategy that knows nothing of the later ones. A copy taken in time
// goes on as the original would have: it gives the same sets for the same
// questions, at the cost of the same tests. The clauses of a pseudo-Boolean
// solver are added to a new one in their order.
//
// Cost: linear in what was learned.

import "slices"

// Fork returns a copy of a strategy of this package that shares nothing with it
// that either changes. The result is nil for a strategy of another package that
// has no method Fork.
func Fork(s Strategy) Strategy {
	if f, ok := s.(interface{ Fork() Strategy }); ok {
		return f.Fork()
	}
	return nil
}

// Fork returns a copy.
func (m *Minimizer) Fork() Strategy {
	c := &Minimizer{opts: m.opts, oracle: m.oracle.fork(), survived: slices.Clone(m.survived)}
	if m.hit != nil {
		c.hit = m.hit.fork()
	}
	return c
}

// Fork returns a copy.
func (g *greedy) Fork() Strategy {
	return &greedy{cumulative{g.oracle.fork(), g.set}, g.seed}
}

// Fork returns a copy.
func (n *none) Fork() Strategy { return &none{cumulative{n.oracle.fork(), n.set}} }

// Fork returns a copy.
func (e *enumerate) Fork() Strategy {
	c := *e
	c.table = slices.Clone(e.table)
	for i := range c.table {
		c.table[i].sets = slices.Clone(e.table[i].sets)
	}
	return &c
}

func (o *oracle) fork() oracle {
	c := oracle{o.n, slices.Clone(o.facts)}
	for i, f := range o.facts {
		c.facts[i] = facts{slices.Clone(f.eliminating), slices.Clone(f.surviving)}
	}
	return c
}

// fork returns a copy with a solver of its own. A clause that was accepted is
// accepted again.
func (h *hitting) fork() *hitting {
	c := newHitting(slices.Clone(h.costs))
	for _, clause := range h.clauses {
		if err := c.add(clause); err != nil {
			return nil
		}
	}
	c.last = h.last
	return c
}
