package predabs

// Predicate inference.
//
// Idea: to know whether a predicate holds after a statement one must know
// whether its weakest precondition held before it. PredInfer closes the
// predicates at each control point under that, backward along all edges.
//
// Source: Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), section 5.2, algorithm PredInfer (figure 5).
//
// Deviations: the closure is computed for one condition at a time and kept.
// P_s of a set of candidates is the union of that of their conditions, which is
// what figure 5 computes, since weakest preconditions are taken predicate by
// predicate; only the bound is counted per condition and location. Besides the bound on their
// number, weakest preconditions are taken over an update such as i = i + 1 a few
// times only: each time gives another comparison, and what a proof needs beyond
// them comes from its paths. A weakest precondition that
// mentions a value not yet chosen (x' of an edge) is dropped, or instantiated if
// that is one of few, and one with Boolean structure is split into its atoms.
//
// Cost: edges × bound substitutions per condition.

import (
	"context"
	"slices"

	"magus/component"
	"magus/internal/bitset"
	"magus/smt/expr"
)

// A condition is one question that a candidate answers, with the control points
// at which it is asked.
type condition struct {
	cond  *expr.Expr
	at    []placed        // where the condition's atoms start
	where map[placed]bool // the same, once there are many
	local bool            // of a path: not closed under weakest preconditions
	preds []tracked       // P_s, by atom; nil until inferred
}

// maxRounds is how often a weakest precondition is taken over updates of a
// variable from itself.
const maxRounds = 3

// maxSummed is the number of variables up to which updates of a variable from itself
// and others, such as s = s + a[i], are followed: sums of more are hard to decide, and
// which of them matter the paths tell.
const maxSummed = 2

// fewValues is the width up to which a chosen value is enumerated in a weakest
// precondition.
const fewValues = 2

// A placed atom starts at a node.
type placed struct {
	node component.Node
	atom atom
}

// preconditions are the weakest preconditions of edges, each computed once.
type preconditions struct {
	*space
	wps    map[wpKey]*expr.Expr
	substs []map[*expr.Expr]*expr.Expr // by edge, once needed
}

func newPreconditions(in *space) *preconditions {
	return &preconditions{in, map[wpKey]*expr.Expr{}, make([]map[*expr.Expr]*expr.Expr, len(in.Graph.Edges))}
}

// wp is the weakest precondition of an atom over an edge, without the edge's
// guard.
func (x *preconditions) wp(e *component.Edge, a atom) *expr.Expr {
	if !x.touches(e, a) {
		return x.atoms.terms[a]
	}
	k := wpKey{int32(e.ID), a}
	if w := x.wps[k]; w != nil {
		return w
	}
	w := x.pool.Subst(x.atoms.terms[a], x.substitution(e))
	x.wps[k] = w
	return w
}

// touches reports whether the edge updates a variable of the atom.
func (x *preconditions) touches(e *component.Edge, a atom) bool {
	for i := range e.Update {
		if slices.Contains(x.atoms.vars[a], e.Update[i].Var) {
			return true
		}
	}
	return false
}

// touchesAny reports whether the edge updates a variable of one of the atoms.
func (x *preconditions) touchesAny(e *component.Edge, as []atom) bool {
	return len(e.Update) > 0 && slices.ContainsFunc(as, func(a atom) bool { return x.touches(e, a) })
}

type wpKey struct {
	edge int32
	atom atom
}

func (x *preconditions) substitution(e *component.Edge) map[*expr.Expr]*expr.Expr {
	if e.ID >= len(x.substs) { // an edge of nobody's graph
		x.substs = append(x.substs, make([]map[*expr.Expr]*expr.Expr, e.ID+1-len(x.substs))...)
	}
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
func (x *preconditions) backward(e *component.Edge, a atom) []atom {
	w := x.wp(e, a)
	if w == x.atoms.terms[a] {
		return []atom{a}
	}
	return x.deciding(w)
}

// instances are the conditions without fresh variables that decide an atomic
// condition: itself if it has none; if it has one of few values, what it
// becomes for each of them; otherwise nothing.
func (x *space) instances(l *expr.Expr) []*expr.Expr {
	fresh := slices.DeleteFunc(expr.Vars(l), func(v *expr.Expr) bool { return !x.Graph.IsFresh(v) })
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

func (x *space) mentionsFresh(e *expr.Expr) bool {
	return slices.ContainsFunc(expr.Vars(e), func(v *expr.Expr) bool { return x.Graph.IsFresh(v) })
}

// A tracked atom is one of the condition's predicates with the nodes where it
// is tracked.
type tracked struct {
	atom  atom
	nodes bitset.Set[component.Node]
}

// An inferrer infers predicates for candidates, at the locations where they are needed.
type inferrer struct {
	*preconditions
	*candidateList
	work []placed // scratch
}

// inference is the work on one condition.
type inference struct {
	x     *inferrer
	c     *condition
	count []uint16 // atoms by node
	bound int
	work  []placed

	rounds [maxRounds + 1][]placed // what begins in each
	now    int                     // the round
}

// later has an atom begin in a later round, if there is one.
func (f *inference) later(round int, p placed) {
	if round <= maxRounds {
		f.rounds[round] = append(f.rounds[round], p)
	}
}

// put tracks an atom at a node, if it is new there and there is room.
func (f *inference) put(p placed) {
	if p.node == component.Init || p.node == component.Stop || int(f.count[p.node]) >= f.bound ||
		f.x.scope != nil && !f.x.scope(p.node, f.x.atoms.vars[p.atom]) {
		return
	}
	i, found := slices.BinarySearchFunc(f.c.preds, p.atom, func(t tracked, a atom) int { return int(t.atom - a) })
	if !found {
		f.c.preds = slices.Insert(f.c.preds, i, tracked{p.atom, bitset.New[component.Node](len(f.count))})
	}
	if f.c.preds[i].nodes.Add(p.node) {
		f.count[p.node]++
		f.work = append(f.work, p)
	}
}

// infer fills in P_s of the condition for every node, round by round: an atom
// is of the round after that of the atom it comes from if it was taken over an
// update such as i = i + 1, which would go on for ever.
func (x *inferrer) infer(ctx context.Context, c *condition) error {
	if c.preds != nil {
		return nil
	}
	c.preds = []tracked{}
	f := &inference{x: x, c: c, count: make([]uint16, x.Graph.NumNodes()), bound: 1 << 15, work: x.work}
	defer func() { x.work = f.work }()
	f.rounds[0] = c.at
	for f.now = range f.rounds {
		f.work = f.work[:0]
		for _, p := range f.rounds[f.now] {
			f.put(p)
		}
		if len(f.work) == 0 {
			continue
		}
		f.bound = x.bound
		if err := f.round(ctx); err != nil {
			c.preds = nil
			return err
		}
	}
	return nil
}

// round closes the atoms placed last under weakest preconditions over other
// updates than of a variable from itself; those are of the next round. What is passed to and from procedures that may
// call themselves is computed once: what comes of that is of the last round.
func (f *inference) round(ctx context.Context) error {
	for i := 0; !f.c.local && i < len(f.work); i++ {
		if i&0xfff == 0xfff && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for _, id := range f.x.Graph.In(f.work[i].node) {
			e := &f.x.Graph.Edges[id]
			self, passes := f.x.selfUpdate(e, f.work[i].atom), f.x.computesPassed(e, f.work[i].atom)
			for _, a := range f.x.backward(e, f.work[i].atom) {
				if self && len(f.x.atoms.vars[a]) > max(maxSummed, len(f.x.atoms.vars[f.work[i].atom])) {
					continue
				}
				switch p := (placed{e.From, a}); {
				case passes && f.now < maxRounds:
					f.later(maxRounds, p)
				case self || passes:
					f.later(f.now+1, p)
				default:
					f.put(p)
				}
			}
		}
	}
	return nil
}

// computesPassed reports whether the edge gives a variable of the atom by which procedures pass something a
// value that is computed.
func (x *inferrer) computesPassed(e *component.Edge, a atom) bool {
	return x.passed != nil && slices.ContainsFunc(e.Update, func(u component.Update) bool {
		return u.Term.Op() != expr.Var && !u.Term.IsConst() && x.passed(u.Var) && slices.Contains(x.atoms.vars[a], u.Var)
	})
}

// selfUpdate reports whether the edge gives a variable of the atom a value
// computed from itself.
func (x *inferrer) selfUpdate(e *component.Edge, a atom) bool {
	return slices.ContainsFunc(e.Update, func(u component.Update) bool {
		return u.Term != u.Var && slices.Contains(x.atoms.vars[a], u.Var) && slices.Contains(expr.Vars(u.Term), u.Var)
	})
}

// predicates is P_s at a node for a set of candidates.
func (x *inferrer) predicates(ctx context.Context, n component.Node, set []int) ([]atom, error) {
	var ps []atom
	for _, i := range set {
		for _, c := range x.Candidates[i].conds {
			if err := x.infer(ctx, c); err != nil {
				return nil, err
			}
			var own []atom
			for _, t := range c.preds {
				if t.nodes.Has(n) {
					own = append(own, t.atom)
				}
			}
			ps = mergeAtoms(ps, own)
		}
	}
	return ps, nil
}

// everywhere is P_s at all nodes for a set of candidates, and all of its atoms.
func (x *inferrer) everywhere(ctx context.Context, set []int) (byNode [][]atom, all []atom, err error) {
	var ts []tracked
	for _, i := range set {
		for _, c := range x.Candidates[i].conds {
			if err := x.infer(ctx, c); err != nil {
				return nil, nil, err
			}
			ts = append(ts, c.preds...)
		}
	}
	slices.SortStableFunc(ts, func(a, b tracked) int { return int(a.atom - b.atom) })
	byNode = x.sized(ts)
	nodes := bitset.New[component.Node](len(byNode))
	for i := 0; i < len(ts); {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		a := ts[i].atom
		clear(nodes)
		for ; i < len(ts) && ts[i].atom == a; i++ {
			nodes.Unite(ts[i].nodes)
		}
		all = append(all, a)
		for n := range nodes.All() {
			byNode[n] = append(byNode[n], a)
		}
	}
	return byNode, all, nil
}

// sized are lists by node, still empty, with room for the tracked atoms.
func (x *inferrer) sized(ts []tracked) [][]atom {
	room, sum := make([]int, x.Graph.NumNodes()), 0
	for _, t := range ts {
		for n := range t.nodes.All() {
			room[n]++
			sum++
		}
	}
	lists, all := make([][]atom, len(room)), make([]atom, sum)
	for n, k := range room {
		lists[n], all = all[:0:k], all[k:]
	}
	return lists
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
