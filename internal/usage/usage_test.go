package usage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/internal/usage"
)

// Work shows: in time of the processor, and memory that was touched in the peak.
func TestWorkShows(t *testing.T) {
	before, deadline := usage.Time(), time.Now().Add(time.Minute)
	touched := make([]byte, 32<<20)
	for n := 1; ; n++ {
		for i := range touched {
			touched[i] += byte(n)
		}
		if usage.Time() > before {
			break
		}
		require.True(t, time.Now().Before(deadline), "a minute of work, and no time was used")
	}
	assert.Greater(t, usage.Time(), before)
	assert.GreaterOrEqual(t, usage.Peak(), uint64(len(touched)))
}
