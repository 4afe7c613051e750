package actionref

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"magus/lts"
)

// protocol is a random LTS of n states: a hundred kinds of states, each with its own few actions, as
// the control locations of a program are; or τ instead, if asked for.
func protocol(n int, tau bool) *lts.LTS {
	r := rand.New(rand.NewPCG(1, 1))
	table := lts.NewActions()
	b := lts.NewBuilder(table)
	const kinds = 100
	b.AddStates(n)
	for s := range n {
		isTau := tau && s%kinds >= 10
		degree := 1 + s%3
		if isTau && s%kinds != 50 {
			degree = 1
		}
		for k := range degree {
			a := table.Intern(fmt.Sprint("a", s%kinds, ".", k))
			if isTau {
				a = lts.Tau
			}
			b.AddEdge(lts.State(s), a, lts.State((s+1+kinds*r.IntN(n/kinds))%n))
		}
	}
	return b.Build()
}

// regions is a random LTS of n states in regions of 1,000: inside, three τ steps from almost every
// state; every fifth has a visible action into another region, where any state can be entered.
func regions(n int) *lts.LTS {
	r := rand.New(rand.NewPCG(3, 3))
	table := lts.NewActions()
	b := lts.NewBuilder(table)
	const size = 1000
	b.AddStates(n)
	for s := range n {
		region, at := s/size, s%size
		for range min(3, size-1-at) {
			b.AddEdge(lts.State(s), lts.Tau, lts.State(s+1+r.IntN(min(100, size-1-at))))
		}
		if at%5 == 0 {
			k := r.IntN(3)
			to := (region*(k+2) + k + 1) % (n / size)
			b.AddEdge(lts.State(s), table.Intern(fmt.Sprint("a", region%7, ".", k)), lts.State(to*size+r.IntN(size)))
		}
	}
	return b.Build()
}

var benchmarked = []struct {
	name string
	make func() *lts.LTS
}{
	{"visible", func() *lts.LTS { return protocol(100_000, false) }},
	{"chains", func() *lts.LTS { return protocol(100_000, true) }},
	{"regions", func() *lts.LTS { return regions(20_000) }},
}

func BenchmarkWeak(b *testing.B) {
	for _, of := range benchmarked {
		b.Run(of.name, func(b *testing.B) {
			m := of.make()
			b.ReportAllocs()
			var a *Abstraction
			for b.Loop() {
				a = weak(b, m)
			}
			b.ReportMetric(float64(a.NumBlocks()), "blocks")
		})
	}
}

// BenchmarkRefine refines by traces of the quotient of 150 steps, drawn at random.
func BenchmarkRefine(b *testing.B) {
	for _, of := range benchmarked {
		b.Run(of.name, func(b *testing.B) {
			initial := weak(b, of.make())
			b.ReportAllocs()
			splits := 0
			for b.Loop() {
				r := rand.New(rand.NewPCG(2, 2))
				a := initial
				for range 10 {
					refined, infos, err := a.Refine(context.Background(), walk(r, a.Quotient(), 150))
					if err != nil && !errors.Is(err, ErrConcreteTrace) {
						b.Fatal(err)
					}
					splits += len(infos)
					a = refined
				}
			}
			b.ReportMetric(float64(splits)/float64(b.N), "splits")
		})
	}
}
