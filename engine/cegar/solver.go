package cegar

import (
	"errors"
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
		var second solver.Solver
		if second, err = openSecond(p, s.opt.SecondSolver); err == nil {
			sv = checked.New(sv, second)
		}
	}
	if err == nil && s.opt.Queries != nil {
		sv = record.New(sv, s.opt.Queries(name))
	}
	return sv, err
}

// secondEffort is how much work an outside solver makes of one question that checks an answer, in its own unit: about
// a quarter of a second.
func secondEffort(name string) int {
	if name == "cvc5" {
		return 100_000
	}
	return 500_000
}

// openSecond opens the procedure that is asked about the cores of the first one. An outside solver is asked with
// bounded effort: circuits of floating point, and of products, take some of them hours. Where it gives up, the
// bit-blaster is asked, which is the second procedure where there is no outside solver.
func openSecond(p *expr.Pool, name string) (solver.Solver, error) {
	circuits := bitblast.New(p)
	if name == "" || name == "embedded" {
		return circuits, nil
	}
	outside, err := smtlib.New(p, smtlib.Config{Kind: name, Effort: secondEffort(name)})
	if err != nil {
		return nil, err
	}
	gaveUp := func(err error) bool { return errors.Is(err, smtlib.ErrUnknown) }
	return checked.NewEither(outside, circuits, gaveUp), nil
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
