package termination

// Samples: steps that were seen, on runs of the interpreter or in models of the decision procedure. What is
// looked for (what holds at heads, what gets smaller) agrees with them before anybody is asked to prove it.

import (
	"context"
	"math/rand"

	"magus/cfa/interp"
	"magus/component"
	"magus/evidence/witness"
	"magus/smt/expr"
)

// values are those of variables; others are 0.
type values map[*expr.Expr]uint64

// of evaluates a term.
func (v values) of(e *expr.Expr) uint64 {
	return expr.Eval(e, func(x *expr.Expr) uint64 { return v[x] })
}

// holds reports whether a condition holds.
func (v values) holds(e *expr.Expr) bool { return v.of(e) != 0 }

// A sample is a step that was seen.
type sample struct {
	from, to      component.Node
	before, after values
}

// How runs are made.
const (
	sampledRuns  = 60
	sampledSteps = 600
)

// samples makes runs, and takes down what they do between heads, of some variables. It takes down where they
// come to each head first, too.
func (r *relation) samples(ctx context.Context, vars []*expr.Expr, seed int64) (steps []sample,
	at map[component.Node][]values, err error) {
	machine, env := interp.New(r.g.Comp.CFA), witness.Env(r.g.Comp)
	isHead := map[component.Node]bool{}
	for _, h := range r.heads {
		isHead[h] = true
	}
	at = map[component.Node][]values{}
	for i := range sampledRuns {
		run, err := machine.Walk(ctx, rand.New(rand.NewSource(seed+int64(i))), sampledSteps, env)
		if err != nil {
			return nil, nil, err
		}
		var last component.Node
		var before values
		for _, s := range run.States {
			n := r.g.At(s.Loc())
			if !isHead[n] {
				continue
			}
			now := values{}
			for _, v := range vars {
				now[v], _ = s.Value(v)
			}
			if at[n] = append(at[n], now); before != nil {
				steps = append(steps, sample{last, n, before, now})
			}
			last, before = n, now
		}
	}
	return steps, at, nil
}
