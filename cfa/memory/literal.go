package memory

// Literals that may share their memory.
//
// Idea: of two literals with a common suffix, "ab" and "ab", or "b" and "ab", it is unspecified whether one is
// part of the other, and compilers make use of it. Here each has memory of its own. So a comparison for equality of
// pointers into two literals is modelled only where the texts behind the two pointers differ. A compound
// literal of a const-qualified type may share its memory with string literals, and with another compound literal:
// what it holds is not compared.
//
// Source: C11 6.4.5p7, 6.5.2.5p7.
// Cost: pairs of the targets of both sides, and of each the length of the shorter literal.

import (
	"magus/cfa"
	"magus/cfa/pointsto"
)

// LiteralObject is the memory of a string literal.
func (m *Model) LiteralObject(t *Type, v cfa.Var, inits []Initial) *Object {
	b := m.ConstantObject("string", t, v, inits)
	b.literal = true
	return b
}

// MayShare says that the object is a compound literal of a const-qualified type, or stands for a string literal of
// characters that are not the parser's.
func (b *Object) MayShare() { b.shared = true }

// refuseShared refuses comparisons of which it is unspecified what they give, while the draft stands.
func (r *resolution) refuseShared() {
	if r.pts == nil {
		return
	}
	for _, s := range r.relations {
		if s.op == Equal && r.mayShare(r.pts.term(s.x), r.pts.term(s.y)) {
			r.code.RefuseAt(s.at, cfa.Unsupported(s.pos, "a comparison of the addresses of two literals",
				"they may be alike, and whether they share their memory is unspecified"))
		}
	}
}

// mayShare reports whether two pointers may be into different literals that may share what they point to.
func (a *Analysis) mayShare(x, y pointsto.Node) bool {
	for _, s := range a.pts.targets(x) {
		b := a.pts.at(s.Object)
		if b == nil || !b.literal && !b.shared {
			continue
		}
		for _, t := range a.pts.targets(y) {
			c := a.pts.at(t.Object)
			if c == nil || c == b || !c.literal && !c.shared {
				continue
			}
			if b.shared || c.shared || sameSuffix(b.text(), c.text(), s, t) {
				return true
			}
		}
	}
	return false
}

// sameSuffix reports whether the text behind some offset of s is that behind some offset of t in the other text.
func sameSuffix(one, other []uint64, s, t pointsto.Target) bool {
	for n := 1; n <= len(one) && n <= len(other); n++ {
		at, from := len(one)-n, len(other)-n
		if one[at] != other[from] {
			return false
		}
		if s.Offset <= uint64(at) && uint64(at) <= s.Last && t.Offset <= uint64(from) && uint64(from) <= t.Last {
			return true
		}
	}
	return false
}

// text has the bytes of a literal; those of a wider character are one after the other, the lowest first.
func (b *Object) text() []uint64 {
	text := make([]uint64, b.size)
	for _, i := range b.inits {
		for k := range i.Extent.width / 8 {
			text[i.Extent.at/8+k] = i.Value.Value() >> (8 * k) & 0xff
		}
	}
	return text
}
