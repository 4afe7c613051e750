package source

// Sizes and types of expressions that the C library takes for those of arrays.
//
// The library gives sizeof, typeof and _Generic the array or function that an
// expression was before it became an address: of a parameter declared as one,
// of a + 0, of (x, a). The size is worked out here; what the library has already
// made a type of, by typeof, by an array's length, is refused.

import (
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
// decayed, or, as a part of a type, sizeof of something decayed; a ?: between a pointer
// and a pointer to void whose type is asked for.
func (l *Layouts) Mistyped(n any) (found *cfa.UnsupportedError) {
	note := func(n cc.Node, what, hint string) { found = cfa.Unsupported(Position(n.Position()), what, hint) }
	inType := func(n cc.ExpressionNode) {
		if s := decayedSize(n); s != nil {
			note(s, "sizeof of an array that is an address here, as a part of a type", "write the size of a pointer")
		}
		if n != nil && mentionsBeyondLong(n) {
			note(n, "an enumeration constant beyond long, as a part of a type or of another constant", "write the number")
		}
		if g := Misselected(n); g != nil {
			note(g, "_Generic on a type that is not known, as a part of a type", "write the number")
		}
		if a := l.misaligned(n); a != nil {
			note(a, "the alignment of what may have another than its type, as a part of a type or of another constant", "write the number")
		}
		if c := l.miscomparison(n); c != nil {
			note(c, "__builtin_types_compatible_p of such types, as a part of a type", "")
		}
	}
	Inspect(n, func(x any) bool {
		switch x := x.(type) {
		case *cc.TypeSpecifier:
			switch {
			case x.Case != cc.TypeSpecifierTypeofExpr:
			case IsVariable(x.ExpressionList.Type()) && HasEffect(x.ExpressionList):
				note(x, "typeof of something that is evaluated, since its type has an array of variable length in it",
					"write the effect on its own")
			case mixedChoice(x.ExpressionList) != nil:
				note(x, "typeof of a ?: with a void pointer on one side", "write the type")
			case mentionsMistyped(x.ExpressionList):
				note(x, "typeof of what is computed from such an enumeration, bit-field or floating point", "write the type")
			case mentionsEnumerator(x.ExpressionList):
				note(x, "typeof of an enumerator", "write the type, or cast the operand to an integer type")
			case Decayed(x.ExpressionList):
				note(x, "typeof of an array that is an address here", "write the type")
			case isMisaddressed(x.ExpressionList):
				note(x, "typeof of the address of an array that is an element", "write the type")
			case Misselected(x.ExpressionList) != nil:
				note(x, "typeof of a _Generic on a type that is not known", "write the type")
			}
		case *cc.UnaryExpression:
			if c := mixedChoice(x.UnaryExpression); x.Case == cc.UnaryExpressionSizeofExpr && c != nil &&
				ChosenPointee(x.UnaryExpression) == nil {
				note(c, "sizeof of a ?: with a void pointer on one side", "")
			}
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionCall && CalleeName(x) == "__builtin_choose_expr" {
				if args := Arguments(x); len(args) > 0 && mixedChoice(args[0]) != nil {
					note(x, "__builtin_choose_expr by a ?: with a void pointer on one side", "")
				}
			}
		case *cc.Declaration:
			if x.Case == cc.DeclarationAuto && x.Initializer.AssignmentExpression != nil {
				if c := mixedChoice(x.Initializer.AssignmentExpression); c != nil {
					note(c, "the type of a ?: with a void pointer on one side", "write the type")
				}
				if isMisaddressed(x.Initializer.AssignmentExpression) {
					note(x.Initializer, "the type of the address of an array that is an element", "write the type")
				} else if mentionsMistyped(x.Initializer.AssignmentExpression) {
					note(x.Initializer, "the type of what is computed from such an enumeration, bit-field or floating point",
						"write the type")
				} else if mentionsEnumerator(x.Initializer.AssignmentExpression) {
					note(x.Initializer, "the type of an enumerator", "write the type")
				} else if g := Misselected(x.Initializer.AssignmentExpression); g != nil {
					note(g, "the type of a _Generic on a type that is not known", "write the type")
				}
			}
		case *cc.AdditiveExpression:
			if IsMixedChoice(x.AdditiveExpression) || IsMixedChoice(x.MultiplicativeExpression) {
				note(x, "a step from a ?: with a void pointer on one side", "cast it")
			}
		case *cc.GenericSelection:
			if c := mixedChoice(x.AssignmentExpression); c != nil && IsAddress(x.AssignmentExpression) {
				note(c, "_Generic on a ?: with a void pointer on one side", "")
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

// IsVariable reports whether a type, or one that it points to, is an array of variable length.
func IsVariable(t cc.Type) bool {
	for t != nil {
		switch x := t.Undecay().(type) {
		case *cc.PointerType:
			t = x.Elem()
		case *cc.ArrayType:
			if x.IsVLA() {
				return true
			}
			t = x.Elem()
		default:
			return false
		}
	}
	return false
}

// Lengths are the lengths of arrays that are written in parts of a text.
func Lengths(written ...cc.Node) map[cc.ExpressionNode]bool {
	all := map[cc.ExpressionNode]bool{}
	for _, n := range written {
		Inspect(n, func(x any) bool {
			switch x := x.(type) {
			case *cc.DirectDeclarator:
				all[x.AssignmentExpression] = true
			case *cc.DirectAbstractDeclarator:
				all[x.AssignmentExpression] = true
			}
			return true
		})
	}
	return all
}

// HasEffect reports whether an expression assigns to something, calls a function or has statements in it.
func HasEffect(n any) (found bool) {
	Inspect(n, func(n any) bool {
		switch x := n.(type) {
		case *cc.AssignmentExpression:
			found = found || x.Case != cc.AssignmentExpressionCond
		case *cc.UnaryExpression:
			found = found || x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec
		case *cc.PostfixExpression:
			found = found || x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec ||
				x.Case == cc.PostfixExpressionCall
		case *cc.PrimaryExpression:
			found = found || x.Case == cc.PrimaryExpressionStmt
		}
		return !found
	})
	return found
}

// ParameterLength is the length that is written for the array that a parameter is declared as; nil if there is none.
func ParameterLength(d *cc.Declarator) cc.ExpressionNode {
	if d == nil || d.DirectDeclarator == nil {
		return nil
	}
	for dd := d.DirectDeclarator; dd != nil && dd.DirectDeclarator != nil; dd = dd.DirectDeclarator {
		inner := dd.DirectDeclarator
		for inner.Case == cc.DirectDeclaratorDecl && inner.Declarator.Pointer == nil {
			inner = inner.Declarator.DirectDeclarator
		}
		if inner.Case == cc.DirectDeclaratorIdent {
			return dd.AssignmentExpression
		}
	}
	return nil
}

// choiceType is the type of a ?: with a pointer to void on one side only: that of the other side if this one is a null
// pointer constant, else a pointer to void (C11 6.5.15p6).
func choiceType(x *cc.ConditionalExpression) cc.Type {
	void, other := cc.ExpressionNode(x.ExpressionList), cc.ExpressionNode(x.ConditionalExpression)
	if !isVoidPointer(void.Type()) {
		void, other = other, void
	}
	if isNullPointer(void) {
		return other.Type()
	}
	return void.Type()
}

// isNullPointer reports whether an expression of the type void * is a null pointer constant (C11 6.3.2.3p3).
func isNullPointer(n cc.ExpressionNode) bool {
	c, ok := Unparen(n).(*cc.CastExpression)
	if !ok || c.Case != cc.CastExpressionCast || isQualified(c.Type().(*cc.PointerType).Elem()) {
		return false
	}
	v, ok := folded(c.CastExpression.Value())
	return ok && v == 0 && isIntegerConstant(c.CastExpression)
}

// isIntegerConstant reports whether an expression is an integer constant expression (C11 6.6p6), if it has a value.
func isIntegerConstant(n cc.ExpressionNode) bool {
	is := n.Type() != nil && cc.IsIntegerType(n.Type())
	WalkExpr(n, func(e cc.ExpressionNode) {
		switch x := Unparen(e).(type) {
		case *cc.PrimaryExpression:
			_, isEnumerator := x.ResolvedTo().(*cc.Enumerator)
			is = is && (isEnumerator || x.Case == cc.PrimaryExpressionInt || x.Case == cc.PrimaryExpressionChar ||
				x.Case == cc.PrimaryExpressionLChar)
		case *cc.UnaryExpression:
			switch x.Case {
			case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType:
				is = is && !IsVariable(SizedType(x))
			case cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType, cc.UnaryExpressionPlus, cc.UnaryExpressionMinus,
				cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
			default:
				is = false
			}
		case *cc.CastExpression:
			is = is && cc.IsIntegerType(x.Type())
		case *cc.AssignmentExpression, *cc.PostfixExpression, *cc.ExpressionList:
			is = false
		}
	})
	return is
}

// IsMixedChoice reports whether an expression is a ?: that the library gives another pointer type than C.
func IsMixedChoice(n cc.ExpressionNode) bool {
	c, ok := Unparen(n).(*cc.ConditionalExpression)
	return ok && mixedChoice(c) == cc.Node(c)
}

// ChosenPointee is what a ?: points to of which sizeof asks, sizeof *(c ? a : b), where the library has another type
// for it; nil elsewhere.
func ChosenPointee(n cc.ExpressionNode) cc.Type {
	u, ok := Unparen(n).(*cc.UnaryExpression)
	if !ok || u.Case != cc.UnaryExpressionDeref {
		return nil
	}
	c, ok := Unparen(u.CastExpression).(*cc.ConditionalExpression)
	if !ok || !IsMixedChoice(c) {
		return nil
	}
	p, _ := choiceType(c).(*cc.PointerType)
	if p == nil || mixedChoice(c.ExpressionList) != nil || mixedChoice(c.ConditionalExpression) != nil {
		return nil
	}
	return p.Elem()
}

// mixedChoice finds a ?: with a pointer to void on one side only whose type is not that of its first side, which the
// library takes, or nil.
func mixedChoice(n cc.ExpressionNode) (found cc.Node) {
	if n == nil {
		return nil
	}
	Inspect(n, func(e any) bool {
		x, ok := e.(*cc.ConditionalExpression)
		if !ok || x.Case != cc.ConditionalExpressionCond || x.ExpressionList == nil {
			return found == nil
		}
		a, b := x.ExpressionList.Type(), x.ConditionalExpression.Type()
		if a != nil && b != nil && a.Kind() == cc.Ptr && b.Kind() == cc.Ptr && isVoidPointer(a) != isVoidPointer(b) &&
			choiceType(x) != a {
			found = x
		}
		return found == nil
	})
	return found
}

func isVoidPointer(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	return ok && p.Elem().Kind() == cc.Void
}

// decayedSize finds a sizeof applied to something decayed, or nil.
func decayedSize(n cc.ExpressionNode) cc.Node {
	if n == nil {
		return nil
	}
	var found cc.Node
	Inspect(n, func(x any) bool {
		if u, ok := x.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionSizeofExpr &&
			(Decayed(u.UnaryExpression) || IsFunction(u.UnaryExpression)) {
			found = u
		}
		return found == nil
	})
	return found
}

// miscomparison finds a comparison of types that the library gets wrong, or nil.
func (l *Layouts) miscomparison(n cc.ExpressionNode) cc.Node {
	if n == nil {
		return nil
	}
	var found cc.Node
	Inspect(n, func(x any) bool {
		if c, ok := x.(*cc.PostfixExpression); ok && c.Case == cc.PostfixExpressionCall && l.miscompared(c) {
			found = c
		}
		return found == nil
	})
	return found
}
