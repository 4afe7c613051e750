package specs

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/expr"
	"magus/smt/solver"
)

// bruteForce decides conditions over variables of at most 8 bits by trying
// every valuation.
type bruteForce struct {
	model map[*expr.Expr]uint64
	fails error
}

func (b *bruteForce) Assert(*expr.Expr) { panic("guards are assumptions") }
func (b *bruteForce) Close() error      { return nil }
func (b *bruteForce) Core() []int       { return nil }
func (b *bruteForce) Pool() *expr.Pool  { return nil }

func (b *bruteForce) Value(v *expr.Expr) uint64 { return b.model[v] }

func (b *bruteForce) Check(_ context.Context, conds ...*expr.Expr) (solver.Result, error) {
	if b.fails != nil {
		return solver.Unknown, b.fails
	}
	vars := expr.Vars(conds...)
	for n := uint64(0); n < 1<<(8*len(vars)); n++ {
		b.model = map[*expr.Expr]uint64{}
		for i, v := range vars {
			b.model[v] = n >> (8 * i) & 0xff
		}
		all := true
		for _, c := range conds {
			all = all && expr.Eval(c, func(v *expr.Expr) uint64 { return b.model[v] }) == 1
		}
		if all {
			return solver.Sat, nil
		}
	}
	return solver.Unsat, nil
}

func TestCheckGuards(t *testing.T) {
	for _, c := range []struct {
		guards []string
		want   string
	}{
		{[]string{"1"}, ""},
		{nil, ""},
		{[]string{"c > 0", "c <= 0"}, ""},
		{[]string{"c > 0", "c < 0", "c == 0"}, ""},
		{[]string{"uc >= 0"}, ""},
		{[]string{"c < 0 || c >= 32", "c >= 0 && c < 32"}, ""},
		{[]string{"0"}, "no guard holds"},
		{[]string{"1", "1"}, "guards 1 and 2 both hold"},
		{[]string{"c > 0", "c < 0"}, "no guard holds for c = 0"},
		{[]string{"c > -1", "c == -1", "c < 0 && uc == 200", "c < -1"}, "guards 2 and 3 both hold for c = -1, uc = 200"},
		{[]string{"uc < 255"}, "no guard holds for uc = 255"},
		{[]string{"uc > 3", "c == c"}, "guards 1 and 2 both hold for uc = 4"},
	} {
		p := expr.NewPool()
		var guards []*expr.Expr
		for _, text := range c.guards {
			e, err := ParseExpr("x", text)
			require.NoError(t, err)
			g, err := e.Cond(p, testScope(p), 64)
			require.NoError(t, err)
			guards = append(guards, g)
		}
		err := CheckGuards(t.Context(), p, guards, &bruteForce{})
		if c.want == "" {
			require.NoError(t, err, "%v", c.guards)
			continue
		}
		require.EqualError(t, err, c.want)
		var fault *GuardError
		require.ErrorAs(t, err, &fault)
		require.Equal(t, c.want[:2] == "no", fault.IsGap())
	}
}

// A solver that gives up is no proof that the guards are right.
func TestCheckGuardsUnknown(t *testing.T) {
	p := expr.NewPool()
	late := errors.New("too late")
	err := CheckGuards(t.Context(), p, []*expr.Expr{p.True()}, &bruteForce{fails: late})
	require.ErrorIs(t, err, late)
	require.False(t, errors.As(err, new(*GuardError)))
}
