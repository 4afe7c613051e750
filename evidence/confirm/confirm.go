package confirm

// A check with a limit of effort.
//
// Idea: the check is given a context that counts how often it is looked at, and decision procedures that
// count what they do. What both come to together is compared with the limit at each look, and the context
// ends when it is more.
//
// The unit is that of package bitblast: a propagation, with ten for each gate. What a look counts for the
// caller says, who knows what is done between two of them. That was measured: where proofs make 3,000
// propagations a millisecond, checks of the two-level loop look 100 times in one, and searches for threads
// two to eight times.
//
// Source: ours. Cost: a tenth of that of what is checked.

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/smt/solver"
)

// Part is the part of the effort of a proof that its check may take, Least what it may take always: some milliseconds,
// which is about a tenth of what a small check takes from its start to its end.
const (
	Part  = 10
	Least = 1 << 13
)

// errTakesMore is why a check was ended.
var errTakesMore = errors.New("the check of its certificate takes more than a tenth of the effort of the proof")

// A Budget is a context of a check, which ends when more effort was made than it may take. As of any context, several
// goroutines may look at it; those that it wakes when it ends count nothing. Only the check has solvers from it, and it
// does not look at it while one of them works elsewhere.
type Budget struct {
	context.Context
	around  context.Context
	end     context.CancelCauseFunc
	mu      sync.Mutex // of what follows
	solvers []solver.Counter
	looks   int64
	look    int64 // what one counts
	most    int64 // 0: no limit
}

// Solver is a decision procedure for the terms of a pool, whose effort counts.
func (b *Budget) Solver(p *expr.Pool) solver.Full {
	s := embedded.New(p)
	if c, counts := s.(solver.Counter); counts {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.solvers = append(b.solvers, c)
	}
	return s
}

// Expect ends a check of which it is known before that it takes at least so much.
func (b *Budget) Expect(effort int64) error {
	if b.most > 0 && effort > b.most {
		b.end(errTakesMore)
	}
	return b.Context.Err()
}

// Leave ends a check that is not to be made, and says why.
func (b *Budget) Leave(why error) error {
	b.end(why)
	return why
}

// Effort is what was made.
func (b *Budget) Effort() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.effort()
}

// effort is [Budget.Effort] for who holds the lock.
func (b *Budget) effort() int64 {
	sum := b.look * b.looks
	for _, s := range b.solvers {
		sum += s.Effort()
	}
	return sum
}

// Err implements [context.Context].
func (b *Budget) Err() error {
	if err := b.Context.Err(); err != nil {
		return err
	}
	switch {
	case b.around.Err() != nil:
		b.end(context.Cause(b.around))
	case b.exhausted():
		b.end(errTakesMore)
	}
	return b.Context.Err()
}

// exhausted counts a look and reports whether the effort is more than it may be.
func (b *Budget) exhausted() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.looks++
	return b.most > 0 && b.effort() > b.most
}

// Verdict has a verdict checked, for which so much effort was made; look is what a look at the context
// counts. refused is why the verdict must not be told; nil if it may be.
func Verdict(ctx context.Context, v verdict.Verdict, effort, look int64, check func(*Budget) error) (
	c verdict.Confirmation, refused *verdict.Reason) {
	if ctx.Err() != nil {
		return verdict.Confirmation{Why: context.Cause(ctx).Error()}, nil
	}
	inner, end := context.WithCancelCause(ctx)
	defer end(nil)
	b := &Budget{Context: inner, around: ctx, end: end, look: look}
	if v == verdict.Conforms {
		b.most = max(effort/Part, Least)
	}
	err := check(b)
	c.Effort = b.Effort()
	var no *certificate.RefutedError
	switch _, known := verdict.Of(err); {
	case err == nil:
		c.Checked = true
	case errors.As(err, &no):
		return c, refusal(v, no.Reason)
	case inner.Err() != nil:
		c.Why = context.Cause(inner).Error()
	case known: // the decision procedure gives no answer
		c.Why = err.Error()
	default:
		return c, refusal(v, err.Error())
	}
	return c, nil
}

// refusal is the reason of a verdict that is not told.
func refusal(v verdict.Verdict, why string) *verdict.Reason {
	return &verdict.Reason{Kind: verdict.Refused,
		Text: fmt.Sprintf("%v, but what shows it is refused when it is checked: %s", v, why)}
}
