package component

// Large blocks.
//
// Idea: most control points have one way in and one way out, and what is known of data matters at few of
// them. A control point is taken out of the graph by making one edge of each two that meet there: the guards
// of both, the second's rewritten to speak of the values before the first, and the assignments one after the
// other. What remains are edges that stand for pieces of code without loops.
//
// Taken out is a location where control always goes on (an assignment, a branch, a goto, an action, a return),
// that is no head of a loop, and where that makes no more edges than there were. Heads are where the back edges of
// a depth-first search lead, so that each cycle keeps one. Two edges are not made one if both perform an
// action, if both choose a value for the same variable, or if that has too many conditions or parts.
//
// Law: the graph has the same weak traces. A run of either is one of the other: control goes on from all that is
// taken out, so that a run up to such a point, and no further, has a run behind it with the same actions or more.
//
// Source: Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: Software model checking via large-block
// encoding (FMCAD 2009), section 3. Deviations: guarded parallel assignments are composed
// instead of formulas, so that there are no disjunctions, and sequences are joined only while edges do
// not become more (the paper's rule for choices joins them by a disjunction); an action ends no
// block, it may be anywhere in it, once.
//
// Cost: linear in the edges met, times the terms that are rewritten.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/internal/graph"
	"magus/lts"
	"magus/smt/expr"
)

// Bounds of one edge that stands for several.
const (
	maxConjuncts = 40  // of its guard
	maxParts     = 100 // edges that it stands for
)

// LargeBlocks is the graph with control points taken out: its nodes are the same, with the same numbers, but no edge
// leads to some of them. [Graph.Parts] says what its edges stand for. The error is ctx's.
func (g *Graph) LargeBlocks(ctx context.Context) (*Graph, error) {
	if g.base != nil {
		return g, nil
	}
	b := newLargeBlocks(g)
	if err := b.takeOutAll(ctx); err != nil {
		return nil, err
	}
	return b.graph(), nil
}

// Base is the graph that a graph of large blocks was made of; any other is its own.
func (g *Graph) Base() *Graph {
	if g.base == nil {
		return g
	}
	return g.base
}

// Parts are the edges of [Graph.Base] that an edge stands for, in their order.
func (g *Graph) Parts(id int32) []int32 {
	if g.base == nil {
		return []int32{id}
	}
	return g.parts[id]
}

// Passed reports whether n was taken out of the graph: its runs pass it within an edge.
func (g *Graph) Passed(n Node) bool { return g.base != nil && g.passed[n] }

// Program is a path in the edges of [Graph.Base].
func (g *Graph) Program(path []int32) []int32 {
	if g.base == nil {
		return path
	}
	var all []int32
	for _, id := range path {
		all = append(all, g.parts[id]...)
	}
	return all
}

// A PathPart is a part of an edge of a path.
type PathPart struct{ Step, Part int }

// Within are the parts of a path of positions in its [Graph.Program], which increase.
func (g *Graph) Within(path []int32, positions []int) []PathPart {
	var all []PathPart
	before, step := 0, 0
	for _, at := range positions {
		for n := len(g.Parts(path[step])); at >= before+n; n = len(g.Parts(path[step])) {
			before += n
			step++
		}
		all = append(all, PathPart{step, at - before})
	}
	return all
}

// largeBlocks is the graph in the making.
type largeBlocks struct {
	base    *Graph
	edges   []largeBlock
	out, in [][]int32 // numbers of edges that are left
	stays   []bool    // by node
	passed  []bool
}

// A largeBlock is an edge with what it stands for.
type largeBlock struct {
	Edge
	parts  []int32
	chosen []*expr.Expr // the fresh variables of its parts
}

func newLargeBlocks(g *Graph) *largeBlocks {
	b := &largeBlocks{base: g, edges: make([]largeBlock, 0, len(g.Edges)), out: make([][]int32, len(g.nodes)),
		in: make([][]int32, len(g.nodes)), passed: make([]bool, len(g.nodes))}
	for i, e := range g.Edges {
		b.edges = append(b.edges, largeBlock{e, []int32{int32(i)}, g.chosen(&e)})
		b.out[e.From], b.in[e.To] = append(b.out[e.From], int32(i)), append(b.in[e.To], int32(i))
	}
	b.stays = g.heads()
	b.stays[g.At(g.Comp.CFA.Entry)] = true
	for n := range b.stays {
		b.stays[n] = b.stays[n] || !g.goesOn(Node(n))
	}
	return b
}

// heads are the nodes that edges of a depth-first search lead back to, and those that it does not meet.
func (g *Graph) heads() []bool {
	succ := graph.Func{Nodes: len(g.nodes), Succ: func(n int, yield func(int)) {
		for _, id := range g.out[n] {
			yield(int(g.Edges[id].To))
		}
	}}
	post := graph.Postorder(succ, int(Init))
	heads, met := graph.Heads(succ, post), make([]bool, len(g.nodes))
	for _, n := range post {
		met[n] = true
	}
	for n := range heads {
		heads[n] = heads[n] || !met[n]
	}
	return heads
}

// goesOn reports whether a run that comes to n always goes on.
func (g *Graph) goesOn(n Node) bool {
	if !g.IsLocation(n) {
		return false
	}
	switch g.Comp.CFA.Locs[g.nodes[n].loc].Stmt.(type) {
	case cfa.Assign, cfa.Branch, cfa.Goto, cfa.Act, cfa.Return:
		return true
	}
	return false
}

// takeOutAll tries to take each node out, in their order, and the neighbours of one that is taken out again.
// It is no [graph.Fixpoint], which is for a graph that stays: each node that is taken out changes the edges.
func (b *largeBlocks) takeOutAll(ctx context.Context) error {
	var work, around []Node
	waits := make([]bool, len(b.stays))
	put := func(n Node) {
		if !b.stays[n] && !b.passed[n] && !waits[n] {
			waits[n] = true
			work = append(work, n)
		}
	}
	for n := range b.stays {
		put(Node(n))
	}
	for len(work) > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n := work[0]
		work, waits[n] = work[1:], false
		around = b.around(around[:0], n)
		if b.takeOut(n); b.passed[n] {
			for _, m := range around {
				put(m)
			}
		}
	}
	return nil
}

// around adds the nodes that edges lead from and to n.
func (b *largeBlocks) around(all []Node, n Node) []Node {
	for _, id := range b.in[n] {
		all = append(all, b.edges[id].From)
	}
	for _, id := range b.out[n] {
		all = append(all, b.edges[id].To)
	}
	return all
}

// takeOut makes one edge of each two that meet at n, if that may be.
func (b *largeBlocks) takeOut(n Node) {
	in, out := b.in[n], b.out[n]
	if len(in) == 0 || len(out) == 0 || len(in)*len(out) > len(in)+len(out) {
		return
	}
	var made []largeBlock
	for _, i := range in {
		for _, o := range out {
			e, taken, ok := b.base.compose(&b.edges[i], &b.edges[o])
			if !ok {
				return
			}
			if taken {
				made = append(made, e)
			}
		}
	}
	b.passed[n] = true
	for _, i := range in {
		b.out[b.edges[i].From] = dropped(b.out[b.edges[i].From], i)
	}
	for _, o := range out {
		b.in[b.edges[o].To] = dropped(b.in[b.edges[o].To], o)
	}
	for k, id := range slices.Concat(in, out) { // the numbers are those of the edges made, which are no more
		b.edges[id] = largeBlock{}
		if k < len(made) {
			e := made[k]
			b.edges[id] = e
			b.out[e.From], b.in[e.To] = append(b.out[e.From], id), append(b.in[e.To], id)
		}
	}
}

func dropped(ids []int32, id int32) []int32 {
	return slices.DeleteFunc(ids, func(other int32) bool { return other == id })
}

// compose is the first edge and then the second; taken is false if their guards exclude each other, ok if they
// are not made one.
func (g *Graph) compose(a, b *largeBlock) (e largeBlock, taken, ok bool) {
	switch {
	case a.Action != lts.Tau && b.Action != lts.Tau, len(a.parts)+len(b.parts) > maxParts, chooseSame(a, b):
		return e, false, false
	}
	p := g.Comp.CFA.Pool
	e = largeBlock{Edge{From: a.From, To: b.To, Action: max(a.Action, b.Action), Loc: a.Loc},
		slices.Concat(a.parts, b.parts), slices.Concat(a.chosen, b.chosen)}
	guard, update := behind(p, a.Update, &b.Edge)
	e.Guard = slices.Clone(a.Guard)
	for _, c := range guard {
		for _, c := range conjuncts(p, c) {
			switch {
			case c.IsFalse() || slices.Contains(e.Guard, p.Not(c)):
				return e, false, true
			case !slices.Contains(e.Guard, c):
				e.Guard = append(e.Guard, c)
			}
		}
	}
	for _, u := range a.Update {
		if !updates(&b.Edge, u.Var) {
			e.Update = append(e.Update, u)
		}
	}
	for _, u := range update {
		if u.Term != u.Var {
			e.Update = append(e.Update, u)
		}
	}
	return e, true, len(e.Guard) <= maxConjuncts
}

// behind are the guard and the assignments of an edge in terms of the values before some assignments are made.
func behind(p *expr.Pool, before []Update, e *Edge) (guard []*expr.Expr, update []Update) {
	if len(before) == 0 || len(e.Guard)+len(e.Update) == 0 {
		return e.Guard, e.Update
	}
	by := make(map[*expr.Expr]*expr.Expr, len(before))
	for _, u := range before {
		by[u.Var] = u.Term
	}
	terms := slices.Clone(e.Guard)
	for _, u := range e.Update {
		terms = append(terms, u.Term)
	}
	p.SubstAll(terms, by)
	guard, update = terms[:len(e.Guard)], slices.Clone(e.Update)
	for i := range update {
		update[i].Term = terms[len(guard)+i]
	}
	return guard, update
}

func updates(e *Edge, v *expr.Expr) bool {
	return slices.ContainsFunc(e.Update, func(u Update) bool { return u.Var == v })
}

// chooseSame reports whether both edges choose a value for the same variable.
func chooseSame(a, b *largeBlock) bool {
	return slices.ContainsFunc(b.chosen, func(f *expr.Expr) bool { return slices.Contains(a.chosen, f) })
}

// chosen are the fresh variables of an edge that stands for itself: those that a variable is set to,
// which its guard may speak about.
func (g *Graph) chosen(e *Edge) []*expr.Expr {
	var all []*expr.Expr
	for _, u := range e.Update {
		if g.IsFresh(u.Term) {
			all = append(all, u.Term)
		}
	}
	return all
}

// graph is what is left, its edges in the order of their first parts.
func (b *largeBlocks) graph() *Graph {
	g := *b.base
	g.base, g.passed, g.Edges, g.parts = b.base, b.passed, nil, nil
	var left []largeBlock
	for n, ids := range b.out {
		if !b.passed[n] {
			for _, id := range ids {
				left = append(left, b.edges[id])
			}
		}
	}
	slices.SortFunc(left, func(x, y largeBlock) int { return slices.Compare(x.parts, y.parts) })
	for i, e := range left {
		e.ID = i
		g.Edges, g.parts = append(g.Edges, e.Edge), append(g.parts, e.parts)
	}
	g.alphabet = b.base.Alphabet()
	g.index()
	return &g
}
