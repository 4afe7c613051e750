package elementary

// Where functions have values that are numbers of a format.
//
// Idea: whether v is the value is an equation of rational numbers with integral powers: v³ = x, v² = x² + y²,
// and with y = n/2^k, v^(2^k) = xⁿ.
//
// Cost: powers of as many bits as maxPower allows.

import (
	"math"
	"math/big"
)

// maxPower is the greatest exponent of a power that is computed: of a number other than a power of 2, a
// larger one has more digits than any format.
const maxPower = 1100

func isPowerOf2(v *big.Rat, x []*big.Rat) bool {
	n, ok := integer(x[0])
	return ok && v.Cmp(raised(big.NewRat(2, 1), n)) == 0
}

func isLog2(v *big.Rat, x []*big.Rat) bool { return isPowerOf2(x[0], []*big.Rat{v}) }

func isLog10(v *big.Rat, x []*big.Rat) bool {
	n, ok := integer(v)
	return ok && x[0].Cmp(raised(big.NewRat(10, 1), n)) == 0
}

func isCubeRoot(v *big.Rat, x []*big.Rat) bool { return raised(v, 3).Cmp(x[0]) == 0 }

func isHypotenuse(v *big.Rat, x []*big.Rat) bool {
	squares := new(big.Rat).Add(raised(x[0], 2), raised(x[1], 2))
	return raised(v, 2).Cmp(squares) == 0
}

// isPower is whether v is x to the power of y.
func isPower(v *big.Rat, x []*big.Rat) bool {
	roots := x[1].Denom()
	n, ok := integer(new(big.Rat).SetInt(x[1].Num()))
	if !ok || !roots.IsInt64() || roots.Int64() > 64 || v.Sign() == 0 {
		return false
	}
	return raised(v, int(roots.Int64())).Cmp(raised(x[0], n)) == 0
}

// integer is a number that is an integer, and not a large one.
func integer(x *big.Rat) (int, bool) {
	if !x.IsInt() || !x.Num().IsInt64() || x.Num().Int64() > maxPower || x.Num().Int64() < -maxPower {
		return 0, false
	}
	return int(x.Num().Int64()), true
}

// raised is x to the power of n.
func raised(x *big.Rat, n int) *big.Rat {
	if n < 0 {
		return raised(new(big.Rat).Inv(x), -n)
	}
	e := big.NewInt(int64(n))
	return new(big.Rat).SetFrac(new(big.Int).Exp(x.Num(), e, nil), new(big.Int).Exp(x.Denom(), e, nil))
}

// power is x to the power of y, where x is not 0.
func power(x []*big.Float) *big.Float {
	r := exp(mul(x[1], log(abs(x[0]))))
	if n, _ := x[1].Int(nil); x[0].Sign() < 0 && n.Bit(0) == 1 {
		return neg(r)
	}
	return r
}

// hasPower holds of a positive base, or a negative one and an integral exponent, with a power within reach.
func hasPower(x []*big.Float) bool {
	if x[0].Sign() == 0 || x[1].Sign() == 0 || x[0].Sign() < 0 && !x[1].IsInt() || exceeds(x[1], 1<<60) {
		return false
	}
	size, _ := mul(x[1], log(abs(x[0]))).Float64()
	return math.Abs(size) < 700
}
