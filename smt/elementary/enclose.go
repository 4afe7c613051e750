package elementary

// The functions, by name, and the numbers of a format that their values lie between.
//
// Idea: the value is computed with many digits more than the format has, so that the two numbers of the format around
// it are found but where it is one of them, or nearer to one than 2^-500 of it. The first case is decided apart,
// by rational arithmetic: exp, log, sin … have no rational values at rational numbers but a few (Lindemann, 1882), and
// what pow, cbrt, hypot, exp2, log2 and log10 give is put to the test. The second is not met by the arguments of two
// formats, and the enclosure of what a library gives is wider anyway.
//
// Cost: that of a series, and of an integral power of at most some 2,000 bits.

import (
	"math/big"

	"magus/smt/softfloat"
)

// A function is one of math.h.
type function struct {
	arity int
	of    func(x []*big.Float) *big.Float
	// has reports whether the function has a value at x that is neither special nor far out of range.
	has func(x []*big.Float) bool
	// is reports whether a number is the value; nil where that is never so.
	is func(v *big.Rat, x []*big.Rat) bool
}

func unary(f func(x *big.Float) *big.Float) func(x []*big.Float) *big.Float {
	return func(x []*big.Float) *big.Float { return f(x[0]) }
}

// within holds of arguments other than 0 whose magnitude is at most so much.
func within(most float64) func(x []*big.Float) bool {
	return func(x []*big.Float) bool { return x[0].Sign() != 0 && !exceeds(x[0], most) }
}

func exceeds(x *big.Float, most float64) bool { return abs(x).Cmp(number(most)) > 0 }

// positive holds of arguments above 0 other than 1.
func positive(x []*big.Float) bool { return x[0].Sign() > 0 && x[0].Cmp(number(1)) != 0 }

// functionNamed is the function of that name, of doubles.
func functionNamed(name string) (function, bool) {
	switch name {
	case "sin":
		return function{1, unary(sin), within(1 << 50), nil}, true
	case "cos":
		return function{1, unary(cos), within(1 << 50), nil}, true
	case "tan":
		return function{1, unary(tan), within(1 << 50), nil}, true
	case "asin":
		return function{1, unary(asin), within(1), nil}, true
	case "acos":
		return function{1, unary(acos),
			func(x []*big.Float) bool { return !exceeds(x[0], 1) && x[0].Cmp(number(1)) != 0 }, nil}, true
	case "atan":
		return function{1, unary(atan), within(1 << 100), nil}, true
	case "atan2":
		return function{2, func(x []*big.Float) *big.Float { return atan2(x[0], x[1]) },
			func(x []*big.Float) bool { return within(1<<50)(x) && x[1].Sign() != 0 && !exceeds(x[1], 1<<50) }, nil}, true
	case "sinh":
		return function{1, unary(sinh), within(700), nil}, true
	case "cosh":
		return function{1, unary(cosh), within(700), nil}, true
	case "tanh":
		return function{1, unary(tanh), within(300), nil}, true
	case "asinh":
		return function{1, unary(asinh), within(1 << 100), nil}, true
	case "acosh":
		return function{1, unary(acosh), func(x []*big.Float) bool {
			return x[0].Cmp(number(1)) > 0 &&
				!exceeds(x[0], 1<<100)
		}, nil}, true
	case "atanh":
		return function{1, unary(atanh), func(x []*big.Float) bool { return x[0].Sign() != 0 && below(x[0], 1) }, nil}, true
	case "exp":
		return function{1, unary(exp), within(700), nil}, true
	case "expm1":
		return function{1, unary(expm1), within(700), nil}, true
	case "exp2":
		return function{1, func(x []*big.Float) *big.Float { return exp(mul(x[0], ln2())) }, within(1000), isPowerOf2}, true
	case "log":
		return function{1, unary(log), positive, nil}, true
	case "log1p":
		return function{1, unary(log1p),
			func(x []*big.Float) bool { return x[0].Sign() != 0 && x[0].Cmp(number(-1)) > 0 }, nil}, true
	case "log2":
		return function{1, func(x []*big.Float) *big.Float { return quo(log(x[0]), ln2()) }, positive, isLog2}, true
	case "log10":
		return function{1, func(x []*big.Float) *big.Float { return quo(log(x[0]), log(number(10))) },
			positive, isLog10}, true
	case "cbrt":
		return function{1, unary(cbrt), func(x []*big.Float) bool { return x[0].Sign() != 0 }, isCubeRoot}, true
	case "hypot":
		return function{2, func(x []*big.Float) *big.Float { return sqrt(add(mul(x[0], x[0]), mul(x[1], x[1]))) },
			func(x []*big.Float) bool { return x[0].Sign() != 0 || x[1].Sign() != 0 }, isHypotenuse}, true
	case "pow":
		return function{2, power, hasPower, isPower}, true
	}
	return function{}, false
}

// value is the function's value at numbers of a format; false where it is refused.
func value(f softfloat.Format, name string, args []uint64) (function, []*big.Float, *big.Float, bool) {
	fn, ok := functionNamed(name)
	if !ok || fn.arity != len(args) {
		return fn, nil, nil, false
	}
	x := make([]*big.Float, len(args))
	for i, a := range args {
		if !f.IsFinite(a) {
			return fn, nil, nil, false
		}
		x[i] = new(big.Float).SetPrec(digits).SetRat(f.Rat(a))
	}
	if !fn.has(x) {
		return fn, nil, nil, false
	}
	return fn, x, fn.of(x), true
}

// Enclose gives neighbours in the format between which the value lies, of those normal numbers that are not next to the
// largest ones.
func Enclose(f softfloat.Format, name string, args ...uint64) (lo, hi uint64, ok bool) {
	_, _, v, ok := value(f, name, args)
	if !ok {
		return 0, 0, false
	}
	r, _ := v.Rat(nil)
	lo, _ = f.FromRat(softfloat.TowardNegative, r)
	hi, _ = f.FromRat(softfloat.TowardPositive, r)
	for _, b := range []uint64{lo, hi} {
		if m := f.Abs(b); m < f.MinNormal()+1<<8 || m > f.Max()-1<<8 {
			return 0, 0, false
		}
	}
	return lo, hi, true
}

// Exact is the value where it is a number of the format.
func Exact(f softfloat.Format, name string, args ...uint64) (uint64, bool) {
	fn, x, v, ok := value(f, name, args)
	if !ok || fn.is == nil || exceeds(v, 1e300) || below(v, 1e-300) && v.Sign() != 0 {
		return 0, false
	}
	r, _ := v.Rat(nil)
	near, _ := f.FromRat(softfloat.NearestEven, r)
	if !f.IsFinite(near) {
		return 0, false
	}
	rats := make([]*big.Rat, len(x))
	for i := range x {
		rats[i] = f.Rat(args[i])
	}
	return near, fn.is(f.Rat(near), rats)
}
