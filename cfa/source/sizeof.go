package source

// Sizes and types of expressions that the C library takes for those of arrays.
//
// The library gives sizeof, typeof and _Generic the array or function that an
// expression was before it became an address: of a parameter declared as one,
// of a + 0, of (x, a). The size is worked out here; what the library has already
// made a type of, by typeof, by an array's length, is refused.

import (
	"reflect"

	"magus/cfa"

	"modernc.org/cc/v4"
)

// Decayed reports whether an expression is an address that the library still
// takes for an array or a function.
func Decayed(n cc.ExpressionNode) bool {
	n = Unparen(n)
	t := n.Type()
	if t == nil {
		return false
	}
	switch t.Undecay().Kind() {
	case cc.Array:
		return !IsArray(n)
	case cc.Function:
		return !IsFunction(n)
	}
	return false
}

// IsFunction reports whether an expression designates a function.
func IsFunction(n cc.ExpressionNode) bool {
	switch x := Unparen(n).(type) {
	case *cc.PrimaryExpression:
		d := Declarator(x)
		return d != nil && d.Type().Kind() == cc.Function
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionDeref && x.Type().Undecay().Kind() == cc.Function
	}
	return false
}

// Mistyped finds something in a syntax tree that the library has made another
// type of than C does, or nil: a typeof whose operand is an enumerator or has
// decayed, or, as a part of a type, sizeof of something decayed.
func Mistyped(n any) (found *cfa.UnsupportedError) {
	note := func(n cc.Node, what, hint string) { found = cfa.Unsupported(Position(n.Position()), what, hint) }
	inType := func(n cc.ExpressionNode) {
		if s := decayedSize(n); s != nil {
			note(s, "sizeof of an array that is an address here, as a part of a type", "write the size of a pointer")
		}
		if g := Misselected(n); g != nil {
			note(g, "_Generic on a pointer of this type, as a part of a type", "write the number")
		}
		if c := miscomparison(n); c != nil {
			note(c, "__builtin_types_compatible_p of such types, as a part of a type", "")
		}
	}
	Inspect(reflect.ValueOf(n), func(x any) bool {
		switch x := x.(type) {
		case *cc.TypeSpecifier:
			switch {
			case x.Case != cc.TypeSpecifierTypeofExpr:
			case mentionsEnumerator(x.ExpressionList):
				note(x, "typeof of an enumerator", "write the type, or cast the operand to an integer type")
			case Decayed(x.ExpressionList):
				note(x, "typeof of an array that is an address here", "write the type")
			case Misselected(x.ExpressionList) != nil:
				note(x, "typeof of a _Generic on a pointer of this type", "write the type")
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
	Inspect(reflect.ValueOf(n), func(x any) bool {
		if u, ok := x.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionSizeofExpr && (Decayed(u.UnaryExpression) || IsFunction(u.UnaryExpression)) {
			found = u
		}
		return found == nil
	})
	return found
}

// miscomparison finds a comparison of types that the library gets wrong, or nil.
func miscomparison(n cc.ExpressionNode) cc.Node {
	if n == nil {
		return nil
	}
	var found cc.Node
	Inspect(reflect.ValueOf(n), func(x any) bool {
		if c, ok := x.(*cc.PostfixExpression); ok && c.Case == cc.PostfixExpressionCall && miscompared(c) {
			found = c
		}
		return found == nil
	})
	return found
}
