package memory

// Cells that overlap: unions, bit-fields beside the word they stand in, memory
// that is read by another type than it was written.
//
// Idea: each leaf is a variable of its own, so a store to one has to be told to
// the others. Where one of two integers lies within the other that is exact, by
// shifts and masks, the first byte being the lowest, or where a third one holds
// both; otherwise the other gets any value, and a violation that depends on it is not believed.

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
	var whole *leaf // an integer that e is a part of
	for pass := range 2 {
		for _, lf := range over {
			if lf.v == nil || e.within(lf.Extent) == (pass == 1) {
				continue
			}
			a := cfa.Assign{LHS: lf.v}
			switch {
			case value == nil || lf.kind != kindInt:
			case pass == 0:
				a.RHS = s.overlay(lf, e, value)
				if whole == nil || whole.within(lf.Extent) {
					whole = lf
				}
			case lf.within(e):
				a.RHS = s.cut(value, e, lf.Extent, lf.t.Type)
			case whole != nil && lf.within(whole.Extent):
				a.RHS = s.cut(whole.v, whole.Extent, lf.Extent, lf.t.Type)
			}
			if a.RHS == nil {
				a.Nondet, a.Approx = "overlap", punned
			}
			s.code.Emit(a, pos)
		}
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
	at := e.at
	for _, lf := range b.near(e) {
		switch {
		case lf.kind != kindInt || lf.width > 64:
		case lf.at <= e.at && e.end() <= lf.end():
			return s.cut(s.cellVar(b, lf), lf.Extent, e, t)
		case lf.at == at && lf.end() <= e.end():
			part := s.pool.Cast(u, s.pool.As(expr.Type{Width: uint8(lf.width)}, s.cellVar(b, lf)))
			part = s.pool.Shl(part, s.pool.Const(u, uint64(lf.at-e.at)))
			if sum != nil {
				part = s.pool.Or(sum, part)
			}
			sum, at = part, lf.end()
		}
	}
	if sum == nil || at != e.end() {
		return nil
	}
	return s.pool.As(t, sum)
}
