package minimize

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// TestSetAgainstMap compares every operation with the same on map[int]bool.
func TestSetAgainstMap(t *testing.T) {
	elements := rapid.SliceOf(rapid.IntRange(0, 200))
	sample.Check(t, func(rt *rapid.T) {
		a, b := elements.Draw(rt, "a"), elements.Draw(rt, "b")
		e := rapid.IntRange(0, 300).Draw(rt, "e")
		s, u := SetOf(a...), SetOf(b...)
		inA := func(x int) bool { return slices.Contains(a, x) }
		inB := func(x int) bool { return slices.Contains(b, x) }
		where := func(keep func(int) bool) []int {
			out := []int{}
			for x := range 301 {
				if keep(x) {
					out = append(out, x)
				}
			}
			return out
		}
		require.Equal(rt, where(inA), s.Elements())
		require.Equal(rt, where(func(x int) bool { return inA(x) || inB(x) }), s.Union(u).Elements())
		require.Equal(rt, where(func(x int) bool { return inA(x) && !inB(x) }), s.Minus(u).Elements())
		require.Equal(rt, where(func(x int) bool { return inA(x) || x == e }), s.With(e).Elements())
		require.Equal(rt, where(func(x int) bool { return inA(x) && x != e }), s.Without(e).Elements())
		require.Equal(rt, where(inA), s.Elements(), "unchanged")
		require.Equal(rt, len(where(inA)), s.Len())
		require.Equal(rt, inA(e), s.Has(e))
		require.Equal(rt, s.Minus(u).Empty(), s.SubsetOf(u))
		require.Equal(rt, !s.Minus(s.Minus(u)).Empty(), s.Intersects(u))
		require.Equal(rt, slices.Equal(s.Elements(), u.Elements()), s.Equal(u))
		require.True(rt, s.With(e).Without(e).Equal(s.Without(e)), "representation is canonical")
	})
}

func TestBefore(t *testing.T) {
	for _, test := range []struct {
		a, b Set
		want bool
	}{
		{SetOf(0, 5), SetOf(1, 2), true},
		{SetOf(1, 2), SetOf(0, 5), false},
		{SetOf(0, 70), SetOf(0, 71), true},
		{SetOf(3), SetOf(70), true},
		{SetOf(70), SetOf(3), false},
		{SetOf(3), SetOf(3), false},
		{SetOf(), SetOf(3), false},
	} {
		require.Equal(t, test.want, before(test.a, test.b), "%v before %v", test.a, test.b)
	}
}

func TestSetEdges(t *testing.T) {
	require.Equal(t, "{}", Set{}.String())
	require.Equal(t, "{1,3,64}", SetOf(64, 1, 3, 1).String())
	require.False(t, SetOf(1).Has(-1))
	for _, n := range []int{0, 1, 63, 64, 65, 128} {
		require.Equal(t, n, Full(n).Len())
		require.False(t, Full(n).Has(n))
	}
}
