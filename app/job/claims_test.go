package job

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What the process has used is divided among those who work.
func TestWorkMeter(t *testing.T) {
	var used time.Duration
	m := workMeter{used: func() time.Duration { return used }}
	used = 5
	m.begin()
	first := m.work()
	used += 10
	require.Equal(t, first+10, m.work())
	m.begin()
	second := m.work()
	used += 8
	require.Equal(t, first+14, m.work(), "half of what two have used")
	require.Equal(t, second+4, m.work())
	m.end()
	used += 6
	require.Equal(t, first+20, m.work())
	m.end()
}
