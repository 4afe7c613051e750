package memory

// Lengths of texts, where pointers are checked: the index of the first character 0
// in an object.
//
// Cost: as many tests as there are characters up to the end of the object. Arrays
// that are summarised are not looked at.

import (
	"magus/cfa"
	"magus/smt/expr"
)

// maxText is the most characters of a string literal that are looked at.
const maxText = 4096

// neverChanges reports whether an object always is what its initialiser says, and that has been read.
func (b *Object) neverChanges() bool { return b.constant && b.starts() && b.hasInits }

// TextLength is the length of a text that never changes: a string literal.
func (s *addressSpace) TextLength(addr *expr.Expr) (int64, bool) {
	b, off := s.ObjectOf(addr)
	if b == nil || !b.neverChanges() || off < 0 {
		return 0, false
	}
	for n := int64(0); off+n < min(b.size, maxText); n++ {
		c := s.initialOf(b, character(off+n), Scalar{Type: expr.Int8}).Value
		if c == nil || !c.IsConst() {
			return 0, false
		}
		if c.Value() == 0 {
			return n, true
		}
	}
	return 0, false
}

// TextAt is a character of a text that never changes, or nil.
func (s *addressSpace) TextAt(addr *expr.Expr, i int64) *expr.Expr {
	b, off := s.ObjectOf(addr)
	if b == nil || !b.neverChanges() || off < 0 || off+i >= b.size {
		return nil
	}
	return s.initialOf(b, character(off+i), characterType).Value
}

// characterType is the type of characters.
var characterType = Scalar{Type: expr.Int8}

func character(off int64) Extent { return ExtentOf(characterType, 1, 8*off) }

// CharacterAt is the character at an address.
func CharacterAt(a Address) Ref {
	return Ref{Address: a, Extent: character(0), Scalar: characterType, Size: 1}
}

// measurable reports whether the characters of a text are told apart.
func (m *addressing) measurable(h hit) bool {
	n := h.b.size - h.e.at/8
	return !h.rest && h.e.at%8 == 0 && !h.b.unbounded &&
		(n <= m.arrayLimit()+1 || h.b.constant && h.b.starts() && n <= maxText)
}

// measure gives the length of the text at a hit.
func (r *resolution) measure(s Measure, h hit, pos cfa.Pos) {
	if !r.measurable(h) {
		r.unmeasured(s, pos, func() []*expr.Expr { return r.charactersAt(h, prefixLength, pos) })
		return
	}
	var ends cfa.Ends
	found := func(at cfa.Ends, n *expr.Expr) {
		if r.code.Continue(at); len(at) > 0 {
			r.code.Assign(s.LHS, n, pos)
		}
		ends = append(ends, r.code.Ends()...)
	}
	first := h.e.at / 8
	for at := first; at <= h.b.size && !r.code.Dead(); at++ {
		n := r.pool.Int(s.LHS.Type(), at-first)
		if s.Limit != nil {
			enough, more := r.code.Branch(r.pool.Le(s.Limit, n), pos)
			found(enough, n)
			r.code.Continue(more)
		}
		if at == h.b.size || r.code.Dead() {
			break
		}
		val := r.valueAt(h.b, character(at), characterType)
		if val == nil {
			r.unmeasured(s, pos, nil)
			r.code.Join(ends)
			return
		}
		more, end := r.code.Branch(r.pool.Truth(val), pos)
		found(end, n)
		r.code.Continue(more)
	}
	if s.Strict {
		r.Invalid(pos)
	} else if !r.code.Dead() {
		r.unmeasured(s, pos, nil)
	}
	r.code.Join(ends)
}

// unmeasured is a text whose end is not known; its first characters are given by a function, or not.
func (r *resolution) unmeasured(s Measure, pos cfa.Pos, first func() []*expr.Expr) {
	r.check.undecided("whether a text ends within its object", pos)
	if r.code.Dead() {
		return
	}
	a := cfa.Assign{LHS: s.LHS, Nondet: "length", Approx: "the length of a text"}
	if first != nil {
		a.Exact = r.exactly(s.LHS.Type())(r.lengthOf(first(), s.Limit))
	}
	r.code.Emit(a, pos)
}

// demandMeasure makes cells of the characters of a text.
func (a demands) demandMeasure(h hit) {
	if !a.measurable(h) {
		a.demandPrefix(h, prefixLength)
		return
	}
	for at := h.e.at / 8; at < h.b.size; at++ {
		a.demandCharacter(h.b, at)
	}
}

func (a demands) demandCharacter(b *Object, at int64) {
	if a.demandLeaf(b, character(at), characterType) == nil {
		a.demandBits(b, character(at), characterType.Type)
	}
}
