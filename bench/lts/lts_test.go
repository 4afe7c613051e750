package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/lts"
)

// The families have the sizes that they are known to have, and what contains
// them does.
func TestFamilies(t *testing.T) {
	tests := []struct {
		make                  func(*lts.Actions, int) member
		n, states, edges      int
		specStates, specEdges int
		deterministicStates   int // states of the minimal deterministic LTS; 0 if not asked
	}{
		{ring, 4, 96, 272, 5, 8, 5},
		{ring, 6, 576, 2208, 7, 12, 7},
		{interleaved, 3, 343, 1029, 7, 7, 7},
		{buffers, 6, 729, 1782, 127, 252, 127},
		{register, 8, 513, 1280, 11, 20, 0},
	}
	for _, test := range tests {
		m := test.make(lts.NewActions(), test.n)
		require.Equal(t, []int{test.states, test.edges}, []int{m.whole.NumStates(), m.whole.NumEdges()})
		require.Equal(t, []int{test.specStates, test.specEdges}, []int{m.spec.NumStates(), m.spec.NumEdges()})
		r, err := lts.Contains(context.Background(), []*lts.LTS{m.whole}, m.spec, lts.Limits{})
		require.NoError(t, err)
		require.Equal(t, lts.Holds, r.Verdict)
		if test.deterministicStates > 0 {
			d, err := lts.Minimize(context.Background(), m.whole, lts.WeakTraceEq, lts.Limits{})
			require.NoError(t, err)
			require.Equal(t, test.deterministicStates, d.NumStates())
		}
	}
	m := random(lts.NewActions(), 1000)
	require.Equal(t, m.whole.NumStates(), lts.Reachable(m.whole).NumStates())
	require.Equal(t, m.whole.String(), random(lts.NewActions(), 1000).whole.String())
}

// The smallest size of every family is measured with every operation.
func TestRun(t *testing.T) {
	sample.Long(t)
	var out, errs bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"-max", "1000"}, &out, &errs), out.String())
	require.Empty(t, errs.String())
	lines := slices.Collect(strings.Lines(out.String()))[1:] // without the head
	for _, f := range families() {
		for _, op := range f.operations {
			require.NotEmpty(t, lines, "%s: no row for %s", f.name, op.name)
			require.True(t, strings.HasPrefix(lines[0], f.name+" "), lines[0])
			require.Contains(t, lines[0], "  "+op.name+" ")
			lines = lines[1:]
		}
	}
	require.Empty(t, lines)
	require.NotContains(t, out.String(), "WRONG")

	out.Reset()
	require.Zero(t, run(context.Background(), []string{"-max", "10000", "-family", "ring", "-operation", "strong"},
		&out, &errs))
	require.Equal(t, 3, strings.Count(out.String(), "\n"), out.String())
}

// All ways to search come to the same answers.
func TestSearches(t *testing.T) {
	for _, f := range families() {
		if f.name != "sparse pairs" && f.name != "lossy buffers" && f.name != "wrong register" {
			continue
		}
		m := f.sizes[0].make(lts.NewActions(), f.sizes[0].n)
		verdicts := map[string]bool{}
		for _, op := range searches() {
			answer, wrong, err := op.do(context.Background(), m)
			require.NoError(t, err)
			require.Empty(t, wrong)
			verdict, _, _ := strings.Cut(answer, ":")
			verdicts[verdict] = true
			require.NotContains(t, verdict, " 0 not")
		}
		require.Len(t, verdicts, 1, f.name)
	}
}

// What is wrong is kept, and what takes too long is given up.
func TestWrong(t *testing.T) {
	table := lts.NewActions()
	s := subject{member: ring(table, 3)}
	r := measure(context.Background(), s, operation{"x", func(context.Context, member) (string, string, error) {
		return "", "all wrong", nil
	}}, time.Minute)
	require.Equal(t, "all wrong", r.wrong)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	r = measure(ended, s, strong, time.Minute)
	require.True(t, r.gaveUp)
}

func TestGrowth(t *testing.T) {
	r := result{took: 4 * time.Second, edges: 2000}
	r.setGrowth(result{took: time.Second, edges: 1000})
	require.InDelta(t, 2, r.growth, 1e-9)
	r = result{took: time.Second, edges: 2000}
	r.setGrowth(result{took: time.Millisecond, edges: 1000})
	require.Zero(t, r.growth)
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-max", "x"}, {"-family", "("}, {"file"}} {
		var out, errs bytes.Buffer
		require.Equal(t, 2, run(context.Background(), args, &out, &errs))
		require.NotEmpty(t, errs.String())
	}
}
