package source

// Bodies that programs have for functions of verifiers, so that they can be compiled.
//
// Idea: where such a body does what the function is for, the function's meaning stands for it, which is shorter and
// has a name in traces. Any other body is one like others. What a body is for is seen from its form: it gives a local
// variable that has no value, or it tests its parameter and then stops, or goes round for ever.
//
// Cost: linear in the body.

import (
	"slices"

	"modernc.org/cc/v4"
)

// GivesAny reports whether a body gives any value of its type: none, or that of a local variable that has none.
func GivesAny(pr *Procedure) bool {
	is := true
	Inspect(pr.Def.CompoundStatement, func(x any) bool {
		switch n := x.(type) {
		case *cc.Declaration:
			return !DeclaresFunc(n)
		case *cc.InitDeclarator:
			is = is && n.Initializer == nil && !n.Declarator.IsStatic() && !n.Declarator.IsExtern()
		case cc.ExpressionNode:
			d := Declarator(n)
			is = is && d != nil && isAutomatic(d) && d.WriteCount() == 0 && !d.AddressTaken()
			return false
		}
		return is
	})
	return is
}

// DeclaresFunc reports whether a declaration is that of __func__, which the parser adds to each body.
func DeclaresFunc(d *cc.Declaration) bool {
	l := d.InitDeclaratorList
	return l != nil && l.InitDeclaratorList == nil && l.InitDeclarator.Declarator.Name() == "__func__"
}

// isAutomatic reports whether a declarator is one of a local variable that ends with its block.
func isAutomatic(d *cc.Declarator) bool {
	return d.Linkage() == cc.None && !d.IsStatic() && !d.IsParam() && d.Type().Kind() != cc.Function
}

// StopsUnless reports whether a body does nothing but to stop, or to go round for ever, if its parameter is zero.
func StopsUnless(pr *Procedure) bool {
	params, items := Parameters(pr.Type), statementsIn(pr.Def.CompoundStatement)
	if len(params) != 1 || len(items) == 0 || slices.ContainsFunc(items[1:], func(s *cc.Statement) bool {
		return s == nil || !isEmpty(s) && !(s.Case == cc.StatementJump && s.JumpStatement.ExpressionList == nil &&
			s.JumpStatement.Case == cc.JumpStatementReturn)
	}) {
		return false
	}
	first := items[0]
	switch {
	case first == nil:
	case first.Case == cc.StatementSelection && first.SelectionStatement.Case == cc.SelectionStatementIf:
		s := first.SelectionStatement
		return isNegated(s.ExpressionList, params[0].Declarator) && neverEnds(s.Statement)
	case first.Case == cc.StatementIteration && first.IterationStatement.Case == cc.IterationStatementWhile:
		s := first.IterationStatement
		return isNegated(s.ExpressionList, params[0].Declarator) && isEmpty(s.Statement)
	}
	return false
}

// statementsIn are the statements of a block; nil stands for declarations, but for the parser's own of __func__.
func statementsIn(n *cc.CompoundStatement) (all []*cc.Statement) {
	for l := n.BlockItemList; l != nil; l = l.BlockItemList {
		if d := l.BlockItem.Declaration; d == nil || !DeclaresFunc(d) {
			all = append(all, l.BlockItem.Statement)
		}
	}
	return all
}

// isNegated reports whether an expression is !p of a variable, or p == 0.
func isNegated(e cc.ExpressionNode, d *cc.Declarator) bool {
	e = Unparen(e)
	if u, ok := e.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionNot {
		return Declarator(Unparen(u.CastExpression)) == d
	}
	q, ok := e.(*cc.EqualityExpression)
	if !ok || q.Case != cc.EqualityExpressionEq || Declarator(Unparen(q.EqualityExpression)) != d {
		return false
	}
	v, ok := q.RelationalExpression.Value().(cc.Int64Value)
	return ok && v == 0
}

// isEmpty reports whether a statement does nothing.
func isEmpty(s *cc.Statement) bool {
	switch s.Case {
	case cc.StatementCompound:
		return s.CompoundStatement.BlockItemList == nil
	case cc.StatementExpr:
		return s.ExpressionStatement.ExpressionList == nil
	}
	return false
}

// neverEnds reports whether a statement is a call of abort or exit, or a loop without an end that does nothing.
func neverEnds(s *cc.Statement) bool {
	switch s.Case {
	case cc.StatementCompound:
		all := statementsIn(s.CompoundStatement)
		return len(all) > 0 && all[0] != nil && neverEnds(all[0])
	case cc.StatementExpr:
		call, ok := Unparen(s.ExpressionStatement.ExpressionList).(*cc.PostfixExpression)
		return ok && call.Case == cc.PostfixExpressionCall &&
			slices.Contains([]string{"abort", "exit", "_exit", "_Exit"}, CalleeName(call))
	case cc.StatementIteration:
		n := s.IterationStatement
		forEver := n.Case == cc.IterationStatementFor && n.ExpressionList2 == nil && n.ExpressionList == nil
		if n.Case == cc.IterationStatementWhile {
			v, isInt := n.ExpressionList.Value().(cc.Int64Value)
			forEver = isInt && v != 0
		}
		return forEver && isEmpty(n.Statement)
	case cc.StatementLabeled:
		n := s.LabeledStatement
		to := n.Statement
		return n.Case == cc.LabeledStatementLabel && to.Case == cc.StatementJump &&
			to.JumpStatement.Case == cc.JumpStatementGoto && to.JumpStatement.Token2.SrcStr() == n.Token.SrcStr()
	}
	return false
}
