package countdown_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/countdown"
)

func TestLooks(t *testing.T) {
	ctx := countdown.Looks(t.Context(), 3)
	derived, stop := context.WithCancel(ctx)
	defer stop()
	for range 3 {
		require.NoError(t, ctx.Err())
	}
	require.NoError(t, derived.Err())
	require.ErrorIs(t, ctx.Err(), context.Canceled)
	require.ErrorIs(t, derived.Err(), context.Canceled)
	<-derived.Done()
}

func TestEndedBefore(t *testing.T) {
	parent, end := context.WithCancel(t.Context())
	end()
	ctx := countdown.Count(parent)
	require.ErrorIs(t, ctx.Err(), context.Canceled)
	require.EqualValues(t, 1, ctx.Seen())
}
