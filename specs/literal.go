package specs

import (
	"fmt"
	"strconv"
	"strings"

	"magus/smt/expr"
)

// An intLiteral is an integer constant as C11 6.4.4.1 has it.
type intLiteral struct {
	value    uint64
	decimal  bool
	unsigned bool // suffix u
	longs    int  // letters l in the suffix
}

// parseInt reads an integer literal; base 2 is GCC's.
func parseInt(text string) (intLiteral, error) {
	body := strings.TrimRight(text, "uUlL")
	lit, err := suffix(text[len(body):])
	if err != nil {
		return lit, fmt.Errorf("%s is no number: %w", text, err)
	}
	base, digits := 10, body
	switch lower := strings.ToLower(body); {
	case strings.HasPrefix(lower, "0x"):
		base, digits = 16, body[2:]
	case strings.HasPrefix(lower, "0b"):
		base, digits = 2, body[2:]
	case len(body) > 1 && body[0] == '0':
		base, digits = 8, body[1:]
	}
	lit.decimal = base == 10
	lit.value, err = strconv.ParseUint(digits, base, 64)
	switch {
	case strings.Contains(digits, "_") || err != nil && !isRange(err):
		return lit, fmt.Errorf("%s is no number", text)
	case err != nil || lit.decimal && !lit.unsigned && lit.value > expr.Int64.Max():
		return lit, fmt.Errorf("%s is too large for any integer type", text)
	}
	return lit, nil
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

func suffix(text string) (intLiteral, error) {
	switch lower := strings.ToLower(text); {
	case strings.Contains(text, "lL") || strings.Contains(text, "Ll"):
	case lower == "" || lower == "l" || lower == "ll":
		return intLiteral{longs: len(lower)}, nil
	case lower == "u" || lower == "ul" || lower == "ull" || lower == "lu" || lower == "llu":
		return intLiteral{unsigned: true, longs: len(lower) - 1}, nil
	}
	return intLiteral{}, fmt.Errorf("the suffix %s does not exist", text)
}

// typeFor is the literal's type where long has longWidth bits: the first in
// C's list that holds the value.
func (l intLiteral) typeFor(longWidth int) expr.Type {
	width := uint8(32)
	if l.longs == 2 || l.longs == 1 && longWidth == 64 {
		width = 64
	}
	for ; width <= 64; width *= 2 {
		signed, unsigned := expr.Type{Width: width, Signed: true}, expr.Type{Width: width}
		if !l.unsigned && l.value <= signed.Max() {
			return signed
		}
		if (l.unsigned || !l.decimal) && l.value <= unsigned.Max() {
			return unsigned
		}
	}
	return expr.Uint64 // not reached: parseInt refuses what fits nowhere
}

// String is the literal in canonical form: decimal where that does not change
// the type, the suffix in capitals.
func (l intLiteral) String() string {
	text := strconv.FormatUint(l.value, 10)
	if !l.decimal && !l.unsigned && l.value > expr.Int32.Max() {
		text = "0x" + strconv.FormatUint(l.value, 16)
	}
	if l.unsigned {
		text += "U"
	}
	return text + strings.Repeat("L", l.longs)
}

// escapes are C's simple escape sequences.
const escapes = `a` + "\a" + `b` + "\b" + `f` + "\f" + `n` + "\n" + `r` + "\r" + `t` + "\t" + `v` + "\v" + `\\''""??`

// charValue is the value of a character constant, given with its quotes: an
// int, the character read as a signed char.
func charValue(text string) (int64, error) {
	s := text[1 : len(text)-1]
	switch {
	case s == "":
		return 0, fmt.Errorf("a character constant holds one character")
	case len(s) == 1 && s[0] < 0x80:
		return int64(s[0]), nil
	case s[0] != '\\':
		return 0, fmt.Errorf("%s is not one ASCII character", text)
	}
	s = s[1:]
	base, digits := 8, s
	if s[0] == 'x' {
		base, digits = 16, s[1:]
	} else if s[0] < '0' || s[0] > '7' || len(s) > 3 {
		for i := 0; i < len(escapes); i += 2 {
			if s == escapes[i:i+1] {
				return int64(escapes[i+1]), nil
			}
		}
		return 0, fmt.Errorf("%s has no known escape sequence", text)
	}
	v, err := strconv.ParseUint(digits, base, 8)
	if err != nil {
		return 0, fmt.Errorf("%s is not one character", text)
	}
	return expr.Int8.Sext(v), nil
}
