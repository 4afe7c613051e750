package lower

// Functions that are built into GCC and compute something from numbers: counts of
// bits, orders of bytes, arithmetic that says whether it overflowed; and those that
// the compiler answers itself.
//
// Idea: each result is one term. What GCC leaves open (the leading zeros of 0) is any
// value. Arithmetic that must not wrap is done on 128 bits, two words of 64.

import (
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/internal/pattern"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// builtin is the meaning of a function that is built into GCC, or nil.
func builtin(name string) intrinsic {
	if name == source.TypesCompatibleName {
		return typesCompatible
	}
	name, ok := strings.CutPrefix(name, "__builtin_")
	if !ok {
		return nil
	}
	if m := reBits().FindStringSubmatch(name); m != nil {
		return func(l *lowerer, c *callSite) value { return l.library.countBits(c, m[1], m[2]) }
	}
	if m := reOverflow().FindStringSubmatch(name); m != nil {
		return func(l *lowerer, c *callSite) value { return l.library.overflow(c, m) }
	}
	switch name {
	case "bswap16", "bswap32", "bswap64":
		return func(l *lowerer, c *callSite) value { return l.library.compute(c, l.library.swapBytes) }
	case "prefetch":
		return nothing
	case "assume_aligned":
		return func(l *lowerer, c *callSite) value {
			return l.library.firstOf(c, ctype{class: classPtr, typ: l.pointer})
		}
	case "expect", "expect_with_probability":
		return expect
	case "constant_p":
		return constantP
	case "choose_expr":
		return refused("its first argument is no constant that is known") // else see source.Unparen
	}
	return nil
}

var (
	reBits     = pattern.New(`^(clz|ctz|clrsb|ffs|popcount|parity)(|l|ll)$`)
	reOverflow = pattern.New(`^([su]?)(add|sub|mul)(|l|ll)_overflow(|_p)$`)
)

// suffixed is the integer type of a suffix of such a name.
func (l *facts) suffixed(suffix string, signed bool) expr.Type {
	t := expr.Type{Width: 32, Signed: signed}
	if suffix == "ll" || suffix == "l" && l.prog.Model == cfa.LP64 {
		t.Width = 64
	}
	return t
}

// countBits is a call of a function that counts bits.
func (l *library) countBits(c *callSite, what, suffix string) value {
	if len(c.args) != 1 {
		return l.calls.unknown(c, notModelled(c.name))
	}
	v := l.calls.evalArgs(c)[0]
	if v.t == nil || v.class != classInt || l.Dead() {
		return l.dead(c)
	}
	x := l.Pool.Cast(l.suffixed(suffix, what == "clrsb"), v.t)
	isZero := l.Pool.Eq(x, l.Pool.Const(x.Type(), 0))
	var r *expr.Expr
	switch what {
	case "clz":
		r = l.unless(isZero, "zeros", "leading zeros of 0", l.leadingZeros(x), c.pos)
	case "ctz":
		r = l.unless(isZero, "zeros", "trailing zeros of 0", l.trailingZeros(x), c.pos)
	case "ffs":
		r = l.Pool.Ite(isZero, l.Pool.Const(expr.Int32, 0), l.Pool.Add(l.trailingZeros(x), l.Pool.Const(expr.Int32, 1)))
	case "clrsb": // those that are like the sign, without it
		y := l.Pool.Xor(x, l.Pool.Shr(x, l.Pool.Int(x.Type(), int64(x.Type().Width)-1)))
		y = l.Pool.Cast(expr.Type{Width: x.Type().Width}, y)
		r = l.Pool.Sub(l.leadingZeros(y), l.Pool.Const(expr.Int32, 1))
	default:
		r = l.Pool.Const(expr.Int32, 0)
		for i := range x.Type().Width {
			r = l.Pool.Add(r, l.Pool.Cast(expr.Int32, l.bitOf(x, i)))
		}
		if what == "parity" {
			r = l.Pool.And(r, l.Pool.Const(expr.Int32, 1))
		}
	}
	return value{ctInt, r, nil}
}

// bitOf is bit i of an unsigned term, 0 or 1.
func (l *library) bitOf(x *expr.Expr, i uint8) *expr.Expr {
	return l.Pool.And(l.Pool.Shr(x, l.Pool.Const(x.Type(), uint64(i))), l.Pool.Const(x.Type(), 1))
}

// leadingZeros counts them; the width of 0.
func (l *library) leadingZeros(x *expr.Expr) *expr.Expr {
	w := x.Type().Width
	r := l.Pool.Const(expr.Int32, uint64(w))
	for i := range w {
		r = l.Pool.Ite(l.Pool.Lt(x, l.Pool.Const(x.Type(), 1<<i)), r, l.Pool.Const(expr.Int32, uint64(w-1-i)))
	}
	return r
}

// trailingZeros counts them; the width of 0.
func (l *library) trailingZeros(x *expr.Expr) *expr.Expr {
	w := x.Type().Width
	r := l.Pool.Const(expr.Int32, uint64(w))
	for i := int(w) - 1; i >= 0; i-- {
		r = l.Pool.Ite(l.Pool.Truth(l.bitOf(x, uint8(i))), l.Pool.Const(expr.Int32, uint64(i)), r)
	}
	return r
}

// swapBytes turns the order of the bytes round.
func (l *library) swapBytes(x *expr.Expr) *expr.Expr {
	t, w := x.Type(), uint64(x.Type().Width)
	r := l.Pool.Const(t, 0)
	for at := uint64(0); at < w; at += 8 {
		b := l.Pool.And(l.Pool.Shr(x, l.Pool.Const(t, at)), l.Pool.Const(t, 0xff))
		r = l.Pool.Or(r, l.Pool.Shl(b, l.Pool.Const(t, w-8-at)))
	}
	return r
}

// firstOf is a call that gives its first argument.
func (l *library) firstOf(c *callSite, t ctype) value {
	if len(c.args) == 0 {
		return l.calls.unknown(c, notModelled(c.name))
	}
	v := l.calls.evalArgs(c)[0]
	if v.t == nil {
		return l.dead(c)
	}
	return l.expressions.convert(v, t, c.n)
}

// overflow is a call of arithmetic on a and b that stores what fits of the result and
// gives whether something does not. m is the name, taken apart.
func (l *library) overflow(c *callSite, m []string) value {
	if len(c.args) != 3 {
		return l.calls.unknown(c, notModelled(c.name))
	}
	vals := l.calls.evalArgs(c)
	if l.Dead() || vals[0].t == nil || vals[1].t == nil || vals[0].class != classInt || vals[1].class != classInt {
		return l.dead(c)
	}
	a, b := vals[0].t, vals[1].t
	var to ctype
	var elem cc.Type
	if m[4] == "" {
		p, ok := c.args[2].Type().Decay().(*cc.PointerType)
		if !ok || vals[2].t == nil {
			return l.calls.unknown(c, notModelled(c.name))
		}
		elem = p.Elem()
		to = l.ctypeOf(elem)
	} else {
		to = l.staticType(c.args[2])
	}
	if to.class != classInt || to.typ == bool1 {
		return l.calls.unknown(c, notModelled(c.name))
	}
	if m[1] != "" {
		t := l.suffixed(m[3], m[1] == "s")
		a, b = l.Pool.Cast(t, a), l.Pool.Cast(t, b)
	}
	r := l.exactly(m[2], l.widen(a), l.widen(b))
	fit := l.Pool.Cast(to.typ, r.low)
	back := l.widen(fit)
	over := l.Temp("overflow", bool1, c.pos) // before the store, which may change a or b
	l.Assign(over, l.Pool.FromBool(bool1, l.Pool.Not(l.Pool.Land(l.Pool.Eq(back.low, r.low),
		l.Pool.Eq(back.high, r.high)))), c.pos)
	if elem != nil {
		p := l.typed(lvalue{Address: memory.Address{Base: vals[2].t, Pointee: l.typeOf(elem)}}, elem)
		l.accesses.write(p, value{to, fit, nil}, c.n, c.pos)
	}
	return value{ctype{class: classInt, typ: bool1}, over, nil}
}

// A wide is a signed number of 128 bits.
type wide struct{ low, high *expr.Expr } // unsigned

// widen is a number of at most 64 bits as one of 128.
func (l *terms) widen(x *expr.Expr) wide {
	low := l.Pool.Cast(expr.Uint64, x)
	high := l.Pool.Const(expr.Uint64, 0)
	if x.Type().Signed {
		high = l.Pool.Ite(l.Pool.Lt(x, l.Pool.Const(x.Type(), 0)), l.Pool.Const(expr.Uint64, ^uint64(0)), high)
	}
	return wide{low, high}
}

// exactly is a op b; operands are numbers of at most 64 bits.
func (l *terms) exactly(op string, a, b wide) wide {
	p := l.Pool
	word := func(c *expr.Expr) *expr.Expr { return p.FromBool(expr.Uint64, c) }
	switch op {
	case "add":
		low := p.Add(a.low, b.low)
		return wide{low, p.Add(p.Add(a.high, b.high), word(p.Lt(low, a.low)))}
	case "sub":
		return wide{p.Sub(a.low, b.low), p.Sub(p.Sub(a.high, b.high), word(p.Lt(a.low, b.low)))}
	}
	// The product of the low words, less what the signs are worth.
	high := l.highProduct(a.low, b.low)
	high = p.Sub(high, p.And(a.high, b.low))
	high = p.Sub(high, p.And(b.high, a.low))
	return wide{p.Mul(a.low, b.low), high}
}

// highProduct is the upper word of a product, by halves of words.
func (l *terms) highProduct(a, b *expr.Expr) *expr.Expr {
	p := l.Pool
	half, mask := p.Const(expr.Uint64, 32), p.Const(expr.Uint64, 1<<32-1)
	al, ah, bl, bh := p.And(a, mask), p.Shr(a, half), p.And(b, mask), p.Shr(b, half)
	carry := p.Shr(p.Mul(al, bl), half)
	middle := p.Add(p.Mul(ah, bl), carry)
	other := p.Add(p.Mul(al, bh), p.And(middle, mask))
	return p.Add(p.Add(p.Mul(ah, bh), p.Shr(middle, half)), p.Shr(other, half))
}

// constantP is __builtin_constant_p(e), which evaluates nothing: 1 for constant
// expressions, and 0 for what no compiler can know. Of constant variables, and of what
// depends on the optimiser, nobody can say.
func constantP(l *lowerer, c *callSite) value {
	if len(c.args) != 1 {
		return l.calls.unknown(c, notModelled(c.name))
	}
	names := false
	source.WalkExpr(c.args[0], func(e cc.ExpressionNode) { names = names || source.Declarator(e) != nil })
	v, known := c.n.Value().(cc.Int64Value)
	switch {
	case known && v != 0 && !names:
		return value{ctInt, l.Pool.Const(expr.Int32, 1), nil}
	case known && v == 0:
		l.Assume(cfa.AboutRoutine, c.pos,
			"__builtin_constant_p of what is no constant expression is 0, as without optimisation")
		return value{ctInt, l.Pool.Const(expr.Int32, 0), nil}
	}
	return l.calls.anyResult(c, notModelled(c.name))
}

// typesCompatible is __builtin_types_compatible_p, which evaluates nothing.
func typesCompatible(l *lowerer, c *callSite) value {
	is, ok := source.TypesCompatible(c.n)
	if !ok {
		return l.refuse(c.n, "__builtin_types_compatible_p of such types", "")
	}
	return value{ctInt, l.Pool.FromBool(expr.Int32, l.Pool.Bool(is)), nil}
}
