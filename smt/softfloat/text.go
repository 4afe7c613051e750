package softfloat

// Constants as text: correctly rounded reading, shortest printing.
//
// Idea: a text is a rational number, exactly; it is cut to 128 bits with the
// last one jammed and rounded as any result is. The shortest decimal text is
// searched for: of 1, 2, 3 … digits, the first nearest number that is read as the
// same value.
//
// Source: C11 6.4.4.2, IEEE 754-2019 5.12. Rejected: Grisu and Ryū, for constants
// are few. Cost: quadratic in the number of digits.

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// mostExponent is a decimal or binary exponent beyond which every format
// overflows or underflows, the digits being counted.
const mostExponent = 1 << 15

// Parse reads a decimal or hexadecimal constant of C, which may have a sign but
// no suffix; also "inf" and "nan".
func (f Format) Parse(text string, m Mode) (uint64, Flags, error) {
	x, flags, err := parse(f, text, m)
	v, flags := f.packed(x, flags)
	return v, flags, err
}

func parse(f Format, text string, m Mode) (operand, Flags, error) {
	n, err := read(text)
	if err != nil || n.kind != kindFinite {
		return operand{kind: n.kind, neg: n.neg}, 0, err
	}
	v, flags := ratio(f, m, n.neg, n.num, n.den)
	return v, flags, nil
}

// A rational is what a text says: num / den if it is finite.
type rational struct {
	kind     kind
	neg      bool
	num, den *big.Int
}

// read reads a constant.
func read(text string) (rational, error) {
	rest, neg := strings.CutPrefix(text, "-")
	if !neg {
		rest = strings.TrimPrefix(rest, "+")
	}
	switch strings.ToLower(rest) {
	case "inf", "infinity":
		return rational{kind: kindInfinity, neg: neg}, nil
	case "nan":
		return rational{kind: kindNaN, neg: neg}, nil
	}
	digits, exp, base, ok := scan(rest)
	if !ok {
		return rational{}, fmt.Errorf("%q is no floating-point constant", text)
	}
	if digits.Sign() == 0 {
		return rational{kind: kindZero, neg: neg}, nil
	}
	size := exp // of the number's leading digit, roughly
	if base == 10 {
		size += len(digits.Text(10))
	} else {
		size += digits.BitLen()
	}
	switch beyond := new(big.Int).Lsh(big.NewInt(1), mostExponent); {
	case size > mostExponent:
		return rational{kindFinite, neg, beyond, big.NewInt(1)}, nil
	case size < -mostExponent:
		return rational{kindFinite, neg, big.NewInt(1), beyond}, nil
	}
	num, den := digits, big.NewInt(1)
	scale := new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(max(exp, -exp))), nil)
	if exp >= 0 {
		num.Mul(num, scale)
	} else {
		den = scale
	}
	return rational{kindFinite, neg, num, den}, nil
}

// FromRat is the rational number r in the format; a zero is +0.
func (f Format) FromRat(m Mode, r *big.Rat) (uint64, Flags) {
	return f.packed(fromRat(f, m, r))
}

func fromRat(f Format, m Mode, r *big.Rat) (operand, Flags) {
	return ratio(f, m, r.Sign() < 0, new(big.Int).Abs(r.Num()), new(big.Int).Set(r.Denom()))
}

// ratio is num / den, neither negative.
func ratio(f Format, m Mode, neg bool, num, den *big.Int) (operand, Flags) {
	if num.Sign() == 0 {
		return operand{kind: kindZero, neg: neg}, 0
	}
	exp := num.BitLen() - den.BitLen() - 126
	if exp < 0 {
		num = new(big.Int).Lsh(num, uint(-exp))
	} else {
		den = new(big.Int).Lsh(den, uint(exp))
	}
	q, r := new(big.Int).QuoRem(num, den, new(big.Int)) // of 126 or 127 bits
	w := wide{new(big.Int).Rsh(q, 64).Uint64(), new(big.Int).And(q, lowWord()).Uint64()}
	w.lo |= sticky(r.Sign() != 0)
	return f.round(m, neg, exp, w)
}

func lowWord() *big.Int { return new(big.Int).SetUint64(^uint64(0)) }

// scan splits a constant into digits · base^exp, the base being 10 or 2.
func scan(text string) (digits *big.Int, exp, base int, ok bool) {
	text = strings.ToLower(text)
	radix, mark, perDigit := 10, "e", 1
	base = 10
	if rest, hex := strings.CutPrefix(text, "0x"); hex {
		text, radix, mark, perDigit, base = rest, 16, "p", 4, 2
	}
	mantissa, power, has := strings.Cut(text, mark)
	if has {
		n, err := strconv.Atoi(power)
		if err != nil && power != "" && !strings.Contains(power, "_") {
			if _, valid := new(big.Int).SetString(power, 10); !valid {
				return nil, 0, 0, false
			}
			n = 4 * mostExponent
			if power[0] == '-' {
				n = -n
			}
		} else if err != nil {
			return nil, 0, 0, false
		}
		exp = max(min(n, 1<<40), -1<<40)
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole+fraction == "" || strings.ContainsAny(whole+fraction, "+-_") {
		return nil, 0, 0, false
	}
	digits, ok = new(big.Int).SetString(whole+fraction, radix)
	return digits, exp - perDigit*len(fraction), base, ok
}

// Rat is the value of a finite number.
func (f Format) Rat(a uint64) *big.Rat { return f.unpack(a).rat() }

func (x operand) rat() *big.Rat {
	n := new(big.Int).SetUint64(x.sig)
	if x.neg {
		n.Neg(n)
	}
	if x.exp >= 0 {
		return new(big.Rat).SetInt(n.Lsh(n, uint(x.exp)))
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), uint(-x.exp)))
}

// Text is the shortest decimal text that is read as a: 0.1, 1e+30, -0.0, inf,
// nan. It has a point or an exponent, as C's constants have.
func (f Format) Text(a uint64) string { return textOf(f, f.unpack(a)) }

func textOf(f Format, x operand) string {
	sign := ""
	if x.neg {
		sign, x.neg = "-", false
	}
	if text, ok := x.special(); ok {
		return sign + text
	}
	return sign + shortest(x.rat(), func(text string) bool {
		v, _, err := parse(f, text, NearestEven)
		return err == nil && v == x
	})
}

// special is the text of what is 0, or not finite.
func (x operand) special() (text string, ok bool) {
	switch {
	case x.isNaN():
		return "nan", true
	case x.kind == kindInfinity:
		return "inf", true
	case x.kind == kindZero:
		return "0.0", true
	}
	return "", false
}

// shortest is the shortest text of those near to r, above 0, that is one of a value.
func shortest(r *big.Rat, is func(text string) bool) string {
	for n := 1; ; n++ {
		if text := layout(decimal(r, n)); is(text) {
			return text
		}
	}
}

// decimal is r, above 0, rounded to n digits: 0.d₁d₂… · 10^exp.
func decimal(r *big.Rat, n int) (digits string, exp int) {
	ten := big.NewInt(10)
	exp = int(log10(r)) + 1
	for {
		scaled := new(big.Rat).Set(r)
		power := new(big.Int).Exp(ten, big.NewInt(int64(max(n-exp, exp-n))), nil)
		if n >= exp {
			scaled.Mul(scaled, new(big.Rat).SetInt(power))
		} else {
			scaled.Quo(scaled, new(big.Rat).SetInt(power))
		}
		scaled.Add(scaled, big.NewRat(1, 2))
		digits = new(big.Int).Quo(scaled.Num(), scaled.Denom()).String()
		switch {
		case len(digits) > n:
			exp++
		case len(digits) < n || digits == "0":
			exp--
		default:
			return digits, exp
		}
	}
}

// log10 is the decimal logarithm of r, too small or too large by at most one.
func log10(r *big.Rat) int64 {
	return int64(r.Num().BitLen()-r.Denom().BitLen()) * 30103 / 100000
}

// layout writes 0.digits · 10^exp as printf's %g would.
func layout(digits string, exp int) string {
	digits = strings.TrimRight(digits, "0")
	n := len(digits)
	switch {
	case exp < -3 || exp > 17:
		text := digits[:1]
		if n > 1 {
			text += "." + digits[1:]
		}
		return fmt.Sprintf("%se%+03d", text, exp-1)
	case exp <= 0:
		return "0." + strings.Repeat("0", -exp) + digits
	case n <= exp:
		return digits + strings.Repeat("0", exp-n) + ".0"
	}
	return digits[:exp] + "." + digits[exp:]
}

// Hex is the exact hexadecimal text of a: 0x1.99999ap-4.
func (f Format) Hex(a uint64) string {
	if !f.IsFinite(a) || f.IsZero(a) {
		return f.Text(a)
	}
	return f.unpack(a).hex()
}

func (x operand) hex() string {
	return hexText(x.neg, strconv.FormatUint(x.sig<<1, 16), 16, x.exp+63)
}

// hexText writes 1.fraction · 2^exp, the fraction having so many digits in base 16, of which those in front may be
// missing.
func hexText(neg bool, fraction string, digits, exp int) string {
	sign := ""
	if neg {
		sign = "-"
	}
	if fraction = strings.Repeat("0", max(0, digits-len(fraction))) + fraction; digits == 0 {
		fraction = ""
	}
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		fraction = "." + fraction
	}
	return fmt.Sprintf("%s0x1%sp%+d", sign, fraction, exp)
}
