package actionref

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/countdown"
	"magus/lts"
)

// interrupted calls f with contexts that end later and later, until it succeeds, and says how often it
// did not.
func interrupted(t *testing.T, f func(ctx context.Context) error) int {
	t.Helper()
	for tries := 0; ; tries++ {
		err := f(countdown.Looks(t.Context(), int64(tries)))
		if err == nil {
			return tries
		}
		require.ErrorIs(t, err, context.Canceled)
	}
}

// TestCancellation ends the context at every place that looks at it.
func TestCancellation(t *testing.T) {
	const states = 3 * checkEvery
	m := protocol(states, true)
	var a *Abstraction
	require.GreaterOrEqual(t, interrupted(t, func(ctx context.Context) (err error) {
		a, err = Weak(ctx, m)
		return err
	}), 2*states/checkEvery)
	require.Equal(t, weak(t, m).Quotient().String(), a.Quotient().String())

	trace, want, splits := spuriousTrace(t, a)
	require.Greater(t, interrupted(t, func(ctx context.Context) error {
		got, infos, err := a.Refine(ctx, trace)
		if err != nil {
			require.Same(t, a, got)
			return err
		}
		require.Equal(t, splits, infos)
		require.Equal(t, want.Quotient().String(), got.Quotient().String())
		return nil
	}), 3*len(splits))

	last := splits[0]
	require.Greater(t, interrupted(t, func(ctx context.Context) error {
		got, err := a.Split(ctx, last.Block, last.Action)
		require.Equal(t, err != nil, got == a)
		return err
	}), 1)
}

// spuriousTrace draws a trace by which a is refined.
func spuriousTrace(t *testing.T, a *Abstraction) ([]lts.Action, *Abstraction, []SplitInfo) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 5))
	for range 100 {
		trace := walk(r, a.Quotient(), 40)
		refined, splits, err := a.Refine(context.Background(), trace)
		if err == nil && len(splits) > 1 {
			return trace, refined, splits
		}
	}
	require.Fail(t, "no trace is spurious")
	return nil, nil, nil
}
