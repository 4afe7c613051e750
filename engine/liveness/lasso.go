package liveness

// A stem and a loop that are executed.
//
// Idea: what each process does along a lasso is a path of its control graph. It is executed symbolically; the
// conditions of the path, and that behind the loop what matters is as it was before it, are one formula for
// each process. Its model gives the values that are chosen, and the interpreter does the rest. Where a loop
// cannot come back at once, it is gone through several times.
//
// Cost: linear in the path, one query for each process and number of rounds.

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/lts"
	"magus/lts/ltl"
	"magus/smt/expr"
	"magus/smt/solver"
)

// mostRounds is how often a loop is gone through so that it comes back.
const mostRounds = 4

// A way is what one process does: the transitions of the stem and of the loop.
type way struct{ stem, loop []*transition }

// ways are those of the processes along a lasso.
func (s *searched) ways(l *lasso) []way {
	all := make([]way, len(s.processes))
	for _, m := range s.inits[l.first].moves {
		all[m.process].stem = append(all[m.process].stem, m.way)
	}
	for _, p := range l.stem {
		for _, m := range s.step(p).moves {
			all[m.process].stem = append(all[m.process].stem, m.way)
		}
	}
	for _, p := range l.loop {
		for _, m := range s.step(p).moves {
			all[m.process].loop = append(all[m.process].loop, m.way)
		}
	}
	return all
}

// step is the one of an arc.
func (s *searched) step(p passed) *step { return &s.steps[s.nodes[p.node].tuple][p.arc.step] }

// edgesOf are the edges of transitions.
func edgesOf(ts []*transition) (all []int32) {
	for _, t := range ts {
		all = append(all, t.edges...)
	}
	return all
}

// feasible finds values with which a process goes the stem and so many rounds of the loop, and is then where
// it was; nil if there are none. Behind each transition the conditions of the formula are as its state says. Without a
// loop it goes the stem.
func feasible(ctx context.Context, b *behaviour, sv solver.Full, matters []*expr.Expr, w way, rounds int) (
	*component.Execution, error) {
	x := &symbolic{control: b.control, pool: b.control.Comp.CFA.Pool, env: map[*expr.Expr]*expr.Expr{}}
	along := func(ts []*transition) {
		for _, t := range ts {
			for _, id := range t.edges {
				x.take(id)
			}
			x.meet(b, t.to)
		}
	}
	along(w.stem)
	before := map[*expr.Expr]*expr.Expr{}
	for _, v := range matters {
		before[v] = x.value(v)
	}
	for range rounds {
		along(w.loop)
	}
	conds := x.conds
	if len(w.loop) > 0 {
		for _, v := range matters {
			conds = append(conds, x.pool.Eq(before[v], x.value(v)))
		}
	}
	conds = slices.DeleteFunc(conds, (*expr.Expr).IsTrue)
	r, err := sv.Check(ctx, conds...)
	if err != nil || r == solver.Unsat {
		return nil, err
	}
	return x.execution(conds, sv), nil
}

// symbolic executes a path.
type symbolic struct {
	control *component.Graph
	pool    *expr.Pool
	env     map[*expr.Expr]*expr.Expr
	conds   []*expr.Expr
	edges   []int32
	chosen  []map[*expr.Expr]*expr.Expr // by edge, what stands for fresh variables
}

// value is a term over what is before the path, and what was chosen.
func (x *symbolic) value(t *expr.Expr) *expr.Expr { return x.pool.Subst(t, x.env) }

// take goes an edge.
func (x *symbolic) take(id int32) {
	e := &x.control.Edges[id]
	by, chosen := map[*expr.Expr]*expr.Expr{}, map[*expr.Expr]*expr.Expr{}
	in := func(t *expr.Expr) *expr.Expr {
		for _, v := range expr.Vars(t) {
			if x.control.IsFresh(v) {
				if chosen[v] == nil {
					chosen[v] = x.pool.Var(fmt.Sprintf("%s@%d", v.Name(), len(x.edges)), v.Type())
				}
				by[v] = chosen[v]
			} else if now := x.env[v]; now != nil {
				by[v] = now
			}
		}
		return x.pool.Subst(t, by)
	}
	for _, g := range e.Guard {
		x.conds = append(x.conds, in(g))
	}
	next := make([]*expr.Expr, len(e.Update))
	for i, u := range e.Update {
		next[i] = in(u.Term)
	}
	for i, u := range e.Update {
		x.env[u.Var] = next[i]
	}
	x.edges, x.chosen = append(x.edges, id), append(x.chosen, chosen)
}

// meet asks that the conditions of the formula are as a state says.
func (x *symbolic) meet(b *behaviour, s int32) {
	for n := range 64 {
		if c := b.conds[n]; c == nil {
			continue
		} else if c = x.value(c); b.states[s].conds>>n&1 == 1 {
			x.conds = append(x.conds, c)
		} else {
			x.conds = append(x.conds, x.pool.Not(c))
		}
	}
}

// execution reads the values off the model of conditions.
func (x *symbolic) execution(conds []*expr.Expr, sv solver.Full) *component.Execution {
	run := &component.Execution{Edges: x.edges, Step: make([][]component.Binding, len(x.edges))}
	own := map[*expr.Expr]bool{}
	for i, id := range x.edges {
		for _, u := range x.control.Edges[id].Update {
			for _, f := range expr.Vars(u.Term) {
				if c := x.chosen[i][f]; c != nil {
					own[c] = true
					run.Step[i] = append(run.Step[i], component.Binding{Var: u.Var, Value: sv.Value(c)})
				}
			}
		}
	}
	for _, v := range expr.Vars(conds...) {
		if !own[v] {
			run.Init = append(run.Init, component.Binding{Var: v, Value: sv.Value(v)})
		}
	}
	return run
}

// An execution that violates, or the ways of it that are not possible.
type executed struct {
	violation *witness.Violation
	lasso     *wholeRun // of the violation
	not       []int     // processes
}

// A wholeRun is what the processes do, and where the loop begins of those that have one: behind so many actions.
type wholeRun struct {
	parts    []witness.Part
	turns    []witness.Turn // nil if the run ends
	schedule []witness.Joint
	before   int
	order    []int // processes, in the order in which they make their edges; of an action, one that takes part
}

// execute executes a lasso. The error is a reason for which it is not believed, or ctx's.
func (s *searched) execute(ctx context.Context, l *lasso, sys *component.System,
	solvers []solver.Full) (executed, error) {
	ways := s.ways(l)
	for rounds := 1; ; rounds++ {
		parts, turns := make([]witness.Part, len(ways)), make([]witness.Turn, len(ways))
		var not []int
		for i, w := range ways {
			p := &s.processes[i]
			n := p.states[w.stem[len(w.stem)-1].to].node
			x, err := feasible(ctx, p.behaviour, solvers[p.Component], p.matters[n], w, rounds)
			switch {
			case err != nil:
				return executed{}, err
			case x == nil:
				not = append(not, i)
				continue
			}
			parts[i] = witness.Part{Copy: p.Copy, Graph: p.control, Execution: x}
			turns[i] = witness.Turn{Edge: len(edgesOf(w.stem)), Matters: p.matters[n]}
		}
		if not == nil {
			if err := s.remembers(ways); err != nil {
				return executed{}, err
			}
			if len(l.loop) == 0 {
				turns = nil
			}
			run := &wholeRun{parts, turns, s.schedule(l, rounds), len(s.schedule(l, 0)), s.order(l, rounds)}
			v, err := witness.ReplayLasso(ctx, sys, parts, run.schedule, turns)
			return executed{violation: v, lasso: run}, err
		}
		if rounds < mostRounds && len(l.loop) > 0 {
			continue
		}
		if len(l.loop) > 0 && !s.asked.hasConds {
			if x, err := s.executeRecurring(ctx, l, ways, sys, solvers); err != nil || x.violation != nil {
				return x, err
			}
		}
		return executed{not: not}, nil
	}
}

// remembers is why it is not known that a loop comes back: it uses memory without variables, which is not compared.
func (s *searched) remembers(ways []way) error {
	for i, w := range ways {
		auto := s.processes[i].control.Comp.CFA
		for _, id := range edgesOf(w.loop) {
			l := s.processes[i].control.Edges[id].Loc
			if l < 0 {
				continue
			}
			if a, ok := auto.Locs[l].Stmt.(cfa.Assign); ok && a.Memory != nil {
				return &verdict.Reason{Kind: verdict.NotModelled, Place: auto.Locs[l].Pos,
					Text: "a loop was found, but it uses memory without variables: whether that is the same behind it is not known"}
			}
		}
	}
	return nil
}

// schedule are the visible actions of a lasso, with the processes that perform them.
func (s *searched) schedule(l *lasso, rounds int) (all []witness.Joint) {
	do := func(way []passed) {
		for _, p := range way {
			st := s.step(p)
			if st.action == lts.Tau {
				continue
			}
			j := witness.Joint{Action: st.action}
			for _, m := range st.moves {
				j.Parts = append(j.Parts, m.process)
			}
			slices.Sort(j.Parts)
			all = append(all, j)
		}
	}
	do(l.stem)
	for range rounds {
		do(l.loop)
	}
	return all
}

// order says in which order the processes make the edges of a lasso.
func (s *searched) order(l *lasso, rounds int) (all []int) {
	do := func(st *step) {
		for i, m := range st.moves {
			n := len(m.way.edges)
			if i > 0 && st.action != lts.Tau {
				n-- // it is the action of the first
			}
			all = append(all, slices.Repeat([]int{m.process}, n)...)
		}
	}
	do(&s.inits[l.first])
	for _, p := range l.stem {
		do(s.step(p))
	}
	for range rounds {
		for _, p := range l.loop {
			do(s.step(p))
		}
	}
	return all
}

// confirm checks by the formula itself that a lasso violates what is asked.
func (s *searched) confirm(l *lasso) error {
	if s.automaton == nil {
		return nil
	}
	var w ltl.Word
	last := node{tuple: s.inits[l.first].to, fluents: s.asked.initially}
	if s.asked.hasConds {
		w.Stem = append(w.Stem, s.valuation(last, lts.Tau))
	}
	do := func(way []passed) (all []uint64) {
		for _, p := range way {
			last = s.nodes[p.arc.to]
			if p.arc.moves {
				all = append(all, s.valuation(last, s.step(p).action))
			}
		}
		return all
	}
	w.Stem = append(w.Stem, do(l.stem)...)
	if w.Loop = do(l.loop); len(w.Loop) == 0 {
		w.Loop = []uint64{s.valuation(last, lts.Tau)}
	}
	if ltl.Holds(s.asked.formula, w) {
		return verdict.Because(verdict.Fault,
			"the run that was found does not violate the formula, which is a fault of this tool")
	}
	return nil
}
