package embedded_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"magus/smt/expr"
	"magus/smt/smtlib"
	"magus/smt/solver"
	"magus/smt/solvertest"
)

// queries draws conjunctions as predicate abstraction asks them: n literals
// over v variables, comparisons with small constants and with each other.
func queries(p *expr.Pool, v, n int) [][]*expr.Expr {
	r := rand.New(rand.NewPCG(11, 12))
	vars := make([]*expr.Expr, v)
	for i := range vars {
		vars[i] = p.Var(fmt.Sprint("x", i), expr.Int32)
	}
	qs := make([][]*expr.Expr, 500)
	for i := range qs {
		for range n {
			x, y := vars[r.IntN(v)], vars[r.IntN(v)]
			if x == y || r.IntN(3) > 0 {
				y = p.Int(expr.Int32, int64(r.IntN(16)))
			}
			f := p.Eq(x, y)
			if r.IntN(2) == 0 {
				f = p.Lt(x, y)
			}
			if r.IntN(2) == 0 {
				f = p.Not(f)
			}
			qs[i] = append(qs[i], f)
		}
	}
	return qs
}

var sizes = []struct{ vars, lits int }{{4, 4}, {10, 8}, {20, 15}}

func benchmark(b *testing.B, open solver.Factory) {
	for _, z := range sizes {
		b.Run(fmt.Sprintf("vars=%d/lits=%d", z.vars, z.lits), func(b *testing.B) {
			p := expr.NewPool()
			qs := queries(p, z.vars, z.lits)
			s, err := open(p)
			if err != nil {
				b.Skip(err)
			}
			b.ReportAllocs()
			sat := 0
			for i := 0; b.Loop(); i++ {
				r, err := s.Check(context.Background(), qs[i%len(qs)]...)
				if err != nil {
					b.Fatal(err)
				}
				if r == solver.Sat {
					sat++
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "queries/s")
			b.ReportMetric(float64(sat)/float64(b.N), "sat/query")
		})
	}
}

func BenchmarkQueryOrder(b *testing.B) { benchmark(b, solvertest.Embedded) }

func BenchmarkQueryBitblast(b *testing.B) { benchmark(b, blast) }

func BenchmarkQueryZ3(b *testing.B) { benchmark(b, smtlib.Config{Kind: "z3"}.Factory()) }

// BenchmarkEnumerate enumerates what eight related predicates can be
// together.
func BenchmarkEnumerate(b *testing.B) {
	for _, c := range []struct {
		name string
		open solver.Factory
	}{{"order", solvertest.Embedded}, {"bitblast", blast}} {
		b.Run(c.name, func(b *testing.B) {
			p := expr.NewPool()
			x, y := p.Var("x", expr.Int32), p.Var("y", expr.Int32)
			terms := []*expr.Expr{p.Lt(x, y), p.Eq(x, y)}
			for k := range 3 {
				c := p.Int(expr.Int32, int64(3*k))
				terms = append(terms, p.Eq(x, c), p.Lt(y, c))
			}
			s, err := c.open(p)
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for b.Loop() {
				if err := solver.Enumerate(context.Background(), s, terms, nil, func([]bool) bool {
					n++
					return true
				}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)/float64(b.N), "combinations")
		})
	}
}
