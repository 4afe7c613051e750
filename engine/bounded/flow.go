package bounded

// What unrolling needs to know of a control graph, worked out once: an order of the
// nodes in which all edges go forward but those that close a loop, the live variables of
// each node, and which edges leave a node for opposite reasons.
//
// Source: reverse postorder and live variables as in any compiler (Aho, Lam, Sethi,
// Ullman: Compilers, 2nd ed., sections 9.2.5 and 9.6). Cost: linear in the graph, and the
// live variables a few passes over it.

import (
	"context"
	"slices"

	"magus/component"
	"magus/internal/bitset"
	"magus/smt/expr"
)

// A flow is a control graph made ready.
type flow struct {
	graph *component.Graph
	order []component.Node // those that Init leads to, in reverse postorder
	rank  []int            // by node: its place in order
	vars  []*expr.Expr     // all but those for new values
	index map[*expr.Expr]int
	edges []edge            // by number
	live  []bitset.Set[int] // by node: the variables whose values may matter there
	fork  []bool            // by node: two edges leave it, of which exactly one can be taken
}

// An edge is one of the graph's, with the variables that it reads and writes.
type edge struct {
	*component.Edge
	guard  *expr.Expr
	reads  []int        // variables of the guard and of the terms
	writes []int        // of the updates, in their order
	fresh  []*expr.Expr // variables for new values, of both
}

func newFlow(ctx context.Context, g *component.Graph) (*flow, error) {
	f := &flow{graph: g, index: map[*expr.Expr]int{}, edges: make([]edge, len(g.Edges)), fork: make([]bool, g.NumNodes())}
	for i := range g.Edges {
		f.edges[i] = f.edge(&g.Edges[i])
	}
	f.sort()
	f.findForks()
	return f, f.findLive(ctx)
}

// number is the number of a variable.
func (f *flow) number(v *expr.Expr) int {
	i, ok := f.index[v]
	if !ok {
		i = len(f.vars)
		f.index[v], f.vars = i, append(f.vars, v)
	}
	return i
}

func (f *flow) edge(e *component.Edge) edge {
	out := edge{Edge: e, guard: f.graph.Comp.CFA.Pool.Land(e.Guard...)}
	terms := []*expr.Expr{out.guard}
	for _, u := range e.Update {
		terms = append(terms, u.Term)
		out.writes = append(out.writes, f.number(u.Var))
	}
	for _, v := range expr.Vars(terms...) {
		if f.graph.IsFresh(v) {
			out.fresh = append(out.fresh, v)
		} else {
			out.reads = append(out.reads, f.number(v))
		}
	}
	return out
}

// sort finds the reverse postorder by a search depth first, without recursion.
func (f *flow) sort() {
	f.rank = make([]int, f.graph.NumNodes())
	type visit struct {
		node component.Node
		next int
	}
	seen := make([]bool, f.graph.NumNodes())
	seen[component.Init] = true
	for stack := []visit{{component.Init, 0}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		out := f.graph.Out(top.node)
		if top.next == len(out) {
			f.order = append(f.order, top.node)
			stack = stack[:len(stack)-1]
			continue
		}
		to := f.graph.Edges[out[len(out)-1-top.next]].To // the first edge comes first in the order
		top.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, visit{to, 0})
		}
	}
	slices.Reverse(f.order)
	for i, n := range f.order {
		f.rank[n] = i
	}
}

// findForks looks for pairs of edges with opposite guards.
func (f *flow) findForks() {
	for _, n := range f.order {
		out := f.graph.Out(n)
		f.fork[n] = len(out) == 2 && len(f.edges[out[0]].fresh) == 0 &&
			f.graph.Comp.CFA.Pool.Not(f.edges[out[0]].guard) == f.edges[out[1]].guard
	}
}

// findLive passes backward over the nodes until nothing changes.
func (f *flow) findLive(ctx context.Context) error {
	f.live = make([]bitset.Set[int], f.graph.NumNodes())
	for n := range f.live {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		f.live[n] = bitset.New[int](len(f.vars))
	}
	for changed := true; changed; {
		changed = false
		for _, n := range slices.Backward(f.order) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			changed = f.widen(n) || changed
		}
	}
	return nil
}

// widen adds to what is live at a node what its edges read and what is live behind
// them, and reports whether that was new.
func (f *flow) widen(n component.Node) bool {
	changed := false
	for _, id := range f.graph.Out(n) {
		e := &f.edges[id]
		behind := slices.Clone(f.live[e.To])
		for _, v := range e.writes {
			behind.Remove(v)
		}
		for _, v := range e.reads {
			behind.Add(v)
		}
		changed = f.live[n].Unite(behind) || changed
	}
	return changed
}
