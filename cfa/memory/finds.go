package memory

// Whether a value is found again when a procedure has returned.
//
// Idea: whoever called finds what it returns, what global variables hold, and what objects hold that outlive the
// procedure: static ones, and those to which pointers from outside point. Of these only those hold it that something is
// stored to that may carry it (carries.go). What an allocated object holds is found where one of them holds a
// pointer into it, and it is not freed; where only other allocated objects may hold one, it is not known. Nor is it
// where something of the value's width may be stored that has no variable.
//
// Cost: a comparison for each variable that outlives the procedure and that something is stored to; for those of
// allocated objects, one more with each that may point there.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/smt/expr"
)

// narrowest is the width in bits of the smallest scalar that may hold a handle: int.
const narrowest = 32

// finding is what is found again.
type finding struct{ *resolution }

// finds gives Into whether somebody finds Value.
func (r finding) finds(s Finds, pos cfa.Pos) {
	outer := r.keepers()
	if s.Result != nil && r.carriers.carries(s.Result) {
		outer = append(outer, s.Result)
	}
	found := r.holds(outer, s.Value)
	doubt := r.pool.Bool(r.unseen)
	for _, b := range r.objects {
		if !b.heap || b.stacked {
			continue
		}
		there := r.holds(r.storedLeaves(b), s.Value)
		if b.live != nil {
			there = r.pool.Land(there, r.pool.Truth(b.live))
		}
		if there.IsFalse() {
			continue
		}
		found = r.pool.Lor(found, r.pool.Land(there, r.pointedTo(b, outer)))
		doubt = r.pool.Lor(doubt, r.pool.Land(there, r.pool.Bool(r.heldByHeap(b))))
	}
	r.code.Assign(s.Into, r.pool.FromBool(boolean, found), pos)
	doubtful, certain := r.code.Branch(r.pool.Land(doubt, r.pool.Not(r.pool.Truth(s.Into))), pos)
	if r.code.Continue(doubtful); !r.code.Dead() { // on other ways a violation does not rest on it
		perhaps := r.code.Any(boolean, "kept", "whether memory that is not modelled holds it", pos)
		r.code.Assign(s.Into, perhaps, pos)
	}
	r.code.Join(certain)
}

// holds is the condition that one of the variables has a value.
func (r finding) holds(vars []*expr.Expr, value *expr.Expr) *expr.Expr {
	var is []*expr.Expr
	for _, v := range vars {
		if v.Type().Width >= narrowest {
			is = append(is, r.pool.Eq(r.pool.As(value.Type(), v), value))
		}
	}
	return r.pool.Lor(is...)
}

// pointedTo is the condition that one of the variables points into an object.
func (r finding) pointedTo(b *Object, vars []*expr.Expr) *expr.Expr {
	var is []*expr.Expr
	for _, v := range vars {
		if v.Type().Width == r.pointer.Width {
			is = append(is, r.near(v, b))
		}
	}
	return r.pool.Lor(is...)
}

// heldByHeap reports whether an allocated object may hold a pointer to an object.
func (r finding) heldByHeap(b *Object) bool {
	if r.pts == nil {
		return false
	}
	return slices.ContainsFunc(r.objects, func(c *Object) bool {
		return c.heap && slices.ContainsFunc(r.pts.nodesIn(c), func(n pointsto.Node) bool {
			for d := range r.pts.objectsOf(r.pts.targets(n)) {
				if d == b {
					return true
				}
			}
			return false
		})
	})
}

// storedLeaves are the variables of an object that something is stored to.
func (r finding) storedLeaves(b *Object) []*expr.Expr {
	var all []*expr.Expr
	for _, lf := range b.leaves {
		if r.stored[lf.v] {
			all = append(all, lf.v)
		}
	}
	return all
}

// keepers are the variables that outlive the procedure, but for those of allocated objects, and that something is
// stored to. What the models of the library remember is there for nobody else.
func (r finding) keepers() []*expr.Expr {
	var all []*expr.Expr
	for _, g := range r.globals {
		if g.Object == nil && !g.Own && r.stored[g.Var] && r.code.Describe(g.Var).Name != "errno" {
			all = append(all, g.Var)
		}
	}
	for _, b := range r.objects {
		if b.outlives() && !b.heap && b.name != "errno" && !(b.global != nil && b.global.Own) {
			all = append(all, r.storedLeaves(b)...)
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
			all[s.LHS] = s.Approx == "" && a.carriers.carries(s.RHS) || all[s.LHS]
		case Store:
			if s.Val == nil || !a.carriers.carries(s.Val) {
				continue
			}
			for h := range a.find.search(cfa.Loc(i), 0, s.To).all {
				if lf := a.leafAt(h.b, h.e, s.To.Scalar, false); lf != nil && !h.rest {
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
func (a demands) demandFound(s Store, h hit) {
	if h.b.outlives() && !h.rest && s.Val != nil && s.To.Scalar.Type.Width >= narrowest && a.looksFor() {
		a.demandLeaf(h.b, h.e, s.To.Scalar)
	}
}

// demandCopied does that for copies: what stands in the source stands in the target then.
func (a demands) demandCopied(s Copy, to, from *tree) {
	if s.Size < 0 || !a.looksFor() && !a.isCalled() {
		return
	}
	for h := range to.hits {
		if !h.b.outlives() || h.rest {
			continue
		}
		for g := range from.hits {
			if g.rest {
				continue
			}
			for _, lf := range a.within(g, s.Size) {
				e := lf.Extent.moved(h.e.at - g.e.at)
				if lf.kind != kindFloat && lf.t.Type.Width >= narrowest && e.end() <= h.e.at+8*s.Size {
					a.demandLeaf(h.b, e, lf.t)
				}
			}
		}
	}
}

// looksFor reports whether something is looked for at the end.
func (a *Analysis) looksFor() bool {
	for ; !a.looks && a.looked < a.code.Len(); a.looked++ {
		_, a.looks = a.code.At(cfa.Loc(a.looked)).Stmt.(Finds)
	}
	return a.looks
}

// outlives reports whether an object is there when the procedure has returned.
func (b *Object) outlives() bool {
	return !b.function && !b.constant && (b.global != nil || b.external || b.returned || b.heap && !b.stacked)
}

// Return says that an object is a structure that the component's procedure returns.
func (b *Object) Return() { b.returned = true }

// storesUnseen reports whether something is looked for, and a store of a wide scalar may be to memory without variables
// that outlives the procedure.
func (a *Analysis) storesUnseen() bool {
	if a.pts == nil || !a.looksFor() {
		return false
	}
	for i, loc := range a.code.Since(0) {
		s, ok := loc.Stmt.(Store)
		if ok && s.To.Scalar.Type.Width >= narrowest && s.Val != nil && a.carriers.carries(s.Val) &&
			a.storeUnseen(cfa.Loc(i), s) {
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
