package source

// Types of expressions with their qualifiers: see fulltype.go.

import (
	"strconv"

	"modernc.org/cc/v4"
)

// of is the type of an expression, as an lvalue, array or function has it.
func (s *fullTypes) of(n cc.ExpressionNode) *fullType {
	n = Unparen(n)
	if n == nil || n.Type() == nil || s.depth > 200 {
		return nil
	}
	s.depth++
	defer func() { s.depth-- }()
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		return s.primary(x)
	case *cc.PostfixExpression:
		return s.postfix(x)
	case *cc.UnaryExpression:
		return s.unary(x)
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast {
			return s.named(x.TypeName).value()
		}
	case *cc.AdditiveExpression:
		if p := s.sum(x); p != nil {
			return p
		}
	case *cc.ConditionalExpression:
		return s.choice(x)
	case *cc.AssignmentExpression:
		if x.Case != cc.AssignmentExpressionCond {
			return s.of(x.UnaryExpression).value()
		}
	case *cc.ExpressionList:
		for x.ExpressionList != nil {
			x = x.ExpressionList
		}
		return s.of(x.AssignmentExpression).value()
	}
	return s.arithmetic(n)
}

func (s *fullTypes) primary(x *cc.PrimaryExpression) *fullType {
	switch x.Case {
	case cc.PrimaryExpressionIdent:
		if d := Declarator(x); d != nil {
			return s.declared(d)
		}
		return nil
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		if a, ok := x.Type().Undecay().(*cc.ArrayType); ok && cc.IsIntegerType(a.Elem()) && a.Elem().Kind() != cc.Enum {
			return &fullType{kind: ofArray, to: numberType(a.Elem().Kind()), len: a.Len()}
		}
		return nil
	case cc.PrimaryExpressionStmt:
		if last := blockValue(x.CompoundStatement); last != nil {
			return s.of(last).value()
		}
		return nil
	case cc.PrimaryExpressionGeneric:
		if a := x.GenericSelection.Associated(); a != nil && !IsAddress(x.GenericSelection.AssignmentExpression) {
			return s.of(a.AssignmentExpression).value()
		}
		return nil
	}
	return s.asTheLibrary(x)
}

// pointee is the type of what an expression points to.
func (s *fullTypes) pointee(n cc.ExpressionNode) *fullType {
	if p := s.of(n).value(); p != nil && p.kind == ofPointer {
		return p.to
	}
	return nil
}

func (s *fullTypes) postfix(x *cc.PostfixExpression) *fullType {
	switch x.Case {
	case cc.PostfixExpressionIndex:
		if to := s.pointee(x.PostfixExpression); to != nil {
			return to
		}
		return s.pointee(x.ExpressionList)
	case cc.PostfixExpressionCall:
		if f := s.pointee(x.PostfixExpression); f != nil && f.kind == ofFunction {
			return f.to.value()
		}
	case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		of := s.of(x.PostfixExpression)
		if x.Case == cc.PostfixExpressionPSelect {
			of = s.pointee(x.PostfixExpression)
		}
		if f := x.Field(); of != nil && f != nil && f.Declarator() != nil && !IsBitfield(x) {
			return s.declared(f.Declarator()).with(of.qualified)
		}
		return nil
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return s.of(x.PostfixExpression).value()
	case cc.PostfixExpressionComplit:
		return s.named(x.TypeName)
	}
	return s.arithmetic(x)
}

func (s *fullTypes) unary(x *cc.UnaryExpression) *fullType {
	switch x.Case {
	case cc.UnaryExpressionAddrof:
		return pointerTo(s.of(x.CastExpression))
	case cc.UnaryExpressionDeref:
		return s.pointee(x.CastExpression)
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return s.of(x.UnaryExpression).value()
	}
	return s.arithmetic(x)
}

// sum is the type of a pointer and a number that are added; nil for others.
func (s *fullTypes) sum(x *cc.AdditiveExpression) *fullType {
	switch {
	case x.Case == cc.AdditiveExpressionMul:
	case IsAddress(x.AdditiveExpression) && !IsAddress(x.MultiplicativeExpression):
		return s.of(x.AdditiveExpression).value()
	case IsAddress(x.MultiplicativeExpression) && !IsAddress(x.AdditiveExpression):
		return s.of(x.MultiplicativeExpression).value()
	}
	return nil
}

// choice is the type of a ?: (C11 6.5.15p3, p6).
func (s *fullTypes) choice(x *cc.ConditionalExpression) *fullType {
	if x.Case != cc.ConditionalExpressionCond {
		return nil
	}
	first := firstSide(x)
	a, b := s.of(first).value(), s.of(x.ConditionalExpression).value()
	aNull, bNull := isNullConstant(first), isNullConstant(x.ConditionalExpression)
	if number := s.usual(s.promotedOf(first, a), s.promotedOf(x.ConditionalExpression, b)); number != nil {
		return number
	}
	switch {
	case a == nil || b == nil || a.isNumber() && b.isNumber():
		return nil
	case b.kind == ofPointer && aNull:
		return b
	case a.kind == ofPointer && bNull:
		return a
	case a.kind == ofPointer && b.kind == ofPointer:
		return commonPointer(a, b)
	}
	if same, known := a.same(b, true); same && known {
		return a
	}
	return nil
}

// commonPointer is the type of a ?: between two pointers.
func commonPointer(a, b *fullType) *fullType {
	isVoid := func(p *fullType) bool { return p.to.kind == ofNumber && p.to.number == cc.Void }
	if isVoid(b) {
		a, b = b, a
	}
	if same, known := a.to.same(b.to, true); !isVoid(a) && (!same || !known) {
		return nil
	}
	if a.to.qualified[atomic] != b.to.qualified[atomic] {
		return nil
	}
	return pointerTo(a.to.with(b.to.qualified))
}

// isNullConstant reports whether an expression is a null pointer constant.
func isNullConstant(n cc.ExpressionNode) bool {
	n = Unparen(n)
	if isVoidPointer(n.Type()) {
		return isNullPointer(n)
	}
	v, ok := folded(n.Value())
	return ok && v == 0 && isIntegerConstant(n)
}

// plainWord is a keyword without the underscores of GNU C.
func plainWord(w string) string {
	switch w {
	case "__signed", "__signed__":
		return "signed"
	}
	return w
}

// decimal is a number in digits, notKnown for others.
func decimal(text string) int64 {
	if v, err := strconv.ParseInt(text, 0, 64); err == nil {
		return v
	}
	return notKnown
}
