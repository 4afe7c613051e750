package order

// Literals: the comparisons of the fragment in normal form.
//
// A value is represented by its rank among the values of its type, from 0 for
// the least, so that one unsigned order serves signed and unsigned types.

import "magus/smt/expr"

// A Literal is a comparison or its negation; a Solver gives out numbers.
type Literal int32

// Not is the opposite literal.
func (l Literal) Not() Literal { return l ^ 1 }

type relation uint8

const (
	always relation = iota
	never
	eqConst // x == c
	neConst // x != c
	leConst // x <= c
	geConst // x >= c
	eqVar   // x == y
	neVar   // x != y
	ltVar   // x < y
	leVar   // x <= y
)

// An atom is a comparison: x and y number variables, c is a rank.
type atom struct {
	rel  relation
	x, y int32
	c    uint64
}

// not is the negation of a.
func not(a atom) atom {
	switch a.rel {
	case always, eqConst, eqVar:
		a.rel++
	case never, neConst, neVar:
		a.rel--
	case leConst: // the comparisons with constants are never of the whole type
		a.rel, a.c = geConst, a.c+1
	case geConst:
		a.rel, a.c = leConst, a.c-1
	case ltVar:
		a.rel, a.x, a.y = leVar, a.y, a.x
	case leVar:
		a.rel, a.x, a.y = ltVar, a.y, a.x
	}
	return a
}

// rank maps a bit pattern of type t to its place among t's values, and back.
func rank(t expr.Type, v uint64) uint64 {
	if t.Signed {
		return v ^ 1<<(t.Width-1)
	}
	return v
}

// last is the rank of the greatest value of t.
func last(t expr.Type) uint64 {
	if t.IsBool() {
		return 1
	}
	return t.Mask()
}

const (
	unknownTerm = 0
	outside     = -1
)

// Literal is the literal of the condition f, or of its negation if neg. It
// reports false if f is no comparison of the fragment.
func (s *Solver) Literal(f *expr.Expr, neg bool) (Literal, bool) {
	l, exact, ok := s.Relaxed(f, neg)
	return l, exact && ok
}

// Relaxed is like Literal but takes comparisons of any terms, a term with
// operators in it for a variable of its own. Where it reports exact false, the
// literal says less than f: Unsat can be believed, Sat cannot.
func (s *Solver) Relaxed(f *expr.Expr, neg bool) (l Literal, exact, ok bool) {
	for f.Op() == expr.Not {
		f, neg = f.Args()[0], !neg
	}
	id := f.ID()
	if id >= len(s.index) {
		s.index = append(s.index, make([]int32, id+1-len(s.index))...)
	}
	if s.index[id] == unknownTerm {
		s.index[id] = s.enter(f)
	}
	k := s.index[id]
	if k == outside {
		return 0, false, false
	}
	l = Literal(k-1) << 1
	if neg {
		l ^= 1
	}
	return l, s.exact[k-1], true
}

// enter adds f to the table of atoms and returns its index plus 1, or outside.
func (s *Solver) enter(f *expr.Expr) int32 {
	a, ok := s.parse(f)
	if !ok {
		return outside
	}
	exact := true
	for _, x := range f.Args() {
		exact = exact && len(x.Args()) == 0
	}
	s.atoms = append(s.atoms, a, not(a))
	s.exact = append(s.exact, exact)
	return int32(len(s.exact))
}

func (s *Solver) parse(f *expr.Expr) (atom, bool) {
	switch f.Op() {
	case expr.Const:
		if f.IsTrue() {
			return atom{rel: always}, true
		}
		return atom{rel: never}, true
	case expr.Var:
		return atom{rel: eqConst, x: s.variable(f), c: 1}, true
	case expr.Eq, expr.Lt:
		x, y := f.Args()[0], f.Args()[1]
		switch {
		case x.Op() == expr.Const:
		case y.Op() == expr.Const:
			return s.withConst(f.Op(), x, rank(y.Type(), y.Value()))
		case f.Op() == expr.Eq:
			return atom{rel: eqVar, x: s.variable(x), y: s.variable(y)}, true
		default:
			return atom{rel: ltVar, x: s.variable(x), y: s.variable(y)}, true
		}
	}
	return atom{}, false
}

// withConst is x == c or x < c for a rank c.
func (s *Solver) withConst(op expr.Op, x *expr.Expr, c uint64) (atom, bool) {
	switch {
	case op == expr.Eq:
		return atom{rel: eqConst, x: s.variable(x), c: c}, true
	case c == 0:
		return atom{rel: never}, true
	}
	return atom{rel: leConst, x: s.variable(x), c: c - 1}, true
}

// variable is the number of v, a variable or a term taken for one.
func (s *Solver) variable(v *expr.Expr) int32 {
	id := v.ID()
	if id >= len(s.number) {
		s.number = append(s.number, make([]int32, id+1-len(s.number))...)
	}
	if s.number[id] == 0 {
		s.types = append(s.types, v.Type())
		s.query = append(s.query, 0)
		s.local = append(s.local, 0)
		s.number[id] = int32(len(s.types))
	}
	return s.number[id] - 1
}
