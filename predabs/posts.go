package predabs

// Abstract post for whoever explores by himself.
//
// Idea: package engine/summaries has states of its own, and edges that no graph has: returns of calls whose
// effect is known. It asks for successors of one valuation by one edge.
//
// Cost: as in post.go; a valuation is a list of literals.

import (
	"context"
	"encoding/binary"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/smt/expr"
)

// A Valuation has the atoms of which something is known, increasing, each with whether it holds in the lowest bit.
type Valuation []int32

// Key tells valuations apart.
func (v Valuation) Key() string {
	b := make([]byte, 0, 4*len(v))
	for _, l := range v {
		b = binary.LittleEndian.AppendUint32(b, uint32(l))
	}
	return string(b)
}

// Posts are the abstract steps of an abstraction for a set of candidates.
type Posts struct {
	x     *Abstraction
	preds [][]atom // by node
}

// Posts are those for the candidates of a set.
func (x *Abstraction) Posts(ctx context.Context, set []int) (*Posts, error) {
	preds, _, err := x.inferrer.everywhere(ctx, set)
	x.strange = max(x.strange, len(x.Graph.Edges))
	return &Posts{x, preds}, err
}

// NewEdge gives an edge that is of no graph a number.
func (s *Posts) NewEdge(e component.Edge) *component.Edge {
	e.ID = s.x.strange
	s.x.strange++
	return &e
}

// Literals are the conditions of a valuation.
func (s *Posts) Literals(v Valuation) []*expr.Expr {
	all := make([]*expr.Expr, len(v))
	for i, l := range v {
		all[i] = s.x.atoms.literal(l>>1, l&1 == 1)
	}
	return all
}

// At are the conditions that are tracked at a node.
func (s *Posts) At(n component.Node) []*expr.Expr {
	all := make([]*expr.Expr, len(s.preds[n]))
	for i, a := range s.preds[n] {
		all[i] = s.x.atoms.terms[a]
	}
	return all
}

// Post calls yield for each valuation that is possible behind an edge.
func (s *Posts) Post(ctx context.Context, e *component.Edge, v Valuation, yield func(Valuation) error) error {
	src := make([]atom, len(v))
	for i, l := range v {
		src[i] = l >> 1
	}
	p := s.x.planner.plan(e, src, s.preds[e.To])
	if p.never {
		return nil
	}
	holds := func(a atom) bool {
		i, _ := slices.BinarySearch(src, a)
		return v[i]&1 == 1
	}
	for _, r := range p.require {
		if holds(r.atom) != r.value {
			return nil
		}
	}
	if p.same {
		return yield(v)
	}
	base := make(Valuation, 0, len(p.after))
	put := func(a atom, value bool) {
		l := a << 1
		if value {
			l |= 1
		}
		base = append(base, l)
	}
	for _, c := range p.consts {
		put(c.atom, c.value)
	}
	for _, m := range p.moves {
		put(m.dst, holds(m.src) != m.negated)
	}
	var rows [][]uint64
	for _, t := range p.tables {
		var key [maskWords]uint64
		for i, a := range t.src {
			if holds(a) {
				key[i/64] |= 1 << (i % 64)
			}
		}
		r, err := s.x.planner.lookup(ctx, t, key)
		if err != nil {
			return err
		}
		if len(r) == 0 {
			return nil
		}
		rows = append(rows, r)
	}
	return s.product(ctx, p, base, rows, yield)
}

// product runs through all combinations of rows.
func (s *Posts) product(ctx context.Context, p *plan, base Valuation, rows [][]uint64,
	yield func(Valuation) error) error {
	pick := make([]int, len(rows))
	for n := 1; ; n++ {
		if n&0xfff == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if n > maxSuccessors {
			return &ErrStates{maxSuccessors}
		}
		v := slices.Clone(base)
		for i, t := range p.tables {
			for j, a := range t.dst {
				v = append(v, a<<1|int32(rows[i][pick[i]]>>j&1))
			}
		}
		slices.Sort(v)
		if err := yield(v); err != nil {
			return err
		}
		i := 0
		for ; i < len(pick); i++ {
			if pick[i]++; pick[i] < len(rows[i]) {
				break
			}
			pick[i] = 0
		}
		if i == len(pick) {
			return nil
		}
	}
}

// An Asked is a condition of a candidate, with the atoms that start somewhere for its sake.
type Asked struct {
	Cond  *expr.Expr
	Pos   cfa.Pos
	Local bool // not followed back any further
	At    []AskedAt
}

// An AskedAt is an atom at a node.
type AskedAt struct {
	Node component.Node
	Atom *expr.Expr
}

// Asks are the conditions of a candidate.
func (x *Abstraction) Asks(candidate int) []Asked {
	var all []Asked
	for _, c := range x.Candidates[candidate].conds {
		a := Asked{Cond: c.cond, Pos: x.Candidates[candidate].Pos, Local: c.local}
		for _, p := range c.at {
			a.At = append(a.At, AskedAt{p.node, x.atoms.terms[p.atom]})
		}
		all = append(all, a)
	}
	return all
}

// Ask makes a candidate ask conditions at nodes, and reports whether that is new; it is the number of the
// subject's last version.
func (x *Abstraction) Ask(a Asked) (candidate int, isNew bool) {
	c := &condition{cond: a.Cond, local: a.Local}
	for _, p := range a.At {
		for _, l := range leaves(p.Atom) {
			if n := x.atoms.of(l); x.scope == nil || x.scope(p.Node, x.atoms.vars[n]) {
				c.startAt(p.Node, n)
			}
		}
	}
	s := subjectOf(a.Cond)
	last := x.last(s)
	if len(c.at) == 0 || last >= 0 && x.Candidates[last].has(c) {
		return last, false
	}
	return x.widen(s, []*condition{c}, a.Pos, FromPath), true
}
