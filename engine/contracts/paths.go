package contracts

// Bodies of procedures as paths between cut points.
//
// Idea: a path begins at the entry of a procedure or where a loop closes, and ends where a loop closes, at the exit,
// at a call (whose precondition has to hold there) or at a step that the specification does not allow. It goes on
// behind a call with new values of what the call may change. Values are terms over those at the beginning.
//
// Source: inductive assertions (Floyd 1967); for procedures, Hoare: Procedures and Parameters (1971). Deviation:
// paths are written out, for a few of them are easier for the decision procedure than one term with choices.
//
// Cost: the number of paths, which is bounded.

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"magus/component"
	"magus/smt/expr"
)

// maxPaths bounds the paths of a component.
const maxPaths = 2_000

// maxSteps bounds the steps of them all.
const maxSteps = 100_000

// A Point is where contracts say something.
type Point struct {
	Procedure int
	Kind      PointKind
	Node      component.Node // where a loop closes
}

// A PointKind is the kind of a point.
type PointKind uint8

// The kinds of points.
const (
	Entry PointKind = iota
	Exit
	Head // where a loop closes
	bad  // a step that the specification does not allow
	over // the end of the component: nothing has to hold there
)

// An env has the values of variables that are not those of the beginning.
type env map[*expr.Expr]*expr.Expr

// A called is a call on a path that has returned.
type called struct {
	callee        int
	before, after env
}

// A segment is a path between cut points.
type segment struct {
	from, to Point
	conds    []*expr.Expr
	calls    []called
	end      env // the values at its end
	edges    []int
}

// paths finds the segments of a component.
type paths struct {
	ps     *component.Procedures
	pool   *expr.Pool
	breach func(e *component.Edge) bool
	heads  map[component.Node]bool
	all    []segment
	now    map[*expr.Expr]*expr.Expr // by variable: its value now
	of     map[*expr.Expr]*expr.Expr // back
	steps  int
	// by procedure, what it or a call in it may change
	assigned map[int]map[*expr.Expr]bool
}

// A walk is a path that is being followed.
type walk struct {
	segment
	start, node component.Node
	fresh       int
	first       bool // nothing was followed yet
}

// find finds the segments of all procedures that may be called, and these.
func (p *paths) find(ctx context.Context) ([]int, error) {
	reached := p.reached()
	p.findAssigned()
	for _, q := range reached {
		heads := p.headsOf(q)
		starts := []Point{{q, Entry, p.ps.List[q].Entry}}
		for _, n := range heads {
			p.heads[n] = true
			starts = append(starts, Point{q, Head, n})
		}
		for _, at := range starts {
			w := walk{start: at.Node, node: at.Node, first: true}
			w.from, w.end = at, env{}
			if at.Kind == Entry {
				w.from.Node = 0
			}
			if err := p.follow(ctx, w); err != nil {
				return nil, err
			}
		}
	}
	return reached, nil
}

// reached are the procedures that calls lead to, the component's own first.
func (p *paths) reached() []int {
	all, seen := []int{0}, map[int]bool{0: true}
	for i := 0; i < len(all); i++ {
		for _, n := range slices.Sorted(maps.Keys(p.ps.Calls)) {
			if c := p.ps.Calls[n].Callee; p.ps.Of[n] == all[i] && !seen[c] {
				seen[c] = true
				all = append(all, c)
			}
		}
	}
	return all
}

// findAssigned finds what procedures may change, besides what others own.
func (p *paths) findAssigned() {
	p.assigned = map[int]map[*expr.Expr]bool{}
	for i, e := range p.ps.Graph.Edges {
		if kind := p.ps.Kinds[i]; kind != component.Within && kind != component.Past {
			continue
		}
		q := p.ps.Of[e.From]
		if p.assigned[q] == nil {
			p.assigned[q] = map[*expr.Expr]bool{}
		}
		for _, u := range e.Update {
			p.assigned[q][u.Var] = true
		}
	}
}

// next are the nodes behind one within its procedure.
func (p *paths) next(n component.Node) (all []component.Node) {
	if site := p.ps.Calls[n]; site != nil {
		if site.Past != nil {
			all = append(all, site.Back)
		}
		return all
	}
	for _, id := range p.ps.Graph.Out(n) {
		if e := &p.ps.Graph.Edges[id]; p.ps.Kinds[id] == component.Within && e.To != component.Stop {
			all = append(all, e.To)
		}
	}
	return all
}

// headsOf are the nodes of a procedure where loops close.
func (p *paths) headsOf(q int) (heads []component.Node) {
	state := map[component.Node]int{} // 1 on the way, 2 done
	var visit func(n component.Node)
	visit = func(n component.Node) {
		state[n] = 1
		for _, to := range p.next(n) {
			switch state[to] {
			case 0:
				visit(to)
			case 1:
				if !slices.Contains(heads, to) {
					heads = append(heads, to)
				}
			}
		}
		state[n] = 2
	}
	visit(p.ps.List[q].Entry)
	slices.Sort(heads)
	return heads
}

// follow follows all paths from a point.
func (p *paths) follow(ctx context.Context, w walk) error {
	if p.steps++; p.steps > maxSteps || len(p.all) > maxPaths {
		return &Failure{fmt.Sprintf("there are more than %d paths through the bodies", maxPaths)}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	q := w.from.Procedure
	switch {
	case !w.first && p.heads[w.node]:
		p.end(w, Point{q, Head, w.node})
		return nil
	case q > 0 && w.node == p.ps.List[q].Exit:
		p.end(w, Point{q, Exit, 0})
		return nil
	}
	w.first = false
	if site := p.ps.Calls[w.node]; site != nil {
		return p.call(ctx, w, site)
	}
	for _, id := range p.ps.Graph.Out(w.node) {
		if p.ps.Kinds[id] != component.Within {
			continue
		}
		if err := p.step(ctx, w, &p.ps.Graph.Edges[id]); err != nil {
			return err
		}
	}
	return nil
}

// end is a segment that a walk has come to the end of.
func (p *paths) end(w walk, to Point) {
	s := w.segment
	s.to, s.conds, s.calls, s.edges = to, slices.Clone(s.conds), slices.Clone(s.calls), slices.Clone(s.edges)
	p.all = append(p.all, s)
}

// step takes an edge.
func (p *paths) step(ctx context.Context, w walk, e *component.Edge) error {
	by := map[*expr.Expr]*expr.Expr{}
	terms := slices.Clone(e.Guard)
	for _, u := range e.Update {
		terms = append(terms, u.Term)
	}
	for _, v := range expr.Vars(terms...) {
		if p.ps.Graph.IsFresh(v) {
			w.fresh++
			by[v] = p.pool.Var(fmt.Sprintf("%s chosen %d", v.Name(), w.fresh), v.Type())
		} else {
			by[v] = p.value(&w.segment, w.end, v)
		}
	}
	p.pool.SubstAll(terms, by)
	conds := slices.Clip(w.conds)
	for _, c := range terms[:len(e.Guard)] {
		if c.IsFalse() {
			return nil
		}
		if !c.IsTrue() {
			conds = append(conds, c)
		}
	}
	w.conds, w.edges = conds, append(slices.Clip(w.edges), e.ID)
	if p.breach(e) {
		p.end(w, Point{Kind: bad})
		return nil
	}
	if e.To == component.Stop {
		p.end(w, Point{Kind: over})
		return nil
	}
	if len(e.Update) > 0 {
		w.end = maps.Clone(w.end)
		for i, u := range e.Update {
			w.end[u.Var] = terms[len(e.Guard)+i]
		}
	}
	w.node = e.To
	return p.follow(ctx, w)
}

// call ends a segment at a call, and goes on behind it.
func (p *paths) call(ctx context.Context, w walk, site *component.CallSite) error {
	w.edges = append(slices.Clip(w.edges), site.Into.ID)
	p.end(w, Point{site.Callee, Entry, 0})
	if site.Past == nil {
		return nil
	}
	after := maps.Clone(w.end)
	for _, u := range site.Past.Update {
		w.fresh++
		after[u.Var] = p.pool.Var(fmt.Sprintf("%s behind %d", u.Var.Name(), w.fresh), u.Var.Type())
	}
	w.calls = append(slices.Clip(w.calls), called{site.Callee, w.end, after})
	w.edges = append(w.edges, site.Return.ID)
	w.end, w.node = after, site.Back
	return p.follow(ctx, w)
}

// value is a variable's value on a segment.
func (p *paths) value(s *segment, in env, v *expr.Expr) *expr.Expr {
	switch x := in[v]; {
	case x != nil:
		return x
	case s.from.Kind == Head && p.assigned[s.from.Procedure][v]:
		return p.nowOf(v)
	}
	return v
}

// nowOf is the variable that stands for the value of one now, beside that at the entry.
func (p *paths) nowOf(v *expr.Expr) *expr.Expr {
	n := p.now[v]
	if n == nil {
		n = p.pool.Var(v.Name()+" now", v.Type())
		p.now[v], p.of[n] = n, v
	}
	return n
}

// at is a condition of a contract, with the values of variables at the entry and now.
func (p *paths) at(cond *expr.Expr, entry, now func(v *expr.Expr) *expr.Expr) *expr.Expr {
	by := map[*expr.Expr]*expr.Expr{}
	for _, v := range expr.Vars(cond) {
		if o := p.of[v]; o != nil {
			by[v] = now(o)
		} else {
			by[v] = entry(v)
		}
	}
	return p.pool.Subst(cond, by)
}
