package checked_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/bitblast"
	"magus/smt/checked"
	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/smt/solver"
	"magus/smt/solvertest"
)

func open(p *expr.Pool) (solver.Full, error) {
	return checked.New(embedded.New(p), bitblast.New(p)), nil
}

// Right answers pass, and the laws hold of the pair as of one.
func TestLaws(t *testing.T) {
	solvertest.Laws(t, 1, 150, 3, solvertest.Embedded, open)
}

// Limits of effort hold for a check as without one.
func TestCounts(t *testing.T) { solvertest.Counts(t, open) }

// liar answers what it is told to.
type liar struct {
	solver.Full
	result solver.Result
	value  uint64
	names  []int
}

func (l *liar) Check(context.Context, ...*expr.Expr) (solver.Result, error) { return l.result, nil }
func (l *liar) Value(*expr.Expr) uint64                                     { return l.value }
func (l *liar) Core() []int                                                 { return l.names }

func TestWrongAnswers(t *testing.T) {
	p := expr.NewPool()
	x := p.Var("x", expr.Int32)
	small, five := p.Lt(x, p.Int(expr.Int32, 3)), p.Eq(x, p.Int(expr.Int32, 5))
	for _, test := range []struct {
		name string
		lie  liar
		want string
	}{
		{"a model that is none", liar{result: solver.Sat, value: 4}, "its model does not satisfy x < 3"},
		{"a core that is satisfiable", liar{result: solver.Unsat, names: []int{1}},
			"the second procedure satisfies its core [x == 5]"},
		{"a core of nothing", liar{result: solver.Unsat}, "the second procedure satisfies its core []"},
		{"a core of what was not assumed", liar{result: solver.Unsat, names: []int{2}}, "its core names assumption 2 of 2"},
		{"a right core", liar{result: solver.Unsat, names: []int{0, 1}}, ""},
		{"a right model", liar{result: solver.Sat, value: 2}, "its model does not satisfy x == 5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.lie.Full = embedded.New(p)
			s := checked.New(&test.lie, bitblast.New(p))
			defer s.Close()
			r, err := s.Check(context.Background(), small, five)
			if test.want == "" {
				require.NoError(t, err)
				require.Equal(t, solver.Unsat, r)
				return
			}
			var fault *checked.Fault
			require.ErrorAs(t, err, &fault)
			require.Equal(t, solver.Unknown, r)
			require.ErrorContains(t, err, test.want)
		})
	}
}

// An asserted condition counts in models and cores.
func TestAsserted(t *testing.T) {
	p := expr.NewPool()
	x := p.Var("x", expr.Int32)
	s := checked.New(embedded.New(p), bitblast.New(p))
	s.Assert(p.Lt(x, p.Int(expr.Int32, 3)))
	r, err := s.Check(context.Background(), p.Eq(x, p.Int(expr.Int32, 5)))
	require.NoError(t, err)
	require.Equal(t, solver.Unsat, r)
	r, err = s.Check(context.Background(), p.Eq(x, p.Int(expr.Int32, 2)))
	require.NoError(t, err)
	require.Equal(t, solver.Sat, r)
	require.Equal(t, [2]int{1, 1}, [2]int{s.Models, s.Cores})
}
