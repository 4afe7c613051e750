package witness

import (
	"magus/cfa/interp"
	"magus/component"
	"magus/lts"
	"magus/smt/expr"
)

// Env answers the interpreter what a component's routines and returns do, by
// evaluating what the specification says of them.
func Env(c *component.Component) interp.Env { return env{c} }

// env numbers the states of a routine by the choice of its abstraction and the
// state in that one's LTS.
type env struct{ *component.Component }

func (env) encode(choice int, st lts.State) int { return choice<<32 | int(st) }

// Start gives the initial states of the abstractions whose guard holds.
func (v env) Start(site *interp.Site) []int {
	var states []int
	for i, ch := range v.Calls[site.Loc].Choices {
		if expr.Eval(ch.Guard, site.Value) == 1 {
			states = append(states, v.encode(i, ch.LTS.Init()))
		}
	}
	return states
}

// Moves are the transitions of the inlined LTS.
func (v env) Moves(site *interp.Site, state int) []interp.Move {
	call := v.Calls[site.Loc]
	ch := call.Choices[state>>32]
	var moves []interp.Move
	for _, e := range ch.LTS.Out(lts.State(state & 0xffffffff)) {
		m := interp.Move{To: v.encode(state>>32, e.To)}
		if cond, ok := ch.Returns[e.Action]; ok {
			m.Returns = true
			if cond != nil {
				m.Unvalued = call.Result == nil
				m.Admits = func(value uint64) bool { return holds(cond, &call, value, site) }
			}
		} else if e.Action != lts.Tau {
			m.Action = v.Actions.Name(e.Action)
		}
		moves = append(moves, m)
	}
	return moves
}

// holds evaluates the condition of a return action for a result.
func holds(cond *expr.Expr, call *component.Call, value uint64, site *interp.Site) bool {
	return expr.Eval(cond, func(v *expr.Expr) uint64 {
		if v == call.Result {
			return value
		}
		if changed := call.Behind[v]; changed != nil {
			return site.Behind(changed)
		}
		return site.Value(v)
	}) == 1
}

// Return gives the actions of a return.
func (v env) Return(r interp.Returned, at *interp.Site) []string {
	if !v.Returns.Observed {
		return nil
	}
	var value *expr.Expr
	if r.Has {
		value = v.CFA.Pool.Const(v.CFA.Ret, r.Value)
	}
	var names []string
	for _, a := range v.Returns.Actions {
		if expr.Eval(v.Returns.Of(v.CFA.Pool, a, value), at.Value) == 1 {
			names = append(names, v.Actions.Name(a.Action))
		}
	}
	if names == nil {
		names = []string{v.Actions.Name(v.Returns.Other)}
	}
	return names
}
