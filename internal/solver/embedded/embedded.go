package embedded

import (
	"magus/internal/expr"
	"magus/internal/solver"
	"magus/internal/solver/bitblast"
)

// New is a solver for the terms of a pool.
func New(p *expr.Pool) solver.Full { return bitblast.New(p) }

// Factory is [New] as a [solver.Factory].
func Factory(p *expr.Pool) (solver.Full, error) { return New(p), nil }
