package monitor

// A call that a routine's abstraction stands for, as a part of the automaton.
//
// Idea: a walk through the abstraction's states; where there are several ways a value that is
// chosen says which one is gone. A return gives the result a value that its condition
// allows, and what the call may change any value.
//
// Cost: linear in the transitions.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// A Call is what the abstraction of a routine says of a call: the first choice whose
// guard holds.
type Call struct {
	Choices []Choice
	Result  *expr.Expr // stands for the value returned in conditions; nil if that is not used
}

// A Choice is what the routine may do under a guard: a graph, by state. Of a state nothing leads from,
// none leads there but a return.
type Choice struct {
	Guard *expr.Expr
	Init  int
	Edges [][]Edge
}

// An Edge leads to a state of a choice.
type Edge struct {
	Action  string // "" if it is not observable
	Returns bool
	When    *expr.Expr // the condition on the result of a return; nil for any
	To      int
}

// call rewrites a call.
func (w *weaver) call(stmt cfa.Call, call *Call) {
	next := w.c.Locs[w.from].Succ[0]
	x := &caller{weaver: w, stmt: stmt, call: call, next: next}
	at := cfa.Loc(-1)
	for _, ch := range slices.Backward(call.Choices) {
		to := x.choice(&ch)
		if at < 0 {
			at = to
			continue
		}
		at = w.add(cfa.Branch{Cond: ch.Guard}, to, at)
	}
	w.become(cfa.Goto{}, at)
}

type caller struct {
	*weaver
	stmt cfa.Call
	call *Call
	next cfa.Loc
	pick *expr.Expr // which way is gone
}

// choice is the walk through the states.
func (x *caller) choice(ch *Choice) cfa.Loc {
	states := make([]cfa.Loc, len(ch.Edges))
	reached := ch.reached()
	for _, s := range reached {
		states[s] = x.add(cfa.Goto{}, x.next)
	}
	for _, s := range reached {
		out := ch.Edges[s]
		to := x.edge(out[len(out)-1], states)
		for i, e := range slices.Backward(out[:len(out)-1]) {
			cond := x.c.Pool.Eq(x.picked(), x.c.Pool.Const(stateType, uint64(i)))
			to = x.add(cfa.Branch{Cond: cond}, x.edge(e, states), to)
		}
		if len(out) > 1 {
			to = x.add(cfa.Assign{LHS: x.picked(), Nondet: "the abstraction of " + x.stmt.Callee}, to)
		}
		x.c.Locs[states[s]].Succ = []cfa.Loc{to}
	}
	return states[ch.Init]
}

// reached are the states that the routine may come to before it returns, the first one first.
func (ch *Choice) reached() []int {
	all := []int{ch.Init}
	for i := 0; i < len(all); i++ {
		for _, e := range ch.Edges[all[i]] {
			if !e.Returns && !slices.Contains(all, e.To) {
				all = append(all, e.To)
			}
		}
	}
	return all
}

// picked is a variable that says which way is gone.
func (x *caller) picked() *expr.Expr {
	if x.pick == nil {
		x.pick = x.variable("way", stateType)
	}
	return x.pick
}

// variable is a new one.
func (w *weaver) variable(name string, t expr.Type) *expr.Expr {
	at := &w.c.Locs[w.from]
	v := w.c.Pool.Var(fmt.Sprintf("%s%s!%d", prefix, name, len(w.c.Vars)), t)
	w.c.Vars = append(w.c.Vars, cfa.Var{Expr: v, Name: name, Kind: cfa.Temp, Frame: at.Frame, Pos: at.Pos})
	return v
}

// edge is what a transition does.
func (x *caller) edge(e Edge, states []cfa.Loc) cfa.Loc {
	switch {
	case e.Returns:
		return x.back(e.When)
	case x.m.Observes(e.Action):
		return x.atomically(e.Action, states[e.To])
	case e.Action == "" || e.Action == cfa.ErrorAction:
		return states[e.To]
	}
	return x.add(cfa.Act{Action: e.Action}, states[e.To])
}

// back is a return.
func (x *caller) back(cond *expr.Expr) cfa.Loc {
	at := x.next
	for _, v := range slices.Backward(x.stmt.Clobbers) {
		if v != x.stmt.LHS {
			at = x.add(cfa.Assign{LHS: v, Nondet: x.stmt.Callee}, at)
		}
	}
	if x.stmt.LHS == nil {
		if cond != nil {
			return x.assume(cond, at)
		}
		return at
	}
	result := x.variable("result", x.stmt.LHS.Type())
	at = x.add(cfa.Assign{LHS: x.stmt.LHS, RHS: result}, at)
	if cond != nil {
		at = x.assume(x.c.Pool.Subst(cond, map[*expr.Expr]*expr.Expr{x.call.Result: result}), at)
	}
	return x.add(cfa.Assign{LHS: result, Nondet: x.stmt.Callee}, at)
}

// assume goes on where a condition holds.
func (w *weaver) assume(cond *expr.Expr, next cfa.Loc) cfa.Loc {
	return w.add(cfa.Branch{Cond: cond}, next, w.add(cfa.Halt{Reason: "another return"}))
}
