package elementary

// Elementary functions of numbers of many digits.
//
// Idea: an argument is brought near 0 by a law of the function and put into its power series, whose terms are summed up
// until they do not count. All is computed with so many digits that what is lost on the way (some 100 bits for the
// largest arguments, that of sin for reduction) leaves more than twice those of a double.
//
// Source: Brent, Zimmermann, "Modern Computer Arithmetic" (2010), chapter 4. Rejected: faster series, for calls with
// constant arguments are few. Cost: some 200 products of 1,000 bits.

import "math/big"

const (
	digits = 1024 // bits of every number
	kept   = 600  // bits below which a term does not count
)

func number(x float64) *big.Float { return new(big.Float).SetPrec(digits).SetFloat64(x) }

func add(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(digits).Add(x, y) }

func sub(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(digits).Sub(x, y) }

func mul(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(digits).Mul(x, y) }

func quo(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(digits).Quo(x, y) }

func neg(x *big.Float) *big.Float { return new(big.Float).Neg(x) }

func abs(x *big.Float) *big.Float { return new(big.Float).Abs(x) }

func sqrt(x *big.Float) *big.Float { return new(big.Float).SetPrec(digits).Sqrt(x) }

// scaled is x times 2 to the power of n.
func scaled(x *big.Float, n int) *big.Float { return new(big.Float).SetMantExp(x, n) }

func below(x *big.Float, y float64) bool { return abs(x).Cmp(number(y)) < 0 }

// negligible reports whether a term does not count beside a sum.
func negligible(term, sum *big.Float) bool {
	return term.Sign() == 0 || sum.Sign() != 0 && term.MantExp(nil) < sum.MantExp(nil)-kept
}

// sum adds up the terms of a series, of which next makes the following one.
func sum(term *big.Float, next func(term *big.Float, n int) *big.Float) *big.Float {
	total := term
	for n := 1; ; n++ {
		if term = next(term, n); negligible(term, total) {
			return total
		}
		total = add(total, term)
	}
}

// atanhSeries is x + x³/3 + x⁵/5 …, or with alternating signs, for a small x.
func atanhSeries(x *big.Float, alternating bool) *big.Float {
	square := mul(x, x)
	if alternating {
		square = neg(square)
	}
	power, total := x, x
	for n := 3; ; n += 2 {
		power = mul(power, square)
		term := quo(power, number(float64(n)))
		if negligible(term, total) {
			return total
		}
		total = add(total, term)
	}
}

func ln2() *big.Float { return scaled(atanhSeries(quo(number(1), number(3)), false), 1) }

// pi is by Machin's formula.
func pi() *big.Float {
	a := atanhSeries(quo(number(1), number(5)), true)
	b := atanhSeries(quo(number(1), number(239)), true)
	return scaled(sub(scaled(a, 2), b), 2)
}

// expm1 is e to the power of x, less 1.
func expm1(x *big.Float) *big.Float {
	if below(x, 0.25) {
		return sum(x, func(term *big.Float, n int) *big.Float { return quo(mul(term, x), number(float64(n+1))) })
	}
	half := expm1(scaled(x, -1)) // (h + 1)² - 1
	return mul(half, add(half, number(2)))
}

func exp(x *big.Float) *big.Float { return add(expm1(x), number(1)) }

// log1p is the logarithm of 1 + x.
func log1p(x *big.Float) *big.Float {
	if below(x, 0.25) {
		return scaled(atanhSeries(quo(x, add(x, number(2))), false), 1)
	}
	m := new(big.Float).SetPrec(digits)
	e := add(x, number(1)).MantExp(m) // from 1/2 on, below 1
	if below(m, 0.75) {
		m, e = scaled(m, 1), e-1
	}
	one := number(1)
	near := scaled(atanhSeries(quo(sub(m, one), add(m, one)), false), 1)
	return add(near, mul(number(float64(e)), ln2()))
}

func log(x *big.Float) *big.Float { return log1p(sub(x, number(1))) }

// turned is x less the nearest multiple of pi/2, and which quarter that is.
func turned(x *big.Float) (*big.Float, int64) {
	quarter := scaled(pi(), -1)
	n, _ := add(quo(abs(x), quarter), number(0.5)).Int64()
	if x.Sign() < 0 {
		n = -n
	}
	multiple := new(big.Float).SetPrec(digits).SetInt64(n)
	return sub(x, mul(multiple, quarter)), n & 3
}

// sineSeries is the series of sin, or that of cos.
func sineSeries(x *big.Float, first *big.Float, from int) *big.Float {
	square := neg(mul(x, x))
	return sum(first, func(term *big.Float, n int) *big.Float {
		k := float64(from + 2*n)
		return quo(mul(term, square), number(k*(k-1)))
	})
}

func sin(x *big.Float) *big.Float {
	r, quarter := turned(x)
	v := r
	if quarter&1 == 0 {
		v = sineSeries(r, r, 1)
	} else {
		v = sineSeries(r, number(1), 0)
	}
	if quarter >= 2 {
		return neg(v)
	}
	return v
}

func cos(x *big.Float) *big.Float {
	r, quarter := turned(x)
	v := r
	if quarter&1 == 0 {
		v = sineSeries(r, number(1), 0)
	} else {
		v = sineSeries(r, r, 1)
	}
	if quarter == 1 || quarter == 2 {
		return neg(v)
	}
	return v
}

func tan(x *big.Float) *big.Float { return quo(sin(x), cos(x)) }

// atan halves the angle until its tangent is small.
func atan(x *big.Float) *big.Float {
	one := number(1)
	if exceeds(x, 1) {
		quarter := scaled(pi(), -1)
		if x.Sign() < 0 {
			quarter = neg(quarter)
		}
		return sub(quarter, atan(quo(one, x)))
	}
	if below(x, 0.125) {
		return atanhSeries(x, true)
	}
	return scaled(atan(quo(x, add(one, sqrt(add(one, mul(x, x)))))), 1)
}

func asin(x *big.Float) *big.Float {
	one := number(1)
	rest := mul(sub(one, x), add(one, x))
	if rest.Sign() == 0 {
		return mul(x, scaled(pi(), -1))
	}
	return atan(quo(x, sqrt(rest)))
}

func acos(x *big.Float) *big.Float {
	one := number(1)
	if add(one, x).Sign() == 0 {
		return pi()
	}
	return scaled(atan(sqrt(quo(sub(one, x), add(one, x)))), 1)
}

// atan2 is the angle of a point that is not the origin.
func atan2(y, x *big.Float) *big.Float {
	switch {
	case x.Sign() > 0:
		return atan(quo(y, x))
	case x.Sign() < 0 && y.Sign() >= 0:
		return add(atan(quo(y, x)), pi())
	case x.Sign() < 0:
		return sub(atan(quo(y, x)), pi())
	case y.Sign() < 0:
		return neg(scaled(pi(), -1))
	}
	return scaled(pi(), -1)
}

func sinh(x *big.Float) *big.Float {
	u := expm1(x)
	return scaled(add(u, quo(u, add(u, number(1)))), -1)
}

func cosh(x *big.Float) *big.Float {
	e := exp(x)
	return scaled(add(e, quo(number(1), e)), -1)
}

func tanh(x *big.Float) *big.Float {
	u := expm1(scaled(x, 1))
	return quo(u, add(u, number(2)))
}

func asinh(x *big.Float) *big.Float {
	a, one := abs(x), number(1)
	square := mul(a, a)
	r := log1p(add(a, quo(square, add(one, sqrt(add(one, square))))))
	if x.Sign() < 0 {
		return neg(r)
	}
	return r
}

func acosh(x *big.Float) *big.Float {
	t := sub(x, number(1))
	return log1p(add(t, sqrt(add(scaled(t, 1), mul(t, t)))))
}

func atanh(x *big.Float) *big.Float {
	return scaled(log1p(quo(scaled(x, 1), sub(number(1), x))), -1)
}

func cbrt(x *big.Float) *big.Float {
	r := exp(quo(log(abs(x)), number(3)))
	if x.Sign() < 0 {
		return neg(r)
	}
	return r
}
