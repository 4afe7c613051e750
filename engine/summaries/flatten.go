package summaries

// Breaches as paths of one piece.
//
// Idea: a breach is a step of a context; the context was first entered by a call of a state in another one, and
// so on. What leads there is a path with calls. A call that has returned is one step, by which what it may
// change gets any value that fits what is known of the callee's end; or it is replaced by the path through the
// callee, at the end of which that is a condition. Each call of a procedure that calls itself has variables of
// its own.
//
// Source: Lal, Qadeer, Lahiri: A Solver for Reachability Modulo Theories (CAV 2012), for bodies put in where
// they matter.
//
// Cost: the length of the path.

import (
	"fmt"
	"slices"

	"magus/component"
	"magus/smt/expr"
)

// maxPath bounds the steps of a path.
const maxPath = 20_000

// A step is one of a path, within one call of a procedure.
type step struct {
	edge *component.Edge
	call int                 // the call that it belongs to
	over *component.CallSite // the call that it stands for; else nil
}

// A reading says what a path makes of calls that have returned.
type reading struct {
	depth int  // to which they are replaced by the paths through their callees
	same  bool // others change nothing; else anything
}

// A path is what leads to a breach.
type path struct {
	steps []step
	calls []int // the procedures of its calls, the component's own first
	left  bool  // a call was not replaced
	own   map[ownOf]*expr.Expr
	of    map[*expr.Expr]ownOf
}

// An ownOf is a variable of one call of a procedure that calls itself.
type ownOf struct {
	variable *expr.Expr
	call     int
}

// flatten is what leads to a breach, or nil if that is too long.
func (x *exploration) flatten(b *breach, as reading) *path {
	p := &path{own: map[ownOf]*expr.Expr{}, of: map[*expr.Expr]ownOf{}}
	var stack []int32
	for s := b.state; ; {
		stack = append(stack, s)
		by := x.contexts[x.states[s].in].callers[0]
		if by.state < 0 {
			break
		}
		s = by.state
	}
	call := 0
	for _, s := range slices.Backward(stack) {
		in := x.contexts[x.states[s].in]
		if by := in.callers[0]; by.state >= 0 {
			p.steps = append(p.steps, step{edge: by.site.Into, call: call})
		}
		call = len(p.calls)
		p.calls = append(p.calls, in.procedure)
		if !x.within(p, s, call, as) {
			return nil
		}
	}
	p.steps = append(p.steps, step{edge: b.edge, call: call})
	return p
}

// within adds the steps from the entry of a context to a state, and reports whether there are not too many.
func (x *exploration) within(p *path, to int32, call int, as reading) bool {
	var states []int32
	for s := to; x.states[s].from >= 0; s = x.states[s].from {
		states = append(states, s)
	}
	for _, s := range slices.Backward(states) {
		t := &x.states[s]
		switch {
		case len(p.steps) > maxPath:
			return false
		case t.end < 0:
			p.steps = append(p.steps, step{edge: t.edge, call: call})
		case as.depth == 0:
			p.left = true
			p.steps = append(p.steps, x.pastCall(t, call, as.same))
		default:
			site, callee := x.ps.Calls[t.edge.From], len(p.calls)
			p.calls = append(p.calls, site.Callee)
			p.steps = append(p.steps, step{edge: site.Into, call: call})
			if !x.within(p, t.end, callee, reading{as.depth - 1, as.same}) {
				return false
			}
			back := *site.Return
			back.Guard = x.posts.Literals(x.states[t.end].known)
			p.steps = append(p.steps, step{edge: &back, call: callee})
		}
	}
	return len(p.steps) <= maxPath
}

// pastCall is the step that stands for a call that has returned.
func (x *exploration) pastCall(t *state, call int, same bool) step {
	site := x.ps.Calls[t.edge.From]
	e := *x.returning(site, x.states[t.end].known)
	e.Guard = slices.DeleteFunc(slices.Clone(e.Guard), func(g *expr.Expr) bool {
		return slices.ContainsFunc(expr.Vars(g), func(v *expr.Expr) bool { return x.forgotten[v] })
	})
	if same {
		by := map[*expr.Expr]*expr.Expr{}
		for _, u := range e.Update {
			by[u.Term] = u.Var
		}
		for i, g := range e.Guard {
			e.Guard[i] = x.pool().Subst(g, by)
		}
		e.Update = nil
	}
	return step{edge: &e, call: call, over: site}
}

// graph is the path as a graph of its own.
func (x *exploration) graph(p *path) *component.Graph {
	edges := make([]component.RenamedEdge, len(p.steps))
	for i, s := range p.steps {
		edges[i].Edge = s.edge
		procedure := p.calls[s.call]
		if !x.ps.List[procedure].Recursive {
			continue
		}
		edges[i].Other = map[*expr.Expr]*expr.Expr{}
		terms := slices.Clone(s.edge.Guard)
		for _, u := range s.edge.Update {
			terms = append(terms, u.Var, u.Term)
		}
		for _, v := range expr.Vars(terms...) {
			for _, w := range x.ps.Graph.Concerned(v) {
				if x.ps.Owns(procedure, w) {
					edges[i].Other[w] = x.ownOf(p, w, s.call)
				}
			}
		}
	}
	return x.ps.Graph.Straight(edges)
}

// ownOf is the variable of one call that stands for one of its procedure.
func (x *exploration) ownOf(p *path, v *expr.Expr, call int) *expr.Expr {
	k := ownOf{v, call}
	if p.own[k] == nil {
		p.own[k] = x.pool().Var(fmt.Sprintf("%s@%d", v.Name(), call), v.Type())
		p.of[p.own[k]] = k
	}
	return p.own[k]
}

// shared is a condition on a path as one of the program, where it is asked within a call; false if it speaks of
// another call of a procedure that calls itself.
func (x *exploration) shared(p *path, cond *expr.Expr, call int) (*expr.Expr, bool) {
	by := map[*expr.Expr]*expr.Expr{}
	for _, v := range expr.Vars(cond) {
		if o, ok := p.of[v]; ok {
			if call >= 0 && o.call != call {
				return nil, false
			}
			by[v] = o.variable
		}
	}
	return x.pool().Subst(cond, by), true
}
