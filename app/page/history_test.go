package page

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/engine/cegar"
)

// Of a long history the first and the last phases stay.
func TestLongHistory(t *testing.T) {
	h := NewHistory()
	past := h.Begin("c")
	const n = maxPhases + 50
	for i := range n {
		past.Add(cegar.DataAbstracted{Iteration: i}, cegar.View{}, float64(i))
	}
	p := h.of("c")
	require.Len(t, p.phases, maxPhases)
	require.Equal(t, 50, p.left)
	require.Equal(t, 1, p.phases[0].number)
	require.Equal(t, maxPhases/2, p.phases[maxPhases/2-1].number)
	require.Equal(t, maxPhases/2+51, p.phases[maxPhases/2].number)
	require.Equal(t, n, p.phases[maxPhases-1].number)
	require.Empty(t, h.of("d").phases)
}
