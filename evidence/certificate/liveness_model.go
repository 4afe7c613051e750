package certificate

// What the model of a component does for certain.
//
// Idea: of a state that is met it is checked that it lists all targets (data.go). What is certain is more:
// each state of the component that the model's state stands for has a step with an action, or one to a
// target. What a step needs is a conjunction. Conditions on what is before the step have to follow from what
// the state says; those on a value that the step chooses have to be satisfiable, if somebody chooses it and
// it is not just unknown; of conditions on both it is not said.
//
// A state whose only step is silent, certain, and leaves the conditions of the formula as they are, is gone through
// together with the states behind it up to the first that is not like that: until then the component offers
// nothing to others.
//
// Source: docs/semantics.md. Cost: a few queries for a state and a step.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
)

// mostCopies are bits of a word.
const mostCopies = 64

// A liveModel is the model of a component, looked at where it is met.
type liveModel struct {
	*obligations
	terms  []*expr.Expr
	conds  map[int]*expr.Expr // of the formula
	own    map[*expr.Expr]bool
	before map[Node]bool // control points at which initial values are not set yet
	states []*liveState  // nil: not met
}

// A liveState is what is known of one that was met.
type liveState struct {
	ways  []*liveWay
	can   map[string]bool // actions that are certain
	conds uint64          // those of the formula that hold
	begun bool
	noRun bool // an assumption fails
	by    map[*expr.Expr]*expr.Expr
}

// A liveWay leads from a state to another one, through some with a silent step.
type liveWay struct {
	action string
	path   []int // from the first state to the last
}

func (w *liveWay) to() int { return w.path[len(w.path)-1] }

func newLiveModel(ctx context.Context, ch *Checker, c *Component, conds map[int]*expr.Expr) (*liveModel, error) {
	if len(c.Through) > 0 || c.Blocks > 0 {
		return nil, refuted(c.line, "component %s has blocks, or control points without states", c.Name)
	}
	o, err := ch.obliged(ctx, c)
	if err != nil {
		return nil, err
	}
	m := &liveModel{obligations: o, conds: conds, own: map[*expr.Expr]bool{}, before: map[Node]bool{},
		states: make([]*liveState, len(c.States))}
	if m.terms, err = c.build(ch.prog.comp.CFA); err != nil {
		return nil, err
	}
	for _, v := range variables(ch.prog.comp.CFA) {
		m.own[v] = true
	}
	m.begins()
	return m, nil
}

// begins finds where first values are not set yet: from the start through declarations, with what their values are
// computed by, as far as control does not come back there.
func (m *liveModel) begins() {
	auto := m.prog.comp.CFA
	into := make([]int, len(auto.Locs)+1)
	into[auto.Entry]++
	for i := range auto.Locs {
		for _, to := range auto.Locs[i].Succ {
			into[to]++
		}
	}
	kinds, declared := map[*expr.Expr]cfa.VarKind{}, map[*expr.Expr]cfa.Pos{}
	for _, v := range auto.Vars {
		kinds[v.Expr], declared[v.Expr] = v.Kind, v.Pos
	}
	m.before[Node{Kind: Start}] = true
	var passed []Node
	for l := int(auto.Entry); len(passed) <= len(auto.Locs); l = int(auto.Locs[l].Succ[0]) {
		loc := &auto.Locs[l]
		if passed = append(passed, Node{Kind: Location, Loc: l}); into[l] > 1 {
			return
		}
		if _, is := loc.Stmt.(cfa.Goto); is {
			continue
		}
		s, is := loc.Stmt.(cfa.Assign)
		if !is {
			return
		}
		switch kind, known := kinds[s.LHS]; {
		case known && kind == cfa.Temp:
		case known && kind != cfa.Param && declared[s.LHS] == loc.Pos:
			for _, n := range passed {
				m.before[n] = true
			}
		default:
			return
		}
	}
}

// steps are those of a control point that are ever made.
func (m *liveModel) stepsAt(n Node) (all []*step) {
	steps := m.steps.steps[n]
	for i := range steps {
		if !slices.ContainsFunc(steps[i].guard, (*expr.Expr).IsFalse) {
			all = append(all, &steps[i])
		}
	}
	return all
}

// meet is what is known of a state before it is looked at where it leads.
func (m *liveModel) meet(i int) (*liveState, error) {
	if m.states[i] != nil {
		return m.states[i], nil
	}
	s := &m.comp.States[i]
	q := &liveState{begun: !m.before[s.At], by: m.constants(m.sets[i])}
	if m.states[i] = q; len(m.stepsAt(s.At)) == 0 {
		q.noRun = m.isNoRun(s.At)
	}
	return q, m.holding(i, q)
}

// open is what is known of a state, once it was checked that it lists all targets.
func (m *liveModel) open(i int) (*liveState, error) {
	q, err := m.meet(i)
	if err != nil || q.can != nil {
		return q, err
	}
	s := &m.comp.States[i]
	if err := m.state(i); err != nil {
		return nil, err
	}
	steps := m.stepsAt(s.At)
	if len(steps) == 0 && !m.stops(s.At) {
		return nil, refuted(s.line, "what comes at %v is not modelled", s.At)
	}
	q.can = map[string]bool{}
	for _, st := range steps {
		if st.action != lts.Tau && m.prog.comp.IsCut(st.action) {
			return nil, refuted(s.line, "a run may come to where recursion is not followed, or what is not modelled")
		}
		action := m.label(st)
		if _, asked := q.can[action]; asked {
			continue
		}
		if q.can[action], err = m.possible(i, q, action, steps); err != nil {
			return nil, err
		}
	}
	for _, e := range s.Edges {
		if w := (&liveWay{e.Action, []int{i, e.To}}); !slices.ContainsFunc(q.ways, func(o *liveWay) bool {
			return o.action == w.action && o.to() == w.to()
		}) {
			q.ways = append(q.ways, w)
		}
	}
	return q, nil
}

// label is a step's action as the file has it.
func (m *liveModel) label(st *step) string {
	if st.action == lts.Tau {
		return ""
	}
	return m.prog.name(st.action)
}

// stops reports whether it is meant that a control point has no steps.
func (m *liveModel) stops(n Node) bool {
	_, halts := m.halt(n)
	return n.Kind != Location || halts
}

// isNoRun reports whether an assumption fails at a control point without steps.
func (m *liveModel) isNoRun(n Node) bool {
	h, halts := m.halt(n)
	return halts && !h.Ends && !h.Waits
}

func (m *liveModel) halt(n Node) (h cfa.Halt, is bool) { return m.prog.halt(n) }

// halt is the statement at a control point, if it ends the run.
func (p *program) halt(n Node) (h cfa.Halt, is bool) {
	if n.Kind == Location && n.Loc >= 0 && n.Loc < len(p.comp.CFA.Locs) {
		h, is = p.comp.CFA.Locs[n.Loc].Stmt.(cfa.Halt)
	}
	return h, is
}

// holding finds which conditions of the formula hold at a state.
func (m *liveModel) holding(i int, q *liveState) error {
	pool := m.prog.comp.CFA.Pool
	for n := range mostPropositions {
		c := m.conds[n]
		if c == nil || !q.begun {
			continue
		}
		is, err := m.unsat(append(slices.Clone(m.sets[i]), pool.Not(c)))
		if err != nil {
			return err
		}
		isNot, err := m.unsat(append(slices.Clone(m.sets[i]), c))
		if err != nil {
			return err
		}
		if !is && !isNot {
			return refuted(m.comp.States[i].line, "whether a condition of the formula holds here is not said")
		}
		if is {
			q.conds |= 1 << n
		}
	}
	return nil
}

// constants are variables whose value a state says.
func (m *liveModel) constants(literals []*expr.Expr) map[*expr.Expr]*expr.Expr {
	by, pool := map[*expr.Expr]*expr.Expr{}, m.prog.comp.CFA.Pool
	for _, l := range literals {
		switch a := l.Args(); {
		case l.Op() == expr.Var:
			by[l] = pool.Bool(true)
		case l.Op() == expr.Not && a[0].Op() == expr.Var:
			by[a[0]] = pool.Bool(false)
		case l.Op() == expr.Eq && !a[0].Type().IsFloat():
			if a[0].Op() == expr.Var && a[1].IsConst() {
				by[a[0]] = a[1]
			} else if a[1].Op() == expr.Var && a[0].IsConst() {
				by[a[1]] = a[0]
			}
		}
	}
	return by
}

// possible reports whether each state of the component that a state stands for has a step with an action.
func (m *liveModel) possible(i int, q *liveState, action string, steps []*step) (bool, error) {
	pool := m.prog.comp.CFA.Pool
	var none []*expr.Expr // of the steps can be made
	for _, st := range steps {
		if m.label(st) != action {
			continue
		}
		follow, ok, err := m.needs(i, q, st, nil)
		switch {
		case err != nil:
			return false, err
		case !ok:
		case len(follow) == 0:
			return true, nil
		default:
			none = append(none, pool.Not(pool.Land(follow...)))
		}
	}
	if len(none) == 0 {
		return false, nil
	}
	return m.unsat(append(slices.Clone(m.sets[i]), none...))
}

// sure reports whether each state of the component that the first of two states stands for has a step to the other one.
func (m *liveModel) sure(from, to int, action string) (bool, error) {
	q, err := m.open(from)
	if err != nil {
		return false, err
	}
	for _, st := range m.stepsAt(m.comp.States[from].At) {
		if st.to != m.comp.States[to].At || m.label(st) != action {
			continue
		}
		var there []*expr.Expr
		for _, l := range m.sets[to] {
			there = append(there, m.steps.rewritten(st, l))
		}
		follow, ok, err := m.needs(from, q, st, there)
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		pool := m.prog.comp.CFA.Pool
		if len(follow) == 0 {
			return true, nil
		}
		if is, err := m.unsat(append(slices.Clone(m.sets[from]), pool.Not(pool.Land(follow...)))); err != nil || is {
			return is, err
		}
	}
	return false, nil
}

// needs are conditions on what is before a step that have to follow for it to be certain, with what has to
// hold behind it; ok is false if they are no answer.
func (m *liveModel) needs(i int, q *liveState, st *step, there []*expr.Expr) (follow []*expr.Expr, ok bool, err error) {
	pool := m.prog.comp.CFA.Pool
	var chosen []*expr.Expr
	for _, c := range m.conjuncts(slices.Concat(st.guard, there)) {
		c = pool.Subst(c, q.by)
		fresh, before := false, false
		for _, v := range expr.Vars(c) {
			fresh, before = fresh || !m.own[v], before || m.own[v]
		}
		switch {
		case c.IsFalse(), fresh && before, fresh && !st.isFree():
			return nil, false, nil
		case fresh:
			chosen = append(chosen, c)
		case !c.IsTrue() && !slices.Contains(m.sets[i], c):
			follow = append(follow, c)
		}
	}
	if len(chosen) > 0 {
		r, err := m.solver.Check(m.ctx, chosen...)
		if err != nil || r != solver.Sat {
			return nil, false, err
		}
	}
	return follow, true, nil
}

// conjuncts takes conjunctions apart.
func (m *liveModel) conjuncts(all []*expr.Expr) (parts []*expr.Expr) {
	pool := m.prog.comp.CFA.Pool
	for _, c := range all {
		switch {
		case c.Op() == expr.Land:
			parts = append(parts, m.conjuncts(c.Args())...)
		case c.Op() == expr.Not && c.Args()[0].Op() == expr.Lor:
			for _, d := range c.Args()[0].Args() {
				parts = append(parts, m.conjuncts([]*expr.Expr{pool.Not(d)})...)
			}
		default:
			parts = append(parts, c)
		}
	}
	return parts
}

// isFree reports whether somebody chooses the value that a step leaves open, any of those that are possible.
// A value that is not modelled is not known, and not any.
func (s *step) isFree() bool {
	chosen := 0
	for _, a := range s.assign {
		if a.fresh {
			chosen++
		}
	}
	return chosen <= 1 && s.approx == "" && !s.keeps && s.memory == nil && s.exact == nil
}

// behind is the way through states without choice from one on; nil if there is none, or it never ends.
func (m *liveModel) behind(i int) (*liveWay, error) {
	w := &liveWay{"", []int{i}}
	q, err := m.open(i)
	if err != nil {
		return nil, err
	}
	conds := q.conds
	for {
		if m.ctx.Err() != nil {
			return nil, context.Cause(m.ctx)
		}
		if len(q.ways) != 1 || q.ways[0].action != "" || !q.can[""] || len(q.can) != 1 || !q.begun {
			break
		}
		to := q.ways[0].to()
		if slices.Contains(w.path, to) {
			return nil, nil
		}
		next, err := m.meet(to)
		if err != nil {
			return nil, err
		}
		if next.conds != conds || next.noRun {
			break
		}
		w.path = append(w.path, to)
		if q, err = m.open(to); err != nil {
			return nil, err
		}
	}
	if len(w.path) == 1 {
		return nil, nil
	}
	return w, nil
}

// from are the ways from a state, with those without choice taken as one.
func (m *liveModel) from(i int) ([]*liveWay, error) {
	q, err := m.open(i)
	if err != nil {
		return nil, err
	}
	w, err := m.behind(i)
	if err != nil || w == nil {
		return q.ways, err
	}
	return []*liveWay{w}, nil
}
