package pointsto

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// members draws a set, some of it dense.
func members(t *rapid.T, label string) map[uint32]bool {
	m := map[uint32]bool{}
	for _, x := range rapid.SliceOfN(rapid.Uint32Range(0, 3000), 0, 60).Draw(t, label) {
		m[x] = true
		m[x/40] = true
	}
	return m
}

func setOf(m map[uint32]bool) *set {
	s := &set{}
	for x := range m {
		s.add(x)
	}
	return s
}

// Sets behave as maps do.
func TestSet(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		a, b := members(t, "a"), members(t, "b")
		minus, both, join := map[uint32]bool{}, map[uint32]bool{}, map[uint32]bool{}
		for x := range a {
			join[x] = true
			if b[x] {
				both[x] = true
			} else {
				minus[x] = true
			}
		}
		for x := range b {
			join[x] = true
		}
		s, u := setOf(a), setOf(b)
		var got set
		check := func(want map[uint32]bool, got *set) {
			require.Equal(t, sorted(want), sorted(slicesToMap(slices.Collect(got.all()))))
			require.True(t, slices.IsSorted(got.keys))
			require.NotContains(t, got.words, uint64(0))
			require.Equal(t, len(want) == 0, got.empty())
		}
		got.minus(s, u)
		check(minus, &got)
		got.both(s, u)
		check(both, &got)
		for x := range uint32(3000) {
			require.Equal(t, a[x], s.has(x))
		}
		s.join(u)
		check(join, s)
		check(b, u)
		for x := range b {
			require.False(t, s.add(x))
		}
	})
}

func slicesToMap(xs []uint32) map[uint32]bool {
	m := map[uint32]bool{}
	for _, x := range xs {
		m[x] = true
	}
	return m
}
