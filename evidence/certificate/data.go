package certificate

// Level one of a certificate: the listed abstract states and transitions
// simulate the component.
//
// Idea: R relates a concrete state at a control point with the abstract states
// there whose literals it satisfies. Every initial concrete state is related to
// the initial abstract state, which says nothing about data. If s is an abstract
// state, and a step of the component leads from s's control point to n with the
// action a, then every concrete state after the step must satisfy the literals of
// one of the targets that s lists for (a, n). That is an obligation without
// quantifiers: the literals of s, the step's guard, and for every such target the
// negation of one of its literals, rewritten to speak of the state before the
// step, contradict each other. By induction on the run, every trace of the
// component is a trace of the listed states.
//
// Source: forward simulation (Lynch and Vaandrager, 1995); weakest
// preconditions as in Chaki et al., "Efficient Verification of Sequential and
// Concurrent C Programs" (2004), section 5.2.
//
// Cost: at most two queries for an abstract state and a step from its control
// point; queries that come again, as most do once literals that have no part
// are left out, are answered from memory. So are the literals of each predicate
// and what they say before each step.

import (
	"context"
	"encoding/binary"
	"slices"

	"magus/component"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
)

// A Checker checks abstractions of one component. It remembers the answers to
// obligations, so that a second abstraction that resembles the first costs less.
type Checker struct {
	prog   *program
	solver solver.Solver
	known  map[string]bool             // answers by the terms of the query
	vars   map[*expr.Expr][]*expr.Expr // of literals

	passed  *passing // the steps asked for last
	through string   // and the control points without states
}

// NewChecker makes the checker of a component; s answers its obligations.
func NewChecker(c *component.Component, s solver.Solver) *Checker {
	prog := newProgram(c)
	return &Checker{prog: prog, solver: s, known: map[string]bool{}, vars: map[*expr.Expr][]*expr.Expr{}}
}

// Alphabet is the component's, sorted: what its statements, the abstractions of
// the routines that it calls and its observed returns perform.
func (k *Checker) Alphabet() []lts.Action { return k.prog.alphabet }

// obligations checks level one of one abstraction.
type obligations struct {
	*Checker
	ctx      context.Context
	comp     *Component
	steps    *passing
	literals [][2]*expr.Expr // by predicate: that it does not hold, that it does
	sets     [][]*expr.Expr  // the literals that each state stands for
}

// Data returns nil if the abstract states and transitions of c simulate the
// component, and a *RefutedError if that is not shown.
func (k *Checker) Data(ctx context.Context, c *Component) error {
	o, err := k.obliged(ctx, c)
	if err != nil {
		return err
	}
	for i := range c.States {
		if err := o.state(i); err != nil {
			return err
		}
	}
	return nil
}

// obliged has what is to be checked of each state, and has checked what has nothing to do with data.
func (k *Checker) obliged(ctx context.Context, c *Component) (*obligations, error) {
	terms, err := c.build(k.prog.comp.CFA)
	if err != nil {
		return nil, err
	}
	steps, err := k.passing(ctx, c)
	if err != nil {
		return nil, err
	}
	o := &obligations{Checker: k, ctx: ctx, comp: c, steps: steps}
	for _, a := range c.Atoms {
		if a < 0 || a >= len(terms) || !terms[a].Type().IsBool() {
			return nil, refuted(c.atomsLine, "predicate %d is not a condition among the terms", a)
		}
		o.literals = append(o.literals, [2]*expr.Expr{k.prog.comp.CFA.Pool.Not(terms[a]), terms[a]})
	}
	if err := o.shape(); err != nil {
		return nil, err
	}
	for i := range c.States {
		o.sets = append(o.sets, o.stateLiterals(&c.States[i]))
	}
	return o, nil
}

// shape checks what has nothing to do with data.
func (o *obligations) shape() error {
	c := o.comp
	if len(c.States) == 0 {
		return refuted(c.line, "component %s has no states", c.Name)
	}
	for i := range c.States {
		s := &c.States[i]
		if o.steps.through[s.At] {
			return refuted(s.line, "a state at %v, which is said to have none", s.At)
		}
		if len(s.Holds) != len(c.Atoms) {
			return refuted(s.line, "%d truth values for %d predicates", len(s.Holds), len(c.Atoms))
		}
		for _, v := range s.Holds {
			if v != '0' && v != '1' && v != '-' {
				return refuted(s.line, "truth value %q is none of 0, 1, -", v)
			}
		}
		for _, e := range s.Edges {
			if e.To < 0 || e.To >= len(c.States) {
				return refuted(s.line, "a transition leads to state %d, there are %d", e.To, len(c.States))
			}
		}
	}
	first := &c.States[0]
	if first.At.Kind != Start {
		return refuted(first.line, "the first state is at %v, not at the start", first.At)
	}
	for _, v := range first.Holds {
		if v != '-' {
			return refuted(first.line, "the first state says something about data")
		}
	}
	return nil
}

// stateLiterals are the conditions that an abstract state stands for.
func (o *obligations) stateLiterals(s *State) []*expr.Expr {
	var ls []*expr.Expr
	for i, v := range s.Holds {
		if v != '-' {
			ls = append(ls, o.literals[i][v-'0'])
		}
	}
	return ls
}

// rewritten is what a literal after a step says before it.
func (w *passing) rewritten(st *step, l *expr.Expr) *expr.Expr {
	if len(st.assign) == 0 {
		return l
	}
	if w.before[st.number] == nil {
		w.before[st.number] = map[*expr.Expr]*expr.Expr{}
	}
	r, ok := w.before[st.number][l]
	if !ok {
		by := map[*expr.Expr]*expr.Expr{}
		for _, a := range st.assign {
			by[a.to] = a.value
		}
		r = w.comp.CFA.Pool.Subst(l, by)
		w.before[st.number][l] = r
	}
	return r
}

// varsOf are the variables of a literal.
func (k *Checker) varsOf(l *expr.Expr) []*expr.Expr {
	vs, ok := k.vars[l]
	if !ok {
		vs = expr.Vars(l)
		k.vars[l] = vs
	}
	return vs
}

func (o *obligations) state(i int) error {
	s := &o.comp.States[i]
	if err := o.ctx.Err(); err != nil {
		return context.Cause(o.ctx)
	}
	steps := o.steps.steps[s.At]
	for k := range steps {
		st := &steps[k]
		covered, err := o.covered(s, o.sets[i], st)
		if err != nil {
			return err
		}
		if !covered {
			return refuted(s.line, "the state does not list every target of the step %s to %v", o.prog.name(st.action), st.to)
		}
	}
	return nil
}

func (p *program) name(a lts.Action) string {
	if a == lts.Tau {
		return "tau"
	}
	return p.comp.Actions.Name(a)
}

// covered asks whether the targets that s lists for a step are all there are.
func (o *obligations) covered(s *State, before []*expr.Expr, st *step) (bool, error) {
	pool := o.prog.comp.CFA.Pool
	action := ""
	if st.action != lts.Tau {
		action = o.prog.comp.Actions.Name(st.action)
	}
	var missed []*expr.Expr // by target: it is not reached
	for _, e := range s.Edges {
		target := &o.comp.States[e.To]
		if e.Action != action || target.At != st.to {
			continue
		}
		var wrong []*expr.Expr
		for _, l := range o.sets[e.To] {
			if w := o.steps.rewritten(st, l); !w.IsTrue() && !slices.Contains(before, w) && !slices.Contains(st.guard, w) {
				wrong = append(wrong, pool.Not(w))
			}
		}
		if len(wrong) == 0 {
			return true, nil
		}
		missed = append(missed, pool.Lor(wrong...))
	}
	return o.contradictory(before, append(slices.Clone(st.guard), missed...))
}

// contradictory asks whether literals and conditions exclude each other, first
// with those literals only that share variables with the conditions, directly
// or by way of others. If those are consistent the rest may still not be.
func (o *obligations) contradictory(literals, conds []*expr.Expr) (bool, error) {
	near, far := o.cone(literals, conds)
	no, err := o.unsat(append(conds, near...))
	if err != nil || no || len(far) == 0 {
		return no, err
	}
	return o.unsat(far)
}

// cone splits literals into those connected with conds and the others.
func (k *Checker) cone(literals, conds []*expr.Expr) (near, far []*expr.Expr) {
	in := map[*expr.Expr]bool{}
	for _, v := range expr.Vars(conds...) {
		in[v] = true
	}
	far = slices.Clone(literals)
	for grown := true; grown; {
		grown = false
		far = slices.DeleteFunc(far, func(l *expr.Expr) bool {
			vs := k.varsOf(l)
			if !slices.ContainsFunc(vs, func(v *expr.Expr) bool { return in[v] }) {
				return false
			}
			for _, v := range vs {
				in[v] = true
			}
			near, grown = append(near, l), true
			return true
		})
	}
	return near, far
}

func (o *obligations) unsat(conds []*expr.Expr) (bool, error) {
	ids := make([]int, len(conds))
	for i, c := range conds {
		if c.IsFalse() {
			return true, nil
		}
		ids[i] = c.ID()
	}
	slices.Sort(ids)
	var key []byte
	for _, id := range slices.Compact(ids) {
		key = binary.AppendUvarint(key, uint64(id))
	}
	if no, ok := o.known[string(key)]; ok {
		return no, nil
	}
	r, err := o.solver.Check(o.ctx, conds...)
	if err != nil {
		return false, err
	}
	o.known[string(key)] = r == solver.Unsat
	return r == solver.Unsat, nil
}
