package record_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/smt/record"
	"magus/smt/solver"
	"magus/smt/solvertest"
)

func TestScript(t *testing.T) {
	p := expr.NewPool()
	x := p.Var("f::x#2", expr.Int32)
	var text strings.Builder
	s := record.New(embedded.New(p), &text)
	s.Assert(p.Lt(x, p.Int(expr.Int32, 3)))
	_, err := s.Check(context.Background(), p.Eq(x, p.Int(expr.Int32, 5)))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = s.Check(ctx, p.Eq(x, p.Int(expr.Int32, 1)))
	require.Error(t, err)
	require.NoError(t, s.Close())
	require.Equal(t, `; Written by magus
(set-logic QF_BV)
(declare-const |f::x#2| (_ BitVec 32))
(assert (bvslt |f::x#2| (_ bv3 32)))
(push 1)
(assert (= |f::x#2| (_ bv5 32)))
(set-info :status unsat)
(check-sat)
(pop 1)
`, text.String())
}

func TestLaws(t *testing.T) {
	var text strings.Builder
	open := func(p *expr.Pool) (solver.Full, error) { return record.New(embedded.New(p), &text), nil }
	solvertest.Laws(t, 2, 50, 3, open)
	solvertest.Counts(t, open)
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestUnwritable(t *testing.T) {
	p := expr.NewPool()
	s := record.New(embedded.New(p), full{})
	for i := range int64(2000) {
		r, err := s.Check(context.Background(), p.Eq(p.Var("x", expr.Int32), p.Int(expr.Int32, i)))
		require.NoError(t, err)
		require.Equal(t, solver.Sat, r)
	}
	require.ErrorContains(t, s.Close(), "disk full")
}

// Outside solvers give the recorded answers.
func TestPeers(t *testing.T) {
	sample.Long(t)
	p := expr.NewPool()
	var text strings.Builder
	s := record.New(embedded.New(p), &text)
	g := solvertest.NewGenerator(rand.New(rand.NewPCG(3, 4)), 3, 5)
	g.Pool = p
	for i := range g.Vars {
		g.Vars[i] = p.Var(g.Vars[i].Name(), g.Vars[i].Type())
	}
	for range 400 {
		_, err := s.Check(context.Background(), g.Cond(3), g.Cond(2), g.Cond(2))
		require.NoError(t, err)
	}
	require.NoError(t, s.Close())
	var want []string
	for _, m := range regexp.MustCompile(`:status (\w+)`).FindAllStringSubmatch(text.String(), -1) {
		want = append(want, m[1])
	}
	for _, peer := range [][]string{{"z3", "-in"}, {"cvc5", "--incremental", "--lang=smt2"}} {
		t.Run(peer[0], func(t *testing.T) {
			path, err := exec.LookPath(peer[0])
			if err != nil {
				t.Skipf("%s is not installed", peer[0])
			}
			cmd := exec.Command(path, peer[1:]...)
			cmd.Stdin = strings.NewReader(text.String())
			out, err := cmd.Output()
			require.NoError(t, err)
			require.Equal(t, want, strings.Fields(string(out)))
		})
	}
}
