package checked

import (
	"context"

	"magus/smt/expr"
	"magus/smt/solver"
)

// Either asks one procedure, and another one where the first gives up. Once the first has given up
// much more often than it answered, only the other one is asked: each time has taken effort. Where the terms have
// floating point, which most procedures are slow at, the first is asked a sample: the first questions, and ever
// fewer of those behind them.
type Either struct {
	first, last solver.Solver
	gaveUp      func(error) bool
	floating    int // questions since the pool has floating point
	// Answered and GaveUp count what the first was asked, Instead what the other one was.
	Answered, GaveUp, Instead int
}

const (
	// mostGivenUp is how much more often than it answers the first procedure may give up.
	mostGivenUp = 4
	// allFloating is how many questions about floating point the first is asked; then those whose number is a power of 2.
	allFloating = 16
)

var _ solver.Solver = (*Either)(nil)

// NewEither asks first, and last where first fails with an error of which gaveUp holds. Both belong to the new solver.
func NewEither(first, last solver.Solver, gaveUp func(error) bool) *Either {
	return &Either{first: first, last: last, gaveUp: gaveUp}
}

// Pool is the pool whose terms both take.
func (e *Either) Pool() *expr.Pool { return e.first.Pool() }

// Assert adds a condition for good.
func (e *Either) Assert(f *expr.Expr) {
	e.first.Assert(f)
	e.last.Assert(f)
}

// Check decides the asserted conditions together with the assumptions.
func (e *Either) Check(ctx context.Context, assumptions ...*expr.Expr) (solver.Result, error) {
	if e.asksFirst() {
		r, err := e.first.Check(ctx, assumptions...)
		if err == nil || ctx.Err() != nil || !e.gaveUp(err) {
			e.Answered++
			return r, err
		}
		e.GaveUp++
	}
	e.Instead++
	return e.last.Check(ctx, assumptions...)
}

// asksFirst reports whether the next question is for the first procedure.
func (e *Either) asksFirst() bool {
	if e.GaveUp-e.Answered >= mostGivenUp {
		return false
	}
	if !e.Pool().HasFloats() {
		return true
	}
	e.floating++
	return e.floating <= allFloating || e.floating&(e.floating-1) == 0
}

// Effort is what both procedures have counted, as far as they do.
func (e *Either) Effort() int64 { return solver.Effort(e.first) + solver.Effort(e.last) }

// Close frees both procedures.
func (e *Either) Close() error {
	err := e.first.Close()
	if other := e.last.Close(); err == nil {
		err = other
	}
	return err
}
