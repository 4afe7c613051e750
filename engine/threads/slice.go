package threads

// Slicing by variables, with reconstruction.
//
// Idea: each cell has a literal that its reads see what was written; without it they read anything.
// The query is asked with the literals of few cells: those that the condition depends on within its
// thread. If this abstraction has no execution, that is a proof. An execution is reconstructed: its order
// (which write each read sees, and which accesses happen; not the values) is assumed, and the
// question is asked with the cells of the next step of the dependency graph, in the same way, until
// all cells are there. Where that fails, the part of the order in the solver's core is excluded by a
// clause, and the abstraction is asked again.
//
// Source: Abdulla, Atig, Diep, "Counter-example guided program verification" (2016), figure 1 and
// section 6. Deviations: one incremental solver does all; a clause excludes a part of an order, where
// the paper's observer excludes one run.
//
// Cost: a query for each reconstruction; the clauses are bounded by the orders of each set of cells.

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa/events"
	"magus/cfa/events/order"
	"magus/internal/bitset"
	"magus/smt/expr"
)

type sliced struct {
	decider
	f      *formula
	ofRead map[*expr.Expr]int // cell by the variable of what a read gives
	needs  []bitset.Set[int]  // by cell: cells that what is written to it depends on
	core   []*expr.Expr       // of the last query without an execution
	conds  []*expr.Expr       // of the last decide
}

// sliceLiterals has for each cell the literal that its reads see what was written.
func sliceLiterals(p *events.Program) []*expr.Expr {
	keep := make([]*expr.Expr, len(p.Cells))
	for c := range keep {
		keep[c] = p.Pool.Var(fmt.Sprintf("keep!%d", c), expr.Bool)
	}
	return keep
}

func newSliced(d decider, f *formula) *sliced {
	s := &sliced{decider: d, f: f, ofRead: map[*expr.Expr]int{}}
	p := f.enc.Program
	terms := make([][]*expr.Expr, len(p.Cells))
	for _, e := range p.Events {
		if e.Write {
			terms[e.Cell] = append(terms[e.Cell], e.Guard.Term(), e.Value)
		} else {
			s.ofRead[e.Value] = e.Cell
		}
	}
	for _, list := range terms {
		s.needs = append(s.needs, s.cells(list...))
	}
	f.stats.Cells = len(p.Cells)
	return s
}

// cells are those whose reads some terms have.
func (s *sliced) cells(terms ...*expr.Expr) bitset.Set[int] {
	set := bitset.New[int](len(s.f.keep))
	for _, v := range expr.Vars(terms...) {
		if c, ok := s.ofRead[v]; ok {
			set.Add(c)
		}
	}
	return set
}

// more has the cells that those of a set depend on besides; if there are none, all.
func (s *sliced) more(set bitset.Set[int]) bitset.Set[int] {
	out := bitset.New[int](len(s.f.keep))
	out.Unite(set)
	changed := false
	for c := range set.All() {
		changed = out.Unite(s.needs[c]) || changed
	}
	for c := range s.f.keep {
		if !changed {
			out.Add(c)
		}
	}
	return out
}

func (s *sliced) decide(ctx context.Context, conds ...*expr.Expr) (bool, []order.Node, error) {
	s.conds = conds
	return s.level(ctx, conds, s.cells(conds...))
}

// level decides with some cells.
func (s *sliced) level(ctx context.Context, conds []*expr.Expr, cells bitset.Set[int]) (bool, []order.Node, error) {
	asked := slices.Clone(conds)
	for c := range cells.All() {
		asked = append(asked, s.f.keep[c])
	}
	s.f.stats.Kept = cells.Len()
	for {
		found, linear, err := s.decider.decide(ctx, asked...)
		if err != nil {
			return false, nil, err
		}
		if !found {
			s.core = s.core[:0]
			for _, i := range s.decider.needed() {
				if i < len(conds) {
					s.core = append(s.core, asked[i])
				}
			}
			return false, nil, nil
		}
		if cells.Len() == len(s.f.keep) {
			return true, linear, nil
		}
		found, linear, err = s.level(ctx, append(slices.Clone(conds), s.shape(cells)...), s.more(cells))
		if found || err != nil {
			return found, linear, err
		}
		s.f.stats.Kept = cells.Len()
		s.f.stats.Refinements++
		if !s.exclude(conds) {
			return false, nil, nil
		}
	}
}

// exclude makes the core a clause. It reports false if the core has nothing but conds.
func (s *sliced) exclude(conds []*expr.Expr) bool {
	more := slices.ContainsFunc(s.core, func(x *expr.Expr) bool { return !slices.Contains(conds, x) })
	if !more {
		return false
	}
	clause := make([]*expr.Expr, len(s.core))
	for i, x := range s.core {
		clause[i] = s.f.enc.Program.Pool.Not(x)
	}
	s.f.solver.AssertAny(clause...)
	return true
}

// shape is the order of the present model, of some cells: which accesses happen, and which write each read sees.
func (s *sliced) shape(cells bitset.Set[int]) []*expr.Expr {
	p, model := s.f.enc.Program, expr.NewValuation(s.value)
	var shape []*expr.Expr
	seen := map[*expr.Expr]bool{}
	add := func(x *expr.Expr) {
		if !x.IsTrue() && !seen[x] {
			seen[x] = true
			shape = append(shape, x)
		}
	}
	for _, e := range p.Events {
		switch g := e.Guard.Term(); {
		case !cells.Has(e.Cell):
		case model.Of(g) != 0:
			add(g)
		default:
			add(p.Pool.Not(g))
		}
	}
	for _, l := range s.f.enc.Links {
		if cells.Has(p.Events[l.Read].Cell) && model.Of(l.When) != 0 {
			add(l.When)
		}
	}
	return shape
}

func (s *sliced) needed() []int {
	var at []int
	for i, c := range s.conds {
		if slices.Contains(s.core, c) {
			at = append(at, i)
		}
	}
	return at
}
