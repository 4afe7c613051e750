package cfa

// What a component's text mentions.
//
// Idea: a component takes part in an action that its text mentions, also where
// control never comes; else whether it blocks the action would depend on how
// much of the text the lowering finds to be dead. So this is read off the
// syntax: of the procedures that are inlined, and of those that they call.
//
// Source: in the paper's section 3 the alphabet is given with the component.
// The action error is left out: nobody means to wait for another's error.
// Cost: linear in the text of these procedures.

import (
	"maps"
	"reflect"
	"slices"

	"modernc.org/cc/v4"
)

// performs reports whether a function is an intrinsic that performs an action.
func performs(name string) bool {
	return name == "__MAGUS_ACTION__" || name == "__COPPER_HANDSHAKE__"
}

// mentioned are the actions that the text performs by intrinsics, and the
// routines with an abstraction that it calls by name, both in order.
func (l *lowerer) mentioned() (actions, routines []string) {
	acts, calls := map[string]bool{}, map[string]bool{}
	seen := map[*procedure]bool{}
	var todo []*procedure
	visit := func(p *procedure) {
		if p != nil && !seen[p] {
			seen[p] = true
			todo = append(todo, p)
		}
	}
	for _, fr := range l.instances {
		visit(fr.proc)
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		inspect(reflect.ValueOf(p.def), func(n any) bool {
			call, ok := n.(*cc.PostfixExpression)
			if !ok || call.Case != cc.PostfixExpressionCall {
				return true
			}
			switch name := calleeName(call); {
			case l.opt.Abstracted != nil && l.opt.Abstracted(name):
				calls[name] = true
			case l.opt.Skipped != nil && l.opt.Skipped(name):
			case performs(name):
				if a := arguments(call); len(a) == 1 {
					if s, ok := stringLiteral(a[0]); ok && s != "" {
						acts[s] = true
					}
				}
			case l.intrinsic(p.file, name) == nil:
				visit(l.prog.resolve(p.file, name))
			}
			return true
		})
	}
	return slices.Sorted(maps.Keys(acts)), slices.Sorted(maps.Keys(calls))
}
