package witness

import (
	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/lts"
)

// script turns an execution into what the interpreter replays: the edges of one
// statement become one step. Cost: linear in the execution.
func script(g *component.Graph, x *component.Execution) interp.Script {
	script := interp.Script{Env: Env(g.Comp)}
	for _, b := range x.Init {
		script.Init = append(script.Init, interp.Binding(b))
	}
	for i, id := range x.Edges {
		e := &g.Edges[id]
		if e.Loc < 0 {
			continue
		}
		if g.IsLocation(e.From) {
			script.Steps = append(script.Steps, interp.ScriptStep{Loc: e.Loc})
		}
		step := &script.Steps[len(script.Steps)-1]
		if e.Action != lts.Tau {
			step.Actions = append(step.Actions, g.Comp.Actions.Name(e.Action))
		}
		call, isCall := g.Comp.CFA.Locs[e.Loc].Stmt.(cfa.Call)
		for _, b := range x.Step[i] {
			if isCall && b.Var == call.LHS {
				step.Result = b.Value
			} else {
				step.Choices = append(step.Choices, interp.Binding(b))
			}
		}
		if step.Inside = isCall && !g.IsLocation(e.To); isCall {
			step.Result = fixedResult(e, call, step.Result)
		}
	}
	return script
}

// fixedResult is the result of a call where the edge's return action leaves
// only one value.
func fixedResult(e *component.Edge, call cfa.Call, chosen uint64) uint64 {
	for _, u := range e.Update {
		if u.Var == call.LHS && u.Term.IsConst() {
			return u.Term.Value()
		}
	}
	return chosen
}
