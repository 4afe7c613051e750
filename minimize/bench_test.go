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
				benchmark(b, func() Strategy { return Exact(Options{}) }, size.n, size.paths, relevant)
			})
		}
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
