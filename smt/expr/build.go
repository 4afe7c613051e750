package expr

// The constructors. Each brings its term into canonical form by local rules
// that hold for every valuation under wrap-around arithmetic; property tests
// compare each rule with evaluation. Cost: constant per call, apart from
// nested ?: with constant branches, which are pushed through comparisons.

import (
	"fmt"
)

// Const is the constant with the low bits of v.
func (p *store) Const(t Type, v uint64) *Expr { return p.intern(Const, t, t.Trunc(v), "") }

// Int is the constant v of type t, wrapped to its width.
func (p *store) Int(t Type, v int64) *Expr { return p.Const(t, uint64(v)) }

// Bool is the condition that always or never holds.
func (p *store) Bool(b bool) *Expr {
	if b {
		return p.intern(Const, Bool, 1, "")
	}
	return p.intern(Const, Bool, 0, "")
}

// True is the condition that always holds.
func (p *store) True() *Expr { return p.Bool(true) }

// False is the condition that never holds.
func (p *store) False() *Expr { return p.Bool(false) }

func sameType(op string, a, b *Expr) {
	if a.typ != b.typ {
		panic(fmt.Sprintf("expr: %s of %v and %v: %v, %v", op, a.typ, b.typ, a, b))
	}
}

// integers is sameType for an operator that floating-point terms do not have.
func integers(op string, a, b *Expr) {
	sameType(op, a, b)
	noFloat(op, a)
}

// ordered puts the operands of a commutative operator in order: a constant
// last, otherwise the older term first.
func ordered(a, b *Expr) (*Expr, *Expr) {
	if a.op == Const && b.op != Const || (a.op == Const) == (b.op == Const) && a.id > b.id {
		return b, a
	}
	return a, b
}

// Add is a + b.
func (p *words) Add(a, b *Expr) *Expr {
	integers("+", a, b)
	a, b = ordered(a, b)
	switch {
	case b.op == Const && a.op == Const:
		return p.Const(a.typ, a.val+b.val)
	case b.op == Const && b.val == 0:
		return a
	case b.op == Const && a.op == Add && a.args[1].op == Const:
		return p.Add(a.args[0], p.Const(a.typ, a.args[1].val+b.val))
	case a.op == Add && a.args[1].op == Const:
		return p.Add(p.Add(a.args[0], b), a.args[1])
	case b.op == Add && b.args[1].op == Const:
		return p.Add(p.Add(a, b.args[0]), b.args[1])
	}
	for _, o := range [2][2]*Expr{{a, b}, {b, a}} {
		if r := p.cancel(o[0], o[1]); r != nil {
			return r
		}
	}
	return p.mk(Add, a.typ, a, b)
}

// cancel is a + b where one summand of a is the negation of b or the other
// way round, and nil elsewhere.
func (p *words) cancel(a, b *Expr) *Expr {
	opposite := func(a, b *Expr) bool { return a.op == Neg && a.args[0] == b || b.op == Neg && b.args[0] == a }
	switch {
	case opposite(a, b):
		return p.Const(a.typ, 0)
	case a.op == Add && opposite(a.args[0], b):
		return a.args[1]
	case a.op == Add && opposite(a.args[1], b):
		return a.args[0]
	}
	return nil
}

// Sub is a - b, represented as a + -b.
func (p *words) Sub(a, b *Expr) *Expr {
	integers("-", a, b)
	return p.Add(a, p.Neg(b))
}

// Neg is -a.
func (p *words) Neg(a *Expr) *Expr {
	noFloat("-", a)
	switch {
	case a.op == Const:
		return p.Const(a.typ, -a.val)
	case a.op == Neg:
		return a.args[0]
	case a.op == Add:
		return p.Add(p.Neg(a.args[0]), p.Neg(a.args[1]))
	}
	return p.mk(Neg, a.typ, a)
}

// Mul is a * b.
func (p *words) Mul(a, b *Expr) *Expr {
	integers("*", a, b)
	a, b = ordered(a, b)
	if b.op == Const {
		switch {
		case a.op == Const:
			return p.Const(a.typ, a.val*b.val)
		case b.val == 0:
			return b
		case b.val == 1:
			return a
		case b.val == a.typ.Mask():
			return p.Neg(a)
		case a.op == Mul && a.args[1].op == Const:
			return p.Mul(a.args[0], p.Const(a.typ, a.args[1].val*b.val))
		}
	}
	return p.mk(Mul, a.typ, a, b)
}

// Div is a / b.
func (p *words) Div(a, b *Expr) *Expr {
	integers("/", a, b)
	switch {
	case a.op == Const && b.op == Const:
		return p.Const(a.typ, apply2(Div, a.typ, a.val, b.val))
	case b.op == Const && b.val == 1 && a.typ.Width > 1:
		return a
	}
	return p.mk(Div, a.typ, a, b)
}

// Rem is a % b.
func (p *words) Rem(a, b *Expr) *Expr {
	integers("%", a, b)
	switch {
	case a.op == Const && b.op == Const:
		return p.Const(a.typ, apply2(Rem, a.typ, a.val, b.val))
	case b.op == Const && b.val == 1 && a.typ.Width > 1:
		return p.Const(a.typ, 0)
	}
	return p.mk(Rem, a.typ, a, b)
}

// And is a & b, bit by bit.
func (p *words) And(a, b *Expr) *Expr {
	integers("&", a, b)
	a, b = ordered(a, b)
	switch {
	case b.op == Const && a.op == Const:
		return p.Const(a.typ, a.val&b.val)
	case b.op == Const && b.val == 0:
		return b
	case b.op == Const && b.val == a.typ.Mask(), a == b:
		return a
	case b.op == Const && a.op == And && a.args[1].op == Const:
		return p.And(a.args[0], p.Const(a.typ, a.args[1].val&b.val))
	}
	return p.mk(And, a.typ, a, b)
}

// Or is a | b, bit by bit.
func (p *words) Or(a, b *Expr) *Expr {
	integers("|", a, b)
	a, b = ordered(a, b)
	switch {
	case b.op == Const && a.op == Const:
		return p.Const(a.typ, a.val|b.val)
	case b.op == Const && b.val == 0, a == b:
		return a
	case b.op == Const && b.val == a.typ.Mask():
		return b
	}
	return p.mk(Or, a.typ, a, b)
}

// Xor is a ^ b, bit by bit.
func (p *words) Xor(a, b *Expr) *Expr {
	integers("^", a, b)
	a, b = ordered(a, b)
	switch {
	case b.op == Const && a.op == Const:
		return p.Const(a.typ, a.val^b.val)
	case b.op == Const && b.val == 0:
		return a
	case b.op == Const && b.val == a.typ.Mask():
		return p.Compl(a)
	case a == b:
		return p.Const(a.typ, 0)
	}
	return p.mk(Xor, a.typ, a, b)
}

// Compl is ~a.
func (p *words) Compl(a *Expr) *Expr {
	noFloat("~", a)
	switch a.op {
	case Const:
		return p.Const(a.typ, ^a.val)
	case Compl:
		return a.args[0]
	}
	return p.mk(Compl, a.typ, a)
}

// Shl is a << b.
func (p *words) Shl(a, b *Expr) *Expr { return p.shift(Shl, a, b) }

// Shr is a >> b.
func (p *words) Shr(a, b *Expr) *Expr { return p.shift(Shr, a, b) }

func (p *words) shift(op Op, a, b *Expr) *Expr {
	integers("shift", a, b)
	switch {
	case a.op == Const && b.op == Const:
		return p.Const(a.typ, apply2(op, a.typ, a.val, b.val))
	case b.op == Const && b.val == 0:
		return a
	}
	return p.mk(op, a.typ, a, b)
}

// Cast converts a to type t, neither being Bool or of floating point.
func (p *words) Cast(t Type, a *Expr) *Expr {
	if a.typ == t && !t.IsBool() {
		return a
	}
	if t.IsBool() || a.typ.IsBool() || t.IsFloat() || a.typ.IsFloat() {
		panic(fmt.Sprintf("expr: cast of %v to %v", a.typ, t))
	}
	switch {
	case a.op == Const:
		return p.Const(t, extend(a.typ, a.val))
	case a.op == Ite && (a.args[1].op == Const || a.args[2].op == Const):
		return p.Ite(a.args[0], p.Cast(t, a.args[1]), p.Cast(t, a.args[2]))
	case a.op == Cast && a.typ.Width >= t.Width:
		// What the inner cast cut off is cut off now too, and what it added is
		// what the outer one would add.
		return p.Cast(t, a.args[0])
	case a.op == Cast && a.args[0].typ.Width < a.typ.Width && (!a.args[0].typ.Signed || a.typ.Signed):
		// Two extensions in a row: a zero extension leaves a clear top bit; a sign extension into a signed type goes on.
		return p.Cast(t, a.args[0])
	}
	return p.mk(Cast, t, a)
}

// extend gives the 64-bit pattern of v read as a t.
func extend(t Type, v uint64) uint64 {
	if t.Signed {
		return uint64(t.Sext(v))
	}
	return v
}

// Ite is c ? a : b; a and b are of one type, Bool included.
func (p *words) Ite(c, a, b *Expr) *Expr {
	sameType("?:", a, b)
	switch {
	case c.IsTrue(), a == b:
		return a
	case c.IsFalse():
		return b
	case c.op == Not:
		return p.Ite(c.args[0], b, a)
	case a.op == Ite && a.args[0] == c:
		return p.Ite(c, a.args[1], b)
	case b.op == Ite && b.args[0] == c:
		return p.Ite(c, a, b.args[2])
	}
	if a.typ.IsBool() {
		return p.Lor(p.Land(c, a), p.Land(p.Not(c), b))
	}
	return p.mk(Ite, a.typ, c, a, b)
}

// FromBool is C's value of a condition: 1 if it holds, else 0.
func (p *words) FromBool(t Type, c *Expr) *Expr {
	if t.IsBool() {
		return c
	}
	return p.Ite(c, p.Const(t, 1), p.Const(t, 0))
}

// Truth is C's reading of a value as a condition: a != 0.
func (p *words) Truth(a *Expr) *Expr {
	if a.typ.IsBool() {
		return a
	}
	return p.Ne(a, p.Const(a.typ, 0))
}

// Not is !a.
func (p *words) Not(a *Expr) *Expr {
	switch {
	case a.op == Const:
		return p.Bool(a.val == 0)
	case a.op == Not:
		return a.args[0]
	}
	return p.mk(Not, Bool, a)
}
