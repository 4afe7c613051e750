// Package checked looks over a decision procedure's shoulder: a solver that asks
// another one and believes nothing.
//
// After Sat, every condition of the query is evaluated in the model. After
// Unsat, the conditions that the core names are asked again, of a second
// procedure. An answer that does not stand becomes Unknown with a [*Fault].
//
//	s := checked.New(embedded.New(p), bitblast.New(p))
//
// Left out: that an Unsat is right where both procedures are wrong, and what
// they do between the queries.
package checked

import (
	"context"
	"fmt"

	"magus/smt/expr"
	"magus/smt/solver"
)

// A Fault is a wrong answer of the procedure that is looked after, or of the
// second one.
type Fault struct{ What string }

func (f *Fault) Error() string {
	return "the decision procedure is wrong, which is a fault of this tool: " + f.What
}

// Solver is a [solver.Full] whose answers are checked.
type Solver struct {
	solver.Full
	second   solver.Solver
	asserted []*expr.Expr
	// Models and Cores count what was checked.
	Models, Cores int
}

// New checks the answers of s; second answers about cores. Both are for the
// same pool, and belong to the new solver.
func New(s solver.Full, second solver.Solver) *Solver { return &Solver{Full: s, second: second} }

// Assert adds a condition for good.
func (s *Solver) Assert(f *expr.Expr) {
	s.asserted = append(s.asserted, f)
	s.Full.Assert(f)
	s.second.Assert(f)
}

// Check decides the query and checks the answer.
func (s *Solver) Check(ctx context.Context, assumptions ...*expr.Expr) (solver.Result, error) {
	r, err := s.Full.Check(ctx, assumptions...)
	switch r {
	case solver.Sat:
		err = s.model(assumptions)
	case solver.Unsat:
		err = s.core(ctx, assumptions)
	}
	if err != nil {
		return solver.Unknown, err
	}
	return r, nil
}

func (s *Solver) model(assumptions []*expr.Expr) error {
	s.Models++
	for _, fs := range [][]*expr.Expr{s.asserted, assumptions} {
		for _, f := range fs {
			if expr.Eval(f, s.Full.Value) != 1 {
				return &Fault{fmt.Sprintf("its model does not satisfy %v", f)}
			}
		}
	}
	return nil
}

func (s *Solver) core(ctx context.Context, assumptions []*expr.Expr) error {
	s.Cores++
	var core []*expr.Expr
	for _, i := range s.Full.Core() {
		if i < 0 || i >= len(assumptions) {
			return &Fault{fmt.Sprintf("its core names assumption %d of %d", i, len(assumptions))}
		}
		core = append(core, assumptions[i])
	}
	switch r, err := s.second.Check(ctx, core...); {
	case err != nil:
		return err
	case r == solver.Sat:
		return &Fault{fmt.Sprintf("the second procedure satisfies its core %v", core)}
	}
	return nil
}

// Effort is what both procedures have counted, as far as they do.
func (s *Solver) Effort() int64 { return solver.Effort(s.Full) + solver.Effort(s.second) }

// Close frees both procedures.
func (s *Solver) Close() error {
	err := s.Full.Close()
	if e := s.second.Close(); err == nil {
		err = e
	}
	return err
}
