package linear_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/param/linear"
)

func randomAtoms(r *rand.Rand, n, count int) []linear.Atom {
	atoms := make([]linear.Atom, count)
	for i := range atoms {
		atoms[i] = linear.Atom{Coef: make([]int64, n), Bound: r.Int64N(9) - 4}
		for j := range n {
			if r.IntN(2) == 0 {
				atoms[i].Coef[j] = r.Int64N(5) - 2
			}
		}
	}
	return atoms
}

// points are all points of a small box that satisfy the atoms.
func points(n int, atoms []linear.Atom) (all [][]int64) {
	x := make([]int64, n)
	var set func(i int)
	set = func(i int) {
		if i == n {
			for _, a := range atoms {
				if !a.Holds(x) {
					return
				}
			}
			all = append(all, append([]int64(nil), x...))
			return
		}
		for x[i] = 0; x[i] <= 6; x[i]++ {
			set(i + 1)
		}
		x[i] = 0
	}
	set(0)
	return all
}

// What is claimed of random conjunctions is true of their points in a box.
func TestAgainstPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	empties, implied, found, separated := 0, 0, 0, 0
	for range 1500 {
		n := 1 + r.IntN(3)
		atoms, extra := randomAtoms(r, n, 1+r.IntN(4)), randomAtoms(r, n, 1)[0]
		all := points(n, atoms)
		if linear.Empty(atoms) {
			empties++
			require.Empty(t, all, "%v", atoms)
		}
		if linear.Implies(atoms, extra) {
			implied++
			for _, x := range all {
				require.True(t, extra.Holds(x), "%v ⇒ %v at %v", atoms, extra, x)
			}
		}
		v, solved, empty := linear.Solve(n, atoms)
		require.Equal(t, linear.Empty(atoms), empty)
		require.Equal(t, !empty, solved)
		low, vertices := linear.Minimum(n, atoms, nil)
		if solved {
			vertices = append(vertices, v)
			again, _ := linear.Minimum(n, atoms, vertices)
			require.Equal(t, low, again, "%v", atoms)
		}
		for _, v := range vertices {
			for _, a := range atoms {
				require.True(t, v.Satisfies(a), "%v at %v", a, v)
				require.False(t, v.Violates(a), "%v at %v", a, v)
			}
			if linear.Implies(atoms, extra) {
				require.False(t, v.Violates(extra), "%v at %v", extra, v)
			}
		}
		for _, x := range all {
			for i := range x {
				require.GreaterOrEqual(t, x[i], low[i], "%v", atoms)
			}
			require.NotEqual(t, extra.Holds(x), extra.Negate().Holds(x))
			require.Equal(t, extra.Holds(x), extra.Tighten().Holds(x))
		}
		x, ok := linear.Point(t.Context(), n, atoms)
		require.True(t, ok || len(all) == 0, "%v has the point %v", atoms, all)
		if ok {
			found++
			for _, a := range atoms {
				require.True(t, a.Holds(x), "%v at %v", atoms, x)
			}
		}
		other := randomAtoms(r, n, 1+r.IntN(4))
		if itp, ok := linear.Interpolate(n, atoms, other); ok {
			separated++
			for _, x := range all {
				require.True(t, itp.Holds(x), "%v is not in %v", x, itp)
			}
			for _, x := range points(n, other) {
				require.False(t, itp.Holds(x), "%v is in %v", x, itp)
			}
		} else if len(all) > 0 && len(points(n, other)) > 0 {
			both := append(append([]linear.Atom{}, atoms...), other...)
			require.False(t, linear.Empty(both), "disjoint but not separated: %v, %v", atoms, other)
		}
	}
	for _, n := range []int{empties, implied, found, separated} {
		assert.Greater(t, n, 50)
	}
}

// Hidden variables do not occur in an interpolant: x = 2p and x = 2q + 1 have none over rationals, x = p
// with p ≥ 3 and x ≤ 2 has.
func TestInterpolateHidden(t *testing.T) {
	a := []linear.Atom{{Coef: []int64{1, -1}}, {Coef: []int64{-1, 1}}, {Coef: []int64{0, -1}, Bound: -3}}
	itp, ok := linear.Interpolate(1, a, []linear.Atom{linear.AtMost(1, 0, 2)})
	require.True(t, ok)
	require.Equal(t, linear.AtLeast(1, 0, 3), itp)
}

func TestFormat(t *testing.T) {
	name := func(i int) string { return string(rune('x' + i)) }
	for want, a := range map[string]linear.Atom{
		"x <= y":       {Coef: []int64{1, -1}},
		"x + 2 <= y":   {Coef: []int64{1, -1}, Bound: -2},
		"2*x <= y + 3": {Coef: []int64{2, -1}, Bound: 3},
		"x >= 4":       {Coef: []int64{-1, 0}, Bound: -4},
		"x + y <= 4":   {Coef: []int64{1, 1}, Bound: 4},
		"0 <= -1":      {Coef: []int64{0, 0}, Bound: -1},
		"x + 3*y >= 0": {Coef: []int64{-1, -3}},
	} {
		assert.Equal(t, want, a.Format(name))
	}
}

// Numbers that are too large claim nothing.
func TestTooLarge(t *testing.T) {
	require.False(t, linear.Empty([]linear.Atom{{Coef: []int64{1 << 40}, Bound: 5}, {Coef: []int64{-1 << 40}, Bound: -6}}))
	_, ok := linear.Interpolate(1, []linear.Atom{{Coef: []int64{1 << 40}, Bound: 5}},
		[]linear.Atom{{Coef: []int64{-1 << 40}, Bound: -6}})
	require.False(t, ok)
}
