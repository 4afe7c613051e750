package cfa

// Types that the C library gives to enumerations differently from GCC.
//
// The library types an enumerator by its enumeration and does not see the
// compatible integer type of an enumeration in _Generic. Arithmetic is typed by
// this package, but what typeof and _Generic choose is not, so both are refused
// where that would tell.

import (
	"reflect"

	"modernc.org/cc/v4"
)

// mentionsEnumerator reports whether the type of an expression may come from an
// enumerator: one stands in it, other than under an operator that has its own
// type.
func mentionsEnumerator(n any) bool {
	found := false
	inspect(reflect.ValueOf(n), func(x any) bool {
		if p, ok := x.(*cc.PrimaryExpression); ok {
			_, isEnumerator := p.ResolvedTo().(*cc.Enumerator)
			found = found || isEnumerator
		}
		return !found && !ownType(x)
	})
	return found
}

// selectsByEnum reports whether a _Generic's operand has an enumeration type
// for the library.
func selectsByEnum(n cc.ExpressionNode) bool {
	return n.Type() != nil && n.Type().Kind() == cc.Enum || mentionsEnumerator(n)
}

// ownType reports whether an expression's type does not depend on that of its
// operands.
func ownType(n any) bool {
	switch x := n.(type) {
	case *cc.CastExpression:
		return x.Case == cc.CastExpressionCast
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionNot, cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType:
			return true
		}
	case *cc.PostfixExpression:
		return x.Case == cc.PostfixExpressionCall
	case *cc.RelationalExpression, *cc.EqualityExpression, *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		return true
	}
	return false
}

// typeofEnum finds a typeof whose operand mentions an enumerator, or nil.
func typeofEnum(def *cc.FunctionDefinition) cc.Node {
	var found cc.Node
	inspect(reflect.ValueOf(def), func(x any) bool {
		if t, ok := x.(*cc.TypeSpecifier); ok && t.Case == cc.TypeSpecifierTypeofExpr && mentionsEnumerator(t.ExpressionList) {
			found = t
		}
		return found == nil
	})
	return found
}

// inspect calls f for the nodes of a syntax tree, parents first, and goes below
// those for which f returns true. A tree's nodes are pointers in exported
// fields.
func inspect(v reflect.Value, f func(node any) bool) {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return
	}
	if _, ok := v.Interface().(cc.Node); !ok || !f(v.Interface()) {
		return
	}
	s := v.Elem()
	for i := range s.NumField() {
		field := s.Type().Field(i)
		if !field.IsExported() || field.Anonymous || field.Type.Kind() != reflect.Pointer && field.Type.Kind() != reflect.Interface {
			continue
		}
		inspect(s.Field(i), f)
	}
}
