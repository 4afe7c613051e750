package softfloat

import "math/big"

// A Paired is a format whose values are pairs: [Extended] or [Quad]. What its functions do is said where those types
// have them.
type Paired interface {
	Numbers() Format
	SignBit() uint64 // in the high word
	Zero() Pair
	Inf() Pair
	NaN() Pair
	MinNormal() Pair
	Neg(a Pair) Pair
	IsNaN(a Pair) bool
	IsFinite(a Pair) bool

	Add(m Mode, a, b Pair) (Pair, Flags)
	Mul(m Mode, a, b Pair) (Pair, Flags)
	Div(m Mode, a, b Pair) (Pair, Flags)
	Fma(m Mode, a, b, c Pair) (Pair, Flags)
	Sqrt(m Mode, a Pair) (Pair, Flags)
	Rem(a, b Pair) (Pair, Flags)
	Mod(a, b Pair) (Pair, Flags)
	RoundToIntegral(m Mode, a Pair) (Pair, Flags)

	Eq(a, b Pair) (bool, Flags)
	Lt(a, b Pair) (bool, Flags)
	Le(a, b Pair) (bool, Flags)

	Convert(m Mode, to Format, a Pair) (uint64, Flags)
	From(m Mode, from Format, a uint64) (Pair, Flags)
	ToInt(m Mode, to Int, a Pair) (uint64, bool, Flags)
	FromInt(m Mode, from Int, v uint64) (Pair, Flags)
	IntRange(m Mode, to Int) (least, most Pair)

	Parse(text string, m Mode) (Pair, Flags, error)
	FromRat(m Mode, r *big.Rat) (Pair, Flags)
	Rat(a Pair) *big.Rat
	Text(a Pair) string
	Hex(a Pair) string
}

var _ = []Paired{Extended, Quad}
