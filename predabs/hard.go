package predabs

// What a cluster's simulation asks the decision procedure; see cluster.go.

import (
	"context"

	"magus/component"
	"magus/smt/expr"
)

// A slowKey is a question: which values of the atoms open, after the edge, go
// with the values row of the atoms conn before it and the guards.
type slowKey struct {
	edge            int32
	guards          uint32
	open, conn, row mask
}

// A hardPart is a set of guards and open atoms connected by variables, with
// the atoms before the edge that belong to it.
type hardPart struct {
	guards uint32
	open   mask
	conn   mask
}

// hardParts extends the factors by the open atoms and filters them by the
// guards that are not easy. It gives the open atoms of which nothing is known.
func (s *simulation) hardParts(ctx context.Context, e *component.Edge, hard []int, src,
	open mask) (free mask, err error) {
	for _, p := range s.parts(e, hard, src, open) {
		if p.guards == 0 && p.conn.empty() && !s.k.oneTerm(p.open) && s.k.x.free(e, s.k.list(p.open)) {
			free = free.or(p.open)
			continue
		}
		f := s.merge(p.conn)
		if f < 0 {
			return free, errRows
		}
		fac := &s.factors[f]
		fac.post = fac.post.or(p.open)
		var rows []passage
		for _, r := range fac.rows {
			outcomes, err := s.ask(ctx, e, p, r.pre.and(p.conn))
			if err != nil {
				return free, err
			}
			for _, o := range outcomes {
				rows = append(rows, passage{r.pre, r.post.or(o)})
			}
		}
		if fac.rows = rows; len(rows) == 0 {
			return free, errEmpty
		}
		if len(rows) > maxRows {
			return free, errRows
		}
	}
	return free, nil
}

// oneTerm reports whether the atoms compare one term with constants. Their
// values are few and soon told apart, and guards then are looked up.
func (k *cluster) oneTerm(atoms mask) bool {
	for i := range k.atoms {
		if atoms.has(i) {
			rest := atoms.minus(k.group[i])
			return rest.minus(maskOf(i)).empty()
		}
	}
	return true
}

// list are the atoms of a mask.
func (k *cluster) list(m mask) []atom {
	var as []atom
	m.each(func(i int) { as = append(as, k.atoms[i]) })
	return as
}

// parts splits the question by variables.
func (s *simulation) parts(e *component.Edge, hard []int, src, open mask) []hardPart {
	ce, x := s.k.edges[e.ID], s.k.x
	var opens, srcs []int
	open.each(func(i int) { opens = append(opens, i) })
	src.each(func(i int) { srcs = append(srcs, i) })
	u := newUnionFind(len(hard) + len(opens) + len(srcs))
	for i, h := range hard {
		u.touch(i, expr.Vars(ce.guard[h].cond))
	}
	for i, o := range opens {
		u.touch(len(hard)+i, expr.Vars(x.planner.wp(e, s.k.atoms[o])))
	}
	for i, a := range srcs {
		u.touch(len(hard)+len(opens)+i, x.atoms.vars[s.k.atoms[a]])
	}
	var ps []hardPart
	number := map[int]int{}
	part := func(i int) *hardPart {
		root := u.find(i)
		n, ok := number[root]
		if !ok {
			n = len(ps)
			number[root] = n
			ps = append(ps, hardPart{})
		}
		return &ps[n]
	}
	for i, h := range hard {
		part(i).guards |= 1 << h
	}
	for i, o := range opens {
		part(len(hard) + i).open.add(o)
	}
	for i, a := range srcs {
		if _, ok := number[u.find(len(hard)+len(opens)+i)]; ok {
			part(len(hard) + len(opens) + i).conn.add(a)
		}
	}
	return ps
}

// merge makes one factor of those that hold the given atoms, a new one if
// there is none; -1 if it would have too many rows.
func (s *simulation) merge(atoms mask) int {
	first := -1
	for i := 0; i < len(s.factors); i++ {
		f := &s.factors[i]
		if !f.pre.meets(atoms) {
			continue
		}
		if first < 0 {
			first = i
			continue
		}
		g := &s.factors[first]
		if len(g.rows)*len(f.rows) > maxRows {
			return -1
		}
		var rows []passage
		for _, a := range g.rows {
			for _, b := range f.rows {
				rows = append(rows, passage{a.pre.or(b.pre), a.post.or(b.post)})
			}
		}
		*g = maskFactor{g.pre.or(f.pre), g.post.or(f.post), rows}
		s.factors = append(s.factors[:i], s.factors[i+1:]...)
		i--
	}
	if first < 0 {
		first = len(s.factors)
		s.factors = append(s.factors, maskFactor{rows: []passage{{}}})
	}
	return first
}

// ask enumerates, or remembers.
func (s *simulation) ask(ctx context.Context, e *component.Edge, p hardPart, row mask) ([]mask, error) {
	k, x := s.k, s.k.x
	key := slowKey{int32(e.ID), p.guards, p.open, p.conn, row}
	if known, ok := k.slow[key]; ok {
		return known, nil
	}
	var terms, assumptions []*expr.Expr
	var bits []int
	p.open.each(func(i int) {
		bits, terms = append(bits, i), append(terms, x.planner.wp(e, k.atoms[i]))
	})
	p.conn.each(func(i int) { assumptions = append(assumptions, x.atoms.literal(k.atoms[i], row.has(i))) })
	for i, g := range k.edges[e.ID].guard {
		if p.guards>>i&1 == 1 {
			assumptions = append(assumptions, g.cond)
		}
	}
	if len(terms) > maxRow {
		return nil, errRows
	}
	rows, err := x.planner.oracle.enumerate(ctx, terms, assumptions)
	if err != nil {
		return nil, err
	}
	outcomes := make([]mask, len(rows))
	for i, r := range rows {
		for j, b := range bits {
			if r>>j&1 == 1 {
				outcomes[i].add(b)
			}
		}
	}
	k.slow[key] = outcomes
	return outcomes, nil
}
