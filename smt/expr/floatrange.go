package expr

// What is known of a floating-point term by itself: an interval and whether it may be
// a NaN.
//
// Idea: operations are correctly rounded and so monotone in each operand where they
// are not NaN; the bounds of a result are results for bounds of the operands, rounded
// by the operation's own mode. Both zeros are one place of the interval. Where an
// operation may be invalid (∞ - ∞, 0 · ∞, 0 / 0), nothing is known.
//
// Source: Hickey, Ju, van Emden, "Interval arithmetic: from principles to
// implementation" (J. ACM 2001), with the rounding that the program has in place of
// outward rounding, which would be less exact. Cost: a few operations a term, once.

import "magus/smt/softfloat"

// A FloatRange has the numbers from Lo to Hi, as places in their order (see [Place]);
// none if Lo is above Hi. The term may be a NaN if NaN is set.
type FloatRange struct {
	Lo, Hi int64
	NaN    bool
	// Grid says that the numbers, infinities apart, are multiples of 2^Grid times the least subnormal number
	// (floatgrid.go).
	Grid int
}

// Place maps numbers to integers of the same order, both zeros to 0.
func Place(f softfloat.Format, v uint64) int64 {
	if f.IsNegative(v) {
		return -int64(f.Abs(v))
	}
	return int64(v)
}

// AtPlace is the number at a place; at 0, +0.
func AtPlace(f softfloat.Format, k int64) uint64 {
	if k < 0 {
		return uint64(-k) | f.SignBit()
	}
	return uint64(k)
}

// AnyFloat are all values of a format.
func AnyFloat(f softfloat.Format) FloatRange {
	return FloatRange{Lo: -int64(f.Inf()), Hi: int64(f.Inf()), NaN: true}
}

func (r FloatRange) has(k int64) bool { return r.Lo <= k && k <= r.Hi }

func (r FloatRange) hasInf(f softfloat.Format) bool {
	return r.has(int64(f.Inf())) || r.has(-int64(f.Inf()))
}

// IsEmpty reports whether there is no number.
func (r FloatRange) IsEmpty() bool { return r.Lo > r.Hi }

// Join is what one of two terms may be.
func (r FloatRange) Join(s FloatRange) FloatRange {
	switch nan := r.NaN || s.NaN; {
	case r.IsEmpty():
		s.NaN = nan
		return s
	case s.IsEmpty():
		r.NaN = nan
		return r
	default:
		return FloatRange{Lo: min(r.Lo, s.Lo), Hi: max(r.Hi, s.Hi), NaN: nan, Grid: min(r.Grid, s.Grid)}
	}
}

// rangeOf is what is known of a floating-point term.
func (p *words) rangeOf(e *Expr) FloatRange {
	f := e.typ.Format()
	switch {
	case e.op == Const && f.IsNaN(e.val):
		return FloatRange{Lo: 1, Hi: 0, NaN: true}
	case e.op == Const:
		return FloatRange{Lo: Place(f, e.val), Hi: Place(f, e.val), Grid: GridOf(f, e.val)}
	case e.op == Var, e.op == FFrom, e.op == XToF:
		return AnyFloat(f)
	}
	p.mu.Lock()
	r, known := p.ranges[e]
	p.mu.Unlock()
	if known {
		return r
	}
	r = p.computeRange(e)
	p.mu.Lock()
	if p.ranges == nil {
		p.ranges = map[*Expr]FloatRange{}
	}
	p.ranges[e] = r
	p.mu.Unlock()
	return r
}

func (p *words) computeRange(e *Expr) FloatRange {
	switch e.op {
	case Ite:
		return p.rangeOf(e.args[1]).Join(p.rangeOf(e.args[2]))
	case IntToF:
		return intRange(e.typ.Format(), rounding(e.args[0]), e.args[1])
	}
	args := make([]FloatRange, len(e.args))
	for i, a := range e.args {
		if a.typ.IsFloat() {
			args[i] = p.rangeOf(a)
		}
	}
	return e.RangeFrom(args)
}

// RangeFrom is the range of a floating-point operation, but IntToF and FFrom, from those
// of its operands; those of rounding modes are not read.
func (e *Expr) RangeFrom(args []FloatRange) FloatRange {
	r := e.boundsFrom(args)
	r.Grid = e.gridFrom(args)
	return r.Tight(e.typ.Format())
}

// boundsFrom is RangeFrom without the grid.
func (e *Expr) boundsFrom(args []FloatRange) FloatRange {
	f := e.typ.Format()
	switch a := args[0]; e.op {
	case FNeg:
		return FloatRange{Lo: -a.Hi, Hi: -a.Lo, NaN: a.NaN}
	case FAbs:
		if a.Lo < 0 && !a.IsEmpty() {
			a = FloatRange{Lo: max(0, -a.Hi), Hi: max(-a.Lo, a.Hi), NaN: a.NaN}
		}
		return a
	case FRem, FMod:
		return remainderRange(f, e.op, args[0], args[1])
	}
	m, a, from := rounding(e.args[0]), args[1], e.args[1].typ.Format()
	if a.IsEmpty() {
		return FloatRange{Lo: 1, Hi: 0, NaN: true}
	}
	ends := func(op func(v uint64) uint64) FloatRange {
		return FloatRange{Lo: Place(f, op(AtPlace(from, a.Lo))), Hi: Place(f, op(AtPlace(from, a.Hi))), NaN: a.NaN}
	}
	switch e.op {
	case FRound:
		return ends(func(v uint64) uint64 { r, _ := f.RoundToIntegral(m, v); return r })
	case FCast:
		return ends(func(v uint64) uint64 { r, _ := from.Convert(m, f, v); return r })
	case FSqrt:
		if a.Lo < 0 {
			a.Lo, a.NaN = 0, true
		}
		if a.IsEmpty() {
			return FloatRange{Lo: 1, Hi: 0, NaN: true}
		}
		return ends(func(v uint64) uint64 { r, _ := f.Sqrt(m, v); return r })
	case FMul:
		if e.args[1] == e.args[2] { // a square
			a = FloatRange{Lo: max(0, a.Lo, -a.Hi), Hi: max(-a.Lo, a.Hi), NaN: a.NaN}
			return ends(func(v uint64) uint64 { r, _ := f.Mul(m, v, v); return r })
		}
	}
	return cornerRange(f, e.op, m, args[1:])
}

// cornerRange is that of an operation which is monotone in each operand, the others
// being fixed.
func cornerRange(f softfloat.Format, op Op, m softfloat.Mode, rs []FloatRange) FloatRange {
	r := FloatRange{Lo: 1, Hi: 0, NaN: false}
	for _, s := range rs {
		r.NaN = r.NaN || s.NaN
	}
	for _, s := range rs {
		if s.IsEmpty() {
			return FloatRange{Lo: 1, Hi: 0, NaN: true}
		}
	}
	a, b := rs[0], rs[1]
	if op != FAdd && (a.has(0) && b.hasInf(f) || a.hasInf(f) && b.has(0)) || op == FDiv &&
		(b.has(0) || a.hasInf(f) && b.hasInf(f)) {
		return AnyFloat(f)
	}
	for i := range 1 << len(rs) {
		v := []uint64{uint64(m), 0, 0, 0}
		for j, s := range rs {
			if v[j+1] = AtPlace(f, s.Lo); i>>j&1 == 1 {
				v[j+1] = AtPlace(f, s.Hi)
			}
		}
		t := Type{Width: f.Exp + f.Prec, Exp: f.Exp}
		c := applyFloat(op, t, t, v)
		if f.IsNaN(c) {
			return AnyFloat(f)
		}
		r = r.Join(FloatRange{Lo: Place(f, c), Hi: Place(f, c), NaN: r.NaN})
	}
	if op == FFma && rs[2].hasInf(f) && (r.Lo == -int64(f.Inf()) || r.Hi == int64(f.Inf())) || op == FAdd &&
		opposite(f, a, b) {
		r.NaN = true
	}
	return r
}

// opposite reports whether two terms may be infinities of different signs.
func opposite(f softfloat.Format, a, b FloatRange) bool {
	inf := int64(f.Inf())
	return a.has(inf) && b.has(-inf) || a.has(-inf) && b.has(inf)
}

// intRange is that of an integer that is converted. A widened one is as narrow as it was.
func intRange(f softfloat.Format, m softfloat.Mode, e *Expr) FloatRange {
	least, most := e.typ.Min(), e.typ.Max()
	t := e.typ
	if e.op == Const {
		least, most = e.val, e.val
	} else if e.op == Cast && keepsOrder(e) {
		t = e.args[0].typ
		least, most = t.Min(), t.Max()
	}
	lo, _ := f.FromInt(m, intType(t), least)
	hi, _ := f.FromInt(m, intType(t), most)
	return FloatRange{Lo: Place(f, lo), Hi: Place(f, hi), Grid: Integers(f)}
}

// remainderRange: a remainder is no larger than either operand, and fmod's has the sign
// of the dividend.
func remainderRange(f softfloat.Format, op Op, a, b FloatRange) FloatRange {
	if a.IsEmpty() || b.IsEmpty() {
		return FloatRange{Lo: 1, Hi: 0, NaN: true}
	}
	r := FloatRange{NaN: a.NaN || b.NaN || b.has(0) || a.hasInf(f)}
	most := min(max(-a.Lo, a.Hi), max(-b.Lo, b.Hi))
	r.Lo, r.Hi = -most, most
	if op == FMod && a.Lo >= 0 {
		r.Lo = 0
	}
	if op == FMod && a.Hi <= 0 {
		r.Hi = 0
	}
	return r
}

// mayBeNaN reports whether a term may be no number.
func (p *words) mayBeNaN(e *Expr) bool { return p.rangeOf(e).NaN }

// canonical reports whether a term that is a NaN is the one that is produced.
func (p *words) canonical(e *Expr) bool {
	switch e.op {
	case FAdd, FMul, FDiv, FFma, FSqrt, FRem, FMod, FRound, FCast, IntToF, XToF:
		return true
	case Const:
		f := e.typ.Format()
		return !f.IsNaN(e.val) || e.val == f.NaN()
	case Ite:
		return p.canonical(e.args[1]) && p.canonical(e.args[2])
	}
	return !p.mayBeNaN(e)
}
