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
// the control locations of a program are.
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

func BenchmarkInitial(b *testing.B) {
	m := protocol(100_000, false)
	b.ReportAllocs()
	for b.Loop() {
		Initial(m)
	}
}

// BenchmarkVisible has runs of 90 τ steps between visible actions.
func BenchmarkVisible(b *testing.B) {
	m := protocol(100_000, true)
	b.ReportAllocs()
	states := 0
	for b.Loop() {
		v, _ := Visible(m)
		states = v.NumStates()
	}
	b.ReportMetric(float64(states), "kept")
}

// BenchmarkRefine refines by traces of the quotient of 150 steps, drawn at random.
func BenchmarkRefine(b *testing.B) {
	m := protocol(100_000, false)
	initial := Initial(m)
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
}

func BenchmarkSplit(b *testing.B) {
	m := protocol(100_000, false)
	a := Initial(m)
	quotient := a.Quotient()
	act := quotient.Out(quotient.Init())[0].Action
	coarse := a.Split(a.Block(99), m.Out(99)[0].Action)
	b.ReportAllocs()
	for b.Loop() {
		coarse.Split(coarse.Block(m.Init()), act)
	}
}
