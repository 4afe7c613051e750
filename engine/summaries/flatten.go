package summaries

// Breaches as paths of one piece.
//
// Idea: a breach is a step of a context; the context was first entered by a call of a state in another one, and so on. What
// leads there is a path with calls. A call that has returned is one step, by which what it may change gets any value, or is
// replaced by the path through the callee. Each call of a procedure that calls itself has variables of its own.
//
// Source: Lal, Qadeer, Lahiri: A Solver for Reachability Modulo Theories (CAV 2012), for bodies put in where they matter.
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
	call int // the call that it belongs to
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

// flatten is what leads to a breach, with calls that have returned replaced to a depth. It is nil if it is too long.
func (x *exploration) flatten(b *breach, depth int) *path {
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
		call = len(p.calls)
		p.calls = append(p.calls, x.contexts[x.states[s].in].procedure)
		if !x.within(p, s, call, depth) {
			return nil
		}
	}
	p.steps = append(p.steps, step{b.edge, call})
	return p
}

// within adds the steps from the entry of a context to a state, and reports whether there are not too many.
func (x *exploration) within(p *path, to int32, call, depth int) bool {
	var states []int32
	for s := to; x.states[s].from >= 0; s = x.states[s].from {
		states = append(states, s)
	}
	for _, s := range slices.Backward(states) {
		t := &x.states[s]
		switch {
		case len(p.steps) > maxPath:
			return false
		case t.end < 0 || depth == 0:
			p.left = p.left || t.end >= 0
			p.steps = append(p.steps, step{t.edge, call})
		default:
			p.calls = append(p.calls, x.contexts[x.states[t.end].in].procedure)
			if !x.within(p, t.end, len(p.calls)-1, depth-1) {
				return false
			}
		}
	}
	return len(p.steps) <= maxPath
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

// shared is a condition on a path as one of the program, where it is asked within a call; false if it speaks of another
// call of a procedure that calls itself.
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
