package lower

// Globals that nobody sets.
//
// Idea: a component that begins with another procedure than main starts with
// globals as C initialises them. One without an initialiser that the component uses and
// does not store to is then zero throughout, though the program may have a procedure
// that sets it first. Whoever checks the component should hear of that.
//
// Cost: linear in the text of the program, for such components only.

import (
	"reflect"
	"slices"

	"magus/cfa"
	"magus/cfa/source"

	"modernc.org/cc/v4"
)

// unset are these globals, by the first procedure that stores to them.
func (l *lowerer) unset(pr *source.Procedure) []cfa.Unset {
	if !l.opt.InitGlobals || pr.Name == "main" {
		return nil
	}
	zero := map[*source.Object]bool{}
	for _, o := range l.used {
		if l.global(o).Starts && o.Init == nil && !o.Const && !o.Library && o.Proc == "" {
			zero[o] = true
		}
	}
	inside := map[*source.Procedure]bool{}
	for _, fr := range l.instances {
		if !l.IsFrameAside(fr.id) && !inside[fr.proc] {
			inside[fr.proc] = true
			for _, o := range l.stored(fr.proc) {
				delete(zero, o)
			}
		}
	}
	var all []cfa.Unset
	for _, setter := range l.prog.Bodies() {
		if inside[setter] || len(zero) == 0 {
			continue
		}
		u := cfa.Unset{Setter: setter.Name, Pos: setter.Pos}
		for _, o := range l.stored(setter) {
			if zero[o] {
				delete(zero, o)
				u.Globals = append(u.Globals, o.Name)
			}
		}
		if u.Globals != nil {
			slices.Sort(u.Globals)
			all = append(all, u)
		}
	}
	return all
}

// stored are the globals that a procedure stores to, or takes the address of, by
// their names.
func (l *lowerer) stored(pr *source.Procedure) []*source.Object {
	var all []*source.Object
	note := func(n cc.ExpressionNode) {
		if o := l.prog.Object(root(n)); o != nil {
			all = append(all, o)
		}
	}
	source.Inspect(reflect.ValueOf(pr.Def), func(n any) bool {
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
	return all
}

// root is what declares the object that an lvalue is a part of, or nil.
func root(n cc.ExpressionNode) *cc.Declarator {
	switch x := source.Unparen(n).(type) {
	case *cc.PrimaryExpression:
		return source.Declarator(x)
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionIndex {
			return root(x.PostfixExpression)
		}
	}
	return nil
}
