package lower

// The alphabet of a component.
//
// Idea: a component takes part in an action that its text mentions, also where
// control never comes; else whether it blocks the action would depend on how
// much of the text the lowering finds to be dead. So this is read off the
// syntax: of the procedures that are inlined, and of those that they call.
//
// Source: Chaki, Clarke, Groce, Ouaknine, Strichman, Yorav: Efficient Verification of
// Sequential and Concurrent C Programs, section 3, where the alphabet is
// given with the component.
// The action error is left out: nobody means to wait for another's error.
// Cost: linear in the text of these procedures.

import (
	"cmp"
	"maps"
	"slices"

	"magus/cfa"
	"magus/cfa/source"
	"magus/internal/graph"

	"modernc.org/cc/v4"
)

// alphabet is what the component takes part in: the actions that the text
// performs by intrinsics, and the routines with an abstraction that it calls by
// name, both in order.
// errors says whether the text performs error by intrinsics or labels.
func (l *lowerer) alphabet() (actions, routines []string, errors bool) {
	acts, calls := map[string]bool{}, map[string]bool{}
	var first []*source.Procedure
	for _, fr := range l.instances {
		if fr.proc != nil && !l.IsOutOfLineFrame(fr.id) {
			first = append(first, fr.proc)
		}
	}
	graph.Closure(func(p *source.Procedure, visit func(*source.Procedure)) {
		source.Inspect(p.Def, func(n any) bool {
			call, ok := n.(*cc.PostfixExpression)
			if !ok || call.Case != cc.PostfixExpressionCall {
				return true
			}
			switch name := cmp.Or(source.CalleeName(call), l.memberRoutine(call)); {
			case l.opt.Abstracted != nil && l.opt.Abstracted(name):
				calls[name] = true
			case l.opt.Skipped != nil && l.opt.Skipped(name):
			case l.isError(p.File, name):
				errors = true
			case source.PerformsAction(name):
				if action := actionOf(call); action != "" {
					acts[action] = true
				}
			case l.library.intrinsic(p.File, name) == nil:
				if body := l.prog.Body(p.File, name); body != nil {
					visit(body)
				}
			}
			return true
		})
	}, first...)
	return slices.Sorted(maps.Keys(acts)), slices.Sorted(maps.Keys(calls)),
		errors || len(l.labelsSeen) > 0 || l.opt.Observer != nil
}

// silent reports whether nothing in the text of the whole program, its initialisers
// included, names what performs an action, so that no code of it does, however it is
// called.
func (l *facts) silent() bool {
	if l.opt.CheckPointers || l.opt.CheckLeaks || l.opt.CheckFloat != 0 ||
		l.opt.SignedOverflow == cfa.OverflowIsError || len(l.opt.ErrorLabels) > 0 || l.opt.Observer != nil {
		return false
	}
	quiet := true
	look := func(f *source.File, n any) {
		if !quiet {
			return
		}
		source.Inspect(n, func(n any) bool {
			if p, ok := n.(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionIdent {
				name := p.Token.SrcStr()
				quiet = quiet && !l.isError(f, name) && !source.PerformsAction(name) &&
					(l.opt.Abstracted == nil || !l.opt.Abstracted(name))
			}
			if call, ok := n.(*cc.PostfixExpression); ok && call.Case == cc.PostfixExpressionCall {
				quiet = quiet && l.memberRoutine(call) == ""
			}
			return quiet
		})
	}
	for _, p := range l.prog.Bodies() {
		look(p.File, p.Def)
	}
	for _, f := range l.prog.Files {
		for _, o := range f.Objects {
			if o.Init != nil {
				look(f, o.Init)
			}
		}
	}
	return quiet
}

// isError reports whether calls of a function perform the action error.
func (l *facts) isError(f *source.File, name string) bool {
	switch name {
	case "__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail":
		return true
	case "assert", "__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert":
		return l.prog.Body(f, name) == nil
	}
	return slices.Contains(l.opt.ErrorFunctions, name)
}

// actionOf is the action that a call of an intrinsic performs, or empty.
func actionOf(call *cc.PostfixExpression) string {
	s, _, ok := source.ActionOf(call)
	if !ok || source.MisnamedAction(s) != "" {
		return ""
	}
	return s
}
