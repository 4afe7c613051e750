package lower

// The functions of the C library that compute a number from a number: those of
// ctype.h, as they are in the locale "C", and the absolute values.
//
// A test of a character that holds gives any value but zero, as C says.

import (
	"strings"

	"magus/smt/expr"
)

// ranges are the characters, first to last, that the tests of ctype.h hold of.
var ranges = map[string][][2]int64{
	"isalnum": {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}, "isalpha": {{'A', 'Z'}, {'a', 'z'}}, "isascii": {{0, 127}},
	"isblank": {{' ', ' '}, {'\t', '\t'}}, "iscntrl": {{0, 31},
		{127, 127}}, "isdigit": {{'0', '9'}}, "isgraph": {{33, 126}},
	"islower": {{'a', 'z'}}, "isprint": {{32, 126}}, "ispunct": {{33, 47}, {58, 64}, {91, 96}, {123, 126}},
	"isspace": {{' ', ' '}, {'\t', '\r'}}, "isupper": {{'A', 'Z'}}, "isxdigit": {{'0', '9'}, {'A', 'F'}, {'a', 'f'}},
}

// computed is the meaning of a function whose result is a term over its argument,
// or nil.
func computed(name string) intrinsic {
	if r := ranges[name]; r != nil {
		return func(l *lowerer, c *callSite) value {
			return l.library.compute(c, func(x *expr.Expr) *expr.Expr {
				other := l.Any(x.Type(), "what "+c.name+" gives", "", c.pos)
				zero := l.Pool.Int(x.Type(), 0)
				some := l.Pool.Ite(l.Pool.Eq(other, zero), l.Pool.Int(x.Type(), 1), other)
				return l.Pool.Ite(l.library.inRanges(x, r), some, zero)
			})
		}
	}
	switch name {
	case "tolower":
		return func(l *lowerer, c *callSite) value { return l.library.compute(c, l.library.moved('A', 'Z', 'a'-'A')) }
	case "toupper":
		return func(l *lowerer, c *callSite) value { return l.library.compute(c, l.library.moved('a', 'z', 'A'-'a')) }
	case "ffs", "ffsl", "ffsll":
		return func(l *lowerer, c *callSite) value {
			return l.library.countBits(c, "ffs", strings.TrimPrefix(name, "ffs"))
		}
	case "abs", "labs", "llabs":
		return func(l *lowerer, c *callSite) value {
			return l.library.compute(c, func(x *expr.Expr) *expr.Expr {
				l.terms.negated(c.n, x) // C11 7.22.6.1: the least number has no absolute value
				return l.Pool.Ite(l.Pool.Lt(x, l.Pool.Int(x.Type(), 0)), l.Pool.Neg(x), x)
			})
		}
	}
	return nil
}

// compute is a call of a function of one number.
func (l *computing) compute(c *callSite, result func(x *expr.Expr) *expr.Expr) value {
	if len(c.args) != 1 || !c.ret.scalar() || c.ret.class != classInt {
		return l.calls.unknown(c, notModelled(c.name))
	}
	v := l.calls.evalArgs(c)[0]
	if v.t == nil || l.Dead() {
		return l.dead(c)
	}
	return value{c.ret, result(l.Pool.Cast(c.ret.typ, v.t)), nil}
}

// inRanges is the condition that a term is in one of some ranges.
func (l *computing) inRanges(x *expr.Expr, ranges [][2]int64) *expr.Expr {
	in := l.Pool.False()
	for _, r := range ranges {
		from := l.Pool.Not(l.Pool.Lt(x, l.Pool.Int(x.Type(), r[0])))
		in = l.Pool.Lor(in, l.Pool.Land(from, l.Pool.Not(l.Pool.Lt(l.Pool.Int(x.Type(), r[1]), x))))
	}
	return in
}

// moved is a number that is moved by a distance if it is in a range.
func (l *computing) moved(from, to, by int64) func(x *expr.Expr) *expr.Expr {
	return func(x *expr.Expr) *expr.Expr {
		return l.Pool.Ite(l.inRanges(x, [][2]int64{{from, to}}), l.Pool.Add(x, l.Pool.Int(x.Type(), by)), x)
	}
}
