package source

// What procedures store to by name.

import (
	"reflect"

	"modernc.org/cc/v4"
)

// Stored are the globals that a procedure stores to, or takes the address of, by
// their names. Whoever asks has locked the program.
func (p *Program) Stored(pr *Procedure) []*Object {
	if all, ok := p.stored[pr]; ok {
		return all
	}
	var all []*Object
	note := func(n cc.ExpressionNode) {
		if o := p.Object(root(n)); o != nil {
			all = append(all, o)
		}
	}
	Inspect(reflect.ValueOf(pr.Def), func(n any) bool {
		switch x := n.(type) {
		case *cc.AssignmentExpression:
			if x.Case != cc.AssignmentExpressionCond {
				note(x.UnaryExpression)
			}
		case *cc.UnaryExpression:
			switch x.Case {
			case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
				note(x.UnaryExpression)
			case cc.UnaryExpressionAddrof:
				note(x.CastExpression)
			}
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
				note(x.PostfixExpression)
			}
		}
		return true
	})
	p.stored[pr] = all
	return all
}

// root is what declares the object that an lvalue is a part of, or nil.
func root(n cc.ExpressionNode) *cc.Declarator {
	switch x := Unparen(n).(type) {
	case *cc.PrimaryExpression:
		return Declarator(x)
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionIndex {
			return root(x.PostfixExpression)
		}
	}
	return nil
}
