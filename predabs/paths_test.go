package predabs

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// TestPathsAreKept: what was stored is read back, the same path has the same
// number, and paths that begin alike share their beginnings.
func TestPathsAreKept(t *testing.T) {
	sample.Check(t, func(rt *rapid.T) {
		x := &Abstraction{paths: newPaths()}
		var all [][]int32
		var numbers []Path
		for range rapid.IntRange(1, 40).Draw(rt, "paths") {
			steps := rapid.SliceOfN(rapid.Int32Range(0, 2), 0, 12).Draw(rt, "steps")
			if len(all) > 0 && rapid.Bool().Draw(rt, "like another") {
				like := rapid.SampledFrom(all).Draw(rt, "other")
				steps = append(slices.Clone(like[:rapid.IntRange(0, len(like)).Draw(rt, "shared")]), steps...)
			}
			p, err := x.Keep(steps)
			require.NoError(rt, err)
			if i := slices.IndexFunc(all, func(other []int32) bool { return slices.Equal(other, steps) }); i >= 0 {
				require.Equal(rt, numbers[i], p)
			} else {
				require.NotContains(rt, numbers, p)
			}
			all, numbers = append(all, steps), append(numbers, p)
		}
		for i, p := range numbers {
			require.Equal(rt, append([]int32{}, all[i]...), x.Steps(p))
		}
	})
}

func TestPathsShareBeginnings(t *testing.T) {
	x := &Abstraction{paths: newPaths()}
	steps := make([]int32, 1000)
	for i := range 50 {
		steps[999-i] = int32(i + 1)
		_, err := x.Keep(steps)
		require.NoError(t, err)
	}
	n, bytes := x.PathMemory()
	require.Equal(t, 50, n)
	require.Less(t, bytes, 4*(1000+51*50/2+1))
}
