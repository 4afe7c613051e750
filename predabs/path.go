package predabs

// Feasibility of a path.
//
// Idea: execute the path symbolically, forward. Every variable holds a term
// over the initial values and the values chosen on the way; each guard on the
// path becomes a condition over these. The path is feasible iff their
// conjunction is satisfiable: one query, bit-precise. A model gives a concrete
// run, an unsatisfiable core the steps whose guards contradict each other.
//
// Source: Chaki et al., "Efficient Verification of Sequential and Concurrent C
// Programs" (2004), section 6.1; algorithm CECheck (figure 7) computes the
// weakest precondition backward, and mentions the forward variant used here.
// The backward one is the reference in the tests.
//
// Cost: one substitution per step and variable it mentions, one query.

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/smt/expr"
	"magus/smt/solver"
)

// A Feasibility is the answer for one path.
type Feasibility struct {
	Feasible bool
	// Core are the positions in the path, in the program's edges, whose guards
	// contradict each other, increasing; of an infeasible path.
	Core []int
	// First is the position of the first of these guards that what was computed before makes false by itself, if
	// one is so: nothing was chosen that it asks.
	First []int
	// Run is a concrete execution; of a feasible path.
	Run *component.Execution
}

// feasibility says of paths whether the program can run along them, and why not.
type feasibility struct {
	*space
	*oracle
	memory *consistency
	flow   *unionFind             // of variables by what the program computes and compares
	why    map[Path]contradiction // of paths found infeasible
}

func newFeasibility(in *space, o *oracle) *feasibility {
	flow := newUnionFind(0)
	in.connect(flow)
	return &feasibility{in, o, &consistency{o}, flow, map[Path]contradiction{}}
}

// symbolic is a symbolic execution.
type symbolic struct {
	x      *space
	env    map[*expr.Expr]*expr.Expr
	chosen map[*expr.Expr]*expr.Expr // of the current step: x' to its own variable
	step   int
	owners []int // by step: the branch of a tree that it belongs to; nil for a path
}

func (x *space) symbolic() *symbolic {
	return &symbolic{x: x, env: map[*expr.Expr]*expr.Expr{}}
}

// value rewrites a term over the current variables and fresh ones.
func (s *symbolic) value(t *expr.Expr) *expr.Expr {
	by := map[*expr.Expr]*expr.Expr{}
	for _, v := range expr.Vars(t) {
		if s.x.Graph.IsFresh(v) {
			by[v] = s.choice(v)
		} else if now := s.env[v]; now != nil {
			by[v] = now
		}
	}
	if len(by) == 0 {
		return t
	}
	return s.x.pool.Subst(t, by)
}

// choice is the variable for the value chosen for x' in the current step.
func (s *symbolic) choice(fresh *expr.Expr) *expr.Expr {
	c := s.chosen[fresh]
	if c == nil {
		name := fmt.Sprintf("%s@%d", fresh.Name(), s.step)
		if s.owners != nil && s.owners[s.step] > 0 {
			name += fmt.Sprintf("~%d", s.owners[s.step])
		}
		c = s.x.pool.Var(name, fresh.Type())
		if s.chosen == nil {
			s.chosen = map[*expr.Expr]*expr.Expr{}
		}
		s.chosen[fresh] = c
	}
	return c
}

// take executes an edge and gives its guard over initial and chosen values.
func (s *symbolic) take(e *component.Edge) []*expr.Expr {
	s.chosen = nil
	guard := make([]*expr.Expr, len(e.Guard))
	for i, g := range e.Guard {
		guard[i] = s.value(g)
	}
	terms := make([]*expr.Expr, len(e.Update))
	for i, u := range e.Update {
		terms[i] = s.value(u.Term)
	}
	for i, u := range e.Update {
		s.env[u.Var] = terms[i]
	}
	s.step++
	return guard
}

// Feasible decides whether the component can take the path. The error is the
// decision procedure's.
func (x *Abstraction) Feasible(ctx context.Context, p Path) (Feasibility, error) {
	t := x.feasibility.trace(x.Graph.Program(x.Steps(p)), nil)
	f, first, err := x.feasibility.decide(ctx, t)
	if err == nil && !f.Feasible {
		err = x.feasibility.contradict(ctx, p, t, f.Core, first)
	}
	return f, err
}

// FeasibleProgram is [Abstraction.Feasible] of a path in the program's edges, of which nothing is
// kept. The path may leave out rounds of loops, of which it is believed what they are as a whole.
func (x *Abstraction) FeasibleProgram(ctx context.Context, path []int32,
	repeats []component.Repeat) (Feasibility, error) {
	f, _, err := x.feasibility.decide(ctx, x.feasibility.trace(path, repeats))
	return f, err
}

// A trace is a symbolic execution of a path in the program's edges.
type trace struct {
	path        []int32
	conds       []*expr.Expr // the guards over initial and chosen values
	where, part []int        // by condition: its position in the path, and the part of the variables
	chosen      []map[*expr.Expr]*expr.Expr
	kept        []wish
	memory      []access
	repeats     []component.Repeat
	repeated    []map[*expr.Expr]*expr.Expr // what is chosen for each of them
}

func (x *feasibility) trace(path []int32, repeats []component.Repeat) *trace {
	return x.traceOf(path, repeats, nil)
}

// traceOf is trace of a branch of a tree, with the branches that its steps belong to.
func (x *feasibility) traceOf(path []int32, repeats []component.Repeat, owners []int) *trace {
	t := &trace{path: path, chosen: make([]map[*expr.Expr]*expr.Expr, len(path)), repeats: repeats}
	s := x.symbolic()
	s.owners = owners
	edges := x.Graph.Base().Edges
	for i, id := range path {
		for ; len(t.repeated) < len(repeats) && repeats[len(t.repeated)].At == i; t.repeated = append(t.repeated, s.chosen) {
			for _, g := range s.take(&repeats[len(t.repeated)].Whole) {
				t.conds, t.where, t.part = append(t.conds, g), append(t.where, i), append(t.part, -1)
			}
		}
		e := &edges[id]
		maybe := s.mayBe(e)
		access, accesses := s.access(e)
		for k, g := range s.take(e) {
			if !g.IsTrue() {
				t.conds, t.where, t.part = append(t.conds, g), append(t.where, i), append(t.part, x.partOf(e.Guard[k]))
			}
		}
		t.chosen[i] = s.chosen
		for _, w := range maybe {
			w = s.wish(w)
			if t.kept = append(t.kept, w); w.when != nil {
				access.exact = w.cond
			}
		}
		if accesses {
			t.memory = append(t.memory, s.after(access))
		}
	}
	return t
}

// decide asks whether the conditions hold together; if not, first are the numbers of some that do not.
func (x *feasibility) decide(ctx context.Context, t *trace) (f Feasibility, first []int, err error) {
	answer, err := x.check(ctx, t.conds...)
	switch {
	case err != nil:
		return Feasibility{}, nil, err
	case answer == solver.Unsat:
		first = slices.Clone(x.solver.Core())
		f.Core = positions(first, t.where)
		if i := slices.IndexFunc(t.conds, (*expr.Expr).IsFalse); i >= 0 {
			f.First = []int{t.where[i]}
		}
		return f, first, nil
	}
	conds, err := x.settle(ctx, t.conds, t.kept)
	if err != nil {
		return Feasibility{}, nil, err
	}
	if conds, err = x.memory.remember(ctx, conds, t.memory); err != nil {
		return Feasibility{}, nil, err
	}
	return Feasibility{Feasible: true, Run: x.run(t, conds)}, nil, nil
}

// A wish is what should hold of a value that a step chose where that is possible, for
// it is what the program computes then.
type wish struct {
	of   *expr.Expr // the variable; then the value
	when *expr.Expr // or nil: always
	is   *expr.Expr // or nil: any
	cond *expr.Expr // all of it, once the step is taken
}

// mayBe are the wishes for the value that an edge leaves open, before it is taken.
func (s *symbolic) mayBe(e *component.Edge) (all []wish) {
	a, ok := s.assignment(e)
	if !ok {
		return nil
	}
	if a.Keeps {
		all = append(all, wish{of: a.LHS, is: s.value(a.LHS)})
	}
	if a.Exact != nil {
		w := wish{of: a.LHS, when: s.value(a.Exact.When)}
		if a.Exact.Value != nil {
			w.is = s.value(a.Exact.Value)
		}
		all = append(all, w)
	}
	return all
}

// wish is one over the value that the step chose.
func (s *symbolic) wish(w wish) wish {
	w.of, w.cond = s.env[w.of], s.x.pool.True()
	if w.is != nil {
		w.cond = s.x.pool.Eq(w.of, w.is)
	}
	if w.when != nil {
		w.cond = s.x.pool.Land(w.when, w.cond)
	}
	return w
}

// assignment is the one that an edge is of, if it is.
func (s *symbolic) assignment(e *component.Edge) (cfa.Assign, bool) {
	if e.Loc < 0 {
		return cfa.Assign{}, false
	}
	a, ok := s.x.Graph.Comp.CFA.Locs[e.Loc].Stmt.(cfa.Assign)
	return a, ok
}

// settle makes the model of satisfiable conditions one in which as many wishes hold as
// the cores of the decision procedure leave. It gives all that holds in the model.
func (x *feasibility) settle(ctx context.Context, conds []*expr.Expr, wishes []wish) ([]*expr.Expr, error) {
	kept := thatMatter(conds, wishes)
	if len(kept) == 0 {
		return conds, nil
	}
	for {
		all := slices.Concat(conds, kept)
		answer, err := x.check(ctx, all...)
		if err != nil || answer == solver.Sat || len(kept) == 0 {
			return all, err
		}
		given := map[int]bool{}
		for _, i := range x.solver.Core() {
			given[i-len(conds)] = true
		}
		left := kept[:0]
		for i, k := range kept {
			if !given[i] {
				left = append(left, k)
			}
		}
		kept = left
	}
}

// thatMatter are the wishes, in order of age, for values that conditions or later
// ones speak about.
func thatMatter(conds []*expr.Expr, wishes []wish) []*expr.Expr {
	matter := map[*expr.Expr]bool{}
	for _, v := range expr.Vars(conds...) {
		matter[v] = true
	}
	var all []*expr.Expr
	for _, w := range slices.Backward(wishes) {
		if w.cond.IsTrue() || !matter[w.of] {
			continue
		}
		for _, v := range expr.Vars(w.cond) {
			matter[v] = true
		}
		all = append(all, w.cond)
	}
	slices.Reverse(all)
	return all
}

// positions are the positions in the path of some conditions.
func positions(conds, where []int) []int {
	var core []int
	for _, i := range conds {
		if len(core) == 0 || core[len(core)-1] != where[i] {
			core = append(core, where[i])
		}
	}
	return core
}

// run reads the model.
func (x *feasibility) run(t *trace, conds []*expr.Expr) *component.Execution {
	return x.runOf(t, conds, map[*expr.Expr]bool{})
}

// runOf is run where some variables are known to be chosen on the way.
func (x *feasibility) runOf(t *trace, conds []*expr.Expr, own map[*expr.Expr]bool) *component.Execution {
	r := &component.Execution{Edges: t.path, Step: make([][]component.Binding, len(t.path))}
	for i, id := range t.path {
		r.Step[i] = x.chosenBy(id, t.chosen[i], own)
	}
	for k, of := range t.repeats {
		of.Chosen = nil
		for _, id := range of.Cycle {
			of.Chosen = append(of.Chosen, x.chosenBy(id, t.repeated[k], own))
		}
		r.Repeats = append(r.Repeats, x.fresh(of, t.repeated[k]))
	}
	for _, v := range expr.Vars(conds...) {
		if !own[v] {
			r.Init = append(r.Init, component.Binding{Var: v, Value: x.solver.Value(v)})
		}
	}
	return r
}

// chosenBy are the values that a model chooses for an edge, whose choices are then known as such.
func (x *feasibility) chosenBy(id int32, chosen map[*expr.Expr]*expr.Expr,
	own map[*expr.Expr]bool) (all []component.Binding) {
	for _, u := range x.Graph.Base().Edges[id].Update {
		for _, f := range expr.Vars(u.Term) {
			if !x.Graph.IsFresh(f) {
				continue
			}
			b := component.Binding{Var: u.Var}
			if c := chosen[f]; c != nil {
				b.Value = x.solver.Value(c)
				own[c] = true
			}
			all = append(all, b)
		}
	}
	return all
}

// fresh are rounds of a loop with the values of the fresh variables of them all.
func (x *feasibility) fresh(of component.Repeat, chosen map[*expr.Expr]*expr.Expr) component.Repeat {
	terms := slices.Clone(of.Whole.Guard)
	for _, u := range of.Whole.Update {
		terms = append(terms, u.Term)
	}
	of.Fresh = nil
	for _, f := range expr.Vars(terms...) {
		if c := chosen[f]; c != nil {
			of.Fresh = append(of.Fresh, component.Binding{Var: f, Value: x.solver.Value(c)})
		}
	}
	return of
}
