package bitblast

// Polynomials: equations of sums and products.
//
// Idea: a term of additions and multiplications modulo 2^w is a polynomial over the terms below, its
// atoms, with coefficients modulo 2^w. Written out as a sum of monomials it is the same for a·(b + c)
// and a·b + a·c, so that many equations over products, which are the hardest for a search, are
// decided by the difference of the two sides: it is 0, or a constant other than 0, or even but for an
// odd constant. What both sides have in common is taken off before the rest becomes a circuit. A
// remainder is a - (a / b)·b, which holds by SMT-LIB's division by zero too; a cast that cuts bits
// off goes into the sum; a widened word is an atom.
//
// Source: normal forms as in the arithmetic rewriters of SMT solvers (Brummayer, Biere: Boolector,
// TACAS 2009; Ganesh, Dill: STP, CAV 2007). Deviation: products are written out for these comparisons
// only, circuits keep their form where nothing cancels. Cost: at most maxMonomials² steps a term and
// width; what would have more is an atom.

import (
	"math/bits"
	"slices"
	"strings"

	"magus/smt/expr"
)

const maxMonomials = 24

// A monomial is a coefficient times atoms, of which the numbers are sorted, repeated ones as often as they occur.
type monomial struct {
	atoms string // four bytes each; "" for the constant
	coeff uint64
}

// A polynomial is a sum of monomials sorted by length and atoms, none with a coefficient of 0.
type polynomial []monomial

// read is a term read modulo 2^width, which is at most its own width.
type read struct {
	e     *expr.Expr
	width uint8
}

// A ring has the polynomials of terms.
type ring struct {
	pool  *expr.Pool
	known map[read]polynomial
	atoms map[string]*expr.Expr // by their four bytes
	hard  map[*expr.Expr]bool   // of terms that were asked about, whether they are nonlinear
}

func newRing(p *expr.Pool) *ring {
	return &ring{p, map[read]polynomial{}, map[string]*expr.Expr{}, map[*expr.Expr]bool{}}
}

func compareMonomials(a, b monomial) int {
	if len(a.atoms) != len(b.atoms) {
		return len(a.atoms) - len(b.atoms)
	}
	return strings.Compare(a.atoms, b.atoms)
}

func mask(width uint8) uint64 { return ^uint64(0) >> (64 - width) }

// gather sorts monomials and adds those with the same atoms up.
func gather(p polynomial, width uint8) polynomial {
	slices.SortFunc(p, compareMonomials)
	out := p[:0]
	for _, m := range p {
		if n := len(out); n > 0 && out[n-1].atoms == m.atoms {
			out[n-1].coeff += m.coeff
		} else {
			out = append(out, m)
		}
	}
	for i := range out {
		out[i].coeff &= mask(width)
	}
	return slices.DeleteFunc(out, func(m monomial) bool { return m.coeff == 0 })
}

// plus is p + k·q.
func (p polynomial) plus(k uint64, q polynomial, width uint8) polynomial {
	r := slices.Clone(p)
	for _, m := range q {
		r = append(r, monomial{m.atoms, k * m.coeff})
	}
	return gather(r, width)
}

func (p polynomial) times(q polynomial, width uint8) polynomial {
	r := make(polynomial, 0, len(p)*len(q))
	for _, a := range p {
		for _, b := range q {
			r = append(r, monomial{mergeAtoms(a.atoms, b.atoms), a.coeff * b.coeff})
		}
	}
	return gather(r, width)
}

// mergeAtoms are the atoms of both, sorted.
func mergeAtoms(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	var out strings.Builder
	for len(a) > 0 && len(b) > 0 {
		if a[:4] <= b[:4] {
			out.WriteString(a[:4])
			a = a[4:]
		} else {
			out.WriteString(b[:4])
			b = b[4:]
		}
	}
	return out.String() + a + b
}

// constant is the value of a polynomial that is one.
func (p polynomial) constant() (uint64, bool) {
	switch {
	case len(p) == 0:
		return 0, true
	case len(p) == 1 && p[0].atoms == "":
		return p[0].coeff, true
	}
	return 0, false
}

// nowhereZero reports whether p is seen to have no zero: a lower bit of its constant than of all
// other coefficients is set.
func (p polynomial) nowhereZero() bool {
	if len(p) == 0 || p[0].atoms != "" {
		return false
	}
	bit := bits.TrailingZeros64(p[0].coeff)
	return !slices.ContainsFunc(p[1:], func(m monomial) bool { return bits.TrailingZeros64(m.coeff) <= bit })
}

// arithmetic reports whether a term's polynomial is more than an atom.
func arithmetic(e *expr.Expr) bool {
	switch e.Op() {
	case expr.Const, expr.Add, expr.Sub, expr.Neg, expr.Mul, expr.Compl, expr.Rem:
		return true
	case expr.Cast:
		return e.Args()[0].Type().Width >= e.Type().Width && arithmetic(e.Args()[0])
	case expr.Shl:
		return e.Args()[1].IsConst()
	}
	return false
}

// of is the polynomial of e modulo 2^width.
func (r *ring) of(e *expr.Expr, width uint8) polynomial {
	k := read{e, width}
	p, known := r.known[k]
	if !known {
		if p = r.build(e, width); len(p) > maxMonomials {
			p = r.atom(e)
		}
		r.known[k] = p
	}
	return p
}

func (r *ring) build(e *expr.Expr, width uint8) polynomial {
	args := e.Args()
	sub := func(i int) polynomial { return r.of(args[i], width) }
	switch e.Op() {
	case expr.Const:
		return gather(polynomial{{"", e.Value()}}, width)
	case expr.Add:
		return sub(0).plus(1, sub(1), width)
	case expr.Sub:
		return sub(0).plus(^uint64(0), sub(1), width)
	case expr.Neg:
		return polynomial(nil).plus(^uint64(0), sub(0), width)
	case expr.Compl:
		return polynomial{{"", mask(width)}}.plus(^uint64(0), sub(0), width)
	case expr.Mul:
		return sub(0).times(sub(1), width)
	case expr.Rem:
		return sub(0).plus(^uint64(0), r.of(r.pool.Div(args[0], args[1]), width).times(sub(1), width), width)
	case expr.Shl:
		if k := args[1]; k.IsConst() && k.Value() < uint64(width) {
			return polynomial(nil).plus(1<<k.Value(), sub(0), width)
		}
	case expr.Cast:
		if args[0].Type().Width >= width {
			return sub(0)
		}
		return r.atom(args[0]) // widened by its own signedness, whatever the cast's type
	}
	return r.atom(e)
}

func (r *ring) atom(e *expr.Expr) polynomial {
	id := uint32(e.ID())
	name := string([]byte{byte(id >> 24), byte(id >> 16), byte(id >> 8), byte(id)})
	r.atoms[name] = e
	return polynomial{{name, 1}}
}
