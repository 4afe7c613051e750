package param

import (
	"context"
	"math/bits"
	"slices"

	"magus/param/linear"
)

// compileRule makes the cases of a rule.
func (s *System) compileRule(ctx context.Context, r int) ([]Case, error) {
	rule := &s.Model.Rules[r]
	value := newValues(rule)
	guard, err := s.cubes(ctx, And{rule.Guard, s.available(rule)})
	if err != nil {
		return nil, err
	}
	// Control variables that values depend on are fixed case by case.
	var control Linear
	for v := range s.Model.Names {
		if reads(value, v) && s.groupOf[v] >= 0 {
			control.Terms = append(control.Terms, Term{v, 1})
		}
	}
	var cases []Case
	err = s.valuations(control, func(mask uint64, _ Linear) error {
		c, ok := s.fixed(r, mask, value)
		if !ok {
			return nil
		}
		for _, g := range guard {
			if both, ok := s.meet(c.Guard, g); ok {
				k := c
				k.Guard = both
				if cases = append(cases, k); len(cases) > maxCubes {
					return errTooManyCubes
				}
			}
		}
		return nil
	})
	return s.mergeCases(cases), err
}

// reads reports whether one of the values depends on a name.
func reads(value map[int]Linear, v int) bool {
	for _, l := range value {
		if slices.ContainsFunc(l.Terms, func(t Term) bool { return t.Var == v }) {
			return true
		}
	}
	return false
}

// newValues are the values after a rule of all names that it changes.
func newValues(rule *Rule) map[int]Linear {
	left := map[int]Linear{} // what remains of each when the movers have gone
	of := func(q int) Linear {
		if l, ok := left[q]; ok {
			return l
		}
		return Variable(q)
	}
	for _, q := range rule.From {
		left[q] = of(q).Add(-1, Linear{Const: 1})
	}
	value := map[int]Linear{}
	for q, l := range left {
		value[q] = l
	}
	get := func(q int) Linear {
		if l, ok := value[q]; ok {
			return l
		}
		return Variable(q)
	}
	for _, t := range rule.Transfers {
		value[t.From] = get(t.From).Add(-1, of(t.From))
		value[t.To] = get(t.To).Add(1, of(t.From))
	}
	for _, q := range rule.To {
		value[q] = get(q).Add(1, Linear{Const: 1})
	}
	for _, u := range rule.Updates {
		value[u.Var] = u.Value
	}
	return value
}

// available says that the processes that move are there.
func (s *System) available(rule *Rule) Formula {
	need := map[int]int64{}
	for _, q := range rule.From {
		need[q]++
	}
	var and And
	for q := range s.Model.Names {
		if need[q] > 0 {
			and = append(and, Compare{Ge, Variable(q), Linear{Const: need[q]}})
		}
	}
	return and
}

// fixed is the case of a rule for given values of the control variables that its updates read. Its
// guard says that no value leaves its range; ok is false if one does anyway.
func (s *System) fixed(r int, mask uint64, value map[int]Linear) (Case, bool) {
	c := Case{Rule: r, Guard: Cube{Control: mask}, Update: make([]Affine, len(s.Dims))}
	for name := range s.Model.Names {
		l, ok := value[name]
		if !ok {
			continue
		}
		rest := Linear{Const: l.Const}
		for _, t := range l.Terms {
			if g := s.groupOf[t.Var]; g >= 0 {
				rest.Const += t.Coef * s.value(g, mask)
			} else {
				rest.Terms = append(rest.Terms, t)
			}
		}
		if d := s.dimOf[name]; d >= 0 {
			if !s.updateDim(&c, d, rest) {
				return Case{}, false
			}
		} else if !s.updateControl(&c, s.groupOf[name], rest) {
			return Case{}, false
		}
	}
	return c, true
}

func (s *System) value(group int, mask uint64) int64 {
	g := s.Groups[group]
	v := g.Lo
	for b := g.Shift; mask>>b&1 == 0; b++ {
		v++
	}
	return v
}

func (s *System) updateDim(c *Case, d int, l Linear) bool {
	n := s.Model.Names[s.Dims[d]]
	if len(l.Terms) == 1 && l.Const == 0 && l.Terms[0] == (Term{s.Dims[d], 1}) {
		return true
	}
	a := Affine{Coef: make([]int64, len(s.Dims)), Const: l.Const}
	for _, t := range l.Terms {
		a.Coef[s.dimOf[t.Var]] = t.Coef
	}
	c.Update[d] = a
	c.Moves = append(c.Moves, d)
	needs := []linear.Atom{s.atMost(Linear{}.Add(-1, l), -n.Lo)}
	if n.Kind == Range || n.Kind == Bool {
		needs = append(needs, s.atMost(l, n.Hi))
	}
	for _, a := range needs {
		if truth, constant := a.Constant(); constant && !truth {
			return false
		} else if !constant && !(a.Bound >= 0 && a.Upward()) {
			c.Guard.Atoms = addAtom(c.Guard.Atoms, a)
		}
	}
	return true
}

// updateControl sets a control variable; what its value reads are control variables, and fixed.
func (s *System) updateControl(c *Case, group int, l Linear) bool {
	g := s.Groups[group]
	v := l.Const - g.Lo
	if len(l.Terms) > 0 {
		panic("param: a control variable depends on a dimension")
	}
	if v < 0 || v >= int64(bits.OnesCount64(g.Bits)) {
		return false
	}
	c.Clear |= g.Bits
	c.Set |= 1 << (g.Shift + int(v))
	return true
}

// mergeCases unites cases that differ in one control variable of the guard only.
func (s *System) mergeCases(cases []Case) []Case {
	var out []Case
	for _, c := range cases {
		i := slices.IndexFunc(out, func(o Case) bool {
			return o.Clear == c.Clear && o.Set == c.Set && sameUpdate(o.Update, c.Update) && s.mergeable(o.Guard, c.Guard)
		})
		if i < 0 {
			out = append(out, c)
		} else {
			out[i].Guard.Control |= c.Guard.Control
		}
	}
	return out
}

func sameUpdate(a, b []Affine) bool {
	return slices.EqualFunc(a, b, func(x, y Affine) bool { return x.Const == y.Const && slices.Equal(x.Coef, y.Coef) })
}
