package pointsto

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// band is how far outside of the object offsets are looked at one by one.
const band = 200

// offsets are those that a target stands for, within the band.
func offsets(p target, o *object) []int64 {
	var all []int64
	step := int64(0)
	switch {
	case p.first < 0:
		step = -classes
	case p.first > o.size:
		step = classes
	}
	if step == 0 {
		for at := p.first; at <= p.last; at++ {
			all = append(all, at)
		}
		return all
	}
	for at := p.first; -band <= at && at <= o.size+band; at += step {
		all = append(all, at)
	}
	return all
}

// Arithmetic on targets is arithmetic on each of the offsets they stand for:
// nothing is missing and nothing is too much.
func TestTargetArithmetic(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		g := NewProblem()
		size := uint64(rapid.IntRange(1, 40).Draw(t, "size"))
		obj := g.Object(size)
		for range rapid.IntRange(0, 2).Draw(t, "areas") {
			first := rapid.Uint64Range(0, size).Draw(t, "first")
			g.Merge(obj, first, rapid.Uint64Range(first, size).Draw(t, "last"))
		}
		d := domain{objects: g.objects, number: map[targetKey]uint32{}}
		o := &g.objects[obj]
		n := d.numberOf(obj, rapid.Int64Range(-20, int64(size)+20).Draw(t, "offset"))
		delta := rapid.Int64Range(-60, 60).Draw(t, "delta")
		stride := rapid.Int64Range(1, 24).Draw(t, "stride")

		if p := d.all[n]; p.first != p.last {
			stride = 1 // an area is everywhere
		}
		shifted, scattered := map[uint32]bool{}, map[uint32]bool{}
		for _, at := range offsets(d.all[n], o) {
			shifted[d.numberOf(obj, at+delta)] = true
			for moved := at - 600/stride*stride; moved < at+600; moved += stride {
				scattered[d.numberOf(obj, moved)] = true
			}
		}
		require.Equal(t, sorted(shifted), run(func(yield func(uint32)) { d.shift(n, delta, yield) }), "shift")
		require.Equal(t, sorted(scattered), run(func(yield func(uint32)) { d.anywhere(n, stride, yield) }), "anywhere")
		maps.DeleteFunc(scattered, func(n uint32, _ bool) bool { return !d.all[n].inside(o) })
		require.Equal(t, sorted(scattered), run(func(yield func(uint32)) { d.indexed(n, stride, yield) }), "indexed")
	})
}

func sorted(m map[uint32]bool) []uint32 { return slices.Sorted(maps.Keys(m)) }

// run collects what a function yields.
func run(f func(func(uint32))) []uint32 {
	got := map[uint32]bool{}
	f(func(x uint32) { got[x] = true })
	return sorted(got)
}

func TestFarAway(t *testing.T) {
	g := NewProblem()
	huge, small := g.Object(1<<63), g.Object(16)
	p, q := g.Node(), g.Node()
	g.AddressOf(p, huge, 8)
	g.AddressOf(p, small, 8)
	for _, delta := range []int64{-1 << 63, 1<<63 - 1, 1} {
		r := g.Node()
		g.Shift(r, p, delta)
		g.Shift(q, r, -delta)
		g.Shift(p, q, delta)
	}
	g.AnywhereStep(q, p, 1<<64-8)
	targets := solve(t, g).Targets(q)
	require.Contains(t, targets, Target{huge, 0, maxSize - 1})
	require.Contains(t, targets, at(small, 8))
}
