package boxes

// Intervals of operands from those of terms.
//
// A result between two numbers was, before it was rounded, between the numbers next to
// these: the inverse operation is applied to them, rounded outward.

import (
	"magus/smt/expr"
	"magus/smt/softfloat"
)

// passes is how often the conditions of a box are looked at.
const passes = 2

// narrow computes the intervals of a box and has the conditions hold. It reports whether
// there may be values left, of which the box keeps those of variables.
func (s *search) narrow(b box) bool {
	for range passes {
		for i, v := range s.vars {
			s.vals[v] = b.domains[i]
		}
		s.answer.Work += 2 * int64(len(s.terms))
		for i, e := range s.terms {
			if e.Op() != expr.Var {
				s.vals[i] = s.compute(i)
			}
		}
		open := false
		for c, r := range s.roots {
			switch v := s.vals[r]; {
			case v.Hi == 0:
				s.used[c] = true
				return false
			case v.Lo == 0:
				s.used[c], open = true, true
				s.vals[r].Lo = 1
			}
		}
		if !open {
			return true
		}
		for i := len(s.terms) - 1; i >= 0; i-- {
			if !s.down(i) {
				return false
			}
		}
		changed := false
		for i, v := range s.vars {
			changed = changed || b.domains[i] != s.vals[v]
			b.domains[i] = s.vals[v]
		}
		if !changed {
			break
		}
	}
	return true
}

// to narrows an interval; it reports whether something is left.
func (s *search) to(i int, d interval) bool {
	s.vals[i] = meet(s.vals[i], d)
	if t := s.terms[i].Type(); t.IsFloat() {
		s.vals[i] = s.vals[i].Tight(t.Format())
	}
	return !isNone(s.vals[i])
}

// down narrows a term's operands.
func (s *search) down(i int) bool {
	e, args, v := s.terms[i], s.args[i], s.vals[i]
	switch {
	case len(args) == 0:
		return true
	case e.Type().IsBool():
		return v.Lo != v.Hi || s.downCondition(i, v.Lo == 1)
	case e.Op() == expr.Ite:
		return s.downChoice(args, v)
	case e.Op() == expr.FNeg:
		return s.to(args[0], interval{Lo: -v.Hi, Hi: -v.Lo, NaN: v.NaN, Grid: v.Grid})
	case e.Op() == expr.FAbs:
		return s.to(args[0], interval{Lo: -v.Hi, Hi: v.Hi, NaN: v.NaN, Grid: v.Grid})
	case e.Op() == expr.Cast:
		if t := e.Args()[0].Type(); !isWord(t) && !isWord(e.Type()) {
			if a := s.vals[args[0]]; a.Lo >= whole(e.Type()).Lo && a.Hi <= whole(e.Type()).Hi {
				return s.to(args[0], v)
			}
		}
	case e.Op().IsFloat() && e.Type().IsFloat() && !v.NaN && !v.IsEmpty():
		return s.downOperation(e, args, v)
	}
	return true
}

func (s *search) downCondition(i int, holds bool) bool {
	e, args := s.terms[i], s.args[i]
	switch e.Op() {
	case expr.Not:
		return s.to(args[0], truth(holds, !holds))
	case expr.Land, expr.Lor:
		return s.downJunction(args, holds, e.Op() == expr.Land)
	case expr.FEq, expr.FLt, expr.FLe, expr.Eq, expr.Lt:
	default:
		return true
	}
	x, y := args[0], args[1]
	a, b := s.vals[x], s.vals[y]
	t := e.Args()[0].Type()
	isFloat := e.Op().IsFloat()
	switch {
	case t.IsBool():
		return true
	case e.Op() == expr.FEq && holds:
		common := interval{Lo: max(a.Lo, b.Lo), Hi: min(a.Hi, b.Hi), Grid: max(a.Grid, b.Grid)}
		return s.to(x, common) && s.to(y, common)
	case e.Op() == expr.Eq && holds:
		return s.to(x, b) && s.to(y, a)
	case e.Op() == expr.FEq && x == y:
		return s.to(x, interval{Lo: 1, Hi: 0, NaN: true})
	case e.Op() == expr.Eq || e.Op() == expr.FEq, !holds && isFloat && (a.NaN || b.NaN):
		return true
	case holds:
		return s.below(x, y, e.Op() != expr.FLe)
	}
	return s.below(y, x, e.Op() == expr.FLe)
}

// below has x be less than y, or not more.
func (s *search) below(x, y int, strictly bool) bool {
	gap := int64(0)
	if strictly {
		gap = 1
	}
	a, b := s.vals[x], s.vals[y]
	if a.IsEmpty() || b.IsEmpty() {
		return false
	}
	if b.Hi == minPlace || a.Lo == maxPlace {
		return !strictly
	}
	return s.to(x, interval{Lo: a.Lo, Hi: min(a.Hi, b.Hi-gap)}) && s.to(y, interval{Lo: max(b.Lo, a.Lo+gap), Hi: b.Hi})
}

const (
	minPlace = -1 << 63
	maxPlace = 1<<63 - 1
)

func (s *search) downJunction(args []int, holds, and bool) bool {
	if holds == and {
		for _, a := range args {
			if !s.to(a, truth(!holds, holds)) {
				return false
			}
		}
		return true
	}
	open := -1
	for _, a := range args {
		v := s.vals[a]
		if and && v.Lo == 1 || !and && v.Hi == 0 {
			continue
		}
		if open >= 0 {
			return true
		}
		open = a
	}
	return open >= 0 && s.to(open, truth(!holds, holds))
}

func (s *search) downChoice(args []int, v interval) bool {
	c, a, b := args[0], args[1], args[2]
	if s.vals[c].Lo != s.vals[c].Hi {
		if isNone(meet(s.vals[a], v)) {
			s.vals[c].Hi = 0
		} else if isNone(meet(s.vals[b], v)) {
			s.vals[c].Lo = 1
		}
	}
	switch {
	case s.vals[c].Lo == 1:
		return s.to(a, v)
	case s.vals[c].Hi == 0:
		return s.to(b, v)
	}
	return !isNone(meet(s.vals[a].Join(s.vals[b]), v))
}

// next is the number above a number, at most infinity.
func next(f softfloat.Format, k int64) uint64 { return expr.AtPlace(f, min(k+1, int64(f.Inf()))) }

// before is the number below a number.
func before(f softfloat.Format, k int64) uint64 { return expr.AtPlace(f, max(k-1, -int64(f.Inf()))) }

const (
	down = softfloat.TowardNegative
	up   = softfloat.TowardPositive
)

// downOperation narrows the operands of an operation whose result is a number.
func (s *search) downOperation(e *expr.Expr, args []int, v interval) bool {
	f := e.Type().Format()
	lo, hi := before(f, v.Lo), next(f, v.Hi)
	for k, a := range e.Args() {
		if a.Type().IsFloat() {
			d := s.vals[args[k]]
			d.NaN = false
			if !s.to(args[k], d) {
				return false
			}
		}
	}
	switch e.Op() {
	case expr.FAdd:
		for k := 1; k <= 2; k++ {
			other := s.vals[args[3-k]]
			least, _ := f.Sub(down, lo, expr.AtPlace(f, other.Hi))
			most, _ := f.Sub(up, hi, expr.AtPlace(f, other.Lo))
			if !s.between(f, args[k], least, most) {
				return false
			}
		}
	case expr.FMul:
		if args[1] == args[2] {
			return true
		}
		for k := 1; k <= 2; k++ {
			other := s.vals[args[3-k]]
			if other.Lo <= 0 && other.Hi >= 0 {
				continue
			}
			if !s.corners(f, args[k], f.Div, lo, hi, other) {
				return false
			}
		}
	case expr.FDiv:
		return s.corners(f, args[1], f.Mul, lo, hi, s.vals[args[2]])
	case expr.FSqrt:
		most, _ := f.Mul(up, hi, hi)
		least := f.Zero()
		if !f.IsNegative(lo) {
			least, _ = f.Mul(down, lo, lo)
		}
		return s.between(f, args[1], least, most)
	case expr.FCast:
		g := e.Args()[1].Type().Format()
		least, _ := f.Convert(down, g, lo)
		most, _ := f.Convert(up, g, hi)
		return s.between(g, args[1], least, most)
	}
	return true
}

// between narrows a term to what lies between two numbers; a bound that is NaN says
// nothing.
func (s *search) between(f softfloat.Format, i int, least, most uint64) bool {
	d := s.vals[i]
	if !f.IsNaN(least) {
		d.Lo = max(d.Lo, expr.Place(f, least))
	}
	if !f.IsNaN(most) {
		d.Hi = min(d.Hi, expr.Place(f, most))
	}
	return s.to(i, d)
}

// corners narrows a term to what an operation makes of two intervals, which is largest and
// least at their bounds.
func (s *search) corners(f softfloat.Format, i int, op func(m softfloat.Mode, a, b uint64) (uint64, softfloat.Flags),
	lo, hi uint64, other interval) bool {
	r := interval{Lo: 1, Hi: 0}
	for _, a := range []uint64{lo, hi} {
		for _, k := range []int64{other.Lo, other.Hi} {
			b := expr.AtPlace(f, k)
			least, _ := op(down, a, b)
			most, _ := op(up, a, b)
			if f.IsNaN(least) {
				return true
			}
			r = r.Join(interval{Lo: expr.Place(f, least), Hi: expr.Place(f, most)})
		}
	}
	return s.to(i, interval{Lo: r.Lo, Hi: r.Hi, NaN: s.vals[i].NaN})
}
