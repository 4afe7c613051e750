package bitblast

// Terms: the circuit of each term, built once, operands first.

import (
	"fmt"

	"magus/smt/expr"
	"magus/smt/sat"
)

// A blaster maps terms to circuits.
type blaster struct {
	*netlist
	index []int32 // by term ID: place in words, 0 if not built
	words []word  // a condition is a word of one bit; the first is no word
	quots map[quotient][2]word

	operations map[operation][2]word

	equations   map[equation]sat.Lit
	differences map[[2]*expr.Expr]word
	bounds      map[bound]sat.Lit
	ring        *ring

	steps int // of remainders of floating point, whose circuit is built at once
	lazy  []*lazyRemainder
}

// quotient identifies a division circuit, shared by / and %.
type quotient struct{ a, b *expr.Expr }

func newBlaster(p *expr.Pool) *blaster {
	return &blaster{netlist: newNetlist(), words: make([]word, 1), quots: map[quotient][2]word{},
		operations: map[operation][2]word{}, equations: map[equation]sat.Lit{},
		differences: map[[2]*expr.Expr]word{}, bounds: map[bound]sat.Lit{}, ring: newRing(p), steps: fewSteps}
}

// lit is the literal of a condition.
func (b *blaster) lit(f *expr.Expr) sat.Lit { return b.term(f)[0] }

// built is e's circuit if it has one.
func (b *blaster) built(e *expr.Expr) word {
	if id := e.ID(); id < len(b.index) {
		return b.words[b.index[id]]
	}
	return nil
}

func (b *blaster) term(e *expr.Expr) word {
	if w := b.built(e); w != nil {
		return w
	}
	w := b.build(e)
	b.define(e, w)
	return w
}

// define makes a word the circuit of a term.
func (b *blaster) define(e *expr.Expr, w word) {
	if n := e.ID() + 1 - len(b.index); n > 0 {
		b.index = append(b.index, make([]int32, n)...)
	}
	b.index[e.ID()] = int32(len(b.words))
	b.words = append(b.words, w)
}

// variable is a word whose bits from width on are 0.
func (b *blaster) variable(v *expr.Expr, width int) word {
	w := make(word, max(1, v.Type().Width))
	for i := range w {
		if w[i] = litFalse; i < width {
			w[i] = b.fresh()
		}
	}
	return w
}

func (b *blaster) build(e *expr.Expr) word {
	switch {
	case e.Op().IsFloat():
		return b.floatTerm(e)
	case e.Op().IsExtended():
		return b.extendedTerm(e)
	}
	width := max(1, int(e.Type().Width))
	args := e.Args()
	switch e.Op() {
	case expr.Const:
		return constWord(width, e.Value())
	case expr.Var:
		return b.variable(e, width)
	case expr.Not, expr.Compl:
		return invert(b.term(args[0]))
	case expr.Neg:
		return b.neg(b.term(args[0]))
	case expr.Cast:
		return extend(b.term(args[0]), width, args[0].Type().Signed)
	case expr.Ite:
		return b.muxWord(b.lit(args[0]), b.term(args[1]), b.term(args[2]))
	case expr.Land, expr.Lor:
		return word{b.junction(e)}
	case expr.Eq:
		if width := args[0].Type().Width; width > 1 {
			return word{b.equation(args[0], args[1])}
		}
	case expr.Lt:
		return word{b.comparison(args[0], args[1])}
	}
	return b.binary(e, b.term(args[0]), b.term(args[1]))
}

func (b *blaster) junction(e *expr.Expr) sat.Lit {
	flip := sat.Lit(0)
	if e.Op() == expr.Lor {
		flip = 1
	}
	in := make([]sat.Lit, len(e.Args()))
	for i, a := range e.Args() {
		in[i] = b.lit(a) ^ flip
	}
	return b.andAll(in) ^ flip
}

func extend(a word, width int, signed bool) word {
	w := make(word, width)
	for i := range w {
		switch {
		case i < len(a):
			w[i] = a[i]
		case signed:
			w[i] = a[len(a)-1]
		default:
			w[i] = litFalse
		}
	}
	return w
}

// binary builds the operators of two operands x and y.
func (b *blaster) binary(e *expr.Expr, x, y word) word {
	signed := e.Args()[0].Type().Signed
	switch e.Op() {
	case expr.Add:
		return b.add(x, y, litFalse)
	case expr.Sub:
		return b.add(x, invert(y), litTrue)
	case expr.Mul:
		return b.mul(x, y)
	case expr.Div:
		return b.division(e, x, y)[0]
	case expr.Rem:
		return b.division(e, x, y)[1]
	case expr.And, expr.Or, expr.Xor:
		return b.bitwise(e.Op(), x, y)
	case expr.Shl:
		return b.shift(x, y, true, litFalse)
	case expr.Shr:
		fill := litFalse
		if signed {
			fill = x[len(x)-1]
		}
		return b.shift(x, y, false, fill)
	case expr.Eq:
		return word{b.equal(x, y)}
	}
	panic(fmt.Sprintf("bitblast: operator %d", e.Op()))
}

func (b *blaster) division(e *expr.Expr, x, y word) [2]word {
	k := quotient{e.Args()[0], e.Args()[1]}
	qr, ok := b.quots[k]
	if !ok {
		qr[0], qr[1] = b.divide(x, y, e.Type().Signed)
		b.quots[k] = qr
	}
	return qr
}

func (b *blaster) bitwise(op expr.Op, x, y word) word {
	r := make(word, len(x))
	for i := range x {
		switch op {
		case expr.And:
			r[i] = b.and(x[i], y[i])
		case expr.Or:
			r[i] = b.or(x[i], y[i])
		default:
			r[i] = b.xor(x[i], y[i])
		}
	}
	return r
}
