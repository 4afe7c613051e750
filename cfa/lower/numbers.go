package lower

// Operations on floating-point numbers, whatever their type: those of two words have terms of their own.

import (
	"magus/smt/expr"
	"magus/smt/softfloat"
)

// isExtended reports whether a term is a number of two words.
func isExtended(x *expr.Expr) bool { return x.Op() == expr.XPair }

// pairedFormat is the arithmetic of a type of numbers of two words.
func pairedFormat(t expr.Type) softfloat.Paired {
	if t == expr.Float128 {
		return softfloat.Quad
	}
	return softfloat.Extended
}

// number is a constant of a type: an integer.
func (l *terms) number(t expr.Type, n int64) *expr.Expr {
	i := l.Pool.Int(expr.Int64, n)
	if t.Width > 64 {
		return l.Pool.XFrom(t, i)
	}
	return l.Pool.IntToF(l.Pool.Rounding(softfloat.NearestEven), t, i)
}

func (l *terms) infinity(t expr.Type) *expr.Expr {
	if t.Width > 64 {
		return l.Pool.XConst(t, pairedFormat(t).Inf())
	}
	return l.Pool.Const(t, t.Format().Inf())
}

func (l *terms) nan(t expr.Type) *expr.Expr {
	if t.Width > 64 {
		return l.Pool.XConst(t, pairedFormat(t).NaN())
	}
	return l.Pool.Const(t, t.Format().NaN())
}

func (l *terms) same(x, y *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XCompare(expr.XEq, x, y)
	}
	return l.Pool.FEq(x, y)
}

func (l *terms) less(x, y *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XCompare(expr.XLt, x, y)
	}
	return l.Pool.FLt(x, y)
}

func (l *terms) atMost(x, y *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XCompare(expr.XLe, x, y)
	}
	return l.Pool.FLe(x, y)
}

func (l *terms) negative(x *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XNeg(x)
	}
	return l.Pool.FNeg(x)
}

func (l *terms) magnitude(x *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XAbs(x)
	}
	return l.Pool.FAbs(x)
}

func (l *terms) isNaN(x *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XIsNaN(x)
	}
	return l.Pool.FIsNaN(x)
}

func (l *terms) isInfinite(x *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XIsInf(x)
	}
	return l.Pool.FIsInf(x)
}

func (l *terms) isFinite(x *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XIsFinite(x)
	}
	return l.Pool.FIsFinite(x)
}

func (l *terms) isNormal(x *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XIsNormal(x)
	}
	return l.Pool.FIsNormal(x)
}

func (l *terms) isSubnormal(x *expr.Expr) *expr.Expr {
	if isExtended(x) {
		zero := l.same(x, l.number(x.Type(), 0))
		return l.Pool.Land(l.isFinite(x), l.Pool.Not(l.isNormal(x)), l.Pool.Not(zero))
	}
	return l.Pool.FIsSubnormal(x)
}

// hasSign holds where the sign is set, of -0 and of a NaN too.
func (l *terms) hasSign(x *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XIsNegative(x)
	}
	return l.Pool.FIsNegative(x)
}

// choose is one of two terms of a type, numbers or others.
func (l *terms) choose(c, x, y *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XIte(c, x, y)
	}
	return l.Pool.Ite(c, x, y)
}

func (l *terms) sum(m, x, y *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XOperation(expr.XAdd, m, x, y)
	}
	return l.Pool.FAdd(m, x, y)
}

func (l *terms) product(m, x, y *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XOperation(expr.XMul, m, x, y)
	}
	return l.Pool.FMul(m, x, y)
}

func (l *terms) ratio(m, x, y *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XOperation(expr.XDiv, m, x, y)
	}
	return l.Pool.FDiv(m, x, y)
}

// fma is x · y + z, rounded once.
func (l *terms) fma(m, x, y, z *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XOperation(expr.XFma, m, x, y, z)
	}
	return l.Pool.FFma(m, x, y, z)
}

func (l *terms) sqrt(m, x *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XOperation(expr.XSqrt, m, x)
	}
	return l.Pool.FSqrt(m, x)
}

// integral is x rounded to an integer.
func (l *terms) integral(m, x *expr.Expr) *expr.Expr {
	if isExtended(x) {
		return l.Pool.XOperation(expr.XRound, m, x)
	}
	return l.Pool.FRound(m, x)
}

// remainder is that of the quotient rounded to nearest, or truncated; nil where it is not computed: of numbers
// of two words that are neither constants nor numbers of narrower types, in which their remainder is exact.
func (l *terms) remainder(x, y *expr.Expr, nearest bool) *expr.Expr {
	if !isExtended(x) {
		if nearest {
			return l.Pool.FRem(x, y)
		}
		return l.Pool.FMod(x, y)
	}
	v, known := x.XValue()
	w, also := y.XValue()
	if known && also {
		of := softfloat.Paired.Mod
		if nearest {
			of = softfloat.Paired.Rem
		}
		r, _ := of(pairedFormat(x.Type()), v, w)
		return l.Pool.XConst(x.Type(), r)
	}
	a, b := l.narrow(x), l.narrow(y)
	if a == nil || b == nil {
		return nil
	}
	return l.Pool.XFrom(x.Type(), l.remainder(a, b, nearest))
}

// narrow is a number of two words as a double that it is, if that is seen.
func (l *terms) narrow(x *expr.Expr) *expr.Expr {
	exact := l.Pool.Rounding(softfloat.NearestEven)
	if v, known := x.XValue(); known {
		d, flags := pairedFormat(x.Type()).Convert(softfloat.NearestEven, softfloat.Double, v)
		if flags != 0 {
			return nil
		}
		return l.Pool.Const(expr.Float64, d)
	}
	switch from := x.Origin(); {
	case from == nil:
	case from.Type() == expr.Float64:
		return from
	case from.Type().IsFloat():
		return l.Pool.FCast(exact, expr.Float64, from)
	case from.Type().Width <= 32:
		return l.Pool.IntToF(exact, expr.Float64, from)
	}
	return nil
}
