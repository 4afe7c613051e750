package expr

import (
	"fmt"
	"strings"

	"magus/smt/softfloat"
)

// Terms over numbers of two words as text. Both words of x, variables x{sign, exponent} and x{significand}, of quad
// x{upper half} and x{lower half}, or words of one operation, are written as one number; the words of a result are
// exponent(…) and significand(…), upper(…) and lower(…).

var extendedCalls = map[Op]string{
	XFma: "fma", XSqrt: "sqrt", XAdd: "add", XMul: "mul", XDiv: "div",
	XToF: "cast", XToInt: "lrint", XCast: "cast",
}

var extendedRounds = [softfloat.Modes]string{"rint", "round", "ceil", "floor", "trunc"}

// numberNames are those that a type of numbers of two words has in C, and what the names of its functions and
// constants end in.
func numberNames(t Type) (name, function, constant string) {
	if t == Float128 {
		return "_Float128", "f128", "F128"
	}
	return "long double", "l", "L"
}

// WordNames are what the names of variables end in that are the words of a number of a type.
func WordNames(t Type) (high, low string) {
	if t == Float128 {
		return "{upper half}", "{lower half}"
	}
	return "{sign, exponent}", "{significand}"
}

// printExtended writes a term whose operator is of numbers of two words.
func (e *Expr) printExtended(b *strings.Builder, outer int) {
	switch {
	case e.op == XPair:
		b.WriteString(numberText(e.args[0], e.args[1], outer))
	case e.typ.IsBool() || e.op == XToInt || e.op == XToF:
		b.WriteString(e.numberText(outer))
	case e.resultType() == Float128:
		b.WriteString(map[bool]string{true: "lower(", false: "upper("}[e.typ == Uint64] + e.numberText(0) + ")")
	case e.typ == Uint16:
		b.WriteString("exponent(" + e.numberText(0) + ")")
	case e.typ == Uint64:
		b.WriteString("significand(" + e.numberText(0) + ")")
	default:
		b.WriteString(e.numberText(outer))
	}
}

// resultType is the type of the number that a term is a word of.
func (e *Expr) resultType() Type {
	switch e.op {
	case XFrom, XFromInt:
		return Float80
	case XCast:
		if operandType(e.args) == Float80 {
			return Float128
		}
		return Float80
	}
	return operandType(e.args)
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
	case e.op == XCast && mode == softfloat.NearestEven:
		typ, _, _ := numberNames(e.resultType())
		return cast(typ, castOff(args, operands[0])(precUnary), outer)
	}
	_, suffix, _ := numberNames(operandType(e.args))
	if e.op == XToF || e.op == XCast {
		suffix = ""
	}
	name := extendedCalls[e.op] + suffix
	if e.op == XRound {
		name = extendedRounds[mode] + suffix
	} else if mode != softfloat.NearestEven {
		name += "_" + strings.ToLower(mode.String())
	}
	texts := make([]string, len(operands))
	for i, text := range operands {
		texts[i] = text(0)
	}
	return name + "(" + strings.Join(texts, ", ") + ")"
}

// castOff is what is converted to a number of 80 bits and from there to one of 128, or the operand.
func castOff(words []*Expr, operand func(outer int) string) func(outer int) string {
	if x := origin(words[0], words[1]); x != nil {
		return x.text
	}
	return operand
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
	t := numberOf(high.typ)
	highName, lowName := WordNames(t)
	name, isHigh := strings.CutSuffix(high.name, highName)
	same, isLow := strings.CutSuffix(low.name, lowName)
	_, suffix, _ := numberNames(t)
	signBit := format(t).SignBit()
	switch {
	case high.op == Const && low.op == Const:
		return PairText(t, softfloat.Pair{High: high.val, Low: low.val})
	case high.op == Var && low.op == Var && isHigh && isLow && name == same:
		return name
	case high.op.IsExtended() && high.op == low.op && sameArgs(high, low):
		return high.numberText(outer)
	case high.op == Xor && high.args[1].op == Const && high.args[1].val == signBit:
		return "-" + numberText(high.args[0], low, precUnary)
	case high.op == And && high.args[1].op == Const && high.args[1].val == signBit-1:
		return "fabs" + suffix + "(" + numberText(high.args[0], low, 0) + ")"
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

// PairText is the shortest constant of C that is read as a number of a type of two words; of a pattern that is none,
// and of a NaN other than the one that is produced, both words.
func PairText(t Type, v softfloat.Pair) string {
	x, sign := format(t), ""
	if v.High&x.SignBit() != 0 {
		sign = "-"
	}
	switch abs := (softfloat.Pair{High: v.High &^ x.SignBit(), Low: v.Low}); {
	case abs == x.Inf():
		return sign + "INFINITY"
	case abs == x.NaN():
		return sign + "NAN"
	case x.IsNaN(v):
		return fmt.Sprintf("%sNAN(%#x, %#x)", sign, abs.High, abs.Low)
	}
	_, _, suffix := numberNames(t)
	return x.Text(v) + suffix
}
