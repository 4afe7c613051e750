package certificate

// That nothing goes on for ever unobserved.
//
// Idea: an infinite run of steps that the specification does not observe stays, from some time on, in a strongly
// connected part of the models' tuples. There must be none, but for those that ranks take apart. A rank is a term over
// the variables of one component. Where no move that a copy of it makes in the part makes the term greater, moves that
// make it less are made finitely often, and steps with them are left out. What is left has parts of its own.
//
// What a move does is asked of each step of the component that it may stand for, with what the states say before and
// behind it. Besides, a condition holds at a state, once a run has stayed in the part for long, if each move of the
// copy in the part that leads there has it, or comes from where it holds, and changes nothing of it. It is the least
// solution: nothing is known because it is known.
//
// SOUND: terms have finitely many values, so no rank needs a bound. Copies share no variables.
//
// Source: docs/semantics.md, "What the specification must offer"; it is written from there and not from package cegar.
// Cost: the tuples' steps for each step left out at worst; three queries for a step and a rank.

import (
	"context"
	"slices"

	"magus/internal/graph"
	"magus/lts"
	"magus/smt/expr"
)

// An endless looks for what goes on for ever.
type endless struct {
	ctx    context.Context
	line   int
	models []*endlessModel
	of     []int // by copy: its model
	ranks  []*endlessRank
	arcs   [][]endlessArc // by tuple
}

// An endlessArc is a step that is not observed.
type endlessArc struct {
	to    int
	moves []modelMove
	gone  bool
}

// An endlessModel is a component's model with the steps that its moves stand for.
type endlessModel struct {
	*obligations
	own    map[*expr.Expr]bool // the component's variables
	stands map[modelMove][]*step
}

// An endlessRank is a rank with its term.
type endlessRank struct {
	Lessening
	term *expr.Expr
}

// newEndless makes ready the ranks of a certificate, and what is to be known of the models for them.
func (c *Certificate) newEndless(ctx context.Context, checkers []*Checker, of []int) (*endless, error) {
	x := &endless{ctx: ctx, line: c.line, of: of, models: make([]*endlessModel, len(checkers))}
	for i := range c.Ends {
		r := &c.Ends[i]
		if r.Component < 0 || r.Component >= len(checkers) {
			return nil, refuted(r.line, "the rank is of component %d, there are %d", r.Component, len(checkers))
		}
		comp := &c.Components[r.Component]
		if comp.Blocks > 0 {
			return nil, refuted(r.line, "the rank is of a component whose model is not its states")
		}
		if x.models[r.Component] == nil {
			o, err := checkers[r.Component].obliged(ctx, comp)
			if err != nil {
				return nil, err
			}
			m := &endlessModel{obligations: o, own: map[*expr.Expr]bool{}, stands: map[modelMove][]*step{}}
			for _, v := range variables(o.prog.comp.CFA) {
				m.own[v] = true
			}
			x.models[r.Component] = m
		}
		terms, err := comp.build(checkers[r.Component].prog.comp.CFA)
		if err != nil {
			return nil, err
		}
		if r.Term < 0 || r.Term >= len(terms) || !ranks(terms[r.Term].Type()) {
			return nil, refuted(r.line, "the rank is no integer among the terms of %s", comp.Name)
		}
		x.ranks = append(x.ranks, &endlessRank{*r, terms[r.Term]})
	}
	return x, nil
}

// checkEndless checks that no steps of the tuples that are not observed go on for ever where the specification does
// not diverge.
func (c *Certificate) checkEndless(ctx context.Context, t *tuples, checkers []*Checker) error {
	x, err := c.newEndless(ctx, checkers, t.of)
	if err != nil {
		return err
	}
	number := map[string]int{}
	for n, q := range t.all {
		number[tupleKey(q)] = n
	}
	x.arcs = make([][]endlessArc, len(t.all))
	hidden := &tuples{models: t.models, progs: t.progs, sub: t.sub, spec: t.spec, of: t.of}
	for n, q := range t.all {
		if t.sub.Divergent != nil && slices.Contains(q.known, *t.sub.Divergent) {
			continue
		}
		missed := false
		hidden.leads = func(to tuple, made []modelMove) {
			m, met := number[tupleKey(to)]
			missed = missed || !met
			x.arcs[n] = append(x.arcs[n], endlessArc{to: m, moves: made})
		}
		hidden.expand(q)
		if missed {
			return refuted(c.line, "a tuple of states was not met")
		}
	}
	return x.check("steps of the models that are not observed lead in a circle")
}

// checkAlone checks that no steps of one model that are not observed go on for ever: then no number of copies does,
// for one of them would make infinitely many such steps.
func (c *Certificate) checkAlone(ctx context.Context, sub *Subject, checkers []*Checker, models []*lts.LTS) error {
	for i, m := range models {
		x, err := c.newEndless(ctx, checkers, []int{i})
		if err != nil {
			return err
		}
		x.arcs = make([][]endlessArc, m.NumStates())
		for n := range x.arcs {
			for _, e := range m.Out(lts.State(n)) {
				if _, says := checkers[i].prog.standing[e.Action]; !says && !sub.Spec.HasAction(e.Action) {
					made := []modelMove{{0, lts.State(n), e.To, e.Action}}
					x.arcs[n] = append(x.arcs[n], endlessArc{to: int(e.To), moves: made})
				}
			}
		}
		if err := x.check("steps of component %d that are not observed lead in a circle", i+1); err != nil {
			return err
		}
	}
	return nil
}

// check takes parts apart until there are none, or one that no rank takes apart.
func (x *endless) check(why string, args ...any) error {
	g := graph.Func{Nodes: len(x.arcs), Succ: func(n int, yield func(int)) {
		for k := range x.arcs[n] {
			if !x.arcs[n][k].gone {
				yield(x.arcs[n][k].to)
			}
		}
	}}
	for {
		c := graph.SCC(g)
		on, left := c.OnCycle(g), false
		for _, members := range c.Members() {
			if !on[members[0]] {
				continue
			}
			if left = true; x.ctx.Err() != nil {
				return context.Cause(x.ctx)
			}
			var part []*endlessArc
			for _, n := range members {
				for k := range x.arcs[n] {
					if a := &x.arcs[n][k]; !a.gone && c.Of[a.to] == c.Of[n] {
						part = append(part, a)
					}
				}
			}
			switch taken, err := x.takeApart(part); {
			case err != nil:
				return err
			case !taken:
				return refuted(x.line, why, args...)
			}
		}
		if !left {
			return nil
		}
	}
}

// takeApart leaves out steps of a part with the first rank that fits it.
func (x *endless) takeApart(part []*endlessArc) (taken bool, err error) {
	for _, r := range x.ranks {
		for k, i := range x.of {
			if i != r.Component {
				continue
			}
			less, err := x.lessens(r, movesOf(part, k))
			if err != nil {
				return false, err
			}
			for _, a := range part {
				if slices.ContainsFunc(a.moves, func(m modelMove) bool { return slices.Contains(less, m) }) {
					a.gone, taken = true, true
				}
			}
			if taken {
				return true, nil
			}
		}
	}
	return false, nil
}

// movesOf are the moves of a copy in a part.
func movesOf(part []*endlessArc, copy int) (all []modelMove) {
	seen := map[modelMove]bool{}
	for _, a := range part {
		for _, m := range a.moves {
			if m.copy == copy && !seen[m] {
				seen[m] = true
				all = append(all, m)
			}
		}
	}
	return all
}

// lessens are those of a copy's moves that make a rank less; none if one may make it greater.
func (x *endless) lessens(r *endlessRank, moves []modelMove) (less []modelMove, err error) {
	m := x.models[r.Component]
	for _, v := range moves {
		if err := m.find(v); err != nil {
			return nil, err
		}
	}
	facts := m.facts(moves)
	for _, v := range moves {
		switch e, err := m.effect(r, v, facts[v.from]); {
		case err != nil || e == greater:
			return nil, err
		case e == lesser:
			less = append(less, v)
		}
	}
	return less, nil
}

// given is what holds before a step that a move stands for.
func (m *endlessModel) given(v modelMove, st *step) []*expr.Expr {
	all := append(slices.Clone(m.sets[v.from]), st.guard...)
	for _, l := range m.sets[v.to] {
		all = append(all, m.steps.rewritten(st, l))
	}
	return slices.DeleteFunc(all, (*expr.Expr).IsTrue)
}

// find finds the steps that a move stands for.
func (m *endlessModel) find(v modelMove) error {
	if _, known := m.stands[v]; known {
		return nil
	}
	m.stands[v] = nil
	steps := m.steps.steps[m.comp.States[v.from].At]
	for k := range steps {
		st := &steps[k]
		if st.action != v.action || st.to != m.comp.States[v.to].At {
			continue
		}
		never, err := m.unsat(m.given(v, st))
		if err != nil {
			delete(m.stands, v)
			return err
		}
		if !never {
			m.stands[v] = append(m.stands[v], st)
		}
	}
	return nil
}

// effect is what a move does to a rank, whatever the values are.
func (m *endlessModel) effect(r *endlessRank, v modelMove, facts []*expr.Expr) (effect, error) {
	pool, most := m.prog.comp.CFA.Pool, lesser
	for _, st := range m.stands[v] {
		small, large := m.steps.rewritten(st, r.term), r.term
		if r.Up {
			small, large = large, small
		}
		if small == large {
			most = same
			continue
		}
		given := slices.Concat(m.given(v, st), facts)
		never, err := m.unsat(append(slices.Clip(given), pool.Lt(large, small)))
		if err != nil {
			return greater, err
		}
		if !never {
			return greater, nil
		}
		if never, err = m.unsat(append(slices.Clip(given), pool.Eq(large, small))); err != nil {
			return greater, err
		}
		if !never {
			most = same
		}
	}
	return most, nil
}

// facts are conditions that hold at states once a run has stayed for long in a part in which a copy makes some moves.
func (m *endlessModel) facts(moves []modelMove) map[lts.State][]*expr.Expr {
	var all []*expr.Expr
	for _, v := range moves {
		for _, st := range m.stands[v] {
			for _, g := range st.guard {
				foreign := slices.ContainsFunc(expr.Vars(g), func(v *expr.Expr) bool { return !m.own[v] })
				if !foreign && !slices.Contains(all, g) {
					all = append(all, g)
				}
			}
		}
	}
	facts := map[lts.State][]*expr.Expr{}
	for _, f := range all {
		holds := map[lts.State]bool{}
		for range moves { // each time there are more states, or it ends
			more := m.comesTo(f, holds, moves)
			if len(more) == 0 {
				break
			}
			for _, s := range more {
				holds[s], facts[s] = true, append(facts[s], f)
			}
		}
	}
	return facts
}

// comesTo are the other states to which all moves bring a condition that holds at some states.
func (m *endlessModel) comesTo(f *expr.Expr, holds map[lts.State]bool, moves []modelMove) (all []lts.State) {
	lost, vars := map[lts.State]bool{}, m.varsOf(f)
	for _, v := range moves {
		for _, st := range m.stands[v] {
			changed := slices.ContainsFunc(st.assign, func(a assignment) bool { return slices.Contains(vars, a.to) })
			if changed || !holds[v.from] && !slices.Contains(st.guard, f) {
				lost[v.to] = true
			}
		}
	}
	for _, v := range moves {
		if !lost[v.to] && !holds[v.to] && !slices.Contains(all, v.to) {
			all = append(all, v.to)
		}
	}
	return all
}
