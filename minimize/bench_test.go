package minimize

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// randomTable is a problem in the size of a refinement loop: each path has a few
// eliminating sets of one to three candidates out of a neighbourhood.
func randomTable(n, paths int, seed uint64) *table {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := &table{n: n}
	for range paths {
		base := rng.IntN(n)
		var sets []Set
		for range 1 + rng.IntN(6) {
			var s Set
			for range 1 + rng.IntN(3) {
				s = s.With((base + rng.IntN(12)) % n)
			}
			sets = append(sets, s)
		}
		p.sets = append(p.sets, sets)
	}
	return p
}

func BenchmarkExact(b *testing.B) {
	for _, size := range []struct{ n, paths int }{{60, 60}, {200, 300}, {300, 200}} {
		for _, relevant := range []bool{false, true} {
			b.Run(fmt.Sprintf("%dcandidates/%dpaths/relevant=%t", size.n, size.paths, relevant), func(b *testing.B) {
				benchmark(b, func() Strategy { return NewMinimizer(Options{}) }, size.n, size.paths, relevant)
			})
		}
	}
}

// BenchmarkRefinement is a refinement loop: one path more at each call, with and
// without the memory of the calls before.
func BenchmarkRefinement(b *testing.B) {
	for _, warm := range []bool{true, false} {
		b.Run(fmt.Sprintf("60candidates/60calls/warm=%t", warm), func(b *testing.B) {
			p := randomTable(60, 60, 1)
			tests := 0
			for b.Loop() {
				tests = 0
				m := NewMinimizer(Options{})
				for paths := 1; paths <= 60; paths++ {
					if !warm {
						m = NewMinimizer(Options{})
					}
					r, err := m.Minimize(context.Background(), &table{n: 60, sets: p.sets[:paths]})
					if err != nil {
						b.Fatal(err)
					}
					tests += r.Stats.Tests
				}
			}
			b.ReportMetric(float64(tests), "tests")
		})
	}
}

func BenchmarkGreedy(b *testing.B) {
	benchmark(b, func() Strategy { return Greedy(1) }, 60, 60, false)
}

func BenchmarkEnumerate(b *testing.B) {
	benchmark(b, func() Strategy { return Enumerate(40_000, 0, Options{}) }, 60, 60, false)
}

func benchmark(b *testing.B, strategy func() Strategy, n, paths int, relevant bool) {
	var p Problem = randomTable(n, paths, 1)
	if relevant {
		p = helpful{table: p.(*table)}
	}
	var r Result
	var err error
	for b.Loop() {
		if r, err = strategy().Minimize(context.Background(), p); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(r.Set.Len()), "size")
	b.ReportMetric(float64(r.Stats.Tests), "tests")
	b.ReportMetric(float64(r.Stats.Subsets), "proposals")
	b.ReportMetric(float64(r.Stats.PBCalls), "pbcalls")
	b.ReportMetric(float64(r.Stats.PBConflicts), "conflicts")
}
