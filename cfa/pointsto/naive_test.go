package pointsto

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// naive is the oracle: every inclusion is applied until nothing changes.
func naive(g *Problem) []map[uint32]bool {
	ps := domain{objects: g.objects, number: map[targetKey]uint32{}}
	sets := make([]map[uint32]bool, g.nodes)
	for i := range sets {
		sets[i] = map[uint32]bool{}
	}
	changed := true
	put := func(n Node, x uint32) {
		if !sets[n][x] {
			sets[n][x], changed = true, true
		}
	}
	include := func(dst, src Node) {
		for x := range sets[src] {
			put(dst, x)
		}
	}
	// contents are the nodes at a target, looked for one cell after the other.
	contents := func(x uint32) (nodes []Node) {
		p := ps.all[x]
		if o := g.objects[p.object]; o.open && (p.first < 0 || p.last >= o.size) {
			nodes = append(nodes, World)
		}
		for _, c := range g.objects[p.object].cells {
			if p.first <= c.offset && c.offset <= p.last {
				nodes = append(nodes, c.node)
			}
		}
		return nodes
	}
	for changed {
		changed = false
		for _, c := range g.constraints {
			switch c.op {
			case addressOf:
				put(c.dst, ps.numberOf(c.object, c.delta))
			case copyOf:
				include(c.dst, c.src)
			case shift:
				for x := range sets[c.src] {
					ps.shift(x, c.delta, func(y uint32) { put(c.dst, y) })
				}
			case anywhere:
				for x := range sets[c.src] {
					ps.anywhere(x, c.delta, func(y uint32) { put(c.dst, y) })
				}
			case indexed:
				for x := range sets[c.src] {
					ps.indexed(x, c.delta, func(y uint32) { put(c.dst, y) })
				}
			case load:
				for x := range sets[c.src] {
					for _, n := range contents(x) {
						include(c.dst, n)
					}
				}
			case store:
				for x := range sets[c.dst] {
					for _, n := range contents(x) {
						include(n, c.src)
					}
				}
			}
		}
	}
	// Numbers of the oracle's targets mean nothing to others: give keys.
	for i, s := range sets {
		spots := map[uint32]bool{}
		for x := range s {
			spots[key(ps.all[x])] = true
		}
		sets[i] = spots
	}
	return sets
}

// key tells the targets of small objects apart.
func key(p target) uint32 { return uint32(p.object)<<16 | uint32(uint16(p.first)) }

// random draws a problem; the first nodes and objects after the world are its
// own.
func random(t *rapid.T) *Problem {
	g := NewProblem()
	for range rapid.IntRange(1, 6).Draw(t, "objects") {
		o := g.Object(rapid.SampledFrom([]uint64{0, 4, 8, 16, 20}).Draw(t, "size"))
		if rapid.IntRange(0, 3).Draw(t, "surround") == 0 {
			g.Surround(o)
		}
		if size := uint64(g.objects[o].size); size > 8 && rapid.IntRange(0, 3).Draw(t, "merge") == 0 {
			g.Merge(o, 8, size-rapid.Uint64Range(0, 4).Draw(t, "tail"))
		}
	}
	for range rapid.IntRange(1, 12).Draw(t, "nodes") {
		g.Node()
	}
	node := func() Node { return Node(rapid.IntRange(0, g.nodes-1).Draw(t, "node")) }
	own := func() Node { return Node(rapid.IntRange(1, g.nodes-1).Draw(t, "own")) }
	object := func() Object { return Object(rapid.IntRange(0, len(g.objects)-1).Draw(t, "object")) }
	offset := func() uint64 { return rapid.SampledFrom([]uint64{0, 4, 8, 16}).Draw(t, "offset") }
	for range rapid.IntRange(0, 40).Draw(t, "inclusions") {
		switch rapid.IntRange(0, 9).Draw(t, "op") {
		case 0, 1:
			g.AddressOf(own(), object(), offset())
		case 2:
			if o, at := object(), offset(); g.objects[o].size == 0 || int64(at) < g.objects[o].size {
				g.Contents(o, at, own())
			}
		case 3, 4:
			g.Copy(own(), node())
		case 5:
			g.Shift(own(), own(), rapid.Int64Range(-20, 20).Draw(t, "delta"))
		case 6:
			g.AnywhereStep(own(), own(), rapid.Uint64Range(0, 12).Draw(t, "stride"))
			g.Index(own(), own(), rapid.Uint64Range(0, 12).Draw(t, "stride"))
		case 7:
			g.Load(own(), node())
		case 8:
			g.Store(node(), own())
		case 9:
			if rapid.IntRange(0, 4).Draw(t, "escape") == 0 {
				g.Escape(own())
			}
		}
	}
	return g
}

// The solution is that of the naive fixpoint, and depends on nothing but the
// inclusions: neither on their order, nor on how often they were given.
func TestNaive(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		g := random(t)
		want := naive(g)
		check := func(g *Problem, how string) *Solution {
			sol, err := g.Solve(context.Background())
			require.NoError(t, err)
			for n := range g.nodes {
				got := map[uint32]bool{}
				for x := range sol.sets[sol.of[n]].all() {
					got[key(sol.domain.all[x])] = true
				}
				require.Equal(t, sorted(want[n]), sorted(got), "node %d, %s", n, how)
			}
			return sol
		}
		first := check(g, "as given")
		turned := &Problem{objects: g.objects, nodes: g.nodes, constraints: slices.Concat(g.constraints, g.constraints)}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		r.Shuffle(len(turned.constraints), func(i, j int) {
			c := turned.constraints
			c[i], c[j] = c[j], c[i]
		})
		second := check(turned, "shuffled and repeated")
		for n := range g.nodes {
			require.Equal(t, first.Targets(Node(n)), second.Targets(Node(n)))
		}
	})
}

// An address is a concrete pointer: an offset that may be anything.
type address struct {
	object Object
	offset int64
}

// Statements executed in any order, with concrete pointers, never make one that
// the solution does not have.
func TestConcreteRuns(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		g := random(t)
		sol, err := g.Solve(context.Background())
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		value := make([]*address, g.nodes)
		set := func(n Node, a *address) {
			if a == nil {
				return
			}
			value[n] = a
			if size := g.objects[a.object].size; size == 0 {
				require.Contains(t, sol.Targets(n), at(a.object, 0))
			} else if 0 <= a.offset && a.offset <= size {
				first, last := g.objects[a.object].fold(a.offset)
				require.Contains(t, sol.Targets(n), Target{a.object, uint64(first), uint64(last)})
			} else if g.objects[a.object].open {
				require.Contains(t, sol.Targets(n), at(Unknown, 0))
			}
		}
		for range 300 {
			c := g.constraints[r.IntN(len(g.constraints))]
			switch c.op {
			case addressOf:
				set(c.dst, &address{c.object, c.delta})
			case copyOf:
				set(c.dst, value[c.src])
			case shift:
				if a := value[c.src]; a != nil {
					set(c.dst, &address{a.object, a.offset + c.delta})
				}
			case anywhere, indexed:
				if a := value[c.src]; a != nil {
					to := a.offset + c.delta*int64(r.IntN(9)-4)
					if size := g.objects[a.object].size; c.op == anywhere || size == 0 || 0 <= to && to <= size ||
						g.objects[a.object].open {
						set(c.dst, &address{a.object, to})
					}
				}
			case load:
				for _, cell := range concrete(g, value[c.src]) {
					set(c.dst, value[cell])
				}
			case store:
				for _, cell := range concrete(g, value[c.dst]) {
					set(cell, value[c.src])
				}
			}
		}
	})
}

// concrete are the cells at an address.
func concrete(g *Problem, a *address) (nodes []Node) {
	if a == nil {
		return nil
	}
	if o := g.objects[a.object]; o.open && (a.offset < 0 || a.offset >= o.size) {
		return []Node{World}
	}
	for _, c := range g.objects[a.object].cells {
		if c.offset == a.offset || g.objects[a.object].size == 0 {
			nodes = append(nodes, c.node)
		}
	}
	return nodes
}
