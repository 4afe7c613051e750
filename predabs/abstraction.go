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
type Abstraction struct {
	Graph      *component.Graph // of large blocks if Options say so
	Candidates []*Candidate

	latest map[subject]int // the last candidate of each subject
	pool   *expr.Pool
	atoms  *atoms
	solver solver.Full
	bound  int  // atoms per condition and location
	global bool // see Options

	states  int // of the MP built last: about what the next one will have
	paths   *paths
	pieces  map[string][]uint64 // answers to what valuations leave open (settle.go)
	answers *answers            // from check to check; nil if none are kept
	// Queries counts enumerations by the decision procedure.
	Queries int

	preconditions *preconditions
	planner       *planner
	inferrer      *inferrer
	eliminator    *eliminator
	feasibility   *feasibility
	consistency   *consistency
}

// The parts of an abstraction. Each has the abstraction, for the component, its terms and the candidates, and
// keeps by itself what no other part changes.
type (
	// preconditions are the weakest preconditions of edges.
	preconditions struct {
		*Abstraction
		wps    map[wpKey]*expr.Expr
		substs []map[*expr.Expr]*expr.Expr
	}
	// planner makes of each edge a plan, how the values of atoms before it give those after it, and its tables.
	planner struct {
		*Abstraction
		lists   map[string]int32 // interned atom lists
		listed  [][]atom         // by number
		plans   map[planKey]*plan
		tables  map[tableID]*table
		asked   [][]guardTest // by edge, once asked for
		scratch planning
	}
	// inferrer infers predicates for candidates, at the locations where they are needed.
	inferrer struct {
		*Abstraction
		work []placed
	}
	// eliminator says whether sets of candidates eliminate a spurious path.
	eliminator struct {
		*Abstraction
		clusters *clusterIndex
	}
	// feasibility says of paths whether the program can run along them, and why not.
	feasibility struct {
		*Abstraction
		flow *unionFind             // of variables by what the program computes and compares
		why  map[Path]contradiction // of paths found infeasible
	}
	// consistency makes the reads of memory without variables agree, in models of a path.
	consistency struct{ *Abstraction }
)

// DefaultBound is the bound on the atoms that one condition may need at one
// location.
const DefaultBound = 32

// Options steer an abstraction. The zero value is the default.
type Options struct {
	Bound  int  // atoms inferred from one condition at one location; 0: DefaultBound
	Global bool // all of P_s is tracked in every state, also what nothing is known of
	// LargeBlocks has states only where large blocks of code begin; see [component.Graph.LargeBlocks].
	LargeBlocks bool
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
	if opt.Bound <= 0 {
		opt.Bound = DefaultBound
	}
	x := &Abstraction{
		Graph: g, pool: c.CFA.Pool, atoms: newAtoms(c.CFA.Pool), solver: s, bound: opt.Bound, global: opt.Global,
		latest: map[subject]int{}, paths: newPaths(),
	}
	x.preconditions = &preconditions{x, map[wpKey]*expr.Expr{}, make([]map[*expr.Expr]*expr.Expr, len(g.Edges))}
	x.planner = &planner{Abstraction: x, lists: map[string]int32{}, plans: map[planKey]*plan{},
		tables: map[tableID]*table{}, asked: make([][]guardTest, len(g.Edges))}
	x.inferrer, x.eliminator, x.consistency = &inferrer{Abstraction: x}, &eliminator{Abstraction: x}, &consistency{x}
	x.feasibility = &feasibility{x, newUnionFind(0), map[Path]contradiction{}}
	x.eliminator.connect(x.feasibility.flow)
	return x, x.seeds(ctx)
}

// seeds makes candidates of what the program and the specification ask about
// data: the atomic conditions of branches, guards and returns, each at the
// control points where it is asked, and the given predicates. The error is ctx's.
func (x *Abstraction) seeds(ctx context.Context) error {
	places := map[*expr.Expr]int{} // of conditions within their candidates
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
			_, c := x.seed(t.cond, x.planner.position(t.loc), x.planner.origin(t.loc), places)
			for _, a := range t.before {
				c.place(node, a)
			}
		}
	}
	for _, given := range x.Graph.Comp.Given {
		for _, l := range leaves(given.Cond) {
			for n := range x.Graph.NumNodes() {
				if loc, ok := x.Graph.Loc(component.Node(n)); ok && x.Graph.Comp.CFA.Locs[loc].Frame == given.Frame {
					cand, c := x.seed(l, given.Pos, FromGiven, places)
					cand.Pos = given.Pos
					c.place(component.Node(n), x.atoms.of(l))
				}
			}
		}
	}
	return nil
}

// seed is a condition of its subject's candidate; places says which one it is there.
func (x *Abstraction) seed(cond *expr.Expr, pos cfa.Pos, origin string,
	places map[*expr.Expr]int) (*Candidate, *condition) {
	i := x.last(subjectOf(cond))
	if i < 0 {
		i = x.widen(subjectOf(cond), nil, pos, origin)
	}
	c := x.Candidates[i]
	k, known := places[cond]
	if !known {
		k = len(c.conds)
		places[cond] = k
		c.conds = append(c.conds, &condition{cond: cond})
	}
	return c, c.conds[k]
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

// recall is [Abstraction.enumerate] by an earlier check's answer, or by the decision procedure.
func (x *Abstraction) recall(ctx context.Context, terms, assumptions []*expr.Expr) ([]uint64, error) {
	if x.answers == nil {
		return x.ask(ctx, terms, assumptions)
	}
	key, order := x.answers.question(terms, assumptions)
	if rows, ok := x.answers.find(key, order); ok {
		return rows, nil
	}
	rows, err := x.ask(ctx, terms, assumptions)
	if err == nil {
		x.answers.add(key, order, rows)
	}
	return rows, err
}

// ask is [Abstraction.enumerate] by the decision procedure.
func (x *Abstraction) ask(ctx context.Context, terms, assumptions []*expr.Expr) ([]uint64, error) {
	x.Queries++
	rows := []uint64{}
	err := solver.Enumerate(ctx, x.solver, terms, assumptions, func(values []bool) bool {
		var row uint64
		for i, v := range values {
			if v {
				row |= 1 << i
			}
		}
		rows = append(rows, row)
		return true
	})
	return rows, err
}
