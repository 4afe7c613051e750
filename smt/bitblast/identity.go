package bitblast

// Equations by the polynomials of their sides. Idea, source and cost are in polynomial.go.

import (
	"magus/smt/expr"
	"magus/smt/sat"
)

// identity is the literal of x == y.
func (b *blaster) identity(x, y *expr.Expr) sat.Lit {
	width := x.Type().Width
	if !arithmetic(x) && !arithmetic(y) || x.IsConst() && !arithmetic(y) || y.IsConst() && !arithmetic(x) {
		return b.equal(b.term(x), b.term(y))
	}
	px, py := b.ring.of(x, width), b.ring.of(y, width)
	d := px.plus(^uint64(0), py, width)
	c, ok := d.constant()
	switch {
	case ok:
		return constant(c == 0)
	case d.nowhereZero():
		return litFalse
	case len(d) < len(px)+len(py) && price(d) < b.ring.price(x, y):
		left, right := b.sides(d, int(width))
		return b.equal(left, right)
	}
	return b.equal(b.term(x), b.term(y))
}

// sides are two words that are equal where d is 0: what is added in d, and what is taken off.
func (b *blaster) sides(d polynomial, width int) (plus, minus word) {
	plus, minus = constWord(width, 0), constWord(width, 0)
	for _, m := range d {
		side, k := &plus, m.coeff
		if k > mask(uint8(width))/2 {
			side, k = &minus, -k&mask(uint8(width))
		}
		product := constWord(width, k)
		for names := m.atoms; names != ""; names = names[4:] {
			product = b.mul(product, b.atom(names[:4], width))
		}
		*side = b.add(*side, product, litFalse)
	}
	return plus, minus
}

// atom is the word of an atom, cut or widened.
func (b *blaster) atom(name string, width int) word {
	e := b.ring.atoms[name]
	return extend(b.term(e), width, e.Type().Signed)
}

const (
	priceOfSum     = 1
	priceOfProduct = 8
)

// price tells what the circuit of a polynomial takes, in sums.
func price(p polynomial) int {
	n := 0
	for _, m := range p {
		n += priceOfSum + max(0, len(m.atoms)/4-1)*priceOfProduct
	}
	return n
}

// price is that of terms.
func (r *ring) price(terms ...*expr.Expr) int {
	n, seen := 0, map[*expr.Expr]bool{}
	for todo := terms; len(todo) > 0; {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[e] {
			continue
		}
		seen[e] = true
		switch {
		case !arithmetic(e) || e.Op() == expr.Rem:
			n += priceOfSum
			continue
		case e.Op() == expr.Mul && !e.Args()[1].IsConst():
			n += priceOfProduct
		}
		todo = append(todo, e.Args()...)
	}
	return n
}
