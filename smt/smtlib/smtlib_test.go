package smtlib_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/smt/expr"
	"magus/smt/smtlib"
	"magus/smt/solver"
	"magus/smt/solvertest"
)

// installed skips the test where the solver is not on the PATH.
func installed(t testing.TB, kind string) smtlib.Config {
	t.Helper()
	if _, err := exec.LookPath(kind); err != nil {
		t.Skipf("%s is not installed: %v", kind, err)
	}
	return smtlib.Config{Kind: kind}
}

func TestLaws(t *testing.T) {
	for _, kind := range []string{"z3", "cvc5"} {
		t.Run(kind, func(t *testing.T) { solvertest.Laws(t, 21, 25, 3, installed(t, kind).Factory()) })
	}
}

// fake is a solver that runs a shell script.
func fake(t *testing.T, script string) smtlib.Config {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh to play the solver")
	}
	path := filepath.Join(t.TempDir(), "solver")
	require.NoError(t, os.WriteFile(path, []byte(script), 0o600))
	return smtlib.Config{Kind: "z3", Path: sh, Args: []string{path}}
}

// answering is a script that reads commands and answers those that match.
func answering(cases string) string {
	return "while read line; do case \"$line\" in\n" + cases + "\nesac; done\n"
}

func ask(t *testing.T, c smtlib.Config) (*smtlib.Solver, solver.Result, error) {
	t.Helper()
	p := expr.NewPool()
	s, err := smtlib.New(p, c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	x := p.Var("x", expr.Uint8)
	r, err := s.Check(context.Background(), p.Lt(x, p.Int(expr.Uint8, 5)))
	return s, r, err
}

func TestFaultySolversAreErrors(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"exits at once", "exit 3", "ended before it answered: exit status 3"},
		{"says why", "echo out of memory >&2; exit 101", "out of memory"},
		{"exits in an answer", answering(`*check*) printf "((v0"; exit 1;;`), "ended before it answered"},
		{"garbage", answering(`*check*) echo "hello (world";;`), `answers "hello" where sat or unsat`},
		{"unbalanced", answering(`*check*) echo ")";;`), "nonsense"},
		{"a list without end", answering(`*check*) printf "("; exec yes "()";;`), "longer than"},
		{"opens without end", answering(`*check*) exec yes "(";;`), "nested too deeply"},
		{"binary", answering(`*check*) printf "\000\001\377\n";;`), "where sat or unsat was expected"},
		{"closes its output", answering(`*check*) exec >&-;;`), "ended before it answered"},
		{"half a word", answering(`*check*) printf "sa"; exit 0;;`), `answers "sa" where sat or unsat`},
		{"an error", answering(`*check*) echo '(error "line 4: no such logic")';;`), `no such logic`},
		{"wrong model", answering("*check*) echo sat;;\n*get-value*) echo '((v0 #x07))';;"),
			"a model in which x < 5 does not hold"},
		{"other variable", answering("*check*) echo sat;;\n*get-value*) echo '((v7 #x01))';;"), "the value of v0"},
		{"no value", answering("*check*) echo sat;;\n*get-value*) echo '((v0 (ite a b c)))';;"), "a value was expected"},
		{"foreign core", answering("*check*) echo unsat;;\n*get-unsat*) echo '(a77)';;"), "a list of assumptions"},
		{"no core", answering("*check*) echo unsat;;\n*get-unsat*) echo 'unsupported';;"), "a list of assumptions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, r, err := ask(t, fake(t, c.script))
			require.Equal(t, solver.Unknown, r)
			require.ErrorContains(t, err, c.want)
			_, again := s.Check(context.Background())
			require.Equal(t, err, again, "the error is final")
		})
	}
}

func TestUnknownIsNoFault(t *testing.T) {
	s, r, err := ask(t, fake(t,
		answering("*check*) echo unknown;;\n*get-info*) echo '(:reason-unknown \"incomplete \"\"theory\"\"\")';;")))
	require.Equal(t, solver.Unknown, r)
	require.ErrorIs(t, err, smtlib.ErrUnknown)
	require.ErrorContains(t, err, "incomplete")
	_, err = s.Check(context.Background())
	require.ErrorIs(t, err, smtlib.ErrUnknown, "it is asked again")
}

// A question that takes more than the effort that is granted has no answer; the next one has.
func TestEffortIsBounded(t *testing.T) {
	for kind, effort := range map[string]int{"z3": 100_000, "cvc5": 10_000} {
		t.Run(kind, func(t *testing.T) {
			c := installed(t, kind)
			c.Effort = effort
			p := expr.NewPool()
			s, err := smtlib.New(p, c)
			require.NoError(t, err)
			defer s.Close()
			x, y := p.Var("x", expr.Uint64), p.Var("y", expr.Uint64)
			product := p.Eq(p.Mul(x, y), p.Int(expr.Uint64, -3))
			small := p.Land(p.Lt(p.Int(expr.Uint64, 1), x), p.Lt(x, p.Int(expr.Uint64, 1<<32)),
				p.Lt(p.Int(expr.Uint64, 1), y), p.Lt(y, p.Int(expr.Uint64, 1<<32)))
			_, err = s.Check(context.Background(), product, small)
			require.ErrorIs(t, err, smtlib.ErrUnknown)
			r, err := s.Check(context.Background(), p.Lt(x, y))
			require.NoError(t, err)
			require.Equal(t, solver.Sat, r)
		})
	}
}

// A long question is not asked where effort is bounded: what a solver does before it counts would have no end.
func TestLongQuestionsTakeNoEffort(t *testing.T) {
	c := fake(t, "exec cat >/dev/null")
	c.Effort = 1
	p := expr.NewPool()
	s, err := smtlib.New(p, c)
	require.NoError(t, err)
	defer s.Close()
	var long []*expr.Expr
	for i := range int64(40_000) {
		long = append(long, p.Lt(p.Int(expr.Uint32, i), p.Var("x", expr.Uint32)))
	}
	_, err = s.Check(context.Background(), long...)
	require.ErrorIs(t, err, smtlib.ErrUnknown)
	require.ErrorContains(t, err, "too long")
}

func TestMissingSolver(t *testing.T) {
	_, err := smtlib.New(expr.NewPool(), smtlib.Config{Kind: "z3", Path: filepath.Join(t.TempDir(), "z3")})
	require.ErrorContains(t, err, "solver z3 cannot be run")
	_, err = smtlib.New(expr.NewPool(), smtlib.Config{Kind: "yices"})
	require.ErrorContains(t, err, `no solver of the name "yices" is known: choose z3 or cvc5`)
}

// TestHangingSolverIsKilled: a solver that never answers, or does not even
// read, is killed when the time is over, and the next query starts a new one.
func TestHangingSolverIsKilled(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "started")
	script := "if [ -e " + marker + " ]; then\n" + answering("*check*) echo unsat;;\n*get-unsat*) echo '(a2)';;") +
		"else : > " + marker + "; exec sleep 1000; fi\n"
	c := fake(t, script)
	c.Timeout = 300 * time.Millisecond
	s, r, err := ask(t, c)
	require.Equal(t, solver.Unknown, r)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "no answer within 300ms")
	p := s.Pool()
	x := p.Var("x", expr.Uint8)
	for range 20 { // the new process may be slow to start
		if r, err = s.Check(context.Background(), p.Lt(x, p.Int(expr.Uint8, 5))); err == nil {
			break
		}
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
	require.NoError(t, err)
	require.Equal(t, solver.Unsat, r)
	require.Equal(t, []int{0}, s.Core())
}

func TestCancelledCheck(t *testing.T) {
	c := fake(t, "exec sleep 1000")
	p := expr.NewPool()
	s, err := smtlib.New(p, c)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := s.Check(ctx)
	require.Equal(t, solver.Unknown, r)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, s.Close())
	_, err = s.Check(context.Background())
	require.ErrorContains(t, err, "closed")
}

// TestAfterKillAssertionsAreSentAgain runs a real solver into its deadline.
func TestAfterKillAssertionsAreSentAgain(t *testing.T) {
	c := installed(t, "z3")
	p := expr.NewPool()
	s, err := smtlib.New(p, c)
	require.NoError(t, err)
	defer s.Close()
	x, y := p.Var("x", expr.Uint64), p.Var("y", expr.Uint64)
	asserted := []*expr.Expr{p.Lt(p.Int(expr.Uint64, 1), x), p.Lt(x, p.Int(expr.Uint64, 1<<32)),
		p.Lt(p.Int(expr.Uint64, 1), y), p.Lt(y, p.Int(expr.Uint64, 1<<32))}
	for _, f := range asserted {
		s.Assert(f)
	}
	hard := p.Eq(p.Mul(x, y), p.Const(expr.Uint64, 18446743979220271189)) // a product of two 32-bit primes
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	r, err := s.Check(ctx, hard)
	if err == nil {
		t.Skipf("z3 answers %v in time", r)
	}
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, solver.Unsat, solvertest.Query(t, s, asserted, []*expr.Expr{p.Eq(x, p.Int(expr.Uint64, 1))}))
	require.Equal(t, solver.Sat, solvertest.Query(t, s, asserted, []*expr.Expr{p.Lt(x, y)}))
}

func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{"sat", "((v0 #x07) (v1 (_ bv3 8)))", `(error "a ""b"" c")`,
		"(|a b| ; comment\n c)", "((((", ")", `"open`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := smtlib.ReadAnswer(bufio.NewReader(strings.NewReader(text)))
		if err != nil {
			return
		}
		again, err := smtlib.ReadAnswer(bufio.NewReader(strings.NewReader(s)))
		require.NoError(t, err)
		require.Equal(t, s, again, "what is printed is read as the same")
	})
}
