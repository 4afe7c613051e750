package lower

// Floating-point constants where they become integers. All other floating point is any value.

import (
	"math/big"

	"magus/cfa/source"
)

// floatConstant is what a floating-point constant becomes as an integer (C11 6.3.1.4), if it is one, and fits.
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

// floatComparison is a comparison of such constants, if it is one.
func (l *terms) floatComparison(b *source.BinaryExpr) (value, bool) {
	if l.ctypeOf(b.Left.Type()).class != classFloat && l.ctypeOf(b.Right.Type()).class != classFloat {
		return value{}, false
	}
	is, ok := l.prog.Layouts.FloatComparison(b)
	if !ok {
		return value{}, false
	}
	return value{ctInt, l.Pool.FromBool(ctInt.typ, l.Pool.Bool(is)), nil}, true
}
