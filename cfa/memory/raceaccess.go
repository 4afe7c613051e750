package memory

// Accesses that only a data race notices.
//
// Idea: cells that nothing reads have no variables, and what is copied, filled, given to the library
// or freed is not read or written there. Where data races are asked for, each access counts. So all
// that an access meets has variables; what the library reads is read, and what is freed is written. An
// access that all the same meets something without variables is written as one to memory without
// variables, after which a program is not proved.
//
// Cost: a search more for each access, and an access to each of the cells that are met.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// showing is accesses that an automaton shows.
type showing struct{ *resolution }

// A use is an access of a statement.
type use struct {
	search int // the number of the search, as the statement's others have it
	ref    Ref
	size   int64 // negative: not known
	scalar bool  // the access is that of the ref's extent
	silent bool  // it reads, and leaves no read
	value  bool  // it is a load whose value is used
}

// accesses are those of a statement.
func accesses(s cfa.Stmt) []use {
	switch s := s.(type) {
	case Load:
		return []use{{ref: s.From, size: s.From.Size, scalar: true, silent: s.LHS == nil, value: s.LHS != nil}}
	case Store:
		if !s.Init {
			return []use{{ref: s.To, size: s.To.Size, scalar: true}}
		}
	case Copy:
		return []use{{ref: s.To, size: s.Size}, {search: 1, ref: s.From, size: s.Size, silent: true}}
	case Fill:
		if !s.Init {
			return []use{{ref: s.To, size: s.Size}}
		}
	case Touch:
		return []use{{ref: s.At, size: s.Size, silent: !s.Store}}
	case Measure:
		return []use{{ref: s.At, size: -1}}
	}
	return nil
}

// demandRaces gives the cells that a statement accesses variables.
func (a demands) demandRaces(at cfa.Loc, s cfa.Stmt) {
	for _, u := range accesses(s) {
		for h := range a.find.search(at, u.search, u.ref).all {
			for _, lf := range a.within(h, u.size) {
				if lf.v == nil && !h.b.constant && a.cellVar(h.b, lf) != nil {
					a.changes++
				}
			}
		}
	}
}

// showAccesses writes what shows the accesses of a statement to other threads.
func (r showing) showAccesses(at cfa.Loc, s cfa.Stmt, pos cfa.Pos) {
	for _, u := range accesses(s) {
		if r.code.Dead() {
			return
		}
		t := r.find.search(at, u.search, u.ref)
		if r.isShown(t, u) {
			continue
		}
		unmodelled := func() { r.showUnmodelled(u.ref, pos) }
		r.along(t, u.ref, pos, func(h hit) { r.showAccess(h, u, pos) }, unmodelled, unmodelled)
	}
	if f, ok := s.(Free); ok {
		r.freed(f.Addr, pos)
	}
}

// isShown reports whether nothing need be added to an access.
func (r showing) isShown(t *tree, u use) bool {
	if t.els == isUnknown || len(t.summarised) > 0 {
		return false
	}
	for h := range t.all {
		if u.silent && !h.b.constant || !r.hasVariables(h, u) {
			return false
		}
	}
	return true
}

// showAccess adds to an access of a hit what shows it.
func (r showing) showAccess(h hit, u use, pos cfa.Pos) {
	if h.b.constant {
		return
	}
	if u.silent {
		for _, lf := range r.within(h, u.size) {
			if lf.v != nil {
				r.code.Assign(r.code.Temp("read", lf.v.Type(), pos), lf.v, pos)
			}
		}
	}
	if !r.hasVariables(h, u) {
		r.showUnmodelled(u.ref, pos)
	}
}

// hasVariables reports whether all that an access of a hit meets has variables.
func (r showing) hasVariables(h hit, u use) bool {
	switch {
	case h.b.constant:
		return true
	case h.rest:
		return false
	case u.value:
		return r.valueAt(h.b, h.e, u.ref.Scalar) != nil
	case u.scalar:
		lf := h.b.find(h.e)
		return lf != nil && lf.v != nil
	}
	return !h.mayLackVariables(u.size) &&
		!slices.ContainsFunc(r.within(h, u.size), func(lf *leaf) bool { return lf.v == nil })
}

// showUnmodelled writes an access to memory without variables.
func (r showing) showUnmodelled(ref Ref, pos cfa.Pos) {
	if r.code.Dead() {
		return
	}
	v := r.code.Temp("access", expr.Uint8, pos)
	r.code.Emit(cfa.Assign{LHS: v, Nondet: "memory", Approx: "memory that is not modelled",
		Memory: &cfa.Access{Kind: cfa.Read, Addr: r.firstByte(ref), Size: 1}}, pos)
}

// freed writes any value to what is freed.
func (r showing) freed(addr *expr.Expr, pos cfa.Pos) {
	var ends cfa.Ends
	for _, target := range r.targets(addr) {
		b := r.pts.at(target.Object)
		if b == nil || target.Offset != 0 || b.variables == 0 {
			continue
		}
		yes, no := r.code.Branch(r.pool.Eq(addr, r.AddressIn(b, 0)), pos)
		r.code.Continue(yes)
		for _, lf := range b.leaves {
			if lf.v != nil && !r.code.Dead() {
				r.code.Emit(cfa.Assign{LHS: lf.v, Nondet: "free"}, pos)
			}
		}
		ends = append(ends, r.code.Ends()...)
		r.code.Continue(no)
	}
	r.code.Join(ends)
}
