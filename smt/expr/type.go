package expr

import "fmt"

// A Type is the type of a term: a bit-vector of 1 to 64 bits read as signed or
// unsigned, or a truth value (Width 0).
type Type struct {
	Width  uint8 // in bits; 0 for Bool
	Signed bool
}

// The types of C on the usual machines, and the type of conditions.
var (
	Bool   = Type{}
	Int8   = Type{8, true}
	Int16  = Type{16, true}
	Int32  = Type{32, true}
	Int64  = Type{64, true}
	Uint8  = Type{8, false}
	Uint16 = Type{16, false}
	Uint32 = Type{32, false}
	Uint64 = Type{64, false}
)

// IsBool reports whether t is the type of conditions.
func (t Type) IsBool() bool { return t.Width == 0 }

// Mask has the low t.Width bits set.
func (t Type) Mask() uint64 { return ^uint64(0) >> (64 - uint(t.Width)) }

// Trunc cuts v to t's width.
func (t Type) Trunc(v uint64) uint64 {
	if t.Width == 0 {
		return v & 1
	}
	return v & t.Mask()
}

// Sext reads the low t.Width bits of v as two's complement.
func (t Type) Sext(v uint64) int64 {
	s := 64 - uint(t.Width)
	return int64(v<<s) >> s
}

// Min and Max are the bit patterns of the least and greatest value of t.
func (t Type) Min() uint64 {
	if t.Signed {
		return 1 << (t.Width - 1)
	}
	return 0
}

// Max is the bit pattern of t's greatest value.
func (t Type) Max() uint64 {
	if t.Signed {
		return t.Mask() >> 1
	}
	return t.Mask()
}

// Less compares two bit patterns as values of t.
func (t Type) Less(a, b uint64) bool {
	if t.Signed {
		return t.Sext(a) < t.Sext(b)
	}
	return a < b
}

// Promote is C's integer promotion: anything narrower than int becomes int.
func (t Type) Promote() Type {
	if t.Width < 32 {
		return Int32
	}
	return t
}

// Common is the type of C's usual arithmetic conversions for operands of the
// types a and b (C11 6.3.1.8). Ranks of equal width are not told apart.
func Common(a, b Type) Type {
	a, b = a.Promote(), b.Promote()
	switch {
	case a.Width > b.Width:
		return a
	case b.Width > a.Width:
		return b
	default:
		return Type{a.Width, a.Signed && b.Signed}
	}
}

// String is the type's name in C, for widths that C has.
func (t Type) String() string {
	name := ""
	switch t.Width {
	case 0:
		return "bool"
	case 8:
		if t.Signed {
			return "signed char"
		}
		return "unsigned char"
	case 16:
		name = "short"
	case 32:
		name = "int"
	case 64:
		name = "long"
	default:
		name = fmt.Sprintf("_BitInt(%d)", t.Width)
	}
	if !t.Signed {
		return "unsigned " + name
	}
	return name
}
