package embedded

import (
	"context"

	"magus/smt/bitblast"
	"magus/smt/expr"
	"magus/smt/order"
	"magus/smt/solver"
)

// New is a solver for the terms of a pool.
func New(p *expr.Pool) solver.Full {
	return &embedded{pool: p, order: order.New(), model: none{}}
}

type embedded struct {
	pool     *expr.Pool
	order    *order.Solver
	blast    *bitblast.Solver // nil until it is needed
	asserted []*expr.Expr

	// The literals of the asserted conditions and, behind them, of the last
	// Check's assumptions, as far as they are comparisons. Those with
	// operators are relaxed.
	lits         []order.Literal
	owners       []int // by assumed literal: the assumption it comes from
	litsAsserted int   // number of asserted literals

	// What the literals do not say exactly, in the same order.
	rest         []signed
	restAsserted int // number of those asserted

	model solver.Modeler // of the last Check
	how   way            // the last answer, Unsat, was found
	core  []int

	boxes   int   // the next query may look at; 0 before the first
	boxWork int64 // done by package boxes
}

// A way is the package that has answered.
type way int

const (
	byCircuits way = iota
	byLiterals
	byBoxes
)

// signed is a condition or its negation.
type signed struct {
	f   *expr.Expr
	neg bool
}

func (s *embedded) Pool() *expr.Pool { return s.pool }

func (s *embedded) Assert(f *expr.Expr) {
	s.lits, s.rest = s.lits[:s.litsAsserted], s.rest[:s.restAsserted]
	s.flatten(f, false, -1)
	s.litsAsserted, s.restAsserted = len(s.lits), len(s.rest)
	s.asserted = append(s.asserted, f)
	if s.blast != nil {
		s.blast.Assert(f)
	}
}

// flatten adds the literals of the conjunction f, or of its negation if neg.
func (s *embedded) flatten(f *expr.Expr, neg bool, owner int) {
	for f.Op() == expr.Not {
		f, neg = f.Args()[0], !neg
	}
	if f.Op() == expr.Land && !neg || f.Op() == expr.Lor && neg {
		for _, a := range f.Args() {
			s.flatten(a, neg, owner)
		}
		return
	}
	l, exact, ok := s.order.Relaxed(f, neg)
	if !exact {
		s.rest = append(s.rest, signed{f, neg})
	}
	if !ok {
		return
	}
	s.lits = append(s.lits, l)
	if owner >= 0 {
		s.owners = append(s.owners, owner)
	}
}

func (s *embedded) Check(ctx context.Context, assumptions ...*expr.Expr) (solver.Result, error) {
	s.model, s.how = none{}, byCircuits
	if err := ctx.Err(); err != nil {
		return solver.Unknown, err
	}
	s.lits, s.owners, s.rest = s.lits[:s.litsAsserted], s.owners[:0], s.rest[:s.restAsserted]
	for i, a := range assumptions {
		s.flatten(a, false, i)
	}
	switch r := s.order.Decide(s.lits); {
	case r == solver.Unsat:
		s.how = byLiterals
		return r, nil
	case r == solver.Sat && s.restHolds():
		s.model = s.order
		return r, nil
	}
	if r := s.byBoxes(ctx, assumptions); r != solver.Unknown {
		return r, nil
	}
	r, err := s.blaster().Check(ctx, assumptions...)
	if r == solver.Sat {
		s.model = s.blast
	}
	return r, err
}

// restHolds reports whether order's model happens to satisfy what its literals
// do not say.
func (s *embedded) restHolds() bool {
	for _, r := range s.rest {
		if (expr.Eval(r.f, s.order.Value) == 1) == r.neg {
			return false
		}
	}
	return true
}

func (s *embedded) blaster() *bitblast.Solver {
	if s.blast == nil {
		s.blast = bitblast.New(s.pool)
		for _, f := range s.asserted {
			s.blast.Assert(f)
		}
	}
	return s.blast
}

func (s *embedded) Value(v *expr.Expr) uint64 { return s.model.Value(v) }

func (s *embedded) Core() []int {
	switch s.how {
	case byCircuits:
		return s.blaster().Core()
	case byBoxes:
		return s.core
	}
	s.core = s.core[:0]
	for _, k := range s.order.Core(s.lits, s.litsAsserted) {
		if o := s.owners[k-s.litsAsserted]; len(s.core) == 0 || s.core[len(s.core)-1] != o {
			s.core = append(s.core, o)
		}
	}
	return s.core
}

func (s *embedded) Close() error { return nil }

// Effort is what packages bitblast and boxes have done; comparisons without arithmetic cost next to
// nothing.
func (s *embedded) Effort() int64 {
	if s.blast == nil {
		return s.boxWork
	}
	return s.boxWork + s.blast.Effort()
}

// none is the model where there is no other.
type none struct{}

func (none) Value(*expr.Expr) uint64 { return 0 }
