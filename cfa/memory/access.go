package memory

// Loads, stores and fills at a hit: where it is known what an access means.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// unmodelled gives a variable a value from memory that is not modelled.
func (r *resolution) unmodelled(s Load, t *tree, pos cfa.Pos) {
	if s.LHS == nil {
		return
	}
	ends := r.lastArgument(s, t, pos)
	a := cfa.Assign{LHS: s.LHS, Nondet: "memory", Approx: "memory that is not modelled",
		Memory: r.rec.read(s, r.rec.areasUnmodelled(t))}
	if r.opt.Shapes && s.From.Scalar.Class == Pointer {
		a.Memory = nil
	}
	r.code.Emit(a, pos)
	r.code.Join(ends)
}

// loadSummarised gives a variable a value from one of many targets that are not told apart.
func (r *resolution) loadSummarised(s Load, t *tree, pos cfa.Pos) {
	if s.LHS != nil {
		r.code.Emit(cfa.Assign{LHS: s.LHS, Nondet: "memory", Approx: t.whySummarised(),
			Memory: r.rec.read(s, r.rec.areasUnmodelled(t)), Exact: r.loadedFrom(t, s)}, pos)
	}
}

// valueAt is what an extent of an object holds, or nil.
func (s *addressSpace) valueAt(b *Object, e Extent, t Scalar) *expr.Expr {
	if b.constant && b.starts() {
		return s.initialOf(b, e, t).Value
	}
	if lf := b.find(e); lf != nil {
		if lf.v == nil {
			return nil
		}
		return s.pool.As(t.Type, lf.v)
	}
	return s.bitsAt(b, e, t.Type)
}

func (r *resolution) load(s Load, h hit, pos cfa.Pos) {
	if s.LHS == nil {
		return
	}
	a := cfa.Assign{LHS: s.LHS}
	if table := r.table(h, s.From); table != nil {
		a.RHS = r.pool.As(s.LHS.Type(), table)
	} else if h.rest {
		a.Nondet, a.Approx = "element", fmt.Sprintf("an element of %s, which has more than %d", h.b.name, r.arrayLimit())
		if h.b.each > 0 {
			a.Nondet, a.Approx = "memory", fmt.Sprintf("memory of %s", h.b.decl.Name)
		}
		if h.skip != nil && h.stride == 8 && h.b.spanAt(h.e.at) == nil {
			a.Nondet, a.Approx = "memory", fmt.Sprintf("memory of %s by a pointer to any place in it", h.b.name)
		}
		if !r.opt.Shapes || s.From.Scalar.Class != Pointer || !h.b.external {
			s.From = s.From.foundAt(h)
			a.Memory = r.rec.read(s, r.rec.areasOf(h))
		}
	} else if a.RHS = r.valueAt(h.b, h.e, s.From.Scalar); a.RHS == nil {
		a.Nondet, a.Approx = "overlap", punned
		r.code.Assume(cfa.AboutMemory, pos, "%s reads memory by another type than it was written: any value", s.Text)
		if r.opt.Mirrored {
			s.From = s.From.foundAt(h)
			a.Memory = r.rec.read(s, r.rec.areasOf(h))
		}
	}
	if a.RHS != nil && !s.LHS.Type().IsFloat() && readsBits(a.RHS) {
		r.code.Assume(cfa.AboutFloats, pos, BitsOfNaN)
	}
	r.code.Emit(a, pos)
}

// readsBits reports whether a term has the bits of a floating-point number.
func readsBits(e *expr.Expr) bool {
	found := false
	expr.Walk(func(e *expr.Expr) { found = found || e.Op() == expr.FBits }, e)
	return found
}

func (r *resolution) store(s Store, h hit, pos cfa.Pos) {
	switch {
	case h.b.constant && !s.Init:
		r.Invalid(pos)
		return
	case h.rest:
		r.storeRest(h, pos)
		s.To = s.To.foundAt(h)
		r.rec.storeUnmodelled(s, pos, r.rec.areaOf(h)...)
		return
	case s.Init && !hasVariable(h):
		if h.mayLackVariables(s.To.Extent.width / 8) {
			r.rec.storeUnmodelled(s, pos)
		} else {
			r.rec.ifRead([]*Object{h.b}, func() { r.rec.storeUnmodelled(s, pos) })
		}
		return
	case h.mayLackVariables(s.To.Extent.width/8) && !hasVariable(h):
		r.rec.storeUnmodelled(s, pos)
		return
	}
	if !isCovered(h) {
		r.rec.ifRead([]*Object{h.b}, func() { r.rec.storeUnmodelled(s, pos) })
	}
	if lf := h.b.find(h.e); lf != nil && lf.v != nil {
		a := cfa.Assign{LHS: lf.v, Nondet: s.Nondet, Approx: s.Approx}
		if s.Val != nil {
			a.RHS = r.pool.As(lf.t.Type, s.Val)
		}
		r.code.Emit(a, pos)
		r.tell(h.b, h.e, lf.v, pos)
		return
	}
	val := s.Val
	if val != nil && !val.IsConst() && h.e.kind == kindInt && len(h.b.overlapping(h.e)) > 1 {
		val = r.code.Temp("stored", s.Val.Type(), pos)
		r.code.Assign(val, s.Val, pos)
	}
	r.tell(h.b, h.e, val, pos)
}

// storeRest stores to some element of a summarised array.
func (r *resolution) storeRest(h hit, pos cfa.Pos) {
	for _, lf := range h.touched() {
		if lf.v != nil {
			r.code.Emit(cfa.Assign{LHS: lf.v, Nondet: "element", Approx: "a store to an element of " + h.b.name}, pos)
		}
	}
}

// hasVariable reports whether a leaf at the extent of a hit, or one that overlaps
// it, has a variable.
func hasVariable(h hit) bool {
	return slices.ContainsFunc(h.b.sharing(h.e), func(lf *leaf) bool { return lf.v != nil })
}

// isCovered reports whether all of the extent of a hit lies in a leaf that has a variable.
func isCovered(h hit) bool {
	return slices.ContainsFunc(h.b.sharing(h.e), func(lf *leaf) bool { return lf.v != nil && h.e.within(lf.Extent) })
}

// fill gives a value to the bytes from a hit on.
func (r *resolution) fill(s Fill, h hit, pos cfa.Pos) {
	if h.b.constant && !s.Init {
		return
	}
	if h.mayLackVariables(s.Size) {
		r.rec.fillUnmodelled(s, h.b, pos)
	} else {
		r.rec.ifRead([]*Object{h.b}, func() { r.rec.fillUnmodelled(s, h.b, pos) })
	}
	if h.b.constant {
		return
	}
	for _, lf := range r.within(h, s.Size) {
		if lf.v == nil || slices.Contains(s.Except, lf.Extent.moved(-h.e.at)) {
			continue
		}
		a := cfa.Assign{LHS: lf.v, Nondet: s.Nondet, Approx: s.Approx}
		inside := !h.rest && lf.at >= h.e.at && (s.Size < 0 || lf.end() <= h.e.at+8*s.Size)
		if s.Val != nil && inside {
			a.RHS = r.repeated(s.Val, lf)
		}
		if a.RHS == nil && s.Val != nil {
			a.Nondet, a.Approx = "overlap", punned
		}
		if own := r.begins(h.b, lf); own != nil && s.Nondet == "uninitialised" && s.Val == nil {
			a = cfa.Assign{LHS: lf.v, RHS: own}
		}
		if s.exact() {
			r.partly(s.Length, h, lf, a, pos)
			continue
		}
		r.code.Emit(a, pos)
	}
	if s.Val == nil {
		r.agree(h.b, pos)
	}
}

// exact reports whether a fill is of as many bytes as a term says.
func (s Fill) exact() bool {
	return s.Size < 0 && s.Length != nil && s.Approx == ""
}

// partly assigns to a leaf if all of its bytes are among the length bytes from a hit on. A leaf
// with only some of them gets any value.
func (r *resolution) partly(length *expr.Expr, h hit, lf *leaf, a cfa.Assign, pos cfa.Pos) {
	cut := cfa.Assign{LHS: a.LHS, Nondet: "part", Approx: "how much is stored in " + h.b.name}
	if h.rest || lf.at < h.e.at {
		r.code.Emit(cut, pos)
		return
	}
	begin, end := (lf.at-h.e.at)/8, (lf.end()-h.e.at+7)/8
	some, none := r.code.Branch(r.pool.Lt(r.pool.Int(r.pointer, begin), length), pos)
	r.code.Continue(some)
	if end > begin+1 && !r.code.Dead() {
		var all, part cfa.Ends
		all, part = r.code.Branch(r.pool.Le(r.pool.Int(r.pointer, end), length), pos)
		r.code.Continue(part)
		if !r.code.Dead() {
			r.code.Emit(cut, pos)
		}
		none = append(none, r.code.Ends()...)
		r.code.Continue(all)
	}
	if !r.code.Dead() {
		r.code.Emit(a, pos)
	}
	r.code.Join(none)
}

// repeated is the value of a leaf all of whose bytes are val; nil where that is
// not modelled.
func (m *addressing) repeated(val *expr.Expr, lf *leaf) *expr.Expr {
	switch {
	case val.IsConst() && (lf.kind == kindInt || val.Value() <= 1):
		pattern := val.Value() * 0x0101010101010101 >> (lf.at % 8)
		return m.pool.Const(lf.t.Type, pattern)
	case lf.kind == kindInt && lf.width == 8:
		return m.pool.As(lf.t.Type, val)
	}
	return nil
}

// start gives the cells of a global object their values at the start.
func (r *resolution) start(b *Object, pos cfa.Pos) {
	for _, lf := range b.leaves {
		if lf.v == nil {
			continue
		}
		a := cfa.Assign{LHS: lf.v, RHS: r.begins(b, lf)}
		if a.RHS == nil {
			a.RHS = r.initialOf(b, lf.Extent, lf.t).Value
		}
		if a.RHS == nil {
			a.Nondet, a.Approx = "initialiser", "initialiser of "+lf.v.Name()
		}
		r.code.Emit(a, pos)
	}
}
