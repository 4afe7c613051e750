package cfa

// C's conversions (C11 6.3), and what floating point becomes where it meets
// integers: any value.

import (
	"magus/internal/expr"

	"modernc.org/cc/v4"
)

func (l *lowerer) cast(x *cc.CastExpression) value {
	t := l.prog.model.ctypeOf(x.Type())
	if t.class == classVoid {
		l.discard(x.CastExpression)
		return value{ctype: ctVoid}
	}
	return l.convert(l.rvalue(x.CastExpression), t, x)
}

// convert is C's conversion of a value to a type (C11 6.3).
func (l *lowerer) convert(v value, t ctype, n cc.Node) value {
	switch {
	case t.class == classVoid, t.class == classFloat:
		return value{t, nil}
	case !t.scalar():
		if len(l.open) > 0 {
			return l.refuse(n, "a value of a type without a model", "")
		}
		return value{}
	case v.class == classFloat:
		return value{t, l.any(t.typ, "float", "floating point", position(n.Position()))}
	case v.t == nil:
		// Nothing to convert: void, or dead code.
		if len(l.open) > 0 {
			return l.refuse(n, "the value of a void expression", "")
		}
		return value{t, l.pool.Const(t.typ, 0)}
	case t.typ == bool1 && v.typ != bool1:
		return value{t, l.pool.FromBool(bool1, l.pool.Truth(v.t))}
	}
	return value{t, l.pool.Cast(t.typ, v.t)}
}

// promote is the integer promotion (C11 6.3.1.1).
func (l *lowerer) promote(v value, n cc.Node) value {
	if v.class != classInt || v.t == nil {
		return v
	}
	return l.convert(v, ctype{classInt, v.typ.Promote()}, n)
}

// truth is the value read as a condition; nil in dead code.
func (l *lowerer) truth(v value, n cc.Node) *expr.Expr {
	if v.class == classFloat {
		t := l.any(bool1, "float", "floating point", position(n.Position()))
		return l.pool.Truth(t)
	}
	if v.t == nil {
		if len(l.open) > 0 {
			l.refuse(n, "the value of a void expression", "")
		}
		return nil
	}
	return l.pool.Truth(v.t)
}
