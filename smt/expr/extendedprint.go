package expr

import (
	"fmt"
	"strings"

	"magus/smt/softfloat"
)

// Terms over numbers of 80 bits as text. Both words of x, variables x{sign, exponent} and x{significand}, or
// words of one operation, are written as one number; the words of a result are exponent(…) and significand(…).

var extendedCalls = map[Op]string{
	XFma: "fmal", XSqrt: "sqrtl", XAdd: "addl", XMul: "mull", XDiv: "divl",
	XToF: "cast", XToInt: "lrintl",
}

var extendedRounds = [softfloat.Modes]string{"rintl", "roundl", "ceill", "floorl", "truncl"}

// HighWord and LowWord are what the names of variables end in that are the words of a number.
const (
	HighWord = "{sign, exponent}"
	LowWord  = "{significand}"
)

// printExtended writes a term whose operator is of numbers of 80 bits.
func (e *Expr) printExtended(b *strings.Builder, outer int) {
	switch {
	case e.op == XPair:
		b.WriteString(numberText(e.args[0], e.args[1], outer))
	case e.typ == Uint16 && e.op != XToInt:
		b.WriteString("exponent(" + e.numberText(0) + ")")
	case e.typ == Uint64 && e.op != XToInt:
		b.WriteString("significand(" + e.numberText(0) + ")")
	default:
		b.WriteString(e.numberText(outer))
	}
}

// numberText is the operation of a term.
func (e *Expr) numberText(outer int) string {
	mode, args := softfloat.NearestEven, e.args
	if args[0].typ == Mode {
		mode, args = softfloat.Mode(args[0].val), args[1:]
	}
	if e.op == XFrom || e.op == XFromInt {
		return cast("long double", args[0].text(precUnary), outer)
	}
	var operands []func(outer int) string
	for i := 0; i+1 < len(args); i += 2 {
		high, low := args[i], args[i+1]
		operands = append(operands, func(outer int) string { return numberText(high, low, outer) })
	}
	sign, prec := extendedSign(e.op)
	switch {
	case sign != "" && mode == softfloat.NearestEven:
		text := operands[0](prec) + sign + operands[1](prec+1)
		if outer > prec {
			return "(" + text + ")"
		}
		return text
	case e.op == XToInt && mode == softfloat.TowardZero, e.op == XToF && mode == softfloat.NearestEven:
		return cast(e.typ.String(), operands[0](precUnary), outer)
	}
	name := extendedCalls[e.op]
	if e.op == XRound {
		name = extendedRounds[mode]
	} else if mode != softfloat.NearestEven {
		name += "_" + strings.ToLower(mode.String())
	}
	texts := make([]string, len(operands))
	for i, text := range operands {
		texts[i] = text(0)
	}
	return name + "(" + strings.Join(texts, ", ") + ")"
}

func cast(typ, operand string, outer int) string {
	if outer > precUnary {
		return "((" + typ + ")" + operand + ")"
	}
	return "(" + typ + ")" + operand
}

// extendedSign is the sign of an operator that stands between its operands.
func extendedSign(op Op) (sign string, prec int) {
	switch op {
	case XAdd:
		return " + ", precAdd
	case XMul:
		return " * ", precMul
	case XDiv:
		return " / ", precMul
	case XEq:
		return " == ", precEq
	case XLt:
		return " < ", precLt
	case XLe:
		return " <= ", precLt
	}
	return "", 0
}

func (e *Expr) text(outer int) string {
	var b strings.Builder
	e.print(&b, outer)
	return b.String()
}

// numberText is the number with these words.
func numberText(high, low *Expr, outer int) string {
	name, isHigh := strings.CutSuffix(high.name, HighWord)
	same, isLow := strings.CutSuffix(low.name, LowWord)
	switch {
	case high.op == Const && low.op == Const:
		return LongDouble(softfloat.Pair{High: high.val, Low: low.val})
	case high.op == Var && low.op == Var && isHigh && isLow && name == same:
		return name
	case high.op.IsExtended() && high.op == low.op && sameArgs(high, low):
		return high.numberText(outer)
	case high.op == Xor && high.args[1].op == Const && high.args[1].val == signBit:
		return "-" + numberText(high.args[0], low, precUnary)
	case high.op == And && high.args[1].op == Const && high.args[1].val == signBit-1:
		return "fabsl(" + numberText(high.args[0], low, 0) + ")"
	}
	return "number(" + high.text(0) + ", " + low.text(0) + ")"
}

func sameArgs(a, b *Expr) bool {
	for i := range a.args {
		if a.args[i] != b.args[i] {
			return false
		}
	}
	return true
}

// LongDouble is the shortest constant of C that is read as a number; of a pattern that is none, and of a NaN
// other than the one that is produced, both words.
func LongDouble(v softfloat.Pair) string {
	x, sign := softfloat.Extended, ""
	if v.High&signBit != 0 {
		sign = "-"
	}
	switch abs := (softfloat.Pair{High: v.High &^ signBit, Low: v.Low}); {
	case abs == x.Inf():
		return sign + "INFINITY"
	case abs == x.NaN():
		return sign + "NAN"
	case x.IsNaN(v):
		return fmt.Sprintf("%sNAN(%#x, %#x)", sign, abs.High, abs.Low)
	}
	return x.Text(v) + "L"
}
