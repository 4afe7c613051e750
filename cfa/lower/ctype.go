package lower

// C types as types of terms. An integer type is its width and signedness,
// _Bool one bit, a pointer an unsigned number of the width of addresses.
// Structures, unions, arrays and functions have no term. A float and a double are
// terms of their bits, a long double of 80 bits has two (extended.go); other floating point
// (complex numbers, quad, all of it where it is computed with more bits than its type has)
// has no term, and is any value wherever it meets what has one.

import (
	"math/big"

	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// A class of C types, by how they are modelled.
type class uint8

const (
	classVoid class = iota
	classInt
	classPtr
	classFloat
	classExtended  // long double of 80 bits
	classOpaque    // floating point without a model
	classAggregate // array, struct, union, function
	classOther     // what has no model: __int128, vectors
)

// A ctype is a C type as the lowering sees it. For floating point without a model, typ is
// the type of a stand-in where some term is needed.
type ctype struct {
	class class
	typ   expr.Type
	cut   bool // of a bit-field: what it takes is cut to its width
	bit   bool // of a bit-field of type _Bool
	// constant is the number, of a floating-point constant.
	constant *big.Float
}

var (
	bool1    = expr.Type{Width: 1}
	ctVoid   = ctype{class: classVoid}
	ctInt    = ctype{class: classInt, typ: expr.Int32}
	ctOpaque = ctype{class: classOpaque, typ: expr.Int64}
)

var signedKinds = map[cc.Kind]bool{
	cc.Char: true, cc.SChar: true, cc.Short: true, cc.Int: true, cc.Long: true, cc.LongLong: true,
}

// ctypeOf classifies a C type.
func (l *facts) ctypeOf(t cc.Type) ctype {
	if t == nil || t.VectorSize() > 0 || source.HasAttribute(t, "mode") {
		return ctype{class: classOther}
	}
	switch k := t.Kind(); k {
	case cc.Void:
		return ctVoid
	case cc.Bool:
		return ctype{class: classInt, typ: bool1}
	case cc.Char, cc.SChar, cc.UChar, cc.Short, cc.UShort, cc.Int, cc.UInt, cc.Long, cc.ULong, cc.LongLong, cc.ULongLong:
		return ctype{class: classInt, typ: expr.Type{Width: uint8(8 * t.Size()), Signed: signedKinds[k]}}
	case cc.Enum:
		if e, ok := t.(*cc.EnumType); ok && e.UnderlyingType().Kind() != cc.Enum {
			c := l.ctypeOf(e.UnderlyingType())
			c.typ.Signed = c.typ.Signed && !source.IsUnsignedLong(e)
			return c
		}
		return ctInt
	case cc.Ptr:
		return ctype{class: classPtr, typ: l.pointer}
	case cc.Array, cc.Struct, cc.Union, cc.Function:
		return ctype{class: classAggregate}
	}
	if t, ok := l.floatType(t); ok {
		return t
	}
	if cc.IsFloatingPointType(t) || cc.IsComplexType(t) {
		return ctOpaque
	}
	return ctype{class: classOther}
}

// bitField is the type of a bit-field.
func (l *facts) bitField(f *cc.Field) ctype {
	t := l.ctypeOf(f.Type())
	if t.typ == bool1 {
		t.bit = true
		return t
	}
	return ctype{class: classInt, typ: expr.Type{Width: uint8(f.ValueBits()), Signed: t.typ.Signed}, cut: true}
}

// scalar reports whether values of the type are terms.
func (c ctype) scalar() bool {
	return c.class == classInt || c.class == classPtr || c.class == classFloat
}
