package fsp

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/internal/countdown"
	"magus/lts"
)

// Each part of making an LTS ends soon after its context, in the middle: without it, it ends at a limit of
// its own, or never.
func TestInterrupted(t *testing.T) {
	for name, text := range map[string]string{
		"states":      "P = Q[0], Q[i:0..4000000] = (a -> Q[(i + 1) % 4000001]).",
		"transitions": "P = Q[0], Q[i:0..2000] = (a[j:0..2000] -> Q[j]).",
		"alphabet":    "P = (a -> P) + {b[0..2000][0..2000]}.",
		"copies":      "A(I = 0) = (a[I] -> b[I] -> A). ||P = (forall[i:0..3000] A(i)).",
		"relabelling": "A = (a -> b -> A). ||P = (forall[i:0..300][j:0..3000] p[i][j]:A).",
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Parse("a.lts", []byte(text))
			require.NoError(t, err)
			err = countdown.Hears(t, 20*time.Millisecond, func(ctx context.Context) error {
				_, err := f.LTS(ctx, "P", lts.NewActions(), lts.Limits{})
				return err
			})
			require.ErrorIs(t, err, context.DeadlineExceeded)
		})
	}
}
