package invariants

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/smt/expr"
	"magus/smt/solvertest"
)

// What is computed of a term has its value under every valuation within the intervals, and what a
// condition leaves of the intervals has every valuation with which it holds.
func TestIntervalsAgainstEvaluation(t *testing.T) {
	narrower, decided := 0, 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 11))
		g := solvertest.NewGenerator(r, 3, []int{4, 8, 64}[seed%3])
		a := &analysis{graph: &component.Graph{}, pool: g.Pool, index: map[*expr.Expr]int{}}
		var now []interval
		for i, v := range g.Vars {
			a.index[v], a.vars = i, append(a.vars, v)
			x, y := valueIn(r, v.Type()), valueIn(r, v.Type())
			b := all(v.Type())
			if r.IntN(3) > 0 {
				b = interval{min(x, y), max(x, y)}
			}
			now = append(now, b)
		}
		cond := g.Cond(3)
		before := &values{a, slices.Clone(now), nil}
		v := before.of(cond)
		if v.lo == v.hi {
			decided++
		}
		holds := seed%2 == 0
		after := &values{a, slices.Clone(now), nil}
		some := after.assume(cond, holds)
		if some && !slices.Equal(after.now, now) {
			narrower++
		}
		for range 60 {
			val := map[*expr.Expr]uint64{}
			for i, x := range g.Vars {
				val[x] = x.Type().Trunc(uint64(between(r, x.Type(), now[i])))
			}
			env := func(x *expr.Expr) uint64 { return val[x] }
			truth := expr.Eval(cond, env)
			require.True(t, v.lo <= int64(truth) && int64(truth) <= v.hi, "seed %d: %v", seed, cond)
			if (truth == 1) != holds {
				continue
			}
			require.True(t, some, "seed %d: %v", seed, cond)
			for i, x := range g.Vars {
				require.True(t, contains(x.Type(), after.now[i], val[x]), "seed %d: %v of %v leaves %v", seed, cond,
					x, after.now[i])
			}
		}
	}
	assert.Greater(t, narrower, 150)
	assert.Greater(t, decided, 150)
}

// valueIn is a value of a type as intervals hold it.
func valueIn(r *rand.Rand, t expr.Type) int64 {
	b := all(t)
	switch r.IntN(4) {
	case 0:
		return b.lo
	case 1:
		return b.hi
	case 2:
		return min(max(int64(r.IntN(5))-2, b.lo), b.hi)
	}
	return max(between(r, t, b), b.lo)
}

// between is one of an interval's values.
func between(r *rand.Rand, t expr.Type, b interval) int64 {
	if endless(t, b) && r.IntN(3) == 0 {
		return int64(1<<63 | r.Uint64()) // beyond the greatest int64, as a pattern
	}
	switch r.IntN(3) {
	case 0:
		return b.lo
	case 1:
		return b.hi
	}
	if uint64(b.hi-b.lo) == math.MaxUint64 {
		return int64(r.Uint64())
	}
	return b.lo + int64(r.Uint64N(uint64(b.hi-b.lo)+1))
}

// contains reports whether a bit pattern is in an interval.
func contains(t expr.Type, b interval, bits uint64) bool {
	if t == expr.Uint64 && bits > math.MaxInt64 {
		return endless(t, b)
	}
	x := int64(bits)
	if t.Signed {
		x = t.Sext(bits)
	}
	return b.lo <= x && x <= b.hi
}
