package cert

import (
	"slices"

	"magus/param"
)

// Idea: a conjunction of inequalities has no solution if eliminating its variables one by one, each by
// adding every upper bound to every lower one, ends in a contradiction.
// Source: J. B. J. Fourier, 1826; T. S. Motzkin, Beiträge zur Theorie der linearen Ungleichungen, 1936;
// bounds are rounded to integers at every step.
// Deviations: the order of the variables prefers those that lose nothing, as in W. Pugh, The Omega test,
// 1991. Rounding does not find every conjunction without integer solutions; those are not accepted.
// Cost: may square the number of inequalities with each variable; maxIneqs ends it.

const maxIneqs = 5000

// empty reports whether a conjunction over natural numbers has no solution.
func empty(c conj) (bool, error) {
	if c.bounds() == nil {
		return true, nil
	}
	work := slices.Clone(c)
	seen := map[int]bool{}
	for _, q := range c {
		for _, t := range q.terms {
			if !seen[t.Var] {
				seen[t.Var] = true
				work = append(work, ineq{[]param.Term{{Var: t.Var, Coef: -1}}, 0})
			}
		}
	}
	for {
		work = strongest(work)
		for _, q := range work {
			if len(q.terms) == 0 && q.bound < 0 {
				return true, nil
			}
		}
		v, ok := cheapest(work)
		if !ok {
			return false, nil
		}
		var err error
		if work, err = eliminate(work, v); err != nil {
			return false, err
		}
	}
}

// rounded adds to a conjunction the bounds of each variable that follow from it, rounded to integers.
func rounded(c conj) (conj, error) {
	out := slices.Clone(c)
	seen := map[int]bool{}
	var vars []int
	for _, q := range c {
		for _, t := range q.terms {
			if !seen[t.Var] {
				seen[t.Var] = true
				vars = append(vars, t.Var)
				out = append(out, ineq{[]param.Term{{Var: t.Var, Coef: -1}}, 0})
			}
		}
	}
	for _, v := range vars {
		work := slices.Clone(out)
		for _, other := range vars {
			if other == v {
				continue
			}
			var err error
			if work, err = eliminate(strongest(work), other); err != nil {
				return nil, err
			}
		}
		out = append(out, work...)
	}
	return out, nil
}

// strongest keeps one inequality for each left side.
func strongest(c conj) conj {
	slices.SortFunc(c, func(a, b ineq) int {
		if n := slices.CompareFunc(a.terms, b.terms, func(s, t param.Term) int {
			if s.Var != t.Var {
				return s.Var - t.Var
			}
			return int(s.Coef - t.Coef)
		}); n != 0 {
			return n
		}
		return int(max(-1, min(1, a.bound-b.bound)))
	})
	return slices.CompactFunc(c, func(a, b ineq) bool { return slices.Equal(a.terms, b.terms) })
}

// cheapest is the variable whose elimination adds the fewest inequalities, of those that lose nothing
// over integers if there are any: where all upper or all lower bounds have the coefficient 1.
func cheapest(c conj) (v int, ok bool) {
	type count struct {
		up, down     int
		above, below bool // some upper, some lower bound has another coefficient
	}
	counts := map[int]*count{}
	last := -1
	for _, q := range c {
		for _, t := range q.terms {
			n := counts[t.Var]
			if n == nil {
				n = &count{}
				counts[t.Var] = n
			}
			if t.Coef > 0 {
				n.up++
				n.above = n.above || t.Coef != 1
			} else {
				n.down++
				n.below = n.below || t.Coef != -1
			}
			last = max(last, t.Var)
		}
	}
	best := 0
	for i := 0; i <= last; i++ {
		n := counts[i]
		if n == nil {
			continue
		}
		cost := n.up*n.down - n.up - n.down
		if n.above && n.below {
			cost += maxIneqs * maxIneqs
		}
		if !ok || cost < best {
			v, best, ok = i, cost, true
		}
	}
	return v, ok
}

func eliminate(c conj, v int) (conj, error) {
	var upper, lower, rest conj
	for _, q := range c {
		switch k := coefficient(q, v); {
		case k > 0:
			upper = append(upper, q)
		case k < 0:
			lower = append(lower, q)
		default:
			rest = append(rest, q)
		}
	}
	for _, u := range upper {
		for _, l := range lower {
			a, b := coefficient(u, v), -coefficient(l, v)
			left := param.Linear{}.Add(b, param.Linear{Terms: u.terms}).Add(a, param.Linear{Terms: l.terms})
			q := ineq{left.Terms, b*u.bound + a*l.bound}.reduced()
			if q.bound > largest || q.bound < -largest || slices.ContainsFunc(q.terms, func(t param.Term) bool {
				return t.Coef > largest || t.Coef < -largest
			}) {
				return nil, errNumbers
			}
			if rest = append(rest, q); len(rest) > maxIneqs {
				return nil, errTooMany
			}
		}
	}
	return rest, nil
}

func coefficient(q ineq, v int) int64 {
	for _, t := range q.terms {
		if t.Var == v {
			return t.Coef
		}
	}
	return 0
}
