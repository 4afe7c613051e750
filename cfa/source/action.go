package source

// The names of actions.
//
// Idea: two intrinsics perform the action that their argument names. A name that no action can have is a fault
// of the input wherever it stands, also where control never comes. Deviation: none of the names is
// looked at that an intrinsic is given which is called through a pointer.
//
// Cost: linear in the text of the files that name one of the intrinsics; nothing for others.

import (
	"reflect"
	"strings"

	"magus/cfa"

	"modernc.org/cc/v4"
)

// PerformsAction reports whether a function is an intrinsic that performs an action.
func PerformsAction(name string) bool {
	return name == "__MAGUS_ACTION__" || name == "__COPPER_HANDSHAKE__"
}

// MisnamedAction says why no action has a name; "" if one may.
func MisnamedAction(name string) string {
	switch {
	case name == "tau":
		return "tau is not the name of an action: it is how the unobservable action is written"
	case strings.HasPrefix(name, cfa.CutPrefix):
		return "names of actions do not begin with " + cfa.CutPrefix + ": it is what recursion that is not followed performs"
	}
	return ""
}

// checkActions looks for actions with a name that none has.
func (p *Program) checkActions() (errs cfa.Errors) {
	for _, f := range p.Files {
		if f.ast.Scope.Nodes["__MAGUS_ACTION__"] == nil && f.ast.Scope.Nodes["__COPPER_HANDSHAKE__"] == nil {
			continue
		}
		for tu := f.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
			if def := tu.ExternalDeclaration.FunctionDefinition; def != nil {
				errs = append(errs, misnamedActions(def)...)
			}
		}
	}
	return errs
}

// misnamedActions are the faults in the names of actions in a function.
func misnamedActions(def *cc.FunctionDefinition) (errs cfa.Errors) {
	Inspect(reflect.ValueOf(def), func(n any) bool {
		call, ok := n.(*cc.PostfixExpression)
		if !ok || call.Case != cc.PostfixExpressionCall || !PerformsAction(CalleeName(call)) {
			return true
		}
		if args := Arguments(call); len(args) == 1 {
			if name, ok := StringLiteral(args[0]); ok && MisnamedAction(name) != "" {
				errs = append(errs, cfa.Error{Pos: Position(call.Position()), Msg: MisnamedAction(name)})
			}
		}
		return true
	})
	return errs
}
