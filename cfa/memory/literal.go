package memory

// Literals that may share their memory.
//
// Idea: of two literals with a common suffix, "ab" and "ab", or "b" and "ab", it is unspecified whether one is
// part of the other, and compilers make use of it. Here each has memory of its own. So a comparison for equality of
// pointers into two literals is modelled only where the texts behind the two pointers differ; whether they are
// into such two is asked before each comparison that may be of them. A compound
// literal of a const-qualified type may share its memory with string literals, and with another compound literal:
// what it holds is not compared.
//
// Source: C11 6.4.5p7, 6.5.2.5p7.
// Cost: pairs of the targets of both sides, and of each the length of the shorter literal.

import (
	"magus/cfa"
	"magus/cfa/pointsto"
	"magus/smt/expr"
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

// sharings are, by the locations that compare pointers, the comparisons of which it may be unspecified what they give.
func (a *Analysis) sharings() map[cfa.Loc][]sharing {
	all := map[cfa.Loc][]sharing{}
	if a.pts == nil {
		return nil
	}
	for _, s := range a.relations {
		if s.op != Equal {
			continue
		}
		if when := a.shared(s); when != nil {
			all[s.at] = append(all[s.at], sharing{when, s.pos})
		}
	}
	return all
}

// A sharing is when the pointers of a comparison lead to literals that may share what they point to.
type sharing struct {
	when *expr.Expr
	pos  cfa.Pos
}

// refuseShared ends what is modelled where pointers are about to be compared that lead to literals which may share
// their memory.
func (r *resolution) refuseShared(all []sharing) {
	for i, s := range all {
		if i == 0 {
			r.code.Emit(cfa.Goto{}, s.pos)
		}
		meet, apart := r.code.Branch(s.when, s.pos)
		r.code.Continue(meet)
		if !r.code.Dead() {
			r.code.Refuse(cfa.Unsupported(s.pos, "a comparison of the addresses of two literals",
				"they may be alike, and whether they share their memory is unspecified"), s.pos)
		}
		r.code.Continue(apart)
	}
}

// shared is when two pointers are into different literals that may share what they point to; nil is never.
func (a *Analysis) shared(pair relation) *expr.Expr {
	var when []*expr.Expr
	x, y := a.pts.term(pair.x), a.pts.term(pair.y)
	done := map[[2]*Object]bool{}
	for _, s := range a.pts.targets(x) {
		b := a.pts.at(s.Object)
		if b == nil || !b.literal && !b.shared {
			continue
		}
		for _, t := range a.pts.targets(y) {
			c := a.pts.at(t.Object)
			if c == nil || c == b || !c.literal && !c.shared || done[[2]*Object{b, c}] {
				continue
			}
			if b.shared || c.shared || sameSuffix(b.text(), c.text(), s, t) {
				done[[2]*Object{b, c}] = true
				when = append(when, a.pool.Land(a.isInto(pair.x, b), a.isInto(pair.y, c)))
			}
		}
	}
	if when == nil {
		return nil
	}
	return a.pool.Lor(when...)
}

// isInto is when a pointer is into an object, or behind its last byte.
func (m *addressing) isInto(p *expr.Expr, b *Object) *expr.Expr {
	return m.pool.Le(m.pool.Sub(p, m.AddressIn(b, 0)), m.pool.Const(m.pointer, uint64(b.size)))
}

// sameSuffix reports whether the text behind some offset of s is that behind some offset of t in the other text. What
// is behind the last characters is so where these are alike.
func sameSuffix(one, other []uint64, s, t pointsto.Target) bool {
	for n := 0; n <= len(one) && n <= len(other); n++ {
		at, from := len(one)-n, len(other)-n
		last := max(n, 1)
		if last > min(len(one), len(other)) || one[len(one)-last] != other[len(other)-last] {
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
