// Package softfloat is IEEE 754 binary arithmetic in software, for formats of
// any size up to 64 bits, for those of the x87's kind, whose 80 bits name all
// bits of the significand, and for those of up to 128 bits, as quad is.
//
// A [Format] is a number of exponent bits and a precision; a value is its bit
// pattern in the low bits of a uint64: the sign, the biased exponent, the
// fraction. A value of an [Explicit] or [Large] format is a [Pair] of words. Every operation
// is exact, then rounded once by a [Mode], and gives the flags that it raises. No
// operation uses the floating point of the machine that runs it.
//
//	x, _, _ := softfloat.Single.Parse("0.1", softfloat.NearestEven)
//	sum, flags := softfloat.Single.Add(softfloat.NearestEven, x, x)
//	fmt.Println(softfloat.Single.Text(sum), flags) // 0.2 0
//
// A NaN that an operation produces is the one of [Format.NaN]: quiet, without
// payload, its sign clear. IEEE 754 leaves sign and payload open (6.2.3), and
// machines differ: SSE and x87 produce a NaN whose sign is set where no operand
// is one, and else hand on an operand's payload; other machines produce the NaN
// of this package. What reads the bits of a NaN must not rely on them.
//
// A number is tiny, for the flag [Underflow], if it would be below the least
// normal number were it rounded with an unbounded exponent ("after rounding",
// IEEE 754 7.5), as SSE and x87 have it.
//
// Left out: decimal formats, traps, and flushing subnormal numbers to zero.
package softfloat
