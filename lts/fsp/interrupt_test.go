package fsp

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/internal/usage"
	"magus/lts"
)

// Each part of making an LTS ends soon after its context, in the middle: without it, it ends at a limit of
// its own, or never.
func TestInterrupted(t *testing.T) {
	const soon = time.Minute // of the processor, whatever the machine: what does not hear of it takes longer
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
			const after = 20 * time.Millisecond
			ctx, cancel := context.WithTimeout(context.Background(), after)
			defer cancel()
			began := usage.Time()
			_, err = f.LTS(ctx, "P", lts.NewActions(), lts.Limits{})
			took := usage.Time() - began
			t.Logf("%v of the processor", took.Round(time.Millisecond))
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Less(t, took, soon)
		})
	}
}
