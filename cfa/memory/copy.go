package memory

// Copies: leaf by leaf, and through temporaries where the source or the target
// has to be searched for.

import (
	"magus/cfa"
	"magus/smt/expr"
)

func (r *resolution) copy(at cfa.Loc, s Copy, pos cfa.Pos) {
	source := byteRange{at: s.From, size: s.Size, length: s.Length}
	target := byteRange{at: s.To, size: s.Size, length: s.Length, store: true}
	if s.Partly {
		source.size, source.length = -1, nil
	}
	to, from := r.find.search(at, 0, s.To), r.find.search(at, 1, s.From)
	r.check.overlap(s, to.leads(isUnknown) || from.leads(isUnknown), pos)
	defer func() {
		if to.mayLackVariables(s.Size) {
			r.rec.forget(r.Term(s.To.Address), s.Size, s.Length, pos)
			return
		}
		var objects []*Object
		for h := range to.all {
			objects = append(objects, h.b)
		}
		r.rec.ifRead(objects, func() { r.rec.forget(r.Term(s.To.Address), s.Size, s.Length, pos) })
	}()
	if to.hit != nil && from.hit != nil && !to.hit.rest && !from.hit.rest && to.hit.b != from.hit.b &&
		(s.Size >= 0 || s.Length != nil) {
		r.check.inLife(from.hit.b.live, pos)
		r.check.inLife(to.hit.b.live, pos)
		r.check.room(*from.hit, source, pos)
		r.check.room(*to.hit, target, pos)
		r.put(s, *to.hit, pos, func(e Extent, t Scalar) *expr.Expr { return r.get(s, *from.hit, e, t) })
		return
	}
	carried := r.carried[at]
	for _, need := range carried.leaves {
		if need.v == nil && need.kind != kindFloat {
			need.v = r.code.Temp("copied", need.t.Type, pos)
		}
	}
	nothing := func() { r.carryUnmodelled(s, from, carried, pos) }
	r.along(from, s.From, pos, func(h hit) {
		r.check.room(h, source, pos)
		r.carry(carried, pos, func(e Extent, t Scalar) *expr.Expr { return r.get(s, h, e, t) })
	}, nothing, nothing)
	r.along(to, s.To, pos, func(h hit) {
		r.check.room(h, target, pos)
		r.put(s, h, pos, func(e Extent, t Scalar) *expr.Expr {
			lf := carried.find(e)
			if lf == nil || lf.v == nil {
				return nil
			}
			return r.pool.As(t.Type, lf.v)
		})
	}, func() {}, func() { r.elsewhere(to, s.To, pos, func() {}, func() { r.blur(to, s.Size, nil, pos) }) })
}

// overlap lets control pass only if the source and the target of a copy do not overlap, where that is
// checked. open says that one of them may be any address.
func (r *checker) overlap(s Copy, open bool, pos cfa.Pos) {
	size := s.Length
	if s.Size >= 0 {
		size = r.pool.Int(r.pointer, s.Size)
	}
	if !r.opt.CheckPointers || !s.Apart || size == nil {
		return
	}
	to, from := r.Term(s.To.Address), r.Term(s.From.Address)
	ahead, behind := r.pool.Sub(to, from), r.pool.Sub(from, to)
	meet, apart := r.code.Branch(r.pool.Land(r.pool.Ne(to, from),
		r.pool.Lor(r.pool.Lt(ahead, size), r.pool.Lt(behind, size))), pos)
	r.code.Continue(meet)
	if len(meet) > 0 && open {
		r.undecided("whether what is copied overlaps its target", pos)
		apart = append(apart, r.code.Ends()...)
	} else {
		r.Invalid(pos)
	}
	r.code.Continue(apart)
}

// carry takes what get gives into the temporaries of a copy.
func (r *resolution) carry(carried *layout, pos cfa.Pos, get func(e Extent, t Scalar) *expr.Expr) {
	for _, need := range carried.leaves {
		if need.v == nil {
			continue
		}
		a := cfa.Assign{LHS: need.v, RHS: get(need.Extent, need.t)}
		if a.RHS == nil {
			a.Nondet, a.Approx = "copy", punned
		}
		r.code.Emit(a, pos)
	}
}

// carryUnmodelled takes what stands in memory that is not modelled.
func (r *resolution) carryUnmodelled(s Copy, from *tree, carried *layout, pos cfa.Pos) {
	for _, need := range carried.leaves {
		if need.v == nil {
			continue
		}
		part := s.From
		part.Extent, part.Scalar = need.Extent, need.t
		load := Load{LHS: need.v, From: part}
		r.code.Emit(cfa.Assign{LHS: need.v, Nondet: "copy", Approx: "memory that is not modelled",
			Memory: r.rec.read(load, r.rec.areasUnmodelled(from))}, pos)
	}
}

// get is what a copy takes from a hit.
func (r *resolution) get(s Copy, h hit, e Extent, t Scalar) *expr.Expr {
	if h.rest || s.Size < 0 && s.Length == nil || e.moved(h.e.at).end() > 8*h.b.size {
		return nil
	}
	return r.valueAt(h.b, e.moved(h.e.at), t)
}

// put stores what a copy brings to a hit.
func (r *resolution) put(s Copy, h hit, pos cfa.Pos, get func(e Extent, t Scalar) *expr.Expr) {
	if h.b.constant {
		r.Invalid(pos)
		return
	}
	for _, lf := range r.within(h, s.Size) {
		if lf.v == nil {
			continue
		}
		a := cfa.Assign{LHS: lf.v}
		e, part := lf.Extent.moved(-h.e.at), r.mayBePart(s, h, lf)
		if part || !h.rest && s.Size >= 0 && e.at >= 0 && e.end() <= 8*s.Size {
			a.RHS = get(e, lf.t)
		} else if in, ok := s.into(h, lf); ok {
			if bits := get(in.moved(-h.e.at), bitsOf(in)); bits != nil {
				a.RHS = r.overlay(lf, in, bits)
			}
		}
		if a.RHS == nil {
			a.Nondet, a.Approx = "copy", punned
		}
		if part {
			r.partly(s.Length, h, lf, a, pos)
		} else {
			r.code.Emit(a, pos)
		}
	}
}

// into is what of a leaf a copy of a known size writes, if that is known and not all of it.
func (s Copy) into(h hit, lf *leaf) (Extent, bool) {
	all := Extent{at: h.e.at, width: 8 * s.Size}
	known := !h.rest && s.Size > 0 && lf.kind == kindInt && lf.width <= 64 && lf.overlaps(all) && !lf.within(all)
	if !known {
		return Extent{}, false
	}
	return all.common(lf.Extent), true
}

// bitsOf is what an extent holds as a number.
func bitsOf(e Extent) Scalar { return Scalar{Type: expr.Type{Width: uint8(e.width)}} }

// mayBePart reports whether a leaf is told apart in a copy of as many bytes as a term
// says: it gets what stands at the source if it is among them. A leaf that may hold an
// address is not, since half of one may be copied.
func (m *addressing) mayBePart(s Copy, h hit, lf *leaf) bool {
	return s.Size < 0 && s.Length != nil && !h.rest && lf.at >= h.e.at && lf.kind == kindInt && !m.wide(lf.t.Type)
}
