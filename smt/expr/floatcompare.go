package expr

// Comparisons of floating-point terms in canonical form.
//
// Idea: what the ranges of two terms decide is a constant. A comparison of a constant
// with a function of one term that is monotone, as x + 0.1, x * 3 or (double)x, is a
// comparison of this term with another constant, which is found by bisection: for
// rounding is monotone, too, the function's values need only be computed. So a
// predicate on a sum with constants becomes one on a variable, and has no circuit of
// a sum. Conversions that lose nothing are taken off both sides. The rules hold for
// NaN, infinities and zeros.
//
// Source: rewriting of comparisons as in expr/compare.go; the bisection takes the place
// of inverses with outward rounding (Michel, "Exact projection functions for floating
// point number constraints", 2002). Cost: some 130 operations a comparison with a
// constant and level.

import (
	"math"

	"magus/smt/softfloat"
)

// compareFloats is a comparison by FEq, FLt or FLe.
func (p *words) compareFloats(op Op, a, b *Expr) *Expr {
	a, b = p.plainZero(a), p.plainZero(b)
	if a.op == Const && b.op == Const {
		return p.fold(op, Bool, a, b)
	}
	if a == b {
		if op == FLt {
			return p.False()
		}
		return p.isNumber(a)
	}
	switch never, always := decide(op, a.typ.Format(), p.rangeOf(a), p.rangeOf(b)); {
	case never:
		return p.False()
	case always:
		return p.Land(p.isNumber(a), p.isNumber(b))
	case chosen(a, b):
		return p.Ite(a.args[0], p.compareFloats(op, a.args[1], b), p.compareFloats(op, a.args[2], b))
	case chosen(b, a):
		return p.Ite(b.args[0], p.compareFloats(op, a, b.args[1]), p.compareFloats(op, a, b.args[2]))
	}
	var r *Expr
	switch {
	case b.op == Const:
		r = p.functionOf(a, relation{op, b, false})
	case a.op == Const:
		r = p.functionOf(b, relation{op, a, true})
	default:
		r = p.compareAlike(op, a, b)
	}
	if r != nil {
		return r
	}
	if op == FEq {
		a, b = ordered(a, b)
	}
	return p.mk(op, Bool, a, b)
}

// plainZero is +0 in the place of -0, which compares alike.
func (p *words) plainZero(a *Expr) *Expr {
	if f := a.typ.Format(); a.op == Const && a.val == f.SignBit() {
		return p.Const(a.typ, f.Zero())
	}
	return a
}

// decide is what ranges say of a comparison, if both are numbers.
func decide(op Op, f softfloat.Format, a, b FloatRange) (never, always bool) {
	switch {
	case a.IsEmpty() || b.IsEmpty():
		return true, false
	case op == FLt:
		return a.Lo >= b.Hi, a.Hi < b.Lo
	case op == FLe:
		return a.Lo > b.Hi, a.Hi <= b.Lo
	}
	both := FloatRange{Lo: max(a.Lo, b.Lo), Hi: min(a.Hi, b.Hi), Grid: max(a.Grid, b.Grid)}
	return both.Tight(f).IsEmpty(), a.Lo == b.Hi && a.Hi == b.Lo
}

// isNumber holds where a term is no NaN.
func (p *words) isNumber(a *Expr) *Expr {
	switch {
	case !p.mayBeNaN(a):
		return p.True()
	case a.op == Const:
		return p.False()
	case a.op == FNeg || a.op == FAbs:
		return p.isNumber(a.args[0])
	case a.op == FRound || a.op == FCast, p.changes(a):
		return p.isNumber(a.args[1])
	case a.op == FSqrt:
		return p.FLe(p.Const(a.typ, 0), a.args[1])
	case a.op == Ite:
		return p.Ite(a.args[0], p.isNumber(a.args[1]), p.isNumber(a.args[2]))
	}
	return p.mk(FEq, Bool, a, a)
}

// changes reports whether a term is x + c, x * c or x / c for a constant with which this
// is a number where x is.
func (p *words) changes(a *Expr) bool {
	switch a.op {
	case FAdd, FMul, FDiv:
		c, f := a.args[2], a.typ.Format()
		return c.op == Const && f.IsFinite(c.val) && (a.op == FAdd || !f.IsZero(c.val))
	}
	return false
}

// compareAlike is a comparison of two terms with the same operator; nil if there is no
// rule.
func (p *words) compareAlike(op Op, a, b *Expr) *Expr {
	switch {
	case a.op == FNeg && b.op == FNeg && op == FEq:
		return p.FEq(a.args[0], b.args[0])
	case a.op == FNeg && b.op == FNeg:
		return p.compareFloats(op, b.args[0], a.args[0])
	case a.op != b.op || a.op != FCast && a.op != IntToF:
		return nil
	}
	x, y := a.args[1], b.args[1]
	switch {
	case x.typ != y.typ || !embeds(x.typ, a.typ):
		return nil
	case a.op == FCast:
		return p.compareFloats(op, x, y)
	case op == FEq:
		return p.Eq(x, y)
	case op == FLt:
		return p.Lt(x, y)
	}
	return p.Le(x, y)
}

// embeds reports whether all values of a type are values of a floating-point type.
func embeds(from, to Type) bool {
	f := to.Format()
	if from.IsFloat() {
		g := from.Format()
		return g.Exp <= f.Exp && g.Prec <= f.Prec
	}
	bits := from.Width
	if from.Signed {
		bits--
	}
	return bits <= f.Prec && int(bits) <= f.Bias()
}

// A relation is g op c, or c op g, for a constant c.
type relation struct {
	op    Op
	c     *Expr
	below bool // the constant is on the left
}

// A function is monotone in its operand x.
type function struct {
	x       *Expr
	of      func(v uint64) uint64
	falling bool
	from    int64 // the lowest place of x where it is a number
}

// functionOf is g in relation to a constant, said of g's operand; nil if there is no rule.
func (p *words) functionOf(g *Expr, r relation) *Expr {
	f := g.typ.Format()
	switch {
	case f.IsNaN(r.c.val):
		return p.False()
	case g.op == FAbs:
		return p.absoluteIn(g.args[0], r)
	case g.op == IntToF:
		return p.integerIn(g, r)
	case g.op == FAdd && f.IsZero(r.c.val) && r.op == FLt && r.below: // 0 < a + b
		return p.FLt(p.FNeg(g.args[2]), g.args[1])
	case g.op == FAdd && f.IsZero(r.c.val) && r.op == FLt:
		return p.FLt(g.args[1], p.FNeg(g.args[2]))
	}
	h := function{from: math.MinInt64}
	of := func(v uint64) []uint64 { return []uint64{v} }
	switch {
	case g.op == FNeg:
		h.x, h.falling = g.args[0], true
	case g.op == FRound || g.op == FCast || g.op == FSqrt:
		h.x = g.args[1]
		of = func(v uint64) []uint64 { return []uint64{g.args[0].val, v} }
		if g.op == FSqrt {
			h.from = 0
		}
	case p.changes(g):
		h.x, h.falling = g.args[1], g.op != FAdd && f.IsNegative(g.args[2].val)
		of = func(v uint64) []uint64 { return []uint64{g.args[0].val, v, g.args[2].val} }
	default:
		return nil
	}
	h.of = func(v uint64) uint64 {
		p.work.Add(1)
		return applyFloat(g.op, g.typ, h.x.typ, of(v))
	}
	lo, hi := h.preimage(r)
	return p.within(h.x, lo, hi, r.op, h.from)
}

// preimage are the lowest and the highest place of the operand where the relation holds;
// none if lo is above hi.
func (h function) preimage(r relation) (lo, hi int64) {
	from := h.x.typ.Format()
	most := int64(from.Inf())
	least := max(h.from, -most)
	to := r.c.typ.Format()
	c := Place(to, r.c.val)
	value := func(k int64) int64 { return Place(to, h.of(AtPlace(from, k))) }
	if h.falling {
		above := value
		value, c = func(k int64) int64 { return -above(k) }, -c
	}
	first := func(least int64, holds func(v int64) bool) int64 { // the first place where it holds, or one too far
		lo, hi := least, most+1
		for lo < hi {
			if mid := middle(lo, hi); holds(value(mid)) {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		return lo
	}
	reached := func(v int64) bool { return v >= c }
	passed := func(v int64) bool { return v > c }
	switch {
	case r.op == FEq:
		return first(least, reached), first(least, passed) - 1
	case r.below == h.falling && r.op == FLt: // less than c
		return least, first(least, reached) - 1
	case r.below == h.falling:
		return least, first(least, passed) - 1
	case r.op == FLt:
		return first(least, passed), most
	}
	return first(least, reached), most
}

// middle is between two places, which may be further apart than the greatest int64.
func middle(lo, hi int64) int64 { return lo + int64(uint64(hi-lo)/2) }

// within holds where x is a number between two places; op tells how to say that, and from
// which place on x may be.
func (p *words) within(x *Expr, lo, hi int64, op Op, from int64) *Expr {
	f := x.typ.Format()
	most := int64(f.Inf())
	from = max(from, -most)
	constant := func(k int64) *Expr { return p.Const(x.typ, AtPlace(f, k)) }
	var cs []*Expr
	switch {
	case lo > hi:
		return p.False()
	case lo == hi:
		return p.FEq(x, constant(lo))
	}
	if lo > -most {
		if op == FLt && lo > from {
			cs = append(cs, p.FLt(constant(lo-1), x))
		} else {
			cs = append(cs, p.FLe(constant(lo), x))
		}
	}
	if hi < most {
		if op == FLt {
			cs = append(cs, p.FLt(x, constant(hi+1)))
		} else {
			cs = append(cs, p.FLe(x, constant(hi)))
		}
	}
	if len(cs) == 0 {
		return p.isNumber(x)
	}
	return p.Land(cs...)
}

// absoluteIn is |x| in relation to a constant.
func (p *words) absoluteIn(x *Expr, r relation) *Expr {
	f := x.typ.Format()
	c := r.c
	minus := p.FNeg(c)
	negative := Place(f, c.val) < 0
	switch {
	case r.op == FEq && negative:
		return p.False()
	case r.op == FEq:
		return p.Lor(p.FEq(x, c), p.FEq(x, minus))
	case r.below && (negative || r.op == FLe && Place(f, c.val) == 0): // c < |x|, c <= |x|
		return p.isNumber(x)
	case r.below:
		return p.Lor(p.compareFloats(r.op, c, x), p.compareFloats(r.op, x, minus))
	case negative:
		return p.False()
	}
	return p.Land(p.compareFloats(r.op, x, c), p.compareFloats(r.op, minus, x))
}

// integerIn is a converted integer in relation to a constant.
func (p *words) integerIn(g *Expr, r relation) *Expr {
	i, m := g.args[1], rounding(g.args[0])
	t, f := i.typ, g.typ.Format()
	c := Place(f, r.c.val)
	flip := t.Min() // the order of flipped bits is unsigned
	first := func(holds func(v int64) bool) (uint64, bool) {
		lo, hi := uint64(0), t.Mask()
		for lo < hi {
			mid := lo + (hi-lo)/2
			v, _ := f.FromInt(m, intType(t), mid^flip)
			if holds(Place(f, v)) {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		v, _ := f.FromInt(m, intType(t), lo^flip)
		return lo ^ flip, holds(Place(f, v))
	}
	// from is i >= v for the first v that holds.
	from := func(holds func(v int64) bool) *Expr {
		v, ok := first(holds)
		if !ok {
			return p.False()
		}
		return p.Ge(i, p.Const(t, v))
	}
	reached := from(func(v int64) bool { return v >= c })
	passed := from(func(v int64) bool { return v > c })
	switch {
	case r.op == FEq:
		return p.Land(reached, p.Not(passed))
	case r.below && r.op == FLt:
		return passed
	case r.below:
		return reached
	case r.op == FLt:
		return p.Not(reached)
	}
	return p.Not(passed)
}

// integerOf is a == c or a < c for an integer a that was a floating-point value: said of
// this value. Out of range a is 0.
func (p *words) integerOf(op Op, a, c *Expr) *Expr {
	m, x := rounding(a.args[0]), a.args[1]
	f, to := x.typ.Format(), intType(a.typ)
	bottom, top := f.IntRange(m, to)
	least, most := Place(f, bottom), Place(f, top)
	first := func(holds func(v uint64) bool) int64 {
		lo, hi := least, most+1
		for lo < hi {
			mid := middle(lo, hi)
			if v, _, _ := f.ToInt(m, to, AtPlace(f, mid)); holds(v) {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		return lo
	}
	lo := first(func(v uint64) bool { return !a.typ.Less(v, c.val) })
	hi := lo - 1
	if op == Eq {
		hi = first(func(v uint64) bool { return a.typ.Less(c.val, v) }) - 1
	} else {
		lo = least
	}
	inside := p.within(x, lo, hi, FLe, -int64(f.Inf()))
	if apply2(op, a.typ, 0, c.val) == 0 {
		return inside
	}
	if op == Lt {
		return p.Not(p.within(x, hi+1, most, FLe, -int64(f.Inf())))
	}
	return p.Lor(inside, p.Not(p.within(x, least, most, FLe, -int64(f.Inf()))))
}
