package lower

// Functions that are built into compilers and compute something from numbers: counts of
// bits, orders of bytes, arithmetic that says whether it overflowed; and those that
// the compiler answers itself (package builtin has the table of all).
//
// Idea: each result is one term. What GCC leaves open (the leading zeros of 0) is any
// value. Arithmetic that must not wrap is done on 128 bits, two words of 64.

import (
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/cfa/source/builtin"
	"magus/internal/pattern"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// compiled is the meaning of a function that is built into compilers, or nil.
func compiled(name string) intrinsic {
	if name == source.TypesCompatibleName {
		return typesCompatible
	}
	if f := polymorphic(name); f != nil {
		return f
	}
	if row, ok := builtin.Known(name); ok && row.How == builtin.Refused {
		return refused("not modelled: " + row.What)
	}
	name, ok := strings.CutPrefix(name, builtin.Prefix)
	if !ok {
		return nil
	}
	if m := reBits().FindStringSubmatch(name); m != nil {
		return func(l *lowerer, c *callSite) value { return l.library.countBits(c, m[1], m[2]) }
	}
	if m := reOverflow().FindStringSubmatch(name); m != nil {
		return func(l *lowerer, c *callSite) value { return l.library.overflow(c, m) }
	}
	if m := reCarry().FindStringSubmatch(name); m != nil {
		return func(l *lowerer, c *callSite) value { return l.library.carry(c, m[1]) }
	}
	if m := reTurned().FindStringSubmatch(name); m != nil {
		return func(l *lowerer, c *callSite) value { return l.library.turned(c, m[1]) }
	}
	switch name {
	case "prefetch", "__clear_cache", "cpu_init", "ia32_pause", "clear_padding":
		return nothing
	case "assume_aligned":
		return func(l *lowerer, c *callSite) value {
			return l.library.firstOf(c, ctype{class: classPtr, typ: l.pointer})
		}
	case "expect", "expect_with_probability", "unpredictable":
		return expect
	case "assume":
		return assumedByCompiler
	case "debugtrap":
		return halt
	case "constant_p":
		return constantP
	case "classify_type":
		return classifyType
	case "object_size", "dynamic_object_size":
		return objectSize
	case "LINE":
		return func(l *lowerer, c *callSite) value {
			return value{ctInt, l.Pool.Int(expr.Int32, int64(c.pos.Line)), nil}
		}
	case "choose_expr":
		return refused("its first argument is no constant that is known") // else see source.Unparen
	}
	return nil
}

var (
	reBits     = pattern.New(`^(clz|ctz|clrsb|ffs|popcount|parity)(|l|ll|s|g)$`)
	reOverflow = pattern.New(`^([su]?)(add|sub|mul)(|l|ll)_overflow(|_p)$`)
	reCarry    = pattern.New(`^(add|sub)c(?:|b|s|l|ll)$`)
	reTurned   = pattern.New(`^(bswap|bitreverse|rotateleft|rotateright)(?:8|16|32|64)$`)
)

// suffixed is the integer type of a suffix of such a name.
func (l *facts) suffixed(suffix string, signed bool) expr.Type {
	t := expr.Type{Width: 32, Signed: signed}
	if suffix == "s" {
		t.Width = 16
	}
	if suffix == "ll" || suffix == "l" && l.prog.Model == cfa.LP64 {
		t.Width = 64
	}
	return t
}

// countBits is a call of a function that counts bits.
func (l *computing) countBits(c *callSite, what, suffix string) value {
	if len(c.args) != 1 && !(suffix == "g" && len(c.args) == 2) {
		return l.calls.unknown(c, notModelled(c.name))
	}
	vals := l.calls.evalArgs(c)
	v := vals[0]
	if v.t == nil || v.class != classInt || l.Dead() {
		return l.dead(c)
	}
	t := l.suffixed(suffix, what == "clrsb")
	if suffix == "g" {
		t = expr.Type{Width: l.staticType(c.args[0]).typ.Width}
	}
	x := l.Pool.Cast(t, v.t)
	isZero := l.Pool.Eq(x, l.Pool.Const(x.Type(), 0))
	var r *expr.Expr
	switch {
	case len(vals) == 2 && vals[1].t != nil && what == "clz":
		return value{ctInt, l.Pool.Ite(isZero, l.Pool.Cast(expr.Int32, vals[1].t), l.leadingZeros(x)), nil}
	case len(vals) == 2 && vals[1].t != nil && what == "ctz":
		return value{ctInt, l.Pool.Ite(isZero, l.Pool.Cast(expr.Int32, vals[1].t), l.trailingZeros(x)), nil}
	}
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
func (l *computing) bitOf(x *expr.Expr, i uint8) *expr.Expr {
	return l.Pool.And(l.Pool.Shr(x, l.Pool.Const(x.Type(), uint64(i))), l.Pool.Const(x.Type(), 1))
}

// leadingZeros counts them; the width of 0.
func (l *computing) leadingZeros(x *expr.Expr) *expr.Expr {
	w := x.Type().Width
	r := l.Pool.Const(expr.Int32, uint64(w))
	for i := range w {
		r = l.Pool.Ite(l.Pool.Lt(x, l.Pool.Const(x.Type(), 1<<i)), r, l.Pool.Const(expr.Int32, uint64(w-1-i)))
	}
	return r
}

// trailingZeros counts them; the width of 0.
func (l *computing) trailingZeros(x *expr.Expr) *expr.Expr {
	w := x.Type().Width
	r := l.Pool.Const(expr.Int32, uint64(w))
	for i := int(w) - 1; i >= 0; i-- {
		r = l.Pool.Ite(l.Pool.Truth(l.bitOf(x, uint8(i))), l.Pool.Const(expr.Int32, uint64(i)), r)
	}
	return r
}

// turned is a call that gives the bits of its argument in another order.
func (l *computing) turned(c *callSite, how string) value {
	by := 8
	switch how {
	case "bitreverse":
		by = 1
	case "rotateleft", "rotateright":
		return l.rotated(c, how == "rotateleft")
	}
	return l.compute(c, func(x *expr.Expr) *expr.Expr { return l.reversed(x, uint64(by)) })
}

// reversed turns the order of pieces of some bits round.
func (l *computing) reversed(x *expr.Expr, bits uint64) *expr.Expr {
	t, w := x.Type(), uint64(x.Type().Width)
	r := l.Pool.Const(t, 0)
	for at := uint64(0); at < w; at += bits {
		b := l.Pool.And(l.Pool.Shr(x, l.Pool.Const(t, at)), l.Pool.Const(t, 1<<bits-1))
		r = l.Pool.Or(r, l.Pool.Shl(b, l.Pool.Const(t, w-bits-at)))
	}
	return r
}

// rotated is a call that rotates its first argument by the second one, modulo the number of bits.
func (l *computing) rotated(c *callSite, left bool) value {
	if len(c.args) != 2 || !c.ret.scalar() {
		return l.calls.unknown(c, notModelled(c.name))
	}
	vals := l.calls.evalArgs(c)
	if l.Dead() || vals[0].t == nil || vals[1].t == nil {
		return l.dead(c)
	}
	t, p := c.ret.typ, l.Pool
	x, n := p.Cast(t, vals[0].t), p.Cast(t, vals[1].t)
	if !left {
		n = p.Neg(n)
	}
	mask := p.Const(t, uint64(t.Width)-1)
	up, down := p.Shl(x, p.And(n, mask)), p.Shr(x, p.And(p.Neg(n), mask))
	return value{c.ret, p.Or(up, down), nil}
}

// carry is an addition or subtraction of two numbers and a carry, which stores the carry that comes of it.
func (l *computing) carry(c *callSite, op string) value {
	if len(c.args) != 4 || !c.ret.scalar() {
		return l.calls.unknown(c, notModelled(c.name))
	}
	vals := l.calls.evalArgs(c)
	for _, v := range vals {
		if l.Dead() || v.t == nil {
			return l.dead(c)
		}
	}
	p, t := l.Pool, c.ret.typ
	a, b, in := p.Cast(t, vals[0].t), p.Cast(t, vals[1].t), p.Cast(t, vals[2].t)
	var first, r, one, two *expr.Expr
	if op == "add" {
		first = p.Add(a, b)
		r = p.Add(first, in)
		one, two = p.Lt(first, a), p.Lt(r, first)
	} else {
		first = p.Sub(a, b)
		r = p.Sub(first, in)
		one, two = p.Lt(a, b), p.Lt(first, in)
	}
	kept := l.Temp("sum", t, c.pos) // before the store, which may change what it is made of
	l.Assign(kept, r, c.pos)
	pointer, ok := c.args[3].Type().Decay().(*cc.PointerType)
	if !ok {
		return l.calls.unknown(c, notModelled(c.name))
	}
	l.threading.storeAt(c, vals[3].t, pointer.Elem(), value{c.ret, p.FromBool(t, p.Lor(one, two)), nil})
	return value{c.ret, kept, nil}
}

// firstOf is a call that gives its first argument.
func (l *computing) firstOf(c *callSite, t ctype) value {
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
func (l *computing) overflow(c *callSite, m []string) value {
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

// assumedByCompiler is __builtin_assume: the run goes on where the argument holds. One with effects is not evaluated.
func assumedByCompiler(l *lowerer, c *callSite) value {
	if len(c.args) != 1 || !l.expressions.pure(c.args[0]) {
		return value{ctype: ctVoid}
	}
	return assume(l, c)
}

// classifyType is __builtin_classify_type, which evaluates nothing: the number that GCC has for a kind of type.
func classifyType(l *lowerer, c *callSite) value {
	if len(c.args) != 1 {
		return l.calls.unknown(c, notModelled(c.name))
	}
	kind := int64(-1)
	switch t := c.args[0].Type().Decay(); l.ctypeOf(t).class {
	case classVoid:
		kind = 0
	case classInt:
		kind = 1
	case classPtr:
		kind = 5
	case classFloat, classExtended, classOpaque:
		kind = 8
	case classAggregate:
		if kind = 12; t.Kind() == cc.Union {
			kind = 13
		}
	}
	if kind < 0 {
		return l.refuse(c.n, "__builtin_classify_type of such a type", "")
	}
	return value{ctInt, l.Pool.Int(expr.Int32, kind), nil}
}

// objectSize is __builtin_object_size, which evaluates nothing: known of what is named, else as without optimisation.
func objectSize(l *lowerer, c *callSite) value {
	if len(c.args) != 2 {
		return l.calls.unknown(c, notModelled(c.name))
	}
	size := value{ctype{class: classInt, typ: l.pointer}, l.Pool.Const(l.pointer, l.pointer.Mask()), nil}
	which, known := l.libraryConst(c.args[1])
	if !known || which.t.Value() > 3 {
		return l.refuse(c.n, "__builtin_object_size of which kind", "its second argument is no number from 0 to 3")
	}
	if n, ok := l.room(source.StripPointerCasts(c.args[0]), which.t.Value()&1 == 1); ok {
		size.t = l.Pool.Int(l.pointer, n)
		return size
	}
	if _, named := l.room(source.StripPointerCasts(c.args[0]), false); named { // compilers differ
		return l.calls.anyResult(c, notModelled(c.name))
	}
	if which.t.Value() > 1 {
		size.t = l.Pool.Const(l.pointer, 0)
	}
	l.Assume(cfa.AboutRoutine, c.pos, "%s of what is no named object is not known, as without optimisation", c.name)
	return size
}

// room is how many bytes there are from an address on: to the end of the object that it is in, or of the innermost
// member. False where it is not the address of a named object, or of a constant place in it; and of innermost members
// where something is added to their address.
func (l *facts) room(n cc.ExpressionNode, innermost bool) (int64, bool) {
	n = source.StripPointerCasts(n)
	if u, ok := n.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionAddrof {
		return l.roomOfLvalue(u.CastExpression, innermost)
	}
	if source.IsArray(n) {
		return l.roomOfLvalue(n, innermost)
	}
	sum, ok := n.(*cc.AdditiveExpression)
	if !ok || innermost && source.Declarator(sum.AdditiveExpression) == nil ||
		sum.Case == cc.AdditiveExpressionMul || !source.IsAddress(sum.AdditiveExpression) {
		return 0, false
	}
	p, ok := sum.AdditiveExpression.Type().Decay().(*cc.PointerType)
	k, constant := sum.MultiplicativeExpression.Value().(cc.Int64Value)
	from, known := l.room(sum.AdditiveExpression, innermost)
	if !ok || !constant || !known {
		return 0, false
	}
	by := int64(k) * l.bytes(p.Elem())
	if sum.Case == cc.AdditiveExpressionSub {
		by = -by
	}
	if by < 0 || by > from {
		return 0, by > from
	}
	return from - by, true
}

// roomOfLvalue is room for the address of an lvalue.
func (l *facts) roomOfLvalue(n cc.ExpressionNode, innermost bool) (int64, bool) {
	n = source.Unparen(n)
	if x, ok := n.(*cc.PrimaryExpression); ok && x.Case != cc.PrimaryExpressionIdent && source.IsArray(x) {
		size := l.bytes(x.Type().Undecay()) // a string
		return size, size > 0
	}
	if d := source.Declarator(n); d != nil {
		size := l.bytes(d.Type().Undecay())
		return size, size > 0 && d.Type().Undecay().Kind() != cc.Function && !d.IsParam()
	}
	x, ok := n.(*cc.PostfixExpression)
	switch {
	case !ok:
	case x.Case == cc.PostfixExpressionIndex && source.IsArray(x.PostfixExpression):
		k, constant := x.ExpressionList.Value().(cc.Int64Value)
		from, known := l.roomOfLvalue(x.PostfixExpression, innermost)
		by := int64(k) * l.bytes(x.Type().Undecay())
		if constant && known && by >= 0 && by <= from {
			return from - by, true
		}
	case x.Case == cc.PostfixExpressionSelect && x.Field() != nil:
		if innermost {
			size := l.bytes(x.Type().Undecay())
			_, known := l.roomOfLvalue(x.PostfixExpression, true)
			return size, known && size > 0
		}
		from, known := l.roomOfLvalue(x.PostfixExpression, false)
		return from - l.prog.Layouts.Offset(x.Field())/8, known
	}
	return 0, false
}

// typesCompatible is __builtin_types_compatible_p, which evaluates nothing.
func typesCompatible(l *lowerer, c *callSite) value {
	is, ok := l.prog.Layouts.TypesCompatible(c.n)
	if !ok {
		return l.refuse(c.n, "__builtin_types_compatible_p of such types", "")
	}
	return value{ctInt, l.Pool.FromBool(expr.Int32, l.Pool.Bool(is)), nil}
}
