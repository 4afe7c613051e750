package softfloat

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// An oracle rounds exact numbers to a tiny format by searching the list of all its
// values. It shares nothing with the package but the encoding, which it reads anew.
type oracle struct {
	f      Format
	bits   []uint64 // of the values from 0 on, increasing; then of infinity
	values []*big.Rat
	normal *big.Rat // the least normal number
}

func newOracle(f Format) *oracle {
	o := &oracle{f: f}
	e, p := int(f.Exp), int(f.Prec)
	bias := 1<<(e-1) - 1
	scale := func(n int64, exp int) *big.Rat {
		r := new(big.Rat).SetInt64(n)
		two := big.NewRat(2, 1)
		if exp < 0 {
			two, exp = big.NewRat(1, 2), -exp
		}
		for range exp {
			r.Mul(r, two)
		}
		return r
	}
	for biased := range 1<<e - 1 {
		for fraction := range 1 << (p - 1) {
			n, exp := int64(fraction), 1-bias
			if biased > 0 {
				n, exp = n+1<<(p-1), biased-bias
			}
			o.values = append(o.values, scale(n, exp-(p-1)))
		}
	}
	o.values = append(o.values, scale(1, 1<<e-1-bias)) // what infinity is nearest to
	for i := range o.values {
		o.bits = append(o.bits, uint64(i))
	}
	o.normal = scale(1, 1-bias)
	return o
}

// of is the value of finite bits.
func (o *oracle) of(a uint64) *big.Rat {
	sign := uint64(1) << (o.f.Exp + o.f.Prec - 1)
	r := new(big.Rat).Set(o.values[a&^sign])
	if a&sign != 0 {
		r.Neg(r)
	}
	return r
}

// A magnitude is an exact number, not negative: how it compares to others.
type magnitude func(r *big.Rat) int

// choose rounds between two neighbours; odd is the lower one's last bit.
func choose(m Mode, neg, odd bool, x magnitude, lo, hi *big.Rat) (up bool) {
	if x(lo) == 0 {
		return false
	}
	middle := new(big.Rat).Add(lo, hi)
	middle.Mul(middle, big.NewRat(1, 2))
	switch m {
	case NearestEven:
		return x(middle) > 0 || x(middle) == 0 && odd
	case NearestAway:
		return x(middle) >= 0
	case TowardPositive:
		return !neg
	case TowardNegative:
		return neg
	}
	return false
}

// round is the value and the flags of an exact result.
func (o *oracle) round(m Mode, neg bool, x magnitude) (uint64, Flags) {
	sign := uint64(0)
	if neg {
		sign = 1 << (o.f.Exp + o.f.Prec - 1)
	}
	last := len(o.values) - 1
	if x(o.values[last]) >= 0 {
		if m == TowardZero || m == TowardPositive && neg || m == TowardNegative && !neg {
			return sign | o.bits[last-1], Overflow | Inexact
		}
		return sign | o.bits[last], Overflow | Inexact
	}
	i, _ := slices.BinarySearchFunc(o.values, x, func(v *big.Rat, x magnitude) int {
		if x(v) >= 0 {
			return -1
		}
		return 1
	})
	i-- // the greatest value that is not greater
	lo, hi := o.values[i], o.values[i+1]
	var flags Flags
	if x(lo) != 0 {
		flags = Inexact
		if o.tiny(m, neg, x) {
			flags |= Underflow
		}
	}
	if choose(m, neg, o.bits[i]&1 == 1, x, lo, hi) {
		if i++; i == last {
			flags |= Overflow
		}
	}
	return sign | o.bits[i], flags
}

// tiny is whether a number is below the least normal one when it is rounded with an
// unbounded exponent: only the greatest number of full precision below is in doubt.
func (o *oracle) tiny(m Mode, neg bool, x magnitude) bool {
	if x(o.normal) >= 0 {
		return false
	}
	below := new(big.Rat).Set(o.normal)
	step := big.NewRat(1, 1<<o.f.Prec)
	below.Sub(below, step.Mul(step, o.normal))
	return x(below) < 0 || !choose(m, neg, true, x, below, o.normal)
}

func exactly(r *big.Rat) magnitude {
	abs := new(big.Rat).Abs(r)
	return abs.Cmp
}

// rootOf is the square root of a number.
func rootOf(r *big.Rat) magnitude {
	return func(v *big.Rat) int { return r.Cmp(new(big.Rat).Mul(v, v)) }
}

// class tells the operands for which the result is no matter of rounding.
type class int

const (
	nan class = iota
	signaling
	infinite
	zero
	finite
)

func (o *oracle) class(a uint64) (c class, neg bool) {
	p, w := o.f.Prec, o.f.Exp+o.f.Prec
	neg = a>>(w-1) == 1
	fraction, biased := a&(1<<(p-1)-1), a>>(p-1)&(1<<o.f.Exp-1)
	switch most := uint64(1)<<o.f.Exp - 1; {
	case biased == most && fraction == 0:
		return infinite, neg
	case biased == most && fraction>>(p-2) == 0:
		return signaling, neg
	case biased == most:
		return nan, neg
	case biased == 0 && fraction == 0:
		return zero, neg
	}
	return finite, neg
}

func (o *oracle) infinity(neg bool) uint64 {
	if neg {
		return o.bits[len(o.bits)-1] | 1<<(o.f.Exp+o.f.Prec-1)
	}
	return o.bits[len(o.bits)-1]
}

func (o *oracle) theNaN() uint64 { return o.infinity(false) + 1<<(o.f.Prec-2) }

// number rounds an exact result; where that is 0, the sign is given.
func (o *oracle) number(m Mode, r *big.Rat, negZero bool) (uint64, Flags) {
	if r.Sign() == 0 {
		return o.round(m, negZero, exactly(r))
	}
	return o.round(m, r.Sign() < 0, exactly(r))
}

// propagate is the result where an operand is a NaN.
func (o *oracle) propagate(classes ...class) (uint64, Flags) {
	if slices.Contains(classes, signaling) {
		return o.theNaN(), Invalid
	}
	return o.theNaN(), 0
}

func (o *oracle) fma(m Mode, a, b, c uint64, withSum bool) (uint64, Flags) {
	ca, na := o.class(a)
	cb, nb := o.class(b)
	cc, nc := o.class(c)
	neg := na != nb
	sameZero := neg && nc || m == TowardNegative && neg != nc
	switch {
	case ca <= signaling || cb <= signaling || cc <= signaling:
		return o.propagate(ca, cb, cc)
	case ca == infinite && cb == zero || ca == zero && cb == infinite:
		return o.theNaN(), Invalid
	case ca == infinite || cb == infinite:
		if withSum && cc == infinite && neg != nc {
			return o.theNaN(), Invalid
		}
		return o.infinity(neg), 0
	case cc == infinite:
		return c, 0
	}
	r := new(big.Rat).Mul(o.of(a), o.of(b))
	if !withSum {
		return o.number(m, r, neg)
	}
	if r.Sign() == 0 && cc == zero {
		return o.number(m, r, sameZero)
	}
	r.Add(r, o.of(c))
	return o.number(m, r, m == TowardNegative)
}

func (o *oracle) add(m Mode, a, b uint64) (uint64, Flags) {
	ca, na := o.class(a)
	cb, nb := o.class(b)
	switch {
	case ca <= signaling || cb <= signaling:
		return o.propagate(ca, cb)
	case ca == infinite && cb == infinite && na != nb:
		return o.theNaN(), Invalid
	case ca == infinite:
		return a, 0
	case cb == infinite:
		return b, 0
	case ca == zero && cb == zero && na == nb:
		return a, 0
	}
	return o.number(m, new(big.Rat).Add(o.of(a), o.of(b)), m == TowardNegative)
}

func (o *oracle) div(m Mode, a, b uint64) (uint64, Flags) {
	ca, na := o.class(a)
	cb, nb := o.class(b)
	switch neg := na != nb; {
	case ca <= signaling || cb <= signaling:
		return o.propagate(ca, cb)
	case ca == cb && (ca == infinite || ca == zero):
		return o.theNaN(), Invalid
	case ca == infinite:
		return o.infinity(neg), 0
	case cb == zero:
		return o.infinity(neg), DivideByZero
	case cb == infinite:
		return o.number(m, new(big.Rat), neg)
	default:
		return o.number(m, new(big.Rat).Quo(o.of(a), o.of(b)), neg)
	}
}

func (o *oracle) sqrt(m Mode, a uint64) (uint64, Flags) {
	switch c, neg := o.class(a); {
	case c <= signaling:
		return o.propagate(c)
	case c == zero:
		return a, 0
	case neg:
		return o.theNaN(), Invalid
	case c == infinite:
		return a, 0
	}
	return o.round(m, false, rootOf(o.of(a)))
}

// integral is an exact number rounded to an integer.
func integral(m Mode, r *big.Rat) *big.Int {
	abs := new(big.Rat).Abs(r)
	n := new(big.Int).Quo(abs.Num(), abs.Denom())
	lo, hi := new(big.Rat).SetInt(n), new(big.Rat).SetInt(new(big.Int).Add(n, big.NewInt(1)))
	if choose(m, r.Sign() < 0, n.Bit(0) == 1, exactly(r), lo, hi) {
		n.Add(n, big.NewInt(1))
	}
	if r.Sign() < 0 {
		n.Neg(n)
	}
	return n
}

func (o *oracle) remainder(m Mode, a, b uint64) (uint64, Flags) {
	ca, na := o.class(a)
	cb, _ := o.class(b)
	switch {
	case ca <= signaling || cb <= signaling:
		return o.propagate(ca, cb)
	case ca == infinite || cb == zero:
		return o.theNaN(), Invalid
	case cb == infinite:
		return a, 0
	}
	n := new(big.Rat).SetInt(integral(m, new(big.Rat).Quo(o.of(a), o.of(b))))
	return o.number(NearestEven, n.Sub(o.of(a), n.Mul(n, o.of(b))), na)
}

func (o *oracle) roundToIntegral(m Mode, a uint64) (uint64, Flags) {
	c, neg := o.class(a)
	if c <= signaling {
		return o.propagate(c)
	}
	if c == infinite {
		return a, 0
	}
	r := new(big.Rat).SetInt(integral(m, o.of(a)))
	v, flags := o.number(NearestEven, r, neg)
	if r.Cmp(o.of(a)) != 0 {
		flags |= Inexact
	}
	return v, flags
}

func (o *oracle) toInt(m Mode, to Int, a uint64) (uint64, bool, Flags) {
	if c, _ := o.class(a); c <= infinite {
		return 0, false, Invalid
	}
	n := integral(m, o.of(a))
	least, most := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(to.Width))
	if to.Signed {
		most.Rsh(most, 1)
		least.Neg(most)
	}
	if n.Cmp(least) < 0 || n.Cmp(most) >= 0 {
		return 0, false, Invalid
	}
	var flags Flags
	if new(big.Rat).SetInt(n).Cmp(o.of(a)) != 0 {
		flags = Inexact
	}
	v := n.Int64() & (1<<to.Width - 1)
	return uint64(v), true, flags
}

func (o *oracle) convert(m Mode, from *oracle, a uint64) (uint64, Flags) {
	switch c, neg := from.class(a); c {
	case nan, signaling:
		return o.propagate(c)
	case infinite:
		return o.infinity(neg), 0
	default:
		return o.number(m, from.of(a), neg)
	}
}

func (o *oracle) compare(a, b uint64) (eq, lt, unordered, bad bool) {
	ca, na := o.class(a)
	cb, nb := o.class(b)
	if ca <= signaling || cb <= signaling {
		return false, false, true, ca == signaling || cb == signaling
	}
	value := func(a uint64, c class, neg bool) *big.Rat {
		if c != infinite {
			return o.of(a)
		}
		r := new(big.Rat).Set(o.values[len(o.values)-1])
		if neg {
			r.Neg(r)
		}
		return r
	}
	c := value(a, ca, na).Cmp(value(b, cb, nb))
	return c == 0, c < 0, false, false
}

var tiny = []Format{{2, 3}, {3, 2}, {3, 4}, {4, 2}, {2, 5}, {4, 3}}

func (f Format) String() string { return fmt.Sprintf("float(%d, %d)", f.Exp, f.Prec) }

type result struct {
	v     uint64
	flags Flags
}

func got(v uint64, flags Flags) result { return result{v, flags} }

// TestTinyFormats compares all operations with the oracle, for all operands, all
// modes and all flags.
func TestTinyFormats(t *testing.T) {
	sample.Long(t)
	for _, f := range tiny {
		o := newOracle(f)
		all := uint64(1) << f.Width()
		same := func(what string, want, got result, m Mode, operands ...uint64) {
			if want != got {
				require.Failf(t, "wrong", "%v: %s %v %x: %x, not %x", f, what, m, operands, got, want)
			}
		}
		for m := range Mode(Modes) {
			for a := range all {
				same("sqrt", got(o.sqrt(m, a)), got(f.Sqrt(m, a)), m, a)
				same("rint", got(o.roundToIntegral(m, a)), got(f.RoundToIntegral(m, a)), m, a)
				for b := range all {
					same("add", got(o.add(m, a, b)), got(f.Add(m, a, b)), m, a, b)
					same("sub", got(o.add(m, a, b^all>>1)), got(f.Sub(m, a, b)), m, a, b)
					same("mul", got(o.fma(m, a, b, 0, false)), got(f.Mul(m, a, b)), m, a, b)
					same("div", got(o.div(m, a, b)), got(f.Div(m, a, b)), m, a, b)
				}
			}
		}
		for a := range all {
			for b := range all {
				same("rem", got(o.remainder(NearestEven, a, b)), got(f.Rem(a, b)), 0, a, b)
				same("mod", got(o.remainder(TowardZero, a, b)), got(f.Mod(a, b)), 0, a, b)
				eq, lt, unordered, bad := o.compare(a, b)
				isEq, flags := f.Eq(a, b)
				require.Equal(t, []bool{eq, bad}, []bool{isEq, flags == Invalid}, "%v: %x == %x", f, a, b)
				isLt, flags := f.Lt(a, b)
				require.Equal(t, []bool{lt, unordered}, []bool{isLt, flags == Invalid}, "%v: %x < %x", f, a, b)
				isLe, flags := f.Le(a, b)
				require.Equal(t, []bool{lt || eq, unordered}, []bool{isLe, flags == Invalid}, "%v: %x <= %x", f, a, b)
			}
		}
	}
}

func TestTinyFma(t *testing.T) {
	sample.Long(t)
	for _, f := range []Format{{2, 3}, {3, 2}, {3, 3}} {
		o := newOracle(f)
		all := uint64(1) << f.Width()
		for m := range Mode(Modes) {
			step := uint64(1)
			if f.Width() > 6 && !sample.Campaign() {
				step = 7 // of two million
			}
			for n := uint64(0); n < all*all*all; n += step {
				a, b, c := n%all, n/all%all, n/all/all
				if want, got := got(o.fma(m, a, b, c, true)), got(f.Fma(m, a, b, c)); want != got {
					require.Failf(t, "wrong", "%v: fma %v %x %x %x: %x, not %x", f, m, a, b, c, got, want)
				}
			}
		}
	}
}

func TestTinyConversions(t *testing.T) {
	for _, f := range append(tiny, Format{4, 5}) {
		from := newOracle(f)
		all := uint64(1) << f.Width()
		for m := range Mode(Modes) {
			for _, g := range tiny {
				to := newOracle(g)
				for a := range all {
					require.Equal(t, got(to.convert(m, from, a)), got(f.Convert(m, g, a)), "%v to %v %v: %x", f, g, m, a)
				}
			}
			for _, i := range []Int{{1, false}, {1, true}, {3, true}, {4, false}, {6, true}, {20, true}} {
				least, most := f.IntRange(m, i)
				for a := range all {
					v, ok, flags := from.toInt(m, i, a)
					w, has, raised := f.ToInt(m, i, a)
					require.Equal(t, []any{v, ok, flags}, []any{w, has, raised}, "%v to %v %v: %x", f, i, m, a)
					above, _ := f.Le(least, a)
					below, _ := f.Le(a, most)
					require.Equal(t, ok, above && below, "%v to %v %v: %x", f, i, m, a)
				}
				for v := range uint64(1) << min(i.Width, 8) {
					n := int64(v)
					if i.Signed && v>>(i.Width-1) == 1 {
						n -= 1 << i.Width
					}
					require.Equal(t, got(from.number(m, new(big.Rat).SetInt64(n), false)), got(f.FromInt(m, i, v)),
						"%v of %v %v: %d", f, i, m, n)
				}
			}
		}
	}
}
