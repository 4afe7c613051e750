package source

// What procedures store to by name.

import (
	"modernc.org/cc/v4"
)

// Stored are the globals that a procedure stores to, or takes the address of, by
// their names. Whoever asks has locked the program.
func (p *Program) Stored(pr *Procedure) []*Object {
	if all, ok := p.stored[pr]; ok {
		return all
	}
	var all []*Object
	stores(pr, func(n cc.ExpressionNode, _ bool) {
		if o := p.Object(root(n)); o != nil {
			all = append(all, o)
		}
	})
	p.stored[pr] = all
	return all
}

// SetsPointers are the globals of which some procedure may set a part that is a pointer: it stores
// to one, or to a whole that may have one, or takes an address. Whoever asks has locked the program.
func (p *Program) SetsPointers() map[*Object]bool {
	if p.pointersSet != nil {
		return p.pointersSet
	}
	p.pointersSet = map[*Object]bool{}
	for _, pr := range p.Bodies() {
		stores(pr, func(n cc.ExpressionNode, address bool) {
			if o := p.Object(root(n)); o != nil && (address || !cc.IsArithmeticType(n.Type())) {
				p.pointersSet[o] = true
			}
		})
	}
	return p.pointersSet
}

// stores calls f for what a procedure stores to, or takes the address of.
func stores(pr *Procedure, f func(n cc.ExpressionNode, address bool)) {
	Inspect(pr.Def, func(n any) bool {
		switch x := n.(type) {
		case *cc.AssignmentExpression:
			if x.Case != cc.AssignmentExpressionCond {
				f(x.UnaryExpression, false)
			}
		case *cc.UnaryExpression:
			switch x.Case {
			case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
				f(x.UnaryExpression, false)
			case cc.UnaryExpressionAddrof:
				f(x.CastExpression, true)
			}
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
				f(x.PostfixExpression, false)
			}
		}
		return true
	})
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
