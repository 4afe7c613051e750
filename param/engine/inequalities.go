package engine

import (
	"encoding/binary"
	"slices"

	"magus/param"
	"magus/param/linear"
)

// inequalities is the domain of linear inequalities, which every system fits. Sets are conjunctions;
// what is decided over the rational numbers errs on the side of larger sets. Points that were found on the
// way are kept with the sets, and answer most questions of what does not follow.
type inequalities struct {
	n int
}

// A polyhedron is a conjunction with lower bounds of all dimensions that follow from it; they are
// among what it says, though not among atoms.
type polyhedron struct {
	atoms  []linear.Atom // no lower bounds of single dimensions
	low    []int64
	points []linear.Vertex // some that are known, the last that was of use first
}

// maxPoints is how many points are kept with a set.
const maxPoints = 24

func inequalitiesFor(sys *param.System) *inequalities {
	return &inequalities{n: len(sys.Dims)}
}

// all are the atoms, lower bounds included.
func (p *polyhedron) all() []linear.Atom {
	all := slices.Clip(p.atoms)
	for i, k := range p.low {
		if k > 0 {
			all = append(all, linear.AtLeast(len(p.low), i, k))
		}
	}
	return all
}

func (d *inequalities) of(atoms []linear.Atom) (*polyhedron, bool) {
	p := &polyhedron{low: make([]int64, d.n)}
	return d.with(p, atoms...)
}

func (d *inequalities) with(p *polyhedron, atoms ...linear.Atom) (*polyhedron, bool) {
	out := &polyhedron{atoms: slices.Clip(p.atoms), low: slices.Clone(p.low)}
	changed := false
	for _, a := range atoms {
		if i, k, ok := lowerBound(a); ok {
			if k > out.low[i] {
				out.low[i], changed = k, true
			}
			continue
		}
		if !slices.ContainsFunc(out.atoms, a.Equal) && !above(out.low, a) {
			out.atoms, changed = append(out.atoms, a), true
		}
	}
	if !changed {
		return p, true
	}
	if out.inherit(p.points); len(out.points) > 0 {
		return out, true
	}
	if len(out.atoms) > 0 {
		if _, empty := out.solve(); empty {
			return nil, false
		}
	}
	return out, true
}

// inherit takes those points that are in the set.
func (p *polyhedron) inherit(points []linear.Vertex) {
	for _, v := range points {
		if p.contains(v) {
			p.points = append(p.points, v)
		}
	}
}

func (p *polyhedron) contains(v linear.Vertex) bool {
	for i, k := range p.low {
		if v.Num[i] < k*v.Den {
			return false
		}
	}
	return !slices.ContainsFunc(p.atoms, func(a linear.Atom) bool { return !v.Satisfies(a) })
}

// solve looks for a point that satisfies more atoms, and keeps it.
func (p *polyhedron) solve(more ...linear.Atom) (found, empty bool) {
	v, found, empty := linear.Solve(len(p.low), p.shifted(more...))
	if found {
		p.keep(v)
	}
	return found, empty
}

// keep stores a point that is said of how far it is above the lower bounds.
func (p *polyhedron) keep(v linear.Vertex) {
	if v, ok := v.Moved(p.low); ok {
		if len(p.points) < maxPoints {
			p.points = append(p.points, linear.Vertex{})
		}
		copy(p.points[1:], p.points)
		p.points[0] = v
	}
}

// knows reports whether a known point satisfies an atom.
func (p *polyhedron) knows(a linear.Atom) bool {
	for i, v := range p.points {
		if v.Satisfies(a) {
			copy(p.points[1:i+1], p.points[:i])
			p.points[0] = v
			return true
		}
	}
	return false
}

// shifted are the atoms, and more, said of how far a point is above the lower bounds; so those need not
// be said.
func (p *polyhedron) shifted(more ...linear.Atom) []linear.Atom {
	out := make([]linear.Atom, 0, len(p.atoms)+len(more))
	for _, atoms := range [][]linear.Atom{p.atoms, more} {
		for _, a := range atoms {
			s := linear.Atom{Coef: a.Coef, Bound: a.Bound}
			for i, c := range a.Coef {
				s.Bound -= c * p.low[i]
			}
			out = append(out, s)
		}
	}
	return out
}

// lowerBound recognises x ≥ k.
func lowerBound(a linear.Atom) (dim int, k int64, ok bool) {
	dim = -1
	for i, c := range a.Coef {
		if c == 0 {
			continue
		}
		if c != -1 || dim >= 0 {
			return 0, 0, false
		}
		dim = i
	}
	return dim, -a.Bound, dim >= 0
}

// above reports whether an atom is true of all points above low.
func above(low []int64, a linear.Atom) bool {
	sum := int64(0)
	for i, c := range a.Coef {
		if c > 0 {
			return false
		}
		sum += c * low[i]
	}
	return sum <= a.Bound
}

func (d *inequalities) implies(p *polyhedron, a linear.Atom) bool {
	if above(p.low, a) {
		return true
	}
	if not := a.Negate(); len(p.atoms) > 0 && !p.knows(not) {
		_, empty := p.solve(not)
		return empty
	}
	return false
}

func (d *inequalities) excludes(p *polyhedron, a linear.Atom) bool {
	sum, bounded := int64(0), true
	for i, c := range a.Coef {
		bounded = bounded && c >= 0
		sum += c * p.low[i]
	}
	if bounded && sum > a.Bound {
		return true
	}
	if len(p.atoms) > 0 && !p.knows(a) {
		_, empty := p.solve(a)
		return empty
	}
	return false
}

func (d *inequalities) includes(large, small *polyhedron) bool {
	for i, k := range large.low {
		if small.low[i] < k {
			return false
		}
	}
	for _, v := range small.points {
		if slices.ContainsFunc(large.atoms, v.Violates) {
			return false
		}
	}
	for _, a := range large.atoms {
		same := func(b linear.Atom) bool { return b.Bound <= a.Bound && slices.Equal(b.Coef, a.Coef) }
		if !slices.ContainsFunc(small.atoms, same) && !d.implies(small, a) {
			return false
		}
	}
	return true
}

// substitute is an atom over the values after a case, said of the values before it.
func substitute(a linear.Atom, update []param.Affine) linear.Atom {
	out := linear.Atom{Coef: make([]int64, len(a.Coef)), Bound: a.Bound}
	for i, c := range a.Coef {
		switch u := update[i]; {
		case c == 0:
		case u.Coef == nil:
			out.Coef[i] += c
		default:
			for j, k := range u.Coef {
				out.Coef[j] += c * k
			}
			out.Bound -= c * u.Const
		}
	}
	return out.Tighten()
}

func (d *inequalities) before(c *param.Case, p *polyhedron) (*polyhedron, bool) {
	atoms := slices.Clone(c.Guard.Atoms)
	for _, a := range p.all() {
		s := substitute(a, c.Update)
		if large(s.Coef) || s.Bound > maxCoef || s.Bound < -maxCoef {
			continue // the set becomes larger
		}
		if truth, constant := s.Constant(); !constant {
			atoms = append(atoms, s)
		} else if !truth {
			return nil, false
		}
	}
	q, ok := d.of(atoms)
	if !ok {
		return nil, false
	}
	if len(q.atoms) > 0 {
		q.raise()
	}
	return q, true
}

// raise makes the lower bounds of a set that was just made as large as they can be.
func (p *polyhedron) raise() {
	var known []linear.Vertex
	down := make([]int64, len(p.low))
	for i, k := range p.low {
		down[i] = -k
	}
	for _, v := range p.points {
		if v, ok := v.Moved(down); ok {
			known = append(known, v)
		}
	}
	low, found := linear.Minimum(len(p.low), p.shifted(), known)
	for _, v := range found[len(known):] {
		p.keep(v)
	}
	for i, k := range low {
		p.low[i] += k
	}
	p.points = slices.DeleteFunc(p.points, func(v linear.Vertex) bool { return !p.contains(v) })
}

// upward keeps of every atom what remains true when dimensions grow: those with positive coefficients
// are replaced by their lower bounds.
func (d *inequalities) upward(p *polyhedron) *polyhedron {
	out := &polyhedron{low: p.low}
	for _, a := range p.atoms {
		up := linear.Atom{Coef: make([]int64, d.n), Bound: a.Bound}
		for i, c := range a.Coef {
			if c > 0 {
				up.Bound -= c * p.low[i]
			} else {
				up.Coef[i] = c
			}
		}
		up = up.Tighten()
		if !above(p.low, up) && !slices.ContainsFunc(out.atoms, up.Equal) {
			out.atoms = append(out.atoms, up)
		}
	}
	out.inherit(p.points)
	return out
}

func (d *inequalities) key(b []byte, p *polyhedron) []byte {
	for _, k := range p.low {
		b = binary.AppendVarint(b, k)
	}
	for _, a := range p.atoms {
		b = binary.AppendVarint(b, a.Bound)
		for _, c := range a.Coef {
			b = binary.AppendVarint(b, c)
		}
	}
	return b
}

func (d *inequalities) least(p *polyhedron) []int64 { return p.low }

func (d *inequalities) atoms(p *polyhedron) []linear.Atom { return p.all() }

// simulate describes what can be reached as a function of where the path begins: dimension i is an
// affine function of the initial values, on which everything so far is a condition.
func (d *inequalities) simulate(start *polyhedron, cases []*param.Case, sets []*polyhedron) (int, []linear.Atom) {
	value := make([]param.Affine, d.n)
	for i := range value {
		value[i] = param.Affine{Coef: make([]int64, d.n)}
		value[i].Coef[i] = 1
	}
	given := start.all()
	for i, c := range cases {
		need, ok := d.before(c, sets[i+1])
		if !ok {
			return i, nil
		}
		if !d.holds(&given, need, value) {
			return i, d.separate(given, value, need)
		}
		value = compose(c.Update, value)
		for _, v := range value {
			if large(v.Coef) || v.Const > maxCoef || v.Const < -maxCoef {
				return i, nil
			}
		}
	}
	return len(cases), nil
}

// holds adds what a set says of the initial values to given; false if nothing is left.
func (d *inequalities) holds(given *[]linear.Atom, p *polyhedron, value []param.Affine) bool {
	next := slices.Clip(*given)
	for _, a := range p.all() {
		s := substitute(a, value)
		if truth, constant := s.Constant(); !constant {
			if !slices.ContainsFunc(next, s.Equal) {
				next = append(next, s)
			}
		} else if !truth {
			return false
		}
	}
	if linear.Empty(next) {
		return false
	}
	*given = next
	return true
}

// maxCoef keeps sums of products within 64 bits.
const maxCoef = 1 << 26

func large(coef []int64) bool {
	return slices.ContainsFunc(coef, func(c int64) bool { return c > maxCoef || c < -maxCoef })
}

// compose is an update after what has led there.
func compose(update, value []param.Affine) []param.Affine {
	out := make([]param.Affine, len(value))
	for i, u := range update {
		if u.Coef == nil {
			out[i] = value[i]
			continue
		}
		out[i] = param.Affine{Coef: make([]int64, len(value)), Const: u.Const}
		for j, c := range u.Coef {
			if c == 0 {
				continue
			}
			out[i].Const += c * value[j].Const
			for k, e := range value[j].Coef {
				out[i].Coef[k] += c * e
			}
		}
	}
	return out
}

// separate is an atom that holds where given initial values lead and nowhere in need.
func (d *inequalities) separate(given []linear.Atom, value []param.Affine, need *polyhedron) []linear.Atom {
	var a []linear.Atom
	for _, g := range given {
		a = append(a, linear.Atom{Coef: append(make([]int64, d.n), g.Coef...), Bound: g.Bound})
	}
	for i, v := range value { // x = value
		le := linear.Atom{Coef: make([]int64, 2*d.n), Bound: v.Const}
		le.Coef[i] = 1
		for j, c := range v.Coef {
			le.Coef[d.n+j] = -c
		}
		ge := linear.Atom{Coef: make([]int64, 2*d.n), Bound: -v.Const}
		for j, c := range le.Coef {
			ge.Coef[j] = -c
		}
		a = append(a, le, ge)
	}
	itp, ok := linear.Interpolate(d.n, a, need.all())
	if !ok {
		return nil
	}
	return []linear.Atom{itp}
}
