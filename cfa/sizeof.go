package cfa

// Sizes and types of expressions that the C library takes for those of arrays.
//
// The library gives sizeof, typeof and _Generic the array or function that an
// expression was before it became an address: of a parameter declared as one,
// of a + 0, of (x, a). The size is worked out here; what the library has already
// made a type of, by typeof, by an array's length, is refused.

import (
	"math/bits"
	"reflect"

	"modernc.org/cc/v4"
)

// decayed reports whether an expression is an address that the library still
// takes for an array or a function.
func decayed(n cc.ExpressionNode) bool {
	n = unparen(n)
	t := n.Type()
	if t == nil {
		return false
	}
	switch t.Undecay().Kind() {
	case cc.Array:
		return !isArray(n)
	case cc.Function:
		return !isFunction(n)
	}
	return false
}

// isFunction reports whether an expression designates a function.
func isFunction(n cc.ExpressionNode) bool {
	switch x := unparen(n).(type) {
	case *cc.PrimaryExpression:
		d := declarator(x)
		return d != nil && d.Type().Kind() == cc.Function
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionDeref && x.Type().Undecay().Kind() == cc.Function
	}
	return false
}

// sizeof is the value of sizeof applied to an expression.
func (l *lowerer) sizeof(x *cc.UnaryExpression) value {
	n := unparen(x.UnaryExpression)
	t := l.prog.model.ctypeOf(x.Type())
	size := n.Type().Undecay().Size()
	s := l.staticType(n)
	switch {
	case isArray(n):
		a, ok := n.Type().Undecay().(*cc.ArrayType)
		if c, literal := n.(*cc.PostfixExpression); literal && c.Case == cc.PostfixExpressionComplit && l.misread(c) {
			ok = false
		}
		if !ok || a.IsVLA() || a.Size() < 0 {
			return l.refuse(x, "expression "+source(x), "")
		}
		size = a.Size()
	case isFunction(n):
		size = 1 // GCC's
	case decayed(n):
		size = int64(l.prog.model.ptrType().Width) / 8
	case s.class == classInt:
		// Of a bit-field, the integer type that has room for it.
		size = 1
		if s.typ.Width > 8 {
			size = 1 << (bits.Len8(s.typ.Width-1) - 3)
		}
	}
	if size < 0 {
		return l.refuse(x, "expression "+source(x), "")
	}
	return value{t, l.pool.Const(t.typ, uint64(size)), nil}
}

// mistyped finds something in a syntax tree that the library has made another
// type of than C does, or nil: a typeof whose operand is an enumerator or has
// decayed, or, as a part of a type, sizeof of something decayed.
func mistyped(n any) (found *UnsupportedError) {
	note := func(n cc.Node, what, hint string) { found = &UnsupportedError{position(n.Position()), what, hint} }
	inType := func(n cc.ExpressionNode) {
		if s := decayedSize(n); s != nil {
			note(s, "sizeof of an array that is an address here, as a part of a type", "write the size of a pointer")
		}
	}
	inspect(reflect.ValueOf(n), func(x any) bool {
		switch x := x.(type) {
		case *cc.TypeSpecifier:
			switch {
			case x.Case != cc.TypeSpecifierTypeofExpr:
			case mentionsEnumerator(x.ExpressionList):
				note(x, "typeof of an enumerator", "write the type, or cast the operand to an integer type")
			case decayed(x.ExpressionList):
				note(x, "typeof of an array that is an address here", "write the type")
			}
		case *cc.DirectDeclarator:
			inType(x.AssignmentExpression)
		case *cc.StructDeclarator:
			inType(x.ConstantExpression)
		case *cc.Enumerator:
			inType(x.ConstantExpression)
		}
		return found == nil
	})
	return found
}

// decayedSize finds a sizeof applied to something decayed, or nil.
func decayedSize(n cc.ExpressionNode) cc.Node {
	if n == nil {
		return nil
	}
	var found cc.Node
	inspect(reflect.ValueOf(n), func(x any) bool {
		if u, ok := x.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionSizeofExpr && (decayed(u.UnaryExpression) || isFunction(u.UnaryExpression)) {
			found = u
		}
		return found == nil
	})
	return found
}
