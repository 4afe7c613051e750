package expr

// Floating-point terms in SMT-LIB 2's theory FloatingPoint.
//
// Idea: here a floating-point value is its bits, there it is a number, and there is
// no function from numbers to bits. So a value is written as a bit-vector, and an
// operation with a floating-point result as a symbol of its own whose number is said
// to be that of the operation, and whose bits are those of the one NaN where it is no
// number ([Defined], [Expr.SMTDefinition]). Comparisons and conversions to
// integers are written in place.
//
// fmod is made of the remainder that the theory has: of |a| and |b|, the divisor added
// where this is negative, which is exact, with a's sign.

import (
	"fmt"
	"strings"
)

// Defined are the subterms of the given terms that SMT-LIB's text has symbols for,
// operands first. Their symbols are those that name gives them.
func Defined(es ...*Expr) []*Expr {
	var found []*Expr
	Walk(func(e *Expr) {
		if e.defined() {
			found = append(found, e)
		}
	}, es...)
	return found
}

// defined reports whether the text has a symbol for e.
func (e *Expr) defined() bool {
	switch e.op {
	case FNeg, FAbs, FFrom, FBits, FEq, FLt, FLe, FToInt:
		return false
	}
	return e.op.IsFloat() || e.isWord() || e.op == XToF
}

// SMTDefinition is the condition that says what the symbol of a defined subterm is.
func (e *Expr) SMTDefinition(name func(e *Expr) string) string {
	w := smtWriter{name: name, uses: map[*Expr]int{}, bound: map[*Expr]string{}}
	if e.isWord() {
		lets := w.let(e.args...)
		e.wordDefinition(&w, name(e))
		return w.b.String() + strings.Repeat(")", lets)
	}
	number, lets := toNumber(e.typ, name(e)), w.let(e.args...)
	w.b.WriteString("(and (= " + number + " ")
	w.operation(e)
	fmt.Fprintf(&w.b, ") (=> (fp.isNaN %s) (= %s %s)))", number, name(e), bitVector(e.typ, e.typ.Format().NaN()))
	w.b.WriteString(strings.Repeat(")", lets))
	return w.b.String()
}

func bitVector(t Type, v uint64) string { return fmt.Sprintf("(_ bv%d %d)", v, t.Width) }

// toNumber is the number with some bits.
func toNumber(t Type, bits string) string {
	return fmt.Sprintf("((_ to_fp %d %d) %s)", t.Exp, t.Width-t.Exp, bits)
}

// number writes a floating-point operand as a number.
func (w *smtWriter) number(e *Expr) {
	fmt.Fprintf(&w.b, "((_ to_fp %d %d) ", e.typ.Exp, e.typ.Width-e.typ.Exp)
	w.write(e)
	w.b.WriteByte(')')
}

var smtFloat = map[Op]string{
	FAdd: "fp.add", FMul: "fp.mul", FDiv: "fp.div", FFma: "fp.fma", FSqrt: "fp.sqrt", FRem: "fp.rem",
	FRound: "fp.roundToIntegral", FEq: "fp.eq", FLt: "fp.lt", FLe: "fp.leq",
}

// operation writes a defined subterm as a number.
func (w *smtWriter) operation(e *Expr) {
	switch e.op {
	case XToF:
		w.extendedOperation(e)
		return
	case FMod:
		w.fmod(e)
		return
	case FCast, IntToF:
		word := "to_fp"
		if from := e.args[1].typ; !from.IsFloat() && !from.Signed {
			word = "to_fp_unsigned"
		}
		fmt.Fprintf(&w.b, "((_ %s %d %d) %v ", word, e.typ.Exp, e.typ.Width-e.typ.Exp, rounding(e.args[0]))
		if e.op == FCast {
			w.number(e.args[1])
		} else {
			w.write(e.args[1])
		}
		w.b.WriteByte(')')
		return
	}
	w.apply(e)
}

// apply writes an operator of the theory with its operands.
func (w *smtWriter) apply(e *Expr) {
	w.b.WriteString("(" + smtFloat[e.op])
	for _, a := range e.args {
		w.b.WriteByte(' ')
		if a.typ == Mode {
			w.b.WriteString(rounding(a).String())
		} else {
			w.number(a)
		}
	}
	w.b.WriteByte(')')
}

func (w *smtWriter) fmod(e *Expr) {
	abs := func(x *Expr) string {
		in := smtWriter{name: w.name, bound: w.bound}
		in.number(x)
		return "(fp.abs " + in.b.String() + ")"
	}
	a, b := abs(e.args[0]), abs(e.args[1])
	rem := "(fp.rem " + a + " " + b + ")"
	bits := smtWriter{name: w.name, bound: w.bound}
	bits.write(e.args[0])
	magnitude := fmt.Sprintf("(ite (fp.isNegative %s) (fp.add RNE %s %s) %s)", rem, rem, b, rem)
	sign := fmt.Sprintf("(= ((_ extract %d %d) %s) #b1)", e.typ.Width-1, e.typ.Width-1, bits.b.String())
	fmt.Fprintf(&w.b, "(ite %s (fp.neg %s) %s)", sign, magnitude, magnitude)
}

// float writes a floating-point operator that has no symbol.
func (w *smtWriter) float(e *Expr) {
	switch e.op {
	case FBits, FFrom:
		w.write(e.args[0])
	case FNeg, FAbs:
		word, mask := "bvxor", e.typ.Format().SignBit()
		if e.op == FAbs {
			word, mask = "bvand", mask-1
		}
		w.b.WriteString("(" + word + " ")
		w.write(e.args[0])
		w.b.WriteString(" " + bitVector(e.typ, mask) + ")")
	case FToInt:
		w.toInt(e)
	default:
		w.apply(e)
	}
}

// toInt writes a conversion, which is 0 out of range.
func (w *smtWriter) toInt(e *Expr) {
	a, word := e.args[1], "fp.to_ubv"
	if e.typ.Signed {
		word = "fp.to_sbv"
	}
	least, most := a.typ.Format().IntRange(rounding(e.args[0]), intType(e.typ))
	in := smtWriter{name: w.name, bound: w.bound}
	in.number(a)
	x := in.b.String()
	fmt.Fprintf(&w.b, "(ite (and (fp.leq %s %s) (fp.leq %s %s)) ((_ %s %d) %v %s) %s)",
		toNumber(a.typ, bitVector(a.typ, least)), x, x, toNumber(a.typ, bitVector(a.typ, most)),
		word, e.typ.Width, rounding(e.args[0]), x, bitVector(e.typ, 0))
}
