package source

// Types that the C library gives to enumerations differently from GCC.
//
// The library types an enumerator by its enumeration and does not see the
// compatible integer type of an enumeration in _Generic. Arithmetic is typed by
// this package, but what typeof and _Generic choose is not, so both are refused
// where that would tell.

import (
	"context"
	"slices"
	"strings"

	"magus/cfa/source/reword"

	"modernc.org/cc/v4"
)

// hasWrittenType reports whether an enumeration has a type of its own (C23 6.7.3.3), which is that of its constants.
func hasWrittenType(e *cc.EnumSpecifier) bool {
	if e.EnumTypeSpecifier == nil {
		return false
	}
	s := e.EnumTypeSpecifier.SpecifierQualifierList
	return s == nil || s.TypeSpecifier == nil || !strings.HasPrefix(s.TypeSpecifier.Token.SrcStr(), reword.PackedPrefix)
}

// HasWrittenType reports whether the type of an enumerator is one that is written at its enumeration.
func (l *Layouts) HasWrittenType(e *cc.Enumerator) bool { return l.of[e] != nil }

// isBeyondLong reports whether the value of an enumerator is one of unsigned long only. The library gives its
// enumeration the type long, where GCC's is unsigned long.
func isBeyondLong(e *cc.Enumerator) bool {
	v, ok := e.Value().(cc.UInt64Value)
	return ok && v>>63 != 0
}

// mentionsBeyondLong reports whether such an enumerator stands in an expression.
func mentionsBeyondLong(n any) bool {
	found := false
	Inspect(n, func(x any) bool {
		if p, ok := x.(*cc.PrimaryExpression); ok {
			e, isEnumerator := p.ResolvedTo().(*cc.Enumerator)
			found = found || isEnumerator && isBeyondLong(e)
		}
		return !found
	})
	return found
}

// IsUnsignedLong reports whether the enumeration of an enumerator has the type unsigned long, although the library says
// long.
func (l *Layouts) IsUnsignedLong(e *cc.Enumerator) bool { return l.beyond[e] }

// IsUnsignedLong reports whether a type is that of such an enumeration.
func IsUnsignedLong(t cc.Type) bool {
	e, ok := t.(*cc.EnumType)
	if !ok || !slices.ContainsFunc(e.Enumerators(), isBeyondLong) {
		return false
	}
	k := e.UnderlyingType().Kind()
	return k == cc.Long || k == cc.LongLong
}

// mentionsEnumerator reports whether the type of an expression may come from an
// enumerator: one stands in it, other than under an operator that has its own
// type.
func mentionsEnumerator(n any) bool {
	found := false
	Inspect(n, func(x any) bool {
		if p, ok := x.(*cc.PrimaryExpression); ok {
			_, isEnumerator := p.ResolvedTo().(*cc.Enumerator)
			found = found || isEnumerator
		}
		return !found && !ownType(x)
	})
	return found
}

// mentionsMistyped reports whether the library may give arithmetic another type than GCC: an operand is a
// bit-field of an enumeration, which is promoted by its width, one wider than an int, about whose type
// compilers do not agree, or an enumeration of the type unsigned long; or it has floating point of several types.
func mentionsMistyped(n cc.ExpressionNode) bool {
	n = Unparen(n)
	if n == nil || n.Type() == nil || n.Type().Kind() == cc.Enum || !cc.IsArithmeticType(n.Type()) {
		return false
	}
	found := isMisreal(n)
	Inspect(n, func(x any) bool {
		if e, ok := x.(cc.ExpressionNode); ok && e.Type() != nil {
			found = found || IsUnsignedLong(e.Type())
		}
		if p, ok := x.(*cc.PostfixExpression); ok && IsBitfield(p) {
			width, _, _ := bitfieldOf(p)
			found = found || width > 32 || p.Type().Kind() == cc.Enum
		}
		return !found && !ownType(x)
	})
	return found
}

// SelectsByEnum reports whether a _Generic's operand has an enumeration type
// for the library.
func SelectsByEnum(n cc.ExpressionNode) bool {
	if list, ok := Unparen(n).(*cc.ExpressionList); ok && list.ExpressionList != nil {
		return SelectsByEnum(list.ExpressionList) // a comma has the type of what is behind it
	}
	return n.Type() != nil && n.Type().Kind() == cc.Enum || mentionsEnumerator(n)
}

// GenericByEnum is the expression that a _Generic on an enumeration stands for; nil where that is not known, or the
// library has chosen another.
func (l *Layouts) GenericByEnum(x *cc.GenericSelection) cc.ExpressionNode {
	t := l.enumerated(x.AssignmentExpression)
	if t == nil {
		return nil
	}
	return associated(x, func(n *cc.TypeName) (same, known bool) {
		return n.Type() != nil && compatibleEnums(t, n.Type()), n.Type() != nil
	})
}

// compatibleEnums reports whether two types are one, or an enumeration and the integer type that it has.
func compatibleEnums(a, b cc.Type) bool {
	e, ok := a.(*cc.EnumType)
	f, also := b.(*cc.EnumType)
	switch {
	case ok && also:
		return e == f || len(e.Enumerators()) > 0 && slices.Equal(e.Enumerators(), f.Enumerators())
	case ok:
		a = e.UnderlyingType()
	case also:
		b = f.UnderlyingType()
	}
	return a.Kind() == b.Kind()
}

// enumerated is the type of an expression that is an enumeration constant, or has the type of an enumeration; nil
// where that is not known.
func (l *Layouts) enumerated(n cc.ExpressionNode) cc.Type {
	switch x := Unparen(n).(type) {
	case *cc.PrimaryExpression:
		e, ok := x.ResolvedTo().(*cc.Enumerator)
		if !ok || x.Case != cc.PrimaryExpressionIdent {
			break
		}
		if l.of[e] != nil {
			return l.of[e]
		} else if v, ok := l.Enumerator(e); ok && v == int64(int32(v)) {
			return l.ints
		}
		return nil
	case *cc.PostfixExpression, *cc.UnaryExpression, *cc.CastExpression:
	default:
		return nil
	}
	if t := n.Type(); t.Kind() == cc.Enum && !mentionsEnumerator(n) && !IsUnsignedLong(t) {
		return t
	}
	return nil
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

// A walk over syntax looks at its context now and then. What is found behind the context's end is of no use.
type walk struct {
	ctx   context.Context
	nodes int
	err   error // the context's
}

// interrupted counts a node and reports whether the context has ended.
func (w *walk) interrupted() bool {
	if w.nodes++; w.nodes%1024 == 0 && w.err == nil {
		w.err = w.ctx.Err()
	}
	return w.err != nil
}

// Text is a node in C, in one line, as messages show it; of one that is large
// only that.
func Text(n cc.Node) string {
	const most = 1000 // nodes
	count := 0
	Inspect(n, func(any) bool { count++; return count <= most })
	if count > most {
		return "a large expression"
	}
	var b strings.Builder
	for i, t := range cc.NodeTokens(n) {
		if sep := t.Sep(); i > 0 && len(sep) > 0 && sep[0] != noSpace {
			b.WriteByte(' ')
		}
		b.Write(t.Src())
	}
	return asWritten(b.String())
}
