package expr

import (
	"math/big"
	"strconv"
	"strings"
)

// Show writes a value as people read it: an integer by its signedness, a floating-point number as the
// shortest constant of C that is read as it, with its exact hexadecimal form behind it where that is another
// number: 0.1f (0x1.99999ap-4f).
func (t Type) Show(v uint64) string {
	switch {
	case t.Signed:
		return strconv.FormatInt(t.Sext(v), 10)
	case !t.IsFloat():
		return strconv.FormatUint(t.Trunc(v), 10)
	}
	f, text := t.Format(), floatLiteral(t, v)
	if !f.IsFinite(v) {
		return text
	}
	if r, ok := new(big.Rat).SetString(strings.TrimSuffix(text, "f")); ok && r.Cmp(f.Rat(v)) == 0 {
		return text
	}
	return text + " (" + f.Hex(v) + ")"
}

// Exactly is a finite number as a hexadecimal constant of C; false for other values.
func (t Type) Exactly(v uint64) (string, bool) {
	if !t.IsFloat() || !t.Format().IsFinite(v) {
		return "", false
	}
	text := t.Format().Hex(v)
	if t == Float32 {
		text += "f"
	}
	return text, t == Float32 || t == Float64
}
