package threads

// The order as a theory in the SAT solver.
//
// Idea: the closure of package order goes along with the solver's assignment: a link or a guard that
// becomes true is a fact, a contradiction is a clause, and where a read is known to come before a write
// it cannot see it. Before a model is believed the search of package order completes it.
//
// Source: like "Deagle" (He, Sun, Fan, "Satisfiability modulo ordering consistency theory for
// multi-threaded program verification", 2021), whose theory closes likewise.
//
// Cost: a closure for each assignment; reasons are looked for where one is needed.

import (
	"context"

	"magus/internal/bitset"
	"magus/internal/expr"
	"magus/internal/sat"
	"magus/threads/order"
)

type theory struct {
	formula
	closure *order.Closure
	facts   map[sat.Lit][]order.Fact
	reads   []candidates
	told    []sat.Lit
	marks   []told
	linear  []order.Node
	broken  bool // what always holds is contradictory
	out     []exclusion
}

// told is the point before some literals were told.
type told struct {
	n, out int
	mark   order.Mark
}

// candidates are the links to one read.
type candidates struct {
	node  order.Node
	links map[order.Node]sat.Lit // by the node of the write
	open  bitset.Set[order.Node] // of these, those that were not excluded yet
}

// An exclusion is a link that is not possible any more.
type exclusion struct {
	read int
	from order.Node
}

func newTheory(ctx context.Context, f formula) (*theory, error) {
	t := &theory{formula: f, closure: order.NewClosure(f.enc.Graph)}
	always, facts, lits := f.split()
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
	t.collect()
	f.solver.SetTheory(t, watched)
	return t, nil
}

// collect gathers the links to each read that has several.
func (t *theory) collect() {
	at := map[int]int{}
	p := t.enc.Program
	for _, l := range t.enc.Links {
		lit := t.solver.Literal(l.When)
		if len(t.facts[lit]) == 0 {
			continue
		}
		i, ok := at[l.Read]
		if !ok {
			i = len(t.reads)
			at[l.Read] = i
			t.reads = append(t.reads, candidates{p.Events[l.Read].Node, map[order.Node]sat.Lit{}, bitset.New[order.Node](p.Nodes)})
		}
		from := p.Events[l.Write].Node
		t.reads[i].links[from] = lit
		t.reads[i].open.Add(from)
	}
}

func (t *theory) decide(ctx context.Context, goal *expr.Expr) (bool, []order.Node, error) {
	if t.broken {
		return false, nil, nil
	}
	t.linear = nil
	found, err := t.check(ctx, goal)
	return found, t.linear, err
}

// Assigned adds facts and closes.
func (t *theory) Assigned(ctx context.Context, lits []sat.Lit) ([][]sat.Lit, error) {
	mark := t.closure.Mark()
	t.marks = append(t.marks, told{len(t.told), len(t.out), mark})
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
	return t.exclude(), nil
}

// exclude finds links from writes that are known to come after their reads. (A write with two events of
// one cell in one node, for two ways out of a section, has one of them looked at.)
func (t *theory) exclude() [][]sat.Lit {
	var clauses [][]sat.Lit
	for i := range t.reads {
		r := &t.reads[i]
		for from := range r.open.Common(t.closure.Behind(r.node)) {
			r.open.Remove(from)
			t.out = append(t.out, exclusion{i, from})
			clauses = append(clauses, append(t.clause(t.closure.Explain(r.node, from)), r.links[from].Not()))
		}
	}
	return clauses
}

// clause denies a reason.
func (t *theory) clause(reason []order.Lit) []sat.Lit {
	t.stats.reason(len(reason))
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
	for _, x := range t.out[t.marks[last].out:] {
		t.reads[x.read].open.Add(x.from)
	}
	t.out = t.out[:t.marks[last].out]
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
