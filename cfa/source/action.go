package source

// The names of actions.
//
// Idea: two intrinsics perform the action that their argument names. A name that no action can have is a fault
// of the input wherever it stands, also where control never comes. Deviation: a call
// through a pointer, and one in a header that does not declare the intrinsic, is looked at only where control may come.
//
// Cost: linear in the text of the files that name one of the intrinsics; nothing for others.

import (
	"bytes"
	"slices"
	"strings"

	"magus/cfa"

	"modernc.org/cc/v4"
)

// performers are the intrinsics that perform actions.
func performers() []string {
	return []string{"__MAGUS_ACTION__", "__COPPER_HANDSHAKE__", Send, Receive}
}

// The intrinsics whose actions are messages that carry a value.
const (
	Send    = "__MAGUS_SEND__"
	Receive = "__MAGUS_RECEIVE__"
)

// IsSend and IsReceive report whether a function sends a value, or receives one: what is behind these names is the
// program's, so that each type has a function.
func IsSend(name string) bool    { return strings.HasPrefix(name, Send) }
func IsReceive(name string) bool { return strings.HasPrefix(name, Receive) }

// arguments is how many arguments an intrinsic that performs an action has.
func arguments(name string) int {
	if IsSend(name) {
		return 2
	}
	return 1
}

// ActionOf is the name of the action that a call of such an intrinsic performs, if the call has as many arguments as it
// needs and the first is a string literal.
func ActionOf(call *cc.PostfixExpression) (name string, at cc.ExpressionNode, ok bool) {
	args := Arguments(call)
	if len(args) != arguments(CalleeName(call)) {
		return "", nil, false
	}
	name, ok = StringLiteral(args[0])
	return name, args[0], ok
}

// PerformsAction reports whether a function is an intrinsic that performs an action.
func PerformsAction(name string) bool {
	return slices.Contains(performers(), name) || IsSend(name) || IsReceive(name)
}

// mayAct reports whether a file names such an intrinsic or declares it.
func mayAct(text []byte, ast *cc.AST) bool {
	return slices.ContainsFunc(performers(), func(name string) bool {
		return bytes.Contains(text, []byte(name)) || ast.Scope.Nodes[name] != nil
	})
}

// mayCarry reports whether a file names an intrinsic whose actions carry values, or declares it.
func mayCarry(text []byte, ast *cc.AST) bool {
	return slices.ContainsFunc([]string{Send, Receive}, func(name string) bool {
		return bytes.Contains(text, []byte(name)) || ast.Scope.Nodes[name] != nil
	})
}

// MayCarry reports whether some code of the program may perform actions that carry values.
func (p *Program) MayCarry() bool {
	return slices.ContainsFunc(p.Files, func(f *File) bool { return f.carries })
}

// MisnamedAction says why no action has a name; "" if one may.
func MisnamedAction(name string) string {
	switch {
	case name == "tau":
		return "tau is not the name of an action: it is how the unobservable action is written"
	case strings.HasPrefix(name, cfa.CutPrefix):
		return "names of actions do not begin with " + cfa.CutPrefix + ": it is what recursion that is not followed performs"
	case strings.HasPrefix(name, cfa.StandsPrefix):
		return "names of actions do not begin with " + cfa.StandsPrefix + ": it is how components say where they stand still"
	}
	return ""
}

// checkActions looks for actions with a name that none has.
func (p *Program) checkActions() (errs cfa.Errors) {
	for _, f := range p.Files {
		if !f.acts {
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
	Inspect(def, func(n any) bool {
		call, ok := n.(*cc.PostfixExpression)
		if !ok || call.Case != cc.PostfixExpressionCall || !PerformsAction(CalleeName(call)) {
			return true
		}
		if name, _, ok := ActionOf(call); ok && MisnamedAction(name) != "" {
			errs = append(errs, cfa.Error{Pos: Position(call.Position()), Msg: MisnamedAction(name)})
		}
		return true
	})
	return errs
}
