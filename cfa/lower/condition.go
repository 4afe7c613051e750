package lower

// Conditions: && || ! and ?: are control flow where they are conditions, and
// terms where they are values without side effects.

import (
	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// cond evaluates an expression as a condition and gives the ends where it
// holds and where it does not. Branch conditions become atoms: && and || are
// control flow.
func (l *expressions) cond(n cc.ExpressionNode) (yes, no cfa.Ends) {
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
		if e := l.expected(x); e != nil {
			return l.cond(e)
		}
	}
	c := l.truth(l.rvalue(n), n)
	if c == nil {
		l.Cut()
		return nil, nil
	}
	return l.Branch(c, source.Position(n.Position()))
}

// expected is the condition in __builtin_expect(condition, constant), nil elsewhere: what is no constant is evaluated.
func (l *facts) expected(x *cc.PostfixExpression) cc.ExpressionNode {
	if x.Case != cc.PostfixExpressionCall || source.CalleeName(x) != "__builtin_expect" {
		return nil
	}
	args := source.Arguments(x)
	if len(args) != 2 || !l.fitsLong(args[0]) || args[1].Value() == cc.Unknown || !l.harmless(args[1]) {
		return nil
	}
	return args[0]
}

// pureCond is the condition of a pure expression as one term.
func (l *expressions) pureCond(n cc.ExpressionNode) *expr.Expr {
	n = source.Unparen(n)
	switch x := n.(type) {
	case *cc.LogicalAndExpression:
		return l.Pool.Land(l.pureCond(x.LogicalAndExpression), l.pureCond(x.InclusiveOrExpression))
	case *cc.LogicalOrExpression:
		return l.Pool.Lor(l.pureCond(x.LogicalOrExpression), l.pureCond(x.LogicalAndExpression))
	}
	return l.isTrue(l.rvalue(n).t)
}

// logical is a && b or a || b as a value.
func (l *expressions) logical(n cc.ExpressionNode) value {
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

// conditional is c ? a : b with a value.
func (l *expressions) conditional(x *cc.ConditionalExpression) value {
	t := l.resultType(x)
	if t.class == classVoid {
		l.discard(x)
		return value{ctype: ctVoid}
	}
	if t.class == classOpaque {
		l.discard(x)
		return value{t, nil, nil}
	}
	if l.pure(x) {
		c := l.truth(l.rvalue(x.LogicalOrExpression), x)
		a, b := l.convert(l.rvalue(source.Middle(x)), t, x), l.convert(l.rvalue(x.ConditionalExpression), t, x)
		return value{t, l.choose(c, a.t, b.t), nil}
	}
	if t.class == classAggregate {
		return l.conditionalAggregate(x)
	}
	if !t.termed() {
		return l.refuse(x, "?: of type "+x.Type().String(), "")
	}
	if c, ok := l.libraryConst(x.LogicalOrExpression); ok && l.threading.concurrent() && x.ExpressionList != nil {
		if c.t.IsConst() && c.t.Value() == 0 {
			return l.convert(l.rvalue(x.ConditionalExpression), t, x)
		}
		return l.convert(l.rvalue(x.ExpressionList), t, x)
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
		l.accesses.storeValue(to, v, x, pos)
	} else {
		yes, no = l.cond(x.LogicalOrExpression)
		l.Continue(yes)
		l.accesses.store(to, x.ExpressionList, source.Position(x.ExpressionList.Position()))
	}
	end := l.Ends()
	l.Continue(no)
	l.accesses.store(to, x.ConditionalExpression, source.Position(x.ConditionalExpression.Position()))
	l.Join(end)
	return value{t, to.v, nil}
}

// conditionalAggregate is c ? a : b for structures: a copy of either.
func (l *expressions) conditionalAggregate(x *cc.ConditionalExpression) value {
	pos := source.Position(x.Position())
	b := l.objects.tempObject("select", x.Type(), pos)
	p := l.accesses.objectLvalue(b, x.Type())
	yes, no := l.cond(x.LogicalOrExpression)
	l.Continue(yes)
	l.objects.copyTo(p, l.rvalue(source.Middle(x)), x, pos)
	end := l.Ends()
	l.Continue(no)
	l.objects.copyTo(p, l.rvalue(x.ConditionalExpression), x, pos)
	l.Join(end)
	return value{p.t, nil, &p}
}

// fitsLong reports whether an operand keeps its value as a long.
func (l *facts) fitsLong(n cc.ExpressionNode) bool {
	t := l.ctypeOf(n.Type())
	return l.prog.Model == cfa.LP64 || t.class == classInt && t.typ.Width <= 32
}
