package param

import (
	"context"
	"errors"
	"math/bits"
	"slices"

	"magus/param/linear"
)

var errTooManyCubes = errors.New("too many cases: its disjunctions multiply to more than 4096")

// cubes is the disjunctive form of a formula, without cubes that are plainly empty.
func (s *System) cubes(ctx context.Context, f Formula) ([]Cube, error) {
	return s.dnf(ctx, f, false, []Cube{{Control: s.All()}})
}

// dnf conjoins a formula, or its negation, to cubes.
func (s *System) dnf(ctx context.Context, f Formula, negate bool, to []Cube) ([]Cube, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch f := f.(type) {
	case Truth:
		if bool(f) == negate {
			return nil, nil
		}
		return to, nil
	case Not:
		return s.dnf(ctx, f.F, !negate, to)
	case And:
		if negate {
			return s.any(ctx, f, true, to)
		}
		return s.each(ctx, f, false, to)
	case Or:
		if negate {
			return s.each(ctx, f, true, to)
		}
		return s.any(ctx, f, false, to)
	case Compare:
		return s.compare(f, negate, to)
	case Deadlock:
		return s.deadlock(ctx, negate, to)
	}
	panic("param: no formula of this kind can be compiled")
}

func (s *System) each(ctx context.Context, fs []Formula, negate bool, to []Cube) (_ []Cube, err error) {
	for _, g := range fs {
		if to, err = s.dnf(ctx, g, negate, to); err != nil {
			return nil, err
		}
	}
	return to, nil
}

func (s *System) any(ctx context.Context, fs []Formula, negate bool, to []Cube) ([]Cube, error) {
	var union []Cube
	for _, g := range fs {
		part, err := s.dnf(ctx, g, negate, to)
		if err != nil {
			return nil, err
		}
		if union = append(union, part...); len(union) > maxCubes {
			return nil, errTooManyCubes
		}
	}
	return union, nil
}

// compare conjoins one comparison.
func (s *System) compare(f Compare, negate bool, to []Cube) ([]Cube, error) {
	op := f.Op
	if negate {
		op = [...]Op{Eq: Ne, Ne: Eq, Lt: Ge, Le: Gt, Gt: Le, Ge: Lt}[op]
	}
	diff := f.Left.Add(-1, f.Right)
	var out []Cube
	err := s.valuations(diff, func(control uint64, rest Linear) error {
		for _, atoms := range s.atoms(op, rest) {
			for _, c := range to {
				if both, ok := s.meet(c, Cube{Control: control, Atoms: atoms}); ok {
					if out = append(out, both); len(out) > maxCubes {
						return errTooManyCubes
					}
				}
			}
		}
		return nil
	})
	return s.merge(out), err
}

// valuations goes through the values of the control variables of a linear expression, with what
// remains of it.
func (s *System) valuations(l Linear, visit func(control uint64, rest Linear) error) error {
	var groups []int
	coef := map[int]int64{}
	rest := Linear{Const: l.Const}
	for _, t := range l.Terms {
		if g := s.groupOf[t.Var]; g >= 0 {
			groups = append(groups, g)
			coef[g] = t.Coef
		} else {
			rest.Terms = append(rest.Terms, t)
		}
	}
	n := 1
	for _, g := range groups {
		if n *= bits.OnesCount64(s.Groups[g].Bits); n > maxCubes {
			return errTooManyCubes
		}
	}
	for k := range n {
		control, r := s.All(), rest
		for _, g := range groups {
			group := s.Groups[g]
			size := bits.OnesCount64(group.Bits)
			v := k % size
			k /= size
			control = control&^group.Bits | 1<<(group.Shift+v)
			r.Const += coef[g] * (group.Lo + int64(v))
		}
		if err := visit(control, r); err != nil {
			return err
		}
	}
	return nil
}

// atoms are conjunctions whose disjunction is l op 0.
func (s *System) atoms(op Op, l Linear) [][]linear.Atom {
	le := s.atMost(l, 0)                    // l ≤ 0
	ge := s.atMost(Linear{}.Add(-1, l), 0)  // l ≥ 0
	lt := s.atMost(l, -1)                   // l ≤ -1
	gt := s.atMost(Linear{}.Add(-1, l), -1) // l ≥ 1
	return map[Op][][]linear.Atom{
		Eq: {{le, ge}}, Ne: {{lt}, {gt}}, Lt: {{lt}}, Le: {{le}}, Gt: {{gt}}, Ge: {{ge}},
	}[op]
}

// atMost is l ≤ k, for an l without control variables.
func (s *System) atMost(l Linear, k int64) linear.Atom {
	a := linear.Atom{Coef: make([]int64, len(s.Dims)), Bound: k - l.Const}
	for _, t := range l.Terms {
		a.Coef[s.dimOf[t.Var]] = t.Coef
	}
	return a.Tighten()
}

// meet is the intersection of two cubes, unless it is plainly empty.
func (s *System) meet(a, b Cube) (Cube, bool) {
	c := Cube{Control: a.Control & b.Control, Atoms: a.Atoms[:len(a.Atoms):len(a.Atoms)]}
	if !s.Possible(c.Control) {
		return Cube{}, false
	}
	for _, atom := range b.Atoms {
		truth, constant := atom.Constant()
		if constant && !truth {
			return Cube{}, false
		}
		if !constant {
			c.Atoms = addAtom(c.Atoms, atom)
		}
	}
	return c, len(b.Atoms) == 0 || !linear.Empty(c.Atoms)
}

// addAtom adds an atom unless one that implies it has the same coefficients.
func addAtom(atoms []linear.Atom, a linear.Atom) []linear.Atom {
	for i, old := range atoms {
		if (linear.Atom{Coef: old.Coef, Bound: a.Bound}).Equal(a) {
			if old.Bound <= a.Bound {
				return atoms
			}
			changed := append([]linear.Atom(nil), atoms...)
			changed[i] = a
			return changed
		}
	}
	return append(atoms, a)
}

// merge unites cubes with the same atoms whose masks differ in one group only.
func (s *System) merge(cubes []Cube) []Cube {
	for changed := true; changed; {
		changed = false
		for i := 0; i < len(cubes); i++ {
			for j := i + 1; j < len(cubes); j++ {
				if s.mergeable(cubes[i], cubes[j]) {
					cubes[i].Control |= cubes[j].Control
					cubes = append(cubes[:j], cubes[j+1:]...)
					changed = true
					j--
				}
			}
		}
	}
	return cubes
}

func (s *System) mergeable(a, b Cube) bool {
	if len(a.Atoms) != len(b.Atoms) {
		return false
	}
	for i := range a.Atoms {
		if !a.Atoms[i].Equal(b.Atoms[i]) {
			return false
		}
	}
	differ := 0
	for _, g := range s.Groups {
		if a.Control&g.Bits != b.Control&g.Bits {
			differ++
		}
	}
	return differ <= 1
}

// deadlock conjoins that no case can be taken, or that one can.
func (s *System) deadlock(ctx context.Context, negate bool, to []Cube) ([]Cube, error) {
	if negate {
		var union []Cube
		for _, k := range s.Cases {
			for _, c := range to {
				if both, ok := s.meet(c, k.Guard); ok {
					if union = append(union, both); len(union) > maxCubes {
						return nil, errTooManyCubes
					}
				}
			}
		}
		return union, nil
	}
	for _, k := range s.Cases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var next []Cube
		complement := s.complement(k.Guard)
		for _, c := range to {
			if _, meets := s.meet(c, k.Guard); !meets {
				next = append(next, c)
				continue
			}
			for _, no := range complement {
				if both, ok := s.meet(c, no); ok {
					next = s.widest(next, both)
				}
			}
			if len(next) > maxCubes {
				return nil, errTooManyCubes
			}
		}
		to = s.merge(next)
	}
	return to, nil
}

// widest adds a cube unless it plainly lies within another one, and drops those that lie within it.
func (s *System) widest(cubes []Cube, c Cube) []Cube {
	within := func(a, b Cube) bool {
		return a.Control&^b.Control == 0 && !slices.ContainsFunc(b.Atoms, func(x linear.Atom) bool {
			return !slices.ContainsFunc(a.Atoms, func(y linear.Atom) bool {
				return y.Bound <= x.Bound && slices.Equal(y.Coef, x.Coef)
			})
		})
	}
	if slices.ContainsFunc(cubes, func(o Cube) bool { return within(c, o) }) {
		return cubes
	}
	return append(slices.DeleteFunc(cubes, func(o Cube) bool { return within(o, c) }), c)
}

// complement is what a cube leaves out, as cubes.
func (s *System) complement(c Cube) []Cube {
	var out []Cube
	for _, g := range s.Groups {
		if rest := g.Bits &^ c.Control; rest != 0 {
			out = append(out, Cube{Control: s.All()&^g.Bits | rest})
		}
	}
	for _, a := range c.Atoms {
		out = append(out, Cube{Control: s.All(), Atoms: []linear.Atom{a.Negate()}})
	}
	return out
}
