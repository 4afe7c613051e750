package svwitness

// Terms as C expressions.
//
// Idea: a term is a bit pattern of a width, with wrap-around; in C, signed arithmetic must not
// overflow. So sums and products are computed without a sign, in at least 32 bits, and converted
// back, which every compiler does by wrapping. What has no such form - a division that may be by
// 0, a shift by what is not constant - has no text. Cost: linear in the text, which is cut.

import (
	"fmt"
	"strings"

	"magus/smt/expr"
	"magus/smt/softfloat"
)

// A speller writes terms; name is what a variable is called, false if it cannot be named.
type speller struct {
	name func(*expr.Expr) (string, bool)
}

// text is the term in C, with the same value; false if it has none.
func (s speller) text(e *expr.Expr) (string, bool) {
	args := make([]string, len(e.Args()))
	for i, a := range e.Args() {
		text, ok := s.text(a)
		if !ok {
			return "", false
		}
		args[i] = text
	}
	t := e.Type()
	switch {
	case e.Op().IsFloat():
		return floatText(e, args)
	case e.Op().IsExtended():
		return "", false
	}
	if e.Op() != expr.Var && e.Op() != expr.Const && !t.IsBool() && ctype(t) == "" {
		return "", false // a bit-field's
	}
	switch e.Op() {
	case expr.Const:
		if t.IsBool() {
			return fmt.Sprint(e.Value()), true
		}
		if t.IsFloat() {
			if _, ok := t.Exactly(e.Value()); !ok {
				return "", false
			}
		}
		return constant(t, e.Value()), true
	case expr.Var:
		if t.IsBool() {
			return "", false
		}
		return s.name(e)
	case expr.Add, expr.Sub, expr.Mul:
		op := map[expr.Op]string{expr.Add: "+", expr.Sub: "-", expr.Mul: "*"}[e.Op()]
		u := unsigned(t)
		return fmt.Sprintf("(%s)((%s)%s %s (%s)%s)", ctype(t), u, args[0], op, u, args[1]), true
	case expr.Neg:
		return fmt.Sprintf("(%s)(0U - (%s)%s)", ctype(t), unsigned(t), args[0]), true
	case expr.Compl:
		return fmt.Sprintf("(%s)(~(%s)%s)", ctype(t), unsigned(t), args[0]), true
	case expr.And, expr.Or, expr.Xor:
		op := map[expr.Op]string{expr.And: "&", expr.Or: "|", expr.Xor: "^"}[e.Op()]
		return fmt.Sprintf("(%s %s %s)", args[0], op, args[1]), true
	case expr.Div, expr.Rem:
		by := e.Args()[1]
		if !by.IsConst() || by.Value() == 0 || by.Type().Signed && by.Int() == -1 {
			return "", false
		}
		op := map[expr.Op]string{expr.Div: "/", expr.Rem: "%"}[e.Op()]
		return fmt.Sprintf("(%s %s %s)", args[0], op, args[1]), true
	case expr.Shl, expr.Shr:
		return shifted(e, args)
	case expr.Cast:
		return fmt.Sprintf("(%s)%s", ctype(t), args[0]), true
	}
	return s.logic(e, args)
}

// logic is the text of conditions.
func (s speller) logic(e *expr.Expr, args []string) (string, bool) {
	switch e.Op() {
	case expr.Ite:
		return fmt.Sprintf("(%s ? %s : %s)", args[0], args[1], args[2]), true
	case expr.Eq:
		if e.Args()[0].Type().IsFloat() { // of bits
			return "", false
		}
		return fmt.Sprintf("(%s == %s)", args[0], args[1]), true
	case expr.Lt:
		return fmt.Sprintf("(%s < %s)", args[0], args[1]), true
	case expr.Not:
		return "!" + args[0], true
	case expr.Land:
		return "(" + strings.Join(args, " && ") + ")", true
	case expr.Lor:
		return "(" + strings.Join(args, " || ") + ")", true
	}
	return "", false
}

// shifted is a shift by a constant.
func shifted(e *expr.Expr, args []string) (string, bool) {
	t, by := e.Type(), e.Args()[1]
	if !by.IsConst() || by.Value() >= uint64(t.Width) {
		return "", false
	}
	if e.Op() == expr.Shl {
		return fmt.Sprintf("(%s)((%s)%s << %d)", ctype(t), unsigned(t), args[0], by.Value()), true
	}
	return fmt.Sprintf("(%s >> %d)", args[0], by.Value()), true
}

// ctype is a C type of a width, whatever the data model.
func ctype(t expr.Type) string {
	if t.IsFloat() {
		return map[expr.Type]string{expr.Float32: "float", expr.Float64: "double"}[t]
	}
	name := map[uint8]string{8: "char", 16: "short", 32: "int", 64: "long long"}[uint8(t.Width)]
	switch {
	case name == "":
	case !t.Signed:
		return "unsigned " + name
	case t.Width == 8:
		return "signed char"
	}
	return name
}

// unsigned is the type in which a type's sums are computed.
func unsigned(t expr.Type) string {
	return ctype(expr.Type{Width: max(t.Width, 32)})
}

// floatText is an operation on floating-point numbers that rounds to nearest, in C.
func floatText(e *expr.Expr, args []string) (string, bool) {
	sign := map[expr.Op]string{expr.FAdd: "+", expr.FMul: "*", expr.FDiv: "/", expr.FEq: "==", expr.FLt: "<",
		expr.FLe: "<="}
	if m := e.Args()[0]; m.Type() == expr.Mode {
		if m.Value() != uint64(softfloat.NearestEven) {
			return "", false
		}
		args = args[1:]
	}
	switch op, ok := sign[e.Op()]; {
	case ok:
		return fmt.Sprintf("(%s %s %s)", args[0], op, args[1]), true
	case e.Op() == expr.FNeg:
		return "(-" + args[0] + ")", true
	case e.Op() == expr.FCast || e.Op() == expr.IntToF:
		return fmt.Sprintf("(%s)%s", ctype(e.Type()), args[0]), true
	}
	return "", false
}
