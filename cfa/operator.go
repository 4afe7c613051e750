package cfa

// Lowering of operators, assignments and conditions.

import (
	"magus/internal/expr"

	"modernc.org/cc/v4"
)

func (l *lowerer) binary(n cc.ExpressionNode, b *binaryExpr) value {
	if (b.op == opAdd || b.op == opSub) && isAddress(b.left) != isAddress(b.right) {
		return l.pointerValue(n)
	}
	x := l.rvalue(b.left)
	y := l.protect(&x, b.left, b.right)
	return l.apply(n, b.op, x, y)
}

// apply is x op y, with the conversions of its operator.
func (l *lowerer) apply(n cc.Node, op binaryOp, x, y value) value {
	comparison := op >= opEq
	switch {
	case x.class == classFloat || y.class == classFloat:
		if comparison {
			t := l.any(bool1, "float", "floating point", position(n.Position()))
			return value{ctInt, l.pool.Cast(expr.Int32, t), nil}
		}
		return value{ctFloat, nil, nil}
	case x.t == nil || y.t == nil:
		if len(l.open) > 0 {
			return l.refuse(n, "the value of a void expression", "")
		}
		return value{}
	case x.class == classPtr || y.class == classPtr:
		if !comparison {
			return l.pointerArithmetic(n, op, x, y)
		}
		t := ctype{class: classPtr, typ: l.prog.model.ptrType()}
		x.t, y.t = l.pool.Cast(t.typ, x.t), l.pool.Cast(t.typ, y.t)
	case op == opShl || op == opShr:
		return l.shift(n, op, l.promote(x, n), l.promote(y, n))
	default:
		t := ctype{class: classInt, typ: expr.Common(x.typ, y.typ)}
		x, y = l.convert(x, t, n), l.convert(y, t, n)
	}
	if comparison {
		return value{ctInt, l.pool.FromBool(expr.Int32, l.compare(op, x.t, y.t)), nil}
	}
	if op == opDiv || op == opRem {
		return value{x.ctype, l.divide(n, op, x.t, y.t), nil}
	}
	return value{x.ctype, l.arithmetic(op, x.t, y.t), nil}
}

func (l *lowerer) compare(op binaryOp, x, y *expr.Expr) *expr.Expr {
	switch op {
	case opEq:
		return l.pool.Eq(x, y)
	case opNe:
		return l.pool.Ne(x, y)
	case opLt:
		return l.pool.Lt(x, y)
	case opGt:
		return l.pool.Lt(y, x)
	case opLe:
		return l.pool.Le(x, y)
	}
	return l.pool.Le(y, x)
}

func (l *lowerer) arithmetic(op binaryOp, x, y *expr.Expr) *expr.Expr {
	switch op {
	case opMul:
		return l.pool.Mul(x, y)
	case opAdd:
		return l.pool.Add(x, y)
	case opSub:
		return l.pool.Sub(x, y)
	case opAnd:
		return l.pool.And(x, y)
	case opXor:
		return l.pool.Xor(x, y)
	}
	return l.pool.Or(x, y)
}

// divide gives any value where the divisor is zero.
func (l *lowerer) divide(n cc.Node, op binaryOp, x, y *expr.Expr) *expr.Expr {
	zero := l.pool.Const(y.Type(), 0)
	isZero := l.pool.Eq(y, zero)
	var r *expr.Expr
	if op == opDiv {
		r = l.pool.Div(x, y)
	} else {
		r = l.pool.Rem(x, y)
	}
	return l.unless(isZero, "quotient", "division by zero", r, position(n.Position()))
}

// unless is r, or any value where a condition holds: two ways to one temporary,
// so that no predicate need speak of both.
func (l *lowerer) unless(undefined *expr.Expr, name, source string, r *expr.Expr, pos Pos) *expr.Expr {
	if undefined.IsFalse() {
		return r
	}
	v := l.temp(name, r.Type(), pos)
	yes, no := l.branch(undefined, pos)
	l.open = yes
	if len(yes) > 0 {
		l.emit(Assign{LHS: v, Nondet: source}, pos)
	}
	end := l.open
	l.open = no
	if len(no) > 0 {
		l.assign(v, r, pos)
	}
	l.open = append(l.open, end...)
	return v
}

// shift gives any value where the count is not below the width.
func (l *lowerer) shift(n cc.Node, op binaryOp, x, y value) value {
	count := expr.Type{Width: y.typ.Width}
	fits := l.pool.Lt(l.pool.Cast(count, y.t), l.pool.Const(count, uint64(x.typ.Width)))
	by := l.pool.Cast(x.typ, y.t)
	r := value{ctype: x.ctype}
	if op == opShl {
		r.t = l.pool.Shl(x.t, by)
	} else {
		r.t = l.pool.Shr(x.t, by)
	}
	r.t = l.unless(l.pool.Not(fits), "shifted", "shift count out of range", r.t, position(n.Position()))
	return r
}

// pointerArithmetic is the difference of two pointers; sums are taken apart by
// pointee, but for those of compound assignments.
func (l *lowerer) pointerArithmetic(n cc.Node, op binaryOp, x, y value) value {
	var size int64
	switch e := n.(type) {
	case *cc.AdditiveExpression:
		size = l.strideOf(e.AdditiveExpression.Type().Decay(), n)
	case *cc.AssignmentExpression:
		size = l.strideOf(e.UnaryExpression.Type().Decay(), n)
	}
	t := l.prog.model.ptrType()
	signed := expr.Type{Width: t.Width, Signed: true}
	switch {
	case size <= 0 || op != opAdd && op != opSub:
	case x.class == classPtr && y.class == classPtr && op == opSub:
		d := l.pool.Cast(signed, l.pool.Sub(x.t, y.t))
		return value{ctype{class: classInt, typ: signed}, l.pool.Div(d, l.pool.Int(signed, size)), nil}
	case x.class == classPtr && y.class == classInt:
		by := l.pool.Mul(l.pool.Cast(t, y.t), l.pool.Int(t, size))
		if op == opSub {
			by = l.pool.Neg(by)
		}
		return value{x.ctype, l.pool.Add(x.t, by), nil}
	}
	return l.refuse(n, "arithmetic on pointers", "")
}

// strideOf is the size of what a pointer type points to; negative if that is not
// known, which is refused.
func (l *lowerer) strideOf(t cc.Type, n cc.Node) int64 {
	if p, ok := t.(*cc.PointerType); ok && !l.steppable(p.Elem(), n) {
		return -1
	}
	return l.stride(t)
}

// assignment is lhs = e or lhs op= e; its value is that of lhs afterwards, if
// it is wanted.
func (l *lowerer) assignment(x *cc.AssignmentExpression, want bool) value {
	if x.Case == cc.AssignmentExpressionCond {
		return l.rvalue(x.ConditionalExpression)
	}
	pos := position(x.Position())
	p := l.place(x.UnaryExpression)
	if x.Case != cc.AssignmentExpressionAssign {
		old := l.read(p, x.UnaryExpression)
		keep := l.holdPlace(p, x, x.AssignmentExpression)
		by := l.protect(&old, x.UnaryExpression, x.AssignmentExpression)
		l.settlePlace(&p, keep)
		op := opMul + binaryOp(x.Case-cc.AssignmentExpressionMul)
		return l.assigned(p, l.apply(x, op, old, by), x, pos, want)
	}
	if p.v != nil {
		l.store(target{p.v, p.t}, x.AssignmentExpression, pos)
		return value{p.t, p.v, nil}
	}
	if b, lf := l.direct(p); lf != nil && !b.fixed && p.t.scalar() && p.t == lf.t {
		l.store(target{l.cellVar(b, lf), lf.t}, x.AssignmentExpression, pos)
		return value{p.t, lf.v, nil}
	}
	keep := l.holdPlace(p, x, x.AssignmentExpression)
	v := l.rvalue(x.AssignmentExpression)
	l.settlePlace(&p, keep)
	return l.assigned(p, v, x.AssignmentExpression, pos, want)
}

// store assigns an expression to a variable. A call's result goes there
// directly.
func (l *lowerer) store(to target, n cc.ExpressionNode, pos Pos) {
	if call, ok := unparen(n).(*cc.PostfixExpression); ok && call.Case == cc.PostfixExpressionCall {
		r := l.call(call, &to, true)
		if r.t != to.v {
			l.storeValue(to, r, n, pos)
		}
		return
	}
	l.storeValue(to, l.rvalue(n), n, pos)
}

// storeValue assigns a value, converted, to a variable.
func (l *lowerer) storeValue(to target, v value, n cc.Node, pos Pos) {
	if v.class == classFloat {
		l.emit(Assign{LHS: to.v, Nondet: "float", Approx: "floating point"}, pos)
		return
	}
	if r := l.convert(v, to.t, n); r.t != nil && len(l.open) > 0 {
		l.assign(to.v, r.t, pos)
	}
}

// conditional is c ? a : b with a value.
func (l *lowerer) conditional(x *cc.ConditionalExpression) value {
	t := l.resultType(x)
	if t.class == classVoid {
		l.discard(x)
		return value{ctype: ctVoid}
	}
	if t.class == classFloat {
		l.discard(x)
		return value{t, nil, nil}
	}
	if l.pure(x) {
		c := l.truth(l.rvalue(x.LogicalOrExpression), x)
		a, b := l.convert(l.rvalue(middle(x)), t, x), l.convert(l.rvalue(x.ConditionalExpression), t, x)
		return value{t, l.pool.Ite(c, a.t, b.t), nil}
	}
	if t.class == classAggregate {
		return l.conditionalAggregate(x)
	}
	if !t.scalar() {
		return l.refuse(x, "?: of type "+x.Type().String(), "")
	}
	pos := position(x.Position())
	to := target{l.temp("select", t.typ, pos), t}
	var yes, no []hole
	if x.ExpressionList == nil {
		v := l.rvalue(x.LogicalOrExpression)
		if c := l.truth(v, x); c != nil {
			yes, no = l.branch(c, pos)
		}
		l.open = yes
		l.storeValue(to, v, x, pos)
	} else {
		yes, no = l.cond(x.LogicalOrExpression)
		l.open = yes
		l.store(to, x.ExpressionList, position(x.ExpressionList.Position()))
	}
	end := l.open
	l.open = no
	l.store(to, x.ConditionalExpression, position(x.ConditionalExpression.Position()))
	l.open = append(l.open, end...)
	return value{t, to.v, nil}
}

// conditionalAggregate is c ? a : b for structures: a copy of either.
func (l *lowerer) conditionalAggregate(x *cc.ConditionalExpression) value {
	pos := position(x.Position())
	b := l.tempBlock("select", x.Type(), pos)
	p := l.blockPlace(b, x.Type())
	yes, no := l.cond(x.LogicalOrExpression)
	l.open = yes
	l.copyTo(p, l.rvalue(middle(x)), x, pos)
	end := l.open
	l.open = no
	l.copyTo(p, l.rvalue(x.ConditionalExpression), x, pos)
	l.open = append(l.open, end...)
	return value{p.t, nil, &p}
}

// resultType is the type of a conditional expression (C11 6.5.15).
func (l *lowerer) resultType(x *cc.ConditionalExpression) ctype {
	a, b := l.staticType(middle(x)), l.staticType(x.ConditionalExpression)
	switch {
	case a.class == classInt && b.class == classInt:
		return ctype{class: classInt, typ: expr.Common(a.typ, b.typ)}
	case a.class == classVoid || b.class == classVoid:
		return ctVoid
	case a.class == classFloat || b.class == classFloat:
		return ctFloat
	case a.class == classPtr || b.class == classPtr:
		return ctype{class: classPtr, typ: l.prog.model.ptrType()}
	}
	return a
}

// staticType is the type of the value that rvalue gives, without evaluating.
// The library's own types differ where enumeration constants take part.
func (l *lowerer) staticType(n cc.ExpressionNode) ctype {
	n = unparen(n)
	promoted := func(e cc.ExpressionNode) ctype {
		t := l.staticType(e)
		if t.class == classInt {
			t.typ = t.typ.Promote()
		}
		return t
	}
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		if e, ok := x.ResolvedTo().(*cc.Enumerator); ok && x.Case == cc.PrimaryExpressionIdent {
			return l.enumerator(x, e).ctype
		}
	case *cc.PostfixExpression:
		if f := x.Field(); f != nil && f.IsBitfield() {
			t, _ := l.prog.model.bitField(f)
			return t
		}
	case *cc.ExpressionList:
		for x.ExpressionList != nil {
			x = x.ExpressionList
		}
		return l.staticType(x.AssignmentExpression)
	case *cc.AssignmentExpression:
		if x.Case != cc.AssignmentExpressionCond {
			return l.staticType(x.UnaryExpression)
		}
	case *cc.ConditionalExpression:
		return l.resultType(x)
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl:
			return promoted(x.CastExpression)
		}
	default:
		b := asBinary(n)
		switch {
		case b == nil:
		case b.op >= opEq:
			return ctInt
		case b.op == opShl || b.op == opShr:
			return promoted(b.left)
		default:
			s, t := promoted(b.left), promoted(b.right)
			if s.class == classInt && t.class == classInt {
				return ctype{class: classInt, typ: expr.Common(s.typ, t.typ)}
			}
		}
	}
	return l.prog.model.ctypeOf(n.Type().Decay())
}

// logical is a && b or a || b as a value.
func (l *lowerer) logical(n cc.ExpressionNode) value {
	if l.pure(n) {
		return value{ctInt, l.pool.FromBool(expr.Int32, l.pureCond(n)), nil}
	}
	pos := position(n.Position())
	v := l.temp("cond", expr.Int32, pos)
	yes, no := l.cond(n)
	l.open = yes
	if len(yes) > 0 {
		l.assign(v, l.pool.Const(expr.Int32, 1), pos)
	}
	end := l.open
	l.open = no
	if len(no) > 0 {
		l.assign(v, l.pool.Const(expr.Int32, 0), pos)
	}
	l.open = append(l.open, end...)
	return value{ctInt, v, nil}
}

// pureCond is the condition of a pure expression as one term.
func (l *lowerer) pureCond(n cc.ExpressionNode) *expr.Expr {
	n = unparen(n)
	switch x := n.(type) {
	case *cc.LogicalAndExpression:
		return l.pool.Land(l.pureCond(x.LogicalAndExpression), l.pureCond(x.InclusiveOrExpression))
	case *cc.LogicalOrExpression:
		return l.pool.Lor(l.pureCond(x.LogicalOrExpression), l.pureCond(x.LogicalAndExpression))
	}
	return l.pool.Truth(l.rvalue(n).t)
}

// cond evaluates an expression as a condition and gives the ends where it
// holds and where it does not. Branch conditions become atoms: && and || are
// control flow.
func (l *lowerer) cond(n cc.ExpressionNode) (yes, no []hole) {
	n = unparen(n)
	switch x := n.(type) {
	case *cc.LogicalAndExpression:
		a, f1 := l.cond(x.LogicalAndExpression)
		l.open = a
		b, f2 := l.cond(x.InclusiveOrExpression)
		return b, append(f1, f2...)
	case *cc.LogicalOrExpression:
		t1, a := l.cond(x.LogicalOrExpression)
		l.open = a
		t2, b := l.cond(x.LogicalAndExpression)
		return append(t1, t2...), b
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionNot {
			no, yes = l.cond(x.CastExpression)
			return yes, no
		}
	case *cc.ConditionalExpression:
		a, b := l.cond(x.LogicalOrExpression)
		if x.ExpressionList == nil {
			l.open = b
			t2, f2 := l.cond(x.ConditionalExpression)
			return append(a, t2...), f2
		}
		l.open = a
		t1, f1 := l.cond(x.ExpressionList)
		l.open = b
		t2, f2 := l.cond(x.ConditionalExpression)
		return append(t1, t2...), append(f1, f2...)
	case *cc.ExpressionList:
		for ; x.ExpressionList != nil; x = x.ExpressionList {
			l.discard(x.AssignmentExpression)
		}
		return l.cond(x.AssignmentExpression)
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionCall && calleeName(x) == "__builtin_expect" && len(arguments(x)) == 2 && l.fitsLong(arguments(x)[0]) {
			return l.cond(arguments(x)[0])
		}
	}
	c := l.truth(l.rvalue(n), n)
	if c == nil {
		l.open = nil
		return nil, nil
	}
	return l.branch(c, position(n.Position()))
}

// branch tests a condition, split into atoms.
func (l *lowerer) branch(c *expr.Expr, pos Pos) (yes, no []hole) {
	switch c.Op() {
	case expr.Const:
		yes, l.open = l.open, nil
		if c.IsFalse() {
			return nil, yes
		}
		return yes, nil
	case expr.Not:
		no, yes = l.branch(c.Args()[0], pos)
		return yes, no
	case expr.Land:
		for _, a := range c.Args() {
			t, f := l.branch(a, pos)
			no = append(no, f...)
			l.open = t
		}
		return l.open, no
	case expr.Lor:
		for _, a := range c.Args() {
			t, f := l.branch(a, pos)
			yes = append(yes, t...)
			l.open = f
		}
		return yes, l.open
	}
	b := l.emit(Branch{Cond: c}, pos)
	l.open = nil
	return []hole{{b, 0}}, []hole{{b, 1}}
}

// fitsLong reports whether an operand keeps its value as a long.
func (l *lowerer) fitsLong(n cc.ExpressionNode) bool {
	t := l.prog.model.ctypeOf(n.Type())
	return l.prog.model == LP64 || t.class == classInt && t.typ.Width <= 32
}
