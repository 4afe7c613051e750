package bitblast

// Numbers of two words, of 80 bits and of 128: circuits of the operators.
//
// Idea: both words of quad are one of 128 bits. A number of the x87 is brought into the ordinary format of as many
// bits of exponent and precision, which has the same numbers in 79 bits: the leading bit of the significand is
// dropped, and what is no number of IEEE 754 becomes a NaN. The circuits of floating point do the rest, for words of
// any width; the leading bit of their result is whether the exponent is not 0. Both words of a result are parts of
// one circuit.
//
// Cost: that of the operators for 64 and 113 bits of precision.

import (
	"fmt"

	"magus/smt/expr"
	"magus/smt/sat"
	"magus/smt/softfloat"
)

// operation identifies a circuit that both words of a number are cut from.
type operation struct {
	op   expr.Op
	args [7]*expr.Expr
}

// ordinary is a number as a value of the ordinary format.
func (n *netlist) ordinary(x softfloat.Explicit, high, low word) word {
	e, p := int(x.Exp), int(x.Prec)
	leading, biased := low[p-1], high[:e]
	none := n.none(biased)
	wrong := n.and(none.Not(), leading.Not())
	r := make(word, 0, e+p)
	r = append(r, n.or(low[0], wrong)) // some bit of the fraction of a NaN
	r = append(r, low[1:p-1]...)
	for i, l := range biased {
		if i == 0 {
			l = n.or(l, n.and(none, leading)) // a pseudo-denormal
		}
		r = append(r, n.or(l, wrong))
	}
	return append(r, high[e])
}

// explicit are the words of a value of the ordinary format.
func (n *netlist) explicit(x softfloat.Explicit, a word) (high, low word) {
	p := int(x.Prec)
	biased := a[p-1 : len(a)-1]
	low = append(append(word{}, a[:p-1]...), n.any(biased))
	return extend(append(append(word{}, biased...), a[len(a)-1]), 16, false), extend(low, 64, false)
}

// isQuad reports whether an operator takes numbers of 128 bits.
func isQuad(e *expr.Expr) bool {
	for _, a := range e.Args() {
		if a.Type() != expr.Mode {
			return a.Type() == expr.Int64 && e.Op() != expr.XFromInt
		}
	}
	return false
}

// numbersOf is the ordinary format of the numbers that an operator takes.
func numbersOf(e *expr.Expr) softfloat.Format {
	if isQuad(e) {
		return softfloat.Quad.Numbers()
	}
	return softfloat.Extended.Numbers()
}

// extendedTerm is the circuit of an operator of numbers of two words.
func (b *blaster) extendedTerm(e *expr.Expr) word {
	switch e.Op() {
	case expr.XEq, expr.XLt, expr.XLe, expr.XToF, expr.XToInt:
		return b.fromExtended(e)
	}
	k := operation{op: e.Op()}
	copy(k.args[:], e.Args())
	both, ok := b.operations[k]
	if !ok {
		both = b.wordsOf(b.toExtended(e), isQuad(e) != (e.Op() == expr.XCast))
		b.operations[k] = both
	}
	if e.Type() == expr.Uint64 {
		return both[1]
	}
	return both[0]
}

// wordsOf are the words of a value of the ordinary format, the high one first.
func (b *blaster) wordsOf(a word, isQuad bool) [2]word {
	if isQuad {
		return [2]word{a[64:], a[:64]}
	}
	high, low := b.explicit(softfloat.Extended, a)
	return [2]word{high, low}
}

// operands are the rounding mode and the operands of an operator, in the ordinary format.
func (b *blaster) operands(e *expr.Expr) (mode softfloat.Mode, in []word) {
	args := e.Args()
	if args[0].Type() == expr.Mode {
		mode, args = softfloat.Mode(args[0].Value()), args[1:]
	}
	for i := 0; i < len(args); i += 2 {
		high, low := b.term(args[i]), b.term(args[i+1])
		if isQuad(e) {
			in = append(in, filled(low, high))
			continue
		}
		in = append(in, b.ordinary(softfloat.Extended, high, low))
	}
	return mode, in
}

// fromExtended is a comparison, or a conversion to another type.
func (b *blaster) fromExtended(e *expr.Expr) word {
	f := numbersOf(e)
	mode, in := b.operands(e)
	switch e.Op() {
	case expr.XEq:
		return word{b.sameNumber(f, in[0], in[1])}
	case expr.XLt:
		return word{b.below(f, in[0], in[1])}
	case expr.XLe:
		return word{b.atMost(f, in[0], in[1])}
	case expr.XToF:
		return b.convert(f, e.Type().Format(), mode, in[0])
	}
	return b.toInt(f, mode, in[0], e.Type())
}

// toExtended is a result in the ordinary format.
func (b *blaster) toExtended(e *expr.Expr) word {
	x, quad := softfloat.Extended.Numbers(), softfloat.Quad.Numbers()
	switch a := e.Args()[0]; e.Op() {
	case expr.XFrom:
		return b.convert(a.Type().Format(), x, softfloat.NearestEven, b.term(a))
	case expr.XFromInt:
		return b.fromInt(x, softfloat.NearestEven, b.term(a), a.Type().Signed)
	}
	f := numbersOf(e)
	mode, in := b.operands(e)
	switch e.Op() {
	case expr.XAdd:
		return b.sum(f, mode, in[0], in[1])
	case expr.XMul:
		return b.product(f, mode, in[0], in[1])
	case expr.XDiv:
		return b.ratio(f, mode, in[0], in[1])
	case expr.XFma:
		return b.fma(f, mode, in[0], in[1], in[2])
	case expr.XSqrt:
		return b.sqrt(f, mode, in[0])
	case expr.XRound:
		return b.roundToIntegral(f, mode, in[0])
	case expr.XCast:
		if f == quad {
			return b.convert(quad, x, mode, in[0])
		}
		return b.convert(x, quad, mode, in[0])
	}
	panic(fmt.Sprintf("bitblast: operator %d", e.Op()))
}

// The values of a format, of any width, as words.

func filled(parts ...word) word {
	var r word
	for _, p := range parts {
		r = append(r, p...)
	}
	return r
}

func repeated(l sat.Lit, width int) word {
	w := make(word, width)
	for i := range w {
		w[i] = l
	}
	return w
}

// infinity is the magnitude of the infinities, without the sign.
func infinity(f softfloat.Format) word {
	return filled(repeated(litFalse, int(f.Prec)-1), repeated(litTrue, int(f.Exp)))
}

// greatest is the magnitude of the greatest number.
func greatest(f softfloat.Format) word {
	return filled(repeated(litTrue, int(f.Prec)-1), word{litFalse}, repeated(litTrue, int(f.Exp)-1))
}

// notANumber is the NaN that is produced.
func notANumber(f softfloat.Format) word {
	return filled(repeated(litFalse, int(f.Prec)-2), repeated(litTrue, int(f.Exp)+1), word{litFalse})
}

// one is the magnitude of 1.
func one(f softfloat.Format) word {
	return filled(repeated(litFalse, int(f.Prec)-1), repeated(litTrue, int(f.Exp)-1), word{litFalse})
}
