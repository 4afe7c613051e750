package lower

// Lowering of operators, assignments and conditions.

import (
	"magus/cfa"
	"magus/cfa/source"
	"magus/internal/expr"

	"modernc.org/cc/v4"
)

func (l *lowerer) binary(n cc.ExpressionNode, b *source.BinaryExpr) value {
	if (b.Op == source.OpAdd || b.Op == source.OpSub) && source.IsAddress(b.Left) != source.IsAddress(b.Right) {
		return l.pointerValue(n)
	}
	x := l.rvalue(b.Left)
	y := l.protect(&x, b.Left, b.Right)
	return l.apply(n, b.Op, x, y)
}

// apply is x op y, with the conversions of its operator.
func (l *lowerer) apply(n cc.Node, op source.BinaryOp, x, y value) value {
	comparison := op >= source.OpEq
	switch {
	case x.class == classFloat || y.class == classFloat:
		if comparison {
			t := l.Any(bool1, "float", "floating point", source.Position(n.Position()))
			return value{ctInt, l.Pool.Cast(expr.Int32, t), nil}
		}
		return value{ctFloat, nil, nil}
	case x.t == nil || y.t == nil:
		if !l.Dead() {
			return l.refuse(n, "the value of a void expression", "")
		}
		return value{}
	case x.class == classPtr || y.class == classPtr:
		if !comparison {
			return l.pointerArithmetic(n, op, x, y)
		}
		t := ctype{class: classPtr, typ: l.pointer}
		x.t, y.t = l.Pool.Cast(t.typ, x.t), l.Pool.Cast(t.typ, y.t)
	case op == source.OpShl || op == source.OpShr:
		return l.shift(n, op, l.promote(x, n), l.promote(y, n))
	default:
		t := ctype{class: classInt, typ: expr.Common(x.typ, y.typ)}
		x, y = l.convert(x, t, n), l.convert(y, t, n)
	}
	if comparison {
		return value{ctInt, l.Pool.FromBool(expr.Int32, l.compare(op, x.t, y.t)), nil}
	}
	if op == source.OpDiv || op == source.OpRem {
		return value{x.ctype, l.divide(n, op, x.t, y.t), nil}
	}
	return value{x.ctype, l.arithmetic(op, x.t, y.t), nil}
}

func (l *lowerer) compare(op source.BinaryOp, x, y *expr.Expr) *expr.Expr {
	switch op {
	case source.OpEq:
		return l.Pool.Eq(x, y)
	case source.OpNe:
		return l.Pool.Ne(x, y)
	case source.OpLt:
		return l.Pool.Lt(x, y)
	case source.OpGt:
		return l.Pool.Lt(y, x)
	case source.OpLe:
		return l.Pool.Le(x, y)
	}
	return l.Pool.Le(y, x)
}

func (l *lowerer) arithmetic(op source.BinaryOp, x, y *expr.Expr) *expr.Expr {
	switch op {
	case source.OpMul:
		return l.Pool.Mul(x, y)
	case source.OpAdd:
		return l.Pool.Add(x, y)
	case source.OpSub:
		return l.Pool.Sub(x, y)
	case source.OpAnd:
		return l.Pool.And(x, y)
	case source.OpXor:
		return l.Pool.Xor(x, y)
	}
	return l.Pool.Or(x, y)
}

// divide gives any value where the divisor is zero.
func (l *lowerer) divide(n cc.Node, op source.BinaryOp, x, y *expr.Expr) *expr.Expr {
	zero := l.Pool.Const(y.Type(), 0)
	isZero := l.Pool.Eq(y, zero)
	var r *expr.Expr
	if op == source.OpDiv {
		r = l.Pool.Div(x, y)
	} else {
		r = l.Pool.Rem(x, y)
	}
	return l.unless(isZero, "quotient", "division by zero", r, source.Position(n.Position()))
}

// unless is r, or any value where a condition holds: two ways to one temporary,
// so that no predicate need speak of both.
func (l *lowerer) unless(undefined *expr.Expr, name, source string, r *expr.Expr, pos cfa.Pos) *expr.Expr {
	if undefined.IsFalse() {
		return r
	}
	v := l.Temp(name, r.Type(), pos)
	yes, no := l.Branch(undefined, pos)
	l.Continue(yes)
	if len(yes) > 0 {
		l.Emit(cfa.Assign{LHS: v, Nondet: source}, pos)
	}
	end := l.Ends()
	l.Continue(no)
	if len(no) > 0 {
		l.Assign(v, r, pos)
	}
	l.Join(end)
	return v
}

// shift gives any value where the count is not below the width.
func (l *lowerer) shift(n cc.Node, op source.BinaryOp, x, y value) value {
	count := expr.Type{Width: y.typ.Width}
	fits := l.Pool.Lt(l.Pool.Cast(count, y.t), l.Pool.Const(count, uint64(x.typ.Width)))
	by := l.Pool.Cast(x.typ, y.t)
	r := value{ctype: x.ctype}
	if op == source.OpShl {
		r.t = l.Pool.Shl(x.t, by)
	} else {
		r.t = l.Pool.Shr(x.t, by)
	}
	r.t = l.unless(l.Pool.Not(fits), "shifted", "shift count out of range", r.t, source.Position(n.Position()))
	return r
}

// pointerArithmetic is the difference of two pointers; sums are taken apart by
// pointee, but for those of compound assignments.
func (l *lowerer) pointerArithmetic(n cc.Node, op source.BinaryOp, x, y value) value {
	var size int64
	switch e := n.(type) {
	case *cc.AdditiveExpression:
		size = l.strideOf(e.AdditiveExpression.Type().Decay(), n)
	case *cc.AssignmentExpression:
		size = l.strideOf(e.UnaryExpression.Type().Decay(), n)
	}
	t := l.pointer
	signed := expr.Type{Width: t.Width, Signed: true}
	switch {
	case size <= 0 || op != source.OpAdd && op != source.OpSub:
	case x.class == classPtr && y.class == classPtr && op == source.OpSub:
		d := l.Pool.Cast(signed, l.Pool.Sub(x.t, y.t))
		return value{ctype{class: classInt, typ: signed}, l.Pool.Div(d, l.Pool.Int(signed, size)), nil}
	case x.class == classPtr && y.class == classInt:
		by := l.Pool.Mul(l.Pool.Cast(t, y.t), l.Pool.Int(t, size))
		if op == source.OpSub {
			by = l.Pool.Neg(by)
		}
		return value{x.ctype, l.Pool.Add(x.t, by), nil}
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
	pos := source.Position(x.Position())
	p := l.place(x.UnaryExpression)
	if x.Case != cc.AssignmentExpressionAssign {
		old := l.read(p, x.UnaryExpression)
		keep := l.holdPlace(p, x, x.AssignmentExpression)
		by := l.protect(&old, x.UnaryExpression, x.AssignmentExpression)
		l.settlePlace(&p, keep)
		op := source.OpMul + source.BinaryOp(x.Case-cc.AssignmentExpressionMul)
		return l.assigned(p, l.apply(x, op, old, by), x, pos, want)
	}
	if p.v != nil {
		l.store(target{p.v, p.t}, x.AssignmentExpression, pos)
		return value{p.t, p.v, nil}
	}
	if c, ok := l.direct(p); ok && !c.Object.Const() && p.t.scalar() && p.t.cell() == c.Scalar() {
		v := l.mem.Var(c)
		l.store(target{v, p.t}, x.AssignmentExpression, pos)
		return value{p.t, v, nil}
	}
	keep := l.holdPlace(p, x, x.AssignmentExpression)
	v := l.rvalue(x.AssignmentExpression)
	l.settlePlace(&p, keep)
	return l.assigned(p, v, x.AssignmentExpression, pos, want)
}

// store assigns an expression to a variable. A call's result goes there
// directly.
func (l *lowerer) store(to target, n cc.ExpressionNode, pos cfa.Pos) {
	if call, ok := source.Unparen(n).(*cc.PostfixExpression); ok && call.Case == cc.PostfixExpressionCall {
		r := l.call(call, &to, true)
		if r.t != to.v {
			l.storeValue(to, r, n, pos)
		}
		return
	}
	l.storeValue(to, l.rvalue(n), n, pos)
}

// storeValue assigns a value, converted, to a variable.
func (l *lowerer) storeValue(to target, v value, n cc.Node, pos cfa.Pos) {
	if v.class == classFloat {
		l.Emit(cfa.Assign{LHS: to.v, Nondet: "float", Approx: "floating point"}, pos)
		return
	}
	if r := l.convert(v, to.t, n); r.t != nil && !l.Dead() {
		l.Assign(to.v, r.t, pos)
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
		a, b := l.convert(l.rvalue(source.Middle(x)), t, x), l.convert(l.rvalue(x.ConditionalExpression), t, x)
		return value{t, l.Pool.Ite(c, a.t, b.t), nil}
	}
	if t.class == classAggregate {
		return l.conditionalAggregate(x)
	}
	if !t.scalar() {
		return l.refuse(x, "?: of type "+x.Type().String(), "")
	}
	pos := source.Position(x.Position())
	to := target{l.Temp("select", t.typ, pos), t}
	var yes, no cfa.Ends
	if x.ExpressionList == nil {
		v := l.rvalue(x.LogicalOrExpression)
		if c := l.truth(v, x); c != nil {
			yes, no = l.Branch(c, pos)
		}
		l.Continue(yes)
		l.storeValue(to, v, x, pos)
	} else {
		yes, no = l.cond(x.LogicalOrExpression)
		l.Continue(yes)
		l.store(to, x.ExpressionList, source.Position(x.ExpressionList.Position()))
	}
	end := l.Ends()
	l.Continue(no)
	l.store(to, x.ConditionalExpression, source.Position(x.ConditionalExpression.Position()))
	l.Join(end)
	return value{t, to.v, nil}
}

// conditionalAggregate is c ? a : b for structures: a copy of either.
func (l *lowerer) conditionalAggregate(x *cc.ConditionalExpression) value {
	pos := source.Position(x.Position())
	b := l.tempObject("select", x.Type(), pos)
	p := l.objectPlace(b, x.Type())
	yes, no := l.cond(x.LogicalOrExpression)
	l.Continue(yes)
	l.copyTo(p, l.rvalue(source.Middle(x)), x, pos)
	end := l.Ends()
	l.Continue(no)
	l.copyTo(p, l.rvalue(x.ConditionalExpression), x, pos)
	l.Join(end)
	return value{p.t, nil, &p}
}

// resultType is the type of a conditional expression (C11 6.5.15).
func (l *lowerer) resultType(x *cc.ConditionalExpression) ctype {
	a, b := l.staticType(source.Middle(x)), l.staticType(x.ConditionalExpression)
	switch {
	case a.class == classInt && b.class == classInt:
		return ctype{class: classInt, typ: expr.Common(a.typ, b.typ)}
	case a.class == classVoid || b.class == classVoid:
		return ctVoid
	case a.class == classFloat || b.class == classFloat:
		return ctFloat
	case a.class == classPtr || b.class == classPtr:
		return ctype{class: classPtr, typ: l.pointer}
	}
	return a
}

// staticType is the type of the value that rvalue gives, without evaluating.
// The library's own types differ where enumeration constants take part.
func (l *lowerer) staticType(n cc.ExpressionNode) ctype {
	n = source.Unparen(n)
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
			t, _ := l.bitField(f)
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
		b := source.AsBinary(n)
		switch {
		case b == nil:
		case b.Op >= source.OpEq:
			return ctInt
		case b.Op == source.OpShl || b.Op == source.OpShr:
			return promoted(b.Left)
		default:
			s, t := promoted(b.Left), promoted(b.Right)
			if s.class == classInt && t.class == classInt {
				return ctype{class: classInt, typ: expr.Common(s.typ, t.typ)}
			}
		}
	}
	return l.ctypeOf(n.Type().Decay())
}

// logical is a && b or a || b as a value.
func (l *lowerer) logical(n cc.ExpressionNode) value {
	if l.pure(n) {
		return value{ctInt, l.Pool.FromBool(expr.Int32, l.pureCond(n)), nil}
	}
	pos := source.Position(n.Position())
	v := l.Temp("cond", expr.Int32, pos)
	yes, no := l.cond(n)
	l.Continue(yes)
	if len(yes) > 0 {
		l.Assign(v, l.Pool.Const(expr.Int32, 1), pos)
	}
	end := l.Ends()
	l.Continue(no)
	if len(no) > 0 {
		l.Assign(v, l.Pool.Const(expr.Int32, 0), pos)
	}
	l.Join(end)
	return value{ctInt, v, nil}
}

// pureCond is the condition of a pure expression as one term.
func (l *lowerer) pureCond(n cc.ExpressionNode) *expr.Expr {
	n = source.Unparen(n)
	switch x := n.(type) {
	case *cc.LogicalAndExpression:
		return l.Pool.Land(l.pureCond(x.LogicalAndExpression), l.pureCond(x.InclusiveOrExpression))
	case *cc.LogicalOrExpression:
		return l.Pool.Lor(l.pureCond(x.LogicalOrExpression), l.pureCond(x.LogicalAndExpression))
	}
	return l.Pool.Truth(l.rvalue(n).t)
}

// cond evaluates an expression as a condition and gives the ends where it
// holds and where it does not. Branch conditions become atoms: && and || are
// control flow.
func (l *lowerer) cond(n cc.ExpressionNode) (yes, no cfa.Ends) {
	n = source.Unparen(n)
	switch x := n.(type) {
	case *cc.LogicalAndExpression:
		a, f1 := l.cond(x.LogicalAndExpression)
		l.Continue(a)
		b, f2 := l.cond(x.InclusiveOrExpression)
		return b, append(f1, f2...)
	case *cc.LogicalOrExpression:
		t1, a := l.cond(x.LogicalOrExpression)
		l.Continue(a)
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
			l.Continue(b)
			t2, f2 := l.cond(x.ConditionalExpression)
			return append(a, t2...), f2
		}
		l.Continue(a)
		t1, f1 := l.cond(x.ExpressionList)
		l.Continue(b)
		t2, f2 := l.cond(x.ConditionalExpression)
		return append(t1, t2...), append(f1, f2...)
	case *cc.ExpressionList:
		for ; x.ExpressionList != nil; x = x.ExpressionList {
			l.discard(x.AssignmentExpression)
		}
		return l.cond(x.AssignmentExpression)
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionCall && source.CalleeName(x) == "__builtin_expect" && len(source.Arguments(x)) == 2 && l.fitsLong(source.Arguments(x)[0]) {
			return l.cond(source.Arguments(x)[0])
		}
	}
	c := l.truth(l.rvalue(n), n)
	if c == nil {
		l.Cut()
		return nil, nil
	}
	return l.Branch(c, source.Position(n.Position()))
}

// fitsLong reports whether an operand keeps its value as a long.
func (l *lowerer) fitsLong(n cc.ExpressionNode) bool {
	t := l.ctypeOf(n.Type())
	return l.prog.Model == cfa.LP64 || t.class == classInt && t.typ.Width <= 32
}
