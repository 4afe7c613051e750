package cegar

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLoop: the table has every phase but the last, every phase is reached from
// the first, and each can come to its end.
func TestLoop(t *testing.T) {
	require.Len(t, loop, int(Finished))
	reached := map[Phase]bool{}
	var visit func(Phase)
	visit = func(p Phase) {
		if reached[p] {
			return
		}
		reached[p] = true
		if p == Finished {
			return
		}
		require.NotNil(t, loop[p].perform, p)
		require.NotEmpty(t, loop[p].next, p)
		for r, next := range loop[p].next {
			require.Equal(t, r == ended, next == Finished, "%v: %s", p, r)
			visit(next)
		}
	}
	visit(AbstractData)
	require.Len(t, reached, int(Finished)+1)
	for _, p := range following {
		require.NotEqual(t, Finished, p)
	}
}
