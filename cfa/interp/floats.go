package interp

// Floating point: the arithmetic of package softfloat, in the mode that an operation is in. Which
// operation is meant, and what its operands are, is read anew here, as for integers.

import (
	"fmt"

	"magus/smt/expr"
	"magus/smt/softfloat"
)

// modeOf takes the rounding mode off the operands of a term, if it has one.
func modeOf(e *expr.Expr) (mode uint64, args []*expr.Expr) {
	args = e.Args()
	if e.Op() >= expr.FAdd && len(args) > 0 && args[0].Type() == expr.Mode {
		return args[0].Value(), args[1:]
	}
	return 0, args
}

// applyFloat is the result of an operator of floating point.
func (in *instr) applyFloat(a, b, c uint64) uint64 {
	m := softfloat.Mode(in.val)
	if in.op == expr.IntToF {
		v, _ := in.to.Format().FromInt(m, number(in.typ), a)
		return v
	}
	if in.op == expr.FFrom || in.op == expr.FBits {
		return a
	}
	f := in.typ.Format()
	var v uint64
	switch in.op {
	case expr.FNeg:
		return f.Neg(a)
	case expr.FAbs:
		return f.Abs(a)
	case expr.FAdd:
		v, _ = f.Add(m, a, b)
	case expr.FMul:
		v, _ = f.Mul(m, a, b)
	case expr.FDiv:
		v, _ = f.Div(m, a, b)
	case expr.FFma:
		v, _ = f.Fma(m, a, b, c)
	case expr.FSqrt:
		v, _ = f.Sqrt(m, a)
	case expr.FRem:
		v, _ = f.Rem(a, b)
	case expr.FMod:
		v, _ = f.Mod(a, b)
	case expr.FRound:
		v, _ = f.RoundToIntegral(m, a)
	case expr.FCast:
		v, _ = f.Convert(m, in.to.Format(), a)
	case expr.FToInt:
		i, fits, _ := f.ToInt(m, number(in.to), a)
		if fits {
			v = i
		}
	default:
		v = in.compareFloats(f, a, b)
	}
	return cut(in.to, v)
}

func (in *instr) compareFloats(f softfloat.Format, a, b uint64) uint64 {
	var is bool
	switch in.op {
	case expr.FEq:
		is, _ = f.Eq(a, b)
	case expr.FLt:
		is, _ = f.Lt(a, b)
	case expr.FLe:
		is, _ = f.Le(a, b)
	default:
		panic(fmt.Sprintf("interp: operator %d is not of floating point", in.op))
	}
	return truth(is)
}

func number(t expr.Type) softfloat.Int { return softfloat.Int{Width: t.Width, Signed: t.Signed} }

// applyExtended is the result of an operator of numbers of two words, its operands being in these registers.
func (in *instr) applyExtended(regs []uint64, words []int32) uint64 {
	m := softfloat.Mode(in.val)
	n := func(i int) softfloat.Pair { return softfloat.Pair{High: regs[words[2*i]], Low: regs[words[2*i+1]]} }
	var x softfloat.Paired = softfloat.Extended
	if in.typ == expr.Int64 {
		x = softfloat.Quad
	}
	var v softfloat.Pair
	switch in.op {
	case expr.XAdd:
		v, _ = x.Add(m, n(0), n(1))
	case expr.XMul:
		v, _ = x.Mul(m, n(0), n(1))
	case expr.XDiv:
		v, _ = x.Div(m, n(0), n(1))
	case expr.XFma:
		v, _ = x.Fma(m, n(0), n(1), n(2))
	case expr.XSqrt:
		v, _ = x.Sqrt(m, n(0))
	case expr.XRound:
		v, _ = x.RoundToIntegral(m, n(0))
	case expr.XFrom:
		v, _ = softfloat.Extended.From(softfloat.NearestEven, in.typ.Format(), regs[words[0]])
	case expr.XFromInt:
		v, _ = softfloat.Extended.FromInt(softfloat.NearestEven, number(in.typ), regs[words[0]])
	case expr.XCast:
		if x == softfloat.Quad {
			v, _ = softfloat.Quad.ToExplicit(m, softfloat.Extended, n(0))
		} else {
			v, _ = softfloat.Quad.FromExplicit(m, softfloat.Extended, n(0))
		}
	case expr.XToF:
		bits, _ := x.Convert(m, in.to.Format(), n(0))
		return bits
	case expr.XToInt:
		i, fits, _ := x.ToInt(m, number(in.to), n(0))
		if !fits {
			return 0
		}
		return i
	default:
		return in.comparePairs(x, n(0), n(1))
	}
	if in.to == expr.Uint64 {
		return v.Low
	}
	return v.High
}

func (in *instr) comparePairs(x softfloat.Paired, a, b softfloat.Pair) uint64 {
	var is bool
	switch in.op {
	case expr.XEq:
		is, _ = x.Eq(a, b)
	case expr.XLt:
		is, _ = x.Lt(a, b)
	case expr.XLe:
		is, _ = x.Le(a, b)
	default:
		panic(fmt.Sprintf("interp: operator %d is not of numbers of two words", in.op))
	}
	return truth(is)
}
