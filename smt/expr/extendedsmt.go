package expr

// Numbers of two words in SMT-LIB 2's theory FloatingPoint.
//
// Idea: quad is the theory's (_ FloatingPoint 15 113), of which a term here has one half. So what an operator gives is
// a symbol with all bits, of which the term is a part. The numbers of the x87 are those of (_ FloatingPoint 15 64),
// whose bits have no leading one: it is left out of operands and put back into results. A pattern of 80 bits that is
// no number of IEEE 754 is a NaN, but that of a subnormal number with a leading one, which is the number that the
// exponent 1 says (package softfloat).
//
// Cost: each word of a result has a symbol and an operation of its own; solvers share them.

import (
	"fmt"
	"math/big"
)

// isWord reports whether a term is one word of what an operator on numbers of two words gives.
func (e *Expr) isWord() bool {
	switch e.op {
	case XAdd, XMul, XDiv, XFma, XSqrt, XRound, XFrom, XFromInt, XCast:
		return true
	}
	return false
}

// whole is the type of the number that a word is of.
func (e *Expr) whole() Type {
	switch e.op {
	case XFrom, XFromInt:
		return Float80
	case XCast:
		if numberOf(e.args[1].typ) == Float80 {
			return Float128
		}
		return Float80
	}
	return numberOf(e.args[1].typ)
}

// smtBits are the bits of a type of numbers in the theory: its exponent's, its significand's, and all.
func smtBits(t Type) (exponent, significand, all int) {
	if t == Float128 {
		return 15, 113, 128
	}
	return 15, 64, 79
}

// SMTSymbolSort is the sort of the symbol of a term that [Defined] has.
func (e *Expr) SMTSymbolSort() string {
	if !e.isWord() {
		return e.typ.SMTSort()
	}
	_, _, all := smtBits(e.whole())
	return fmt.Sprintf("(_ BitVec %d)", all)
}

// word writes a word of a number whose bits a symbol has.
func (w *smtWriter) word(e *Expr) {
	s, high := w.name(e), e.typ != Uint64
	switch quad := e.whole() == Float128; {
	case quad && high:
		fmt.Fprintf(&w.b, "((_ extract 127 64) %s)", s)
	case quad:
		fmt.Fprintf(&w.b, "((_ extract 63 0) %s)", s)
	case high:
		fmt.Fprintf(&w.b, "((_ extract 78 63) %s)", s)
	default:
		fmt.Fprintf(&w.b, "(concat (ite (= ((_ extract 77 63) %s) (_ bv0 15)) #b0 #b1) ((_ extract 62 0) %s))", s, s)
	}
}

// pair writes a number by its words.
func (w *smtWriter) pair(high, low *Expr) {
	if numberOf(high.typ) == Float128 {
		w.b.WriteString("((_ to_fp 15 113) (concat ")
		w.write(high)
		w.b.WriteByte(' ')
		w.write(low)
		w.b.WriteString("))")
		return
	}
	w.b.WriteString("(let ((?h ")
	w.write(high)
	w.b.WriteString(") (?l ")
	w.write(low)
	w.b.WriteString(")) (let ((?e ((_ extract 14 0) ?h)) (?j ((_ extract 63 63) ?l))) " +
		"(ite (and (not (= ?e (_ bv0 15))) (= ?j #b0)) (_ NaN 15 64) ((_ to_fp 15 64) (concat ((_ extract 15 15) ?h) " +
		"(ite (and (= ?e (_ bv0 15)) (= ?j #b1)) (_ bv1 15) ?e) ((_ extract 62 0) ?l))))))")
}

var smtExtended = map[Op]string{XAdd: "fp.add", XMul: "fp.mul", XDiv: "fp.div", XFma: "fp.fma", XSqrt: "fp.sqrt",
	XRound: "fp.roundToIntegral", XEq: "fp.eq", XLt: "fp.lt", XLe: "fp.leq"}

// wordDefinition is [Expr.SMTDefinition] of a word.
func (e *Expr) wordDefinition(w *smtWriter, name string) {
	exponent, significand, all := smtBits(e.whole())
	nan := format(e.whole()).NaN()
	bits := new(big.Int).SetUint64(nan.High)
	if e.whole() == Float128 {
		bits.Lsh(bits, 64).Or(bits, new(big.Int).SetUint64(nan.Low))
	} else {
		bits.Lsh(bits, 63).Or(bits, new(big.Int).SetUint64(nan.Low<<1>>1))
	}
	fmt.Fprintf(&w.b, "(let ((?n ((_ to_fp %d %d) %s))) (and (= ?n ", exponent, significand, name)
	w.extendedOperation(e)
	fmt.Fprintf(&w.b, ") (=> (fp.isNaN ?n) (= %s (_ bv%v %d)))))", name, bits, all)
}

// extendedOperation writes what an operator on numbers of two words gives, as a number or a truth.
func (w *smtWriter) extendedOperation(e *Expr) {
	switch e.op {
	case XFrom:
		w.b.WriteString("((_ to_fp 15 64) RNE ")
		w.number(e.args[0])
	case XFromInt:
		word := "to_fp"
		if !e.args[0].typ.Signed {
			word = "to_fp_unsigned"
		}
		w.b.WriteString("((_ " + word + " 15 64) RNE ")
		w.write(e.args[0])
	case XCast, XToF:
		exponent, significand := int(e.typ.Exp), int(e.typ.Width-e.typ.Exp)
		if e.op == XCast {
			exponent, significand, _ = smtBits(e.whole())
		}
		fmt.Fprintf(&w.b, "((_ to_fp %d %d) %v ", exponent, significand, rounding(e.args[0]))
		w.pair(e.args[1], e.args[2])
	default:
		w.b.WriteString("(" + smtExtended[e.op])
		for i := 0; i < len(e.args); i++ {
			w.b.WriteByte(' ')
			if a := e.args[i]; a.typ == Mode {
				w.b.WriteString(rounding(a).String())
				continue
			}
			w.pair(e.args[i], e.args[i+1])
			i++
		}
	}
	w.b.WriteByte(')')
}

// extendedToInt writes a conversion, which is 0 out of range.
func (w *smtWriter) extendedToInt(e *Expr) {
	t, word := numberOf(e.args[1].typ), "fp.to_ubv"
	if e.typ.Signed {
		word = "fp.to_sbv"
	}
	least, most := format(t).IntRange(rounding(e.args[0]), intType(e.typ))
	written := func(high, low *Expr) string {
		in := smtWriter{name: w.name, bound: w.bound}
		in.pair(high, low)
		return in.b.String()
	}
	highType, lowType := WordTypes(t)
	constant := func(p [2]uint64) string {
		return written(&Expr{op: Const, typ: highType, val: p[0]}, &Expr{op: Const, typ: lowType, val: p[1]})
	}
	fmt.Fprintf(&w.b, "(let ((?x %s)) (ite (and (fp.leq %s ?x) (fp.leq ?x %s)) ((_ %s %d) %v ?x) %s))",
		written(e.args[1], e.args[2]), constant([2]uint64{least.High, least.Low}),
		constant([2]uint64{most.High, most.Low}), word, e.typ.Width, rounding(e.args[0]), bitVector(e.typ, 0))
}
