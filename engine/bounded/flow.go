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
	"magus/internal/graph"
	"magus/smt/expr"
)

// A flow is a control graph made ready.
type flow struct {
	graph *component.Graph
	order []component.Node // those that Init leads to, in reverse postorder
	rank  []int            // by node: its index in order
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

// NumNodes implements [graph.Graph].
func (f *flow) NumNodes() int { return f.graph.NumNodes() }

// Out implements [graph.Graph].
func (f *flow) Out(n int, yield func(m int)) {
	for _, id := range f.graph.Out(component.Node(n)) {
		yield(int(f.graph.Edges[id].To))
	}
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

// sort finds the reverse postorder.
func (f *flow) sort() {
	f.rank = make([]int, f.graph.NumNodes())
	g := graph.Func{Nodes: f.graph.NumNodes(), Succ: func(n int, yield func(int)) {
		for _, id := range slices.Backward(f.graph.Out(component.Node(n))) { // the first edge comes first in the order
			yield(int(f.graph.Edges[id].To))
		}
	}}
	for _, n := range slices.Backward(graph.Postorder(g, int(component.Init))) {
		f.rank[n] = len(f.order)
		f.order = append(f.order, component.Node(n))
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

// findLive finds the live variables: edge by edge, for edges write different variables.
func (f *flow) findLive(ctx context.Context) (err error) {
	behind := bitset.New[int](len(f.vars))
	f.live, err = graph.Live(ctx, f, len(f.vars), func(n int, live []bitset.Set[int], in bitset.Set[int]) {
		for _, id := range f.graph.Out(component.Node(n)) {
			e := &f.edges[id]
			copy(behind, live[e.To])
			for _, v := range e.writes {
				behind.Remove(v)
			}
			for _, v := range e.reads {
				behind.Add(v)
			}
			in.Unite(behind)
		}
	})
	return err
}
