package liveness

// Predicates that tell apart what a run needs.
//
// Idea: a transition of a run that is not certain leads to a state of which not all of its source have a
// step. What has to hold before the edge for a predicate to hold behind it tells them apart.
//
// Source: weakest preconditions, as in Clarke, Grumberg, Jha, Lu, Veith: Counterexample-guided abstraction refinement
// (CAV 2000).
//
// Cost: the predicates times the edges of the run.

import (
	"slices"

	"magus/smt/expr"
)

// mostPredicates are those of one component, and largestTerm how many terms one has.
const (
	mostPredicates = 48
	largestTerm    = 12
)

// refine adds predicates of the processes along a run, or of some of them, and reports whether there are new ones.
func (t *trial) refine(s *searched, l *lasso, of []int) (more bool) {
	if t.round > mostRefined+8 {
		return false
	}
	for i, w := range s.ways(l) {
		if of != nil && !slices.Contains(of, i) {
			continue
		}
		p := &s.processes[i]
		for _, tr := range slices.Concat(w.stem, w.loop) {
			if tr.certain && of == nil {
				continue
			}
			for _, id := range tr.edges {
				if t.before(p.Component, p.behaviour, id) {
					more = true
				}
			}
		}
	}
	return more
}

// before adds the predicates that have to hold before an edge.
func (t *trial) before(comp int, b *behaviour, id int32) (more bool) {
	pool := b.control.Comp.CFA.Pool
	e := &b.control.Edges[id]
	by := map[*expr.Expr]*expr.Expr{}
	for _, u := range e.Update {
		by[u.Var] = u.Term
	}
	if len(by) == 0 {
		return false
	}
	for _, q := range slices.Clone(b.preds) {
		w := pool.Subst(q, by)
		if w.Op() == expr.Not {
			w = w.Args()[0]
		}
		if w == q || w.IsConst() || slices.ContainsFunc(expr.Vars(w), b.control.IsFresh) || slices.Contains(b.preds, w) ||
			slices.Contains(t.preds[comp], w) || len(t.preds[comp]) >= mostPredicates || size(w) > largestTerm {
			continue
		}
		t.preds[comp], more = append(t.preds[comp], w), true
	}
	return more
}

// size is the number of terms within one.
func size(e *expr.Expr) (n int) {
	expr.Walk(func(*expr.Expr) { n++ }, e)
	return n
}
