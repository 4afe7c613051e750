package source

// Floating-point constants that become integers, or are compared.
//
// Idea: what is made of constants alone is computed: each literal and each operation is rounded to its type, to
// nearest, as GCC does (C11 F.8). Where a compiler may evaluate numbers with more precision than their types
// have (FLT_EVAL_METHOD, with ILP32), only what needs no rounding is known. So
// are infinities, and numbers so small or large that fewer digits are kept, not known.
//
// Source: C11 6.4.4.2, 6.3.1.4, 5.2.4.2.2. Cost: linear in the expression.

import (
	"math/big"
	"strings"

	"magus/cfa"
	"magus/cfa/source/reword"

	"modernc.org/cc/v4"
)

// Float is the value of a constant expression that has a floating-point type, or is an operand of one.
func (l *Layouts) Float(n cc.ExpressionNode) (*big.Float, bool) {
	n = Unparen(n)
	if n == nil || n.Type() == nil {
		return nil, false
	}
	if cc.IsIntegerType(n.Type()) {
		v, ok := l.Constant(n)
		if f := new(big.Float).SetInt64(v); ok && !(v < 0 && !cc.IsSignedInteger(n.Type())) {
			return f, true
		}
		return nil, false
	}
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionFloat {
			return l.floatLiteral(x)
		}
	case *cc.CastExpression:
		if f, ok := l.Float(x.CastExpression); ok && x.Case == cc.CastExpressionCast {
			return l.rounded(f, x.Type())
		}
	case *cc.UnaryExpression:
		switch f, ok := l.Float(operandOf(x)); {
		case !ok:
		case x.Case == cc.UnaryExpressionPlus:
			return f, true
		case x.Case == cc.UnaryExpressionMinus:
			return new(big.Float).Neg(f), true
		}
	case *cc.ConditionalExpression:
		c, ok := l.Constant(x.LogicalOrExpression)
		chosen := Middle(x)
		if c == 0 {
			chosen = x.ConditionalExpression
		}
		if f, known := l.Float(chosen); ok && known {
			return l.rounded(f, x.Type())
		}
	}
	if b := AsBinary(n); b != nil {
		return l.floatOperation(b, n.Type())
	}
	return nil, false
}

// operandOf is the operand of a sign; nil of another operator.
func operandOf(x *cc.UnaryExpression) cc.ExpressionNode {
	if x.Case == cc.UnaryExpressionPlus || x.Case == cc.UnaryExpressionMinus {
		return x.CastExpression
	}
	return nil
}

// HalfKind is the kind of _Float16. The library has that type, but no arithmetic of it with integers, so the text says
// another one, whose arithmetic with narrower types it has, and which programs do not use ([reword.Half]).
const HalfKind = cc.Decimal64

// Digits is a literal without its suffix.
func Digits(x *cc.PrimaryExpression) string {
	text := strings.ToLower(x.Token.SrcStr())
	switch x.Type().Kind() {
	case HalfKind:
		return strings.TrimSuffix(text, reword.HalfSuffix)
	case cc.Float128:
		return strings.TrimSuffix(text, "f128")
	}
	text = strings.TrimRight(text, "l")
	if !strings.HasPrefix(text, "0x") || strings.Contains(text, "p") {
		text = strings.TrimRight(text, "f")
	}
	return text
}

// floatLiteral is the value of a literal.
func (l *Layouts) floatLiteral(x *cc.PrimaryExpression) (*big.Float, bool) {
	bare := Digits(x)
	digits, ok := l.precision(x.Type())
	if !ok {
		return nil, false
	}
	f, exact, ok := nearest(bare, digits)
	if !ok || l.excess && !exact {
		return nil, false
	}
	return l.rounded(f, x.Type())
}

// nearest is the number of some bits that is nearest to what is written, and whether it is that. The package math/big
// does not find it where it lies near the middle of two; so it is asked for many bits first.
func nearest(text string, digits uint) (f *big.Float, exact, ok bool) {
	precise, _, err := big.ParseFloat(text, 0, 2048, big.ToNearestEven)
	if err != nil || precise.MinPrec() > 2040 && strings.HasPrefix(text, "0x") || len(text) > 500 {
		return nil, false, false
	}
	f = new(big.Float).SetPrec(digits).SetMode(big.ToNearestEven).Set(precise)
	return f, f.Cmp(precise) == 0, true
}

// precision is how many bits the numbers of a type have.
func (l *Layouts) precision(t cc.Type) (uint, bool) {
	switch t.Kind() {
	case cc.Float:
		return 24, true
	case cc.Double:
		return 53, true
	case cc.LongDouble:
		return map[cfa.LongDouble]uint{cfa.X87: 64, cfa.AsDouble: 53, cfa.Quad: 113}[l.long], true
	}
	return 0, false
}

// rounded is a number as one of a type.
func (l *Layouts) rounded(f *big.Float, t cc.Type) (*big.Float, bool) {
	digits, ok := l.precision(t)
	if !ok || f.IsInf() {
		return nil, false
	}
	r := new(big.Float).SetPrec(digits).SetMode(big.ToNearestEven).Set(f)
	if digits == 24 && !isNormal(r, 120) || !isNormal(r, 1000) {
		return nil, false
	}
	return r, !l.excess || r.Cmp(f) == 0
}

// isNormal reports whether a number is zero, or neither very large nor very small.
func isNormal(f *big.Float, most int) bool {
	e := f.MantExp(nil)
	return f.Sign() == 0 || -most < e && e < most
}

// floatOperation is what an operator makes of two constants.
func (l *Layouts) floatOperation(b *BinaryExpr, t cc.Type) (*big.Float, bool) {
	digits, known := l.precision(t)
	x, ok := l.Float(b.Left)
	y, also := l.Float(b.Right)
	if !ok || !also || !known {
		return nil, false
	}
	if x, ok = l.rounded(x, t); !ok { // an integer becomes one of the type
		return nil, false
	}
	if y, ok = l.rounded(y, t); !ok {
		return nil, false
	}
	r := new(big.Float).SetPrec(digits).SetMode(big.ToNearestEven)
	switch {
	case b.Op == OpAdd:
		r.Add(x, y)
	case b.Op == OpSub:
		r.Sub(x, y)
	case b.Op == OpMul:
		r.Mul(x, y)
	case b.Op == OpDiv && y.Sign() != 0:
		r.Quo(x, y)
	default:
		return nil, false
	}
	if l.excess && r.Acc() != big.Exact {
		return nil, false
	}
	return l.rounded(r, t)
}

// FloatComparison is the truth of a comparison of constants one of which has a floating-point type.
func (l *Layouts) FloatComparison(b *BinaryExpr) (is, ok bool) {
	if b.Op < OpEq || l.excess {
		return false, false
	}
	x, ok := l.Float(b.Left)
	y, also := l.Float(b.Right)
	if !ok || !also {
		return false, false
	}
	for _, t := range []cc.Type{b.Left.Type(), b.Right.Type()} {
		if _, isFloat := l.precision(t); !isFloat && !cc.IsIntegerType(t) {
			return false, false
		}
	}
	t := cc.UsualArithmeticConversions(b.Left.Type(), b.Right.Type())
	if x, ok = l.rounded(x, t); !ok {
		return false, false
	}
	if y, ok = l.rounded(y, t); !ok {
		return false, false
	}
	order := x.Cmp(y)
	switch b.Op {
	case OpEq:
		return order == 0, true
	case OpNe:
		return order != 0, true
	case OpLt:
		return order < 0, true
	case OpGt:
		return order > 0, true
	case OpLe:
		return order <= 0, true
	}
	return order >= 0, true
}
