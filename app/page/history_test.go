package page

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/engine/cegar"
)

// Of a long history the first and the last turns stay.
func TestLongHistory(t *testing.T) {
	h := NewHistory()
	h.Begin("c")
	const n = maxTurns + 50
	for i := range n {
		h.Add(cegar.DataAbstracted{Iteration: i}, cegar.View{}, float64(i))
	}
	p := h.of("c")
	require.Len(t, p.turns, maxTurns)
	require.Equal(t, 50, p.left)
	require.Equal(t, 1, p.turns[0].number)
	require.Equal(t, maxTurns/2, p.turns[maxTurns/2-1].number)
	require.Equal(t, maxTurns/2+51, p.turns[maxTurns/2].number)
	require.Equal(t, n, p.turns[maxTurns-1].number)
	require.Empty(t, h.of("d").turns)
}
