package memory

// Cells that overlap: unions, bit-fields beside the word they stand in, memory
// that is read by another type than it was written.
//
// Idea: each leaf is a variable of its own, so a store to one has to be told to
// the others. Between integers that is exact, by shifts and masks, the first byte
// being the lowest; otherwise the other gets any value, and a violation that depends on it is not believed.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

const punned = "memory that was written by another type"

// BitsOfNaN is assumed where bits of a floating-point number are read as an integer: C leaves open which NaN
// arithmetic gives.
const BitsOfNaN = "the bits of a NaN that arithmetic gives are those of the quiet one with a clear sign"

// tell gives the leaves that overlap an extent, other than one that is just
// it, what they hold after value was stored there; a nil value is any.
func (s *addressSpace) tell(b *Object, e Extent, value *expr.Expr, pos cfa.Pos) {
	over := b.overlapping(e)
	if value == nil || e.kind != kindInt {
		value = nil
	}
	if value != nil && value.Type().IsFloat() && slices.ContainsFunc(over, func(lf *leaf) bool {
		return lf.v != nil && !lf.v.Type().IsFloat()
	}) {
		s.code.Assume(cfa.AboutFloats, pos, BitsOfNaN)
	}
	for _, lf := range over {
		if lf.v == nil {
			continue
		}
		a := cfa.Assign{LHS: lf.v}
		switch {
		case value == nil || lf.kind != kindInt:
			a.Nondet, a.Approx = "overlap", punned
		case lf.within(e):
			a.RHS = s.cut(value, e, lf.Extent, lf.t.Type)
		default:
			part := e.common(lf.Extent)
			a.RHS = s.overlay(lf, part, s.cut(value, e, part, expr.Type{Width: uint8(part.width)}))
		}
		s.code.Emit(a, pos)
	}
}

// agree makes the overlapping leaves of an object, all of which have been given
// any value, parts of the widest integers among them.
func (s *addressSpace) agree(b *Object, pos cfa.Pos) {
	for _, lf := range b.leaves {
		if lf.v == nil {
			continue
		}
		whole, alone := lf, true
		for _, o := range b.overlapping(lf.Extent) {
			if o.v == nil {
				continue
			}
			alone = alone && lf.kind == kindInt && o.kind == kindInt && o.within(lf.Extent)
			if lf.kind == kindInt && o.kind == kindInt && whole.within(o.Extent) {
				whole = o
			}
		}
		switch {
		case alone:
		case whole != lf:
			s.code.Assign(lf.v, s.cut(whole.v, whole.Extent, lf.Extent, lf.t.Type), pos)
		default:
			s.code.Emit(cfa.Assign{LHS: lf.v, Nondet: "overlap", Approx: punned}, pos)
		}
	}
}

// overlay is the value of a leaf with the part e of it replaced.
func (m *addressing) overlay(lf *leaf, e Extent, value *expr.Expr) *expr.Expr {
	u, part := expr.Type{Width: uint8(lf.width)}, expr.Type{Width: uint8(e.width)}
	old := m.pool.And(m.pool.As(u, lf.v), m.pool.Const(u, ^(part.Mask()<<(e.at-lf.at))))
	bits := m.pool.Shl(m.pool.Cast(u, m.pool.As(part, value)), m.pool.Const(u, uint64(e.at-lf.at)))
	return m.pool.As(lf.t.Type, m.pool.Or(old, bits))
}

// cut takes the bits of part out of the value of whole.
func (m *addressing) cut(value *expr.Expr, whole, part Extent, t expr.Type) *expr.Expr {
	u := expr.Type{Width: uint8(whole.width)}
	v := m.pool.Shr(m.pool.As(u, value), m.pool.Const(u, uint64(part.at-whole.at)))
	return m.pool.As(t, m.pool.Cast(expr.Type{Width: uint8(part.width)}, v))
}

// bitsAt is the value of an extent that is no leaf: a part of one, or several
// side by side; nil if the leaves do not tell.
func (s *addressSpace) bitsAt(b *Object, e Extent, t expr.Type) *expr.Expr {
	if e.kind != kindInt || e.width > 64 {
		return nil
	}
	u := expr.Type{Width: uint8(e.width)}
	var sum *expr.Expr
	for at := e.at; at < e.end(); {
		lf := b.reaching(at, e.end())
		if lf == nil {
			return nil
		}
		part := Extent{at: at, width: min(lf.end(), e.end()) - at}
		if part.width == e.width {
			return s.cut(s.cellVar(b, lf), lf.Extent, e, t)
		}
		bits := s.cut(s.cellVar(b, lf), lf.Extent, part, expr.Type{Width: uint8(part.width)})
		bits = s.pool.Shl(s.pool.Cast(u, bits), s.pool.Const(u, uint64(at-e.at)))
		if sum != nil {
			bits = s.pool.Or(sum, bits)
		}
		sum, at = bits, part.end()
	}
	if sum == nil {
		return nil
	}
	return s.pool.As(t, sum)
}

// reaching is the integer with a bit that has the most bits from there up to an end, and the smallest of them.
func (ly *layout) reaching(at, end int64) (found *leaf) {
	for _, lf := range ly.near(Extent{at: at, width: 1}) {
		if lf.kind != kindInt || lf.width > 64 || lf.at > at || lf.end() <= at {
			continue
		}
		if found == nil || min(lf.end(), end) > min(found.end(), end) ||
			min(lf.end(), end) == min(found.end(), end) && lf.width < found.width {
			found = lf
		}
	}
	return found
}
