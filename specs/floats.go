package specs

// Floating point in expressions: operands of C's float and double, computed as C does (C11 6.3.1.8, annex F),
// rounded to nearest.

import (
	"strings"

	"magus/smt/expr"
	"magus/smt/softfloat"
)

// floatLiteral is a constant as it is written: a double, or a float if it ends in f.
func (t typer) floatLiteral(e *CExpr) (*expr.Expr, error) {
	typ, digits := expr.Float64, strings.ToLower(e.text)
	if isHex := strings.HasPrefix(digits, "0x"); strings.HasSuffix(digits, "f") &&
		(!isHex || strings.Contains(digits, "p")) {
		typ, digits = expr.Float32, strings.TrimSuffix(digits, "f")
	}
	v, _, err := typ.Format().Parse(digits, softfloat.NearestEven)
	if err != nil || strings.ContainsAny(digits, "in") {
		return nil, e.fail("%s is no number", e.text)
	}
	return t.p.Const(typ, v), nil
}

// isFloatLiteral reports whether a word is such a constant.
func isFloatLiteral(text string) bool {
	_, err := typer{p: expr.NewPool()}.floatLiteral(&CExpr{text: text})
	return err == nil
}

// nearest is the rounding mode of specifications.
func (t typer) nearest() *expr.Expr { return t.p.Rounding(softfloat.NearestEven) }

// commonFloats are two values, one of which is of floating point, as ones of the wider format; those of _Float16 are
// computed in float.
func (t typer) commonFloats(a, b *expr.Expr) (x, y *expr.Expr) {
	to := a.Type()
	if !to.IsFloat() || b.Type().IsFloat() && b.Type().Width > to.Width {
		to = b.Type()
	}
	if to == expr.Float16 {
		to = expr.Float32
	}
	return t.asFloat(to, a), t.asFloat(to, b)
}

func (t typer) asFloat(to expr.Type, x *expr.Expr) *expr.Expr {
	if x.Type().IsFloat() {
		return t.p.FCast(t.nearest(), to, x)
	}
	return t.p.IntToF(t.nearest(), to, x)
}

// floatOperation is an operator on numbers of one format; nil if C has no such operator.
func (t typer) floatOperation(op string, a, b *expr.Expr) *expr.Expr {
	switch op {
	case "+":
		return t.p.FAdd(t.nearest(), a, b)
	case "-":
		return t.p.FSub(t.nearest(), a, b)
	case "*":
		return t.p.FMul(t.nearest(), a, b)
	case "/":
		return t.p.FDiv(t.nearest(), a, b)
	case "==":
		return t.p.FEq(a, b)
	case "!=":
		return t.p.FNe(a, b)
	case "<":
		return t.p.FLt(a, b)
	case "<=":
		return t.p.FLe(a, b)
	case ">":
		return t.p.FGt(a, b)
	case ">=":
		return t.p.FGe(a, b)
	}
	return nil
}

// truth is whether a value differs from 0.
func (t typer) truth(x *expr.Expr) *expr.Expr {
	if x.Type().IsFloat() {
		return t.p.FNe(x, t.p.Const(x.Type(), 0))
	}
	return t.p.Truth(x)
}
