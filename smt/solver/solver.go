package solver

import (
	"context"

	"magus/smt/expr"
)

// Result is the answer to a query.
type Result int

// Unknown means that a deadline passed, the query was cancelled, or an outside
// solver gave up; the error says which.
const (
	Unknown Result = iota
	Unsat
	Sat
)

// String is the answer in SMT-LIB's words.
func (r Result) String() string { return [...]string{"unknown", "unsat", "sat"}[r] }

// A Solver decides conjunctions of conditions over the terms of one
// [expr.Pool]. It is used by one goroutine at a time.
//
// Laws: Check(a…) is Sat iff some valuation makes every asserted condition and
// every assumption true; assumptions hold for that one call. An answer does
// not depend on earlier Checks. Result Unknown comes with a non-nil error, and
// Sat or Unsat with a nil one. After an error of the backend itself (a child
// process that died) every later call fails likewise.
type Solver interface {
	// Assert adds a condition for good.
	Assert(f *expr.Expr)
	// Check decides the asserted conditions together with the assumptions.
	Check(ctx context.Context, assumptions ...*expr.Expr) (Result, error)
	// Pool is the pool whose terms the solver takes.
	Pool() *expr.Pool
	// Close frees what the solver holds; it is not used afterwards.
	Close() error
}

// A Modeler can show a valuation after Sat.
//
// Law: with the values that Value gives to variables, every asserted condition
// and every assumption of the last Check evaluates to true. Variables that
// the query does not mention are 0.
type Modeler interface {
	Value(v *expr.Expr) uint64
}

// A Corer can name assumptions that contradict each other after Unsat.
//
// Law: the asserted conditions and the assumptions with the indices that Core
// returns (increasing, into the last Check's assumptions) are unsatisfiable.
// Cores need not be smallest.
type Corer interface {
	Core() []int
}

// A Full solver has all capabilities.
type Full interface {
	Solver
	Modeler
	Corer
}

// A Counter counts its effort, in a unit of its own that does not depend on the machine.
//
// Law: Effort never falls, and rises while a Check goes on, so that a context can end one that takes long. A
// solver that asks another one counts what that counts.
type Counter interface {
	Effort() int64
}

// Effort is what s has counted; of what does not count it is 0.
func Effort(s any) int64 {
	if c, counts := s.(Counter); counts {
		return c.Effort()
	}
	return 0
}

// A Factory opens a solver for the terms of a pool.
type Factory func(p *expr.Pool) (Full, error)
