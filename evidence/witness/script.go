package witness

import (
	"magus/cfa"
	"magus/cfa/interp"
	"magus/component"
	"magus/lts"
)

// script rounds an execution into what the interpreter replays: the edges of one
// statement become one step. Cost: linear in the execution.
func script(g *component.Graph, x *component.Execution) interp.Script {
	script := interp.Script{Env: Env(g.Comp)}
	for _, b := range x.Init {
		script.Init = append(script.Init, interp.Binding(b))
	}
	repeats := x.Repeats
	for i, id := range x.Edges {
		for ; len(repeats) > 0 && repeats[0].At == i; repeats = repeats[1:] {
			script.Steps = append(script.Steps, rounds(g, &repeats[0]))
		}
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

// rounds are those of a loop that a path leaves out, as one step.
func rounds(g *component.Graph, r *component.Repeat) interp.ScriptStep {
	round := &interp.Repeat{Times: r.Times}
	for i, id := range r.Cycle {
		step := interp.ScriptStep{Loc: g.Edges[id].Loc}
		for _, b := range r.Chosen[i] {
			step.Choices = append(step.Choices, interp.Binding(b))
		}
		round.Round = append(round.Round, step)
	}
	return interp.ScriptStep{Loc: round.Round[0].Loc, Repeat: round}
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
