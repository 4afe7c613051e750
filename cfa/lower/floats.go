package lower

// Floating point.
//
// Idea: a float and a double are terms of their bits, and what C does with them is the
// operation of IEEE 754 in the format of the operands (FLT_EVAL_METHOD 0). Where the program
// changes the rounding mode, an operation that rounds has a term for each mode, and the mode is
// an ordinary variable, that of the model of fesetround; elsewhere numbers are rounded to
// nearest. That numbers are rounded to the type of the operands is told with ILP32, where GCC
// does so only if it is asked to. long double and quad are in extended.go. What has no model
// (complex numbers) is any value, but for constants that become integers or are compared.
//
// Source: C11 6.3.1.4, 6.3.1.5, 6.3.1.8, annex F. Cost: constant for each operation.

import (
	"math"
	"math/big"
	"path"
	"strconv"

	"magus/cfa"
	"magus/cfa/source"
	"magus/cfa/source/libc"
	"magus/smt/expr"
	"magus/smt/softfloat"

	"modernc.org/cc/v4"
)

// floatType is a type of floating point that has a model.
func (l *facts) floatType(t cc.Type) (ctype, bool) {
	switch t.Kind() {
	case cc.Float, cc.Float32:
		return ctype{class: classFloat, typ: expr.Float32}, true
	case cc.Double, cc.Float64, cc.Float32x:
		return ctype{class: classFloat, typ: expr.Float64}, true
	case cc.LongDouble:
		return l.longDouble(), true
	case cc.Float128:
		return ctQuad, true
	case source.HalfKind:
		return ctype{class: classFloat, typ: expr.Float16}, true
	}
	return ctype{}, false
}

// commonFloat is the type that operands are converted to one of which has floating point
// (C11 6.3.1.8).
func commonFloat(a, b ctype) ctype {
	switch {
	case a.class == classOpaque || b.class == classOpaque:
		return ctOpaque
	case a == ctQuad || b == ctQuad:
		return ctQuad
	case a.class == classExtended || b.class == classExtended:
		return ctExtended
	case b.class != classFloat || a.class == classFloat && a.typ.Width >= b.typ.Width:
		return ctype{class: classFloat, typ: a.typ}
	}
	return ctype{class: classFloat, typ: b.typ}
}

// evaluated is the type that an operation is computed in whose operands have a type (FLT_EVAL_METHOD, C11 5.2.4.2.2):
// what it gives has more precision and range than that until it is stored, passed, returned or cast, as GCC has it with
// -fexcess-precision=standard. Models of the library are about their types.
// Those of _Float16 are computed in float at least, as GCC does for x86 without AVX512-FP16.
func (l *terms) evaluated(t ctype, n cc.Node) ctype {
	switch {
	case t.class == classFloat && t.typ == expr.Float16 && l.prog.Evaluation == 0:
		return ctype{class: classFloat, typ: expr.Float32}
	case t.class != classFloat || l.prog.Evaluation == 0 || path.Dir(source.Position(n.Position()).File) == libc.Dir:
		return t
	case l.prog.Evaluation == 1:
		return ctype{class: classFloat, typ: expr.Float64}
	}
	return l.longDouble()
}

// floatLiteral is the number that is nearest to what is written (C11 6.4.4.2).
func (l *terms) floatLiteral(x *cc.PrimaryExpression) value {
	t := l.evaluated(l.ctypeOf(x.Type()), x)
	l.roundsByType(t)
	digits := source.Digits(x)
	if t.class == classExtended {
		v, _, err := pairedFormat(t.typ).Parse(digits, softfloat.NearestEven)
		if err != nil {
			return l.refuse(x, "expression "+source.Text(x), "")
		}
		return value{t, l.Pool.XConst(t.typ, v), nil}
	}
	if t.class != classFloat {
		return value{t, nil, nil}
	}
	f, err := strconv.ParseFloat(digits, int(t.typ.Width))
	if err != nil && !math.IsInf(f, 0) {
		return l.refuse(x, "expression "+source.Text(x), "")
	}
	bits := math.Float64bits(f)
	if t.typ.Width == 32 {
		bits = uint64(math.Float32bits(float32(f)))
	}
	return value{t, l.Pool.Const(t.typ, bits), nil}
}

// roundsByType tells, with ILP32, that numbers of a type are computed in it.
func (l *terms) roundsByType(t ctype) {
	if l.prog.Model == cfa.ILP32 && l.prog.Evaluation == 0 && t.class == classFloat {
		l.Assume(cfa.AboutFloats, cfa.Pos{}, "every operation on floating-point numbers is rounded to their type "+
			"(FLT_EVAL_METHOD 0): compile with -msse2 -mfpmath=sse")
	}
}

// isTrue is C's reading of a value as a condition: it compares unequal to 0, as a NaN does.
func (l *terms) isTrue(x *expr.Expr) *expr.Expr {
	if x.Type().IsFloat() {
		return l.Pool.Not(l.same(x, l.number(x.Type(), 0)))
	}
	return l.Pool.Truth(x)
}

// minus is -x.
func (l *terms) minus(x *expr.Expr) *expr.Expr {
	if x.Type().IsFloat() {
		return l.negative(x)
	}
	return l.Pool.Neg(x)
}

// toZero is the mode of conversions to integers.
func (l *terms) toZero() *expr.Expr { return l.Pool.Rounding(softfloat.TowardZero) }

// libraryRounding is the variable in which the model of fesetround keeps the mode.
const libraryRounding = "libc_rounding"

// The modes, as fenv.h has them.
const (
	modeDown = 0x400
	modeUp   = 0x800
	modeZero = 0xc00
)

// rounded is what an operation gives in the current rounding mode. Where there are threads, the program
// does not change it: the model of fesetround is refused there.
func (l *lowerer) rounded(f func(mode *expr.Expr) *expr.Expr) *expr.Expr {
	o := l.prog.LibraryObject(libraryRounding)
	if o == nil || l.threading.concurrent() || l.objects.evaluatesStatic {
		return f(l.Pool.Rounding(softfloat.NearestEven))
	}
	mode := l.objects.object(o)
	is := func(m uint64) *expr.Expr { return l.Pool.Eq(mode, l.Pool.Const(mode.Type(), m)) }
	r := l.choose(is(modeZero), f(l.Pool.Rounding(softfloat.TowardZero)), f(l.Pool.Rounding(softfloat.NearestEven)))
	r = l.choose(is(modeUp), f(l.Pool.Rounding(softfloat.TowardPositive)), r)
	return l.choose(is(modeDown), f(l.Pool.Rounding(softfloat.TowardNegative)), r)
}

// convertFloat is a conversion from or to floating point. What does not fit an integer type is undefined:
// any value.
func (l *expressions) convertFloat(v value, t ctype, n cc.Node) value {
	switch {
	case t.class == classFloat && v.class == classFloat:
		r := l.toFormat(v.t, t.typ)
		if t.typ.Width < v.t.Type().Width {
			r = l.looked(r, n, v.t)
		}
		return value{t, r, nil}
	case t.class == classFloat && v.class == classInt:
		return value{t, l.rounded(func(m *expr.Expr) *expr.Expr { return l.Pool.IntToF(m, t.typ, v.t) }), nil}
	case t.class == classInt && t.typ == bool1 && !t.cut:
		return value{t, l.Pool.FromBool(bool1, l.isTrue(v.t)), nil}
	case t.class != classInt:
		return l.refuse(n, "a floating-point number where an address is expected", "")
	}
	return l.toInteger(t, l.Pool.FToInt(l.toZero(), t.typ, v.t), l.Pool.FInRange(l.toZero(), t.typ, v.t), n)
}

// toInteger is the integer that a number is converted to where it fits.
func (l *expressions) toInteger(t ctype, whole, fits *expr.Expr, n cc.Node) value {
	if whole.IsConst() && fits.IsTrue() {
		return value{t, whole, nil}
	}
	pos := source.Position(n.Position())
	if l.checksFloats()&cfa.FloatCast != 0 {
		l.faultIf(cfa.FloatCast, l.Pool.Not(fits), "a number that does not fit its type", n)
		return value{t, whole, nil}
	}
	if !fits.IsTrue() {
		l.Assume(cfa.AboutFloats, pos,
			"where a number does not fit the integer type that it is converted to, the result is any value")
	}
	return value{t, l.unless(l.Pool.Not(fits), "converted", "conversion of a number that does not fit",
		whole, pos), nil}
}

// toFormat is a number in another format.
func (l *lowerer) toFormat(x *expr.Expr, t expr.Type) *expr.Expr {
	if x.Type() == t || x.IsConst() && x.Value() == x.Type().Format().NaN() { // NAN, as compilers have it
		return l.Pool.FCast(l.toZero(), t, x)
	}
	if x.Type().Width <= t.Width { // exact
		return l.mayMakeNaN(l.Pool.FCast(l.Pool.Rounding(softfloat.NearestEven), t, x))
	}
	return l.mayMakeNaN(l.rounded(func(m *expr.Expr) *expr.Expr { return l.Pool.FCast(m, t, x) }))
}

// mayNotFit reports whether a cast makes an integer of a number that may not fit its type.
func (l *expressions) mayNotFit(x *cc.CastExpression) bool {
	to := l.ctypeOf(x.Type())
	from := l.ctypeOf(x.CastExpression.Type())
	if from.class == classExtended {
		return true
	}
	if to.class != classInt || to.typ == bool1 || from.class != classFloat {
		return false
	}
	v := l.rvalue(x.CastExpression) // a pure one
	return v.t == nil || !v.t.IsConst() || !l.Pool.FInRange(l.toZero(), to.typ, v.t).IsTrue()
}

// floatOperation is x op y where one has floating point.
func (l *expressions) floatOperation(n cc.Node, op source.BinaryOp, x, y value) value {
	t := l.evaluated(commonFloat(x.ctype, y.ctype), n)
	l.roundsByType(t)
	a, b := l.convert(x, t, n).t, l.convert(y, t, n).t
	if a == nil || b == nil {
		return l.refuse(n, "arithmetic on "+t.typ.String(), "")
	}
	if op >= source.OpEq {
		return value{ctInt, l.Pool.FromBool(expr.Int32, l.compareFloats(op, a, b)), nil}
	}
	var f func(mode *expr.Expr) *expr.Expr
	switch op {
	case source.OpAdd:
		f = func(m *expr.Expr) *expr.Expr { return l.sum(m, a, b) }
	case source.OpSub:
		f = func(m *expr.Expr) *expr.Expr { return l.sum(m, a, l.negative(b)) }
	case source.OpMul:
		f = func(m *expr.Expr) *expr.Expr { return l.product(m, a, b) }
	case source.OpDiv:
		f = func(m *expr.Expr) *expr.Expr { return l.ratio(m, a, b) }
	default:
		return l.refuse(n, "arithmetic on floating-point numbers", "")
	}
	if op == source.OpDiv {
		l.faultIf(cfa.FloatDivision, l.same(b, l.number(t.typ, 0)), "floating-point division by zero", n)
	}
	return value{t, l.mayMakeNaN(l.looked(l.rounded(f), n, a, b)), nil}
}

// stepFloat is a number with 1 added to it or taken from it.
func (l *expressions) stepFloat(n cc.Node, old value, up bool) value {
	op := source.OpSub
	if up {
		op = source.OpAdd
	}
	return l.floatOperation(n, op, old, value{ctInt, l.Pool.Const(expr.Int32, 1), nil})
}

// compareFloats is the truth of a comparison; NaN is not equal to anything, nor less.
func (l *terms) compareFloats(op source.BinaryOp, x, y *expr.Expr) *expr.Expr {
	switch op {
	case source.OpEq:
		return l.same(x, y)
	case source.OpNe:
		return l.Pool.Not(l.same(x, y))
	case source.OpLt:
		return l.less(x, y)
	case source.OpGt:
		return l.less(y, x)
	case source.OpLe:
		return l.atMost(x, y)
	}
	return l.atMost(y, x)
}

// constantFloat is a constant from or to floating point as an initialiser has it; nil where it is undefined.
func (l *objects) constantFloat(v value, t ctype) *expr.Expr {
	if v.class == classFloat && t.class == classInt && !l.Pool.FInRange(l.toZero(), t.typ, v.t).IsTrue() {
		return nil
	}
	if v.class == classExtended && t.class == classInt && !l.Pool.XInRange(l.toZero(), t.typ, v.t).IsTrue() {
		return nil
	}
	return l.expressions.convert(v, t, nil).t
}

// floatConstant is what a floating-point constant without a model becomes as an integer (C11 6.3.1.4), if it is
// one, and fits.
func (l *terms) floatConstant(f *big.Float, t ctype) (value, bool) {
	if f == nil || t.class != classInt || t.cut {
		return value{}, false
	}
	if t.typ == bool1 {
		return value{t, l.Pool.FromBool(bool1, l.Pool.Bool(f.Sign() != 0)), nil}, true
	}
	i, _ := f.Int(nil)
	low, high := new(big.Int).SetUint64(t.typ.Min()), new(big.Int).SetUint64(t.typ.Max())
	if t.typ.Signed {
		low.SetInt64(t.typ.Sext(t.typ.Min()))
	}
	if i.Cmp(low) < 0 || i.Cmp(high) > 0 {
		return value{}, false
	}
	bits := i.Uint64()
	if i.Sign() < 0 {
		bits = uint64(i.Int64())
	}
	return value{t, l.Pool.Const(t.typ, bits), nil}, true
}

// nearestConstant is a constant without a model as a number that has one, where it is known which: it is
// exact, or numbers are always rounded to nearest.
func (l *terms) nearestConstant(f *big.Float, t ctype) (value, bool) {
	if f == nil || t.class != classFloat || f.IsInf() {
		return value{}, false
	}
	r, _ := f.Rat(nil)
	v, flags := t.typ.Format().FromRat(softfloat.NearestEven, r)
	if flags != 0 && l.prog.LibraryObject(libraryRounding) != nil {
		return value{}, false
	}
	if f.Sign() == 0 && f.Signbit() {
		v = t.typ.Format().Neg(v)
	}
	return value{t, l.Pool.Const(t.typ, v), nil}, true
}

// floatComparison is a comparison of such constants, if it is one.
func (l *terms) floatComparison(b *source.BinaryExpr) (value, bool) {
	if l.ctypeOf(b.Left.Type()).class != classOpaque && l.ctypeOf(b.Right.Type()).class != classOpaque {
		return value{}, false
	}
	is, ok := l.prog.Layouts.FloatComparison(b)
	if !ok {
		return value{}, false
	}
	return value{ctInt, l.Pool.FromBool(ctInt.typ, l.Pool.Bool(is)), nil}, true
}
