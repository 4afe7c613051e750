package cegar

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLoop: the table has every phase of the loop, every phase is reached from
// the first, and each can come to its end.
func TestLoop(t *testing.T) {
	require.Len(t, phases, int(Unroll))
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
		require.NotNil(t, phases[p].perform, p)
		require.NotEmpty(t, phases[p].next, p)
		for r, next := range phases[p].next {
			require.Equal(t, r == atEnd, next == Finished, "%v: %s", p, r)
			visit(next)
		}
	}
	visit(AbstractData)
	require.Len(t, reached, int(Unroll)+1, "and the end")
	for _, p := range following {
		require.NotEqual(t, Finished, p)
	}
}
