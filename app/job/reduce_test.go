package job

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestReducing: the search for smaller sets has as much processor time as the
// proof took, at least 200 ms, or what is asked for.
func TestReducing(t *testing.T) {
	for _, c := range []struct {
		name                string
		proof, limit, allow time.Duration
	}{
		{"a quick proof", time.Millisecond, 0, leastReduceTime},
		{"a slow proof", 3 * time.Second, 0, 3 * time.Second},
		{"what is asked for", 3 * time.Second, time.Minute, time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			work := make(chan time.Duration)
			first := true
			h := Host{
				Work: func() time.Duration {
					if first {
						first = false
						return time.Hour
					}
					return time.Hour + <-work
				},
				Ticks: func(time.Duration) (<-chan time.Time, func()) {
					ticks := make(chan time.Time, 2)
					ticks <- time.Time{}
					ticks <- time.Time{}
					return ticks, func() {}
				},
			}
			ctx, stop := reducing(context.Background(), h, h.Work, c.proof, c.limit)
			defer stop()
			work <- c.allow
			require.NoError(t, ctx.Err())
			work <- c.allow + 1
			<-ctx.Done()
			require.Equal(t, errReduceTime, context.Cause(ctx))
		})
	}
}
