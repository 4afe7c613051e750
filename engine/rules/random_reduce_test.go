package rules_test

import "slices"

// Reduction of a random project.
//
// Idea: parts are left out one after the other as long as what is asked for still holds: functions with
// tables that name them, then statements (or what they contain in their place), from the largest to the
// smallest, until none can be. What does not compile does not count, for then magus does not say the same of
// it.
//
// Source: A. Zeller, R. Hildebrandt: Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28(2), 2002,
// with one part at a time. Cost: quadratic in the statements.

// reduce is a small project of which holds is still true.
func reduce(p *project, holds func(*project) bool) *project {
	for again := true; again; {
		again = false
		for i := len(p.funcs) - 1; i >= 0; i-- {
			if q := p.clone(); q.without(i) && holds(q) {
				p, again = q, true
			}
		}
		for f := range p.funcs {
			for k := 0; ; {
				all := spots(&p.funcs[f].body)
				if k >= len(all) {
					break
				}
				if q := smaller(p, f, k, holds); q != nil {
					p, again = q, true
				} else {
					k++
				}
			}
		}
	}
	return p
}

// without leaves a function out with its calls, unless a table or an address names it.
func (p *project) without(i int) bool {
	name := p.funcs[i].name
	p.funcs = slices.Delete(p.funcs, i, i+1)
	if !p.used(name) {
		p.tables = slices.DeleteFunc(p.tables, func(t *table) bool {
			return slices.Contains(t.entries, name) &&
				!p.used(t.name)
		})
	}
	return !p.used(name)
}

// used reports whether something names a function or a table.
func (p *project) used(name string) bool {
	found := false
	for _, f := range p.funcs {
		each(f.body, func(e *expr) {
			found = found || (e.op == "call" || e.op == "func" || e.op == "entry") && e.name == name
		})
	}
	return found || slices.ContainsFunc(p.tables,
		func(t *table) bool { return slices.Contains(t.entries, name) && p.used(t.name) })
}

// smaller tries ways to make a statement smaller.
func smaller(p *project, f, k int, holds func(*project) bool) *project {
	try := func(with func(s *stmt) []*stmt) *project {
		q := p.clone()
		sp := spots(&q.funcs[f].body)[k]
		s := (*sp.in)[sp.at]
		to := with(s)
		if to == nil {
			return nil
		}
		*sp.in = slices.Replace(*sp.in, sp.at, sp.at+1, to...)
		if !holds(q) {
			return nil
		}
		return q
	}
	ways := []func(s *stmt) []*stmt{
		func(s *stmt) []*stmt {
			if s.op == "label" {
				return nil
			}
			return []*stmt{}
		},
		func(s *stmt) []*stmt {
			if s.op != "if" && len(s.body) > 0 {
				return nil
			}
			return s.body
		},
		func(s *stmt) []*stmt { return s.other },
	}
	for _, way := range ways {
		if q := try(way); q != nil {
			return q
		}
	}
	return nil
}
