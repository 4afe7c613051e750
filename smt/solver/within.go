package solver

import (
	"context"
	"errors"

	"magus/smt/expr"
)

// ErrHard is why a question has no answer: it takes more effort than was granted.
var ErrHard = errors.New("the question takes too long")

// Within is Check with a bound on effort; of what does not count its effort it is Check. The error is [ErrHard], or one
// of Check.
func Within(ctx context.Context, s Solver, most int64, all ...*expr.Expr) (Result, error) {
	counter, counts := s.(Counter)
	if !counts {
		return s.Check(ctx, all...)
	}
	inner, end := context.WithCancelCause(ctx)
	defer end(nil)
	limited := &limit{inner, ctx, counter, counter.Effort() + most, end}
	r, err := s.Check(limited, all...)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(inner), ErrHard) {
		return r, ErrHard
	}
	return r, err
}

// A limit is a context that ends when the decision procedure has made an effort.
type limit struct {
	context.Context
	around context.Context
	of     Counter
	most   int64
	end    context.CancelCauseFunc
}

// Err is not nil once the context has ended.
func (l *limit) Err() error {
	switch {
	case l.of.Effort() > l.most:
		l.end(ErrHard)
	case l.around.Err() != nil:
		l.end(context.Cause(l.around))
	}
	return l.Context.Err()
}
