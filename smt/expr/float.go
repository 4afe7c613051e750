package expr

// Floating-point terms: construction and constant folding.
//
// Idea: a floating-point value is its bit pattern, so that a [Type] with an
// exponent is a bit-vector that the operators of this file read as a number of
// IEEE 754. Eq on such a type is equality of bits; the equality of numbers is
// FEq. The operators of integers refuse these types; FBits and FFrom go between a
// number and its bits, Ite and Eq take all types.
//
// A rounding mode is an operand and must be a constant; a mode that is known at
// run time only is a case distinction over the constants.
//
// WHAT IS OPEN IN C: an operation that gives a NaN gives the one of
// [softfloat.Format.NaN], and FNeg and FAbs change the sign of a NaN as of any
// value. Machines produce NaNs of other signs and payloads. A front end that lets
// a program see the bits or the sign of a NaN that was produced must make them any
// (of what is copied only, they are exact). FToInt is 0 where C leaves the
// behaviour undefined; see [Pool.FInRange].
//
// x - y is x + -y; x > y is y < x. Canonical form: rules hold for every value,
// NaN and -0 included; where an operand may be a NaN other than the one that is
// produced, x + -0 and x * 1 are not x. Cost: constant per call.

import (
	"fmt"

	"magus/smt/softfloat"
)

// Rounding is the constant of a rounding mode.
func (p *numbers) Rounding(m softfloat.Mode) *Expr { return p.Const(Mode, uint64(m)) }

// rounding reads a mode.
func rounding(m *Expr) softfloat.Mode {
	if m.typ != Mode || m.op != Const || m.val >= softfloat.Modes {
		panic(fmt.Sprintf("expr: %v is no rounding mode", m))
	}
	return softfloat.Mode(m.val)
}

func floats(op string, as ...*Expr) {
	for _, a := range as {
		if !a.typ.IsFloat() || a.typ != as[0].typ {
			panic(fmt.Sprintf("expr: %s of %v of type %v", op, a, a.typ))
		}
	}
}

// noFloat panics where an operator of integers is applied to a floating-point value.
func noFloat(op string, a *Expr) {
	if a.typ.IsFloat() {
		panic(fmt.Sprintf("expr: %s of the floating-point term %v", op, a))
	}
}

// fold is the application of a floating-point operator, a constant if its
// operands are.
func (p *words) fold(op Op, t Type, args ...*Expr) *Expr {
	for _, a := range args {
		if a.op != Const {
			return p.mk(op, t, args...)
		}
	}
	vals := make([]uint64, len(args))
	for i, a := range args {
		vals[i] = a.val
	}
	return p.Const(t, applyFloat(op, t, args[len(args)-1].typ, vals))
}

// FAdd is a + b.
func (p *numbers) FAdd(m, a, b *Expr) *Expr {
	floats("+", a, b)
	rounding(m)
	a, b = ordered(a, b)
	if r := p.plainSum(m, a, b); r != nil && a.op != Const {
		return r
	}
	return p.fold(FAdd, a.typ, m, a, b)
}

// FSub is a - b, represented as a + -b.
func (p *numbers) FSub(m, a, b *Expr) *Expr { return p.FAdd(m, a, p.FNeg(b)) }

// FMul is a * b.
func (p *numbers) FMul(m, a, b *Expr) *Expr {
	floats("*", a, b)
	rounding(m)
	a, b = ordered(a, b)
	if r := p.plainProduct(a, b); r != nil && a.op != Const {
		return r
	}
	return p.fold(FMul, a.typ, m, a, b)
}

// FDiv is a / b.
func (p *numbers) FDiv(m, a, b *Expr) *Expr {
	floats("/", a, b)
	rounding(m)
	if by := p.inverse(b); by != nil && a.op != Const {
		return p.FMul(m, a, by)
	}
	return p.fold(FDiv, a.typ, m, a, b)
}

// FFma is a * b + c, rounded once.
func (p *numbers) FFma(m, a, b, c *Expr) *Expr {
	floats("fma", a, b, c)
	rounding(m)
	a, b = ordered(a, b)
	return p.fold(FFma, a.typ, m, a, b, c)
}

// FSqrt is the square root of a.
func (p *numbers) FSqrt(m, a *Expr) *Expr {
	floats("sqrt", a)
	rounding(m)
	return p.fold(FSqrt, a.typ, m, a)
}

// FRem is IEEE 754's remainder of a and b, C's remainder.
func (p *numbers) FRem(a, b *Expr) *Expr {
	floats("remainder", a, b)
	return p.fold(FRem, a.typ, a, b)
}

// FMod is the remainder of the truncated quotient of a and b, C's fmod.
func (p *numbers) FMod(a, b *Expr) *Expr {
	floats("fmod", a, b)
	return p.fold(FMod, a.typ, a, b)
}

// FRound is the integer that a is rounded to, of a's type: by mode C's rint
// (nearest even), round (nearest away), ceil, floor and trunc.
func (p *numbers) FRound(m, a *Expr) *Expr {
	floats("round", a)
	rounding(m)
	if f := a.typ.Format(); a.op == FRound || f.Bias() >= int(f.Prec)-1 && p.isIntegral(a) {
		return a
	}
	return p.fold(FRound, a.typ, m, a)
}

// FNeg is -a.
func (p *words) FNeg(a *Expr) *Expr {
	floats("-", a)
	if a.op == FNeg {
		return a.args[0]
	}
	return p.fold(FNeg, a.typ, a)
}

// FAbs is a with a clear sign.
func (p *numbers) FAbs(a *Expr) *Expr {
	floats("fabs", a)
	switch a.op {
	case FAbs:
		return a
	case FNeg:
		return p.FAbs(a.args[0])
	}
	return p.fold(FAbs, a.typ, a)
}

// FCast converts a to another floating-point type. A NaN becomes the NaN that is
// produced, unless the types are equal.
func (p *numbers) FCast(m *Expr, t Type, a *Expr) *Expr {
	floats("cast", a)
	rounding(m)
	if !t.IsFloat() {
		panic(fmt.Sprintf("expr: cast of %v to %v", a.typ, t))
	}
	if a.typ == t {
		return a
	}
	if r := p.narrowed(m, t, a); r != nil {
		return r
	}
	return p.fold(FCast, t, m, a)
}

// FToInt converts a to an integer type; by mode TowardZero it is C's cast. It is
// 0 where [Pool.FInRange] does not hold.
func (p *numbers) FToInt(m *Expr, t Type, a *Expr) *Expr {
	floats("cast", a)
	rounding(m)
	if t.IsFloat() || t.IsBool() {
		panic(fmt.Sprintf("expr: cast of %v to %v", a.typ, t))
	}
	switch {
	case a.op == FCast && embeds(a.args[1].typ, a.typ):
		return p.FToInt(m, t, a.args[1])
	case a.op == IntToF && embeds(a.args[1].typ, a.typ) && keeps(a.args[1].typ, t):
		return p.Cast(t, a.args[1])
	}
	return p.fold(FToInt, t, m, a)
}

// FInRange holds where the integer that a is rounded to is one of the type t.
// Elsewhere, and for NaN, C leaves the conversion undefined (C11 6.3.1.4).
func (p *numbers) FInRange(m *Expr, t Type, a *Expr) *Expr {
	floats("cast", a)
	least, most := a.typ.Format().IntRange(rounding(m), intType(t))
	return p.Land(p.FLe(p.Const(a.typ, least), a), p.FLe(a, p.Const(a.typ, most)))
}

// IntToF converts an integer to a floating-point type.
func (p *numbers) IntToF(m *Expr, t Type, a *Expr) *Expr {
	noFloat("conversion", a)
	rounding(m)
	if !t.IsFloat() || a.typ.IsBool() {
		panic(fmt.Sprintf("expr: cast of %v to %v", a.typ, t))
	}
	if a.op == Cast && keepsOrder(a) {
		return p.IntToF(m, t, a.args[0])
	}
	return p.fold(IntToF, t, m, a)
}

// FBits is the bit pattern of a floating-point value.
func (p *numbers) FBits(a *Expr) *Expr {
	floats("bits", a)
	switch {
	case a.op == FFrom:
		return a.args[0]
	case a.op == Ite && (a.args[1].op == Const || a.args[2].op == Const):
		return p.Ite(a.args[0], p.FBits(a.args[1]), p.FBits(a.args[2]))
	}
	return p.fold(FBits, a.typ.BitsType(), a)
}

// FFrom is the value of type t with the bit pattern a, an integer of t's width.
func (p *numbers) FFrom(t Type, a *Expr) *Expr {
	noFloat("value of bits", a)
	if !t.IsFloat() || a.typ.Width != t.Width {
		panic(fmt.Sprintf("expr: bits of %v as %v", a.typ, t))
	}
	a = p.Cast(t.BitsType(), a)
	switch {
	case a.op == FBits && a.args[0].typ == t:
		return a.args[0]
	case a.op == Ite && (a.args[1].op == Const || a.args[2].op == Const):
		return p.Ite(a.args[0], p.FFrom(t, a.args[1]), p.FFrom(t, a.args[2]))
	}
	return p.fold(FFrom, t, a)
}

// FIsNaN holds where a is no number.
func (p *numbers) FIsNaN(a *Expr) *Expr { return p.Not(p.FEq(a, a)) }

// FIsInf holds where a is an infinity.
func (p *numbers) FIsInf(a *Expr) *Expr {
	return p.FEq(p.FAbs(a), p.Const(a.typ, a.typ.Format().Inf()))
}

// FIsFinite holds where a is a number and no infinity.
func (p *numbers) FIsFinite(a *Expr) *Expr {
	return p.FLt(p.FAbs(a), p.Const(a.typ, a.typ.Format().Inf()))
}

// FIsNormal holds where a is finite, not 0 and not subnormal.
func (p *numbers) FIsNormal(a *Expr) *Expr {
	return p.Land(p.FIsFinite(a), p.FLe(p.Const(a.typ, a.typ.Format().MinNormal()), p.FAbs(a)))
}

// FIsSubnormal holds where a is subnormal.
func (p *numbers) FIsSubnormal(a *Expr) *Expr {
	f, b := a.typ.Format(), p.FAbs(a)
	return p.Land(p.FLt(b, p.Const(a.typ, f.MinNormal())), p.FLt(p.Const(a.typ, 0), b))
}

// FIsNegative holds where the sign of a is set, of -0 and of a NaN too.
func (p *numbers) FIsNegative(a *Expr) *Expr {
	bits := p.FBits(a)
	return p.Not(p.Lt(bits, p.Const(bits.typ, a.typ.Format().SignBit())))
}

// FCopySign is a with the sign of b.
func (p *numbers) FCopySign(a, b *Expr) *Expr {
	floats("copysign", a, b)
	magnitude := p.FAbs(a)
	return p.Ite(p.FIsNegative(b), p.FNeg(magnitude), magnitude)
}

// FEq is a == b as numbers.
func (p *words) FEq(a, b *Expr) *Expr {
	floats("==", a, b)
	return p.compareFloats(FEq, a, b)
}

// FNe is a != b as numbers: true for NaN.
func (p *words) FNe(a, b *Expr) *Expr { return p.Not(p.FEq(a, b)) }

// FLt is a < b as numbers; false for NaN.
func (p *words) FLt(a, b *Expr) *Expr {
	floats("<", a, b)
	return p.compareFloats(FLt, a, b)
}

// FLe is a <= b as numbers; false for NaN, so that it is not !(b < a).
func (p *words) FLe(a, b *Expr) *Expr {
	floats("<=", a, b)
	return p.compareFloats(FLe, a, b)
}

// FGt is a > b as numbers.
func (p *words) FGt(a, b *Expr) *Expr { return p.FLt(b, a) }

// FGe is a >= b as numbers.
func (p *words) FGe(a, b *Expr) *Expr { return p.FLe(b, a) }

func intType(t Type) softfloat.Int { return softfloat.Int{Width: t.Width, Signed: t.Signed} }

// applyFloat applies a floating-point operator to bit patterns. The result is of
// type t, the last operand of type from.
func applyFloat(op Op, t, from Type, v []uint64) uint64 {
	f := from.Format()
	var r uint64
	switch op {
	case FAdd:
		r, _ = f.Add(softfloat.Mode(v[0]), v[1], v[2])
	case FMul:
		r, _ = f.Mul(softfloat.Mode(v[0]), v[1], v[2])
	case FDiv:
		r, _ = f.Div(softfloat.Mode(v[0]), v[1], v[2])
	case FFma:
		r, _ = f.Fma(softfloat.Mode(v[0]), v[1], v[2], v[3])
	case FSqrt:
		r, _ = f.Sqrt(softfloat.Mode(v[0]), v[1])
	case FRem:
		r, _ = f.Rem(v[0], v[1])
	case FMod:
		r, _ = f.Mod(v[0], v[1])
	case FRound:
		r, _ = f.RoundToIntegral(softfloat.Mode(v[0]), v[1])
	case FNeg:
		r = f.Neg(v[0])
	case FAbs:
		r = f.Abs(v[0])
	case FCast:
		r, _ = f.Convert(softfloat.Mode(v[0]), t.Format(), v[1])
	case FToInt:
		r, _, _ = f.ToInt(softfloat.Mode(v[0]), intType(t), v[1])
	case IntToF:
		r, _ = t.Format().FromInt(softfloat.Mode(v[0]), intType(from), v[1])
	case FBits, FFrom:
		r = v[0]
	default:
		r = compareFloat(op, f, v[0], v[1])
	}
	return r
}

func compareFloat(op Op, f softfloat.Format, a, b uint64) uint64 {
	var holds bool
	switch op {
	case FEq:
		holds, _ = f.Eq(a, b)
	case FLt:
		holds, _ = f.Lt(a, b)
	case FLe:
		holds, _ = f.Le(a, b)
	default:
		panic(fmt.Sprintf("expr: operator %d is not of floating point", op))
	}
	return b2u(holds)
}
