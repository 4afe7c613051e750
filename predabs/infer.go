package predabs

// Predicate inference.
//
// Idea: to know whether a predicate holds after a statement one must know
// whether its weakest precondition held before it. PredInfer closes the
// predicates at each control point under that, backward along all edges.
//
// Source: paper section 5.2, algorithm PredInfer (figure 5).
//
// Deviations: the closure is computed for one candidate at a time and kept.
// P_s of a set of candidates is the union of theirs, which is what figure 5
// computes, since weakest preconditions are taken predicate by predicate; only
// the bound is counted per candidate and location. A weakest precondition that
// mentions a value not yet chosen (x' of an edge) is dropped, or instantiated if
// that is one of few, and one with Boolean structure is split into its atoms.
//
// Cost: edges × bound substitutions per candidate.

import (
	"slices"

	"magus/cfa"
	"magus/internal/expr"
)

// Origins of candidates.
const (
	FromBranch = "branch"
	FromGuard  = "guard"
	FromReturn = "return"
	FromGiven  = "given"
	FromPath   = "path"
)

// A Candidate is a member of the set that P is chosen from: a condition with
// the control points at which it starts.
type Candidate struct {
	Cond   *expr.Expr
	Pos    cfa.Pos
	Origin string
	at     []placed // where the condition's atoms start
	local  bool     // of a path: not closed under weakest preconditions
	preds  [][]atom // P_s by node, sorted; nil until inferred
}

// fewValues is the width up to which a chosen value is enumerated in a weakest
// precondition.
const fewValues = 2

// A placed atom starts at a node.
type placed struct {
	node Node
	atom atom
}

// wp is the weakest precondition of an atom over an edge, without the edge's
// guard.
func (x *Abstraction) wp(e *Edge, a atom) *expr.Expr {
	if len(e.Update) == 0 {
		return x.atoms.terms[a]
	}
	k := wpKey{int32(e.ID), a}
	if w := x.wps[k]; w != nil {
		return w
	}
	w := x.atoms.terms[a]
	if slices.ContainsFunc(e.Update, func(u Update) bool { return slices.Contains(x.atoms.vars[a], u.Var) }) {
		w = x.pool.Subst(w, x.substitution(e))
	}
	x.wps[k] = w
	return w
}

type wpKey struct {
	edge int32
	atom atom
}

func (x *Abstraction) substitution(e *Edge) map[*expr.Expr]*expr.Expr {
	by := x.substs[e.ID]
	if by == nil {
		by = make(map[*expr.Expr]*expr.Expr, len(e.Update))
		for _, u := range e.Update {
			by[u.Var] = u.Term
		}
		x.substs[e.ID] = by
	}
	return by
}

// backward are the atoms that decide atom a before the edge.
func (x *Abstraction) backward(e *Edge, a atom) []atom {
	w := x.wp(e, a)
	if w == x.atoms.terms[a] {
		return []atom{a}
	}
	var as []atom
	for _, l := range leaves(w) {
		for _, i := range x.instances(l) {
			as = append(as, x.atoms.of(i))
		}
	}
	return as
}

// instances are the conditions without fresh variables that decide an atomic
// condition: itself if it has none; if it has one of few values, what it
// becomes for each of them; otherwise nothing.
func (x *Abstraction) instances(l *expr.Expr) []*expr.Expr {
	fresh := slices.DeleteFunc(expr.Vars(l), func(v *expr.Expr) bool { return x.Graph.taken[v] == nil })
	switch {
	case len(fresh) == 0:
		return []*expr.Expr{l}
	case len(fresh) > 1 || fresh[0].Type().Width > fewValues:
		return nil
	}
	var all []*expr.Expr
	for v := range uint64(1) << fresh[0].Type().Width {
		c := x.pool.Subst(l, map[*expr.Expr]*expr.Expr{fresh[0]: x.pool.Const(fresh[0].Type(), v)})
		all = append(all, leaves(c)...)
	}
	return all
}

func (x *Abstraction) mentionsFresh(e *expr.Expr) bool {
	return slices.ContainsFunc(expr.Vars(e), func(v *expr.Expr) bool { return x.Graph.taken[v] != nil })
}

// infer fills in P_s of the candidate for every node.
func (x *Abstraction) infer(c *Candidate) {
	if c.preds != nil {
		return
	}
	c.preds = make([][]atom, x.Graph.NumNodes())
	var work []placed
	put := func(n Node, a atom, bound int) {
		i, found := slices.BinarySearch(c.preds[n], a)
		if n == Init || n == Stop || found || len(c.preds[n]) >= bound {
			return
		}
		c.preds[n] = slices.Insert(c.preds[n], i, a)
		work = append(work, placed{n, a})
	}
	for _, p := range c.at {
		put(p.node, p.atom, 1<<30)
	}
	for i := 0; !c.local && i < len(work); i++ {
		for _, id := range x.Graph.in[work[i].node] {
			e := &x.Graph.Edges[id]
			for _, a := range x.backward(e, work[i].atom) {
				put(e.From, a, x.bound)
			}
		}
	}
}

// predicates is P_s at a node for a set of candidates.
func (x *Abstraction) predicates(n Node, set []int) []atom {
	var ps []atom
	for _, c := range set {
		x.infer(x.Candidates[c])
		ps = mergeAtoms(ps, x.Candidates[c].preds[n])
	}
	return ps
}

// mergeAtoms is the union of two sorted lists. It may return one of them.
func mergeAtoms(a, b []atom) []atom {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	u := make([]atom, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			u, a = append(u, a[0]), a[1:]
		case b[0] < a[0]:
			u, b = append(u, b[0]), b[1:]
		default:
			u, a, b = append(u, a[0]), a[1:], b[1:]
		}
	}
	return append(append(u, a...), b...)
}
