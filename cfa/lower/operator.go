package lower

// Lowering of binary operators.

import (
	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

func (l *expressions) binary(n cc.ExpressionNode, b *source.BinaryExpr) value {
	if (b.Op == source.OpAdd || b.Op == source.OpSub) && source.IsAddress(b.Left) != source.IsAddress(b.Right) {
		return l.pointerValue(n)
	}
	if v, ok := l.floatComparison(b); ok {
		return v
	}
	x := l.rvalue(b.Left)
	y := l.accesses.protect(&x, b.Left, b.Right)
	return l.apply(n, b.Op, x, y)
}

// apply is x op y, with the conversions of its operator.
func (l *expressions) apply(n cc.Node, op source.BinaryOp, x, y value) value {
	comparison := op >= source.OpEq
	switch {
	case x.class == classOpaque || y.class == classOpaque:
		if comparison {
			t := l.Any(bool1, "float", "floating point", source.Position(n.Position()))
			return value{ctInt, l.Pool.Cast(expr.Int32, t), nil}
		}
		return value{ctOpaque, nil, nil}
	case x.t == nil || y.t == nil:
		if !l.Dead() {
			return l.refuse(n, "the value of a void expression", "")
		}
		return value{}
	case x.class == classFloat || y.class == classFloat, x.class == classExtended || y.class == classExtended:
		return l.floatOperation(n, op, x, y)
	case x.class == classPtr || y.class == classPtr:
		if !comparison {
			return l.pointerArithmetic(n, op, x, y)
		}
		t := ctype{class: classPtr, typ: l.pointer}
		if x.class == y.class {
			l.relates(op, x.t, y.t, n)
		}
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
	l.signed(n, op, x.t, y.t)
	if op == source.OpDiv || op == source.OpRem {
		return value{x.ctype, l.divide(n, op, x.t, y.t), nil}
	}
	return value{x.ctype, l.arithmetic(op, x.t, y.t), nil}
}

// relates notes what an operator says of two pointers.
func (l *expressions) relates(op source.BinaryOp, x, y *expr.Expr, n cc.Node) {
	relation := memory.Order
	switch op {
	case source.OpEq, source.OpNe:
		relation = memory.Equal
	case source.OpSub:
		relation = memory.Distance
	}
	l.mem.Relates(relation, x, y, source.Position(n.Position()))
}

// compare is the truth of a comparison. It has the shape of arithmetic; as one switch, or as one table, they
// would mix terms that are true or false with terms of the operands' type.
func (l *terms) compare(op source.BinaryOp, x, y *expr.Expr) *expr.Expr {
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

// arithmetic is a value of the type that both operands have.
func (l *terms) arithmetic(op source.BinaryOp, x, y *expr.Expr) *expr.Expr {
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
func (l *terms) divide(n cc.Node, op source.BinaryOp, x, y *expr.Expr) *expr.Expr {
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
func (l *terms) unless(undefined *expr.Expr, name, source string, r *expr.Expr, pos cfa.Pos) *expr.Expr {
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
func (l *terms) shift(n cc.Node, op source.BinaryOp, x, y value) value {
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
func (l *expressions) pointerArithmetic(n cc.Node, op source.BinaryOp, x, y value) value {
	var size int64
	switch e := n.(type) {
	case *cc.AdditiveExpression:
		size = l.strideOf(source.Pointee(e.AdditiveExpression), n)
	case *cc.AssignmentExpression:
		size = l.strideOf(source.Pointee(e.UnaryExpression), n)
	}
	t := l.pointer
	signed := expr.Type{Width: t.Width, Signed: true}
	switch {
	case size <= 0 || op != source.OpAdd && op != source.OpSub:
	case x.class == classPtr && y.class == classPtr && op == source.OpSub:
		l.relates(op, x.t, y.t, n)
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

// strideOf is the size of what a pointer points to; negative if that is not
// known, which is refused.
func (l *terms) strideOf(to cc.Type, n cc.Node) int64 {
	if to == nil || !l.steppable(to, n) {
		return -1
	}
	return l.stepOver(to)
}
