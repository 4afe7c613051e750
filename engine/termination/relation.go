package termination

// What a component does from one head of a loop to the next.
//
// Idea: each cycle of a control graph goes through a head. From each head, and from the start, the graph is followed
// forward until it comes to heads again: a piece without loops. Each way through it is a guard and what it
// assigns, as terms over the values at the first head and over what is chosen on the way. Where there are
// more than a few ways to one control point they become one, whose values are chosen by their guards.
//
// Source: large-block encoding: Beyer, Cimatti, Griggio, Keremoglu, Sebastiani, FMCAD 2009. Deviations: a few ways are
// kept apart, since a ranking function is often one of some ways only.
//
// Cost: the edges between heads, times the ways that are kept apart, times the terms that are rewritten.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"magus/component"
	"magus/internal/graph"
	"magus/lts"
	"magus/smt/expr"
)

// fewWays is how many ways to one control point are kept apart.
const fewWays = 8

// A step leads from the start or a head to a head, or to where a run is cut off.
type step struct {
	from, to component.Node
	guard    *expr.Expr // over values at from, and what is chosen
	next     env        // the values at to that are others
	path     []int32    // edges; nil of several ways that have become one
	cut      bool       // recursion is not followed there, or something is not modelled
	last     int32      // the last edge
}

// An env has the terms of variables that have other values than at the beginning.
type env map[*expr.Expr]*expr.Expr

// A relation has the steps of a component.
type relation struct {
	g      *component.Graph
	pool   *expr.Pool
	order  []component.Node // that runs come to, a head before what it leads to
	heads  []component.Node
	isCut  func(lts.Action) bool
	steps  []*step // from the start first, then by head
	marks  map[component.Node]bool
	marked []*step // to marked control points, wherever they go on

	renamed map[int32]*component.Edge
	inputs  map[*expr.Expr]bool // what steps choose
}

// newRelation follows the graph from all heads. It notes the ways to marked control points, too.
func newRelation(ctx context.Context, g *component.Graph, cuts []lts.Action,
	marks map[component.Node]bool) (*relation, error) {
	r := &relation{marks: marks, g: g, pool: g.Comp.CFA.Pool, renamed: map[int32]*component.Edge{},
		inputs: map[*expr.Expr]bool{}}
	r.isCut = func(a lts.Action) bool { return a != lts.Tau && slices.Contains(cuts, a) }
	succ := graph.Func{Nodes: g.NumNodes(), Succ: func(n int, yield func(int)) {
		for _, id := range g.Out(component.Node(n)) {
			yield(int(g.Edges[id].To))
		}
	}}
	post := graph.Postorder(succ, int(component.Init))
	isHead := graph.Heads(succ, post)
	for _, n := range slices.Backward(post) {
		if r.order = append(r.order, component.Node(n)); isHead[n] {
			r.heads = append(r.heads, component.Node(n))
		}
	}
	rank := make([]int, g.NumNodes())
	for i, n := range r.order {
		rank[n] = i
	}
	for _, h := range append([]component.Node{component.Init}, r.heads...) {
		if err := r.follow(ctx, h, isHead, rank); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// A way leads from a head to a control point before the next head.
type way struct {
	guard *expr.Expr
	env   env
	path  []int32
}

// follow makes the steps from a head.
func (r *relation) follow(ctx context.Context, from component.Node, isHead []bool, rank []int) error {
	at := map[component.Node][]way{from: {{r.pool.True(), env{}, []int32{}}}}
	for _, n := range r.order[rank[from]:] {
		ways := at[n]
		if delete(at, n); len(ways) == 0 {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(ways) > fewWays {
			ways = []way{r.join(n, ways)}
		}
		for _, w := range ways {
			if r.marks[n] {
				r.marked = append(r.marked, &step{from: from, to: n, guard: w.guard, next: w.env, path: w.path})
			}
			for _, id := range r.g.Out(n) {
				next, ok := r.take(w, id)
				e := &r.g.Edges[id]
				switch {
				case !ok:
				case r.isCut(e.Action):
					r.steps = append(r.steps, &step{from: from, to: e.To, guard: next.guard, path: next.path, cut: true, last: id})
				case isHead[e.To]:
					r.steps = append(r.steps, &step{from: from, to: e.To, guard: next.guard, next: next.env, path: next.path,
						last: id})
				default:
					at[e.To] = append(at[e.To], next)
				}
			}
		}
	}
	return nil
}

// take has a way go on by an edge; ok is false if its guards exclude each other.
func (r *relation) take(w way, id int32) (next way, ok bool) {
	e := r.fresh(id)
	terms := slices.Clone(e.Guard)
	for _, u := range e.Update {
		terms = append(terms, u.Term)
	}
	if len(w.env) > 0 {
		r.pool.SubstAll(terms, w.env)
	}
	next.guard = r.pool.Land(append([]*expr.Expr{w.guard}, terms[:len(e.Guard)]...)...)
	if next.guard.IsFalse() {
		return next, false
	}
	next.env = w.env
	if len(e.Update) > 0 {
		next.env = maps.Clone(w.env)
		for i, u := range e.Update {
			next.env[u.Var] = terms[len(e.Guard)+i]
		}
	}
	if w.path != nil {
		next.path = append(slices.Clip(w.path), id)
	}
	return next, true
}

// fresh is an edge with variables of its own for what it chooses.
func (r *relation) fresh(id int32) *component.Edge {
	if e := r.renamed[id]; e != nil {
		return e
	}
	e := r.g.Edges[id]
	by, terms := env{}, slices.Clone(e.Guard)
	for _, u := range e.Update {
		terms = append(terms, u.Term)
	}
	for _, v := range expr.Vars(terms...) {
		if r.g.IsFresh(v) {
			by[v] = r.pool.Var(fmt.Sprintf("%s@%d", v.Name(), id), v.Type())
			r.inputs[by[v]] = true
		}
	}
	if len(by) > 0 {
		e.Guard, e.Update = slices.Clone(e.Guard), slices.Clone(e.Update)
		for i, c := range e.Guard {
			e.Guard[i] = r.pool.Subst(c, by)
		}
		for i, u := range e.Update {
			e.Update[i].Term = r.pool.Subst(u.Term, by)
		}
	}
	r.renamed[id] = &e
	return &e
}

// join makes one way of several to a control point. Guards of ways exclude each other, but where a routine that is
// known by its abstraction has a choice: then which way is taken is chosen.
func (r *relation) join(n component.Node, ways []way) way {
	out := ways[len(ways)-1]
	out.path = nil
	for i, w := range slices.Backward(ways[:len(ways)-1]) {
		first, either := w.guard, r.pool.Lor(w.guard, out.guard)
		if len(r.g.Comp.Calls) > 0 {
			first = r.pool.Eq(r.pool.Var(fmt.Sprintf("way@%d.%d", n, i), expr.Type{Width: 1}),
				r.pool.Const(expr.Type{Width: 1}, 1))
			either = r.pool.Lor(r.pool.Land(first, w.guard), r.pool.Land(r.pool.Not(first), out.guard))
		}
		merged := env{}
		for _, v := range variables(w.env, out.env) {
			merged[v] = r.pool.Ite(first, w.env.of(v), out.env.of(v))
		}
		out.env, out.guard = merged, either
	}
	return out
}

// of is the value of a variable.
func (e env) of(v *expr.Expr) *expr.Expr {
	if t, ok := e[v]; ok {
		return t
	}
	return v
}

// variables are those of some environments, the oldest first.
func variables(all ...env) []*expr.Expr {
	set := map[*expr.Expr]bool{}
	for _, e := range all {
		for v := range e {
			set[v] = true
		}
	}
	return slices.SortedFunc(maps.Keys(set), func(a, b *expr.Expr) int { return cmp.Compare(a.ID(), b.ID()) })
}
