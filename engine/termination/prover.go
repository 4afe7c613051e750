package termination

// Questions to the decision procedure, each with a limit of effort.

import (
	"context"
	"errors"

	"magus/smt/expr"
	"magus/smt/solver"
)

// queryEffort is what one question may take, in propagations of the decision procedure; some 0.5 s.
const queryEffort = 2_000_000

// errTooHard is why a question has no answer.
var errTooHard = errors.New("the question takes more effort than it is given")

// A prover decides conditions over the terms of one component.
type prover struct {
	solver.Full
	queries int
	tooHard int // questions without an answer
}

// An effortCounter counts the effort that it makes.
type effortCounter interface{ Effort() int64 }

// limited is a context of one question.
type limited struct {
	context.Context
	counter effortCounter
	most    int64
}

// Err implements [context.Context].
func (l *limited) Err() error {
	if err := l.Context.Err(); err != nil {
		return err
	}
	if l.counter.Effort() > l.most {
		return errTooHard
	}
	return nil
}

// satisfiable decides a conjunction. Unknown has no error, unless ctx has ended.
func (p *prover) satisfiable(ctx context.Context, conds ...*expr.Expr) (solver.Result, error) {
	if ctx.Err() != nil {
		return solver.Unknown, context.Cause(ctx)
	}
	p.queries++
	inner := ctx
	if c, counts := p.Full.(effortCounter); counts {
		inner = &limited{ctx, c, c.Effort() + queryEffort}
	}
	r, err := p.Check(inner, conds...)
	switch {
	case err == nil:
		return r, nil
	case ctx.Err() != nil:
		return solver.Unknown, context.Cause(ctx)
	case errors.Is(err, errTooHard):
		p.tooHard++
		return solver.Unknown, nil
	}
	return solver.Unknown, err
}
