package usage_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
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

// What a parent has used is not counted as its child's.
func TestPeakIsNotTheParents(t *testing.T) {
	const child = "MAGUS_TEST_PEAK"
	if os.Getenv(child) != "" {
		fmt.Println("peak", usage.Peak())
		return
	}
	touched := make([]byte, 256<<20)
	for i := 0; i < len(touched); i += 1 << 10 {
		touched[i] = 1
	}
	c := exec.Command(os.Args[0], "-test.run", "TestPeakIsNotTheParents")
	c.Env = append(os.Environ(), child+"=1")
	out, err := c.Output()
	require.NoError(t, err)
	runtime.KeepAlive(touched)
	_, figure, ok := strings.Cut(string(out), "peak ")
	require.True(t, ok, "%s", out)
	peak, err := strconv.Atoi(strings.Fields(figure)[0])
	require.NoError(t, err)
	assert.Positive(t, peak)
	assert.Less(t, peak, len(touched))
}
