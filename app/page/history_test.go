package page

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/engine/cegar"
	"magus/lts"
	"magus/predabs"
)

// A model that is too large to be kept has its size all the same.
func TestSizesOfLargeModels(t *testing.T) {
	for _, states := range []int{maxStates, maxStates + 1} {
		b := lts.NewBuilder(lts.NewActions())
		b.AddStates(states)
		model := b.Build()
		past := NewHistory().Begin("c")
		past.Add(cegar.DataAbstracted{}, cegar.View{Actions: lts.NewActions(),
			Components: []cegar.ComponentView{{Name: "main", MP: &predabs.MP{LTS: model}}}}, 0)
		p := past.phases[0]
		require.Equal(t, states > maxStates, p.view.Components[0].MP == nil)
		require.Equal(t, []sizes{{Name: "main", States: states}}, p.sizesOf())
	}
}

// A level piece of a curve has the points of its ends.
func TestPoints(t *testing.T) {
	require.Equal(t, "0.0,90.0 150.0,90.0 225.0,4.0 300.0,4.0", points([]float64{0, 0, 0, 2, 2}, 2))
	require.Equal(t, "0.0,4.0 300.0,4.0", points([]float64{1, 1, 1, 1}, 1))
	require.Equal(t, "0.0,90.0", points([]float64{0}, 0))
}

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
