package minimize

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	gophersat "github.com/crillab/gophersat/solver"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

const plenty = 1_000_000

// satisfiable asks the solver and checks the model, if there is one, against the
// assumptions.
func satisfiable(t require.TestingT, s *satSolver, assumptions ...int) bool {
	model, err := s.solve(context.Background(), assumptions, plenty, &Stats{})
	require.NoError(t, err)
	for _, l := range assumptions {
		require.True(t, model == nil || holds(model, l))
	}
	return model != nil
}

func clauses(t require.TestingT, numVars int, clauses ...[]int) *satSolver {
	s := newSatSolver(numVars)
	for _, c := range clauses {
		require.NoError(t, s.add(c...))
	}
	return s
}

// Each of the following is a known fault of gophersat v1.4.0, in a situation
// where the solver behind the protocol has to be right.

func TestFaultAssumeForgetsUnits(t *testing.T) {
	s := clauses(t, 2, []int{1}, []int{-1, -2})
	require.True(t, satisfiable(t, s))
	require.False(t, satisfiable(t, s, 2))
	require.False(t, satisfiable(t, s, -1))
	require.True(t, satisfiable(t, s, 1, -2))
}

func TestFaultAppendSimplifiesUnderAssumptions(t *testing.T) {
	s := clauses(t, 3, []int{1, 2, 3})
	require.True(t, satisfiable(t, s, 1))
	require.NoError(t, s.add(1, 2)) // true under the assumption of before, false without
	require.False(t, satisfiable(t, s, -1, -2))
	require.True(t, satisfiable(t, s, -1, -3))
	require.NoError(t, s.add(1, 3)) // unit under the assumption of before
	require.True(t, satisfiable(t, s, 1, -3))
	require.False(t, satisfiable(t, s, -1, -3))
}

func TestFaultContradictoryAssumptions(t *testing.T) {
	s := clauses(t, 3, []int{1, 2, 3}, []int{3})
	require.False(t, satisfiable(t, s, 1, -1))
	require.False(t, satisfiable(t, s, 2, 1, -2))
	require.False(t, satisfiable(t, s, -3), "contradicts a unit clause")
	require.True(t, satisfiable(t, s, 1, 1), "a duplicate is no contradiction")
}

func TestFaultNewVariables(t *testing.T) {
	s := clauses(t, 2, []int{1, 2})
	require.ErrorIs(t, s.add(1, 3), errSolver)
	require.ErrorIs(t, s.add(0, 1), errSolver)
	_, err := s.solve(context.Background(), []int{-3}, plenty, &Stats{})
	require.ErrorIs(t, err, errSolver)
	require.True(t, satisfiable(t, s, -1))
}

func TestFaultDuplicateLiterals(t *testing.T) {
	s := clauses(t, 3, []int{1, 1}, []int{2, -1, 2, 2}, []int{3, -3, 1})
	require.False(t, satisfiable(t, s, -1))
	require.False(t, satisfiable(t, s, -2))
	require.True(t, satisfiable(t, s, 3))
	require.True(t, satisfiable(t, s, -3))
}

func TestFaultEmptyProblems(t *testing.T) {
	require.True(t, satisfiable(t, newSatSolver(0)))
	require.True(t, satisfiable(t, newSatSolver(2), -1, 2))
	s := clauses(t, 1, []int{})
	require.False(t, satisfiable(t, s))
}

// TestFaultSharedBuffer lets solvers learn at the same time; the library's
// buffer for learned clauses is shared by all of them.
func TestFaultSharedBuffer(t *testing.T) {
	var wg sync.WaitGroup
	for seed := range uint64(4) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 0))
			for range 20 {
				checkRandom3SAT(t, rng)
			}
		})
	}
	wg.Wait()
}

// checkRandom3SAT compares with one-shot solving near the threshold, where
// clauses are learned.
func checkRandom3SAT(t *testing.T, rng *rand.Rand) {
	const n = 40
	var cnf [][]int
	s := newSatSolver(n)
	for range n * 43 / 10 {
		var c []int
		for _, v := range rng.Perm(n)[:3] {
			c = append(c, (v+1)*(1-2*rng.IntN(2)))
		}
		cnf = append(cnf, c)
		if err := s.add(c...); err != nil {
			t.Error(err)
		}
	}
	model, err := s.solve(context.Background(), nil, plenty, &Stats{})
	if err != nil {
		t.Error(err)
	}
	gophersatLock.Lock()
	defer gophersatLock.Unlock()
	if want := gophersat.New(gophersat.ParseSlice(cnf)).Solve() == gophersat.Sat; want != (model != nil) {
		t.Errorf("incremental says %t, one-shot %t", model != nil, want)
	}
}

// TestIncrementalAgainstBruteForce mixes clauses, units and queries.
func TestIncrementalAgainstBruteForce(t *testing.T) {
	for range 10 {
		sample.Check(t, func(rt *rapid.T) {
			n := rapid.IntRange(1, 7).Draw(rt, "variables")
			lit := rapid.Custom(func(rt *rapid.T) int {
				return rapid.IntRange(1, n).Draw(rt, "v") * (1 - 2*rapid.IntRange(0, 1).Draw(rt, "sign"))
			})
			s := newSatSolver(n)
			var cnf [][]int
			for range rapid.IntRange(1, 25).Draw(rt, "steps") {
				if rapid.IntRange(0, 2).Draw(rt, "step") > 0 {
					c := rapid.SliceOfN(lit, 1, 4).Draw(rt, "clause")
					require.NoError(rt, s.add(c...))
					cnf = append(cnf, c)
					continue
				}
				assumptions := rapid.SliceOfN(lit, 0, 3).Draw(rt, "assumptions")
				require.Equal(rt, bruteSat(n, cnf, assumptions), satisfiable(rt, s, assumptions...))
			}
		})
	}
}

// bruteSat tries all valuations.
func bruteSat(n int, cnf [][]int, units []int) bool {
	for bits := range 1 << n {
		model := make([]bool, n+1)
		for v := range n {
			model[v+1] = bits>>v&1 == 1
		}
		if satisfies(model, cnf) && allHold(model, units) {
			return true
		}
	}
	return false
}

func satisfies(model []bool, cnf [][]int) bool {
	for _, c := range cnf {
		some := false
		for _, l := range c {
			some = some || holds(model, l)
		}
		if !some {
			return false
		}
	}
	return true
}

func allHold(model []bool, lits []int) bool {
	for _, l := range lits {
		if !holds(model, l) {
			return false
		}
	}
	return true
}

// pigeons is the pigeonhole principle: unsatisfiable, and hard.
func pigeons(t *testing.T, holes int) *satSolver {
	in := func(pigeon, hole int) int { return pigeon*holes + hole + 1 }
	s := newSatSolver((holes + 1) * holes)
	for p := range holes + 1 {
		var c []int
		for h := range holes {
			c = append(c, in(p, h))
			for q := range p {
				require.NoError(t, s.add(-in(p, h), -in(q, h)))
			}
		}
		require.NoError(t, s.add(c...))
	}
	return s
}

func TestSearchKeepsToItsBudget(t *testing.T) {
	var st Stats
	_, err := pigeons(t, 6).solve(context.Background(), nil, 100, &st)
	require.ErrorIs(t, err, ErrBudget)
	require.GreaterOrEqual(t, st.PBConflicts, 100)

	s := pigeons(t, 5)
	require.False(t, satisfiable(t, s))
	require.False(t, s.broken)
}

func TestSearchIsInterrupted(t *testing.T) {
	ctx := &lateCancel{Context: context.Background(), done: make(chan struct{})}
	s := pigeons(t, 7)
	_, err := s.solve(ctx, nil, plenty, &Stats{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.solve(context.Background(), nil, plenty, &Stats{})
	require.ErrorIs(t, err, errSolver, "an interrupted solver is not used again")
	require.True(t, satisfiable(t, clauses(t, 2, []int{1, 2}), -1), "the lock is free")
}

// lateCancel is cancelled as soon as somebody waits for it.
type lateCancel struct {
	context.Context
	done chan struct{}
	once sync.Once
}

func (c *lateCancel) Done() <-chan struct{} {
	c.once.Do(func() { close(c.done) })
	return c.done
}

func (c *lateCancel) Err() error {
	select {
	case <-c.done:
		return context.Canceled
	default:
		return nil
	}
}

func TestCheckRejectsWrongModels(t *testing.T) {
	s := clauses(t, 3, []int{1, 2}, []int{3})
	require.NoError(t, s.check([]bool{false, true, false, true}, []int{3}))
	for _, wrong := range [][]bool{{false, false, false, true}, {false, true, false, false}, {false, true}} {
		require.True(t, errors.Is(s.check(wrong, []int{3}), errSolver))
	}
}
