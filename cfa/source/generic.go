package source

// _Generic on pointers (C11 6.5.1.1).
//
// The C library takes pointers for alike that are not, those to pointers and functions, and passes over what
// qualifies the pointee. So the association is chosen here, and counts where it is the one that the
// library chose, whose type the whole expression has. Qualifiers are read off the syntax: of a name of a type
// those before one star count.

import (
	"reflect"
	"slices"

	"modernc.org/cc/v4"
)

// Generic is the expression that a _Generic on a pointer stands for; nil where that is not known, or the
// library has chosen another.
func Generic(x *cc.GenericSelection) cc.ExpressionNode {
	t, ok := x.AssignmentExpression.Type().Decay().(*cc.PointerType)
	if !ok || !keepsQualifiers(x.AssignmentExpression) {
		return nil
	}
	return associated(x, func(n *cc.TypeName) (same, known bool) { return selects(t, n) })
}

// associated is the expression of the first association whose type is the operand's, else the default one; nil where
// that is not known, or the library has chosen another.
func associated(x *cc.GenericSelection, is func(*cc.TypeName) (same, known bool)) cc.ExpressionNode {
	var chosen *cc.GenericAssociation
	for list := x.GenericAssociationList; list != nil; list = list.GenericAssociationList {
		a := list.GenericAssociation
		if a.Case == cc.GenericAssociationDefault {
			if chosen == nil {
				chosen = a
			}
			continue
		}
		same, known := is(a.TypeName)
		if !known {
			return nil
		}
		if same {
			chosen = a
			break
		}
	}
	if chosen == nil || chosen != x.Associated() {
		return nil
	}
	return chosen.AssignmentExpression
}

// Misselected finds a _Generic on a pointer, in an expression, that [Generic] says nothing of; nil if
// there is none.
func Misselected(n cc.ExpressionNode) (found cc.Node) {
	Inspect(reflect.ValueOf(n), func(e any) bool {
		if x, ok := e.(*cc.PrimaryExpression); ok && x.Case == cc.PrimaryExpressionGeneric &&
			IsAddress(x.GenericSelection.AssignmentExpression) && Generic(x.GenericSelection) == nil {
			found = x
		}
		return found == nil
	})
	return found
}

// selects reports whether a pointer has the type of a name, which the library may not have looked at.
func selects(t *cc.PointerType, n *cc.TypeName) (same, known bool) {
	named := n.Type()
	if named == nil {
		return false, false
	}
	p, ok := named.(*cc.PointerType)
	if !ok {
		return false, true
	}
	if isQualified(t.Elem()) && t.Elem().Kind() == cc.Ptr {
		return false, false
	}
	q, known := pointeeQualifiers(n, p)
	if !known {
		return false, false
	}
	if q != qualifiers(t.Elem()) {
		return false, true
	}
	return sameType(t.Elem(), p.Elem())
}

// keepsQualifiers reports whether the library knows what qualifies that to which an expression points: of a part
// of something const it does not.
func keepsQualifiers(n cc.ExpressionNode) bool {
	n = Unparen(n)
	if d := Declarator(n); d != nil {
		return d.Type().Kind() != cc.Array || !isQualified(d.Type())
	}
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		return x.Case == cc.PrimaryExpressionString
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			return x.Type().Kind() == cc.Ptr && !IsArray(x)
		}
		return x.Case == cc.PostfixExpressionCall
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionAddrof && Declarator(x.CastExpression) != nil
	case *cc.AdditiveExpression:
		if IsAddress(x.AdditiveExpression) {
			return keepsQualifiers(x.AdditiveExpression)
		}
		return keepsQualifiers(x.MultiplicativeExpression)
	}
	return false
}

func isQualified(t cc.Type) bool { return qualifiers(t) != [2]bool{} }

// pointeeQualifiers are those of what the type of a name points to, which is a pointer with one star.
func pointeeQualifiers(n *cc.TypeName, p *cc.PointerType) (q [2]bool, known bool) {
	d := n.AbstractDeclarator
	written := slices.ContainsFunc(cc.NodeTokens(n), func(t cc.Token) bool {
		return reQualifier().MatchString(t.SrcStr())
	})
	if d == nil || d.Case != cc.AbstractDeclaratorPtr || d.Pointer == nil || d.Pointer.Pointer != nil ||
		d.Pointer.TypeQualifiers != nil {
		return qualifiers(p.Elem()), !written
	}
	q = qualifiers(p.Elem())
	for s := n.SpecifierQualifierList; s != nil; s = s.SpecifierQualifierList {
		if s.TypeQualifier != nil {
			q[0] = q[0] || s.TypeQualifier.Case == cc.TypeQualifierConst
			q[1] = q[1] || s.TypeQualifier.Case == cc.TypeQualifierVolatile
		}
	}
	return q, true
}
