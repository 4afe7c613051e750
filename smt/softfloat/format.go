package softfloat

import "fmt"

// A Format is a binary format of IEEE 754. Its width, Exp+Prec, is at most 64.
type Format struct {
	Exp  uint8 // bits of the exponent, 2 to 15
	Prec uint8 // bits of the significand, with the one that is not stored; 2 to 60
}

// The formats of C's types on the usual machines.
var (
	Half   = Format{5, 11}
	Single = Format{8, 24}
	Double = Format{11, 53}
)

// A Mode says how a number is rounded that a format does not have.
type Mode uint8

// The rounding modes of IEEE 754.
const (
	NearestEven    Mode = iota // to nearest, ties to the even one
	NearestAway                // to nearest, ties away from zero
	TowardPositive             // up
	TowardNegative             // down
	TowardZero                 // truncation
)

// Modes is the number of rounding modes.
const Modes = 5

var modeNames = [Modes]string{"RNE", "RNA", "RTP", "RTN", "RTZ"}

// String is the name of the mode in SMT-LIB.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// Flags is a set of exceptions.
type Flags uint8

// The exceptions of IEEE 754.
const (
	Inexact Flags = 1 << iota
	Underflow
	Overflow
	DivideByZero
	Invalid
)

// Valid reports whether the package can compute in the format.
func (f Format) Valid() bool {
	return f.Exp >= 2 && f.Exp <= 15 && f.Prec >= 2 && f.Prec <= 60 && f.Exp+f.Prec <= 64
}

// Width is the number of bits of a value.
func (f Format) Width() int { return int(f.Exp) + int(f.Prec) }

// Bias is what is added to an exponent to store it, and the greatest exponent.
func (f Format) Bias() int { return 1<<(f.Exp-1) - 1 }

func (f Format) fractionBits() uint { return uint(f.Prec) - 1 }

func (f Format) fractionMask() uint64 { return 1<<f.fractionBits() - 1 }

func (f Format) expMax() uint64 { return 1<<f.Exp - 1 }

// SignBit has the bit of the sign set.
func (f Format) SignBit() uint64 { return 1 << (f.Width() - 1) }

// Zero is +0.
func (f Format) Zero() uint64 { return 0 }

// Inf is +∞.
func (f Format) Inf() uint64 { return f.expMax() << f.fractionBits() }

// NaN is the NaN that operations produce.
func (f Format) NaN() uint64 { return f.Inf() | 1<<(f.fractionBits()-1) }

// Max is the greatest finite number.
func (f Format) Max() uint64 { return f.Inf() - 1 }

// MinNormal is the least positive number that is not subnormal.
func (f Format) MinNormal() uint64 { return 1 << f.fractionBits() }

// MinSubnormal is the least positive number.
func (f Format) MinSubnormal() uint64 { return 1 }

// One is 1.
func (f Format) One() uint64 { return uint64(f.Bias()) << f.fractionBits() }

// Neg is -a, of a NaN too.
func (f Format) Neg(a uint64) uint64 { return a ^ f.SignBit() }

// Abs is a with a clear sign, of a NaN too.
func (f Format) Abs(a uint64) uint64 { return a &^ f.SignBit() }

// IsNaN reports whether a is no number.
func (f Format) IsNaN(a uint64) bool { return f.Abs(a) > f.Inf() }

// IsSignaling reports whether a is a NaN that raises [Invalid] when it is used.
func (f Format) IsSignaling(a uint64) bool {
	return f.IsNaN(a) && a>>(f.fractionBits()-1)&1 == 0
}

// IsInf reports whether a is +∞ or -∞.
func (f Format) IsInf(a uint64) bool { return f.Abs(a) == f.Inf() }

// IsZero reports whether a is +0 or -0.
func (f Format) IsZero(a uint64) bool { return f.Abs(a) == 0 }

// IsFinite reports whether a is a number and no infinity.
func (f Format) IsFinite(a uint64) bool { return f.Abs(a) < f.Inf() }

// IsNegative reports whether the sign of a is set.
func (f Format) IsNegative(a uint64) bool { return a&f.SignBit() != 0 }

// IsSubnormal reports whether a is not 0 and below the least normal number.
func (f Format) IsSubnormal(a uint64) bool { return !f.IsZero(a) && f.Abs(a) < f.MinNormal() }
