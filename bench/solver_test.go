package bench

// Queries to the decision procedures, in the sizes of predicate abstraction:
// conjunctions of comparisons, with and without arithmetic in them.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/bitblast"
	"magus/smt/expr"
	"magus/smt/order"
	"magus/smt/solver"
	"magus/smt/solvertest"
)

// sizes are the numbers of variables and literals of a query.
var sizes = []struct{ vars, lits int }{{4, 4}, {10, 8}, {20, 15}}

// conjunctions draws queries of n literals over v variables. One literal in
// every (0: none) adds a constant to a variable.
func conjunctions(p *expr.Pool, v, n, every int) [][]*expr.Expr {
	r := rand.New(rand.NewPCG(3, 5))
	vars := make([]*expr.Expr, v)
	for i := range vars {
		vars[i] = p.Var(fmt.Sprint("x", i), expr.Int32)
	}
	literal := func(k int) *expr.Expr {
		x, y := vars[r.IntN(v)], vars[r.IntN(v)]
		if x == y || r.IntN(3) > 0 {
			y = p.Int(expr.Int32, int64(r.IntN(16)))
		}
		if every > 0 && k%every == 0 {
			x = p.Add(x, p.Int(expr.Int32, int64(1+r.IntN(4))))
		}
		f := p.Eq(x, y)
		if r.IntN(2) == 0 {
			f = p.Lt(x, y)
		}
		if r.IntN(2) == 0 {
			f = p.Not(f)
		}
		return f
	}
	queries := make([][]*expr.Expr, 500)
	for i := range queries {
		for k := range n {
			queries[i] = append(queries[i], literal(k))
		}
	}
	return queries
}

func blast(p *expr.Pool) (solver.Full, error) { return bitblast.New(p), nil }

// BenchmarkQuery asks the three procedures. The embedded one answers
// comparisons by order and the rest by bit-blasting.
func BenchmarkQuery(b *testing.B) {
	for _, z := range sizes {
		size := fmt.Sprintf("vars=%d,lits=%d", z.vars, z.lits)
		b.Run("order/comparisons/"+size, func(b *testing.B) { benchmarkOrder(b, z.vars, z.lits) })
		b.Run("bitblast/comparisons/"+size, func(b *testing.B) { benchmarkQueries(b, blast, z.vars, z.lits, 0) })
		b.Run("embedded/comparisons/"+size,
			func(b *testing.B) { benchmarkQueries(b, solvertest.Embedded, z.vars, z.lits, 0) })
		b.Run("embedded/arithmetic/"+size, func(b *testing.B) { benchmarkQueries(b, solvertest.Embedded, z.vars, z.lits, 4) })
	}
}

func benchmarkQueries(b *testing.B, open solver.Factory, vars, lits, every int) {
	p := expr.NewPool()
	queries := conjunctions(p, vars, lits, every)
	s, err := open(p)
	require.NoError(b, err)
	sat, n := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		r, err := s.Check(context.Background(), queries[n%len(queries)]...)
		if err != nil {
			b.Fatal(err)
		}
		if n++; r == solver.Sat {
			sat++
		}
	}
	reportQueries(b, n, sat)
}

func benchmarkOrder(b *testing.B, vars, lits int) {
	p, s := expr.NewPool(), order.New()
	var queries [][]order.Literal
	for _, q := range conjunctions(p, vars, lits, 0) {
		ls := []order.Literal{}
		for _, f := range q {
			if f.IsConst() {
				continue
			}
			l, ok := s.Literal(f, false)
			require.True(b, ok, f)
			ls = append(ls, l)
		}
		queries = append(queries, ls)
	}
	sat, n := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		r := s.Decide(queries[n%len(queries)])
		if n++; r == solver.Sat {
			sat++
		}
	}
	reportQueries(b, n, sat)
}

func reportQueries(b *testing.B, n, sat int) {
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "queries/s")
	b.ReportMetric(float64(sat)/float64(n), "sat/query")
}
