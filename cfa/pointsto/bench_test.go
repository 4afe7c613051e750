package pointsto

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// system makes a problem of so many inclusions that looks like a program:
// pointers and objects belong to procedures of some forty statements, which use
// their own ones for the most part, a few of their neighbours', and now and
// then one of a dozen globals. The mix is that of C programs: two copies for
// each address taken, load and store. Steps close cycles, through memory too.
func system(inclusions int, seed uint64) *Problem {
	const each = 40
	r := rand.New(rand.NewPCG(seed, 1))
	g := NewProblem()
	globals := []Node{}
	procs := inclusions/each + 1
	nodes := make([][]Node, procs)
	objects := make([][]Object, procs)
	for range 12 {
		globals = append(globals, g.Node())
	}
	for i := range procs {
		for range each / 2 {
			nodes[i] = append(nodes[i], g.Node())
		}
		for range each / 6 {
			o := g.Object(24)
			objects[i] = append(objects[i], o)
			g.Contents(o, 0, g.Node())
			g.Contents(o, 16, g.Node())
		}
	}
	for i := range procs {
		node := func() Node {
			switch k := r.IntN(200); {
			case k == 0 && i%40 == 0:
				return globals[r.IntN(len(globals))]
			case k < 4:
				i := min(i+1, procs-1)
				return nodes[i][r.IntN(3)]
			default:
				return nodes[i][r.IntN(each/2)]
			}
		}
		for range each {
			switch k := r.IntN(20); {
			case k < 4:
				g.AddressOf(node(), objects[i][r.IntN(each/6)], 0)
			case k < 11:
				g.Copy(node(), node())
			case k < 12:
				g.Shift(node(), node(), 8*int64(1+r.IntN(2)))
			case k < 16:
				g.Load(node(), node())
			default:
				g.Store(node(), node())
			}
		}
	}
	return g
}

// cycle is one long cycle of copies that closes by a store at the very end; a
// hundred of its nodes have addresses of their own.
func cycle(inclusions int) *Problem {
	g := NewProblem()
	box := g.Object(8)
	first, address := g.Node(), g.Node()
	g.Contents(box, 0, first)
	g.AddressOf(address, box, 0)
	last := first
	for i := range inclusions {
		next := g.Node()
		g.Copy(next, last)
		if i%(inclusions/100) == 0 {
			g.AddressOf(next, g.Object(8), 0)
		}
		last = next
	}
	g.Store(address, last)
	return g
}

// tables is arrays of function pointers whose elements are loaded at an unknown
// index.
func tables(inclusions int) *Problem {
	g := NewProblem()
	for range inclusions / 130 {
		array := g.Object(64 * 8)
		base, element, got := g.Node(), g.Node(), g.Node()
		g.AddressOf(base, array, 0)
		for i := range uint64(64) {
			n := g.Node()
			g.Contents(array, i*8, n)
			g.AddressOf(n, g.Object(0), 0)
		}
		g.AnywhereStep(element, base, 8)
		g.Load(got, element)
	}
	return g
}

func BenchmarkSolve(b *testing.B) {
	for _, kind := range []struct {
		name string
		make func(int) *Problem
	}{
		{"program", func(n int) *Problem { return system(n, 1) }},
		{"cycle", cycle},
		{"tables", tables},
	} {
		for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s-%d", kind.name, n), func(b *testing.B) {
				g := kind.make(n)
				for b.Loop() {
					_, err := g.Solve(context.Background())
					require.NoError(b, err)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/inclusion")
			})
		}
	}
}

// The generated systems are solved as the naive fixpoint does.
func TestSystems(t *testing.T) {
	for seed := range uint64(5) {
		g := system(400, seed)
		want := naive(g)
		sol := solve(t, g)
		for n := range g.nodes {
			got := map[uint32]bool{}
			for x := range sol.sets[sol.of[n]].all() {
				got[key(sol.domain.all[x])] = true
			}
			require.Equal(t, sorted(want[n]), sorted(got), "seed %d, node %d", seed, n)
		}
	}
}
