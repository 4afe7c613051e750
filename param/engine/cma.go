package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/engine/portfolio"
	"magus/param"
	"magus/param/linear"
)

// Idea: the loop over backward searches. A counterexample of the abstract system is followed in the
// concrete one; where that fails, a safety zone is found that keeps what is there from falling to what
// could go on, and the next search uses the order that the zone strengthens.
// Source: Abdulla et al., Constrained Monotonic Abstraction, algorithms 2 and 3.
// Deviation: an error that looks real is made concrete, a number for each name, before it counts.

// A cma is the loop over one domain.
type cma[S any] struct {
	label      string
	sys        *param.System
	dom        domain[S]
	property   int
	history    *history[S]
	zones      []linear.Atom
	search     *search[S]
	iterations []Iteration
	sets       int
}

func newCMA[S any](label string, sys *param.System, dom domain[S], property int) *cma[S] {
	h := newHistory(sys, dom, property)
	return &cma[S]{label: label, sys: sys, dom: dom, property: property, history: h, search: newSearch(h, nil)}
}

// Name implements [Method].
func (c *cma[S]) Name() string { return c.label }

// Advance implements [Method]. It works on the search of this iteration, and ends it if it is finished.
func (c *cma[S]) Advance(ctx context.Context, share portfolio.Effort) event {
	before := c.search.made
	c.search.run(ctx, int(share))
	used := c.search.made - before
	c.sets += used
	switch {
	case !c.search.finished():
		return worked{Used: portfolio.Effort(used), What: Searched{len(c.iterations) + 1, c.search.made,
			len(c.search.nodes) - c.search.done}}
	case c.search.reaching < 0:
		live := c.search.live()
		c.iterations = append(c.iterations, Iteration{Sets: c.search.made, Kept: len(live)})
		proof := &param.Proof{Invariants: slices.Clone(c.sys.Facts)}
		for _, cube := range live {
			proof.Outside = append(proof.Outside, c.sys.Formula(cube))
		}
		return ended{Used: portfolio.Effort(used), Outcome: c.outcome(&Result{Answer: Safe, Proof: proof})}
	}
	return c.analyse(ctx, portfolio.Effort(used))
}

func (c *cma[S]) outcome(o *Result) *Result {
	o.Method, o.Iterations, o.Sets = c.label, c.iterations, c.sets
	return o
}

// analyse follows the counterexample, which took an effort.
func (c *cma[S]) analyse(ctx context.Context, used portfolio.Effort) event {
	p := c.search.counterexample()
	it := Iteration{Sets: c.search.made, Kept: len(c.search.nodes)}
	for _, k := range p.cases {
		it.Path = append(it.Path, k.Rule)
	}
	for i, set := range p.sets {
		it.Cubes = append(it.Cubes, param.Cube{Control: p.controls[i], Atoms: c.dom.atoms(set)})
	}
	start, ok := c.dom.of(c.sys.Init[p.start].Atoms)
	if ok {
		start, ok = c.dom.with(start, c.dom.atoms(p.sets[0])...)
	}
	if !ok {
		return gaveUp{Used: used, Why: errors.New("an initial configuration was found and lost")}
	}
	step, zone := c.dom.simulate(start, p.cases, p.sets)
	if it.Step = step; step == len(p.cases) {
		run, ok := concrete(ctx, c.sys, c.sys.Init[p.start], p.cases, c.sys.Bad[c.property])
		if ok {
			c.iterations = append(c.iterations, it)
		} else {
			return gaveUp{Used: used, Why: fmt.Errorf("%w of %d steps", errNoNumbers, len(p.cases))}
		}
		return ended{Used: used, Outcome: c.outcome(&Result{Answer: Unsafe, Run: run})}
	}
	for _, z := range zone {
		if !slices.ContainsFunc(c.zones, z.Equal) {
			it.Zones = append(it.Zones, z)
		}
	}
	c.iterations = append(c.iterations, it)
	if len(it.Zones) == 0 {
		return gaveUp{Used: used, Why: fmt.Errorf("no zone was found that excludes a counterexample of %d steps",
			len(p.cases))}
	}
	c.zones = append(c.zones, it.Zones...)
	c.search = newSearch(c.history, c.zones)
	return worked{Used: used, What: Refined{it, c.sys.DimName}}
}

// concrete finds a run along cases from an initial cube into one of the bad ones.
func concrete(ctx context.Context, sys *param.System, init param.Cube, cases []*param.Case,
	bad []param.Cube) (*param.Run, bool) {
	n := len(sys.Dims)
	value := make([]param.Affine, n)
	for i := range value {
		value[i] = param.Affine{Coef: make([]int64, n)}
		value[i].Coef[i] = 1
	}
	conditions := slices.Clone(init.Atoms)
	require := func(to, atoms []linear.Atom) []linear.Atom {
		for _, a := range atoms {
			if s := substitute(a, value); !slices.ContainsFunc(to, s.Equal) {
				to = append(to, s)
			}
		}
		return to
	}
	for _, c := range cases {
		conditions = require(conditions, c.Guard.Atoms)
		if value = compose(c.Update, value); slices.ContainsFunc(value, func(v param.Affine) bool {
			return large(v.Coef) || v.Const > maxCoef || v.Const < -maxCoef
		}) {
			return nil, false
		}
	}
	for _, b := range bad {
		control, ok := b.Control, true
		for i := len(cases) - 1; i >= 0 && ok; i-- {
			control, ok = sys.Before(cases[i], control)
		}
		if control &= init.Control; !ok || !sys.Possible(control) {
			continue
		}
		if x, ok := linear.Point(ctx, n, require(slices.Clip(conditions), b.Atoms)); ok {
			run := &param.Run{Start: sys.Join(control, x)}
			for _, c := range cases {
				run.Rules = append(run.Rules, c.Rule)
			}
			return run, true
		}
	}
	return nil, false
}
