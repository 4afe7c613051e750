package dbm_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/param/dbm"
)

const (
	vars = 3
	top  = 5
)

// inside are the points of a box in which bounds hold; index 0 is zero.
func inside(bounds []dbm.Bound) (all [][]int32) {
	for a := int32(0); a <= top; a++ {
		for b := int32(0); b <= top; b++ {
			for c := int32(0); c <= top; c++ {
				x := []int32{0, a, b, c}
				ok := true
				for _, bd := range bounds {
					ok = ok && x[bd.I]-x[bd.J] <= bd.C
				}
				if ok {
					all = append(all, x)
				}
			}
		}
	}
	return all
}

func randomBounds(r *rand.Rand) []dbm.Bound {
	bs := make([]dbm.Bound, 1+r.IntN(5))
	for i := range bs {
		bs[i] = dbm.Bound{I: r.IntN(vars + 1), J: r.IntN(vars + 1), C: r.Int32N(9) - 4}
	}
	return bs
}

func contains(m *dbm.Matrix, x []int32) bool {
	for i := range x {
		for j := range x {
			if c := m.At(i, j); c != dbm.Inf && x[i]-x[j] > c {
				return false
			}
		}
	}
	return true
}

// Every operation does to the points of a small box what it says.
func TestAgainstPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	nonempty := 0
	for range 400 {
		bounds := randomBounds(r)
		m, ok := dbm.New(vars).With(bounds...)
		all := inside(bounds)
		if !ok {
			require.Empty(t, all, "%v", bounds)
			continue
		}
		nonempty++
		for _, x := range all {
			require.True(t, contains(m, x), "%v lost %v", bounds, x)
		}
		for _, x := range inside(nil) {
			if contains(m, x) {
				require.Contains(t, all, x)
			}
		}
		again, ok := dbm.New(vars).With(m.Bounds()...)
		require.True(t, ok)
		require.True(t, again.Includes(m) && m.Includes(again), "%v: %v", bounds, m.Bounds())

		low := m.Least()
		require.True(t, contains(m, []int32{0, int32(low[0]), int32(low[1]), int32(low[2])}))
		up := m.Upward()
		for _, x := range inside(nil) {
			above := int64(x[1]) >= low[0] && int64(x[2]) >= low[1] && int64(x[3]) >= low[2]
			require.Equal(t, above, contains(up, x))
		}
		other, ok := dbm.New(vars).With(randomBounds(r)...)
		if ok && other.Includes(m) {
			for _, x := range all {
				require.True(t, contains(other, x))
			}
		}
		b := randomBounds(r)[0]
		for _, x := range all {
			holds := x[b.I]-x[b.J] <= b.C
			require.False(t, m.Implies(b) && !holds)
			require.False(t, m.Excludes(b) && holds)
		}
		moves(t, r, m)
	}
	require.Greater(t, nonempty, 100)
}

// moves compares Before and After with doing the move.
func moves(t *testing.T, r *rand.Rand, m *dbm.Matrix) {
	ms := make([]dbm.Move, vars)
	for i := range ms {
		if ms[i] = (dbm.Move{Of: i + 1}); r.IntN(2) == 0 {
			ms[i] = dbm.Move{Of: r.IntN(vars + 1), C: r.Int32N(3) - 1}
		}
	}
	before, possible := m.Before(ms)
	after, _ := m.After(ms)
	for _, x := range inside(nil) {
		y, natural := make([]int32, vars+1), true
		for i, move := range ms {
			y[i+1] = x[move.Of] + move.C
			natural = natural && y[i+1] >= 0
		}
		leads := natural && contains(m, y)
		require.Equal(t, leads, possible && contains(before, x), "%v %v", ms, x)
		if natural && contains(m, x) {
			require.True(t, contains(after, y), "%v %v", ms, x)
		}
	}
}
