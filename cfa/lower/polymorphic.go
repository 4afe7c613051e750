package lower

// Operations that have the type of their first argument: what GCC's atomic operations compute, and alignment.
//
// Idea: macros (package builtin) call them, and convert what they give to that type. Numbers are computed in
// 64 bits, of which the type keeps what fits. Pointers are moved by bytes, where C's + counts elements; what
// else is computed of a pointer is computed of its address as a number. Cost: none of its own.

import (
	"strings"

	"magus/smt/expr"
)

// polymorphic is the meaning of such an operation, or nil.
func polymorphic(name string) intrinsic {
	op, ok := strings.CutPrefix(name, modelPrefix)
	if !ok {
		return nil
	}
	switch op {
	case "any":
		return func(l *lowerer, c *callSite) value { return l.library.anyAsArgument(c) }
	case "plus", "minus", "or", "and", "xor", "nand", "max", "min":
	case "is_aligned", "align_up", "align_down":
	default:
		return nil
	}
	return func(l *lowerer, c *callSite) value { return l.library.ofBoth(c, op) }
}

// anyAsArgument is any value of the argument's type.
func (l *library) anyAsArgument(c *callSite) value {
	if len(c.args) != 1 {
		return l.calls.unknown(c, notModelled(c.name))
	}
	l.effects(c)
	t := l.staticType(c.args[0])
	if t.class == classOpaque || l.Dead() {
		return value{t, nil, nil}
	}
	if !t.scalar() {
		return l.refuse(c.n, "any value of such a type", "")
	}
	v := l.Any(t.typ, "any value", "", c.pos)
	l.mem.MarkPointer(v, t.class == classPtr)
	return value{t, v, nil}
}

// ofBoth is what an operation makes of its two arguments.
func (l *library) ofBoth(c *callSite, op string) value {
	if len(c.args) != 2 {
		return l.calls.unknown(c, notModelled(c.name))
	}
	vals := l.calls.evalArgs(c)
	x, y := vals[0], vals[1]
	if l.Dead() || x.t == nil && x.class != classOpaque || y.t == nil && y.class != classOpaque {
		return l.dead(c)
	}
	if x.class != classInt && x.class != classPtr || y.class != classInt && y.class != classPtr {
		return l.refuse(c.n, "an atomic operation on such operands", "")
	}
	if x.class == classPtr && y.class == classInt {
		if v, ok := l.byBytes(c, op, x, y.t); ok {
			return v
		}
	}
	t := expr.Type{Width: 64, Signed: true}
	if own := l.staticType(c.args[0]); own.class == classInt && !own.typ.Signed || x.class == classPtr {
		t.Signed = false
	}
	number := ctype{class: classInt, typ: t}
	a := l.expressions.convert(x, number, c.n).t
	b := l.expressions.convert(y, number, c.n).t
	if own := l.staticType(c.args[0]); own.class == classInt { // as the old value's type takes it
		b = l.Pool.Cast(t, l.Pool.Cast(own.typ, b))
	}
	return value{number, l.computed(op, a, b), nil}
}

// byBytes is a pointer that is moved by bytes; false for other operations.
func (l *library) byBytes(c *callSite, op string, p value, by *expr.Expr) (value, bool) {
	by = l.Pool.Cast(l.pointer, by)
	number := ctype{class: classInt, typ: l.pointer}
	switch op {
	case "plus":
	case "minus":
		by = l.Pool.Neg(by)
	case "align_up", "align_down":
		at := l.expressions.convert(p, number, c.n).t
		if op == "align_up" {
			at = l.Pool.Neg(at)
		}
		by = l.Pool.And(at, l.Pool.Sub(by, l.Pool.Const(l.pointer, 1)))
		if op == "align_down" {
			by = l.Pool.Neg(by)
		}
	default:
		return value{}, false
	}
	return value{p.ctype, l.Pool.Add(p.t, by), nil}, true
}

// computed is an operation on two numbers of one type.
func (l *terms) computed(op string, a, b *expr.Expr) *expr.Expr {
	p := l.Pool
	one := p.Const(a.Type(), 1)
	switch op {
	case "plus":
		return p.Add(a, b)
	case "minus":
		return p.Sub(a, b)
	case "or":
		return p.Or(a, b)
	case "and":
		return p.And(a, b)
	case "xor":
		return p.Xor(a, b)
	case "nand":
		return p.Xor(p.And(a, b), p.Const(a.Type(), ^uint64(0)))
	case "max":
		return p.Ite(p.Lt(a, b), b, a)
	case "min":
		return p.Ite(p.Lt(b, a), b, a)
	case "align_up":
		return p.Add(a, p.And(p.Neg(a), p.Sub(b, one)))
	case "align_down":
		return p.Sub(a, p.And(a, p.Sub(b, one)))
	}
	return p.FromBool(a.Type(), p.Eq(p.And(a, p.Sub(b, one)), p.Const(a.Type(), 0))) // is_aligned
}
