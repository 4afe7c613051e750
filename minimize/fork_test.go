package minimize

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// TestForkGoesOnAlike: a copy gives the same sets at the same number of tests as
// the original, whatever the original did in between.
func TestForkGoesOnAlike(t *testing.T) {
	ctx := context.Background()
	sample.Check(t, func(rt *rapid.T) {
		p := drawTable(rt, false)
		for _, s := range everyStrategy() {
			_, err := s.Minimize(ctx, p)
			require.NoError(rt, err)
		}
		for _, s := range everyStrategy() {
			_, err := s.Minimize(ctx, p)
			require.NoError(rt, err)
			fork, second := Fork(s), Fork(s)
			q := &table{n: p.n, costs: p.costs, sets: append([][]Set{}, p.sets...)}
			extend(rt, q)
			want, err := s.Minimize(ctx, q)
			require.NoError(rt, err)
			got, err := fork.Minimize(ctx, q)
			require.NoError(rt, err)
			require.Equal(rt, want.Set, got.Set, label(s))
			require.Equal(rt, want.Stats.Tests, got.Stats.Tests, label(s))
			// The second copy knows nothing of the longer problem.
			old, err := second.Minimize(ctx, p)
			require.NoError(rt, err, label(s))
			require.True(rt, p.eliminatesAll(old.Set))
		}
	})
}
