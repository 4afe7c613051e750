package certificate

// Rounds of a loop that are one move of a run, executed.
//
// Idea: the steps of one round, each the only one that leads from a control point to the next, are put
// together: the guards and the new values over the variables at the round's beginning. These are then
// evaluated as often as the move says, with the values that come of it, and each guard has to hold in
// each round.
//
// Source: ours. It is neither the search's way to find such a move, which computes with the number of rounds, nor the
// interpreter's, which executes statement by statement.
// Cost: some ns for each operator and round.

import (
	"context"
	"math/bits"
	"slices"

	"magus/lts"
	"magus/smt/expr"
)

// roundsAtOnce are made between two looks at the context.
const roundsAtOnce = 1 << 16

// A round is what one round does.
type round struct {
	guards []*expr.Expr
	after  map[*expr.Expr]*expr.Expr // of what is assigned
	order  []*expr.Expr              // its keys, in the order of the first assignments
}

// rounds makes the rounds of a move.
func (x *execution) rounds(ctx context.Context, at Node, m *Move) error {
	if len(m.Round) == 0 || m.Times == 0 || m.Action != "" || len(m.Set) > 0 || m.To != at ||
		m.Round[len(m.Round)-1].To != at {
		return refuted(m.line, "these are no rounds from %v back to it", at)
	}
	t := round{after: map[*expr.Expr]*expr.Expr{}}
	for i := range m.Round {
		s, err := x.single(at, &m.Round[i], m.line)
		if err != nil {
			return err
		}
		if err := t.add(x, s, &m.Round[i], m.line); err != nil {
			return err
		}
		at = s.to
	}
	terms := slices.Clone(t.guards)
	for _, v := range t.order {
		terms = append(terms, t.after[v])
	}
	if slices.ContainsFunc(expr.Vars(terms...), func(v *expr.Expr) bool { return x.tainted[v] }) {
		return refuted(m.line, "a round depends on a value that is not modelled")
	}
	return x.run(ctx, &t, m)
}

// Repeated is how many steps the rounds of loops stand for in the runs of a certificate; not more than half of what a
// uint64 holds.
func (c *Certificate) Repeated() (sum uint64) {
	const most = 1 << 63
	for i := range c.Runs {
		for _, m := range c.Runs[i].Moves {
			over, n := bits.Mul64(m.Times, uint64(len(m.Round)))
			if sum += n; over != 0 || n > most || sum > most {
				return most
			}
		}
	}
	return sum
}

// single is the one step that a move of a round can be.
func (x *execution) single(at Node, m *Move, line int) (found *step, err error) {
	for i := range x.prog.steps[at] {
		s := &x.prog.steps[at][i]
		if s.to != m.To || s.action != lts.Tau {
			continue
		}
		if found != nil {
			return nil, refuted(line, "there are several steps from %v to %v", at, m.To)
		}
		found = s
	}
	switch {
	case found == nil || m.Action != "" || m.Times != 0 || at.Kind != Location || m.To.Kind != Location:
		return nil, refuted(line, "no round of a loop goes from %v to %v", at, m.To)
	case found.approx != "" || found.keeps || found.memory != nil || found.exact != nil:
		return nil, refuted(line, "what is not modelled at %v is not repeated", at)
	}
	return found, nil
}

// add puts a step behind those of the round so far.
func (t *round) add(x *execution, s *step, m *Move, line int) error {
	pool := x.prog.comp.CFA.Pool
	now := map[*expr.Expr]*expr.Expr{}
	for v, term := range t.after {
		now[v] = term
	}
	fresh := 0
	for _, a := range s.assign {
		if !a.fresh {
			continue
		}
		now[a.value] = pool.Const(a.value.Type(), 0)
		for _, v := range m.Set {
			if x.vars[v.Var] == a.to {
				now[a.value] = pool.Const(a.value.Type(), a.value.Type().Trunc(v.Bits))
				fresh++
			}
		}
	}
	if fresh != len(m.Set) {
		return refuted(line, "a round sets what its steps do not leave open")
	}
	for _, g := range s.guard {
		if g = pool.Subst(g, now); !g.IsTrue() {
			t.guards = append(t.guards, g)
		}
	}
	terms := make([]*expr.Expr, len(s.assign))
	for i, a := range s.assign {
		terms[i] = pool.Subst(a.value, now)
	}
	for i, a := range s.assign {
		if t.after[a.to] == nil {
			t.order = append(t.order, a.to)
		}
		t.after[a.to] = terms[i]
	}
	return nil
}

// run makes the rounds, one after the other.
func (x *execution) run(ctx context.Context, t *round, m *Move) error {
	l := layout{at: map[*expr.Expr]int{}}
	var guards, terms []func([]uint64) uint64
	for _, g := range t.guards {
		guards = append(guards, l.term(g))
	}
	var to []int
	for _, v := range t.order {
		terms, to = append(terms, l.term(t.after[v])), append(to, l.variable(v))
	}
	vals, next := make([]uint64, len(l.vars)), make([]uint64, len(terms))
	for i, v := range l.vars {
		vals[i] = x.values[v]
	}
	for n := range m.Times {
		if n%roundsAtOnce == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for _, g := range guards {
			if g(vals) != 1 {
				return refuted(m.line, "round %d of %d is not made", n+1, m.Times)
			}
		}
		for i, term := range terms {
			next[i] = term(vals)
		}
		for i, v := range to {
			vals[v] = next[i]
		}
	}
	for i, v := range t.order {
		x.values[v], x.tainted[v] = vals[to[i]], false
	}
	return nil
}

// A layout numbers variables, and makes functions of terms that take their values by number.
type layout struct {
	at    map[*expr.Expr]int
	vars  []*expr.Expr
	nodes int // of functions: terms share parts, functions do not
}

// mostNodes is beyond which terms are evaluated as they are.
const mostNodes = 1 << 12

func (l *layout) variable(v *expr.Expr) int {
	i, ok := l.at[v]
	if !ok {
		i = len(l.vars)
		l.at[v], l.vars = i, append(l.vars, v)
	}
	return i
}

// term is a function that computes a term.
func (l *layout) term(e *expr.Expr) func([]uint64) uint64 {
	switch e.Op() {
	case expr.Const:
		c := e.Value()
		return func([]uint64) uint64 { return c }
	case expr.Var:
		i := l.variable(e)
		return func(vals []uint64) uint64 { return vals[i] }
	}
	l.nodes++
	if few := l.nodes < mostNodes; few && len(e.Args()) == 2 && (e.Op() == expr.Add || e.Op() == expr.Lt ||
		e.Op() == expr.Eq) {
		return common(e, l.term(e.Args()[0]), l.term(e.Args()[1]))
	} else if few && e.Op() == expr.Not {
		a := l.term(e.Args()[0])
		return func(vals []uint64) uint64 { return 1 - a(vals) }
	}
	for _, v := range expr.Vars(e) {
		l.variable(v)
	}
	return func(vals []uint64) uint64 {
		return expr.Eval(e, func(v *expr.Expr) uint64 { return vals[l.at[v]] })
	}
}

// common is one of the operators that most loops are made of.
func common(e *expr.Expr, a, b func([]uint64) uint64) func([]uint64) uint64 {
	of, mask := e.Args()[0].Type(), e.Type().Trunc(^uint64(0))
	is := func(holds bool) uint64 {
		if holds {
			return 1
		}
		return 0
	}
	switch {
	case e.Op() == expr.Add:
		return func(vals []uint64) uint64 { return (a(vals) + b(vals)) & mask }
	case e.Op() == expr.Eq:
		return func(vals []uint64) uint64 { return is(a(vals) == b(vals)) }
	case of.Signed:
		return func(vals []uint64) uint64 { return is(of.Sext(a(vals)) < of.Sext(b(vals))) }
	}
	return func(vals []uint64) uint64 { return is(a(vals) < b(vals)) }
}
