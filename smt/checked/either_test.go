package checked_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/bitblast"
	"magus/smt/checked"
	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/smt/solvertest"
)

var errGaveUp = errors.New("gave up")

// A quitter gives up at every question but each every-th.
type quitter struct {
	solver.Full
	every, asked int
}

func (q *quitter) Check(ctx context.Context, fs ...*expr.Expr) (solver.Result, error) {
	if q.asked++; q.every > 0 && q.asked%q.every == 0 {
		return q.Full.Check(ctx, fs...)
	}
	return solver.Unknown, errGaveUp
}

// Where the first procedure gives up the other one answers, and soon only the other one is asked.
func TestEitherAsksTheOther(t *testing.T) {
	for _, test := range []struct {
		name                      string
		every                     int
		typ                       expr.Type
		asked, gaveUp, ofTheOther int
	}{
		{"it never answers", 0, expr.Int32, 4, 4, 100},
		{"it answers every second time", 2, expr.Int32, 100, 50, 50},
		{"it always answers", 1, expr.Int32, 100, 0, 0},
		{"floating point: a sample", 1, expr.Float32, 18, 0, 82}, // 1 to 16, 32, 64
	} {
		t.Run(test.name, func(t *testing.T) {
			p := expr.NewPool()
			q := &quitter{Full: embedded.New(p), every: test.every}
			s := checked.NewEither(q, bitblast.New(p), func(err error) bool { return errors.Is(err, errGaveUp) })
			defer s.Close()
			x, less := p.Var("x", test.typ), p.Lt
			if test.typ.IsFloat() {
				less = p.FLt
			}
			y := p.Var("y", test.typ)
			yes, no := []*expr.Expr{less(x, y)}, []*expr.Expr{less(x, y), less(y, x)}
			for i := range 100 {
				f, want := yes, solver.Sat
				if i%2 == 1 {
					f, want = no, solver.Unsat
				}
				r, err := s.Check(t.Context(), f...)
				require.NoError(t, err)
				require.Equal(t, want, r)
			}
			require.Equal(t, [4]int{test.asked, test.gaveUp, test.ofTheOther, test.asked - test.gaveUp},
				[4]int{q.asked, s.GaveUp, s.Instead, s.Answered})
		})
	}
}

// What is no giving up is an error of the pair, and so is what ends while it is asked.
func TestEitherKeepsErrors(t *testing.T) {
	p := expr.NewPool()
	s := checked.NewEither(&quitter{Full: embedded.New(p)}, bitblast.New(p), func(error) bool { return false })
	defer s.Close()
	_, err := s.Check(t.Context(), p.Eq(p.Var("x", expr.Int32), p.Int(expr.Int32, 1)))
	require.ErrorIs(t, err, errGaveUp)
}

// A pair is a second procedure as any other.
func TestEitherObeysTheLaws(t *testing.T) {
	solvertest.Laws(t, 2, 50, 3, solvertest.Embedded, func(p *expr.Pool) (solver.Full, error) {
		q := &quitter{Full: embedded.New(p), every: 2}
		return checked.New(embedded.New(p), checked.NewEither(q, bitblast.New(p),
			func(err error) bool { return errors.Is(err, errGaveUp) })), nil
	})
}
