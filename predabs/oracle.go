package predabs

// What is asked of the decision procedure, with the answers that are known.

import (
	"context"

	"magus/smt/expr"
	"magus/smt/solver"
)

// An oracle answers questions about terms. It knows of no program.
type oracle struct {
	// Queries counts what the decision procedure was asked.
	Queries int

	terms   *expr.Pool
	solver  solver.Full
	pieces  map[string][]uint64 // answers to what valuations leave open (settle.go)
	answers *answers            // from check to check; nil if none are kept
}

func newOracle(p *expr.Pool, s solver.Full) *oracle {
	return &oracle{terms: p, solver: s, pieces: map[string][]uint64{}}
}

// check asks whether conditions hold together.
func (x *oracle) check(ctx context.Context, conds ...*expr.Expr) (solver.Result, error) {
	x.Queries++
	return x.solver.Check(ctx, conds...)
}

// recall is [oracle.enumerate] by an earlier check's answer, or by the decision procedure.
func (x *oracle) recall(ctx context.Context, terms, assumptions []*expr.Expr) ([]uint64, error) {
	if x.answers == nil {
		return x.ask(ctx, terms, assumptions)
	}
	key, order := x.answers.question(terms, assumptions)
	if rows, ok := x.answers.find(key, order); ok {
		return rows, nil
	}
	rows, err := x.ask(ctx, terms, assumptions)
	if err == nil {
		x.answers.add(key, order, rows)
	}
	return rows, err
}

// ask is [oracle.enumerate] by the decision procedure.
func (x *oracle) ask(ctx context.Context, terms, assumptions []*expr.Expr) ([]uint64, error) {
	x.Queries++
	rows := []uint64{}
	err := solver.Enumerate(ctx, x.solver, terms, assumptions, func(values []bool) bool {
		var row uint64
		for i, v := range values {
			if v {
				row |= 1 << i
			}
		}
		rows = append(rows, row)
		return true
	})
	return rows, err
}
