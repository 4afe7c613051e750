package cert

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"magus/param"
)

// A region is a disjunct of the proof, with the intervals of its variables.
type region struct {
	conj   conj
	bounds map[int]interval
}

type checker struct {
	ctx   context.Context
	m     *param.Model
	inv   param.Formula
	types param.Formula // of all names: what their ranges are
	steps int
}

// Check reports what is wrong with a proof of a property, or nil if it holds. A context that ends is an
// error.
func Check(ctx context.Context, m *param.Model, property int, p *param.Proof) error {
	if hasDeadlock(append(append(append(param.And(nil), p.Invariants...), p.Inside...), p.Outside...)) {
		return errors.New("deadlock cannot stand in a proof")
	}
	c := &checker{ctx: ctx, m: m, inv: param.And(p.Invariants), types: ranges(m)}
	init := param.And{c.types, m.Given, m.Init}
	if err := c.invariants(init, p.Invariants); err != nil {
		return err
	}
	inside, err := c.regions(p.Inside)
	if err != nil {
		return err
	}
	outside, err := c.regions(p.Outside)
	if err != nil {
		return err
	}
	if len(p.Inside) > 0 {
		if err := c.inside(init, p.Inside, inside); err != nil {
			return err
		}
	}
	if err := c.outside(init, p.Outside, outside); err != nil {
		return err
	}
	bad := param.And{c.types, c.inv, m.Bad[property].Formula}
	if len(p.Inside) > 0 {
		bad = append(bad, param.Or(p.Inside))
	}
	return c.covered("a bad configuration is not excluded", bad, outside)
}

func hasDeadlock(f param.Formula) bool {
	var parts []param.Formula
	switch f := f.(type) {
	case param.Deadlock:
		return true
	case param.And:
		parts = f
	case param.Or:
		parts = f
	case param.Not:
		parts = []param.Formula{f.F}
	}
	return slices.ContainsFunc(parts, hasDeadlock)
}

// ranges is what the types of all names say; that they are natural numbers goes without saying.
func ranges(m *param.Model) param.Formula {
	var and param.And
	for i, n := range m.Names {
		if n.Kind == param.Bool || n.Kind == param.Range {
			and = append(and, param.Compare{Op: param.Ge, Left: param.Variable(i), Right: param.Linear{Const: n.Lo}},
				param.Compare{Op: param.Le, Left: param.Variable(i), Right: param.Linear{Const: n.Hi}})
		}
	}
	return and
}

// invariants shows that they hold in the beginning and that no rule changes that.
func (c *checker) invariants(init param.Formula, list []param.Formula) error {
	for _, f := range list {
		if err := c.impossible("the invariant "+c.m.Formula(f)+" does not hold in the beginning",
			param.And{init, param.Not{F: f}}); err != nil {
			return err
		}
		for r := range c.m.Rules {
			if !changes(c.m, r, f) {
				continue
			}
			what := fmt.Sprintf("the rule %s may violate the invariant %s", c.m.RuleName(r), c.m.Formula(f))
			if err := c.impossible(what, param.And{c.types, c.inv, enabled(c.m, r),
				param.Not{F: after(c.m, r, f)}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// inside shows that the union of the formulas holds in the beginning and that no rule leaves it.
func (c *checker) inside(init param.Formula, list []param.Formula, union []region) error {
	if err := c.covered("an initial configuration is not inside", init, union); err != nil {
		return err
	}
	for _, f := range list {
		for r := range c.m.Rules {
			now, err := c.conjs(param.And{c.types, c.inv, f, enabled(c.m, r)})
			if err != nil {
				return err
			}
			if len(now) == 0 {
				continue
			}
			later := make([]region, 0, len(union))
			for _, u := range union {
				k := substituteConj(c.m, r, u.conj)
				later = append(later, region{k, k.bounds()})
			}
			what := fmt.Sprintf("the rule %s leads from inside %s elsewhere", c.m.RuleName(r), c.m.Formula(f))
			for _, k := range now {
				if err := c.within(what, k, later); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// outside shows that no initial configuration is in one of the formulas, and that what leads into one
// is in one itself.
func (c *checker) outside(init param.Formula, list []param.Formula, union []region) error {
	for _, f := range list {
		if err := c.impossible("an initial configuration is in "+c.m.Formula(f), param.And{init, f}); err != nil {
			return err
		}
		for r := range c.m.Rules {
			what := fmt.Sprintf("the rule %s leads from elsewhere into %s", c.m.RuleName(r), c.m.Formula(f))
			if err := c.covered(what, param.And{c.types, enabled(c.m, r), after(c.m, r, f), c.inv}, union); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *checker) conjs(f param.Formula) ([]conj, error) { return dnf(c.m, f, false, []conj{nil}) }

func (c *checker) regions(list []param.Formula) ([]region, error) {
	var out []region
	for _, f := range list {
		ks, err := c.conjs(f)
		if err != nil {
			return nil, err
		}
		for _, k := range ks {
			out = append(out, region{k, k.bounds()})
		}
	}
	return out, nil
}

// impossible shows that a formula has no solution.
func (c *checker) impossible(what string, f param.Formula) error {
	return c.covered(what, f, nil)
}

// covered shows that a formula implies a union.
func (c *checker) covered(what string, f param.Formula, union []region) error {
	ks, err := c.conjs(f)
	if err != nil {
		return fmt.Errorf("%s? %w", what, err)
	}
	for _, k := range ks {
		if err := c.within(what, k, union); err != nil {
			return err
		}
	}
	return nil
}

// within shows that a conjunction implies a union: what a region leaves of it, for each of the region's
// inequalities what violates it, must be within the others.
func (c *checker) within(what string, k conj, union []region) error {
	if err := c.ctx.Err(); err != nil {
		return context.Cause(c.ctx)
	}
	no, err := empty(k)
	if err != nil {
		return fmt.Errorf("%s? %w", what, err)
	}
	if no {
		return nil
	}
	if c.steps++; c.steps > maxSteps {
		return fmt.Errorf("%s? %w", what, errTooMany)
	}
	bounds := k.bounds()
	best, open := -1, conj(nil)
	for i, u := range union {
		if !meets(bounds, u.bounds) {
			continue
		}
		missing := u.missing(bounds, k)
		if len(missing) == 0 {
			return nil
		}
		if best < 0 || len(missing) < len(open) {
			best, open = i, missing
		}
	}
	if best < 0 {
		return c.without(what, k)
	}
	// The region may not meet k at all; then it cannot help.
	rest := append(append([]region(nil), union[:best]...), union[best+1:]...)
	both, err := empty(append(append(conj(nil), k...), open...))
	if err != nil {
		return fmt.Errorf("%s? %w", what, err)
	}
	if both {
		return c.within(what, k, rest)
	}
	at := k
	for _, q := range open {
		if err := c.within(what, append(at[:len(at):len(at)], q.negated()), rest); err != nil {
			return err
		}
		at = append(at[:len(at):len(at)], q)
	}
	return nil
}

// without shows that a conjunction which no region is left for has no solution: over the rational numbers
// it has one, but rounding the bounds of its variables may exclude the integers.
func (c *checker) without(what string, k conj) error {
	tight, err := rounded(k)
	if err == nil {
		var no bool
		if no, err = empty(tight); no && err == nil {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("%s? %w", what, err)
	}
	return errors.New(what)
}

// maxSteps bounds the whole check.
const maxSteps = 20_000_000

// meets reports whether two boxes may have a common point.
func meets(a, b map[int]interval) bool {
	if a == nil || b == nil {
		return false
	}
	for v, i := range b {
		j, ok := a[v]
		if !ok {
			j = interval{0, largest}
		}
		if j.low > i.high || i.low > j.high {
			return false
		}
	}
	return true
}

// missing are the inequalities of a region that a conjunction, with the given bounds, does not have.
func (u *region) missing(bounds map[int]interval, k conj) conj {
	var out conj
	for _, q := range u.conj {
		if !implied(q, bounds, k) {
			out = append(out, q)
		}
	}
	return out
}

func implied(q ineq, bounds map[int]interval, k conj) bool {
	sum := int64(0)
	for _, t := range q.terms {
		i, ok := bounds[t.Var]
		switch {
		case !ok && t.Coef > 0:
			sum = largest
		case !ok: // at least 0
		case t.Coef > 0:
			sum += t.Coef * i.high
		default:
			sum += t.Coef * i.low
		}
		if sum >= largest {
			break
		}
	}
	if sum <= q.bound && sum < largest {
		return true
	}
	for _, p := range k {
		if p.bound <= q.bound && sameTerms(p.terms, q.terms) {
			return true
		}
	}
	return false
}

func sameTerms(a, b []param.Term) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
