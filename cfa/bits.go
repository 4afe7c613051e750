package cfa

// Cells that overlap: unions, bit-fields beside the word they stand in, memory
// that is read by another type than it was written.
//
// Idea: each leaf is a variable of its own, so a store to one has to be told to
// the others. Where one of two integers lies within the other that is exact, by
// shifts and masks, the first byte being the lowest, or where a third one holds
// both; otherwise the other gets any value, and a violation that depends on it is not believed.

import (
	"magus/internal/expr"
)

const punned = "memory that was written by another type"

// tell gives the leaves that overlap an extent, other than one that is just
// it, what they hold after value was stored there; a nil value is any.
func (l *lowerer) tell(b *block, e extent, value *expr.Expr, pos Pos) {
	over := b.overlapping(e)
	if value == nil || e.kind != kindInt {
		value = nil
	}
	var whole *leaf // an integer that e is a part of
	for pass := range 2 {
		for _, lf := range over {
			if lf.v == nil || e.within(lf.extent) == (pass == 1) {
				continue
			}
			a := Assign{LHS: lf.v}
			switch {
			case value == nil || lf.kind != kindInt:
			case pass == 0:
				a.RHS = l.overlay(lf, e, value)
				if whole == nil || whole.within(lf.extent) {
					whole = lf
				}
			case lf.within(e):
				a.RHS = l.cut(value, e, lf.extent, lf.t.typ)
			case whole != nil && lf.within(whole.extent):
				a.RHS = l.cut(whole.v, whole.extent, lf.extent, lf.t.typ)
			}
			if a.RHS == nil {
				a.Nondet, a.Approx = "overlap", punned
			}
			l.emit(a, pos)
		}
	}
}

// agree makes the overlapping leaves of a block, all of which have been given
// any value, parts of the widest integers among them.
func (l *lowerer) agree(b *block, pos Pos) {
	for _, lf := range b.leaves {
		if lf.v == nil {
			continue
		}
		whole, alone := lf, true
		for _, o := range b.overlapping(lf.extent) {
			if o.v == nil {
				continue
			}
			alone = alone && lf.kind == kindInt && o.kind == kindInt && o.within(lf.extent)
			if lf.kind == kindInt && o.kind == kindInt && whole.within(o.extent) {
				whole = o
			}
		}
		switch {
		case alone:
		case whole != lf:
			l.assign(lf.v, l.cut(whole.v, whole.extent, lf.extent, lf.t.typ), pos)
		default:
			l.emit(Assign{LHS: lf.v, Nondet: "overlap", Approx: punned}, pos)
		}
	}
}

// overlay is the value of a leaf with the part e of it replaced.
func (l *lowerer) overlay(lf *leaf, e extent, value *expr.Expr) *expr.Expr {
	u, part := expr.Type{Width: uint8(lf.width)}, expr.Type{Width: uint8(e.width)}
	old := l.pool.And(l.pool.Cast(u, lf.v), l.pool.Const(u, ^(part.Mask()<<(e.at-lf.at))))
	bits := l.pool.Shl(l.pool.Cast(u, l.pool.Cast(part, value)), l.pool.Const(u, uint64(e.at-lf.at)))
	return l.pool.Cast(lf.t.typ, l.pool.Or(old, bits))
}

// cut takes the bits of part out of the value of whole.
func (l *lowerer) cut(value *expr.Expr, whole, part extent, t expr.Type) *expr.Expr {
	u := expr.Type{Width: uint8(whole.width)}
	v := l.pool.Shr(l.pool.Cast(u, value), l.pool.Const(u, uint64(part.at-whole.at)))
	return l.pool.Cast(t, l.pool.Cast(expr.Type{Width: uint8(part.width)}, v))
}

// bitsAt is the value of an extent that is no leaf: a part of one, or several
// side by side; nil if the leaves do not tell.
func (l *lowerer) bitsAt(b *block, e extent, t expr.Type) *expr.Expr {
	if e.kind != kindInt || e.width > 64 {
		return nil
	}
	u := expr.Type{Width: uint8(e.width)}
	var sum *expr.Expr
	at := e.at
	for _, lf := range b.leaves {
		switch {
		case lf.kind != kindInt || lf.width > 64:
		case lf.at <= e.at && e.end() <= lf.end():
			return l.cut(l.cellVar(b, lf), lf.extent, e, t)
		case lf.at == at && lf.end() <= e.end():
			part := l.pool.Cast(u, l.pool.Cast(expr.Type{Width: uint8(lf.width)}, l.cellVar(b, lf)))
			part = l.pool.Shl(part, l.pool.Const(u, uint64(lf.at-e.at)))
			if sum != nil {
				part = l.pool.Or(sum, part)
			}
			sum, at = part, lf.end()
		}
	}
	if sum == nil || at != e.end() {
		return nil
	}
	return l.pool.Cast(t, sum)
}
