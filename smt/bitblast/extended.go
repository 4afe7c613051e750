package bitblast

// Numbers of 80 bits: circuits of the operators.
//
// Idea: a number of the x87 is brought into the ordinary format of as many bits of exponent and precision, which
// has the same numbers in 79 bits: the leading bit of the significand is dropped, and what is no number of IEEE
// 754 becomes a NaN. The circuits of floating point do the rest, for words of any width; the leading bit of
// their result is whether the exponent is not 0. Both words of a result are parts of one circuit.
//
// Cost: that of the operators for 64 bits of precision.

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

// extendedTerm is the circuit of an operator of 80 bits.
func (b *blaster) extendedTerm(e *expr.Expr) word {
	switch e.Op() {
	case expr.XEq, expr.XLt, expr.XLe, expr.XToF, expr.XToInt:
		return b.fromExtended(e)
	}
	k := operation{op: e.Op()}
	copy(k.args[:], e.Args())
	both, ok := b.operations[k]
	if !ok {
		both[0], both[1] = b.explicit(softfloat.Extended, b.toExtended(e))
		b.operations[k] = both
	}
	if e.Type() == expr.Uint16 {
		return both[0]
	}
	return both[1]
}

// operands are the rounding mode and the operands of an operator, in the ordinary format.
func (b *blaster) operands(e *expr.Expr) (mode softfloat.Mode, in []word) {
	args := e.Args()
	if args[0].Type() == expr.Mode {
		mode, args = softfloat.Mode(args[0].Value()), args[1:]
	}
	for i := 0; i < len(args); i += 2 {
		in = append(in, b.ordinary(softfloat.Extended, b.term(args[i]), b.term(args[i+1])))
	}
	return mode, in
}

// fromExtended is a comparison, or a conversion to another type.
func (b *blaster) fromExtended(e *expr.Expr) word {
	f := softfloat.Extended.Numbers()
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
	f := softfloat.Extended.Numbers()
	switch a := e.Args()[0]; e.Op() {
	case expr.XFrom:
		return b.convert(a.Type().Format(), f, softfloat.NearestEven, b.term(a))
	case expr.XFromInt:
		return b.fromInt(f, softfloat.NearestEven, b.term(a), a.Type().Signed)
	}
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
