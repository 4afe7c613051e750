package lower

// C's conversions (C11 6.3), and what floating point without a model becomes where it meets
// other numbers: any value.

import (
	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

func (l *expressions) cast(x *cc.CastExpression) value {
	t := l.ctypeOf(x.Type())
	l.objects.evaluateType(x)
	if t.class == classVoid {
		l.discard(x.CastExpression)
		return value{ctype: ctVoid}
	}
	if v, ok := l.libraryConst(x.CastExpression); ok && t.class == classPtr {
		return value{t, l.Pool.Cast(t.typ, v.t), nil}
	}
	if t.class == classAggregate && x.Type().Kind() == cc.Union {
		return l.unionOf(l.rvalue(x.CastExpression), x.CastExpression, x.Type())
	}
	return l.convert(l.rvalue(x.CastExpression), t, x)
}

// unionOf is a union whose first member of a value's type has that value: what GNU C makes of a cast to
// a union, and of an argument for a parameter that is a transparent one. Members of one class and width
// stand for each other, since they hold the same bits.
func (l *expressions) unionOf(v value, n cc.ExpressionNode, t cc.Type) value {
	if v.class == classAggregate && v.at != nil && source.SameType(n.Type(), t) {
		return v
	}
	for _, f := range source.Members(t) {
		m := l.ctypeOf(f.Type())
		fits := m.class == v.class && (m.class == classOpaque || m.termed() && m.typ == v.typ) && !f.IsBitfield()
		if m.class == classAggregate {
			fits = v.class == classAggregate && source.SameType(n.Type(), f.Type())
		}
		if !fits || l.Dead() {
			continue
		}
		pos := source.Position(n.Position())
		b := l.objects.tempObject("union", t, pos)
		l.statements.uninitialised(b, pos)
		at := l.prog.Layouts.Offset(f)
		l.accesses.write(l.typed(lvalue{Address: memory.Address{Base: l.mem.AddressIn(b, 0), Off: at / 8}},
			f.Type()), v, n, pos)
		p := l.accesses.objectLvalue(b, t)
		return value{l.ctypeOf(t), nil, &p}
	}
	if l.Dead() {
		return value{ctype: l.ctypeOf(t)}
	}
	return l.refuse(n, source.Text(n)+" as a value of "+t.String(), "no member has its type")
}

// passed is an argument as a parameter takes it.
func (l *expressions) passed(v value, n cc.ExpressionNode, t cc.Type) value {
	to := l.ctypeOf(t)
	switch {
	case to.class == classAggregate && t.Kind() == cc.Union && source.IsTransparent(t):
		if v.class == classInt && v.t != nil && v.t.IsConst() { // a null pointer
			v = l.convert(v, ctype{class: classPtr, typ: l.pointer}, n)
		}
		return l.unionOf(v, n, t)
	case v.class == classAggregate:
		return v
	}
	if k := t.Kind(); (k == cc.Int128 || k == cc.UInt128) && !l.Dead() {
		return l.refuse(n, "a value of type "+t.String(), "")
	}
	return l.convert(v, to, n)
}

// unmodelled names the type that a node has or converts to, if that is the one without a model.
func unmodelled(n cc.Node) string {
	if e, ok := n.(cc.ExpressionNode); ok && e.Type() != nil {
		switch e.Type().Kind() {
		case cc.Int128, cc.UInt128:
			return "type " + e.Type().String()
		}
	}
	return "a type without a model"
}

// convert is C's conversion of a value to a type (C11 6.3).
func (l *expressions) convert(v value, t ctype, n cc.Node) value {
	switch {
	case t.class == classVoid, t.class == classOpaque:
		return value{t, nil, nil}
	case t.class == classExtended:
		return l.toExtended(v, t, n)
	case !t.scalar():
		if !l.Dead() {
			return l.refuse(n, "a value of "+unmodelled(n), "")
		}
		return value{}
	case v.class == classOpaque:
		if v, ok := l.floatConstant(v.constant, t); ok {
			return v
		}
		if v, ok := l.nearestConstant(v.constant, t); ok {
			return v
		}
		return value{t, l.Any(t.typ, "float", "floating point", source.Position(n.Position())), nil}
	case v.at != nil:
		return l.refuse(n, "a structure where a number is expected", "")
	case v.t == nil:
		// Nothing to convert: void, or dead code.
		if !l.Dead() {
			return l.refuse(n, "the value of a void expression", "")
		}
		return value{t, l.Pool.Const(t.typ, 0), nil}
	case v.class == classExtended:
		return l.fromExtended(v, t, n)
	case v.class == classFloat || t.class == classFloat:
		return l.convertFloat(v, t, n)
	case t.typ == bool1 && !t.cut && v.typ != bool1:
		return value{t, l.Pool.FromBool(bool1, l.Pool.Truth(v.t)), nil}
	case v.class == classInt && t.class == classPtr && !v.t.IsConst():
		// A number may be any address: what it points to is not known.
		p := l.Temp("pointer", t.typ, source.Position(n.Position()))
		l.mem.MarkNumber(p)
		l.Assign(p, l.Pool.Cast(t.typ, v.t), source.Position(n.Position()))
		return value{t, p, nil}
	case v.class == classPtr && t.class == classInt && l.mem.Exposes(v.t):
		l.Assume(cfa.AboutLayout, source.Position(n.Position()),
			"an address is used as a number: one layout of memory is looked at")
	}
	return value{t, l.Pool.Cast(t.typ, v.t), nil}
}

// fromInteger reports whether a cast makes a pointer of a number that is not
// constant.
func (l *terms) fromInteger(x *cc.CastExpression) bool {
	if x.Type().Kind() != cc.Ptr || l.ctypeOf(x.CastExpression.Type()).class != classInt {
		return false
	}
	_, ok := l.libraryConst(x.CastExpression)
	return !ok
}

// promote is the integer promotion (C11 6.3.1.1).
func (l *expressions) promote(v value, n cc.Node) value {
	if v.class != classInt || v.t == nil {
		return v
	}
	return l.convert(v, ctype{class: classInt, typ: v.typ.Promote()}, n)
}

// promoteArgument is the default argument promotion (C11 6.5.2.2p6).
func (l *expressions) promoteArgument(v value, n cc.ExpressionNode) value {
	v = l.inItsType(v, n)
	if v.class == classFloat && v.typ == expr.Float32 { // _Float16 is not promoted
		return l.convert(v, ctype{class: classFloat, typ: expr.Float64}, n)
	}
	return l.promote(v, n)
}

// inItsType is a value that was computed with more precision than its type has, rounded to that.
func (l *expressions) inItsType(v value, n cc.ExpressionNode) value {
	t := l.ctypeOf(source.RealType(n).Decay())
	if t.class == classFloat && v.t != nil && v.ctype != t && (l.prog.Evaluation != 0 || t.typ == expr.Float16) {
		return l.convert(v, t, n)
	}
	return v
}

// mayHoldAddress reports whether the bits of a type are as many as those of an address, and no floating-point
// number.
func (l *facts) mayHoldAddress(t ctype) bool {
	return t.class != classFloat && t.typ.Width == l.pointer.Width
}

// truth is the value read as a condition; nil in dead code.
func (l *terms) truth(v value, n cc.Node) *expr.Expr {
	if v.class == classOpaque {
		if v.constant != nil {
			return l.Pool.Bool(v.constant.Sign() != 0)
		}
		t := l.Any(bool1, "float", "floating point", source.Position(n.Position()))
		return l.Pool.Truth(t)
	}
	if v.t == nil {
		if !l.Dead() {
			l.refuse(n, "the value of a void expression", "")
		}
		return nil
	}
	return l.isTrue(v.t)
}
