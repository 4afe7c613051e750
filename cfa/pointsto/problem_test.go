package pointsto

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// solve is the solution of a problem that has one.
func solve(t testing.TB, g *Problem) *Solution {
	t.Helper()
	sol, err := g.Solve(context.Background())
	require.NoError(t, err)
	return sol
}

// at is a target without an area.
func at(o Object, offset uint64) Target { return Target{o, offset, offset} }

// The example of the package's documentation.
func TestExample(t *testing.T) {
	g := NewProblem()
	s, x := g.Object(16), g.Object(4)
	p, q, a := g.Node(), g.Node(), g.Node()
	g.Contents(s, 8, q)
	g.AddressOf(p, s, 0)
	g.Shift(p, p, 8)
	g.AddressOf(a, x, 0)
	g.Store(p, a)
	sol := solve(t, g)
	require.Equal(t, []Target{at(x, 0)}, sol.Targets(q))
	require.Equal(t, []Target{at(s, 0), at(s, 8), at(s, 16)}, sol.Targets(p))
}

func TestFieldsAreApart(t *testing.T) {
	g := NewProblem()
	s, x, y := g.Object(16), g.Object(4), g.Object(4)
	first, second := g.Node(), g.Node()
	g.Contents(s, 0, first)
	g.Contents(s, 8, second)
	p, px, py, got := g.Node(), g.Node(), g.Node(), g.Node()
	g.AddressOf(p, s, 8)
	g.AddressOf(px, x, 0)
	g.AddressOf(py, y, 0)
	g.Copy(first, px)
	g.Store(p, py)
	g.Load(got, p)
	sol := solve(t, g)
	require.Equal(t, []Target{at(x, 0)}, sol.Targets(first))
	require.Equal(t, []Target{at(y, 0)}, sol.Targets(second))
	require.Equal(t, []Target{at(y, 0)}, sol.Targets(got))
}

// A pointer that leaves the object and comes back finds it again.
func TestPointerComesBack(t *testing.T) {
	for name, c := range map[string]struct {
		steps []int64
		want  []uint64
	}{
		"before the array":      {[]int64{-4, 4}, []uint64{0}},
		"far before":            {[]int64{-16, 16}, []uint64{0, 8}},
		"behind the array":      {[]int64{24, -4}, []uint64{}},
		"behind and back":       {[]int64{24, -24}, []uint64{0, 8, 16}},
		"one past the end":      {[]int64{16}, []uint64{16}},
		"across and back":       {[]int64{-40, 80, -40}, []uint64{0, 8, 16}},
		"never back, wrong way": {[]int64{-4, -4}, []uint64{}},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewProblem()
			array := g.Object(16)
			p := g.Node()
			g.AddressOf(p, array, 0)
			for _, delta := range c.steps {
				q := g.Node()
				g.Shift(q, p, delta)
				p = q
			}
			got := []uint64{}
			for _, target := range solve(t, g).Targets(p) {
				require.Equal(t, array, target.Object)
				got = append(got, target.Offset)
			}
			require.Equal(t, c.want, got)
		})
	}
}

// while (…) *sp++ = x; while (…) y = *--sp: the elements and no byte between.
func TestStackPointerKeepsToElements(t *testing.T) {
	g := NewProblem()
	stack := g.Object(12)
	sp := g.Node()
	g.AddressOf(sp, stack, 0)
	g.Shift(sp, sp, 4)
	g.Shift(sp, sp, -4)
	require.Equal(t, []Target{at(stack, 0), at(stack, 4), at(stack, 8), at(stack, 12)}, solve(t, g).Targets(sp))
}

func TestAnywhere(t *testing.T) {
	g := NewProblem()
	array := g.Object(24)
	p, q, r, s := g.Node(), g.Node(), g.Node(), g.Node()
	g.AddressOf(p, array, 4)
	g.AnywhereStep(q, p, 12)
	g.Anywhere(r, q)
	g.AnywhereStep(s, p, 0)
	sol := solve(t, g)
	require.Equal(t, []Target{at(array, 4), at(array, 16)}, sol.Targets(q))
	require.Len(t, sol.Targets(r), 25)
	require.Equal(t, []Target{at(array, 4)}, sol.Targets(s))
}

// Objects without offsets, merged ranges and objects too large.
func TestOffsetsNotToldApart(t *testing.T) {
	g := NewProblem()
	function, record, large := g.Object(0), g.Object(40), g.Object(1<<40)
	g.Merge(record, 8, 15)
	g.Merge(record, 24, 31)
	g.Merge(record, 12, 19)
	inArray, behind := g.Node(), g.Node()
	g.Contents(record, 16, inArray)
	g.Contents(record, 32, behind)
	f, p, q, x := g.Node(), g.Node(), g.Node(), g.Node()
	g.AddressOf(f, function, 3)
	g.Shift(f, f, 1<<62)
	g.AddressOf(p, record, 9)
	g.Store(p, f)
	g.Shift(q, p, 12)
	g.AddressOf(x, large, 77)
	g.Shift(x, x, 5)
	sol := solve(t, g)
	require.Equal(t, []Target{at(function, 0)}, sol.Targets(f))
	require.Equal(t, []Target{{record, 8, 19}}, sol.Targets(p))
	require.Equal(t, []Target{at(function, 0)}, sol.Targets(inArray))
	require.Empty(t, sol.Targets(behind))
	require.Equal(t, []Target{at(record, 20), at(record, 21), at(record, 22), at(record, 23), {record, 24, 31}},
		sol.Targets(q))
	require.Equal(t, []Target{{large, 0, 1<<40 - 1}, at(large, 1<<40)}, sol.Targets(x))
	require.Panics(t, func() { g.Merge(record, 30, 41) })
	require.Panics(t, func() { g.Contents(record, 40, f) })
}

// A routine without a body is given &box: it may read box.next, write what it
// has into it, and its result may be any of these.
func TestWorld(t *testing.T) {
	g := NewProblem()
	box, item, private := g.Object(16), g.Object(4), g.Object(4)
	next, secret := g.Node(), g.Node()
	g.Contents(box, 8, next)
	g.Contents(private, 0, secret)
	arg, result, through := g.Node(), g.Node(), g.Node()
	g.AddressOf(arg, box, 0)
	g.AddressOf(next, item, 0)
	g.AddressOf(secret, private, 0)
	g.Escape(arg)
	g.Copy(result, World)
	g.Load(through, result)
	sol := solve(t, g)
	for _, n := range []Node{World, result, through, next} {
		targets := sol.Targets(n)
		require.Contains(t, targets, at(Unknown, 0))
		require.Contains(t, targets, at(box, 3))
		require.Contains(t, targets, at(item, 4))
		require.NotContains(t, targets, at(private, 0))
	}
	require.Equal(t, []Target{at(private, 0)}, sol.Targets(secret))

	escaped := g.Node()
	g.AddressOf(escaped, private, 0)
	g.Store(result, escaped) // into Unknown among others
	sol = solve(t, g)
	require.Contains(t, sol.Targets(result), at(private, 0), "solved anew after additions")
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := NewProblem().Solve(ctx)
	require.ErrorIs(t, err, context.Canceled)
}
