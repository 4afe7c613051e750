package cert

import "magus/param"

// value is what a name becomes by a rule.
func value(m *param.Model, r int, name int) param.Linear {
	rule := &m.Rules[r]
	for _, u := range rule.Updates {
		if u.Var == name {
			return u.Value
		}
	}
	count := func(states []int, q int) (n int64) {
		for _, s := range states {
			if s == q {
				n++
			}
		}
		return n
	}
	remains := func(q int) param.Linear {
		return param.Variable(q).Add(-count(rule.From, q), param.Linear{Const: 1})
	}
	l := remains(name)
	for _, t := range rule.Transfers {
		if t.From == name {
			l = l.Add(-1, remains(name))
		}
		if t.To == name {
			l = l.Add(1, remains(t.From))
		}
	}
	return l.Add(count(rule.To, name), param.Linear{Const: 1})
}

// enabled says when a rule can be taken.
func enabled(m *param.Model, r int) param.Formula {
	rule := &m.Rules[r]
	and := param.And{rule.Guard}
	need := make(map[int]int64)
	for _, q := range rule.From {
		need[q]++
	}
	for q := range m.Names {
		if need[q] > 0 {
			and = append(and, param.Compare{Op: param.Ge, Left: param.Variable(q), Right: param.Linear{Const: need[q]}})
		}
	}
	for _, u := range rule.Updates {
		n := m.Names[u.Var]
		low := int64(0)
		if n.Kind == param.Bool || n.Kind == param.Range {
			low = n.Lo
			and = append(and, param.Compare{Op: param.Le, Left: u.Value, Right: param.Linear{Const: n.Hi}})
		}
		and = append(and, param.Compare{Op: param.Ge, Left: u.Value, Right: param.Linear{Const: low}})
	}
	return and
}

// later is a linear expression over the values after a rule, said of those before it.
func later(m *param.Model, r int, l param.Linear) param.Linear {
	out := param.Linear{Const: l.Const}
	for _, t := range l.Terms {
		out = out.Add(t.Coef, value(m, r, t.Var))
	}
	return out
}

// after is a formula about the configuration after a rule, said of the one before it.
func after(m *param.Model, r int, f param.Formula) param.Formula {
	switch f := f.(type) {
	case param.Compare:
		return param.Compare{Op: f.Op, Left: later(m, r, f.Left), Right: later(m, r, f.Right)}
	case param.Not:
		return param.Not{F: after(m, r, f.F)}
	case param.And:
		out := make(param.And, len(f))
		for i, g := range f {
			out[i] = after(m, r, g)
		}
		return out
	case param.Or:
		out := make(param.Or, len(f))
		for i, g := range f {
			out[i] = after(m, r, g)
		}
		return out
	case param.Truth:
		return f
	}
	panic("cert: a formula of this kind cannot stand in a proof")
}

// substituteConj is a conjunction about the configuration after a rule, said of the one before it.
func substituteConj(m *param.Model, r int, c conj) conj {
	out := make(conj, len(c))
	for i, q := range c {
		out[i] = less(later(m, r, param.Linear{Terms: q.terms}), q.bound)
	}
	return out
}

// changes reports whether a rule changes a name of a formula.
func changes(m *param.Model, r int, f param.Formula) bool {
	return m.Formula(f) != m.Formula(after(m, r, f))
}
