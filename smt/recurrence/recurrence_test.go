package recurrence_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/smt/recurrence"
)

// From odd numbers n -= 2 never comes to 0, from even ones it does; a guard that the round breaks at last is no set.
func TestSet(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		first uint64
		step  int64
		guard func(p *expr.Pool, n *expr.Expr) *expr.Expr
		found bool
	}{
		{"odd", 9, -2, notZero, true},
		{"even", 8, -2, notZero, false},
		{"a multiple of 4", 4, 8, notZero, true},
		{"still", 5, 0, notZero, true},
		{"below ten", 3, 1, func(p *expr.Pool, n *expr.Expr) *expr.Expr { return p.Lt(n, p.Const(n.Type(), 10)) }, false},
		{"any", 3, 1, func(p *expr.Pool, _ *expr.Expr) *expr.Expr { return p.True() }, false}, // nothing that holds of 3 stays
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := expr.NewPool()
			s := embedded.New(p)
			defer s.Close()
			n := p.Var("n", expr.Uint32)
			next := map[*expr.Expr]*expr.Expr{n: p.Add(n, p.Int(expr.Uint32, c.step))}
			set, err := recurrence.Set(t.Context(), p, s.Check, []*expr.Expr{c.guard(p, n)}, next,
				map[*expr.Expr]*expr.Expr{n: p.Const(expr.Uint32, c.first)})
			require.NoError(t, err)
			require.Equal(t, c.found, set != nil, "%v", set)
			for _, x := range set {
				require.True(t, p.Subst(x, map[*expr.Expr]*expr.Expr{n: p.Const(expr.Uint32, c.first)}).IsTrue())
			}
		})
	}
}

func notZero(p *expr.Pool, n *expr.Expr) *expr.Expr { return p.Not(p.Eq(n, p.Const(n.Type(), 0))) }
