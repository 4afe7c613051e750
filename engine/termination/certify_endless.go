package termination

// Certificates of runs that do not end.
//
// Idea: the run with one round, as the interpreter has executed it. Where it does not come back to the same values, the
// set that it does not leave. From other states of the set a round may take other ways between the same heads: those
// are written out, with the same choices.
//
// Cost: that of the run; the ways round, of which there may be few.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/smt/expr"
	"magus/smt/recurrence"
	"magus/smt/solver"
)

// Bounds of the ways round that are written out.
const (
	mostOthers   = 64
	longestOther = 4000 // statements
	mostFollowed = 1 << 14
)

// certifyEndless writes out the run that does not end, if its checker accepts it.
func (s *Session) certifyEndless(ctx context.Context) (*certificate.Certificate, error) {
	q, l := s.asked, s.found
	c := &certificate.Certificate{Claim: s.claim.Name, Verdict: verdict.Violates.String(), Recursion: s.depth,
		Round: &certificate.Lasso{Moves: []int{l.stem + 1}}}
	run, err := q.certifyRun(l)
	if err != nil {
		return nil, err
	}
	for i, m := range run.Moves {
		if m.Action == "" {
			continue
		}
		if c.Trace = append(c.Trace, m.Action); i <= l.stem {
			c.Round.Actions++
		}
	}
	c.Runs = append(c.Runs, run)
	if l.set != nil {
		set := certificate.RecurrenceSet{Component: certificate.Component{Name: run.Name}}
		set.Atoms = set.AddTerms(map[*expr.Expr]int{}, l.set...)
		if set.Others, err = q.others(ctx, l, run.Moves[l.stem+1:]); err != nil {
			return nil, err
		}
		c.Round.Sets = append(c.Round.Sets, set)
	}
	sub, err := s.subject(ctx, q.prover)
	if err != nil {
		return nil, err
	}
	if err := c.Check(ctx, sub); err != nil {
		return nil, fmt.Errorf("the run is executed, and that it goes round for ever is not shown: %w", err)
	}
	return c, nil
}

// errCalls is why there is no certificate.
var errCalls = errors.New("a run that does not end has no certificate where it calls routines by their abstractions")

// certifyRun writes out a run with its first round.
func (q *question) certifyRun(l *lasso) (run certificate.Run, err error) {
	run.Name = q.comp.Name
	for _, b := range l.run.Script.Init {
		if b.Value != 0 {
			run.Init = append(run.Init, certificate.Value{Var: b.Var.Name(), Bits: b.Value})
		}
	}
	steps := l.run.Script.Steps[:l.stem+l.round]
	for k, state := range l.run.States {
		if k > len(steps) {
			break
		}
		m := certificate.Move{To: q.point(q.graph.At(state.Loc()))}
		if k > 0 {
			if _, is := q.comp.CFA.Locs[steps[k-1].Loc].Stmt.(cfa.Call); is || len(steps[k-1].Actions) > 1 {
				return run, errCalls
			}
			for _, a := range steps[k-1].Actions {
				m.Action = a
			}
			for _, b := range steps[k-1].Choices {
				m.Set = append(m.Set, certificate.Value{Var: b.Var.Name(), Bits: b.Value})
			}
		}
		run.Moves = append(run.Moves, m)
	}
	return run, nil
}

// others are the ways round besides one, as many heads later, that may be made from a set.
func (q *question) others(ctx context.Context, l *lasso, executed []certificate.Move) ([]certificate.Move, error) {
	loc, ok := q.graph.Loc(l.head)
	if !ok {
		return nil, errCalls
	}
	o := &otherWays{q: q, lasso: l, isHead: map[component.Node]bool{}}
	for _, h := range q.ranking.heads {
		o.isHead[h] = true
	}
	err := o.walk(ctx, &around{at: loc, conds: slices.Clone(l.set), values: env{}})
	var all []certificate.Move
	for _, moves := range o.found {
		same := func(a, b certificate.Move) bool { return a.To == b.To && a.Action == b.Action }
		if !slices.EqualFunc(moves, executed, same) {
			all = append(all, certificate.Move{To: q.point(l.head), Round: moves, Times: 1})
		}
	}
	return all, err
}

// otherWays looks for ways round.
type otherWays struct {
	q      *question
	lasso  *lasso
	isHead map[component.Node]bool
	found  [][]certificate.Move
	count  int // statements that were followed
}

// around is the beginning of a way round.
type around struct {
	at     cfa.Loc
	heads  int
	moves  []certificate.Move
	conds  []*expr.Expr // under which it is made
	values env          // behind it
}

// walk goes on with a way round.
func (o *otherWays) walk(ctx context.Context, w *around) error {
	o.count++
	switch n := o.q.graph.At(w.at); {
	case w.heads == o.lasso.steps:
		if n == o.lasso.head {
			o.found = append(o.found, w.moves)
		}
		return nil
	case len(o.found) > mostOthers || len(w.moves) > longestOther || o.count > mostFollowed:
		return errors.New("a run that does not end has no certificate where it goes round in too many ways")
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	pool, stmt := o.q.comp.CFA.Pool, o.q.comp.CFA.Locs[w.at].Stmt
	succ := o.q.comp.CFA.Locs[w.at].Succ
	switch stmt := stmt.(type) {
	case cfa.Goto:
		return o.then(ctx, w, succ[0], certificate.Move{}, w.values)
	case cfa.Act:
		return o.then(ctx, w, succ[0], certificate.Move{Action: stmt.Action}, w.values)
	case cfa.Assign:
		return o.assign(ctx, w, stmt)
	case cfa.Branch:
		cond := pool.Subst(stmt.Cond, w.values)
		for i, c := range []*expr.Expr{cond, pool.Not(cond)} {
			conds := append(slices.Clip(w.conds), c)
			if c.IsFalse() {
				continue
			}
			if r, err := o.q.prover.satisfiable(ctx, conds...); err != nil {
				return err
			} else if r == solver.Unsat {
				continue
			}
			on := *w
			on.conds = conds
			if err := o.then(ctx, &on, succ[i], certificate.Move{}, w.values); err != nil {
				return err
			}
		}
	}
	return nil
}

// assign goes on behind an assignment, of what is chosen if it has no term.
func (o *otherWays) assign(ctx context.Context, w *around, stmt cfa.Assign) error {
	q := o.q
	m, term := certificate.Move{}, stmt.RHS
	if term == nil {
		bits := uint64(0)
		if x := q.relation.chosenAt(q.graph.At(w.at), stmt.LHS); x != nil {
			if c := o.lasso.by[q.ranking.input(x, w.heads)]; c != nil {
				bits = c.Value()
			}
		}
		m.Set = []certificate.Value{{Var: stmt.LHS.Name(), Bits: bits}}
		term = recurrence.Constant(q.comp.CFA.Pool, stmt.LHS.Type(), bits)
	}
	next := env{}
	for _, v := range variables(w.values) {
		next[v] = w.values[v]
	}
	next[stmt.LHS] = q.comp.CFA.Pool.Subst(term, w.values)
	return o.then(ctx, w, q.comp.CFA.Locs[w.at].Succ[0], m, next)
}

// then goes on behind a statement.
func (o *otherWays) then(ctx context.Context, w *around, to cfa.Loc, m certificate.Move, values env) error {
	m.To = o.q.point(o.q.graph.At(to))
	on := &around{at: to, heads: w.heads, moves: append(slices.Clip(w.moves), m), conds: w.conds, values: values}
	if o.isHead[o.q.graph.At(to)] {
		on.heads++
	}
	return o.walk(ctx, on)
}
