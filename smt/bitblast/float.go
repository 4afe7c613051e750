package bitblast

// Floating point: circuits of the operators.
//
// Idea: a value is its bits. An operation takes its operands apart (class, sign,
// exponent, significand), computes a significand that is exact but for a last bit
// that says whether something below was lost, and rounds it. Rounding, in
// floatround.go, is shared. Exponents are words to which a constant is added that
// costs no gate, with bounds, so that what cannot overflow or underflow has no
// circuit for it. A comparison is one comparison of words. Rounding modes are
// constants; flags are not computed.
//
// Source: Brain, Schanda, Sun, "Building Better Bit-Blasting for Floating-Point
// Problems" (TACAS 2019), for the division into unpacking, operation and rounding.
// Deviations: results are packed after each operation, subnormal operands are
// normalised only where an operation needs it (not for sums and conversions to
// integers), and the rounding increment runs through the packed exponent, so that
// neither a carry nor the step from subnormal to normal is a case. Cost in gates for
// a precision p: 20p + 4p log p for sums, 4p² for products, 5p² for quotients and
// roots, 9p² for fma, 5p·2^e for remainders of e bits of exponent.

import (
	"encoding/binary"
	"fmt"

	"magus/smt/expr"
	"magus/smt/sat"
	"magus/smt/softfloat"
)

// A float is a value taken apart. If it is finite, it is sig · 2^exp where sig is read
// as a number below 2 whose last place before the point is its highest bit.
type float struct {
	nan, inf, zero, neg sat.Lit
	exp                 exponent
	sig                 word
}

// unpack takes a value apart. The significand of a subnormal number begins with 0.
func (n *netlist) unpack(f softfloat.Format, a word) float {
	p, last := int(f.Prec), len(a)-1
	fraction, biased := a[:p-1], a[p-1:last]
	least, most := n.none(biased), n.all(biased)
	fractionZero := n.none(fraction)
	raw := append(word{n.or(biased[0], least)}, biased[1:]...) // the exponent of subnormal numbers is that of 1
	return float{
		nan:  n.and(most, fractionZero.Not()),
		inf:  n.and(most, fractionZero),
		zero: n.and(least, fractionZero),
		neg:  a[last],
		exp:  exponent{append(raw, litFalse), -f.Bias(), 1 - f.Bias(), f.Bias()},
		sig:  append(append(word{}, fraction...), least.Not()),
	}
}

// normalised has a significand of a value other than 0 begin with 1.
func (n *netlist) normalised(x float) float {
	var zeros word
	x.sig, zeros = n.normalise(x.sig)
	x.exp = n.minus(x.exp, exponent{append(zeros, litFalse), 0, 0, len(x.sig) - 1})
	return x
}

func (n *netlist) all(a word) sat.Lit { return n.andAll(append(word{}, a...)) }

func (n *netlist) none(a word) sat.Lit { return n.andAll(invert(a)) }

func (n *netlist) any(a word) sat.Lit { return n.none(a).Not() }

// choose is the NaN that is produced, an infinity, or what else the result is.
func (n *netlist) choose(f softfloat.Format, nan, inf, neg sat.Lit, finite word) word {
	return n.muxWord(nan, notANumber(f), n.muxWord(inf, append(infinity(f), neg), finite))
}

// isNaN is whether a word is no number.
func (n *netlist) isNaN(f softfloat.Format, a word) sat.Lit {
	p, last := int(f.Prec), len(a)-1
	return n.and(n.all(a[p-1:last]), n.any(a[:p-1]))
}

// floatTerm is the circuit of a floating-point operator.
func (b *blaster) floatTerm(e *expr.Expr) word {
	args, mode := e.Args(), softfloat.NearestEven
	if args[0].Type() == expr.Mode {
		mode, args = softfloat.Mode(args[0].Value()), args[1:]
	}
	in := make([]word, len(args))
	for i, a := range args {
		in[i] = b.term(a)
	}
	from := args[0].Type()
	f := from.Format()
	switch e.Op() {
	case expr.FBits, expr.FFrom:
		return in[0]
	case expr.IntToF:
		return b.fromInt(e.Type().Format(), mode, in[0], from.Signed)
	case expr.FToInt:
		return b.toInt(f, mode, in[0], e.Type())
	case expr.FCast:
		return b.convert(f, e.Type().Format(), mode, in[0])
	case expr.FRound:
		return b.roundToIntegral(f, mode, in[0])
	case expr.FSqrt:
		return b.sqrt(f, mode, in[0])
	case expr.FNeg, expr.FAbs:
		r := append(word{}, in[0]...)
		if last := len(r) - 1; e.Op() == expr.FAbs {
			r[last] = litFalse
		} else {
			r[last] = r[last].Not()
		}
		return r
	case expr.FFma:
		return b.fma(f, mode, in[0], in[1], in[2])
	}
	return b.floatBinary(e.Op(), f, mode, in[0], in[1])
}

func (b *blaster) floatBinary(op expr.Op, f softfloat.Format, mode softfloat.Mode, x, y word) word {
	switch op {
	case expr.FAdd:
		return b.sum(f, mode, x, y)
	case expr.FMul:
		return b.product(f, mode, x, y)
	case expr.FDiv:
		return b.ratio(f, mode, x, y)
	case expr.FRem, expr.FMod:
		return b.remainderTerm(f, x, y, op == expr.FRem)
	case expr.FEq:
		return word{b.sameNumber(f, x, y)}
	case expr.FLt:
		return word{b.below(f, x, y)}
	case expr.FLe:
		return word{b.atMost(f, x, y)}
	}
	panic(fmt.Sprintf("bitblast: operator %d", op))
}

// numbers is whether neither is a NaN, and zeros whether both are 0.
func (n *netlist) numbers(f softfloat.Format, a, b word) (numbers, zeros sat.Lit) {
	last := len(a) - 1
	zeros = n.and(n.none(a[:last]), n.none(b[:last]))
	return n.and(n.isNaN(f, a).Not(), n.isNaN(f, b).Not()), zeros
}

// sameNumber is a == b.
func (n *netlist) sameNumber(f softfloat.Format, a, b word) sat.Lit {
	numbers, zeros := n.numbers(f, a, b)
	return n.and(numbers, n.or(zeros, n.equal(a, b)))
}

// ordered is a word whose order, signed, is that of the numbers, but that -0 is
// below +0.
func (n *netlist) ordered(a word) word {
	last := len(a) - 1
	r := make(word, len(a))
	for i := range last {
		r[i] = n.xor(a[i], a[last])
	}
	r[last] = a[last]
	return r
}

// below is a < b.
func (n *netlist) below(f softfloat.Format, a, b word) sat.Lit {
	numbers, zeros := n.numbers(f, a, b)
	return n.and(n.and(numbers, zeros.Not()), n.before(a, b))
}

// atMost is a <= b.
func (n *netlist) atMost(f softfloat.Format, a, b word) sat.Lit {
	numbers, zeros := n.numbers(f, a, b)
	return n.and(numbers, n.or(zeros, n.before(b, a).Not()))
}

// before is a < b in the order of words. Where b < a was asked for, it is neither that nor equality, so that of two
// numbers one is less, or they are equal, without a search in two chains of gates.
func (n *netlist) before(a, b word) sat.Lit {
	if lt, ok := n.orders[pairKey(b, a)]; ok {
		return n.and(lt.Not(), n.equal(a, b).Not())
	}
	key := pairKey(a, b)
	lt, ok := n.orders[key]
	if !ok {
		lt = n.less(n.ordered(a), n.ordered(b), true)
		n.orders[key] = lt
	}
	return lt
}

// pairKey identifies two words.
func pairKey(a, b word) string {
	key := make([]byte, 0, 4*(len(a)+len(b)))
	for _, w := range []word{a, b} {
		for _, l := range w {
			key = binary.LittleEndian.AppendUint32(key, uint32(l))
		}
	}
	return string(key)
}
