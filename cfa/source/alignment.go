package source

// Alignments of expressions (GNU C; C has those of types only).
//
// Idea: GCC's __alignof__ of a named object, or of a member, is that of its declaration, which may
// ask for more than its type; that of any other expression is its type's.
//
// Deviations: nothing is said of functions, which each machine aligns otherwise, of members of
// packed records, of an object that several declarations align, and of what a cast points to.
//
// Cost: linear in the text.

import "modernc.org/cc/v4"

// ownAlignments are the objects whose declarations ask for an alignment.
type ownAlignments struct {
	of    map[*cc.Declarator]int64
	named map[string]int // how many declarations of a name ask for one
}

// noteAlignments notes what a declaration asks for.
func (l *Layouts) noteAlignments(n *cc.Declaration) {
	asks := says(n.AttributeSpecifierList).aligned
	for s := n.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
		asks = max(asks, l.alignas(s.AlignmentSpecifier), says(s.AttributeSpecifierList).aligned)
	}
	for list := n.InitDeclaratorList; list != nil; list = list.InitDeclaratorList {
		d := list.InitDeclarator.Declarator
		most := max(asks, says(list.InitDeclarator.AttributeSpecifierList).aligned)
		if most > 0 && d.Name() != "" && !d.IsTypename() {
			l.own.of[d] = most
			l.own.named[d.Name()]++
		}
	}
}

// Alignment is the value of _Alignof or __alignof__, in bytes, if it is known.
func (l *Layouts) Alignment(x *cc.UnaryExpression) (bytes int64, ok bool) {
	of := l.Align(SizedType(x))
	if x.Case == cc.UnaryExpressionAlignofType {
		return of, true
	}
	switch y := Unparen(x.UnaryExpression).(type) {
	case *cc.PrimaryExpression:
		if d := Declarator(y); d != nil {
			own := l.own.of[d]
			alone := l.own.named[d.Name()] == 0 || own > 0 && l.own.named[d.Name()] == 1
			return max(of, own), alone && d.Type().Kind() != cc.Function
		}
	case *cc.PostfixExpression:
		if y.Case == cc.PostfixExpressionSelect || y.Case == cc.PostfixExpressionPSelect {
			return l.memberAlignment(y.Field(), of)
		}
	case *cc.UnaryExpression:
		if y.Case == cc.UnaryExpressionDeref {
			d := Declarator(y.CastExpression)
			return of, d != nil && SizedType(x).Kind() != cc.Function
		}
	}
	return of, true
}

// memberAlignment is the alignment of a member whose type has some.
func (l *Layouts) memberAlignment(f *cc.Field, of int64) (int64, bool) {
	if f == nil || f.IsBitfield() {
		return 0, false
	}
	d := l.records[keyOf(f.ParentType())]
	if d == nil {
		return of, true
	}
	says := d.members[f.Declarator()]
	return max(of, says.aligned), !d.packed && !says.packed && d.pack == 0 && !says.mode
}

// misaligned finds an alignment that is not known.
func (l *Layouts) misaligned(n cc.ExpressionNode) (found cc.Node) {
	Inspect(n, func(e any) bool {
		if x, ok := e.(*cc.UnaryExpression); ok && x.Case == cc.UnaryExpressionAlignofExpr {
			if _, known := l.Alignment(x); !known {
				found = x
			}
		}
		return found == nil
	})
	return found
}
