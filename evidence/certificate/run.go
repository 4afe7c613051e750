package certificate

// The run of a violation, executed.
//
// Idea: every move of a component must be one of its steps: the guard holds for
// the values so far and those that the move gives to variables which may take
// any value; all other values are computed. The components' moves, each a line
// of states, are then an LTS each, and package lts/cert checks that together
// they perform the trace and that the specification does not have it.
//
// Source: docs/semantics.md. Cost: linear in the run.

import (
	"context"
	"maps"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/lts"
	"magus/lts/cert"
	"magus/smt/expr"
)

// execution is a component while it runs.
type execution struct {
	prog    *program
	vars    map[string]*expr.Expr
	values  map[*expr.Expr]uint64
	tainted map[*expr.Expr]bool // not modelled exactly, or made of such a value
	memory  contents
	unseen  bool // others see what is written to memory without variables later than it is made
}

func (c *Certificate) checkRuns(ctx context.Context, sub *Subject, checkers []*Checker) error {
	switch {
	case c.Branches != nil && sub.asksSimulation():
		return c.checkTree(ctx, sub, checkers)
	case c.Round != nil && sub.asksDivergence():
		return c.checkLasso(ctx, sub, checkers)
	case c.Round != nil && c.Branches == nil && sub.Question == component.Terminates:
		return c.checkGoesOn(ctx, sub, checkers)
	case sub.Question == component.Terminates:
		return refuted(c.line, "nothing goes on for ever")
	case c.Branches != nil || c.Round != nil || sub.asksSimulation():
		return refuted(c.line, "the runs are those of another relation")
	}
	copies, err := c.copies(sub)
	if err != nil {
		return err
	}
	lines := make([]*lts.LTS, len(c.Runs))
	for i := range c.Runs {
		line, err := c.Runs[i].execute(ctx, checkers[copies[i].Component].prog)
		if err != nil {
			return err
		}
		lines[i] = line
	}
	for _, name := range c.Trace {
		if a, ok := sub.Spec.Actions().Lookup(name); ok && sub.IsCut(a) {
			return refuted(c.traceLine, "the run comes to where recursion is not followed")
		}
	}
	if _, says := c.says(checkers[0], lines[0]); says || sub.Question == component.NoDeadlock {
		return c.checkStanding(sub, copies, checkers, lines)
	}
	if !sub.Single() {
		return c.checkJoint(sub, copies, lines)
	}
	answer := cert.Certificate{Trace: c.Trace, Spec: cert.Size{States: sub.Spec.NumStates(), Edges: sub.Spec.NumEdges()}}
	for _, a := range sub.Spec.Alphabet() {
		answer.Observed = append(answer.Observed, sub.Spec.Actions().Name(a))
	}
	slices.Sort(answer.Observed)
	for _, l := range lines {
		answer.Impl = append(answer.Impl, cert.Size{States: l.NumStates(), Edges: l.NumEdges()})
	}
	return contained(c.traceLine, answer.Check(ctx, lines, sub.Spec))
}

// execute returns the run as an LTS, one state after the other. Rounds of a loop lead back to where
// they begin, and perform nothing.
func (r *Run) execute(ctx context.Context, prog *program) (*lts.LTS, error) {
	return r.executeSeeing(ctx, prog, func(int, *step, *execution) {})
}

// executeSeeing is execute where somebody sees each move that is no rounds, with its number, after it is made.
func (r *Run) executeSeeing(ctx context.Context, prog *program, see func(int, *step, *execution)) (*lts.LTS, error) {
	x, err := r.begin(prog)
	if err != nil {
		return nil, err
	}
	b := lts.NewBuilder(prog.comp.Actions)
	b.Alphabet(prog.alphabet...)
	at, here := Node{Kind: Start}, b.AddState("")
	for i := range r.Moves {
		m := &r.Moves[i]
		if m.Times > 0 || len(m.Round) > 0 {
			if err := x.rounds(ctx, at, m); err != nil {
				return nil, err
			}
			continue
		}
		s, err := x.move(at, m)
		if err != nil {
			return nil, err
		}
		see(i, s, x)
		next := b.AddState("")
		b.AddEdge(here, s.action, next)
		at, here = s.to, next
	}
	return b.Build(), nil
}

// begin is a program with the run's initial values.
func (r *Run) begin(prog *program) (*execution, error) {
	x := &execution{prog, variables(prog.comp.CFA), map[*expr.Expr]uint64{}, map[*expr.Expr]bool{}, newContents(), false}
	for _, v := range r.Init {
		e := x.vars[v.Var]
		if e == nil {
			return nil, refuted(r.initLine, "the component has no variable %s", v.Var)
		}
		x.values[e] = e.Type().Trunc(v.Bits)
	}
	return x, nil
}

// clone is an execution that goes on by itself.
func (x *execution) clone() *execution {
	out := *x
	out.values, out.tainted, out.memory.known = maps.Clone(x.values), maps.Clone(x.tainted), maps.Clone(x.memory.known)
	out.memory.lost = slices.Clone(x.memory.lost)
	return &out
}

// move makes one of the steps that the move may be.
func (x *execution) move(at Node, m *Move) (*step, error) {
	given := map[*expr.Expr]uint64{}
	for _, v := range m.Set {
		e := x.vars[v.Var]
		if e == nil {
			return nil, refuted(m.line, "the component has no variable %s", v.Var)
		}
		given[e] = e.Type().Trunc(v.Bits)
	}
	for i := range x.prog.steps[at] {
		s := &x.prog.steps[at][i]
		action := ""
		if s.action != lts.Tau {
			action = x.prog.comp.Actions.Name(s.action)
		}
		if s.to != m.To || action != m.Action {
			continue
		}
		if made, err := x.make(s, given, m.line); err != nil || made {
			return s, err
		}
	}
	return nil, refuted(m.line, "the component cannot go from %v to %v with these values", at, m.To)
}

// make performs a step if its guard holds and the values are the given ones.
func (x *execution) make(s *step, given map[*expr.Expr]uint64, line int) (bool, error) {
	fresh := map[*expr.Expr]uint64{}
	for _, a := range s.assign {
		if a.fresh {
			fresh[a.value] = given[a.to]
		}
	}
	value := func(v *expr.Expr) uint64 {
		if bits, ok := fresh[v]; ok {
			return bits
		}
		return x.values[v]
	}
	for _, g := range s.guard {
		if expr.Eval(g, value) != 1 {
			return false, nil
		}
	}
	changed := map[*expr.Expr]uint64{}
	for _, a := range s.assign {
		changed[a.to] = expr.Eval(a.value, value)
	}
	for v, bits := range given {
		if c, ok := changed[v]; !ok || c != bits {
			return false, nil
		}
	}
	return true, x.commit(s, changed, line)
}

// commit takes over the new values. A decision that rests on a value that is
// not modelled is refused.
func (x *execution) commit(s *step, changed map[*expr.Expr]uint64, line int) error {
	isTainted := func(v *expr.Expr) bool { return x.tainted[v] }
	for _, g := range s.guard {
		if !s.known && slices.ContainsFunc(expr.Vars(g), isTainted) {
			return refuted(line, "the step depends on a value that is not modelled")
		}
	}
	taint := map[*expr.Expr]bool{}
	var touch *touch
	if s.memory != nil {
		touch = x.touch(s.memory, isTainted)
	}
	for _, a := range s.assign {
		kept := s.keeps && changed[a.to] == x.values[a.to] // what the program computed
		if kept {
			taint[a.to] = x.tainted[a.to]
			continue
		}
		if x.knows(s.exact, changed[a.to], isTainted) {
			continue
		}
		taint[a.to] = s.approx != "" && a.fresh || slices.ContainsFunc(expr.Vars(a.value), isTainted)
		switch {
		case touch != nil && x.unseen && touch.Kind != cfa.Read:
			x.memory.apply(touch, changed[a.to], true)
		case touch != nil:
			taint[a.to] = x.memory.apply(touch, changed[a.to], taint[a.to])
		}
	}
	for v, bits := range changed {
		x.values[v], x.tainted[v] = bits, taint[v]
	}
	return nil
}

// knows reports whether the program computes a value, of which that is not known in
// general, on this run.
func (x *execution) knows(e *cfa.Exact, bits uint64, isTainted func(*expr.Expr) bool) bool {
	value := func(v *expr.Expr) uint64 { return x.values[v] }
	if e == nil || anyTainted(e.When, isTainted) || expr.Eval(e.When, value) != 1 {
		return false
	}
	return e.Value == nil || !anyTainted(e.Value, isTainted) && expr.Eval(e.Value, value) == bits
}
