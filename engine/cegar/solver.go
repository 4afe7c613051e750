package cegar

import (
	"fmt"

	"magus/component"
	"magus/engine/portfolio"
	"magus/smt/bitblast"
	"magus/smt/checked"
	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/smt/record"
	"magus/smt/smtlib"
	"magus/smt/solver"
)

// solver opens the decision procedure for a component, with what the options
// put around it.
func (s *task) solver(p *expr.Pool, name string) (solver.Full, error) {
	sv, err := OpenSolver(p, s.opt.Solver)
	if err == nil && s.opt.Check {
		var second solver.Solver = bitblast.New(p)
		if s.opt.SecondSolver != "" {
			second, err = OpenSolver(p, s.opt.SecondSolver)
		}
		if err == nil {
			sv = checked.New(sv, second)
		}
	}
	if err == nil && s.opt.Queries != nil {
		sv = record.New(sv, s.opt.Queries(name))
	}
	return sv, err
}

// OpenSolver opens a decision procedure by its name in [Options].Solver.
func OpenSolver(p *expr.Pool, name string) (solver.Full, error) {
	switch name {
	case "", "embedded":
		return embedded.New(p), nil
	case "z3", "cvc5":
		return smtlib.New(p, smtlib.Config{Kind: name})
	}
	return nil, &component.InputError{Msg: fmt.Sprintf("no solver %q; there are embedded, z3, cvc5", name)}
}

// Effort is what the decision procedures of the components have counted, in their unit.
func (s *Session) Effort() portfolio.Effort {
	sum := int64(0)
	for _, sv := range s.solvers {
		sum += solver.Effort(sv)
	}
	return portfolio.Effort(sum)
}
