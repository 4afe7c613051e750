package minimize

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// everyStrategy returns fresh strategies, in one order.
func everyStrategy() []Strategy {
	return []Strategy{NewMinimizer(Options{}), Enumerate(0, 0, Options{}), Enumerate(3, 2, Options{}), Greedy(7), None()}
}

// TestEveryStrategyEliminates checks what all promise: the set eliminates every
// path, and costs no less than the minimum, which it is when proven.
func TestEveryStrategyEliminates(t *testing.T) {
	for range 3 {
		sample.Check(t, func(rt *rapid.T) {
			p := drawTable(rt, rapid.Bool().Draw(rt, "weighted"))
			strategies := everyStrategy()
			for range 3 {
				costs, err := costsOf(p)
				require.NoError(rt, err)
				want, _ := bruteForce(p)
				for _, s := range strategies {
					r, err := s.Minimize(context.Background(), p)
					require.NoError(rt, err, label(s))
					require.True(rt, p.eliminatesAll(r.Set), label(s))
					require.GreaterOrEqual(rt, sumCost(r.Set, costs), sumCost(want, costs), label(s))
					if r.Proven {
						require.Equal(rt, sumCost(want, costs), sumCost(r.Set, costs), label(s))
					}
				}
				extend(rt, p)
			}
		})
	}
}

// TestGreedyIsIrredundant is what figure 10 guarantees.
func TestGreedyIsIrredundant(t *testing.T) {
	sample.Check(t, func(rt *rapid.T) {
		p := drawTable(rt, false)
		r, err := Greedy(int64(rapid.Int32().Draw(rt, "seed"))).Minimize(context.Background(), p)
		require.NoError(rt, err)
		for _, c := range r.Set.Elements() {
			require.False(rt, p.eliminatesAll(r.Set.Without(c)))
		}
	})
}

func TestNoneOnlyAdds(t *testing.T) {
	p := &table{n: 6, sets: [][]Set{{SetOf(1), SetOf(4)}}}
	s := None()
	r, err := s.Minimize(context.Background(), helpful{table: p, hints: [][]int{{4, 2}}})
	require.NoError(t, err)
	require.Equal(t, "{4}", r.Set.String(), "the hint comes first")
	p.sets = append(p.sets, []Set{SetOf(4)}, []Set{SetOf(0, 2)})
	r, err = s.Minimize(context.Background(), p)
	require.NoError(t, err)
	require.Equal(t, "{0,1,2,4}", r.Set.String(), "candidate 1 comes before 2 in the order")
}

// TestBounds is about MAXSUB and MAXELM: sets are examined by increasing size.
func TestBounds(t *testing.T) {
	for _, test := range []struct {
		maxSub, maxElm int
		want           string
		proven         bool
		subsets        int
	}{
		{maxSub: 2, want: "{0,1,2,3}", subsets: 2},           // {}, {0}: nothing found
		{maxSub: 3, want: "{1}", subsets: 3},                 // {}, {0}, {1}
		{maxElm: 1, want: "{1}", subsets: 3},                 // {2,3} is not looked for
		{maxElm: 2, want: "{1}", proven: true, subsets: 8},   // all that is left are supersets
		{maxSub: 100, want: "{1}", proven: true, subsets: 8}, // supersets are skipped
		{want: "{1}", proven: true, subsets: 8},
	} {
		p := &table{n: 4, sets: [][]Set{{SetOf(1), SetOf(2, 3)}}}
		r, err := Enumerate(test.maxSub, test.maxElm, Options{}).Minimize(context.Background(), p)
		require.NoError(t, err)
		require.Equal(t, test.want, r.Set.String(), "%+v", test)
		require.Equal(t, test.proven, r.Proven, "%+v", test)
		require.Equal(t, test.subsets, r.Stats.Subsets, "%+v", test)
	}
}

// label names a strategy in a failure.
func label(s Strategy) string { return fmt.Sprintf("%T", s) }

// TestDeterministic runs each strategy twice on the same growing problem.
func TestDeterministic(t *testing.T) {
	run := func(s Strategy) []Result {
		var results []Result
		for paths := 5; paths <= 20; paths += 5 {
			r, err := s.Minimize(context.Background(), randomTable(12, paths, 3))
			require.NoError(t, err)
			results = append(results, r)
		}
		return results
	}
	first, second := everyStrategy(), everyStrategy()
	for i := range first {
		require.Equal(t, run(first[i]), run(second[i]), label(first[i]))
	}
}

// TestMemorySavesTests compares a strategy that has seen the problem grow with
// what it costs to start over each time.
func TestMemorySavesTests(t *testing.T) {
	warm, warmTests, coldTests := NewMinimizer(Options{}), 0, 0
	for paths := 1; paths <= 40; paths++ {
		p := randomTable(40, paths, 5)
		a, err := warm.Minimize(context.Background(), p)
		require.NoError(t, err)
		b, err := NewMinimizer(Options{}).Minimize(context.Background(), p)
		require.NoError(t, err)
		require.Equal(t, b.Set.String(), a.Set.String())
		warmTests += a.Stats.Tests
		coldTests += b.Stats.Tests
	}
	require.Less(t, 4*warmTests, coldTests)
	again, err := warm.Minimize(context.Background(), randomTable(40, 40, 5))
	require.NoError(t, err)
	require.Zero(t, again.Stats.Tests, "nothing new, nothing to test")
}

func TestEmptyProblems(t *testing.T) {
	for _, p := range []*table{{}, {n: 3}, {n: 3, sets: [][]Set{{SetOf()}}}, {sets: [][]Set{{SetOf()}}}} {
		for _, s := range everyStrategy() {
			r, err := s.Minimize(context.Background(), p)
			require.NoError(t, err, label(s))
			require.True(t, r.Set.Empty(), label(s))
		}
	}
}

func TestErrors(t *testing.T) {
	failed := errors.New("test failed")
	for _, s := range everyStrategy() {
		p := example5()
		p.err = failed
		_, err := s.Minimize(context.Background(), p)
		require.ErrorIs(t, err, failed, label(s))

		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err = s.Minimize(ctx, example5())
		require.ErrorIs(t, err, context.Canceled, label(s))

		_, err = s.Minimize(context.Background(), example5())
		require.NoError(t, err, "nothing false was remembered: %s", label(s))
		_, err = s.Minimize(context.Background(), &table{n: 4})
		require.ErrorContains(t, err, "shrank", label(s))
	}
	for _, cost := range []int{0, -1, 1 << 31} {
		_, err := NewMinimizer(Options{}).Minimize(context.Background(), &table{n: 1, costs: []int{cost}})
		require.ErrorContains(t, err, "costs")
	}
	_, err := NewMinimizer(Options{}).Minimize(context.Background(), &table{n: 2, costs: []int{1 << 30, 1}})
	require.ErrorContains(t, err, "together")
}

// contrary says that nothing is relevant though candidate 0 is.
type contrary struct{ *table }

func (c contrary) Relevant(context.Context, int) Set { return Set{} }

func TestBrokenLawIsAnError(t *testing.T) {
	p := contrary{&table{n: 2, sets: [][]Set{{SetOf(0)}}}}
	_, err := NewMinimizer(Options{}).Minimize(context.Background(), p)
	require.ErrorContains(t, err, "law")
}

// hard has a minimum that is costly to prove: the vertices of triangles, two of
// each are needed, numbered at random.
func hard(triangles int) *table {
	number := rand.New(rand.NewPCG(1, 1)).Perm(3 * triangles)
	p := &table{n: 3 * triangles}
	for i := range 3 * triangles {
		next := i/3*3 + (i+1)%3
		p.sets = append(p.sets, []Set{SetOf(number[i]), SetOf(number[next])})
	}
	return p
}

// TestBudget checks that a solver that does not deliver ends in an error with a
// right but unproven set, and that the strategy goes on from there.
func TestBudget(t *testing.T) {
	p := hard(8)
	m := NewMinimizer(Options{Conflicts: 10})
	r, err := m.Minimize(context.Background(), p)
	require.ErrorIs(t, err, ErrBudget)
	require.False(t, r.Proven)
	require.True(t, p.eliminatesAll(r.Set))
	require.GreaterOrEqual(t, r.Set.Len(), 16)

	m.opts.Conflicts = 0
	r, err = m.Minimize(context.Background(), p)
	require.NoError(t, err)
	require.True(t, r.Proven)
	require.Equal(t, 16, r.Set.Len())
}

// stopping cancels a context at a test.
type stopping struct {
	*table
	after  int
	cancel context.CancelFunc
}

func (s *stopping) Eliminates(ctx context.Context, path int, set Set) (bool, error) {
	if s.after--; s.after == 0 {
		s.cancel()
	}
	return s.table.Eliminates(ctx, path, set)
}

// TestCancellation cancels at one test after another; the strategy can be asked again
// and is right.
func TestCancellation(t *testing.T) {
	p := randomTable(10, 6, 2)
	want, _ := bruteForce(p)
	for after := 1; after < 60; after++ {
		for _, s := range everyStrategy() {
			ctx, cancel := context.WithCancel(context.Background())
			_, err := s.Minimize(ctx, &stopping{table: p, after: after, cancel: cancel})
			if err != nil {
				require.ErrorIs(t, err, context.Canceled, label(s))
			}
			cancel()
			r, err := s.Minimize(context.Background(), p)
			require.NoError(t, err, label(s))
			require.True(t, p.eliminatesAll(r.Set), label(s))
			if r.Proven {
				require.Equal(t, want.String(), r.Set.String(), label(s))
			}
		}
	}
}
