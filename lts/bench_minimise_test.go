package lts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// The families of the benchmarks of quotients: random transitions, interleaved cycles of which one is
// visible, and a chain of one-place buffers for two values.

func randomFamily(states, edges int) *LTS {
	r := rand.New(rand.NewPCG(1, 1))
	b := NewBuilder(NewActions())
	b.AddStates(states)
	for i := range edges {
		from := State(r.IntN(states))
		to := State(r.IntN(states))
		if i+1 < states {
			from, to = State(r.IntN(i+1)), State(i+1) // all states are reachable
		}
		b.AddEdge(from, Action(r.IntN(11)), to)
	}
	return b.Build()
}

func interleavedFamily(processes, length int) *LTS {
	table := NewActions()
	ms := make([]*LTS, processes)
	for p := range ms {
		b := NewBuilder(table)
		b.AddStates(length)
		for s := range length {
			a := Tau
			if p == 0 {
				a = table.Intern(fmt.Sprint("a", s))
			}
			b.AddEdge(State(s), a, State((s+1)%length))
		}
		ms[p] = b.Build()
	}
	return composed(ms...)
}

func bufferFamily(n int) *LTS {
	table := NewActions()
	ms := make([]*LTS, n)
	for i := range ms {
		in, out := fmt.Sprint("pass", i), fmt.Sprint("pass", i+1)
		ms[i] = parse(table, fmt.Sprintf("e -%[1]s_0-> x; e -%[1]s_1-> y; x -%[2]s_0-> e; y -%[2]s_1-> e", in, out))
	}
	last := fmt.Sprint("pass", n)
	return Hide(composed(ms...), []Action{table.Intern("pass0_0"), table.Intern("pass0_1"),
		table.Intern(last + "_0"), table.Intern(last + "_1")})
}

func benchmarkMinimize(b *testing.B, m *LTS, r Relation) {
	b.Helper()
	b.ReportAllocs()
	states := 0
	for b.Loop() {
		q, err := Minimize(context.Background(), m, r, Limits{})
		if err != nil {
			b.Fatal(err)
		}
		states = q.NumStates()
	}
	b.ReportMetric(float64(m.NumEdges())*float64(b.N)/b.Elapsed().Seconds(), "transitions/s")
	b.ReportMetric(float64(m.NumEdges()), "transitions")
	b.ReportMetric(float64(states), "classes")
}

func BenchmarkMinimize(b *testing.B) {
	for _, family := range []struct {
		name string
		m    *LTS
	}{
		{"random1e4", randomFamily(1_000, 10_000)},
		{"random1e5", randomFamily(10_000, 100_000)},
		{"random1e6", randomFamily(100_000, 1_000_000)},
		{"interleaved", interleavedFamily(6, 7)},
		{"buffers", bufferFamily(10)},
	} {
		for _, r := range []Relation{StrongBisim, BranchingBisim, DivergenceBranchingBisim} {
			b.Run(family.name+"/"+r.String(), func(b *testing.B) { benchmarkMinimize(b, family.m, r) })
		}
	}
	m := bufferFamily(6)
	for _, r := range []Relation{WeakBisim, WeakTraceEq} {
		b.Run("buffers6/"+r.String(), func(b *testing.B) { benchmarkMinimize(b, m, r) })
	}
}

// stairs are n states in a row by τ; the k-th can also enter a chain of length k. All are different, and
// signatures find out from one end on, while what each finds is known to all above it.
func stairs(n int) *LTS {
	b := NewBuilder(NewActions())
	b.AddStates(2 * n)
	for k := range State(n) {
		b.AddEdge(2*k, 1, 2*k+1)
		if k > 0 {
			b.AddEdge(2*k, Tau, 2*k-2)
			b.AddEdge(2*k+1, 2, 2*k-1)
		}
	}
	return b.Build()
}

// BenchmarkBunchPartition is the way to classes that is taken where signatures take too many rounds,
// also where they do not.
func BenchmarkBunchPartition(b *testing.B) {
	for _, family := range []struct {
		name string
		m    *LTS
	}{
		{"random1e5", randomFamily(10_000, 100_000)},
		{"random1e6", randomFamily(100_000, 1_000_000)},
		{"interleaved", interleavedFamily(6, 7)},
		{"buffers", bufferFamily(10)},
		{"stairs1e4", stairs(10_000)},
		{"stairs1e5", stairs(100_000)},
	} {
		small, _ := withoutCycles(family.m, false)
		b.Run(family.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bunchPartition(context.Background(), small, true); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(small.NumEdges())*float64(b.N)/b.Elapsed().Seconds(), "transitions/s")
		})
	}
}
