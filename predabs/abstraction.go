package predabs

import (
	"context"

	"magus/cfa"
	"magus/component"
	"magus/smt/expr"
	"magus/smt/solver"
)

// An Abstraction is the predicate abstraction of one component: its control
// graph, the candidates that predicates are chosen from, and everything that
// has been computed about abstract transitions so far, which stays valid for
// as long as the component does. It is used by one goroutine at a time.
//
// It is made of parts, in the order in which they build on each other: the space, which does not change;
// the candidates, the paths and the oracle, which know of no other part; weakest preconditions; plans of
// edges and the inference of predicates; what is asked about paths. No part knows the abstraction.
type Abstraction struct {
	*space
	*candidateList
	*oracle
	paths       *paths
	planner     *planner
	inferrer    *inferrer
	eliminator  *eliminator
	feasibility *feasibility

	strange int // the number of the next edge that is of no graph

	states int // of the MP built last: about what the next one will have
}

// A space is what an abstraction is of: a control graph, and the atoms that states may be told apart by.
// Only the table of atoms grows, in which numbers stay.
type space struct {
	Graph  *component.Graph // of large blocks if Options say so
	pool   *expr.Pool
	atoms  *atoms
	bound  int                                     // atoms per condition and location
	global bool                                    // see Options
	scope  func(component.Node, []*expr.Expr) bool // see Options
	passed func(*expr.Expr) bool                   // see Options
}

// DefaultBound is the bound on the atoms that one condition may need at one
// location.
const DefaultBound = 32

// Options steer an abstraction. The zero value is the default.
type Options struct {
	Bound  int  // atoms inferred from one condition at one location; 0: DefaultBound
	Global bool // all of P_s is tracked in every state, also what nothing is known of
	// LargeBlocks has states only where large blocks of code begin; see [component.Graph.LargeBlocks].
	LargeBlocks bool
	// Unseeded has no candidates but those that are added.
	Unseeded bool
	// Scope says whether a condition on some variables means something at a node; nil: everywhere.
	Scope func(component.Node, []*expr.Expr) bool
	// Passed says of a variable whether procedures that may call themselves pass something by it; nil: there are none.
	Passed func(*expr.Expr) bool
}

// New prepares the abstraction of a component. The error is ctx's.
func New(ctx context.Context, c *component.Component, s solver.Full, opt Options) (*Abstraction, error) {
	g := component.NewGraph(c)
	if opt.LargeBlocks {
		var err error
		if g, err = g.LargeBlocks(ctx); err != nil {
			return nil, err
		}
	}
	return NewOver(ctx, g, s, opt)
}

// NewOver is [New] for a control graph that is made already.
func NewOver(ctx context.Context, g *component.Graph, s solver.Full, opt Options) (*Abstraction, error) {
	if opt.Bound <= 0 {
		opt.Bound = DefaultBound
	}
	c := g.Comp
	in := &space{Graph: g, pool: c.CFA.Pool, atoms: newAtoms(c.CFA.Pool), bound: opt.Bound,
		global: opt.Global, scope: opt.Scope,
		passed: opt.Passed}
	x := &Abstraction{space: in, candidateList: newCandidateList(), oracle: newOracle(c.CFA.Pool, s), paths: newPaths()}
	wps := newPreconditions(in)
	x.planner = newPlanner(wps, x.oracle)
	x.inferrer = &inferrer{preconditions: wps, candidateList: x.candidateList}
	x.feasibility = newFeasibility(in, x.oracle)
	x.eliminator = &eliminator{space: in, candidateList: x.candidateList, paths: x.paths, planner: x.planner,
		inferrer: x.inferrer, feasibility: x.feasibility}
	if opt.Unseeded {
		return x, nil
	}
	return x, x.seeds(ctx)
}

// seeds makes candidates of what the program and the specification ask about
// data: the atomic conditions of branches, guards and returns, each at the
// control points where it is asked, and the given predicates. The error is ctx's.
func (x *Abstraction) seeds(ctx context.Context) error {
	numbers := map[*expr.Expr]int{} // of conditions within their candidates
	for id := range x.Graph.Edges {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		e := &x.Graph.Edges[id]
		node := e.From
		if node == component.Init {
			node = e.To
		}
		for _, t := range x.planner.tests(int32(id)) {
			_, c := x.seed(t.cond, x.position(t.loc), x.origin(t.loc), numbers)
			for _, a := range t.before {
				c.startAt(node, a)
			}
		}
	}
	for _, given := range x.Graph.Comp.Given {
		for _, l := range leaves(given.Cond) {
			for n := range x.Graph.NumNodes() {
				if loc, ok := x.Graph.Loc(component.Node(n)); ok && x.Graph.Comp.CFA.Locs[loc].Frame == given.Frame {
					cand, c := x.seed(l, given.Pos, FromGiven, numbers)
					cand.Pos = given.Pos
					c.startAt(component.Node(n), x.atoms.of(l))
				}
			}
		}
	}
	return nil
}

// Expressions are the conditions of ⋃ P_s for a set of candidates, in order
// of their terms. It is quick for a set that MP was built from.
func (x *Abstraction) Expressions(set []int) []*expr.Expr {
	_, all, _ := x.inferrer.everywhere(context.Background(), set)
	es := make([]*expr.Expr, len(all))
	for i, a := range all {
		es[i] = x.atoms.terms[a]
	}
	return es
}

// PredicatesAt is P_s at a location for a set of candidates, in order of
// their terms. It is quick for a set that MP was built from.
func (x *Abstraction) PredicatesAt(l cfa.Loc, set []int) []*expr.Expr {
	var es []*expr.Expr
	atoms, _ := x.inferrer.predicates(context.Background(), x.Graph.At(l), set)
	for _, a := range atoms {
		es = append(es, x.atoms.terms[a])
	}
	return es
}
