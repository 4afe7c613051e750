package memory

// Pointers with very many targets, which are summarised.
//
// Idea: a pointer that comes from other code, or from memory that is not
// modelled, may point anywhere in everything that such code may know: thousands
// of targets, most of which no such pointer ever points to. These are not told
// apart. A load from them gives any value, and a store gives any value to each of
// them; no violation may rest on it. The few targets that hold an object of the
// pointer's type are still told apart.
//
// Source: ours. Cost: a load of the others is one statement, a store one for
// each of their cells that something else reads.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// thin takes the hits out of a tree that are too many to be told apart: all of a pointer that may come from outside,
// where nothing is known of those. Where pointers are checked all stay, since each has a life of its own.
func (m *addressing) thin(t *tree) {
	left := m.targetLimit()
	if m.opt.OutsideUnknown && t.els == isUnknown {
		left = 0
	}
	if m.opt.CheckPointers || t.count() <= left {
		return
	}
	var stay []arm
	t.summarised = t.arms[:0] // never ahead of what is read
	for _, a := range t.arms {
		n := left + 1
		if a.likely {
			n = a.count()
		}
		if n <= left {
			stay, left = append(stay, a), left-n
		} else {
			t.summarised = append(t.summarised, a)
		}
	}
	t.arms = stay
}

// count is the number of hits.
func (t *tree) count() int {
	n := 0
	if t.hit != nil {
		n = 1
	}
	for _, a := range t.arms {
		n += a.count()
	}
	return n
}

// count is the number of hits behind an arm.
func (a arm) count() int {
	if a.then == nil {
		return 1
	}
	return a.then.count()
}

// summarisedHits yields the hits of a tree that are not told apart.
func (t *tree) summarisedHits(yield func(hit) bool) {
	for _, a := range t.summarised {
		if !a.each(yield) {
			return
		}
	}
}

// all yields every hit of a tree, those that are not told apart too.
func (t *tree) all(yield func(hit) bool) {
	if !t.each(yield) {
		return
	}
	t.summarisedHits(yield)
}

// whySummarised says why a value is any.
func (t *tree) whySummarised() string {
	n := 0
	for range t.summarisedHits {
		n++
	}
	return fmt.Sprintf("memory by a pointer to any of %d places", n)
}

// among lets control pass only where the pointer is to one of the targets that are
// not told apart, unless there may be others.
func (r *resolution) among(t *tree, ref Ref, pos cfa.Pos) {
	if t.els == isUnknown {
		r.notNull(ref, pos)
		return
	}
	var ends cfa.Ends
	for _, a := range t.summarised {
		yes, no := r.code.Branch(r.test(a, ref), pos)
		ends = append(ends, yes...)
		r.code.Continue(no)
	}
	r.missed(t.els, ref, pos, nil)
	r.code.Continue(ends)
}

// Bounds of what is said for one run: of a load at most maxExact hits are told, of a store the
// hits if there are at most maxBlurred.
const (
	maxExact   = 128
	maxBlurred = 512
)

// loadedFrom is what a load from a hit that is not told apart gives on a run that
// knows the address: the variable there. Of many hits a few are enough to find one.
func (r *resolution) loadedFrom(t *tree, s Load) *cfa.Exact {
	if _, ok := s.From.bytes(); !ok {
		return nil
	}
	addr := r.firstByte(s.From)
	var value *expr.Expr
	var any []*expr.Expr
	for h := range t.summarisedHits {
		if h.rest || h.e.at%8 != 0 || len(any) == maxExact || !h.b.told(h.e) {
			continue
		}
		v := r.valueAt(h.b, h.e, s.From.Scalar)
		if v == nil {
			continue
		}
		v = r.pool.As(s.LHS.Type(), v)
		here := r.pool.Eq(addr, r.AddressIn(h.b, h.e.at/8))
		if any = append(any, here); value == nil {
			value = v
		} else {
			value = r.pool.Ite(here, v, value)
		}
	}
	if value == nil {
		return nil
	}
	return &cfa.Exact{When: r.pool.Lor(any...), Value: value}
}

// told reports whether what an extent holds is told by variables that there are already, its own or
// those of all cells that lie over it: one made by now would not know what was stored before.
func (b *Object) told(e Extent) bool {
	if lf := b.find(e); lf != nil && lf.v != nil {
		return true
	}
	return b.constant || !slices.ContainsFunc(b.sharing(e), func(lf *leaf) bool { return lf.v == nil })
}

// storedIn is what a leaf holds, on a run that knows the address, after a store to a hit
// that is not told apart: what is stored, or what the leaf has held if the store was to
// another address.
func (r *resolution) storedIn(b *Object, lf *leaf, addr, val *expr.Expr, size int64) *cfa.Exact {
	if lf.kind != kindInt || lf.at%8 != 0 || lf.width%8 != 0 {
		return nil
	}
	first, p := r.AddressIn(b, lf.at/8), r.pool
	before := p.Le(p.Add(addr, p.Int(r.pointer, size)), first)
	behind := p.Le(p.Add(first, p.Int(r.pointer, lf.width/8)), addr)
	e := &cfa.Exact{When: p.Lor(before, behind), Value: lf.v}
	if 8*size == lf.width && val != nil {
		same := p.Eq(addr, first)
		e.When, e.Value = p.Lor(same, e.When), p.Ite(same, p.As(lf.t.Type, val), lf.v)
	}
	return e
}

// blur gives any value to all that a store of size bytes to one of the hits may
// change; negative: as many as there are. s is the store, if it is one of a scalar.
func (r *resolution) blur(t *tree, size int64, s *Store, pos cfa.Pos) {
	done, many := map[*leaf]bool{}, t.whySummarised()
	var addr, val *expr.Expr
	width, exact := int64(0), false
	if s != nil && len(t.summarised) <= maxBlurred && !r.opt.OutsideUnknown {
		width, exact = s.To.bytes()
	}
	if exact { // what is stored first must not change where
		addr, val = r.keep(r.firstByte(s.To), pos), s.Val
		if val != nil {
			val = r.keep(val, pos)
		}
	}
	for h := range t.summarisedHits {
		if r.code.Err() != nil {
			return
		}
		if h.b.constant {
			continue
		}
		for _, lf := range r.changeable(h, size) {
			if lf.v != nil && !done[lf] {
				done[lf] = true
				a := cfa.Assign{LHS: lf.v, Nondet: "memory", Approx: many}
				if exact {
					a.Exact = r.storedIn(h.b, lf, addr, val, width)
				}
				r.code.Emit(a, pos)
			}
		}
	}
}

// keep is a term's value, whatever is stored next.
func (r *resolution) keep(t *expr.Expr, pos cfa.Pos) *expr.Expr {
	if t.IsConst() {
		return t
	}
	v := r.code.Temp("stored", t.Type(), pos)
	r.code.Assign(v, t, pos)
	return v
}

// changeable are the leaves that a store of size bytes to a hit may change; negative:
// as many as there are, 0: one scalar.
func (m *addressing) changeable(h hit, size int64) []*leaf {
	switch {
	case size == 0 && h.rest:
		return h.touched()
	case size == 0:
		return h.b.sharing(h.e)
	}
	return m.within(h, size)
}

// holds reports whether an object of type part, which may be nil: not known,
// stands at an offset in bytes.
func (b *Object) holds(off int64, part *Type) bool {
	if part == nil || b.typ == nil {
		return part != nil && off == 0
	}
	for t, at := b.typ, 8*off; t != nil; {
		if at == 0 && t.like(part) {
			return true
		}
		t, at = t.within(at)
	}
	return false
}

// within is the element or member that an offset, in bits, lies in, and the offset
// in that.
func (t *Type) within(at int64) (*Type, int64) {
	if t.Elem != nil && t.Elem.Size > 0 && at >= 0 {
		return t.Elem, at % (8 * t.Elem.Size)
	}
	for _, m := range t.Members {
		if m.At <= at && at < m.At+8*m.Type.Size {
			return m.Type, at - m.At
		}
	}
	return nil, 0
}

// like reports whether two types are laid out in the same way, with the same
// names.
func (t *Type) like(u *Type) bool {
	switch {
	case t == u:
		return true
	case t.Size != u.Size || (t.Scalar == nil) != (u.Scalar == nil) || (t.Elem == nil) != (u.Elem == nil) ||
		len(t.Members) != len(u.Members):
		return false
	case t.Scalar != nil:
		return *t.Scalar == *u.Scalar
	case t.Elem != nil:
		return t.Elem.like(u.Elem)
	}
	for i, m := range t.Members {
		if m.Name != u.Members[i].Name || m.At != u.Members[i].At || m.Type.Size != u.Members[i].Type.Size {
			return false
		}
	}
	return true
}
