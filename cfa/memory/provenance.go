package memory

// Pointers that are for a while something else than pointers.
//
// Idea: the analysis follows addresses through pointers and through integers that
// are wide enough, but not through their parts, not through bits that the control
// flow carries, and not through differences. What becomes something else than a
// pointer is therefore exposed: a pointer that is converted to a number, or whose
// bytes are read otherwise. A pointer that is made of something else than a
// pointer (a number, bytes, an integer at the same address) may be any address that
// is exposed anywhere in the component, at any offset in its object. Once code that
// nobody described is given a number, it may know all addresses that are exposed
// before.
//
// LAW: a pointer by which a run accesses an object is one that was copied as a
// pointer, or one whose object is exposed before.
//
// Source: the exposed addresses of the C provenance model PNVI-ae (Memarian et
// al.: Exploring C semantics and pointer provenance, POPL 2019, section 2),
// without the order of time. Cost: two inclusions for each exposure.

import (
	"slices"

	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/smt/expr"
)

// An exposure is a location from which on an address may be known as a number.
type exposure struct {
	at      cfa.Loc
	address *expr.Expr
}

// expose enters the exposures.
func (p *pointers) expose() {
	for _, x := range p.a.exposures {
		if n := p.term(x.address); n != none {
			p.g.Copy(p.exposed, n)
		}
	}
	for i := range p.a.code.Len() {
		if p.a.givesNumbers(cfa.Loc(i)) {
			p.g.Escape(p.exposed)
			break
		}
	}
}

// inBits says that a pointer may be written as something else than a pointer, or
// read so.
func (p *pointers) inBits(n pointsto.Node, written, read bool) {
	if written {
		p.g.Copy(n, p.exposed)
		if p.a.others() {
			p.g.Copy(n, pointsto.World)
		}
	}
	if read {
		p.g.Copy(p.exposed, n)
		p.g.Escape(n)
	}
}

// anyPointer says that a pointer may be any that is exposed, or known to code that
// nobody described, memory that is not modelled included.
func (p *pointers) anyPointer(n pointsto.Node) {
	p.g.Copy(n, p.exposed)
	p.g.Copy(n, pointsto.World)
}

// others reports whether there is code that nobody described, which may know
// addresses.
func (m *Model) others() bool {
	if len(m.anyAtEntry()) > 0 || slices.ContainsFunc(m.globals, func(g *Global) bool { return !g.Starts }) {
		return true
	}
	for i, loc := range m.code.Since(0) {
		switch loc.Stmt.(type) {
		case cfa.Call:
			if m.bodies[cfa.Loc(i)] == nil {
				return true
			}
		case UnknownCall:
			return true
		}
	}
	return false
}

// givesNumbers reports whether the call at a location, of a routine that is not
// inlined, is given numbers in which addresses may be hidden.
func (m *Model) givesNumbers(at cfa.Loc) bool {
	switch s := m.code.At(at).Stmt.(type) {
	case cfa.Call:
		return m.numbered[at] && m.bodies[at] == nil
	case UnknownCall:
		return s.Numbers || len(s.Passed) > 0
	}
	return false
}

// knownAsNumbers gives for each location the objects whose addresses may be known
// as numbers when control arrives or by its statement; nil where control does
// not come.
func (a *escapes) knownAsNumbers(start cfa.Loc) []objectSet {
	at := make([]objectSet, a.code.Len()+1)
	var bits []pointsto.Node
	for _, x := range a.exposures {
		n := a.pts.term(x.address)
		if n == none {
			continue
		}
		if a.code.IsOutOfLine(x.at) {
			bits = append(bits, n)
			continue
		}
		set := a.pts.reach([]pointsto.Node{n}, nil)
		if at[x.at] != nil {
			set.join(at[x.at])
		}
		at[x.at] = set
	}
	at = at[:a.code.Len()]
	for _, b := range a.objects {
		for _, lf := range b.leaves {
			if n, ok := a.pts.leaves[lf]; ok && lf.leaks {
				bits = append(bits, n)
			}
		}
		if b.leaks {
			bits = append(bits, a.pts.spans[b]...)
		}
	}
	known := a.before(start, a.pts.reach(bits, nil), at)
	for i := range known {
		if known[i] != nil && at[i] != nil {
			known[i].join(at[i])
		}
	}
	return known
}

// accessed notes the access of a leaf by a type, and tells how many marks that
// changes: where a pointer is accessed as a number, or a number as a pointer,
// what is written by one is read by the other.
func (m *addressing) accessed(lf *leaf, t Scalar) (changes int) {
	if lf.t.Type.Width < m.pointer.Width || (lf.t.Class == Pointer) == (t.Class == Pointer) {
		return 0
	}
	for _, mark := range []*bool{&lf.foreign, &lf.leaks, &lf.pointer} {
		if !*mark {
			*mark = true
			changes++
		}
	}
	return changes
}

// heldInSpan reports whether an extent in a summarised array is a scalar that its
// elements have, a pointer or not as t is, and nothing else.
func (b *Object) heldInSpan(e Extent, t Scalar) bool {
	s := b.spanAt(e.at)
	if s == nil || s.elem.Size <= 0 {
		return false
	}
	var ly layout
	size := 8 * s.elem.Size
	ly.lay(s.elem, s.at+(e.at-s.at)/size*size, size, "", DefaultArrayLimit)
	lf := ly.find(e)
	return lf != nil && len(ly.overlapping(e)) == 0 && (lf.t.Class == Pointer) == (t.Class == Pointer)
}

// held reports whether whatever a hit to the rest may mean is, in a summarised array, a
// scalar that its elements have, a pointer or not as t is.
func (h hit) held(t Scalar) bool {
	s := h.b.spanAt(h.e.at)
	first, last := h.starts()
	if s == nil || s.elem.Size <= 0 || h.stride == 0 || first < s.at || last > s.end {
		return false
	}
	size := 8 * s.elem.Size
	step := max(h.align, 1)
	if h.inside {
		step = h.e.width // aligned
	} else if k := int64(gcd(uint64(max(h.stride, -h.stride)), uint64(size))); k > step {
		step = k
	}
	if step <= 0 {
		return false
	}
	for at := (h.e.at - s.at) % step; at < size; at += step {
		if !h.b.heldInSpan(h.e.moved(s.at+at-h.e.at), t) {
			return false
		}
	}
	return true
}

// demandParts notes which addresses a copy does not take along as pointers: those
// that have no leaf of their kind on the other side.
func (a demands) demandParts(to, from []hit, s Copy) {
	for _, lf := range a.unmatched(from, to, s.Size, func(lf *leaf) bool { return lf.leaks }) {
		a.set(&lf.leaks)
	}
	for _, lf := range a.unmatched(to, from, s.Size, func(lf *leaf) bool { return lf.foreign }) {
		a.set(&lf.foreign)
	}
	here, there := slotsOf(to), slotsOf(from)
	for _, g := range to {
		if len(g.b.spans) > 0 && there.differ(slotOf(g)) {
			a.set(&g.b.foreign)
		}
	}
	for _, h := range from {
		if len(h.b.spans) > 0 && here.differ(slotOf(h)) {
			a.set(&h.b.leaks)
		}
	}
}

// unmatched are the leaves for addresses in size bytes from the hits here on that some hit
// there has no match for, but those that are known.
func (a *Analysis) unmatched(here, there []hit, size int64, known func(*leaf) bool) []*leaf {
	var all []*leaf
	for _, h := range here {
		if a.code.Err() != nil {
			return nil
		}
		for lf := range h.within(size) {
			if lf.kind != kindInt || !a.wide(lf.t.Type) || known(lf) {
				continue
			}
			e := lf.Extent.moved(-h.e.at)
			if size < 0 || h.rest || !a.aligned(e) || slices.ContainsFunc(there, func(g hit) bool {
				return g.rest || !g.b.fits(e.moved(g.e.at), lf.t)
			}) {
				all = append(all, lf)
			}
		}
	}
	return all
}

// fits reports whether an object has, or may get, a leaf for an address at an
// extent, for a pointer or not as t is.
func (b *Object) fits(e Extent, t Scalar) bool {
	if lf := b.find(e); lf != nil {
		return (lf.t.Class == Pointer) == (t.Class == Pointer)
	}
	if b.spanAt(e.at) != nil {
		return b.heldInSpan(e, t)
	}
	return b.untyped && len(b.overlapping(e)) == 0
}

// A slot is where a hit lies among summarised arrays: at an offset of their elements, or
// beside them, in an object that has some or none.
type slot struct {
	elem  *Type
	at    int64
	apart bool // beside the arrays of its object
}

func slotOf(h hit) slot {
	s := h.b.spanAt(h.e.at)
	if s == nil {
		return slot{apart: len(h.b.spans) > 0}
	}
	return slot{elem: s.elem, at: (h.e.at - s.at) % (8 * s.elem.Size)}
}

// slots are those of several hits.
type slots map[slot]bool

func slotsOf(hits []hit) slots {
	all := slots{}
	for _, h := range hits {
		all[slotOf(h)] = true
	}
	return all
}

// differ reports whether one of the slots is not the same as s. What stands beside
// arrays is never the same.
func (all slots) differ(s slot) bool {
	return len(all) > 1 || len(all) == 1 && (s.apart || !all[s])
}
