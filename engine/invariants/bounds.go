package invariants

// Bounds of variables, by abstract interpretation.
//
// Idea: what a variable may be at a control point is an interval. Edges are followed until
// nothing changes; where loops close, a bound that grows jumps to the next constant of the
// program (widening), and two passes afterwards take back what was too much (narrowing). A
// computation that may wrap around has all values, unless all of its results wrap alike.
//
// Source: Cousot, Cousot: Abstract Interpretation, POPL 1977; thresholds: Blanchet et al., PLDI
// 2003. Cost: a few passes over the edges, times the variables of a control point; none is
// made for graphs of more than 2²² pairs of both.

import (
	"context"
	"slices"

	"magus/component"
	"magus/internal/graph"
	"magus/smt/expr"
)

const (
	maxPairs      = 1 << 22 // of control points and variables
	wideningDelay = 3       // visits of a control point before it is widened
	lastWidening  = 12      // before what still grows there is any value
	narrowing     = 2       // passes
)

// analysis is the interpretation of one graph.
type analysis struct {
	graph      *component.Graph
	pool       *expr.Pool
	rank       []int // by node
	order      []component.Node
	index      map[*expr.Expr]int
	vars       []*expr.Expr
	at         [][]interval // by node; nil where no run was seen to come
	thresholds []int64
	floats     map[expr.Type][]int64 // thresholds of floating point
}

// Bounds are conditions that hold wherever runs pass a control point, for those of them
// that loops come back to. order has the nodes that runs come to; what leads from a node to an
// earlier one, or to itself, closes a loop. The error is ctx's.
func Bounds(ctx context.Context, g *component.Graph, order []component.Node) (map[component.Node][]*expr.Expr, error) {
	a := newAnalysis(g, order)
	if len(a.vars)*len(order) > maxPairs {
		return nil, nil
	}
	if err := a.climb(ctx); err != nil {
		return nil, err
	}
	for range narrowing {
		if err := a.narrow(ctx); err != nil {
			return nil, err
		}
	}
	found := map[component.Node][]*expr.Expr{}
	for _, n := range order {
		switch {
		case !a.isHead(n):
		case a.at[n] == nil:
			found[n] = []*expr.Expr{a.pool.False()}
		default:
			found[n] = a.conditions(n)
		}
	}
	return found, nil
}

func newAnalysis(g *component.Graph, order []component.Node) *analysis {
	a := &analysis{graph: g, pool: g.Comp.CFA.Pool, order: order, rank: make([]int, g.NumNodes()),
		index: map[*expr.Expr]int{}, floats: map[expr.Type][]int64{}, at: make([][]interval, g.NumNodes())}
	for i, n := range order {
		a.rank[n] = i
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		terms := slices.Clone(e.Guard)
		for _, u := range e.Update {
			terms = append(terms, u.Var, u.Term)
		}
		expr.Walk(a.meet, terms...)
	}
	for t, k := range a.floats {
		slices.Sort(k)
		a.floats[t] = slices.Compact(k)
	}
	slices.Sort(a.thresholds)
	a.thresholds = slices.Compact(a.thresholds)
	return a
}

// meet numbers variables and notes constants.
func (a *analysis) meet(e *expr.Expr) {
	switch e.Op() {
	case expr.Var:
		if _, known := a.index[e]; !known && !a.graph.IsFresh(e) {
			a.index[e] = len(a.vars)
			a.vars = append(a.vars, e)
		}
	case expr.Const:
		if t := e.Type(); t.IsFloat() {
			a.floats[t] = append(a.floats[t], thresholdsOf(t, e.Value())...)
			return
		}
		k := e.Int()
		a.thresholds = append(a.thresholds, k-1, k, k+1)
	}
}

// isHead reports whether an edge that closes a loop leads to a node.
func (a *analysis) isHead(n component.Node) bool {
	return slices.ContainsFunc(a.graph.In(n), func(id int32) bool { return a.isBack(&a.graph.Edges[id]) })
}

func (a *analysis) isBack(e *component.Edge) bool { return a.rank[e.To] <= a.rank[e.From] }

// climb follows edges until nothing changes.
func (a *analysis) climb(ctx context.Context) error {
	a.at[component.Init] = make([]interval, len(a.vars))
	for i, v := range a.vars {
		a.at[component.Init][i] = all(v.Type())
	}
	g := graph.Func{Nodes: len(a.at), Succ: func(n int, yield func(int)) {
		for _, id := range a.graph.Out(component.Node(n)) {
			yield(int(a.graph.Edges[id].To))
		}
	}}
	order := make([]int, len(a.order))
	for i, n := range a.order {
		order[i] = int(n)
	}
	var first []int
	g.Out(int(component.Init), func(n int) { first = append(first, n) })
	visits := make([]int, len(a.at))
	return graph.Fixpoint(ctx, g, order, first, func(n int) bool {
		visits[n]++
		return a.grow(component.Node(n), a.entered(component.Node(n)), visits[n])
	})
}

// grow joins values into those of a node, and reports whether there are new ones.
func (a *analysis) grow(n component.Node, next []interval, visits int) bool {
	if next == nil {
		return false
	}
	if a.at[n] == nil {
		a.at[n] = next
		return true
	}
	changed := false
	head := a.isHead(n)
	for i, old := range a.at[n] {
		now := old.join(next[i])
		if now == old {
			continue
		}
		switch t := a.vars[i].Type(); {
		case head && visits > lastWidening:
			now = all(t)
		case head && visits > wideningDelay:
			now = a.widened(t, old, now)
		}
		if !changed { // others may have the same list
			a.at[n], changed = slices.Clone(a.at[n]), true
		}
		a.at[n][i] = now
	}
	return changed
}

// widened moves the bounds that have grown to thresholds.
func (a *analysis) widened(t expr.Type, old, now interval) interval {
	v, k := all(t), a.thresholds
	if t.IsFloat() {
		k = a.floats[t]
	}
	if now.lo == old.lo {
		v.lo = old.lo
	} else if i, found := slices.BinarySearch(k, now.lo); found {
		v.lo = now.lo
	} else if i > 0 {
		v.lo = max(v.lo, k[i-1])
	}
	if now.hi == old.hi {
		v.hi = old.hi
	} else if i, _ := slices.BinarySearch(k, now.hi); i < len(k) {
		v.hi = min(v.hi, k[i])
	}
	return v
}

// narrow makes one pass, in which nothing grows.
func (a *analysis) narrow(ctx context.Context) error {
	for _, n := range a.order {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if n == component.Init || a.at[n] == nil {
			continue
		}
		a.at[n] = a.entered(n)
	}
	return nil
}

// entered is what the edges into a node lead to; nil if none can be taken. Init is entered with
// any values. It may be what is known of another node.
func (a *analysis) entered(n component.Node) []interval {
	if n == component.Init {
		return a.at[n]
	}
	var sum []interval
	for _, id := range a.graph.In(n) {
		e := &a.graph.Edges[id]
		after := a.follow(e)
		switch {
		case after == nil:
		case sum == nil:
			sum = after
		default:
			sum = slices.Clone(sum)
			for i, v := range after {
				sum[i] = sum[i].join(v)
			}
		}
	}
	return sum
}

// follow is what is known behind an edge; nil if it cannot be taken. It may be what is known before
// the edge itself.
func (a *analysis) follow(e *component.Edge) []interval {
	if a.at[e.From] == nil {
		return nil
	}
	if len(e.Guard) == 0 && len(e.Update) == 0 {
		return a.at[e.From]
	}
	before := &values{a, slices.Clone(a.at[e.From]), nil}
	for _, c := range e.Guard {
		if !before.assume(c, true) {
			return nil
		}
	}
	if len(e.Update) == 0 {
		return before.now
	}
	after := slices.Clone(before.now)
	for _, u := range e.Update {
		after[a.index[u.Var]] = before.of(u.Term)
	}
	return after
}

// conditions are the bounds of the variables at a node that say something.
func (a *analysis) conditions(n component.Node) []*expr.Expr {
	var cs []*expr.Expr
	for i, v := range a.vars {
		t, b := v.Type(), a.at[n][i]
		if t.IsBool() {
			continue
		}
		if whole := all(t); b == whole {
			continue
		}
		if t.IsFloat() {
			cs = append(cs, a.conditionsOfFloat(v, b)...)
			continue
		}
		lo, hi := a.pool.Int(t, b.lo), a.pool.Int(t, b.hi)
		if b.lo == b.hi {
			cs = append(cs, a.pool.Eq(v, lo))
			continue
		}
		cs = append(cs, a.pool.Not(a.pool.Lt(v, lo)))
		if !endless(t, b) {
			cs = append(cs, a.pool.Not(a.pool.Lt(hi, v)))
		}
	}
	return slices.DeleteFunc(cs, (*expr.Expr).IsTrue)
}
