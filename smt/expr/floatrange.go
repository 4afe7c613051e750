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

// A floatRange has the numbers from lo to hi, as places in their order; none if lo is
// above hi. The term may be a NaN if nan is set.
type floatRange struct {
	lo, hi int64
	nan    bool
}

// place maps numbers to integers of the same order, both zeros to 0.
func place(f softfloat.Format, v uint64) int64 {
	if f.IsNegative(v) {
		return -int64(f.Abs(v))
	}
	return int64(v)
}

// at is the number at a place; at 0, +0.
func at(f softfloat.Format, k int64) uint64 {
	if k < 0 {
		return uint64(-k) | f.SignBit()
	}
	return uint64(k)
}

// anyFloat are all values of a format.
func anyFloat(f softfloat.Format) floatRange {
	return floatRange{-int64(f.Inf()), int64(f.Inf()), true}
}

func (r floatRange) has(k int64) bool { return r.lo <= k && k <= r.hi }

func (r floatRange) hasInf(f softfloat.Format) bool {
	return r.has(int64(f.Inf())) || r.has(-int64(f.Inf()))
}

func (r floatRange) isEmpty() bool { return r.lo > r.hi }

// join is what one of two terms may be.
func (r floatRange) join(s floatRange) floatRange {
	switch nan := r.nan || s.nan; {
	case r.isEmpty():
		return floatRange{s.lo, s.hi, nan}
	case s.isEmpty():
		return floatRange{r.lo, r.hi, nan}
	default:
		return floatRange{min(r.lo, s.lo), max(r.hi, s.hi), nan}
	}
}

// rangeOf is what is known of a floating-point term.
func (p *Pool) rangeOf(e *Expr) floatRange {
	f := e.typ.Format()
	switch {
	case e.op == Const && f.IsNaN(e.val):
		return floatRange{1, 0, true}
	case e.op == Const:
		return floatRange{place(f, e.val), place(f, e.val), false}
	case e.op == Var, e.op == FFrom:
		return anyFloat(f)
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
		p.ranges = map[*Expr]floatRange{}
	}
	p.ranges[e] = r
	p.mu.Unlock()
	return r
}

func (p *Pool) computeRange(e *Expr) floatRange {
	f, args := e.typ.Format(), e.args
	switch e.op {
	case Ite:
		return p.rangeOf(args[1]).join(p.rangeOf(args[2]))
	case FNeg:
		a := p.rangeOf(args[0])
		return floatRange{-a.hi, -a.lo, a.nan}
	case FAbs:
		a := p.rangeOf(args[0])
		if a.lo < 0 && !a.isEmpty() {
			a = floatRange{max(0, -a.hi), max(-a.lo, a.hi), a.nan}
		}
		return a
	case FRem, FMod:
		return remainderRange(f, e.op, p.rangeOf(args[0]), p.rangeOf(args[1]))
	case IntToF:
		return intRange(f, rounding(args[0]), args[1])
	}
	m := rounding(args[0])
	a := p.rangeOf(args[1])
	from := args[1].typ.Format()
	if a.isEmpty() {
		return floatRange{1, 0, true}
	}
	ends := func(op func(v uint64) uint64) floatRange {
		return floatRange{place(f, op(at(from, a.lo))), place(f, op(at(from, a.hi))), a.nan}
	}
	switch e.op {
	case FRound:
		return ends(func(v uint64) uint64 { r, _ := f.RoundToIntegral(m, v); return r })
	case FCast:
		return ends(func(v uint64) uint64 { r, _ := from.Convert(m, f, v); return r })
	case FSqrt:
		if a.lo < 0 {
			a.lo, a.nan = 0, true
		}
		if a.isEmpty() {
			return floatRange{1, 0, true}
		}
		return ends(func(v uint64) uint64 { r, _ := f.Sqrt(m, v); return r })
	}
	rs := []floatRange{a, p.rangeOf(args[2])}
	if e.op == FFma {
		rs = append(rs, p.rangeOf(args[3]))
	}
	return cornerRange(f, e.op, m, rs)
}

// cornerRange is that of an operation which is monotone in each operand, the others
// being fixed.
func cornerRange(f softfloat.Format, op Op, m softfloat.Mode, rs []floatRange) floatRange {
	r := floatRange{1, 0, false}
	for _, s := range rs {
		r.nan = r.nan || s.nan
	}
	for _, s := range rs {
		if s.isEmpty() {
			return floatRange{1, 0, true}
		}
	}
	a, b := rs[0], rs[1]
	if op != FAdd && (a.has(0) && b.hasInf(f) || a.hasInf(f) && b.has(0)) || op == FDiv && (b.has(0) || a.hasInf(f) && b.hasInf(f)) {
		return anyFloat(f)
	}
	for i := range 1 << len(rs) {
		v := []uint64{uint64(m), 0, 0, 0}
		for j, s := range rs {
			if v[j+1] = at(f, s.lo); i>>j&1 == 1 {
				v[j+1] = at(f, s.hi)
			}
		}
		t := Type{Width: f.Exp + f.Prec, Exp: f.Exp}
		c := applyFloat(op, t, t, v)
		if f.IsNaN(c) {
			return anyFloat(f)
		}
		r = r.join(floatRange{place(f, c), place(f, c), r.nan})
	}
	if op == FFma && rs[2].hasInf(f) && (r.lo == -int64(f.Inf()) || r.hi == int64(f.Inf())) || op == FAdd && opposite(f, a, b) {
		r.nan = true
	}
	return r
}

// opposite reports whether two terms may be infinities of different signs.
func opposite(f softfloat.Format, a, b floatRange) bool {
	inf := int64(f.Inf())
	return a.has(inf) && b.has(-inf) || a.has(-inf) && b.has(inf)
}

// intRange is that of an integer that is converted. A widened one is as narrow as it was.
func intRange(f softfloat.Format, m softfloat.Mode, e *Expr) floatRange {
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
	return floatRange{place(f, lo), place(f, hi), false}
}

// remainderRange: a remainder is no larger than either operand, and fmod's has the sign
// of the dividend.
func remainderRange(f softfloat.Format, op Op, a, b floatRange) floatRange {
	if a.isEmpty() || b.isEmpty() {
		return floatRange{1, 0, true}
	}
	r := floatRange{nan: a.nan || b.nan || b.has(0) || a.hasInf(f)}
	most := min(max(-a.lo, a.hi), max(-b.lo, b.hi))
	r.lo, r.hi = -most, most
	if op == FMod && a.lo >= 0 {
		r.lo = 0
	}
	if op == FMod && a.hi <= 0 {
		r.hi = 0
	}
	return r
}

// mayBeNaN reports whether a term may be no number.
func (p *Pool) mayBeNaN(e *Expr) bool { return p.rangeOf(e).nan }

// canonical reports whether a term that is a NaN is the one that is produced.
func (p *Pool) canonical(e *Expr) bool {
	switch e.op {
	case FAdd, FMul, FDiv, FFma, FSqrt, FRem, FMod, FRound, FCast, IntToF:
		return true
	case Const:
		f := e.typ.Format()
		return !f.IsNaN(e.val) || e.val == f.NaN()
	case Ite:
		return p.canonical(e.args[1]) && p.canonical(e.args[2])
	}
	return !p.mayBeNaN(e)
}
