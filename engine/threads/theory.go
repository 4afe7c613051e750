package threads

// The order as a theory in the SAT solver.
//
// Idea: the closure of package order follows the solver's assignment: a link or a guard that becomes true is a
// fact, and a contradiction is a clause. Before a model is believed the search of package order completes it.
//
// Rejected: theory propagation of the writes that a read cannot see any more. On the programs of SV-COMP that is
// hundreds of clauses for a conflict, and twice the time.
//
// Source: like "Deagle" (He, Sun, Fan, "Satisfiability modulo ordering consistency theory for
// multi-threaded program verification", 2021), whose theory closes likewise.
//
// Cost: a closure for each assignment; reasons are looked for where one is needed.

import (
	"context"

	"magus/cfa/events/order"
	"magus/smt/expr"
	"magus/smt/sat"
)

type theory struct {
	*formula
	closure *order.Closure
	facts   map[sat.Lit][]order.Fact
	told    []sat.Lit
	marks   []told
	linear  []order.Node
	broken  bool // what always holds is contradictory
}

// told is the point before some literals were told.
type told struct {
	n    int
	mark order.Mark
}

func newTheory(ctx context.Context, f *formula) (*theory, error) {
	t := &theory{formula: f, closure: order.NewClosure(f.enc.Graph)}
	always, facts, lits, err := f.split(ctx)
	if err != nil {
		return nil, err
	}
	t.facts = facts
	for _, fact := range always {
		t.closure.Add(fact)
	}
	reason, err := t.closure.Close(ctx)
	if err != nil {
		return nil, err
	}
	t.broken = reason != nil
	watched := make([]sat.Var, len(lits))
	for i, l := range lits {
		watched[i] = l.Var()
	}
	f.solver.SetTheory(t, watched)
	return t, nil
}

func (t *theory) decide(ctx context.Context, conds ...*expr.Expr) (bool, []order.Node, error) {
	t.core = nil
	if t.broken {
		return false, nil, nil
	}
	t.linear = nil
	found, err := t.check(ctx, conds)
	return found, t.linear, err
}

// Assigned adds facts and closes.
func (t *theory) Assigned(ctx context.Context, lits []sat.Lit) ([][]sat.Lit, error) {
	mark := t.closure.Mark()
	t.marks = append(t.marks, told{len(t.told), mark})
	t.told = append(t.told, lits...)
	return t.add(ctx, lits, mark)
}

func (t *theory) add(ctx context.Context, lits []sat.Lit, mark order.Mark) ([][]sat.Lit, error) {
	for _, l := range lits {
		for _, f := range t.facts[l] {
			t.closure.Add(f)
		}
	}
	reason, err := t.closure.Close(ctx)
	if err != nil || reason != nil {
		t.closure.Undo(mark)
	}
	if err != nil {
		return nil, err
	}
	if reason != nil {
		return [][]sat.Lit{t.clause(reason)}, nil
	}
	return nil, nil
}

// clause denies a reason.
func (t *theory) clause(reason []order.Lit) []sat.Lit {
	t.reason(reason)
	lits := make([]sat.Lit, len(reason), len(reason)+1)
	for i, l := range reason {
		lits[i] = sat.Lit(l).Not()
	}
	return lits
}

// Undo takes back literals.
func (t *theory) Undo(n int) {
	last := len(t.marks) - 1
	for ; t.marks[last].n > n; last-- {
	}
	t.closure.Undo(t.marks[last].mark)
	again := t.told[t.marks[last].n:n]
	t.marks, t.told = t.marks[:last], t.told[:n]
	if len(again) > 0 {
		panic("threads: the solver went back to the middle of a level")
	}
}

// Final completes the order.
func (t *theory) Final(ctx context.Context) ([][]sat.Lit, error) {
	t.stats.Rounds++
	mark := t.closure.Mark()
	defer t.closure.Undo(mark)
	reason, err := t.closure.Complete(ctx)
	if err != nil {
		return nil, err
	}
	if reason != nil {
		return [][]sat.Lit{t.clause(reason)}, nil
	}
	t.linear = t.closure.Linear(t.sameThread)
	return nil, nil
}
