package engine

import (
	"magus/param"
	"magus/param/dbm"
	"magus/param/linear"
)

// bounds is the domain of difference bounds. All atoms and updates of the system are of that form, as
// boundsFor has found.
type bounds struct {
	sys   *param.System
	guard map[*param.Case][]dbm.Bound
	moves map[*param.Case][]dbm.Move
}

// boundsFor is the domain for a system; ok is false if it has atoms or updates of another form.
func boundsFor(sys *param.System) (d *bounds, ok bool) {
	if len(sys.Dims) > dbm.MaxVars {
		return nil, false
	}
	d = &bounds{sys: sys, guard: map[*param.Case][]dbm.Bound{}, moves: map[*param.Case][]dbm.Move{}}
	for i := range sys.Cases {
		c := &sys.Cases[i]
		moves := make([]dbm.Move, len(c.Update))
		for j, u := range c.Update {
			if moves[j], ok = move(j, u); !ok {
				return nil, false
			}
		}
		g, ok := differences(c.Guard.Atoms)
		if !ok {
			return nil, false
		}
		d.guard[c], d.moves[c] = g, moves
	}
	cubes := sys.Init
	for _, bad := range sys.Bad {
		cubes = append(cubes[:len(cubes):len(cubes)], bad...)
	}
	for _, c := range cubes {
		if _, ok := differences(c.Atoms); !ok {
			return nil, false
		}
	}
	return d, true
}

// move is an update of the form y + c or c.
func move(dim int, u param.Affine) (dbm.Move, bool) {
	if u.Coef == nil {
		return dbm.Move{Of: dim + 1}, true
	}
	m := dbm.Move{C: int32(u.Const)}
	for i, c := range u.Coef {
		switch {
		case c == 0:
		case c == 1 && m.Of == 0:
			m.Of = i + 1
		default:
			return dbm.Move{}, false
		}
	}
	return m, true
}

func differences(atoms []linear.Atom) ([]dbm.Bound, bool) {
	bs := make([]dbm.Bound, len(atoms))
	for i, a := range atoms {
		var ok bool
		if bs[i], ok = difference(a); !ok {
			return nil, false
		}
	}
	return bs, true
}

func difference(a linear.Atom) (dbm.Bound, bool) {
	b := dbm.Bound{C: int32(a.Bound)}
	if int64(b.C) != a.Bound || a.Bound > dbm.Large || a.Bound < -dbm.Large {
		return b, false
	}
	for i, c := range a.Coef {
		switch {
		case c == 0:
		case c == 1 && b.I == 0:
			b.I = i + 1
		case c == -1 && b.J == 0:
			b.J = i + 1
		default:
			return b, false
		}
	}
	return b, true
}

// bound is the difference bound of an atom that is one.
func bound(a linear.Atom) dbm.Bound {
	b, ok := difference(a)
	if !ok {
		panic("engine: no difference bound")
	}
	return b
}

func (d *bounds) atom(b dbm.Bound) linear.Atom {
	a := linear.Atom{Coef: make([]int64, len(d.sys.Dims)), Bound: int64(b.C)}
	if b.I > 0 {
		a.Coef[b.I-1]++
	}
	if b.J > 0 {
		a.Coef[b.J-1]--
	}
	return a
}

func (d *bounds) of(atoms []linear.Atom) (*dbm.Matrix, bool) {
	return d.with(dbm.New(len(d.sys.Dims)), atoms...)
}

func (d *bounds) with(m *dbm.Matrix, atoms ...linear.Atom) (*dbm.Matrix, bool) {
	bs := make([]dbm.Bound, len(atoms))
	for i, a := range atoms {
		bs[i] = bound(a)
	}
	return m.With(bs...)
}

func (d *bounds) implies(m *dbm.Matrix, a linear.Atom) bool { return m.Implies(bound(a)) }

func (d *bounds) excludes(m *dbm.Matrix, a linear.Atom) bool { return m.Excludes(bound(a)) }

func (d *bounds) includes(large, small *dbm.Matrix) bool { return large.Includes(small) }

func (d *bounds) before(c *param.Case, m *dbm.Matrix) (*dbm.Matrix, bool) {
	b, ok := m.Before(d.moves[c])
	if !ok {
		return nil, false
	}
	return b.With(d.guard[c]...)
}

func (d *bounds) upward(m *dbm.Matrix) *dbm.Matrix { return m.Upward() }

func (d *bounds) key(b []byte, m *dbm.Matrix) []byte { return m.Key(b) }

func (d *bounds) least(m *dbm.Matrix) []int64 { return m.Least() }

func (d *bounds) atoms(m *dbm.Matrix) []linear.Atom {
	bs := m.Bounds()
	atoms := make([]linear.Atom, len(bs))
	for i, b := range bs {
		atoms[i] = d.atom(b)
	}
	return atoms
}

func (d *bounds) simulate(at *dbm.Matrix, cases []*param.Case, sets []*dbm.Matrix) (int, []linear.Atom) {
	for i, c := range cases {
		need, ok := d.before(c, sets[i+1])
		if !ok {
			return i, nil // excluded whatever the order; the search does not make such a step
		}
		both, ok := at.With(need.Bounds()...)
		if !ok {
			return i, d.separate(at, need)
		}
		if at, ok = both.After(d.moves[c]); !ok {
			panic("engine: a step that can be taken leads nowhere")
		}
	}
	return len(cases), nil
}
