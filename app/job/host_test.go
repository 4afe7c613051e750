package job

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is needed is what is in use behind a collection, and no garbage.
func TestNeeded(t *testing.T) {
	runtime.GC()
	before := needed()
	kept := make([]byte, 64<<20)
	runtime.GC()
	with := needed()
	require.InDelta(t, 64<<20, float64(with)-float64(before), 16<<20)
	require.LessOrEqual(t, with, memory()+8<<20)
	runtime.KeepAlive(kept)
	runtime.GC()
	require.InDelta(t, float64(before), float64(needed()), 16<<20)
}
