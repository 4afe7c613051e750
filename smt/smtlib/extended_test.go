package smtlib_test

import (
	"math/rand/v2"
	"testing"

	"magus/internal/sample"
	"magus/smt/expr"
	"magus/smt/smtlib"
	"magus/smt/softfloat"
	"magus/smt/solver"

	"github.com/stretchr/testify/require"
)

// extendedNumber are the words of a number of 80 or 128 bits: of any exponent, near 1, at a boundary, and for 80 bits
// also such that are no number.
func extendedNumber(r *rand.Rand, t expr.Type) softfloat.Pair {
	high, low := uint64(r.IntN(1<<16)), r.Uint64()
	switch r.IntN(5) {
	case 0:
		high = high&0x8000 | []uint64{0, 1, 0x7ffe, 0x7fff, 0x3fff}[r.IntN(5)]
	case 1, 2:
		high = high&0x8000 | uint64(0x3fff+r.IntN(130)-65)
	}
	if r.IntN(3) == 0 {
		low = []uint64{0, 1, 1 << 63, 1<<63 | 1, 3 << 62, ^uint64(0)}[r.IntN(6)]
	}
	if t == expr.Float80 {
		if r.IntN(4) > 0 && high&0x7fff != 0 {
			low |= 1 << 63
		}
		return softfloat.Pair{High: high, Low: low}
	}
	return softfloat.Pair{High: high<<48 | r.Uint64()>>16&-uint64(r.IntN(2)), Low: low}
}

// TestExtended: numbers of 80 and 128 bits are those of the solvers' theory of floating point, which cvc5 has where it
// is told so. What an operation gives for variables that have some values is what the software gives for these.
func TestExtended(t *testing.T) {
	for _, kind := range []string{"z3", "cvc5"} {
		t.Run(kind, func(t *testing.T) {
			config := installed(t, kind)
			if kind == "cvc5" {
				config.Args = []string{"--lang=smt2", "--incremental", "--fp-exp"}
			}
			r := rand.New(rand.NewPCG(sample.Seed(0), 80))
			for i := range sample.Count(6) {
				extendedLaw(t, config, r, []expr.Type{expr.Float80, expr.Float128}[i%2])
			}
		})
	}
}

// TestOtherFormats: cvc5 has only those of float and double, and is not asked about others.
func TestOtherFormats(t *testing.T) {
	p := expr.NewPool()
	s, err := smtlib.New(p, installed(t, "cvc5"))
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	h := p.Var("h", expr.Float16)
	_, err = s.Check(t.Context(), p.FLt(h, p.FNeg(h)))
	require.ErrorIs(t, err, smtlib.ErrUnknown)
	d := p.Var("d", expr.Float64)
	is, err := s.Check(t.Context(), p.FLt(d, p.FNeg(d)))
	require.NoError(t, err)
	require.Equal(t, solver.Sat, is)
}

// extendedLaw compares one operation for some numbers.
func extendedLaw(t *testing.T, config smtlib.Config, r *rand.Rand, typ expr.Type) {
	t.Helper()
	p := expr.NewPool()
	s, err := smtlib.New(p, config)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	var vars, vals []*expr.Expr
	highType, lowType := expr.WordTypes(typ)
	is := p.True()
	for _, name := range []string{"a", "b", "c"} {
		high, low := p.Var(name+"h", highType), p.Var(name+"l", lowType)
		val := p.XConst(typ, extendedNumber(r, typ))
		vh, vl := val.Words()
		is = p.Land(is, p.Eq(high, vh), p.Eq(low, vl))
		vars, vals = append(vars, p.XPair(high, low)), append(vals, val)
	}
	d, n := p.Var("d", expr.Float64), p.Var("n", expr.Int64)
	dv, nv := p.Const(expr.Float64, r.Uint64()), p.Const(expr.Int64, r.Uint64())
	is = p.Land(is, p.Eq(d, dv), p.Eq(n, nv))
	m := r.IntN(5)
	want, got := extendedResults(p, m, vals, dv, nv), extendedResults(p, m, vars, d, n)
	s.Assert(is)
	i := r.IntN(len(want))
	require.True(t, want[i].IsConst(), "%v", want[i])
	for answer, c := range map[solver.Result]*expr.Expr{solver.Sat: p.Eq(want[i], got[i]),
		solver.Unsat: p.Not(p.Eq(want[i], got[i]))} {
		is, err := s.Check(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, answer, is, "%v of %v, mode %v", got[i], vals, softfloat.Mode(m))
	}
}

// extendedResults are the words, numbers and truths that operations give.
func extendedResults(p *expr.Pool, mode int, x []*expr.Expr, d, n *expr.Expr) (all []*expr.Expr) {
	m := p.Rounding(softfloat.Mode(mode))
	other := expr.Float80
	if x[0].Type() == other {
		other = expr.Float128
	}
	for _, pair := range []*expr.Expr{
		p.XOperation(expr.XAdd, m, x[0], x[1]), p.XOperation(expr.XMul, m, x[0], x[1]),
		p.XOperation(expr.XDiv, m, x[0], x[1]), p.XOperation(expr.XSqrt, m, x[2]), p.XOperation(expr.XRound, m, x[0]),
		p.XConvert(m, other, x[1]), p.XFrom(x[0].Type(), d), p.XFrom(x[0].Type(), n),
		p.XOperation(expr.XAdd, m, p.XNeg(x[0]), p.XAbs(x[1])),
	} {
		high, low := pair.Words()
		all = append(all, high, low)
	}
	zero := p.Rounding(softfloat.TowardZero)
	return append(all, p.XToF(m, expr.Float32, x[0]), p.XToF(m, expr.Float64, x[1]),
		p.XToInt(zero, expr.Int32, x[0]), p.XToInt(zero, expr.Uint64, x[1]), p.XCompare(expr.XLt, x[0], x[1]),
		p.XCompare(expr.XLe, x[1], x[2]), p.XCompare(expr.XEq, x[0], x[2]), p.XIsNaN(x[2]))
}
