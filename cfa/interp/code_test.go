package interp

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
	"magus/smt/expr"
)

// ops are the operators over two operands of one type that is not Bool.
var ops = []expr.Op{expr.Add, expr.Sub, expr.Mul, expr.Div, expr.Rem, expr.And, expr.Or, expr.Xor,
	expr.Shl, expr.Shr, expr.Eq, expr.Lt}

func anyType(t *rapid.T) expr.Type {
	return expr.Type{
		Width:  uint8(rapid.OneOf(rapid.SampledFrom([]int{1, 8, 16, 32, 64}), rapid.IntRange(1, 64)).Draw(t, "width")),
		Signed: rapid.Bool().Draw(t, "signed"),
	}
}

func anyBits(t *rapid.T) uint64 {
	return rapid.OneOf(
		rapid.Uint64Range(0, 70),
		rapid.Map(rapid.IntRange(0, 63), func(n int) uint64 { return 1 << n }),
		rapid.Map(rapid.IntRange(0, 63), func(n int) uint64 { return 1<<n - 1 }),
		rapid.Map(rapid.Uint64Range(0, 70), func(v uint64) uint64 { return -v }),
		rapid.Uint64(),
	).Draw(t, "bits")
}

// Every single operator agrees with expr.Eval, on all operands of small types.
func TestOperatorsOnSmallTypes(t *testing.T) {
	for width := uint8(1); width <= 4; width++ {
		for _, signed := range []bool{false, true} {
			typ := expr.Type{Width: width, Signed: signed}
			p := expr.NewPool()
			x, y := p.Var("x", typ), p.Var("y", typ)
			terms := applications(p, x, y)
			for to := uint8(1); to <= 6; to++ {
				terms = append(terms, p.Cast(expr.Type{Width: to}, x), p.Cast(expr.Type{Width: to, Signed: true}, x))
			}
			for v := range uint64(1) << (2 * width) {
				for _, e := range terms {
					agree(t, e, []*expr.Expr{x, y}, []uint64{typ.Trunc(v), v >> width})
				}
			}
		}
	}
}

// applications are all operators over two variables.
func applications(p *expr.Pool, x, y *expr.Expr) []*expr.Expr {
	terms := []*expr.Expr{p.Neg(x), p.Compl(x)}
	for _, op := range ops {
		terms = append(terms, p.Apply(op, x.Type(), x, y))
	}
	return terms
}

// Every single operator agrees with expr.Eval, for every type.
func TestOperatorsAgreeWithEval(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		p := expr.NewPool()
		typ := anyType(t)
		x, y := p.Var("x", typ), p.Var("y", typ)
		for range 10 {
			vals := []uint64{typ.Trunc(anyBits(t)), typ.Trunc(anyBits(t))}
			for _, e := range append(applications(p, x, y), p.Cast(anyType(t), x)) {
				agree(t, e, []*expr.Expr{x, y}, vals)
			}
		}
	})
}

// Deep terms with shared subterms agree with expr.Eval.
func TestTermsAgreeWithEval(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		p := expr.NewPool()
		typ := anyType(t)
		vars := []*expr.Expr{p.Var("x", typ), p.Var("y", typ), p.Var("b", expr.Bool)}
		vals := []uint64{typ.Trunc(anyBits(t)), typ.Trunc(anyBits(t)), uint64(rapid.IntRange(0, 1).Draw(t, "b"))}
		terms, conds := []*expr.Expr{vars[0], vars[1], p.Const(typ, anyBits(t))}, []*expr.Expr{vars[2]}
		pick := func(from []*expr.Expr) *expr.Expr { return rapid.SampledFrom(from).Draw(t, "operand") }
		for range rapid.IntRange(1, 40).Draw(t, "size") {
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				conds = append(conds, p.Eq(pick(terms), pick(terms)), p.Lt(pick(terms), pick(terms)))
			case 1:
				conds = append(conds, p.Land(pick(conds), p.Not(pick(conds)), pick(conds)), p.Eq(pick(conds), pick(conds)))
			case 2:
				conds = append(conds, p.Lor(pick(conds), pick(conds), p.Not(pick(conds))))
			case 3:
				terms = append(terms, p.Ite(pick(conds), pick(terms), pick(terms)))
			case 4:
				terms = append(terms, p.Cast(typ, p.Cast(anyType(t), pick(terms))))
			default:
				op := rapid.SampledFrom(ops[:10]).Draw(t, "op")
				terms = append(terms, p.Apply(op, typ, pick(terms), pick(terms)))
			}
		}
		agree(t, terms[len(terms)-1], vars, vals)
		agree(t, conds[len(conds)-1], vars, vals)
	})
}

// agree demands that e has one value by the machine's code and by expr.Eval,
// and that the code mentions e's variables.
func agree(t require.TestingT, e *expr.Expr, vars []*expr.Expr, vals []uint64) {
	number := func(v *expr.Expr) int32 {
		for i, w := range vars {
			if v == w {
				return int32(i)
			}
		}
		panic(v)
	}
	c := compile(e, number)
	want := expr.Eval(e, func(v *expr.Expr) uint64 { return vals[number(v)] })
	if got := c.eval(vals); got != want {
		require.Equal(t, want, got, "%v at %v", e, vals)
	}
	require.Len(t, c.vars, len(expr.Vars(e)))
}

// A term of many operands outgrows the registers on the stack.
func TestLongTerm(t *testing.T) {
	p := expr.NewPool()
	x := p.Var("x", expr.Uint64)
	e := x
	for range 100 {
		e = p.Xor(p.Mul(e, e), x)
	}
	agree(t, e, []*expr.Expr{x}, []uint64{12345})
}

func BenchmarkEval(b *testing.B) {
	p := expr.NewPool()
	x, y := p.Var("x", expr.Int32), p.Var("y", expr.Int32)
	e := p.Land(p.Lt(p.Add(x, y), p.Int(expr.Int32, 10)), p.Ne(p.Mul(x, y), p.Int(expr.Int32, 3)))
	c := compile(e, func(v *expr.Expr) int32 { return int32(v.ID() % 2) })
	vals := []uint64{3, 4}
	b.ReportAllocs()
	for b.Loop() {
		c.eval(vals)
	}
}
