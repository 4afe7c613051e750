package minimize

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// example5 is example 5 of Chaki et al., "Efficient Verification of Sequential
// and Concurrent C Programs" (2004), with p1 … p5 as 0 … 4.
func example5() *table {
	return &table{n: 5, sets: [][]Set{
		{SetOf(0, 2, 4), SetOf(1, 4)},
		{SetOf(1, 2), SetOf(3)},
	}}
}

func TestExample5(t *testing.T) {
	for _, s := range []Strategy{NewMinimizer(Options{}), Enumerate(0, 0, Options{}), Enumerate(1000, 1000, Options{})} {
		r, err := s.Minimize(context.Background(), example5())
		require.NoError(t, err)
		require.True(t, r.Proven, label(s))
		require.Equal(t, "{1,2,4}", r.Set.String(), label(s))
	}
	require.True(t, example5().eliminatesAll(SetOf(1, 3, 4)), "the minimum that the paper names")
}

// TestExactIsMinimum compares both exact strategies with brute force, over
// growing paths and candidates, with the memory of the calls before.
func TestExactIsMinimum(t *testing.T) {
	for i := range 20 {
		weighted := i%2 == 1
		sample.Check(t, func(rt *rapid.T) {
			p := drawTable(rt, weighted)
			exact, enumerate := NewMinimizer(Options{}), Enumerate(0, 0, Options{})
			for range rapid.IntRange(1, 4).Draw(rt, "calls") {
				want, found := bruteForce(p)
				require.True(rt, found)
				for _, s := range []Strategy{exact, enumerate, NewMinimizer(Options{})} {
					r, err := s.Minimize(context.Background(), p)
					require.NoError(rt, err, label(s))
					require.True(rt, r.Proven, label(s))
					require.Equal(rt, want.String(), r.Set.String(), label(s))
				}
				extend(rt, p)
			}
		})
	}
}

// extend appends candidates, lets them eliminate old paths too, and appends
// paths.
func extend(t *rapid.T, p *table) {
	old := p.n
	p.n += rapid.IntRange(0, 11-p.n).Draw(t, "more candidates")
	if p.costs != nil {
		p.costs = append(p.costs, drawCosts(t, p.n-old)...)
	}
	for path := range p.sets {
		if p.n == old {
			break
		}
		for _, s := range drawSets(t, p.n, 0) {
			if !s.SubsetOf(Full(old)) {
				p.sets[path] = append(p.sets[path], s)
			}
		}
	}
	drawPaths(t, p, rapid.IntRange(0, 3).Draw(t, "more paths"))
}

// TestHintsDoNotMatter checks that hints and relevance change no answer.
func TestHintsDoNotMatter(t *testing.T) {
	sample.Check(t, func(rt *rapid.T) {
		p := drawTable(rt, true)
		h := helpful{table: p}
		for range p.sets {
			h.hints = append(h.hints, rapid.SliceOf(rapid.IntRange(-1, p.n)).Draw(rt, "hint"))
		}
		want, err := NewMinimizer(Options{}).Minimize(context.Background(), p)
		require.NoError(rt, err)
		got, err := NewMinimizer(Options{}).Minimize(context.Background(), h)
		require.NoError(rt, err)
		require.Equal(rt, want.Set.String(), got.Set.String())
	})
}

func TestNotEliminable(t *testing.T) {
	p := example5()
	p.sets = append(p.sets, nil)
	for _, s := range []Strategy{NewMinimizer(Options{}), Enumerate(0, 0, Options{}), Greedy(1), None()} {
		_, err := s.Minimize(context.Background(), p)
		require.ErrorIs(t, err, ErrNotEliminable, label(s))
		var e *NotEliminableError
		require.True(t, errors.As(err, &e))
		require.Equal(t, 2, e.Path)

		q := &table{n: 6, sets: append(example5().sets, []Set{SetOf(5)})}
		r, err := s.Minimize(context.Background(), q)
		require.NoError(t, err, "the new candidate eliminates it: %s", label(s))
		require.True(t, r.Set.Has(5))
	}
}
