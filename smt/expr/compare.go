package expr

// Comparisons in canonical form.
//
// Idea: predicates are mostly comparisons, and the same comparison is written
// in many ways in a program and its weakest preconditions. The constructors
// keep two relations only, == and <, and push constants to the right, so that
// the terms of one many-valued predicate (x == 1, x < 5) are all of the shape
// "term op constant".
//
// Rules: a <= b is !(b < a); c < x is !(x < c+1), unless c is the greatest
// value, when it is false; t + c1 == c2 is t == c2-c1 (exact, for wrap-around
// arithmetic is a group; for < it would not be); (c ? k1 : k2) op k3 with
// constants is c, !c or a constant; a widened x compared with a constant is x
// compared with it, or decided; an offset i*k == c is i == c/k where nothing can
// wrap around.
//
// Source: Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), section 5, treats branch conditions as they stand; MAGIC's
// tables count canonical ones. Cost: constant per call.

// Eq is a == b, a and b of one type, Bool included.
func (p *words) Eq(a, b *Expr) *Expr {
	sameType("==", a, b)
	if a == b {
		return p.True()
	}
	a, b = ordered(a, b)
	if a.op == Const {
		return p.Bool(a.val == b.val)
	}
	if a.typ.IsBool() {
		return p.eqBool(a, b)
	}
	if b.op == Const {
		return p.eqConst(a, b)
	}
	return p.eqTerms(a, b)
}

// eqTerms is a == b for two terms that are no constants. Constant summands
// are gathered on the right, on the term that is not the older one.
func (p *words) eqTerms(a, b *Expr) *Expr {
	a, ka := summand(a)
	b, kb := summand(b)
	if a.id > b.id {
		a, b, ka, kb = b, a, kb, ka
	}
	if d := a.typ.Trunc(kb - ka); d != 0 {
		if a == b {
			return p.False()
		}
		return p.mk(Eq, Bool, a, p.Add(b, p.Const(b.typ, d)))
	}
	switch {
	case a == b:
		return p.True()
	case a.op == Add && b.op == Add && a.args[1] == b.args[1]:
		return p.Eq(a.args[0], b.args[0])
	case a.op == Add && b.op == Add && a.args[0] == b.args[0]:
		return p.Eq(a.args[1], b.args[1])
	case a.op == Cast && b.op == Cast && a.args[0].typ == b.args[0].typ && widens(a):
		return p.Eq(a.args[0], b.args[0])
	case chosen(a, b):
		return p.Ite(a.args[0], p.Eq(a.args[1], b), p.Eq(a.args[2], b))
	case chosen(b, a):
		return p.Ite(b.args[0], p.Eq(a, b.args[1]), p.Eq(a, b.args[2]))
	}
	for i := range 2 {
		if a.op == Add && a.args[i] == b {
			return p.Eq(a.args[1-i], p.Const(a.typ, 0))
		}
		if b.op == Add && b.args[i] == a {
			return p.Eq(b.args[1-i], p.Const(a.typ, 0))
		}
	}
	return p.mk(Eq, Bool, a, b)
}

// summand splits e into a term and a constant added to it.
func summand(e *Expr) (*Expr, uint64) {
	if e.op == Add && e.args[1].op == Const {
		return e.args[0], e.args[1].val
	}
	return e, 0
}

// widens reports whether the cast e loses nothing: its operand is no wider.
func widens(e *Expr) bool { return e.args[0].typ.Width <= e.typ.Width }

// mostLeaves bounds the trees of ?: into which a comparison goes. A tree has a leaf for each way
// through it, of which there may be many where terms are shared: without a bound, comparing two
// values that were each chosen some twenty times takes seconds.
const mostLeaves = 64

// chosen reports whether a is a tree of ?: whose leaves are constants, which a comparison with b can go into.
func chosen(a, b *Expr) bool {
	if a.op != Ite {
		return false
	}
	n, ground := leaves(a, mostLeaves)
	if !ground || n > mostLeaves {
		return false
	}
	m, ground := leaves(b, mostLeaves)
	return !ground || n*m <= mostLeaves
}

// leaves counts the leaves of a tree of ?:, up to one more than some number, and says whether those
// that were counted are constants.
func leaves(e *Expr, most int) (n int, ground bool) {
	if e.op != Ite {
		return 1, e.op == Const
	}
	n, ground = leaves(e.args[1], most)
	if !ground || n > most {
		return n, ground
	}
	m, ground := leaves(e.args[2], most-n)
	return n + m, ground
}

func (p *words) eqBool(a, b *Expr) *Expr {
	switch {
	case b.op == Const && b.val == 1:
		return a
	case b.op == Const:
		return p.Not(a)
	case a.op == Not && b.op == Not:
		return p.Eq(a.args[0], b.args[0])
	case a.op == Not:
		return p.Not(p.Eq(a.args[0], b))
	case b.op == Not:
		return p.Not(p.Eq(a, b.args[0]))
	}
	return p.mk(Eq, Bool, a, b)
}

// eqConst is a == c for a constant c and a term a that is none.
func (p *words) eqConst(a, c *Expr) *Expr {
	t := a.typ
	switch a.op {
	case Add:
		if k := a.args[1]; k.op == Const {
			return p.Eq(a.args[0], p.Const(t, c.val-k.val))
		}
		// x - y == 0 is x == y.
		if n := a.args[1]; c.val == 0 && n.op == Neg {
			return p.Eq(a.args[0], n.args[0])
		}
		if n := a.args[0]; c.val == 0 && n.op == Neg {
			return p.Eq(a.args[1], n.args[0])
		}
	case Neg:
		return p.Eq(a.args[0], p.Const(t, -c.val))
	case Compl:
		return p.Eq(a.args[0], p.Const(t, ^c.val))
	case Xor:
		if k := a.args[1]; k.op == Const {
			return p.Eq(a.args[0], p.Const(t, c.val^k.val))
		}
	case Mul:
		if r := p.eqMultiple(a, c); r != nil {
			return r
		}
	case Ite:
		if a.args[1].op == Const || a.args[2].op == Const {
			return p.Ite(a.args[0], p.Eq(a.args[1], c), p.Eq(a.args[2], c))
		}
	case FBits:
		return p.Eq(a.args[0], p.Const(a.args[0].typ, c.val))
	case FFrom:
		return p.Eq(a.args[0], p.Const(a.args[0].typ, c.val))
	case FToInt:
		return p.integerOf(Eq, a, c)
	case Cast:
		if in := a.args[0]; widens(a) {
			v := p.Const(in.typ, c.val)
			if p.Cast(t, v) != c {
				return p.False()
			}
			return p.Eq(in, v)
		}
	}
	return p.mk(Eq, Bool, a, c)
}

// eqMultiple is x * k == c for a widened x whose multiple cannot wrap around, as
// the offset of an array's element: x == c / k, or false. It is nil elsewhere.
func (p *words) eqMultiple(a, c *Expr) *Expr {
	x, k := a.args[0], a.args[1]
	if k.op != Const || k.val == 0 || x.op != Cast {
		return nil
	}
	in := x.args[0]
	room := int(a.typ.Width) - int(in.typ.Width)
	if room <= 0 || k.val > 1<<(room-1) {
		return nil
	}
	q, r := c.val/k.val, c.val%k.val
	if in.typ.Signed {
		n, by := a.typ.Sext(c.val), int64(k.val)
		q, r = uint64(n/by), uint64(n%by)
	}
	v := p.Const(in.typ, q)
	if r != 0 || p.Cast(a.typ, v) != p.Const(a.typ, q) {
		return p.False()
	}
	return p.Eq(in, v)
}

// Ne is a != b.
func (p *words) Ne(a, b *Expr) *Expr { return p.Not(p.Eq(a, b)) }

// Le is a <= b.
func (p *words) Le(a, b *Expr) *Expr { return p.Not(p.Lt(b, a)) }

// Gt is a > b.
func (p *words) Gt(a, b *Expr) *Expr { return p.Lt(b, a) }

// Ge is a >= b.
func (p *words) Ge(a, b *Expr) *Expr { return p.Not(p.Lt(a, b)) }

// Lt is a < b by the signedness of their type.
func (p *words) Lt(a, b *Expr) *Expr {
	integers("<", a, b)
	t := a.typ
	switch {
	case a == b:
		return p.False()
	case a.op == Const && b.op == Const:
		return p.Bool(t.Less(a.val, b.val))
	case a.op == Const && a.val == t.Max():
		return p.False()
	case a.op == Const:
		return p.Not(p.Lt(b, p.Const(t, a.val+1)))
	case b.op == Const:
		return p.ltConst(a, b)
	case a.op == Cast && b.op == Cast && a.args[0].typ == b.args[0].typ && keepsOrder(a):
		return p.Lt(a.args[0], b.args[0])
	case chosen(a, b):
		return p.Ite(a.args[0], p.Lt(a.args[1], b), p.Lt(a.args[2], b))
	case chosen(b, a):
		return p.Ite(b.args[0], p.Lt(a, b.args[1]), p.Lt(a, b.args[2]))
	}
	return p.mk(Lt, Bool, a, b)
}

// keepsOrder reports whether the cast e keeps values: every value of the
// operand's type is a value of e's type.
func keepsOrder(e *Expr) bool { return keeps(e.args[0].typ, e.typ) }

// keeps reports whether every value of a type is a value of another.
func keeps(from, to Type) bool {
	if from.Signed == to.Signed {
		return from.Width <= to.Width
	}
	return !from.Signed && from.Width < to.Width
}

// ltConst is a < c for a constant c and a term a that is none.
func (p *words) ltConst(a, c *Expr) *Expr {
	t := a.typ
	switch {
	case c.val == t.Min():
		return p.False()
	case c.val == t.Trunc(t.Min()+1):
		return p.Eq(a, p.Const(t, t.Min()))
	case c.val == t.Max():
		return p.Not(p.Eq(a, c))
	case a.op == Ite && (a.args[1].op == Const || a.args[2].op == Const):
		return p.Ite(a.args[0], p.Lt(a.args[1], c), p.Lt(a.args[2], c))
	case a.op == Cast && keepsOrder(a):
		return p.ltNarrow(a.args[0], t, c)
	case a.op == FToInt:
		return p.integerOf(Lt, a, c)
	}
	return p.mk(Lt, Bool, a, c)
}

// ltNarrow is x < c where c is a constant of the type t, which holds all
// values of x's type.
func (p *words) ltNarrow(x *Expr, t Type, c *Expr) *Expr {
	lo := p.Cast(t, p.Const(x.typ, x.typ.Min()))
	hi := p.Cast(t, p.Const(x.typ, x.typ.Max()))
	switch {
	case !t.Less(lo.val, c.val): // c <= least value
		return p.False()
	case t.Less(hi.val, c.val):
		return p.True()
	}
	return p.Lt(x, p.Const(x.typ, c.val))
}
