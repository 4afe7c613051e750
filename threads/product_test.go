package threads_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/internal/expr"
	"magus/threads"
)

// TestProduct compares the product of random programs, as an automaton of one thread, with all interleavings: they perform
// the same actions, and main returns the same values.
func TestProduct(t *testing.T) {
	compared, erroneous := 0, 0
	for seed := *randomFirst; seed < *randomFirst+uint64(*randomPrograms); seed++ {
		text := program(seed)
		if seed%8 == 0 {
			text = lockers(seed)
		}
		c := automaton(t, text)
		p, err := threads.Product(context.Background(), c)
		if errors.Is(err, threads.ErrLargeProduct) {
			continue
		}
		require.NoError(t, err, text)
		require.Empty(t, p.Check(), text)
		bits := func(*expr.Expr) []uint64 { return []uint64{0, 1} }
		all, err := interp.New(c).Interleave(context.Background(), bits, 40_000)
		if err != nil {
			continue
		}
		var everyone []uint64
		for i := range c.Threads {
			everyone = append(everyone, uint64(i))
		}
		turns := func(v *expr.Expr) []uint64 {
			if v == threads.Turn(c.Pool) {
				return everyone
			}
			return bits(v)
		}
		one, err := interp.New(p).Interleave(context.Background(), turns, 400_000)
		if err != nil {
			continue
		}
		compared++
		want := all.Actions
		if i := slices.Index(want, cfa.ThreadLimit); i >= 0 {
			want = append(slices.Delete(slices.Clone(want), i, i+1), p.Cut)
			slices.Sort(want)
			want = slices.Compact(want)
		}
		require.Equal(t, want, one.Actions, "seed %d\n%s", seed, text)
		require.Equal(t, all.Results, one.Results, "seed %d\n%s", seed, text)
		if slices.Contains(want, cfa.ErrorAction) {
			erroneous++
		}
	}
	t.Log(compared, erroneous)
	require.Greater(t, compared, *randomPrograms/3)
	require.Positive(t, erroneous)
}
