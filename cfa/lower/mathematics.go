package lower

// The functions of math.h that have one result by IEEE 754, and those that say what a number is
// like.
//
// Idea: each is a term over its arguments, whatever the name that headers and compilers have for it:
// isnan, __isnanf, __builtin_isnan. Those that classify take the type of their argument as it is
// written; where that has no model, what they say is any value, and no violation rests on it.
//
// Deviation: what C leaves open of the truth that classification gives is 1, but -1 where isinf of
// a negative number is the function of common C libraries. A signalling NaN is as any other.
//
// Source: C11 7.12, F.10. Cost: one term each.

import (
	"strings"

	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"
	"magus/smt/softfloat"

	"modernc.org/cc/v4"
)

// mathematics builds the terms of one call.
type mathematics struct {
	*lowerer
	c *callSite
	t expr.Type // of the operands
}

// A classification is what is said of numbers. It may look at more arguments of the call than the numbers.
type classification struct {
	numbers int // how many, the last ones
	of      func(m mathematics, x []*expr.Expr) *expr.Expr
}

var classifications = map[string]classification{
	"isnan":          {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.said(m.isNaN(x[0])) }},
	"isinf":          {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.said(m.isInfinite(x[0])) }},
	"isinf_sign":     {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.signOfInfinity(x[0]) }},
	"isfinite":       {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.said(m.isFinite(x[0])) }},
	"finite":         {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.said(m.isFinite(x[0])) }},
	"isnormal":       {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.said(m.isNormal(x[0])) }},
	"issubnormal":    {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.said(m.isSubnormal(x[0])) }},
	"iszero":         {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.said(m.same(x[0], m.zero())) }},
	"signbit":        {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.said(m.isNegative(x[0])) }},
	"fpclassify":     {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.class(x[0]) }},
	"isgreater":      {2, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.said(m.less(x[1], x[0])) }},
	"isgreaterequal": {2, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.said(m.atMost(x[1], x[0])) }},
	"isless":         {2, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.said(m.less(x[0], x[1])) }},
	"islessequal":    {2, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.said(m.atMost(x[0], x[1])) }},
	"islessgreater": {2, func(m mathematics, x []*expr.Expr) *expr.Expr {
		return m.said(m.Pool.Lor(m.less(x[0], x[1]), m.less(x[1], x[0])))
	}},
	"isunordered": {2, func(m mathematics, x []*expr.Expr) *expr.Expr {
		return m.said(m.Pool.Lor(m.isNaN(x[0]), m.isNaN(x[1])))
	}},
	"iseqsig": {2, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.said(m.same(x[0], x[1])) }},
}

// A computation is a function of numbers whose result is one.
type computation struct {
	numbers int
	of      func(m mathematics, x []*expr.Expr) *expr.Expr
}

var computations = map[string]computation{
	"fabs":      {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.magnitude(x[0]) }},
	"copysign":  {2, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.withSign(x[0], x[1]) }},
	"floor":     {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.to(softfloat.TowardNegative, x[0]) }},
	"ceil":      {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.to(softfloat.TowardPositive, x[0]) }},
	"trunc":     {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.to(softfloat.TowardZero, x[0]) }},
	"round":     {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.to(softfloat.NearestAway, x[0]) }},
	"roundeven": {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.to(softfloat.NearestEven, x[0]) }},
	"rint":      {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.toIntegral(x[0]) }},
	"nearbyint": {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.toIntegral(x[0]) }},
	"fmin":      {2, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.least(x[0], x[1], x[0], x[1]) }},
	"fmax":      {2, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.least(x[1], x[0], x[0], x[1]) }},
	"fdim":      {2, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.difference(x[0], x[1]) }},
	"sqrt":      {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.root(x[0]) }},
	"fma":       {3, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.fused(x[0], x[1], x[2]) }},
	"huge_val":  {0, func(m mathematics, _ []*expr.Expr) *expr.Expr { return m.infinity(m.t) }},
	"inf":       {0, func(m mathematics, _ []*expr.Expr) *expr.Expr { return m.infinity(m.t) }},
	"fmod":      {2, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.remainder(x[0], x[1], false) }},
	"remainder": {2, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.remainder(x[0], x[1], true) }},
	"drem":      {2, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.remainder(x[0], x[1], true) }},
	"lrint":     {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.integer(m.toIntegral(x[0])) }},
	"llrint":    {1, func(m mathematics, x []*expr.Expr) *expr.Expr { return m.integer(m.toIntegral(x[0])) }},
	"lround": {1, func(m mathematics, x []*expr.Expr) *expr.Expr {
		return m.integer(m.to(softfloat.NearestAway, x[0]))
	}},
	"llround": {1, func(m mathematics, x []*expr.Expr) *expr.Expr {
		return m.integer(m.to(softfloat.NearestAway, x[0]))
	}},
}

// floatFunction is the meaning of a function of numbers, or nil.
func floatFunction(name string) intrinsic {
	plain := strings.TrimPrefix(strings.TrimPrefix(name, modelPrefix), "__")
	if of, ok := strings.CutPrefix(plain, "CPROVER_"); ok { // CBMC's: __CPROVER_isnand, __CPROVER_signf
		plain = strings.Replace(of, "sign", "signbit", 1)
	}
	bare := plain
	if _, ok := classifications[plain]; !ok {
		bare, _ = numberOf(strings.TrimSuffix(plain, "d")) // isnanf, __signbitl
	}
	if f, ok := classifications[bare]; ok {
		return func(l *lowerer, c *callSite) value { return l.library.classify(c, plain, f) }
	}
	bare, t := name, expr.Float64
	if _, ok := computations[name]; !ok {
		bare, t = numberOf(name)
	}
	if bare == "nan" {
		return notANumber
	}
	if f, ok := computations[bare]; ok {
		return func(l *lowerer, c *callSite) value { return l.library.computeFloat(c, bare, t, f) }
	}
	return nil
}

// suffixes are what the names of functions end in that are of other numbers than double: those of C, of GCC's types,
// and of its library for quad.
var suffixes = []struct {
	end string
	of  expr.Type
}{
	{"f16", expr.Float16}, {"f128", expr.Float128}, {"f", expr.Float32}, {"l", expr.Float80}, {"q", expr.Float128},
}

// numberOf is the name of a function without the suffix of the type that it is of, and the type.
func numberOf(name string) (bare string, t expr.Type) {
	for _, s := range suffixes {
		if bare, ok := strings.CutSuffix(name, s.end); ok {
			return bare, s.of
		}
	}
	return name, expr.Float64
}

// isFloatConstant reports whether a call is INFINITY, HUGE_VAL or NAN.
func isFloatConstant(x *cc.PostfixExpression) bool {
	name := source.CalleeName(x)
	if name != "__builtin_inf" {
		name, _ = numberOf(name)
	}
	switch name {
	case "__builtin_inf", "__builtin_huge_va", "__builtin_huge_val", "__builtin_nan":
		return true
	}
	return false
}

// classify is a call that asks what a number is like.
func (l *library) classify(c *callSite, name string, f classification) value {
	if len(c.args) < f.numbers || name == "fpclassify" && len(c.args) != 1 && len(c.args) != 6 {
		return l.calls.unknown(c, notModelled(c.name))
	}
	c.generic = true
	vals := l.calls.evalArgs(c)
	if l.Dead() {
		return l.dead(c)
	}
	numbers := vals[len(vals)-f.numbers:]
	if f.numbers == 1 {
		numbers[0] = l.expressions.inItsType(numbers[0], c.args[len(vals)-1])
	}
	t := numbers[0].ctype
	for _, v := range numbers[1:] {
		t = commonFloat(t, v.ctype)
	}
	if t.class == classInt {
		t = ctype{class: classFloat, typ: expr.Float64}
	}
	if t.class != classFloat && t.class != classExtended {
		return l.calls.anyResult(c, notModelled(c.name))
	}
	m := mathematics{l.lowerer, c, t.typ}
	x := make([]*expr.Expr, len(numbers))
	for i, v := range numbers {
		x[i] = l.expressions.convert(v, t, c.n).t
	}
	r := f.of(m, x)
	switch {
	case name == "fpclassify" && len(vals) == 6:
		r = m.chosenClass(x[0], vals)
	case name == "isinf" && c.name == "__isinf", name == "isinff" && c.name == "__isinff":
		r = m.signOfInfinity(x[0])
	}
	return value{ctInt, r, nil}
}

// computeFloat is a call of a function that computes a number; name is its name for double.
func (l *library) computeFloat(c *callSite, name string, t expr.Type, f computation) value {
	params := source.Parameters(c.typ)
	t = l.ofSuffix(t)
	real := numberType(t)
	if len(c.args) != f.numbers || len(params) > 0 && l.ctypeOf(params[0].Type()) != real ||
		!c.ret.termed() || l.opt.StrictCalls || real.class == classExtended && f.numbers == 0 && c.ret != real {
		return compute(l.lowerer, c)
	}
	l.roundsByType(real)
	vals := l.calls.evalArgs(c)
	if l.Dead() {
		return l.dead(c)
	}
	x := make([]*expr.Expr, len(vals))
	for i, v := range vals {
		if x[i] = l.expressions.convert(v, real, c.n).t; x[i] == nil {
			return compute(l.lowerer, c)
		}
	}
	m := mathematics{l.lowerer, c, t}
	r := f.of(m, x)
	if r == nil {
		return l.calls.anyResult(c, notModelled(c.name))
	}
	r = l.looked(r, c.n, x...)
	m.mayFail(name, x, r)
	switch name {
	case "fabs", "copysign": // which say the sign
	default:
		r = l.mayMakeNaN(r)
	}
	got := ctype{class: classInt, typ: r.Type()}
	if r.Type().IsFloat() {
		got = numberType(r.Type())
	}
	return value{got, r, nil}
}

// mayFail has errno changed where a function has a domain or a range error (C11 7.12.1).
func (m mathematics) mayFail(name string, x []*expr.Expr, r *expr.Expr) {
	fails := m.Pool.False()
	switch name {
	case "sqrt":
		fails = m.less(x[0], m.zero())
	case "fmod", "remainder", "drem":
		fails = m.Pool.Lor(m.isInfinite(x[0]), m.same(x[1], m.zero()))
	case "fma", "fdim":
		fails = m.Pool.Lor(m.isInfinite(r), m.isSubnormal(r), m.same(r, m.zero()))
	}
	if fails.IsFalse() || m.Dead() || !m.objects.namesErrno() {
		return
	}
	yes, no := m.Branch(fails, m.c.pos)
	m.Continue(yes)
	m.library.changesErrno(m.c)
	end := m.Ends()
	m.Continue(no)
	m.Join(end)
}

// notANumber is nan(tag): a quiet NaN, whatever the tag.
func notANumber(l *lowerer, c *callSite) value {
	l.library.effects(c)
	if c.ret.class != classFloat && c.ret.class != classExtended {
		return compute(l, c)
	}
	return value{c.ret, l.nan(c.ret.typ), nil}
}

func (m mathematics) zero() *expr.Expr { return m.number(m.t, 0) }

// said is a truth as C's functions give it.
func (m mathematics) said(is *expr.Expr) *expr.Expr { return m.Pool.FromBool(expr.Int32, is) }

// signOfInfinity is 1 of the positive infinity, -1 of the negative one, else 0.
func (m mathematics) signOfInfinity(x *expr.Expr) *expr.Expr {
	below := m.same(x, m.negative(m.infinity(m.t)))
	return m.Pool.Ite(below, m.Pool.Int(expr.Int32, -1), m.said(m.same(x, m.infinity(m.t))))
}

// class is what fpclassify gives by the numbers of math.h: NaN, infinite, zero, subnormal, normal.
func (m mathematics) class(x *expr.Expr) *expr.Expr { return m.chosenOf(x, 0, 1, 4, 3, 2) }

func (m mathematics) chosenOf(x *expr.Expr, numbers ...int64) *expr.Expr {
	vals := make([]value, len(numbers))
	for i, n := range numbers {
		vals[i] = value{ctInt, m.Pool.Int(expr.Int32, n), nil}
	}
	return m.chosenClass(x, vals)
}

// chosenClass is the value for what a number is: NaN, infinite, normal, subnormal, zero.
func (m mathematics) chosenClass(x *expr.Expr, vals []value) *expr.Expr {
	of := func(i int) *expr.Expr { return m.expressions.convert(vals[i], ctInt, m.c.n).t }
	r := m.Pool.Ite(m.same(x, m.zero()), of(4), of(3))
	r = m.Pool.Ite(m.isNormal(x), of(2), r)
	r = m.Pool.Ite(m.isInfinite(x), of(1), r)
	return m.Pool.Ite(m.isNaN(x), of(0), r)
}

// toIntegral is x rounded to an integer in the current mode.
func (m mathematics) toIntegral(x *expr.Expr) *expr.Expr {
	return m.rounded(func(r *expr.Expr) *expr.Expr { return m.integral(r, x) })
}

// integer is an integral number as one of the result's type, any value where it does not fit.
func (m mathematics) integer(x *expr.Expr) *expr.Expr {
	to := ctype{class: classInt, typ: m.c.ret.typ}
	return m.expressions.convert(value{numberType(m.t), x, nil}, to, m.c.n).t
}

// least is x where it is less than y, and y where that is less; of a NaN and a number it is the number. Of two that
// are equal, which zeros of both signs are, C leaves open which one it is.
func (m mathematics) least(less, more, x, y *expr.Expr) *expr.Expr {
	same := x
	if x != y && !(x.IsConst() && y.IsConst()) {
		open := m.Any(bool1, "what C leaves open of "+m.c.name, "", m.c.pos)
		same = m.choose(m.Pool.Truth(open), x, y)
	}
	r := m.choose(m.less(less, more), x, m.choose(m.less(more, less), y, same))
	return m.choose(m.isNaN(x), y, m.choose(m.isNaN(y), x, r))
}

// difference is x - y where that is positive, else 0.
func (m mathematics) difference(x, y *expr.Expr) *expr.Expr {
	sub := m.rounded(func(r *expr.Expr) *expr.Expr { return m.sum(r, x, m.negative(y)) })
	return m.choose(m.atMost(x, y), m.zero(), sub)
}

func (m mathematics) root(x *expr.Expr) *expr.Expr {
	return m.rounded(func(r *expr.Expr) *expr.Expr { return m.sqrt(r, x) })
}

func (m mathematics) fused(x, y, z *expr.Expr) *expr.Expr {
	return m.rounded(func(r *expr.Expr) *expr.Expr { return m.fma(r, x, y, z) })
}

// to is x rounded to an integer.
func (m mathematics) to(mode softfloat.Mode, x *expr.Expr) *expr.Expr {
	return m.integral(m.Pool.Rounding(mode), x)
}

// nans is what is seen of NaNs while a component is lowered.
type nans struct {
	made  bool // arithmetic may have given one
	asked bool // the sign of what may be one was looked at
}

// mayMakeNaN notes the result of an operation that C leaves the sign of a NaN open of.
func (l *lowerer) mayMakeNaN(r *expr.Expr) *expr.Expr {
	if (isExtended(r) || r.Type().IsFloat()) && !l.isNaN(r).IsFalse() {
		l.nans.made = true
	}
	return r
}

// isNegative is the sign of x. That of a NaN is any where arithmetic of the program may give one, since C leaves open
// which it has then, and no violation rests on it.
func (m mathematics) isNegative(x *expr.Expr) *expr.Expr {
	nan, is := m.isNaN(x), m.Pool.FromBool(bool1, m.hasSign(x))
	if nan.IsFalse() || m.Dead() {
		return m.Pool.Truth(is)
	}
	if m.nans.asked = true; !m.found.makesNaN {
		return m.Pool.Truth(is)
	}
	v := m.Temp("sign", bool1, m.c.pos)
	yes, no := m.Branch(nan, m.c.pos)
	if m.Continue(yes); len(yes) > 0 {
		m.Emit(cfa.Assign{LHS: v, Nondet: "the sign of a NaN", Approx: "the sign of a NaN"}, m.c.pos)
	}
	end := m.Ends()
	if m.Continue(no); len(no) > 0 {
		m.Assign(v, is, m.c.pos)
	}
	m.Join(end)
	return m.Pool.Truth(v)
}

// withSign is x with the sign of y.
func (m mathematics) withSign(x, y *expr.Expr) *expr.Expr {
	a := m.magnitude(x)
	return m.choose(m.isNegative(y), m.negative(a), a)
}

// unknownNumber is any number, which no violation may rest on.
func unknownNumber(l *lowerer, c *callSite) value {
	name, pos := l.library.called()
	if c.ret.class != classFloat && c.ret.class != classExtended {
		return value{ctOpaque, nil, nil}
	}
	return value{c.ret, l.Any(c.ret.typ, name, notModelled(name), pos), nil}
}

// bitsOfNumber is a number with the bits of an integer, or the other way round.
func bitsOfNumber(l *lowerer, c *callSite) value {
	v := l.calls.evalArgs(c)[0]
	switch {
	case l.Dead():
		return l.dead(c)
	case v.t == nil || !c.ret.scalar(): // floating point without a model
		name, pos := l.library.called()
		if !c.ret.scalar() {
			return value{ctOpaque, nil, nil}
		}
		return value{c.ret, l.Any(c.ret.typ, name, notModelled(name), pos), nil}
	}
	return value{c.ret, l.Pool.As(c.ret.typ, v.t), nil}
}
