package liveness

// The finite graph of a component.
//
// Idea: states are explored from the first on. A state has values of variables that are read before they are
// written; the others are forgotten. A value that is known is a constant. Of those that are not, it is kept which
// predicates hold of them: the conditions of the control graph, and those found where these do not suffice. Values
// that so few are possible of are told apart. A transition is certain if every state of the component that its
// source stands for has one to a state that its target stands for: then what the graph does the component does. If all
// are, the graph and the component are bisimilar.
//
// Source: Graf, Saïdi: Construction of abstract state graphs with PVS (CAV 1997); may and must transitions as in
// Larsen, Thomsen: A modal process logic (LICS 1988).
//
// Cost: the states times the edges at each; a few queries a transition where values are not known, and none where
// they are.

import (
	"context"
	"encoding/binary"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/internal/bitset"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
)

// A status says what it means that a state goes no further.
type status uint8

const (
	running status = iota
	ended          // nothing is done any more, and nothing waited for
	waiting        // for ever
	noRun          // an assumption fails: no run comes here
	unknown        // what comes is not modelled, or recursion that is not followed
)

// A state is one of the graph.
type state struct {
	node   component.Node
	values []value      // of the variables that matter at the node, in their order
	holds  []*expr.Expr // predicates of those that are not known, and negations
	status status
	conds  uint64 // those of the formula that hold, by their numbers
}

// A value is a constant, or not known.
type value struct {
	known bool
	bits  uint64
}

// A transition is a step of the component.
type transition struct {
	action  lts.Action
	to      int32
	edges   []int32 // of the control graph
	certain bool    // every state has it
	enabled bool    // every state can take the edge, perhaps to another state
}

// A behaviour is a component's.
type behaviour struct {
	control *component.Graph
	states  []state
	out     [][]transition
	exact   bool
	preds   []*expr.Expr
	matters [][]*expr.Expr     // variables, by node of the control graph
	started []bool             // by node of the control graph: the initial values are set
	conds   map[int]*expr.Expr // of the formula, by number
}

// An unfolding explores a component.
type unfolding struct {
	*behaviour
	pool   *expr.Pool
	solver solver.Full
	vars   []*expr.Expr
	number map[*expr.Expr]int32
	live   []bitset.Set[int32]             // by node
	order  [][]int32                       // variables that matter, by node
	loose  map[*expr.Expr]bool             // variables whose values are not kept though they are known
	at     map[component.Node][]*expr.Expr // predicates, by node
	index  map[string]int32
	guide  *guide
	most   int // states
}

// fewValues is how many values of a variable are told apart where predicates speak of it.
const fewValues = 9

// unfold explores a component; conds are conditions of the formula over its variables, preds predicates besides the
// conditions of the control graph, loose variables of which only predicates are kept, g
// says where it is not worth to go on. An [*manyStates] is the error
// that there are too many. The error is ctx's or the decision procedure's, or a reason.
func unfold(ctx context.Context, c *component.Graph, sv solver.Full, conds map[int]*expr.Expr, preds []*expr.Expr,
	loose map[*expr.Expr]bool, g *guide, most int) (*behaviour, error) {
	u := &unfolding{behaviour: &behaviour{control: c, exact: true, conds: conds}, pool: c.Comp.CFA.Pool,
		solver: sv, loose: loose, guide: g,
		number: map[*expr.Expr]int32{}, at: map[component.Node][]*expr.Expr{}, index: map[string]int32{}, most: most}
	u.collect(preds)
	u.liveness()
	u.starts()
	u.state(state{node: component.Init, values: make([]value, len(u.order[component.Init]))})
	u.guide.begin()
	for todo := []int32{0}; len(todo) > 0; {
		i := todo[0]
		todo = todo[1:]
		if len(u.states) > u.most {
			return nil, u.many()
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := u.expand(ctx, i); err != nil {
			return nil, err
		}
		todo = u.guide.onward(u.behaviour, i, todo)
	}
	u.guide.end(u.behaviour)
	return u.behaviour, nil
}

// collect finds the variables and the predicates.
func (u *unfolding) collect(preds []*expr.Expr) {
	add := func(es ...*expr.Expr) {
		for _, v := range expr.Vars(es...) {
			if _, ok := u.number[v]; !ok && !u.control.IsFresh(v) {
				u.number[v] = int32(len(u.vars))
				u.vars = append(u.vars, v)
			}
		}
	}
	pred := func(p *expr.Expr) {
		if p.Op() == expr.Not {
			p = p.Args()[0]
		}
		if !p.IsConst() && !slices.Contains(u.preds, p) && !slices.ContainsFunc(expr.Vars(p), u.control.IsFresh) {
			u.preds = append(u.preds, p)
		}
	}
	for i := range u.control.Edges {
		e := &u.control.Edges[i]
		add(e.Guard...)
		for _, x := range e.Update {
			add(x.Var, x.Term)
		}
		for _, g := range e.Guard {
			pred(g)
		}
	}
	for n := range 64 {
		if c := u.conds[n]; c != nil {
			add(c)
			pred(c)
		}
	}
	for _, p := range preds {
		add(p)
		pred(p)
	}
}

// liveness finds which variables matter at which nodes: those read before they are written, to compute what matters.
func (u *unfolding) liveness() {
	n := u.control.NumNodes()
	u.matters = make([][]*expr.Expr, n)
	u.live, u.order = make([]bitset.Set[int32], n), make([][]int32, n)
	var always []*expr.Expr
	for k := range 64 {
		if c := u.conds[k]; c != nil {
			always = append(always, c)
		}
	}
	for i := range u.live {
		u.live[i] = bitset.New[int32](len(u.vars))
		for _, v := range expr.Vars(always...) {
			u.live[i].Add(u.number[v])
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(u.control.Edges) - 1; i >= 0; i-- {
			e := &u.control.Edges[i]
			changed = u.flow(e) || changed
		}
	}
	for i := range u.order {
		for v := range int32(len(u.vars)) {
			if u.live[i].Has(v) {
				u.order[i] = append(u.order[i], v)
				u.matters[i] = append(u.matters[i], u.vars[v])
			}
		}
	}
}

// flow adds what matters before an edge.
func (u *unfolding) flow(e *component.Edge) (changed bool) {
	before, behind := u.live[e.From], u.live[e.To]
	reads := func(es ...*expr.Expr) {
		for _, v := range expr.Vars(es...) {
			if !u.control.IsFresh(v) && before.Add(u.number[v]) {
				changed = true
			}
		}
	}
	reads(e.Guard...)
	written := map[int32]bool{}
	for _, x := range e.Update {
		written[u.number[x.Var]] = true
		if behind.Has(u.number[x.Var]) {
			reads(x.Term)
		}
	}
	for v := range int32(len(u.vars)) {
		if behind.Has(v) && !written[v] && before.Add(v) {
			changed = true
		}
	}
	return changed
}

// starts finds the nodes before which initial values are set: what comes before is no part of a run.
func (u *unfolding) starts() {
	u.started = make([]bool, u.control.NumNodes())
	for i := range u.started {
		u.started[i] = true
	}
	u.started[component.Init] = false
	for _, l := range u.control.Comp.CFA.FirstValues() {
		u.started[u.control.At(l)] = false
	}
}

// predicates are those of what matters at a node.
func (u *unfolding) predicates(n component.Node) []*expr.Expr {
	if all, ok := u.at[n]; ok {
		return all
	}
	all := []*expr.Expr{}
	for _, p := range u.preds {
		if !slices.ContainsFunc(expr.Vars(p), func(v *expr.Expr) bool { return !u.live[n].Has(u.number[v]) }) {
			all = append(all, p)
		}
	}
	u.at[n] = all
	return all
}

// state is the number of a state.
func (u *unfolding) state(s state) int32 {
	key := binary.AppendVarint(nil, int64(s.node))
	for _, v := range s.values {
		if v.known {
			key = binary.AppendUvarint(append(key, 1), v.bits)
		} else {
			key = append(key, 0)
		}
	}
	for _, p := range s.holds {
		key = binary.AppendVarint(key, int64(p.ID()))
	}
	i, ok := u.index[string(key)]
	if !ok {
		i = int32(len(u.states))
		u.index[string(key)] = i
		s.status = u.status(s.node)
		u.states, u.out = append(u.states, s), append(u.out, nil)
	}
	return i
}

// status is what it means that nothing leads from a node.
func (u *unfolding) status(n component.Node) status {
	if len(u.control.Out(n)) > 0 {
		return running
	}
	if n == component.Stop {
		return ended
	}
	if !u.control.IsLocation(n) { // within a routine that has ended the component
		return ended
	}
	loc, _ := u.control.Loc(n)
	h, ok := u.control.Comp.CFA.Locs[loc].Stmt.(cfa.Halt)
	switch {
	case ok && h.Ends:
		return ended
	case ok && h.Waits:
		return waiting
	case ok:
		return noRun
	}
	return unknown
}

// known are the constants of a state, to be put in.
func (u *unfolding) known(s *state) map[*expr.Expr]*expr.Expr {
	by := map[*expr.Expr]*expr.Expr{}
	for i, v := range u.order[s.node] {
		if s.values[i].known {
			x := u.vars[v]
			by[x] = u.constant(x.Type(), s.values[i].bits)
		}
	}
	return by
}

func (u *unfolding) constant(t expr.Type, bits uint64) *expr.Expr {
	if t.IsBool() {
		return u.pool.Bool(bits == 1)
	}
	return u.pool.Const(t, bits)
}

// expand finds the transitions of a state.
func (u *unfolding) expand(ctx context.Context, i int32) error {
	if !u.guide.first(i) {
		return nil
	}
	s := u.states[i]
	by := u.known(&s)
	for _, id := range u.control.Out(s.node) {
		e := &u.control.Edges[id]
		if err := u.take(ctx, i, e, by); err != nil {
			return err
		}
	}
	return nil
}

// A post is an edge taken from a state.
type post struct {
	edge  *component.Edge
	from  *state
	given []*expr.Expr              // what is known of the state, and the guard
	guard []*expr.Expr              // what is left of it
	terms map[*expr.Expr]*expr.Expr // of what matters behind, by variable; nil for what stays unknown
	free  bool                      // values that the edge leaves open are chosen, and any of them is possible
}

// take finds where an edge leads from a state.
func (u *unfolding) take(ctx context.Context, i int32, e *component.Edge, by map[*expr.Expr]*expr.Expr) error {
	s := u.states[i]
	p := &post{edge: e, from: &s, given: slices.Clone(s.holds), terms: map[*expr.Expr]*expr.Expr{}, free: u.isFree(e)}
	for _, g := range e.Guard {
		switch g = u.pool.Subst(g, by); {
		case g.IsFalse():
			return nil
		case !g.IsTrue():
			p.guard = append(p.guard, g)
		}
	}
	p.given = append(p.given, p.guard...)
	if len(p.guard) > 0 {
		if r, err := u.solver.Check(ctx, p.given...); err != nil || r == solver.Unsat {
			return err
		}
	}
	for _, v := range u.order[e.To] {
		x := u.vars[v]
		p.terms[x] = u.pool.Subst(x, by)
	}
	for _, x := range e.Update {
		if _, matters := p.terms[x.Var]; matters {
			p.terms[x.Var] = u.pool.Subst(x.Term, by)
		}
	}
	enabled, err := u.certain(ctx, p, nil)
	if err != nil {
		return err
	}
	enabled = enabled || u.control.IsLocation(e.From) && e.Action == lts.Tau && u.alwaysGoesOn(e.From)
	return u.split(ctx, i, p, enabled)
}

// alwaysGoesOn reports whether one of the edges from a location can always be taken.
func (u *unfolding) alwaysGoesOn(n component.Node) bool {
	loc, _ := u.control.Loc(n)
	switch u.control.Comp.CFA.Locs[loc].Stmt.(type) {
	case cfa.Branch, cfa.Goto, cfa.Assign, cfa.Return, cfa.Call:
		return true
	}
	return false
}

// isFree reports whether all values that an edge leaves open are chosen by nobody: inputs, and results of routines that
// are known by their abstraction. What is not modelled has a value that is not known, and not any.
func (u *unfolding) isFree(e *component.Edge) bool {
	if e.Loc < 0 {
		return false
	}
	switch s := u.control.Comp.CFA.Locs[e.Loc].Stmt.(type) {
	case cfa.Assign:
		return s.RHS != nil || s.Approx == "" && s.Memory == nil && s.Body == "" && !s.Keeps && s.Exact == nil
	case cfa.Call:
		return len(s.Clobbers) == 0 || len(s.Clobbers) == 1 && s.Clobbers[0] == s.LHS
	}
	return true
}

// split finds the states to which an edge leads: one for each combination of predicates of what is not known.
func (u *unfolding) split(ctx context.Context, i int32, p *post, enabled bool) error {
	var preds, terms []*expr.Expr
	for _, q := range u.predicates(p.edge.To) {
		if t := u.pool.Subst(q, p.terms); !t.IsConst() || u.isOpen(q, p.terms) {
			preds, terms = append(preds, q), append(terms, t)
		}
	}
	if len(terms) == 0 {
		return u.reach(ctx, i, p, nil, nil, enabled)
	}
	var all [][]bool
	err := solver.Enumerate(ctx, u.solver, terms, p.given, func(values []bool) bool {
		all = append(all, slices.Clone(values))
		return len(u.states)+len(all) <= u.most
	})
	if err != nil {
		return err
	}
	for _, values := range all {
		holds, conds := make([]*expr.Expr, len(preds)), make([]*expr.Expr, len(terms))
		for k, yes := range values {
			if holds[k], conds[k] = preds[k], terms[k]; !yes {
				holds[k], conds[k] = u.pool.Not(preds[k]), u.pool.Not(terms[k])
			}
		}
		if err := u.reach(ctx, i, p, holds, conds, enabled); err != nil {
			return err
		}
	}
	return nil
}

// reach finds the states in which some predicates hold, conds being these before the edge. Where a variable has few
// values, there is one for each.
func (u *unfolding) reach(ctx context.Context, i int32, p *post, holds, conds []*expr.Expr, enabled bool) error {
	for v := range u.order[p.edge.To] {
		x := u.vars[u.order[p.edge.To][v]]
		t := p.terms[x]
		if t.IsConst() || u.loose[x] || !u.speaksOf(conds, p.given, t) {
			continue
		}
		few, err := u.values(ctx, t, slices.Concat(p.given, conds))
		if err != nil || few == nil {
			if err != nil {
				return err
			}
			continue
		}
		for _, val := range few {
			q := *p
			c := u.constant(x.Type(), val)
			is := u.pool.Eq(t, c)
			q.given = append(slices.Clone(p.given), is)
			q.guard = append(slices.Clone(p.guard), is)
			q.terms = map[*expr.Expr]*expr.Expr{}
			for y, z := range p.terms {
				q.terms[y] = z
			}
			q.terms[x] = c
			if err := u.reach(ctx, i, &q, holds, conds, enabled); err != nil {
				return err
			}
		}
		return nil
	}
	return u.add(ctx, i, p, holds, conds, enabled)
}

// speaksOf reports whether conditions compare a term's variables with something.
func (u *unfolding) speaksOf(conds, given []*expr.Expr, t *expr.Expr) bool {
	vars := expr.Vars(t)
	return slices.ContainsFunc(expr.Vars(slices.Concat(conds, given)...), func(v *expr.Expr) bool {
		return slices.Contains(vars, v)
	})
}

// values are the values of a term under conditions, if there are few; else nil.
func (u *unfolding) values(ctx context.Context, t *expr.Expr, given []*expr.Expr) ([]uint64, error) {
	var all []uint64
	for {
		r, err := u.solver.Check(ctx, given...)
		if err != nil || r == solver.Unsat {
			slices.Sort(all)
			return all, err
		}
		if len(all) == fewValues {
			return nil, nil
		}
		val := expr.Eval(t, u.solver.Value)
		all = append(all, val)
		given = append(given[:len(given):len(given)], u.pool.Not(u.pool.Eq(t, u.constant(t.Type(), val))))
	}
}

// add adds the transition to a state.
func (u *unfolding) add(ctx context.Context, i int32, p *post, holds, conds []*expr.Expr, enabled bool) error {
	to := state{node: p.edge.To, values: make([]value, len(u.order[p.edge.To]))}
	known := map[*expr.Expr]*expr.Expr{}
	for k, v := range u.order[p.edge.To] {
		if t := p.terms[u.vars[v]]; t.IsConst() && !u.loose[u.vars[v]] {
			to.values[k], known[u.vars[v]] = value{true, t.Value()}, t
		}
	}
	for _, h := range holds {
		if h = u.pool.Subst(h, known); h.IsFalse() {
			return nil
		} else if !h.IsTrue() && !slices.Contains(to.holds, h) {
			to.holds = append(to.holds, h)
		}
	}
	slices.SortFunc(to.holds, func(a, b *expr.Expr) int { return a.ID() - b.ID() })
	for n := range 64 {
		c := u.conds[n]
		if c == nil {
			continue
		}
		switch v := u.pool.Subst(c, known); {
		case v.IsTrue() || slices.Contains(to.holds, v):
			to.conds |= 1 << n
		}
	}
	certain, err := u.certain(ctx, p, conds)
	if err != nil {
		return err
	}
	t := transition{action: p.edge.Action, to: u.state(to), edges: []int32{int32(p.edge.ID)}, certain: certain,
		enabled: enabled || certain}
	if t.action != lts.Tau && u.control.Comp.IsCut(t.action) {
		t.action = lts.Tau
		u.states[t.to].status = unknown
	}
	if k := slices.IndexFunc(u.out[i], func(o transition) bool { return o.action == t.action && o.to == t.to }); k >= 0 {
		u.out[i][k].certain = u.out[i][k].certain || certain
		return nil
	}
	u.out[i] = append(u.out[i], t)
	u.exact = u.exact && certain
	return nil
}

// certain reports whether every state that a state stands for can take an edge so that conditions hold: those
// on what is before the edge follow from what is known, and those on what it chooses can be satisfied.
func (u *unfolding) certain(ctx context.Context, p *post, conds []*expr.Expr) (bool, error) {
	var follow []*expr.Expr
	for _, c := range slices.Concat(p.guard, conds) {
		fresh, before := false, false
		for _, v := range expr.Vars(c) {
			fresh, before = fresh || u.control.IsFresh(v), before || !u.control.IsFresh(v)
		}
		switch {
		case fresh && (before || !p.free):
			return false, nil
		case fresh: // satisfiable, for the target is possible
		case !slices.Contains(p.from.holds, c):
			follow = append(follow, c)
		}
	}
	if len(follow) == 0 {
		return true, nil
	}
	not := u.pool.Not(u.pool.Land(follow...))
	if not.IsFalse() {
		return true, nil
	}
	r, err := u.solver.Check(ctx, append(slices.Clone(p.from.holds), not)...)
	return r == solver.Unsat, err
}
