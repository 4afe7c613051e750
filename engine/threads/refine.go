package threads

// Scheduling constraints refined on demand.
//
// Idea: the formula says nothing of the order. A model of it is an event order graph. If the graph has no
// order, its kernel reasons become clauses, and the next model is asked for.
//
// Source: Yin et al. (2017), section 3, figure 1. Deviation: what the graph does not decide is completed by
// a search instead of a solver (cfa/events/order).
//
// Cost: a query and a closure for each round; rounds are bounded by the sets of links only.

import (
	"context"

	"magus/cfa/events/order"
	"magus/smt/expr"
	"magus/smt/sat"
)

// mostKernels bounds the clauses of one round, as in the paper's tool.
const mostKernels = 400

type refine struct {
	*formula
	closure *order.Closure
	rest    map[sat.Lit][]order.Fact
	lits    []sat.Lit
	terms   map[order.Lit]*expr.Expr
}

func newRefine(ctx context.Context, f *formula) (*refine, error) {
	r := &refine{formula: f, closure: order.NewClosure(f.enc.Graph), terms: map[order.Lit]*expr.Expr{}}
	var always []order.Fact
	var err error
	if always, r.rest, r.lits, err = f.split(ctx); err != nil {
		return nil, err
	}
	for _, fact := range f.enc.Facts {
		r.terms[order.Lit(f.solver.Literal(fact.When))] = fact.When
	}
	for _, fact := range always {
		r.closure.Add(fact)
	}
	return r, nil
}

func (r *refine) decide(ctx context.Context, conds ...*expr.Expr) (bool, []order.Node, error) {
	r.core = nil
	if reason, err := r.closure.Close(ctx); reason != nil || err != nil {
		return false, nil, err
	}
	for {
		found, err := r.check(ctx, conds)
		if !found || err != nil {
			return false, nil, err
		}
		r.stats.Rounds++
		linear, err := r.validate(ctx)
		if linear != nil || err != nil {
			return linear != nil, linear, err
		}
	}
}

// validate is an order of the present model, or nil: then there are new clauses.
func (r *refine) validate(ctx context.Context) ([]order.Node, error) {
	var facts []order.Fact
	for _, l := range r.lits {
		if r.value(r.terms[order.Lit(l)]) != 0 {
			facts = append(facts, r.rest[l]...)
		}
	}
	kernels, err := r.closure.Kernels(ctx, facts, mostKernels)
	if err != nil {
		return nil, err
	}
	if len(kernels) > 0 {
		for _, k := range kernels {
			r.exclude(k)
		}
		return nil, nil
	}
	start := r.closure.Mark()
	defer r.closure.Undo(start)
	for _, f := range facts {
		r.closure.Add(f)
	}
	if _, err := r.closure.Close(ctx); err != nil {
		return nil, err
	}
	reason, err := r.closure.Complete(ctx)
	if reason != nil || err != nil {
		r.exclude(reason)
		return nil, err
	}
	return r.closure.Linear(r.sameThread), nil
}

// exclude makes a reason a clause.
func (r *refine) exclude(reason []order.Lit) {
	r.reason(reason)
	clause := make([]*expr.Expr, len(reason))
	for i, l := range reason {
		clause[i] = r.enc.Program.Pool.Not(r.terms[l])
	}
	r.solver.AssertAny(clause...)
}
