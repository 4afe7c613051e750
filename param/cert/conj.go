package cert

import (
	"errors"
	"slices"

	"magus/param"
)

// An ineq is Σ coef·x ≤ bound over names; coefficients that are 0 are left out and variables ascend.
type ineq struct {
	terms []param.Term
	bound int64
}

// A conj is a conjunction.
type conj []ineq

var (
	errTooMany = errors.New("too many cases to check")
	errNumbers = errors.New("numbers too large to check")
)

// maxConjs bounds the disjunctive form of one formula.
const maxConjs = 20_000

// largest is the largest absolute value of a number; products of two stay within 64 bits.
const largest = 1 << 30

// less is l ≤ k.
func less(l param.Linear, k int64) ineq { return ineq{l.Terms, k - l.Const}.reduced() }

// reduced divides by the common divisor and rounds the bound down.
func (q ineq) reduced() ineq {
	g := int64(0)
	for _, t := range q.terms {
		for a, b := g, t.Coef; ; a, b = b, a%b {
			if b == 0 {
				g = max(a, -a)
				break
			}
		}
	}
	if g <= 1 {
		return q
	}
	terms := slices.Clone(q.terms)
	for i := range terms {
		terms[i].Coef /= g
	}
	b := q.bound / g
	if q.bound%g < 0 {
		b--
	}
	return ineq{terms, b}
}

// negated is true of exactly the other integers.
func (q ineq) negated() ineq {
	terms := slices.Clone(q.terms)
	for i := range terms {
		terms[i].Coef = -terms[i].Coef
	}
	return ineq{terms, -q.bound - 1}
}

// dnf conjoins a formula, or its negation, to each of some conjunctions.
func dnf(m *param.Model, f param.Formula, negate bool, to []conj) ([]conj, error) {
	switch f := f.(type) {
	case param.Truth:
		if bool(f) == negate {
			return nil, nil
		}
		return to, nil
	case param.Not:
		return dnf(m, f.F, !negate, to)
	case param.And:
		return several(m, f, !negate, negate, to)
	case param.Or:
		return several(m, f, negate, negate, to)
	case param.Deadlock:
		var or param.Or
		for r := range m.Rules {
			or = append(or, enabled(m, r))
		}
		return dnf(m, or, !negate, to)
	case param.Compare:
		return compare(f, negate, to)
	}
	return nil, errors.New("a formula of an unknown kind")
}

// several conjoins all formulas, or each to its own copy.
func several(m *param.Model, fs []param.Formula, all, negate bool, to []conj) (_ []conj, err error) {
	if all {
		for _, g := range fs {
			if to, err = dnf(m, g, negate, to); err != nil {
				return nil, err
			}
		}
		return to, nil
	}
	var union []conj
	for _, g := range fs {
		part, err := dnf(m, g, negate, to)
		if err != nil {
			return nil, err
		}
		if union = append(union, part...); len(union) > maxConjs {
			return nil, errTooMany
		}
	}
	return union, nil
}

func compare(f param.Compare, negate bool, to []conj) ([]conj, error) {
	d := f.Left.Add(-1, f.Right)
	e := param.Linear{}.Add(-1, d)
	le, ge, lt, gt := less(d, 0), less(e, 0), less(d, -1), less(e, -1)
	var choices []conj
	switch f.Op {
	case param.Eq:
		choices = []conj{{le, ge}}
		if negate {
			choices = []conj{{lt}, {gt}}
		}
	case param.Ne:
		choices = []conj{{lt}, {gt}}
		if negate {
			choices = []conj{{le, ge}}
		}
	default:
		yes := map[param.Op]ineq{param.Lt: lt, param.Le: le, param.Gt: gt, param.Ge: ge}[f.Op]
		if negate {
			yes = yes.negated()
		}
		choices = []conj{{yes}}
	}
	var out []conj
	for _, c := range choices {
		for _, old := range to {
			next := append(slices.Clip(old), c...)
			if plain := next.bounds(); plain != nil {
				out = append(out, next)
			}
		}
		if len(out) > maxConjs {
			return nil, errTooMany
		}
	}
	return out, nil
}

// An interval is what is known of one variable; variables are natural numbers. It is the checker's own, and
// not that of the searches whose proofs are checked.
type interval struct{ low, high int64 }

// bounds are the intervals that inequalities of one variable give; nil if there is no solution.
func (c conj) bounds() map[int]interval {
	all := map[int]interval{}
	for _, q := range c {
		if len(q.terms) == 0 {
			if q.bound < 0 {
				return nil
			}
			continue
		}
		if len(q.terms) > 1 {
			continue
		}
		t := q.terms[0]
		i, ok := all[t.Var]
		if !ok {
			i = interval{0, largest}
		}
		if t.Coef > 0 { // reduced: the coefficient is 1 or -1
			i.high = min(i.high, q.bound)
		} else {
			i.low = max(i.low, -q.bound)
		}
		if i.low > i.high {
			return nil
		}
		all[t.Var] = i
	}
	return all
}
