package job

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Garbage may grow while little is in use, and only then.
func TestRelaxCollector(t *testing.T) {
	before := debug.SetGCPercent(defaultPercent)
	defer debug.SetGCPercent(before)
	percent := func() int {
		sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(sample)
		return int(sample[0].Value.Uint64())
	}
	t.Setenv("GOGC", "150")
	RelaxCollector()
	require.Equal(t, defaultPercent, percent())
	t.Setenv("GOGC", "")
	RelaxCollector()
	require.Equal(t, relaxedPercent, percent())
	for _, c := range []struct{ size, percent int }{{4 * littleInUse, relaxedPercent / 2},
		{17 * littleInUse, defaultPercent}} {
		kept := make([]byte, c.size)
		require.Eventually(t, func() bool {
			runtime.GC()
			return percent() == c.percent
		}, time.Minute, time.Millisecond)
		runtime.KeepAlive(kept)
	}
}
