package memory

// Whether a value is found again when a procedure has returned.
//
// Idea: whoever called finds what it returns, what global variables hold, and what objects hold that outlive the
// procedure: static ones, those to which pointers from outside point, allocated ones. Of these only those hold it that
// something is stored to. That an allocated object may be lost itself is not looked at, so more may be found than there
// is. Where something of the value's width may be stored that has no variable, it is not known whether that is the
// value.
//
// Cost: a comparison for each variable that outlives the procedure and that something is stored to.

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
	for _, v := range append(r.keepers(), s.Result) {
		if v != nil && v.Type().Width >= narrowest {
			is = append(is, r.pool.Eq(r.pool.Cast(s.Value.Type(), v), s.Value))
		}
	}
	found := r.pool.Lor(is...)
	if r.unseen {
		perhaps := r.code.Any(boolean, "kept", "whether memory that is not modelled holds it", pos)
		found = r.pool.Lor(found, r.pool.Truth(perhaps))
	}
	r.code.Assign(s.Into, r.pool.FromBool(boolean, found), pos)
}

// keepers are the variables that outlive the procedure and that something is stored to.
func (r *resolution) keepers() []*expr.Expr {
	var all []*expr.Expr
	for _, g := range r.globals {
		if g.Object == nil && r.stored[g.Var] && r.code.Describe(g.Var).Name != "errno" {
			all = append(all, g.Var)
		}
	}
	for _, b := range r.objects {
		if !b.outlives() || b.name == "errno" {
			continue
		}
		for _, lf := range b.leaves {
			if r.stored[lf.v] {
				all = append(all, lf.v)
			}
		}
	}
	return all
}

// storedTo are the variables to which some statement stores a value.
func (a *Analysis) storedTo() map[*expr.Expr]bool {
	all := map[*expr.Expr]bool{}
	for i, loc := range a.code.Since(0) {
		switch s := loc.Stmt.(type) {
		case cfa.Assign:
			all[s.LHS] = s.Approx == "" || all[s.LHS]
		case Store:
			for h := range a.find.search(cfa.Loc(i), 0, s.To).all {
				if lf := a.leafAt(h.b, h.e, s.To.Scalar, false); lf != nil && s.Val != nil && !h.rest {
					all[lf.v] = true
				}
			}
		case Copy:
			for h := range a.find.search(cfa.Loc(i), 0, s.To).all {
				for _, lf := range h.b.leaves {
					all[lf.v] = true
				}
			}
		}
	}
	delete(all, nil)
	return all
}

// demandFound makes variables of what stores may leave for the caller, where that is looked for.
func (a *Analysis) demandFound(s Store, h hit) {
	if h.b.outlives() && !h.rest && s.Val != nil && s.To.Scalar.Type.Width >= narrowest && a.looksFor() {
		a.demandLeaf(h.b, h.e, s.To.Scalar)
	}
}

// looksFor reports whether something is looked for at the end.
func (a *Analysis) looksFor() bool {
	return slices.ContainsFunc(a.code.Since(0), func(loc cfa.Location) bool { _, ok := loc.Stmt.(Finds); return ok })
}

// outlives reports whether an object is there when the procedure has returned.
func (b *Object) outlives() bool {
	return !b.function && !b.constant && (b.global != nil || b.external || b.heap && !b.stacked)
}

// storesUnseen reports whether something is looked for, and a store of a wide scalar may be to memory without variables
// that outlives the procedure.
func (a *Analysis) storesUnseen() bool {
	if a.pts == nil || !a.looksFor() {
		return false
	}
	for i, loc := range a.code.Since(0) {
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
