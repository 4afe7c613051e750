package minimize

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Pseudo-Boolean optimum: objective (2) of Chaki et al., "Efficient
// Verification of Sequential and Concurrent C Programs" (2004), section 6.3:
// minimise the cost of the chosen candidates subject to clauses, where the
// paper uses the solver PBS.
//
// Idea: clauses and a totalizer over the objective in one incremental solver;
// "cost at most k" is a set of assumptions. The optimum is between a proven
// lower bound and an incumbent, a model that is known. First the lower bound
// itself is tried, because in a sequence of growing problems it is mostly right;
// then the search descends from the incumbent until a bound is refuted. Both
// bounds survive the addition of clauses, as far as they can.
//
// Among the optima the lexicographically first is found by asking for
// one candidate after another whether an optimum can have it along with the ones already
// fixed. One that is in the model at hand needs no question, and where nothing
// but clauses were added since the last time, what had to stay out stays out.
//
// The native optimiser of gophersat is not used: it returns infeasible optima
// on mixed clauses, and is slower where it is right.

// optimizer minimises the cost of the objective variables 1 … len(costs) subject
// to clauses over these and the auxiliary variables that follow. Candidate c is
// variable c+1.
type optimizer struct {
	costs   []int
	numVars int // objective and auxiliary
	clauses [][]int
	budget  int // conflicts left
	st      *Stats

	lower  int // proven: no model costs less
	used   Set // candidates that occur in a clause; no optimum has another
	solver *satSolver
	sum    *totalizer

	first     Set // the lexicographically first optimum found last
	firstCost int // what it costs; -1: none yet
}

func newOptimizer(costs []int, auxiliary int) *optimizer {
	return &optimizer{costs: costs, numVars: len(costs) + auxiliary, firstCost: -1}
}

// begin sets the conflicts that may be spent from now on, and where to count.
func (o *optimizer) begin(budget int, st *Stats) { o.budget, o.st = budget, st }

// add adds a clause of literals ±variable.
func (o *optimizer) add(clause ...int) error {
	o.clauses = append(o.clauses, slices.Clone(clause))
	before := o.used
	for _, l := range clause {
		if v := max(l, -l); v <= len(o.costs) {
			o.used = o.used.With(v - 1)
		}
	}
	if !o.used.Equal(before) {
		o.sum, o.solver = nil, nil // the sum has another summand
	}
	if o.solver == nil {
		return nil
	}
	return o.solver.add(clause...)
}

// atLeast states a lower bound known from elsewhere.
func (o *optimizer) atLeast(cost int) { o.lower = max(o.lower, cost) }

// minimum returns an optimum, given any model of the clauses.
func (o *optimizer) minimum(ctx context.Context, incumbent Set) (Set, error) {
	best, upper := incumbent, sumCost(incumbent, o.costs)
	if o.lower >= upper {
		return best, nil
	}
	if err := o.prepare(upper); err != nil {
		return best, err
	}
	for bound := o.lower; o.lower < upper; bound = o.sum.previous(upper) {
		if bound < o.lower { // no cost is in between
			o.lower = upper
			break
		}
		model, found, err := o.solve(ctx, o.sum.atMost(bound), bound)
		if err != nil {
			return best, err
		}
		if found {
			best, upper = model, sumCost(model, o.costs)
		} else {
			o.lower = min(o.sum.next(bound), upper)
		}
	}
	if o.lower > upper {
		return best, fmt.Errorf("%w: a model costs %d, below the proven bound %d", errSolver, upper, o.lower)
	}
	return best, nil
}

// lexFirst returns the lexicographically first of the optima, given one of them.
// Where useful(fixed, c) is false, no optimum has both c and the fixed ones.
func (o *optimizer) lexFirst(ctx context.Context, optimum Set, useful func(fixed Set, c int) bool) (Set, error) {
	cost := sumCost(optimum, o.costs)
	if err := o.prepare(cost); err != nil {
		return optimum, err
	}
	known := o.firstCost == cost // what was fixed so far is as in o.first
	assumptions := o.sum.atMost(cost)
	model, left := optimum, cost
	var fixed Set
	for c := 0; c < len(o.costs) && left > 0; c++ {
		out := known && !o.first.Has(c) || o.costs[c] > left
		if !out && !model.Has(c) && useful(fixed, c) {
			other, found, err := o.solve(ctx, append(slices.Clone(assumptions), c+1), cost)
			if err != nil {
				return optimum, err
			}
			if found {
				model = other
			}
		}
		if model.Has(c) {
			fixed = fixed.With(c)
			assumptions = append(assumptions, c+1)
			left -= o.costs[c]
		} else {
			assumptions = append(assumptions, -(c + 1))
		}
		known = known && model.Has(c) == o.first.Has(c)
	}
	o.first, o.firstCost = model, cost
	return model, nil
}

// prepare makes sure that there is a solver whose totalizer reaches the cost.
func (o *optimizer) prepare(cost int) error {
	if o.sum == nil || o.sum.cap < cost {
		sum, err := newTotalizer(o.costs, o.used, max(8, cost+cost/2), o.numVars+1)
		if err != nil {
			return err
		}
		o.sum, o.solver = sum, nil
	}
	if o.solver != nil && !o.solver.broken {
		return nil
	}
	solver := newSatSolver(o.sum.nextVar - 1)
	for _, c := range slices.Concat(o.clauses, o.sum.clauses) {
		if err := solver.add(c...); err != nil {
			return err
		}
	}
	o.solver = solver
	return nil
}

// solve returns the objective part of a model under the assumptions, if there is
// one. After a wrong answer it tries once more with a fresh solver.
func (o *optimizer) solve(ctx context.Context, assumptions []int, bound int) (Set, bool, error) {
	set, found, err := o.solveOnce(ctx, assumptions, bound)
	if !errors.Is(err, errSolver) {
		return set, found, err
	}
	o.solver = nil
	if err := o.prepare(o.sum.cap); err != nil {
		return Set{}, false, err
	}
	return o.solveOnce(ctx, assumptions, bound)
}

// solveOnce asks the solver, which checks the model clause by clause; the bound
// is checked here once more, without the totalizer.
func (o *optimizer) solveOnce(ctx context.Context, assumptions []int, bound int) (Set, bool, error) {
	before := o.st.PBConflicts
	model, err := o.solver.solve(ctx, assumptions, o.budget, o.st)
	o.budget -= o.st.PBConflicts - before
	if err != nil || model == nil {
		return Set{}, false, err
	}
	var chosen []int
	for _, c := range o.used.Elements() {
		if model[c+1] {
			chosen = append(chosen, c)
		}
	}
	set := SetOf(chosen...)
	if cost := sumCost(set, o.costs); cost > bound {
		return Set{}, false, fmt.Errorf("%w: model costs %d, bound is %d", errSolver, cost, bound)
	}
	return set, true, nil
}
