package softfloat

// The operations on values of up to 64 bits.

// Add is a + b.
func (f Format) Add(m Mode, a, b uint64) (uint64, Flags) {
	return f.packed(f.add(m, f.unpack(a), f.unpack(b)))
}

// Sub is a - b.
func (f Format) Sub(m Mode, a, b uint64) (uint64, Flags) {
	return f.Add(m, a, f.Neg(b)) // where b is a NaN, so is the result, whatever its sign
}

// Mul is a · b.
func (f Format) Mul(m Mode, a, b uint64) (uint64, Flags) {
	return f.packed(f.mul(m, f.unpack(a), f.unpack(b)))
}

// Div is a / b.
func (f Format) Div(m Mode, a, b uint64) (uint64, Flags) {
	return f.packed(f.div(m, f.unpack(a), f.unpack(b)))
}

// Fma is a · b + c, rounded once.
func (f Format) Fma(m Mode, a, b, c uint64) (uint64, Flags) {
	return f.packed(f.fma(m, f.unpack(a), f.unpack(b), f.unpack(c)))
}

// Sqrt is the square root of a.
func (f Format) Sqrt(m Mode, a uint64) (uint64, Flags) { return f.packed(f.sqrt(m, f.unpack(a))) }

// Rem is IEEE 754's remainder, a - b · n for the integer n nearest to a / b, the
// even one of two; C's remainder.
func (f Format) Rem(a, b uint64) (uint64, Flags) {
	return f.packed(f.remainder(f.unpack(a), f.unpack(b), true))
}

// Mod is the remainder of the truncated quotient, C's fmod.
func (f Format) Mod(a, b uint64) (uint64, Flags) {
	return f.packed(f.remainder(f.unpack(a), f.unpack(b), false))
}

// Eq is a == b, false where one is a NaN.
func (f Format) Eq(a, b uint64) (bool, Flags) {
	if f.IsNaN(a) || f.IsNaN(b) {
		_, flags := propagated(f.unpack(a), f.unpack(b))
		return false, flags
	}
	return a == b || f.IsZero(a) && f.IsZero(b), 0
}

// Lt is a < b, false where one is a NaN, which raises [Invalid].
func (f Format) Lt(a, b uint64) (bool, Flags) {
	if f.IsNaN(a) || f.IsNaN(b) {
		return false, Invalid
	}
	return order(f, a) < order(f, b), 0
}

// Le is a <= b, false where one is a NaN, which raises [Invalid].
func (f Format) Le(a, b uint64) (bool, Flags) {
	if f.IsNaN(a) || f.IsNaN(b) {
		return false, Invalid
	}
	return order(f, a) <= order(f, b), 0
}

// order maps numbers to integers of the same order, both zeros to 0.
func order(f Format, a uint64) int64 {
	if f.IsNegative(a) {
		return -int64(f.Abs(a))
	}
	return int64(a)
}

// Convert is a, a value of f, in another format.
func (f Format) Convert(m Mode, to Format, a uint64) (uint64, Flags) {
	return to.packed(f.unpack(a).in(to, m))
}

// RoundToIntegral is the integer that a is rounded to, with a's sign where that
// is 0.
func (f Format) RoundToIntegral(m Mode, a uint64) (uint64, Flags) {
	return f.packed(f.integral(m, f.unpack(a)))
}

// ToInt is the integer that a is rounded to. It reports false, and gives 0 and
// [Invalid], where the type does not have this integer.
func (f Format) ToInt(m Mode, to Int, a uint64) (uint64, bool, Flags) {
	return to.whole(m, f.unpack(a))
}

// FromInt is the integer v of the type from in the format.
func (f Format) FromInt(m Mode, from Int, v uint64) (uint64, Flags) {
	return f.packed(f.rounded(m, from, v))
}

// IntRange are the least and the greatest value that [Format.ToInt] converts: all
// between them are converted too.
func (f Format) IntRange(m Mode, to Int) (least, most uint64) {
	return farthest(f, m, to, f.SignBit()), farthest(f, m, to, 0)
}

// farthest is the value of that sign with the greatest magnitude that is converted.
// The magnitudes that are converted are 0 and all up to some other.
func farthest(f Format, m Mode, to Int, sign uint64) uint64 {
	lo, hi := uint64(0), f.Inf() // lo is converted, hi is not
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if _, ok, _ := f.ToInt(m, to, sign|mid); ok {
			lo = mid
		} else {
			hi = mid
		}
	}
	return sign | lo
}
