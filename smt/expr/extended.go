package expr

// Numbers of two words: the x87's 80 bits, C's long double on x86, and quad, C's _Float128. Construction and constant
// folding.
//
// Idea: no term has more than 64 bits, so a number is two terms. Of 80 bits they are the word of its sign and
// exponent (high), of type Uint16, and its significand (low), of type Uint64; of 128 bits both halves, of types
// Int64 (high) and Uint64. An operator takes both words of each operand, whose types say which format it computes
// in, and gives one word of the result, which its own type says; conversions and comparisons give what they say.
// Whoever builds terms has both words in one hand, a term of type Float80 or Float128 with the operator XPair: it
// stands in no other term, and nothing but the functions of this file takes it.
//
// Signs are integers' matter: the highest bit of the high word. What is said of NaNs in float.go holds here too.
// A pattern of 80 bits that is no number of IEEE 754 is a NaN to the operators, and is not changed where it is copied;
// see [softfloat.Explicit].
//
// Conversions from narrower types give 80 bits, exactly; one of those to quad, exact too, follows for quad.
//
// Rules: numbers that were converted from a narrower type, and constants, are compared in that type;
// conversions there and back are taken off. Cost: constant per call.
//
// Left out: remainders, whose circuits have some ten million gates.

import (
	"fmt"

	"magus/smt/softfloat"
)

// The types of [XPair] terms.
var (
	Float80  = Type{Width: 80, Exp: 15}
	Float128 = Type{Width: 128, Exp: 15}
)

// WordTypes are the types of both words of a number.
func WordTypes(t Type) (high, low Type) {
	if t == Float128 {
		return Int64, Uint64
	}
	return Uint16, Uint64
}

// numberOf is the type of a number whose high word has a type.
func numberOf(high Type) Type {
	if high == Int64 {
		return Float128
	}
	return Float80
}

// format is the arithmetic of a type of numbers of two words.
func format(t Type) softfloat.Paired {
	if t == Float128 {
		return softfloat.Quad
	}
	return softfloat.Extended
}

// signOf is the sign in the high word of a type of numbers.
func (p *pairs) signOf(t Type) *Expr {
	high, _ := WordTypes(t)
	return p.Const(high, format(t).SignBit())
}

// XPair is the number with these words, of types Uint16 or Int64 and Uint64.
func (p *pairs) XPair(high, low *Expr) *Expr {
	if high.typ != Uint16 && high.typ != Int64 || low.typ != Uint64 {
		panic(fmt.Sprintf("expr: words of types %v and %v", high.typ, low.typ))
	}
	return p.mk(XPair, numberOf(high.typ), high, low)
}

// XConst is a constant of a type.
func (p *pairs) XConst(t Type, v softfloat.Pair) *Expr {
	high, low := WordTypes(t)
	return p.XPair(p.Const(high, v.High), p.Const(low, v.Low))
}

// Words are the terms of a number: of its sign and exponent, and of its significand.
func (e *Expr) Words() (high, low *Expr) {
	if e.op != XPair {
		panic(fmt.Sprintf("expr: words of %v", e.typ))
	}
	return e.args[0], e.args[1]
}

// XValue is the value of a constant number.
func (e *Expr) XValue() (softfloat.Pair, bool) {
	high, low := e.Words()
	return softfloat.Pair{High: high.val, Low: low.val}, high.op == Const && low.op == Const
}

// XOperation is a number by an operator: XAdd, XMul, XDiv, XFma, XSqrt or XRound. Operands are numbers of one type.
func (p *pairs) XOperation(op Op, mode *Expr, operands ...*Expr) *Expr {
	for _, a := range operands {
		if a.typ != operands[0].typ {
			panic(fmt.Sprintf("expr: operands of types %v and %v", operands[0].typ, a.typ))
		}
	}
	return p.both(op, operands[0].typ, p.words(mode, operands...))
}

// both are the words of what an operator gives, a number of a type.
func (p *pairs) both(op Op, t Type, args []*Expr) *Expr {
	high, low := WordTypes(t)
	return p.XPair(p.extended(op, high, args), p.extended(op, low, args))
}

// words are the operands of an operator.
func (p *pairs) words(mode *Expr, operands ...*Expr) []*Expr {
	var args []*Expr
	if mode != nil {
		rounding(mode)
		args = append(args, mode)
	}
	for _, a := range operands {
		high, low := a.Words()
		args = append(args, high, low)
	}
	return args
}

// XFrom is a floating-point value of up to 64 bits, or an integer, as a number of a type: exactly.
func (p *pairs) XFrom(t Type, a *Expr) *Expr {
	op := XFromInt
	switch {
	case t == Float128:
		return p.XConvert(p.Rounding(softfloat.NearestEven), t, p.XFrom(Float80, a))
	case a.typ.IsFloat():
		op = XFrom
	case a.op == Cast && keepsOrder(a):
		return p.XFrom(t, a.args[0])
	}
	return p.both(op, t, []*Expr{a})
}

// XConvert converts a number to the other type of two words, or to its own.
func (p *pairs) XConvert(m *Expr, t Type, a *Expr) *Expr {
	if a.typ == t {
		return a
	}
	if x := origin(a.Words()); x != nil && t == Float80 {
		return p.XFrom(t, x)
	}
	return p.both(XCast, t, p.words(m, a))
}

// XToF converts to a floating-point type of up to 64 bits.
func (p *pairs) XToF(m *Expr, t Type, a *Expr) *Expr { return p.extended(XToF, t, p.words(m, a)) }

// XToInt converts to an integer type; 0 where [Pool.XInRange] does not hold.
func (p *pairs) XToInt(m *Expr, t Type, a *Expr) *Expr { return p.extended(XToInt, t, p.words(m, a)) }

// XInRange holds where the integer that a is rounded to is one of the type t.
func (p *pairs) XInRange(m *Expr, t Type, a *Expr) *Expr {
	least, most := format(a.typ).IntRange(rounding(m), intType(t))
	return p.Land(p.XCompare(XLe, p.XConst(a.typ, least), a), p.XCompare(XLe, a, p.XConst(a.typ, most)))
}

// XCompare is a comparison by XEq, XLt or XLe; false for NaN.
func (p *pairs) XCompare(op Op, a, b *Expr) *Expr { return p.extended(op, Bool, p.words(nil, a, b)) }

// XNeg is -a.
func (p *pairs) XNeg(a *Expr) *Expr {
	if x := origin(a.Words()); x != nil && x.typ.IsFloat() {
		return p.XFrom(a.typ, p.FNeg(x))
	}
	high, low := a.Words()
	return p.XPair(p.Xor(high, p.signOf(a.typ)), low)
}

// XAbs is a with a clear sign.
func (p *pairs) XAbs(a *Expr) *Expr {
	if x := origin(a.Words()); x != nil && x.typ.IsFloat() {
		return p.XFrom(a.typ, p.FAbs(x))
	}
	high, low := a.Words()
	return p.XPair(p.And(high, p.Const(high.typ, format(a.typ).SignBit()-1)), low)
}

// XIsNegative holds where the sign of a is set, of -0 and of a NaN too.
func (p *pairs) XIsNegative(a *Expr) *Expr {
	high, _ := a.Words()
	if high.typ.Signed {
		return p.Lt(high, p.Const(high.typ, 0))
	}
	return p.Not(p.Lt(high, p.signOf(a.typ)))
}

// XIsNaN holds where a is no number.
func (p *pairs) XIsNaN(a *Expr) *Expr { return p.Not(p.XCompare(XEq, a, a)) }

// XIsInf holds where a is an infinity.
func (p *pairs) XIsInf(a *Expr) *Expr {
	return p.XCompare(XEq, p.XAbs(a), p.XConst(a.typ, format(a.typ).Inf()))
}

// XIsFinite holds where a is a number and no infinity.
func (p *pairs) XIsFinite(a *Expr) *Expr {
	return p.XCompare(XLt, p.XAbs(a), p.XConst(a.typ, format(a.typ).Inf()))
}

// XIsNormal holds where a is finite, not 0 and not subnormal.
func (p *pairs) XIsNormal(a *Expr) *Expr {
	return p.Land(p.XIsFinite(a), p.XCompare(XLe, p.XConst(a.typ, format(a.typ).MinNormal()), p.XAbs(a)))
}

// XIte is one of two numbers.
func (p *pairs) XIte(c, a, b *Expr) *Expr {
	x, y := origin(a.Words()), origin(b.Words())
	if x != nil && y != nil && x.typ == y.typ {
		return p.XFrom(a.typ, p.Ite(c, x, y))
	}
	ah, al := a.Words()
	bh, bl := b.Words()
	return p.XPair(p.Ite(c, ah, bh), p.Ite(c, al, bl))
}

// Origin is what was converted to a number, a floating-point value or an integer, or nil.
func (e *Expr) Origin() *Expr { return origin(e.Words()) }

// origin is what was converted to the number with these words, or nil.
func origin(high, low *Expr) *Expr {
	switch {
	case high.op != low.op:
	case high.op == XCast && sameArgs(high, low):
		return origin(high.args[1], high.args[2])
	case (high.op == XFrom || high.op == XFromInt) && high.args[0] == low.args[0]:
		return high.args[0]
	}
	return nil
}

// extended is the application of an operator to a mode and words, or to what is converted.
func (p *pairs) extended(op Op, t Type, args []*Expr) *Expr {
	vals := make([]uint64, len(args))
	constant := true
	for i, a := range args {
		vals[i] = a.val
		constant = constant && a.op == Const
	}
	if constant {
		return p.Const(t, applyExtended(op, t, args, vals))
	}
	var r *Expr
	switch op {
	case XToF, XToInt:
		r = p.back(op, t, args)
	case XEq, XLt, XLe:
		r = p.compareOrigins(op, args)
	case XAdd, XMul: // of the operands the older one comes first
		if a, b := args[1:3], args[3:5]; b[0].id < a[0].id || b[0] == a[0] && b[1].id < a[1].id {
			args = []*Expr{args[0], b[0], b[1], a[0], a[1]}
		}
	}
	if r != nil {
		return r
	}
	return p.mk(op, t, args...)
}

// back converts a number that was converted before; nil if there is no rule.
func (p *pairs) back(op Op, t Type, args []*Expr) *Expr {
	m, x := args[0], origin(args[1], args[2])
	switch {
	case x == nil:
	case op == XToInt && x.typ.IsFloat():
		return p.FToInt(m, t, x)
	case op == XToInt && keeps(x.typ, t):
		return p.Cast(t, x)
	case op == XToF && !x.typ.IsFloat():
		return p.IntToF(m, t, x)
	case op == XToF && (x.typ != t || p.canonical(x)):
		return p.FCast(m, t, x)
	}
	return nil
}

// compareOrigins is a comparison of numbers that were converted, or of one with a constant; nil if there is no
// rule.
func (p *pairs) compareOrigins(op Op, args []*Expr) *Expr {
	x, y := origin(args[0], args[1]), origin(args[2], args[3])
	constant := func(high, low *Expr) bool { return high.op == Const && low.op == Const }
	switch {
	case x != nil && y != nil:
		return p.compareTwo(op, x, y)
	case x != nil && constant(args[2], args[3]):
		return p.compareConst(op, x, constantPair(args[2], args[3]), false)
	case y != nil && constant(args[0], args[1]):
		return p.compareConst(op, y, constantPair(args[0], args[1]), true)
	}
	return nil
}

// A pairOf is a constant of a type of two words.
type pairOf struct {
	softfloat.Paired
	softfloat.Pair
}

func constantPair(high, low *Expr) pairOf {
	return pairOf{format(numberOf(high.typ)), softfloat.Pair{High: high.val, Low: low.val}}
}

// ordinary are the comparisons of narrower numbers and of integers.
func (p *pairs) ordinary(op Op, x, y *Expr) *Expr {
	if x.typ.IsFloat() {
		return p.compareFloats(FEq+op-XEq, x, y)
	}
	switch op {
	case XEq:
		return p.Eq(x, y)
	case XLt:
		return p.Lt(x, y)
	}
	return p.Le(x, y)
}

// compareTwo is a comparison of what was converted, in a type that has both.
func (p *pairs) compareTwo(op Op, x, y *Expr) *Expr {
	exact := p.Rounding(softfloat.NearestEven)
	switch {
	case x.typ == y.typ:
		return p.ordinary(op, x, y)
	case !x.typ.IsFloat() && !y.typ.IsFloat():
		return nil
	case !x.typ.IsFloat() && embeds(x.typ, y.typ):
		return p.ordinary(op, p.IntToF(exact, y.typ, x), y)
	case !y.typ.IsFloat() && embeds(y.typ, x.typ):
		return p.ordinary(op, x, p.IntToF(exact, x.typ, y))
	case !x.typ.IsFloat() || !y.typ.IsFloat():
		return nil
	case embeds(x.typ, y.typ):
		return p.ordinary(op, p.FCast(exact, y.typ, x), y)
	}
	return p.ordinary(op, x, p.FCast(exact, x.typ, y))
}

// compareConst is x op c, or c op x where below is set, for what was converted.
func (p *pairs) compareConst(op Op, x *Expr, c pairOf, below bool) *Expr {
	if c.IsNaN(c.Pair) {
		return p.False()
	}
	if !x.typ.IsFloat() {
		return p.compareWhole(op, x, c, below)
	}
	f := x.typ.Format()
	up, _ := c.Convert(softfloat.TowardPositive, f, c.Pair)
	down, flags := c.Convert(softfloat.TowardNegative, f, c.Pair)
	exact := flags&softfloat.Inexact == 0
	switch {
	case exact && below:
		return p.ordinary(op, p.Const(x.typ, down), x)
	case exact:
		return p.ordinary(op, x, p.Const(x.typ, down))
	case op == XEq:
		return p.False()
	case below:
		return p.FLe(p.Const(x.typ, up), x)
	}
	return p.FLe(x, p.Const(x.typ, down))
}

// compareWhole is compareConst for an integer x.
func (p *pairs) compareWhole(op Op, x *Expr, c pairOf, below bool) *Expr {
	t := intType(x.typ)
	round := func(m softfloat.Mode) (v *Expr, has, above bool) {
		n, fits, _ := c.ToInt(m, t, c.Pair)
		return p.Const(x.typ, n), fits, c.High&c.SignBit() == 0
	}
	down, hasDown, above := round(softfloat.TowardNegative)
	up, hasUp, _ := round(softfloat.TowardPositive)
	whole := hasDown && hasUp && down == up
	switch {
	case op == XEq && whole:
		return p.Eq(x, down)
	case op == XEq:
		return p.False()
	case whole && below && op == XLt:
		return p.Lt(down, x)
	case whole && !below && op == XLt:
		return p.Lt(x, down)
	case below && hasUp: // c <= x, or c < x where c is no integer
		return p.Le(up, x)
	case below:
		return p.Bool(!above)
	case hasDown:
		return p.Le(x, down)
	}
	return p.Bool(above)
}

// operandType is the type of the numbers that an operator takes.
func operandType(args []*Expr) Type {
	if args[0].typ == Mode {
		args = args[1:]
	}
	return numberOf(args[0].typ)
}

// applyExtended applies an operator to words; args are the operands, of which the types count.
func applyExtended(op Op, t Type, args []*Expr, v []uint64) uint64 {
	exact := softfloat.NearestEven
	switch op {
	case XFrom:
		r, _ := softfloat.Extended.From(exact, args[0].typ.Format(), v[0])
		return word(t, r)
	case XFromInt:
		r, _ := softfloat.Extended.FromInt(exact, intType(args[0].typ), v[0])
		return word(t, r)
	}
	from := operandType(args)
	x := format(from)
	switch op {
	case XEq, XLt, XLe:
		return compareExtended(op, x, softfloat.Pair{High: v[0], Low: v[1]}, softfloat.Pair{High: v[2], Low: v[3]})
	case XCast:
		return word(t, otherFormat(softfloat.Mode(v[0]), from, softfloat.Pair{High: v[1], Low: v[2]}))
	}
	m := softfloat.Mode(v[0])
	operand := func(i int) softfloat.Pair { return softfloat.Pair{High: v[2*i+1], Low: v[2*i+2]} }
	var r softfloat.Pair
	switch op {
	case XAdd:
		r, _ = x.Add(m, operand(0), operand(1))
	case XMul:
		r, _ = x.Mul(m, operand(0), operand(1))
	case XDiv:
		r, _ = x.Div(m, operand(0), operand(1))
	case XFma:
		r, _ = x.Fma(m, operand(0), operand(1), operand(2))
	case XSqrt:
		r, _ = x.Sqrt(m, operand(0))
	case XRound:
		r, _ = x.RoundToIntegral(m, operand(0))
	case XToF:
		r, _ := x.Convert(m, t.Format(), operand(0))
		return r
	case XToInt:
		r, _, _ := x.ToInt(m, intType(t), operand(0))
		return r
	default:
		panic(fmt.Sprintf("expr: operator %d is not of two words", op))
	}
	return word(t, r)
}

// otherFormat is a number in the other format of two words.
func otherFormat(m softfloat.Mode, from Type, a softfloat.Pair) softfloat.Pair {
	if from == Float128 {
		r, _ := softfloat.Quad.ToExplicit(m, softfloat.Extended, a)
		return r
	}
	r, _ := softfloat.Quad.FromExplicit(m, softfloat.Extended, a)
	return r
}

func compareExtended(op Op, x softfloat.Paired, a, b softfloat.Pair) uint64 {
	var is bool
	switch op {
	case XEq:
		is, _ = x.Eq(a, b)
	case XLt:
		is, _ = x.Lt(a, b)
	case XLe:
		is, _ = x.Le(a, b)
	}
	return b2u(is)
}

// word is that of a number which a type stands for.
func word(t Type, v softfloat.Pair) uint64 {
	if t == Uint64 {
		return v.Low
	}
	return v.High
}
