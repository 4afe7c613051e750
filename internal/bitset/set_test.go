package bitset_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/bitset"
	"magus/internal/sample"
)

const room = 200

// pair draws two sets with room for the same numbers, and their members.
func pair(rt *rapid.T) (s, t bitset.Set[uint32], inS, inT map[uint32]bool) {
	draw := func(label string) (bitset.Set[uint32], map[uint32]bool) {
		set, in := bitset.New[uint32](room), map[uint32]bool{}
		for _, n := range rapid.SliceOfN(rapid.Uint32Range(0, room-1), 0, 30).Draw(rt, label) {
			require.Equal(rt, !in[n], set.Add(n))
			in[n] = true
		}
		return set, in
	}
	s, inS = draw("s")
	t, inT = draw("t")
	return s, t, inS, inT
}

// where lists the numbers of which f is true.
func where(f func(n uint32) bool) []uint32 {
	var all []uint32
	for n := range uint32(room) {
		if f(n) {
			all = append(all, n)
		}
	}
	return all
}

// TestAgainstMaps compares every operation with that of a map.
func TestAgainstMaps(t *testing.T) {
	sample.Check(t, func(rt *rapid.T) {
		s, u, inS, inU := pair(rt)
		both := where(func(n uint32) bool { return inS[n] && inU[n] })
		either := where(func(n uint32) bool { return inS[n] || inU[n] })
		only := where(func(n uint32) bool { return inS[n] && !inU[n] })

		require.Equal(rt, where(func(n uint32) bool { return inS[n] }), slices.Collect(s.All()))
		require.Equal(rt, where(s.Has), slices.Collect(s.All()))
		require.Equal(rt, both, slices.Collect(s.Common(u)))
		require.Equal(rt, only, slices.Collect(s.Except(u)))
		require.Equal(rt, len(inS), s.Len())
		require.Equal(rt, len(inS) == 0, s.Empty())
		require.Equal(rt, len(only) == 0, s.SubsetOf(u))
		require.Equal(rt, len(both) > 0, s.Intersects(u))
		require.Equal(rt, len(both) == len(either), s.Equal(u))

		v := slices.Clone(s)
		require.Equal(rt, len(either) > len(inS), v.Unite(u))
		require.Equal(rt, either, slices.Collect(v.All()))
		v = slices.Clone(s)
		require.Equal(rt, len(both) < len(inS), v.Intersect(u))
		require.Equal(rt, both, slices.Collect(v.All()))
		v = slices.Clone(s)
		v.Subtract(u)
		require.Equal(rt, only, slices.Collect(v.All()))

		n := rapid.Uint32Range(0, room-1).Draw(rt, "n")
		v = slices.Clone(s)
		v.Remove(n)
		require.Equal(rt, where(func(m uint32) bool { return inS[m] && m != n }), slices.Collect(v.All()))
		v = slices.Clone(s)
		v.Forget(slices.Collect(s.All()))
		require.True(rt, v.Empty())
	})
}

// TestLengths asks sets of different lengths what may be asked of them.
func TestLengths(t *testing.T) {
	short, long := bitset.New[int](10), bitset.New[int](100)
	short.Add(3)
	long.Add(3)
	long.Add(99)
	require.True(t, short.SubsetOf(long))
	require.True(t, short.Intersects(long))
	require.Equal(t, []int{3}, slices.Collect(short.Common(long)))
	require.False(t, short.Intersect(long))
	require.False(t, long.Unite(short))
	long.Subtract(short)
	require.Equal(t, []int{99}, slices.Collect(long.All()))
}

func TestFull(t *testing.T) {
	for n := range 130 {
		s := bitset.Full[int32](n)
		require.Len(t, s, bitset.Words(n))
		require.Equal(t, n, s.Len())
	}
}

// TestStop ends an iteration before its end.
func TestStop(t *testing.T) {
	s := bitset.Full[int](100)
	for n := range s.All() {
		require.LessOrEqual(t, n, 70)
		if n == 70 {
			break
		}
	}
	for n := range s.Common(s) {
		require.LessOrEqual(t, n, 70)
		if n == 70 {
			break
		}
	}
	for n := range s.Except(bitset.New[int](100)) {
		require.LessOrEqual(t, n, 70)
		if n == 70 {
			break
		}
	}
}

func Example() {
	seen := bitset.New[uint32](100)
	fmt.Println(seen.Add(64), seen.Add(3), seen.Add(3))
	for n := range seen.All() {
		fmt.Println(n)
	}
	// Output:
	// true true false
	// 3
	// 64
}
