package termination

// Questions to the decision procedure, each with a limit of effort, and all those of a stage with another one.

import (
	"context"
	"errors"
	"slices"

	"magus/smt/expr"
	"magus/smt/solver"
)

// queryEffort is what one question may take, in propagations of the decision procedure; some 0.5 s.
const queryEffort = 2_000_000

// stageEffort is what all questions of a stage may take. The others of the stage have no answer.
const stageEffort = 24_000_000

// errTooHard is why a question has no answer.
var errTooHard = errors.New("the question takes more effort than it is given")

// A prover decides conditions over the terms of one component.
type prover struct {
	solver.Full
	queries int
	tooHard int   // questions without an answer
	most    int64 // the effort that the stage may have come to
	spent   bool  // some stage has come to it
}

// newProver begins with a stage.
func newProver(s solver.Full) *prover {
	p := &prover{Full: s}
	p.begin()
	return p
}

// begin gives the next stage its effort.
func (p *prover) begin() { p.most = solver.Effort(p.Full) + stageEffort }

// limited is a context of one question.
type limited struct {
	context.Context
	counter solver.Counter
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
	if solver.Effort(p.Full) >= p.most {
		p.spent = true
		p.tooHard++
		return solver.Unknown, nil
	}
	conds = append(slices.Clone(conds), p.lemmas(conds)...)
	inner := ctx
	if c, counts := p.Full.(solver.Counter); counts {
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

// lemmas are what the decision procedure takes long to find out of unsigned quotients and remainders: a
// remainder is less than the divisor, and neither is greater than the dividend.
func (p *prover) lemmas(conds []*expr.Expr) []*expr.Expr {
	pool := p.Pool()
	var all []*expr.Expr
	expr.Walk(func(e *expr.Expr) {
		if e.Op() != expr.Div && e.Op() != expr.Rem || e.Type().Signed {
			return
		}
		a, b := e.Args()[0], e.Args()[1]
		zero := pool.Eq(b, pool.Const(b.Type(), 0))
		all = append(all, pool.Lor(zero, pool.Le(e, a)))
		if e.Op() == expr.Rem {
			all = append(all, pool.Lor(zero, pool.Lt(e, b)))
		}
	}, conds...)
	return all
}
