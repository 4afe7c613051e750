package sat_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	gophersat "github.com/crillab/gophersat/solver"
	"github.com/stretchr/testify/require"

	"magus/internal/countdown"
	"magus/internal/sample"
	"magus/smt/sat"
	"magus/smt/sat/drup"
)

// A formula is a set of clauses over variables 0 to n-1.
type formula struct {
	n       int
	clauses [][]sat.Lit
}

// random3SAT has clauses of three different variables; about 4.26 clauses a
// variable is where it is hard.
func random3SAT(r *rand.Rand, n, m int) formula {
	f := formula{n: n}
	for range m {
		var c []sat.Lit
		for _, v := range r.Perm(n)[:3] {
			c = append(c, sat.MkLit(sat.Var(v), r.IntN(2) == 0))
		}
		f.clauses = append(f.clauses, c)
	}
	return f
}

// pigeons says that n+1 pigeons sit in n holes, one in each at most.
func pigeons(n int) formula {
	f := formula{n: n * (n + 1)}
	in := func(pigeon, hole int) sat.Lit { return sat.Pos(sat.Var(pigeon*n + hole)) }
	for p := range n + 1 {
		var c []sat.Lit
		for h := range n {
			c = append(c, in(p, h))
			for q := range p {
				f.clauses = append(f.clauses, []sat.Lit{in(p, h).Not(), in(q, h).Not()})
			}
		}
		f.clauses = append(f.clauses, c)
	}
	return f
}

// load puts f into a solver; log may be nil.
func load(f formula, log *drup.Log) *sat.Solver {
	s := sat.New()
	if log != nil {
		s.SetProof(log)
	}
	for range f.n {
		s.NewVar()
	}
	for _, c := range f.clauses {
		if log != nil {
			log.Input(c)
		}
		s.AddClause(c...)
	}
	return s
}

// satisfies reports whether the solver's model makes all clauses true.
func satisfies(s *sat.Solver, f formula) bool {
	for _, c := range f.clauses {
		ok := false
		for _, l := range c {
			ok = ok || s.Value(l.Var()) != l.Neg()
		}
		if !ok {
			return false
		}
	}
	return true
}

// oracle decides f with gophersat, in one shot.
func oracle(f formula) sat.Result {
	var cnf [][]int
	for _, c := range f.clauses {
		var ds []int
		for _, l := range c {
			ds = append(ds, l.Dimacs())
		}
		cnf = append(cnf, ds)
	}
	if gophersat.New(gophersat.ParseSliceNb(cnf, f.n)).Solve() == gophersat.Sat {
		return sat.Sat
	}
	return sat.Unsat
}

func TestAgainstGophersat(t *testing.T) {
	sample.Long(t)
	r := rand.New(rand.NewPCG(1, 3))
	counts := map[sat.Result]int{}
	for range 1500 {
		n := 20 + r.IntN(60)
		f := random3SAT(r, n, int(float64(n)*(3.8+r.Float64())))
		s := load(f, nil)
		got, err := s.Solve(context.Background())
		require.NoError(t, err)
		require.Equal(t, oracle(f), got)
		if got == sat.Sat {
			require.True(t, satisfies(s, f))
		}
		counts[got]++
	}
	require.Greater(t, counts[sat.Sat], 300)
	require.Greater(t, counts[sat.Unsat], 300)
}

// TestIncrementalAgainstGophersat keeps one solver through growing formulas
// and changing assumptions; the oracle starts afresh each time. Cores are
// solved again.
func TestIncrementalAgainstGophersat(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for range 60 {
		n := 30 + r.IntN(40)
		all := random3SAT(r, n, 5*n)
		f := formula{n: n}
		s := load(f, nil)
		s.ForgetOften(1 + r.Int64N(50))
		with := func(units []sat.Lit) formula {
			g := formula{n: n, clauses: append([][]sat.Lit{}, f.clauses...)}
			for _, u := range units {
				g.clauses = append(g.clauses, []sat.Lit{u})
			}
			return g
		}
		for _, c := range all.clauses {
			f.clauses = append(f.clauses, c)
			s.AddClause(c...)
			if r.IntN(8) > 0 {
				continue
			}
			var assume []sat.Lit
			for range r.IntN(8) {
				assume = append(assume, sat.MkLit(sat.Var(r.IntN(n)), r.IntN(2) == 0))
			}
			got, err := s.Solve(context.Background(), assume...)
			require.NoError(t, err)
			require.Equal(t, oracle(with(assume)), got)
			if got == sat.Sat {
				require.True(t, satisfies(s, with(assume)))
				continue
			}
			core := append([]sat.Lit{}, s.Core()...)
			require.Subset(t, assume, core)
			require.Equal(t, sat.Unsat, oracle(with(core)))
		}
	}
}

// TestProofs checks the proofs of unsatisfiable formulas, with clauses
// forgotten every few conflicts.
func TestProofs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	fs, reductions := []formula{pigeons(3), pigeons(5)}, int64(0)
	for range 60 {
		n := 10 + r.IntN(40)
		fs = append(fs, random3SAT(r, n, 6*n))
	}
	for _, f := range fs {
		var log drup.Log
		s := load(f, &log)
		s.ForgetOften(1 + r.Int64N(20))
		got, err := s.Solve(context.Background())
		require.NoError(t, err)
		require.Equal(t, oracle(f), got)
		if got == sat.Unsat {
			require.NoError(t, log.Check())
			require.True(t, log.Proves(nil))
		}
		reductions += s.Stats.Reductions
	}
	require.Greater(t, reductions, int64(50))
}

// TestProofsUnderAssumptions: the clause that excludes a core is derived.
func TestProofsUnderAssumptions(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	unsat := 0
	for range 40 {
		n := 20 + r.IntN(20)
		f := random3SAT(r, n, 4*n)
		var log drup.Log
		s := load(f, &log)
		for range 5 {
			var assume []sat.Lit
			for range 3 + r.IntN(6) {
				assume = append(assume, sat.MkLit(sat.Var(r.IntN(n)), r.IntN(2) == 0))
			}
			got, err := s.Solve(context.Background(), assume...)
			require.NoError(t, err)
			if got == sat.Unsat {
				unsat++
				var clause []sat.Lit
				for _, l := range s.Core() {
					clause = append(clause, l.Not())
				}
				require.True(t, log.Proves(clause))
			}
		}
		require.NoError(t, log.Check())
	}
	require.Greater(t, unsat, 20)
}

// TestLongRuns goes through restarts, forgetting and compaction.
func TestLongRuns(t *testing.T) {
	f := pigeons(7)
	s := load(f, nil)
	got, err := s.Solve(context.Background())
	require.NoError(t, err)
	require.Equal(t, sat.Unsat, got)
	require.Greater(t, s.Stats.Conflicts, int64(1000))
	r := rand.New(rand.NewPCG(5, 3))
	reductions := int64(0)
	for range 4 {
		f := random3SAT(r, 160, 683)
		s := load(f, nil)
		got, err := s.Solve(context.Background())
		require.NoError(t, err)
		require.Equal(t, oracle(f), got)
		reductions += s.Stats.Reductions
	}
	require.Positive(t, reductions, "clauses were forgotten on the way")
}

func TestCancellation(t *testing.T) {
	s := load(pigeons(12), nil)
	got, err := s.Solve(countdown.Looks(t.Context(), 9))
	require.Equal(t, sat.Unknown, got)
	require.ErrorIs(t, err, context.Canceled)
	got, err = s.Solve(context.Background(), sat.Pos(0), sat.Pos(12))
	require.NoError(t, err)
	require.Equal(t, sat.Unsat, got, "two pigeons in one hole: it goes on after cancellation")
}

// TestConeLeavesOtherGatesAlone: gates beyond the cone get no value, and the
// cone's answer is right in spite of clauses over both.
func TestConeLeavesOtherGatesAlone(t *testing.T) {
	s := sat.New()
	a, b := s.NewVar(), s.NewVar()
	and, nor := s.NewVar(), s.NewVar()
	gate := func(o sat.Var, x, y sat.Lit) {
		s.AddClause(sat.Pos(o).Not(), x)
		s.AddClause(sat.Pos(o).Not(), y)
		s.AddClause(sat.Pos(o), x.Not(), y.Not())
	}
	gate(and, sat.Pos(a), sat.Pos(b))
	gate(nor, sat.Pos(a).Not(), sat.Pos(b).Not())
	got, err := s.SolveCone(context.Background(), []sat.Var{a, b, and}, []sat.Lit{sat.Pos(and)})
	require.NoError(t, err)
	require.Equal(t, sat.Sat, got)
	require.True(t, s.Value(a) && s.Value(b) && s.Value(and))
	require.False(t, s.InModel(nor))
	got, _ = s.SolveCone(context.Background(), []sat.Var{a, b, and, nor}, []sat.Lit{sat.Pos(nor), sat.Pos(and)})
	require.Equal(t, sat.Unsat, got)
	require.Len(t, s.Core(), 2)
	got, _ = s.SolveCone(context.Background(), []sat.Var{a, b, nor}, []sat.Lit{sat.Pos(nor)})
	require.Equal(t, sat.Sat, got)
	require.False(t, s.InModel(and))
}

func ExampleSolver() {
	s := sat.New()
	a, b := sat.Pos(s.NewVar()), sat.Pos(s.NewVar())
	s.AddClause(a.Not(), b)
	r, _ := s.Solve(context.Background(), a)
	fmt.Println(r, s.Value(b.Var()))
	r, _ = s.Solve(context.Background(), a, b.Not())
	fmt.Println(r, len(s.Core()))
	// Output:
	// sat true
	// unsat 2
}

func BenchmarkSolve(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 3))
	for _, c := range []struct {
		name string
		f    formula
	}{
		{"pigeons=8", pigeons(8)},
		{"random3sat=150", random3SAT(r, 150, 640)},
		{"random3sat=200", random3SAT(r, 200, 852)},
		{"random3sat=1000,easy", random3SAT(r, 1000, 3300)},
	} {
		b.Run(c.name, func(b *testing.B) {
			conflicts, props := int64(0), int64(0)
			for b.Loop() {
				s := load(c.f, nil)
				if _, err := s.Solve(context.Background()); err != nil {
					b.Fatal(err)
				}
				conflicts += s.Stats.Conflicts
				props += s.Stats.Propagations
			}
			b.ReportMetric(float64(conflicts)/b.Elapsed().Seconds(), "conflicts/s")
			b.ReportMetric(float64(props)/b.Elapsed().Seconds(), "propagations/s")
			b.ReportMetric(float64(conflicts)/float64(b.N), "conflicts")
		})
	}
}

// BenchmarkGophersat is the oracle on the same formulas.
func BenchmarkGophersat(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 3))
	for _, f := range []formula{pigeons(8), random3SAT(r, 150, 640), random3SAT(r, 200, 852)} {
		b.Run(fmt.Sprintf("vars=%d", f.n), func(b *testing.B) {
			for b.Loop() {
				oracle(f)
			}
		})
	}
}
