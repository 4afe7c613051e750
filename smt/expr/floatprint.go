package expr

import (
	"fmt"
	"strings"

	"magus/smt/softfloat"
)

// Floating-point terms as text. Operations that round to nearest look as in C;
// others are written as calls that name the mode. Equality of bits is same(a, b),
// unlike ==, which is of numbers.

var floatCalls = map[Op]string{
	FFma: "fma", FSqrt: "sqrt", FRem: "remainder", FMod: "fmod", FRound: "rint", FAbs: "fabs", FBits: "bits",
	FAdd: "add", FMul: "mul", FDiv: "div", FCast: "cast", FToInt: "lrint", IntToF: "cast", FFrom: "value",
}

// roundCalls are the names in C of FRound by mode.
var roundCalls = [softfloat.Modes]string{"rint", "round", "ceil", "floor", "trunc"}

var floatBinary = map[Op]struct {
	sign string
	prec int
}{
	FAdd: {" + ", precAdd}, FMul: {" * ", precMul}, FDiv: {" / ", precMul},
	FEq: {" == ", precEq}, FLt: {" < ", precLt}, FLe: {" <= ", precLt},
}

// printFloat writes a term with a floating-point operator, or the equality of two
// floating-point values.
func (e *Expr) printFloat(b *strings.Builder, outer int) {
	mode, args := softfloat.NearestEven, e.args
	if args[0].typ == Mode {
		mode, args = softfloat.Mode(args[0].val), args[1:]
	}
	bin, infix := floatBinary[e.op]
	prefix := func(sign string) {
		paren(b, outer > precUnary, func() { b.WriteString(sign); args[0].print(b, precUnary) })
	}
	switch {
	case e.op == FNeg:
		prefix("-")
	case e.op == FToInt && mode == softfloat.TowardZero,
		(e.op == FCast || e.op == IntToF) && mode == softfloat.NearestEven:
		prefix("(" + e.typ.String() + ")")
	case e.op == FRound:
		call(b, roundCalls[mode], args)
	case e.op == Eq:
		call(b, "same", args)
	case infix && mode == softfloat.NearestEven && e.op == FAdd && args[1].op == FNeg:
		printChain(b, outer, bin.prec, " - ", []*Expr{args[0], args[1].args[0]})
	case infix && mode == softfloat.NearestEven:
		printChain(b, outer, bin.prec, bin.sign, args)
	case mode == softfloat.NearestEven:
		call(b, floatCalls[e.op], args)
	default:
		call(b, floatCalls[e.op]+"_"+strings.ToLower(mode.String()), args)
	}
}

func call(b *strings.Builder, name string, args []*Expr) {
	b.WriteString(name + "(")
	for i, a := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		a.print(b, 0)
	}
	b.WriteByte(')')
}

// floatLiteral is the shortest constant of C that is read as the value v; NAN of
// other bits than those of the NaN that is produced names them.
func floatLiteral(t Type, v uint64) string {
	f := t.Format()
	sign := ""
	if f.IsNegative(v) {
		sign = "-"
	}
	switch {
	case f.IsInf(v):
		return sign + "INFINITY"
	case f.IsNaN(v) && f.Abs(v) == f.NaN():
		return sign + "NAN"
	case f.IsNaN(v):
		return fmt.Sprintf("%sNAN(%#x)", sign, f.Abs(v)&(f.MinNormal()-1))
	case t == Float32:
		return f.Text(v) + "f"
	case t == Float16:
		return f.Text(v) + "f16"
	}
	return f.Text(v)
}
