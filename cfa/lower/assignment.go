package lower

// Assignments, and ++ and --.

import (
	"magus/cfa"
	"magus/cfa/source"

	"modernc.org/cc/v4"
)

// assignment is lhs = e or lhs op= e; its value is that of lhs afterwards, if
// it is wanted.
func (l *accesses) assignment(x *cc.AssignmentExpression, want bool) value {
	if x.Case == cc.AssignmentExpressionCond {
		return l.expressions.rvalue(x.ConditionalExpression)
	}
	pos := source.Position(x.Position())
	p := l.lvalue(x.UnaryExpression)
	l.noAtomicCopy(x.UnaryExpression)
	if x.Case != cc.AssignmentExpressionAssign && l.isAtomic(x.UnaryExpression) {
		return l.assignAtomic(x, p, pos)
	}
	if x.Case != cc.AssignmentExpressionAssign {
		old := l.read(p, x.UnaryExpression)
		keep := l.holdAddress(p, x, x.AssignmentExpression)
		by := l.protect(&old, x.UnaryExpression, x.AssignmentExpression)
		l.settleAddress(&p, keep)
		op := source.OpMul + source.BinaryOp(x.Case-cc.AssignmentExpressionMul)
		return l.assigned(p, l.expressions.apply(x, op, old, by), x, pos, want)
	}
	if l.isAtomic(x.UnaryExpression) {
		return l.assignAtomic(x, p, pos)
	}
	if p.v != nil && (l.threading.private(p) || !want) {
		l.store(target{p.v, p.t}, x.AssignmentExpression, pos)
		return value{p.t, p.v, nil}
	}
	if c, ok := l.direct(p); ok && !l.watchesMembers() && (l.threading.private(p) || !want) &&
		!c.Object.Const() && p.t.scalar() &&
		p.t.cell() == c.Scalar() && len(l.neighbours(p)) == 0 {
		v := l.mem.Var(c)
		l.store(target{v, p.t}, x.AssignmentExpression, pos)
		return value{p.t, v, nil}
	}
	keep := l.holdAddress(p, x, x.AssignmentExpression)
	v := l.expressions.rvalue(x.AssignmentExpression)
	l.settleAddress(&p, keep)
	return l.assigned(p, v, x.AssignmentExpression, pos, want)
}

// assignAtomic is lhs = e or lhs op= e where lhs is _Atomic: e first, and the rest in one piece.
func (l *accesses) assignAtomic(x *cc.AssignmentExpression, p lvalue, pos cfa.Pos) value {
	keep := l.holdAddress(p, x, x.AssignmentExpression)
	by := l.expressions.rvalue(x.AssignmentExpression)
	l.settleAddress(&p, keep)
	if x.Case == cc.AssignmentExpressionAssign { // a store, and a fence
		l.threading.access(true, pos)
		v := l.assigned(p, by, x.AssignmentExpression, pos, true)
		l.threading.access(false, pos)
		l.threading.section(true, pos)
		l.threading.section(false, pos)
		return v
	}
	l.threading.section(true, pos)
	op := source.OpMul + source.BinaryOp(x.Case-cc.AssignmentExpressionMul)
	by = l.expressions.apply(x, op, l.read(p, x.UnaryExpression), by)
	v := l.assigned(p, by, x.AssignmentExpression, pos, true)
	l.threading.section(false, pos)
	return v
}

// store assigns an expression to a variable. A call's result goes there
// directly.
func (l *accesses) store(to target, n cc.ExpressionNode, pos cfa.Pos) {
	if call, ok := source.Unparen(n).(*cc.PostfixExpression); ok && call.Case == cc.PostfixExpressionCall {
		r := l.calls.call(call, &to, true)
		if r.t != to.v {
			l.storeValue(to, r, n, pos)
		}
		return
	}
	l.storeValue(to, l.expressions.rvalue(n), n, pos)
}

// storeValue assigns a value, converted, to a variable.
func (l *accesses) storeValue(to target, v value, n cc.Node, pos cfa.Pos) {
	if v.class == classOpaque && v.constant == nil && to.t.class != classExtended {
		l.Emit(cfa.Assign{LHS: to.v, Nondet: "float", Approx: "floating point"}, pos)
		return
	}
	if r := l.expressions.convert(v, to.t, n); r.t != nil && !l.Dead() {
		l.Assign(to.v, r.t, pos)
	}
}

// assigned stores a value in an lvalue and gives the value of the assignment.
func (l *accesses) assigned(p lvalue, v value, n cc.Node, pos cfa.Pos, want bool) value {
	told := l.observing.assigns(p, v, n, pos)
	from := cfa.Loc(l.Len())
	v = l.stored(p, v, n, pos, want)
	if p.v == nil {
		l.observing.wrote(from, &p, told, pos)
	}
	return v
}

// stored is assigned without what a rule says of it.
func (l *accesses) stored(p lvalue, v value, n cc.Node, pos cfa.Pos, want bool) value {
	if p.v != nil && l.threading.private(p) || !want || !p.t.termed() {
		l.write(p, v, n, pos)
		if p.v != nil {
			return value{p.t, p.v, nil}
		}
		if p.t.class == classAggregate {
			return value{p.t, nil, &p}
		}
		return value{p.t, nil, nil}
	}
	if c, ok := l.direct(p); ok && l.threading.private(p) && !c.Object.Const() {
		l.write(p, v, n, pos)
		return l.readAs(p, l.mem.Var(c), pos)
	}
	if v = l.expressions.convert(v, p.t, n); v.t != nil && !v.t.IsConst() {
		tmp := l.Temp("stored", p.t.typ, pos)
		l.mem.MarkPointer(tmp, p.t.class == classPtr)
		l.Assign(tmp, v.t, pos)
		v.t = tmp
	}
	l.write(p, v, n, pos)
	return v
}

// postIncrement is x++ or x-- where the old value is used.
func (l *accesses) postIncrement(x *cc.PostfixExpression) value {
	p := l.lvalue(x.PostfixExpression)
	defer l.threading.inOnePiece(x.PostfixExpression)()
	old := l.read(p, x.PostfixExpression)
	if old.t == nil {
		return old
	}
	name := tempName(x.PostfixExpression)
	if p.d != nil {
		name = p.d.Name()
	}
	tmp := l.Temp(name, old.typ, source.Position(x.Position()))
	l.mem.MarkPointer(tmp, old.class == classPtr)
	l.Assign(tmp, old.t, source.Position(x.Position()))
	l.step(x, p, x.PostfixExpression, old, x.Case == cc.PostfixExpressionInc)
	return value{old.ctype, tmp, nil}
}

// increment is ++x or --x; its value is the new one.
func (l *accesses) increment(n cc.Node, operand cc.ExpressionNode, up bool) value {
	p := l.lvalue(operand)
	defer l.threading.inOnePiece(operand)()
	return l.step(n, p, operand, l.read(p, operand), up)
}

// step stores the value after old in an lvalue.
func (l *accesses) step(n cc.Node, p lvalue, operand cc.ExpressionNode, old value, up bool) value {
	if old.t == nil {
		return value{p.t, nil, nil}
	}
	var sum value
	if p.t.class == classPtr {
		stride := l.stride(p.typ)
		if t, ok := p.typ.(*cc.PointerType); ok && !l.steppable(t.Elem(), n) {
			return value{}
		}
		one := int64(1)
		if !up {
			one = -1
		}
		sum = value{old.ctype, l.Pool.Add(old.t, l.Pool.Int(old.typ, one*stride)), nil}
	} else {
		if p.t.class == classFloat || p.t.class == classExtended {
			return l.assigned(p, l.expressions.stepFloat(n, old, up), operand, source.Position(n.Position()), true)
		}
		wide := p.t.typ.Promote()
		one := l.Pool.Const(wide, 1)
		if !up {
			one = l.Pool.Neg(one)
		}
		from := l.Pool.Cast(wide, old.t)
		l.signed(n, source.OpAdd, from, one)
		sum = value{ctype{class: classInt, typ: wide}, l.Pool.Add(from, one), nil}
	}
	return l.assigned(p, sum, operand, source.Position(n.Position()), true)
}
