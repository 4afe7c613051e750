package lower

// Procedures that do nothing but compute.
//
// Idea: if the text of a procedure, and of all that it calls, stores to its own automatic
// variables only, by their names, and calls nothing but such procedures and intrinsics that
// perform no action, then a call changes nothing that its caller sees. So any value
// may stand for its result, if that is a number.
//
// Source: the purity analysis of Sălcianu, Rinard: Purity and Side Effect Analysis for Java
// Programs (VMCAI 2005), cut down to what needs no analysis of pointers. A procedure that stores through a
// pointer, to its own variables too, is not one. Cost: linear in the text, once for each
// procedure.

import (
	"strings"

	"magus/cfa"
	"magus/cfa/source"

	"modernc.org/cc/v4"
)

// onlyComputes reports whether calls of a procedure do nothing but compute a number, or
// nothing at all.
func (l *calls) onlyComputes(pr *source.Procedure) bool {
	if t := l.ctypeOf(pr.Type.Result()); t.class != classInt && t.class != classFloat &&
		t.class != classExtended && t.class != classOpaque && t.class != classVoid {
		return false
	}
	if l.opt.SignedOverflow == cfa.OverflowIsError {
		return false
	}
	if known, ok := l.computing[pr]; ok {
		return known
	}
	if l.hasNested(pr) || l.opt.CheckFloat != 0 {
		return false
	}
	seen := map[*source.Procedure]bool{}
	only, todo := true, []*source.Procedure{pr}
	for only && len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[p] {
			seen[p] = true
			source.Inspect(p.Def, func(n any) bool {
				more, ok := l.computingNode(p, n)
				only = only && ok
				todo = append(todo, more...)
				return only
			})
		}
	}
	l.computing[pr] = only
	return only
}

// computingNode reports whether a part of a procedure's text does nothing but compute, if
// what it calls does so.
func (l *facts) computingNode(p *source.Procedure, n any) (calls []*source.Procedure, ok bool) {
	switch n := n.(type) {
	case *cc.AssignmentExpression:
		return nil, n.Case == cc.AssignmentExpressionCond || l.isOwn(n.UnaryExpression)
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			return nil, l.isOwn(n.UnaryExpression)
		case cc.UnaryExpressionDeref:
			return nil, !l.opt.CheckPointers
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return nil, l.isOwn(n.PostfixExpression)
		case cc.PostfixExpressionIndex, cc.PostfixExpressionPSelect:
			return nil, !l.opt.CheckPointers
		case cc.PostfixExpressionCall:
			return l.computingCall(p, n)
		}
	case *cc.CastExpression: // an address that is exposed
		return nil, n.Case != cc.CastExpressionCast ||
			l.ctypeOf(n.CastExpression.Type().Decay()).class != classPtr || l.ctypeOf(n.Type()).class == classPtr
	case *cc.LabeledStatement:
		return nil, n.Case != cc.LabeledStatementLabel || len(l.opt.ErrorLabels) == 0
	case *cc.Declarator:
		return nil, n.Type() == nil || !hasVariableSize(n.Type())
	case *cc.AsmStatement, *cc.AttributeSpecifier:
		return nil, false
	case *cc.FunctionDefinition:
		return nil, n == p.Def
	case *cc.BlockItem:
		return nil, n.Case != cc.BlockItemFuncDef
	}
	return nil, true
}

// computingCall is the same of a call.
func (l *facts) computingCall(p *source.Procedure, n *cc.PostfixExpression) (calls []*source.Procedure, ok bool) {
	name := source.CalleeName(n)
	switch {
	case l.opt.Observer != nil && l.opt.Observer.Call(name) != nil:
		return nil, false
	case name == "", l.opt.Abstracted != nil && l.opt.Abstracted(name), l.opt.Skipped != nil && l.opt.Skipped(name),
		l.isError(p.File, name), source.PerformsAction(name):
		return nil, false
	}
	if body := l.prog.Body(p.File, name); body != nil {
		return []*source.Procedure{body}, true
	}
	switch {
	case strings.HasPrefix(name, nondetPrefix):
		return nil, len(source.Arguments(n)) == 0
	case assumes(name):
		return nil, true
	}
	return nil, name == "abort" || computed(name) != nil
}

// isOwn reports whether an lvalue is an automatic variable or a part of one, named
// without a pointer.
func (l *facts) isOwn(n cc.ExpressionNode) bool {
	n = source.Unparen(n)
	if x, ok := n.(*cc.PostfixExpression); ok {
		switch x.Case {
		case cc.PostfixExpressionSelect:
			return l.isOwn(x.PostfixExpression)
		case cc.PostfixExpressionIndex:
			return source.IsArray(x.PostfixExpression) && l.isOwn(x.PostfixExpression)
		}
		return false
	}
	d := source.Declarator(n)
	return d != nil && d.StorageDuration() == cc.Automatic
}
