package expr

// Rules by which floating-point terms become simpler; comparisons have theirs in
// floatcompare.go.
//
// x + 0, x * 1 and x / 1 are x where x is not the zero, or the NaN, for which that does
// not hold. A quotient by a power of two is a product. Conversions there and back are
// taken off. (float)((double)x + (double)y) is x + y in float, for + - * / and sqrt to
// nearest: rounding twice does no harm where the wider format has twice the bits of the
// narrower one and two more (Figueroa, "When is double rounding innocuous?", SIGNUM
// 1995), the constants being floats.

import "magus/smt/softfloat"

// plainSum is a + b for a zero b or opposite operands; nil if there is no rule.
func (p *numbers) plainSum(m, a, b *Expr) *Expr {
	f := a.typ.Format()
	if b.op != Const || !f.IsZero(b.val) || !p.canonical(a) {
		return nil
	}
	neutral := f.Neg(f.Zero())
	if rounding(m) == softfloat.TowardNegative {
		neutral = f.Zero()
	}
	if b.val == neutral || !p.rangeOf(a).has(0) || rounding(m) != softfloat.TowardNegative && a.op == IntToF {
		return a
	}
	return nil
}

// plainProduct is a * c for c = 1 or -1; nil if there is no rule.
func (p *numbers) plainProduct(a, b *Expr) *Expr {
	f := a.typ.Format()
	switch {
	case b.op != Const:
	case b.val == f.One() && p.canonical(a):
		return a
	case b.val == f.Neg(f.One()) && !p.mayBeNaN(a):
		return p.FNeg(a)
	}
	return nil
}

// inverse is 1 / c if it is a number of the format, exactly.
func (p *numbers) inverse(c *Expr) *Expr {
	f := c.typ.Format()
	if c.op != Const || !f.IsFinite(c.val) || f.IsZero(c.val) {
		return nil
	}
	v, flags := f.Div(softfloat.NearestEven, f.One(), c.val)
	if flags != 0 {
		return nil
	}
	return p.Const(c.typ, v)
}

// narrowed is e, of a wider type, in the type t to nearest: an operation on numbers of t
// is made in t. It is nil if there is no rule.
func (p *numbers) narrowed(m *Expr, t Type, e *Expr) *Expr {
	if e.op == FCast && embeds(e.args[1].typ, e.typ) {
		if x := e.args[1]; x.typ != t || p.canonical(x) {
			return p.FCast(m, t, x)
		}
		return nil
	}
	if e.op == IntToF && embeds(e.args[1].typ, e.typ) {
		return p.IntToF(m, t, e.args[1])
	}
	f, wide := t.Format(), e.typ.Format()
	if rounding(m) != softfloat.NearestEven || wide.Prec < 2*f.Prec+2 || wide.Exp < f.Exp+2 ||
		int(f.Prec) > f.Bias()+2 {
		return nil
	}
	switch e.op {
	case FAdd, FMul, FDiv, FSqrt:
	default:
		return nil
	}
	if e.args[0] != m {
		return nil
	}
	args := []*Expr{m}
	for _, a := range e.args[1:] {
		x := p.ofType(t, a)
		if x == nil {
			return nil
		}
		args = append(args, x)
	}
	return p.applyFloat(e.op, t, args)
}

// ofType is a term of the type t with a's value; nil if none is seen.
func (p *numbers) ofType(t Type, a *Expr) *Expr {
	switch {
	case a.op == Const:
		v, flags := a.typ.Format().Convert(softfloat.NearestEven, t.Format(), a.val)
		if flags == 0 {
			return p.Const(t, v)
		}
	case a.op == FNeg:
		if x := p.ofType(t, a.args[0]); x != nil {
			return p.FNeg(x)
		}
	case a.op == FCast && a.args[1].typ == t:
		return a.args[1]
	case a.op == FCast && a.args[1].typ.IsFloat() && embeds(a.args[1].typ, t):
		return p.FCast(a.args[0], t, a.args[1])
	case a.op == IntToF && embeds(a.args[1].typ, t):
		return p.IntToF(a.args[0], t, a.args[1])
	}
	return nil
}
