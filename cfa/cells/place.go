package cells

// Which addresses are elements of an array.
//
// Idea: the address of a[i].f is that of the array, plus the size of an element times i, plus an offset. Where an
// address has this form its element is told by comparing i, which is what programs count, and not addresses. An
// index of fewer bits than an address has one product only; of one with as many, other indices may lead to the same
// address, which are outside of the array.
//
// Cost: linear in the terms.

import (
	"magus/cfa"
	"magus/smt/expr"
)

// A place is what an address is: an element and an offset in it.
type place struct {
	index  *expr.Expr
	stride uint64
	offset uint64
}

// A sum is a constant and one term times a factor.
type sum struct {
	constant, factor uint64
	term             *expr.Expr // nil if there is none
}

// linear is a term as a sum, if it is one.
func linear(t *expr.Expr) (sum, bool) {
	switch t.Op() {
	case expr.Const:
		return sum{constant: t.Value()}, true
	case expr.Add, expr.Sub:
		a, ok := linear(t.Args()[0])
		b, also := linear(t.Args()[1])
		if !ok || !also || a.term != nil && b.term != nil {
			return sum{}, false
		}
		if t.Op() == expr.Sub {
			b.constant, b.factor = -b.constant, -b.factor
		}
		a.constant += b.constant
		if b.term != nil {
			a.term, a.factor = b.term, b.factor
		}
		return a, true
	case expr.Mul, expr.Shl:
		a, ok := linear(t.Args()[0])
		by := t.Args()[1]
		if !ok || !by.IsConst() || t.Op() == expr.Shl && by.Value() >= uint64(t.Type().Width) {
			return sum{}, false
		}
		times := by.Value()
		if t.Op() == expr.Shl {
			times = 1 << by.Value()
		}
		a.constant, a.factor = a.constant*times, a.factor*times
		return a, true
	case expr.Cast:
		if from := t.Args()[0]; from.Type().Width <= t.Type().Width && !from.Type().IsBool() {
			return sum{factor: 1, term: from}, true
		}
	}
	return sum{factor: 1, term: t}, true
}

// maxStride bounds the size of an element: products with indices of 32 bits do not wrap around.
const maxStride = 1 << 24

// placeOf is what size bytes at an address of an array are, if its elements are as large as stride says; any if
// that is 0.
func placeOf(p *expr.Pool, area *cfa.Area, addr *expr.Expr, size int64, stride uint64) (place, bool) {
	s, ok := linear(addr)
	t := addr.Type()
	if !ok || s.term == nil {
		return place{}, false
	}
	if stride == 0 {
		stride = s.factor & t.Mask()
	}
	if s.factor&t.Mask() != stride || stride == 0 || stride > maxStride {
		return place{}, false
	}
	from := t.Sext((s.constant - area.First) & t.Mask())
	by := from / int64(stride)
	if from%int64(stride) < 0 {
		by--
	}
	offset := uint64(from - by*int64(stride))
	if offset+uint64(size) > stride {
		return place{}, false
	}
	if by != 0 { // a[i + by]
		s.term = p.Add(p.Cast(t, s.term), p.Int(t, by))
	}
	return place{s.term, stride, offset}, true
}
