package expr

import (
	"fmt"

	"magus/smt/softfloat"
)

// A Type is the type of a term: a bit-vector of 1 to 64 bits read as signed or
// unsigned or as a floating-point number, or a truth value (Width 0).
type Type struct {
	Width  uint8 // in bits; 0 for Bool
	Signed bool
	Exp    uint8 // bits of the exponent of a floating-point type; else 0
}

// The types of C on the usual machines, and the type of conditions.
var (
	Bool   = Type{}
	Int8   = Type{Width: 8, Signed: true}
	Int16  = Type{Width: 16, Signed: true}
	Int32  = Type{Width: 32, Signed: true}
	Int64  = Type{Width: 64, Signed: true}
	Uint8  = Type{Width: 8}
	Uint16 = Type{Width: 16}
	Uint32 = Type{Width: 32}
	Uint64 = Type{Width: 64}

	Float16 = Type{Width: 16, Exp: 5}
	Float32 = Type{Width: 32, Exp: 8}
	Float64 = Type{Width: 64, Exp: 11}

	// Mode is the type of rounding modes, whose values are those of [softfloat.Mode].
	Mode = Type{Width: 3}
)

// FloatType is the floating-point type of that format.
func FloatType(f softfloat.Format) Type { return Type{Width: f.Exp + f.Prec, Exp: f.Exp} }

// IsFloat reports whether t is a floating-point type. Its values are bit patterns
// of the format; Min, Max and Less read them as unsigned.
func (t Type) IsFloat() bool { return t.Exp != 0 }

// Format is the format of a floating-point type.
func (t Type) Format() softfloat.Format { return softfloat.Format{Exp: t.Exp, Prec: t.Width - t.Exp} }

// BitsType is the unsigned type of t's width.
func (t Type) BitsType() Type { return Type{Width: t.Width} }

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
		return Type{Width: a.Width, Signed: a.Signed && b.Signed}
	}
}

// String is the type's name in C, for widths that C has.
func (t Type) String() string {
	name := ""
	switch t {
	case Float16:
		return "_Float16"
	case Float32:
		return "float"
	case Float64:
		return "double"
	}
	if t.IsFloat() {
		return fmt.Sprintf("float(%d, %d)", t.Exp, t.Width-t.Exp)
	}
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
