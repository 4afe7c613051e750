package memory

// Whether a value is found again when a procedure has returned.
//
// Idea: whoever called finds what it returns, what global variables hold, and what objects hold that outlive the
// procedure: static ones, those to which pointers from outside point, allocated ones. That an allocated object may be
// lost itself is not looked at, so more may be found than there is. Where something of the value's width may be
// stored that has no variable, it is not known whether that is the value.
//
// Cost: a comparison for each variable that outlives the procedure.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// narrowest is the width in bits of the smallest scalar that may hold a handle: int.
const narrowest = 32

// finds gives Into whether somebody finds Value.
func (r *resolution) finds(s Finds, pos cfa.Pos) {
	var is []*expr.Expr
	add := func(v *expr.Expr) {
		if v != nil && v.Type().Width >= narrowest {
			is = append(is, r.pool.Eq(r.pool.Cast(s.Value.Type(), v), s.Value))
		}
	}
	add(s.Result)
	for _, g := range r.globals {
		if g.Object == nil {
			add(g.Var)
		}
	}
	for _, b := range r.objects {
		if !b.outlives() {
			continue
		}
		for _, lf := range b.leaves {
			add(lf.v)
		}
	}
	found := r.pool.Lor(is...)
	if r.unseen {
		perhaps := r.code.Any(boolean, "kept", "whether memory that is not modelled holds it", pos)
		found = r.pool.Lor(found, r.pool.Truth(perhaps))
	}
	r.code.Assign(s.Into, r.pool.FromBool(boolean, found), pos)
}

// outlives reports whether an object is there when the procedure has returned.
func (b *Object) outlives() bool {
	return !b.function && !b.constant && (b.global != nil || b.external || b.heap && !b.stacked)
}

// storesUnseen reports whether something is looked for, and a store of a wide scalar may be to memory without variables
// that outlives the procedure.
func (a *Analysis) storesUnseen() bool {
	draft := a.code.Since(0)
	if a.pts == nil || !slices.ContainsFunc(draft, func(loc cfa.Location) bool { _, ok := loc.Stmt.(Finds); return ok }) {
		return false
	}
	for i, loc := range draft {
		s, ok := loc.Stmt.(Store)
		if ok && s.To.Scalar.Type.Width >= narrowest && s.Val != nil && a.storeUnseen(cfa.Loc(i), s) {
			return true
		}
	}
	return false
}

// storeUnseen reports whether one store may be so.
func (a *Analysis) storeUnseen(at cfa.Loc, s Store) bool {
	if a.mayMiss(at) {
		return true
	}
	for h := range a.find.search(at, 0, s.To).all {
		if h.b.outlives() && (h.rest || h.b.unbounded || a.leafAt(h.b, h.e, s.To.Scalar, false) == nil) {
			return true
		}
	}
	return false
}
