package events

// Sections: what happens in one piece.
//
// A section is one node. Inside, cells are like locals: each is read at most once, at the beginning,
// under the guard with which control comes to the section; each has at most one write for each way
// out, at the end, if control comes there. What waits inside never comes there and has written nothing;
// its reads are without effect.

import (
	"maps"
	"slices"

	"magus/cfa/events/order"
	"magus/smt/expr"
)

// A section is one instance of a section.
type section struct {
	id    int32 // from 1
	guard *Guard
	node  order.Node         // -1: no access yet
	reads map[int]*expr.Expr // by cell
	begin int                // step
	plain bool               // it is an access of the program like others
	end   *Guard             // it has come to its end; nil: it does not
}

func (u *unroller) newSection(in *instance, plain bool) *section {
	u.sections++
	return &section{id: u.sections, guard: in.guard, node: -1, reads: map[int]*expr.Expr{}, begin: in.step, plain: plain}
}

// cells are the values that cells have inside a section, where it wrote them. They are not changed once
// others have them.
type cells map[int]*expr.Expr

func (c cells) with(cell int, value *expr.Expr) cells {
	c = maps.Clone(c)
	if c == nil {
		c = cells{}
	}
	c[cell] = value
	return c
}

// sectionNode is the node of a section.
func (s *strand) sectionNode(sec *section) order.Node {
	if sec.node < 0 {
		sec.node = s.u.newNode(s.thread, sec.guard, s.u.p.Steps[sec.begin].Loc)
	}
	return sec.node
}

// sectionRead is the value of a cell when a section begins.
func (s *strand) sectionRead(sec *section, cell int) *expr.Expr {
	if x := sec.reads[cell]; x != nil {
		return x
	}
	x := s.u.read(s.thread, s.sectionNode(sec), cell, sec.guard)
	sec.reads[cell] = x
	return x
}

// mergeCells has the values of a's cells where cond holds and else those of b's, two arrivals within one section.
func (s *strand) mergeCells(cond *expr.Expr, a, b arrival) cells {
	if a.section == nil || len(a.cells) == 0 && len(b.cells) == 0 {
		return nil
	}
	m := cells{}
	for _, list := range [2]cells{a.cells, b.cells} {
		for _, cell := range slices.Sorted(maps.Keys(list)) {
			if m[cell] == nil {
				m[cell] = s.u.pool.Ite(cond, s.inSection(a, cell), s.inSection(b, cell))
			}
		}
	}
	return m
}

// inSection is the value of a cell at an arrival within a section.
func (s *strand) inSection(w arrival, cell int) *expr.Expr {
	if x := w.cells[cell]; x != nil {
		return x
	}
	if v := s.u.f.index[s.u.p.Cells[cell]]; s.owns(v) {
		return s.u.orSelf(v, w.env.Get(v))
	}
	return s.sectionRead(w.section, cell)
}

// endSection writes what a section leaves.
func (s *strand) endSection(in *instance) {
	if end := in.section.end; end == nil {
		in.section.end = in.guard
	} else {
		in.section.end = end.Or(s.u.pool, in.guard)
	}
	for _, cell := range slices.Sorted(maps.Keys(in.cells)) {
		value := in.cells[cell]
		if was := in.section.reads[cell]; value == was || was != nil && in.guard.gives(s.u.pool, was, value) {
			continue
		}
		s.u.write(s.thread, s.sectionNode(in.section), cell, in.guard, value)
	}
	if in.section.node >= 0 {
		s.u.p.Steps[in.step].Node = in.section.node
	}
}
