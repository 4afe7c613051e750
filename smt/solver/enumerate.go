package solver

// Projected enumeration: which combinations of truth values can some
// conditions have together?
//
// Idea: walk the binary tree of values, false first. A model found on the way
// shows one combination; below a node only the children that the model at
// hand does not already show are asked for, by one Check under the values
// fixed so far as assumptions. No blocking clauses are left behind.
//
// Deviations: Lahiri, Nieuwenhuis, Oliveras ("SMT techniques for fast
// predicate abstraction", CAV 2006) block found combinations by clauses; here
// the order of the results is fixed and the solver is unchanged afterwards.
//
// Cost: at most one Check for each edge of the tree of possible combinations
// that leaves the way to a known model, and so at most len(terms) for each
// combination found.

import (
	"context"
	"fmt"

	"magus/smt/expr"
)

// Enumerate calls f with every combination of truth values of terms that is
// consistent with the asserted conditions and the assumptions, each once, in
// lexicographic order with false before true. The slice is overwritten
// afterwards. It stops when f returns false. After an error combinations may
// be missing.
//
// A solver that is no [Modeler] needs more Checks.
func Enumerate(ctx context.Context, s Solver, terms, assumptions []*expr.Expr, f func(values []bool) bool) error {
	e := &enumeration{ctx: ctx, s: s, terms: terms, f: f}
	e.model, _ = s.(Modeler)
	e.decided = append(make([]*expr.Expr, 0, len(assumptions)+len(terms)), assumptions...)
	e.values = make([]bool, len(terms))
	for _, t := range terms {
		if !t.Type().IsBool() {
			return fmt.Errorf("enumerate: %v is not a condition", t)
		}
		e.negated = append(e.negated, s.Pool().Not(t))
	}
	e.shown = make([][]bool, len(terms)+1)
	possible, err := e.check(0)
	if err != nil || !possible {
		return err
	}
	_, err = e.below(0, e.shown[0])
	return err
}

type enumeration struct {
	ctx            context.Context
	s              Solver
	model          Modeler // or nil
	terms, negated []*expr.Expr
	f              func([]bool) bool
	decided        []*expr.Expr // assumptions, and the terms decided so far as literals
	values         []bool
	// shown[i] are the terms' values in the last model found with i terms
	// decided; nil if the solver shows none. Only those from i on are kept.
	shown [][]bool
}

// check decides whether the first i values are consistent.
func (e *enumeration) check(i int) (bool, error) {
	r, err := e.s.Check(e.ctx, e.decided...)
	if r != Sat || e.model == nil {
		return r == Sat, err
	}
	if e.shown[i] == nil {
		e.shown[i] = make([]bool, len(e.terms))
	}
	for k := i; k < len(e.terms); k++ {
		e.shown[i][k] = truth(e.terms[k], e.model)
	}
	return true, nil
}

// truth is f's value in the model.
func truth(f *expr.Expr, m Modeler) bool {
	switch args := f.Args(); f.Op() {
	case expr.Not:
		return !truth(args[0], m)
	case expr.Eq, expr.Lt:
		if args[0].Op() <= expr.Var && args[1].Op() <= expr.Var {
			a, b := expr.Eval(args[0], m.Value), expr.Eval(args[1], m.Value)
			return a == b && f.Op() == expr.Eq || f.Op() == expr.Lt && args[0].Type().Less(a, b)
		}
	}
	return expr.Eval(f, m.Value) == 1
}

// below enumerates the combinations that agree with the first i values, which
// are consistent; known shows one of them, or is nil. It reports whether to
// go on.
func (e *enumeration) below(i int, known []bool) (bool, error) {
	if i == len(e.terms) {
		return e.f(e.values), nil
	}
	refuted := false // term i cannot be false
	for _, v := range [2]bool{false, true} {
		lit := e.terms[i]
		if !v {
			lit = e.negated[i]
		}
		e.decided = append(e.decided, lit)
		e.values[i] = v
		way, possible := known, true
		if known == nil && !refuted || known != nil && known[i] != v {
			var err error
			if possible, err = e.check(i + 1); err != nil {
				return false, err
			}
			way = e.shown[i+1]
		}
		if possible {
			if more, err := e.below(i+1, way); err != nil || !more {
				return false, err
			}
		}
		refuted = !possible
		e.decided = e.decided[:len(e.decided)-1]
	}
	return true, nil
}
