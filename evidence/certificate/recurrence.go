package certificate

// Recurrence sets.
//
// Idea: a round need not come back to the values with which it began, if it leads from each state of a set into the
// set: then it can be made for ever once a run comes to the set. What a run chooses in the round is chosen in the same
// way each time. What is not known of a value, because it is not modelled or is in memory without variables, may be
// anything each time. Where one round is not enough for all states of the set there are others, and one of them can be
// made from each.
//
// SOUND: the run is executed to the set with values of which all is known that the set speaks of.
//
// Source: Gupta, Henzinger, Majumdar, Rybalchenko, Xu: Proving non-termination (POPL 2008). Cost: one query.

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"magus/component"
	"magus/lts"
	"magus/smt/expr"
	"magus/smt/solver"
)

// A RecurrenceSet says, of the run of its name, with which values its round can be made for ever.
type RecurrenceSet struct {
	Component        // its atoms are what holds in the set
	Others    []Move // rounds besides, each a move with its round
}

// set is the recurrence set of a run; nil if it comes back to the same values.
func (l *Lasso) set(run *Run) *RecurrenceSet {
	k := slices.IndexFunc(l.Sets, func(s RecurrenceSet) bool { return s.Name == run.Name })
	if k < 0 {
		return nil
	}
	return &l.Sets[k]
}

// checkSets checks that each set is of one run, which goes round. Rounds besides may be made where it is only asked
// whether a run ends, and nobody waits for an action.
func (c *Certificate) checkSets(sub *Subject) error {
	of := map[string]bool{}
	for i := range c.Round.Sets {
		s := &c.Round.Sets[i]
		k := slices.IndexFunc(c.Runs, func(r Run) bool { return r.Name == s.Name })
		if k < 0 || of[s.Name] || c.Round.Moves[k] == len(c.Runs[k].Moves) {
			return refuted(s.line, "the set is of no run that goes round, or of one that has another one")
		}
		if of[s.Name] = true; len(s.Others) > 0 && sub.Question != component.Terminates {
			return refuted(s.line, "in other rounds other actions may be performed")
		}
	}
	return nil
}

// A roundOf has what a round does, in terms of the values before it.
type roundOf struct {
	pool   *expr.Pool
	values map[*expr.Expr]*expr.Expr
	guard  []*expr.Expr
	steps  int
	knows  bool // all that is chosen
}

func newRound(pool *expr.Pool) *roundOf {
	return &roundOf{pool: pool, values: map[*expr.Expr]*expr.Expr{}, knows: true}
}

// take makes a step with what is chosen in it.
func (r *roundOf) take(s *step, chosen func(*expr.Expr) uint64) {
	by := maps.Clone(r.values)
	known := s.approx == "" && !s.keeps && s.exact == nil && s.memory == nil
	for _, a := range s.assign {
		if !a.fresh {
			continue
		}
		if known {
			by[a.value] = r.constant(a.value.Type(), chosen(a.to))
		} else {
			r.knows = false
			by[a.value] = r.pool.Var(fmt.Sprintf("%s, anything at %d", a.value.Name(), r.steps), a.value.Type())
		}
	}
	for _, g := range s.guard {
		r.guard = append(r.guard, r.pool.Subst(g, by))
	}
	next := maps.Clone(r.values)
	for _, a := range s.assign {
		next[a.to] = r.pool.Subst(a.value, by)
	}
	r.values = next
	r.steps++
}

func (r *roundOf) constant(t expr.Type, bits uint64) *expr.Expr {
	if t.IsBool() {
		return r.pool.Bool(bits != 0)
	}
	return r.pool.Const(t, bits)
}

// possible is that the round can be made, and leads to where some conditions hold.
func (r *roundOf) possible(set []*expr.Expr) *expr.Expr {
	all := slices.Clone(r.guard)
	for _, c := range set {
		all = append(all, r.pool.Subst(c, r.values))
	}
	return r.pool.Land(all...)
}

// recurs checks that from all states of a set a round can be made that leads into the set: the one that was executed,
// which begins where others begin, or another one.
func (s *RecurrenceSet) recurs(ctx context.Context, ch *Checker, at Node, executed *roundOf) error {
	set, err := s.holds(ch.prog)
	if err != nil {
		return err
	}
	ways, knows := []*expr.Expr{executed.possible(set)}, executed.knows
	for i := range s.Others {
		r, err := s.Others[i].another(ch.prog, at)
		if err != nil {
			return err
		}
		ways, knows = append(ways, r.possible(set)), knows && r.knows
	}
	if len(s.Others) > 0 && !knows { // by which it would be decided later which round is made
		return refuted(s.line, "one of several rounds reads what is not known")
	}
	pool := ch.prog.comp.CFA.Pool
	switch r, err := ch.solver.Check(ctx, append(slices.Clone(set), pool.Not(pool.Lor(ways...)))...); {
	case err != nil:
		return err
	case r != solver.Unsat:
		return refuted(s.line, "the round cannot be made from all states of the set, or leads out of it")
	}
	return nil
}

// holds are the conditions of the set.
func (s *RecurrenceSet) holds(prog *program) ([]*expr.Expr, error) {
	terms, err := s.build(prog.comp.CFA)
	if err != nil {
		return nil, err
	}
	var all []*expr.Expr
	for _, a := range s.Atoms {
		if a < 0 || a >= len(terms) || !terms[a].Type().IsBool() {
			return nil, refuted(s.line, "predicate %d is not a condition among the terms", a)
		}
		all = append(all, terms[a])
	}
	return all, nil
}

// begins checks that a run has values of the set, and that they are known.
func (s *RecurrenceSet) begins(x *execution) error {
	set, err := s.holds(x.prog)
	if err != nil {
		return err
	}
	for _, c := range set {
		if anyTainted(c, func(v *expr.Expr) bool { return x.tainted[v] }) {
			return refuted(s.line, "the set speaks of a value that is not modelled")
		}
		if expr.Eval(c, func(v *expr.Expr) uint64 { return x.values[v] }) != 1 {
			return refuted(s.line, "the round begins outside the set")
		}
	}
	return nil
}

// label is the name of an action, "" of none.
func (p *program) label(a lts.Action) string {
	if a == lts.Tau {
		return ""
	}
	return p.comp.Actions.Name(a)
}

// another is a round that is not executed, from a control point back to it.
func (m *Move) another(prog *program, at Node) (*roundOf, error) {
	r, here, vars := newRound(prog.comp.CFA.Pool), at, variables(prog.comp.CFA)
	for i := range m.Round {
		turn := &m.Round[i]
		set := map[*expr.Expr]uint64{}
		for _, v := range turn.Set {
			set[vars[v.Var]] = v.Bits
		}
		k := slices.IndexFunc(prog.steps[here], func(s step) bool {
			return s.to == turn.To && prog.label(s.action) == turn.Action &&
				(s.action == lts.Tau || !prog.comp.IsCut(s.action)) &&
				!slices.ContainsFunc(s.guard, (*expr.Expr).IsFalse)
		})
		if k < 0 {
			return nil, refuted(m.line, "the component cannot go from %v to %v", here, turn.To)
		}
		r.take(&prog.steps[here][k], func(v *expr.Expr) uint64 { return v.Type().Trunc(set[v]) })
		here = turn.To
	}
	if len(m.Round) == 0 || here != at {
		return nil, refuted(m.line, "the round does not lead back to where it begins")
	}
	return r, nil
}
