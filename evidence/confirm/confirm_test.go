package confirm

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/smt/expr"
)

// look is what a look counts for in these tests.
const look = 128

// What is refused is not told; what takes too long, or has no answer, is told with the reason why it is not checked.
func TestVerdict(t *testing.T) {
	interrupted, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	looks := func(n int) func(*Budget) error {
		return func(b *Budget) error {
			for range n {
				if b.Err() != nil {
					return context.Cause(b)
				}
			}
			return nil
		}
	}
	says := func(err error) func(*Budget) error { return func(*Budget) error { return err } }
	for name, c := range map[string]struct {
		ctx     context.Context
		v       verdict.Verdict
		effort  int64
		check   func(*Budget) error
		checked bool
		why     string
		refused string
	}{
		"accepted": {t.Context(), verdict.Violates, 0, says(nil), true, "", ""},
		"refused": {t.Context(), verdict.Violates, 0, says(&certificate.RefutedError{Reason: "no"}),
			false, "", "violates, but what shows it is refused when it is checked: no"},
		"nothing": {t.Context(), verdict.Conforms, 0, says(errors.New("no proof")), false, "",
			"conforms, but what shows it is refused when it is checked: no proof"},
		"no answer": {t.Context(), verdict.Conforms, 0, says(verdict.Because(verdict.Solver, "gives up")),
			false, "gives up", ""},
		"interrupted": {interrupted, verdict.Conforms, 0, says(nil), false, "enough", ""},
		"least":       {t.Context(), verdict.Conforms, 0, looks(Least / look), true, "", ""},
		"more":        {t.Context(), verdict.Conforms, 0, looks(Least/look + 1), false, errTakesMore.Error(), ""},
		"a tenth":     {t.Context(), verdict.Conforms, 20 * Least, looks(2 * Least / look), true, "", ""},
		"above": {t.Context(), verdict.Conforms, 20 * Least, looks(2*Least/look + 1), false,
			errTakesMore.Error(), ""},
		"violation": {t.Context(), verdict.Violates, 0, looks(3 * Least), true, "", ""},
		"known before": {t.Context(), verdict.Conforms, 0, func(b *Budget) error { return b.Expect(Least + 1) },
			false, errTakesMore.Error(), ""},
		"left": {t.Context(), verdict.Violates, 0, func(b *Budget) error { return b.Leave(errors.New("too long")) },
			false, "too long", ""},
		"known as short": {t.Context(), verdict.Conforms, 0, func(b *Budget) error { return b.Expect(Least) }, true, "", ""},
	} {
		conf, refused := Verdict(c.ctx, c.v, c.effort, look, c.check)
		require.Equal(t, c.checked, conf.Checked, name)
		require.Equal(t, c.why, conf.Why, name)
		if c.refused == "" {
			require.Nil(t, refused, name)
			continue
		}
		require.Equal(t, &verdict.Reason{Kind: verdict.Refused, Text: c.refused}, refused, name)
	}
}

// What decision procedures do counts.
func TestSolversCount(t *testing.T) {
	p := expr.NewPool()
	x, y := p.Var("x", expr.Int32), p.Var("y", expr.Int32)
	conf, refused := Verdict(t.Context(), verdict.Conforms, 0, look, func(b *Budget) error {
		_, err := b.Solver(p).Check(b, p.Eq(p.Mul(x, y), p.Int(expr.Int32, 3*5*7*11*13)),
			p.Lt(p.Int(expr.Int32, 1), x), p.Lt(x, y))
		return err
	})
	require.Nil(t, refused)
	require.Greater(t, conf.Effort, int64(look))
}

// TestWhoIsWokenCountsNothing: what waits for the end of a check looks at its context from other goroutines,
// as the front end does, and the effort is the same each time.
func TestWhoIsWokenCountsNothing(t *testing.T) {
	for range 20 {
		var woken sync.WaitGroup
		conf, refused := Verdict(t.Context(), verdict.Conforms, 0, look, func(b *Budget) error {
			woken.Add(8)
			for range 8 {
				context.AfterFunc(b, func() {
					defer woken.Done()
					_ = b.Err()
				})
			}
			for b.Err() == nil {
			}
			return context.Cause(b)
		})
		woken.Wait()
		require.Nil(t, refused)
		require.Equal(t, int64(Least+look), conf.Effort)
	}
}
