package liveness

// Loops that do not come back to the same values.
//
// Idea: what a process does round by round may lead for ever from one state of a recurrence set to another one (package
// recurrence). The places and actions are the same each time, so the formula says the same of such a run, unless it
// speaks of values, and so does fairness: others can go on as before, if no action that the process offers depends on
// values.
//
// Cost: that of finding the set of each process that does not come back.

import (
	"context"
	"slices"

	"magus/component"
	"magus/evidence/witness"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/recurrence"
	"magus/smt/solver"
)

// executeRecurring executes a lasso of which each process comes back after one round, to the same values or to those
// of a recurrence set; nil if some does not.
func (s *searched) executeRecurring(ctx context.Context, l *lasso, ways []way, sys *component.System,
	solvers []solver.Full) (executed, error) {
	parts, turns := make([]witness.Part, len(ways)), make([]witness.Turn, len(ways))
	for i, w := range ways {
		p := &s.processes[i]
		stem, loop := edgesOf(w.stem), edgesOf(w.loop)
		matters := p.matters[p.states[w.stem[len(w.stem)-1].to].node]
		turns[i] = witness.Turn{Edge: len(stem), Matters: matters}
		x, err := feasible(ctx, p.behaviour, solvers[p.Component], matters, w, 1)
		if err == nil && x == nil && !p.offersByValues(loop) {
			x, turns[i].Within, err = recurring(ctx, p.behaviour, solvers[p.Component], matters, stem, loop)
		}
		if err != nil || x == nil {
			return executed{}, err
		}
		parts[i] = witness.Part{Copy: p.Copy, Graph: p.control, Execution: x}
	}
	if err := s.remembers(ways); err != nil {
		return executed{}, err
	}
	run := &wholeRun{parts, turns, s.schedule(l, 1), len(s.schedule(l, 0)), nil}
	v, err := witness.ReplayLasso(ctx, sys, parts, run.schedule, turns)
	return executed{violation: v, lasso: run}, err
}

// offersByValues reports whether an action that a process can perform somewhere in a loop depends on values.
func (p *process) offersByValues(loop []int32) bool {
	return slices.ContainsFunc(loop, func(id int32) bool {
		return slices.ContainsFunc(p.control.Out(p.control.Edges[id].From), func(out int32) bool {
			e := &p.control.Edges[out]
			return e.Action != lts.Tau && len(e.Guard) > 0
		})
	})
}

// recurring finds values with which a process goes a stem and one round of a loop, and a set of states in which it
// is before and behind the loop, from each of which it can go the loop into the set; nil if none was found.
func recurring(ctx context.Context, b *behaviour, sv solver.Full, matters []*expr.Expr, stem, loop []int32) (
	*component.Execution, []*expr.Expr, error) {
	pool := b.control.Comp.CFA.Pool
	round := &symbolic{control: b.control, pool: pool, env: map[*expr.Expr]*expr.Expr{}}
	for _, id := range loop {
		round.take(id)
	}
	terms := slices.Clone(round.conds)
	for _, v := range matters {
		terms = append(terms, round.value(v))
	}
	if slices.ContainsFunc(expr.Vars(terms...), func(v *expr.Expr) bool { return !slices.Contains(matters, v) }) {
		return nil, nil, nil // something is chosen
	}
	x := &symbolic{control: b.control, pool: pool, env: map[*expr.Expr]*expr.Expr{}}
	for _, id := range stem {
		x.take(id)
	}
	before := make([]*expr.Expr, len(matters))
	for i, v := range matters {
		before[i] = x.value(v)
	}
	for _, id := range loop {
		x.take(id)
	}
	conds := slices.DeleteFunc(x.conds, (*expr.Expr).IsTrue)
	asked := slices.Clone(conds)
	there := make([]*expr.Expr, len(matters))
	for i, v := range matters {
		there[i] = pool.Var("behind the stem "+v.Name(), v.Type())
		asked = append(asked, pool.Eq(there[i], before[i]))
	}
	if r, err := sv.Check(ctx, asked...); err != nil || r == solver.Unsat {
		return nil, nil, err
	}
	values := map[*expr.Expr]*expr.Expr{}
	for i, v := range matters {
		values[v] = recurrence.Constant(pool, v.Type(), sv.Value(there[i]))
	}
	run := x.execution(conds, sv)
	set, err := recurrence.Set(ctx, pool, sv.Check, round.conds, round.env, values)
	if err != nil || set == nil {
		return nil, nil, err
	}
	return run, set, nil
}
