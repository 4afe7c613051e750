package source

// Structures that the C library lays out otherwise than GCC does: packed ones,
// as if neither the attribute packed nor #pragma pack existed, some with bit-fields
// beside other members, and those with declarations that declare no member. What depends on such a layout is refused.

import (
	"slices"

	"modernc.org/cc/v4"
)

// LayoutDiffers says why a compiler lays a type out in another way than the library
// does, or is empty; always says that structures are packed without an
// attribute.
func LayoutDiffers(t cc.Type, always bool) string {
	if a, ok := t.(*cc.ArrayType); ok {
		return LayoutDiffers(a.Elem(), always)
	}
	if HasAttribute(t, "mode") {
		return "the attribute mode gives the type another size"
	}
	fields := Members(t)
	for _, f := range fields {
		if why := LayoutDiffers(f.Type(), always); why != "" {
			return why
		}
		if f.Name() == "" && !f.IsBitfield() && !isAnonymous(f.Type()) {
			return "a declaration in the structure declares no member, as in struct { enum { A }; }, and the C front end gives it room: put it before the structure"
		}
	}
	switch {
	case len(fields) > 0 && !slices.ContainsFunc(fields, func(f *cc.Field) bool { return !f.IsBitfield() || f.Name() != "" }):
		return "the structure has no member with a name"
	case len(fields) == 0:
		return ""
	case (always || isPacked(t)) && isPadded(t):
		return "the structure is packed, and without that it has padding"
	case misplaced(t, fields):
		return "GCC lays the bit-fields of the structure out in another way than the C front end"
	}
	return ""
}

// isAnonymous reports whether a member without a name gives its members to the structure:
// whether its type is a structure or union without a name.
func isAnonymous(t cc.Type) bool {
	var tag cc.Token
	switch x := t.(type) {
	case *cc.StructType:
		tag = x.Tag()
	case *cc.UnionType:
		tag = x.Tag()
	default:
		return false
	}
	return tag.SrcStr() == "" && t.Typedef() == nil
}

// isPacked reports whether a structure, or a part of it, has the attribute.
func isPacked(t cc.Type) bool {
	if a, ok := t.(*cc.ArrayType); ok {
		return isPacked(a.Elem())
	}
	if HasAttribute(t, "packed") {
		return true
	}
	for _, f := range Members(t) {
		if isPacked(f.Type()) {
			return true
		}
	}
	return false
}

// HasAttribute reports whether a type, or what is declared with it, has a GCC
// attribute.
func HasAttribute(t cc.Type, name string) bool {
	a := t.Attributes()
	return a != nil && (a.IsAttrSet(name) || a.IsAttrSet("__"+name+"__"))
}

// isPadded reports whether members are not one after the other.
func isPadded(t cc.Type) bool {
	var sum, most int64
	for _, f := range Members(t) {
		if f.IsBitfield() {
			return true
		}
		size := max(f.Type().Size(), 0)
		sum, most = sum+size, max(most, size)
	}
	if t.Kind() == cc.Union {
		return most != t.Size()
	}
	return sum != t.Size()
}

// misplaced reports whether a structure or union with bit-fields is not what
// the System V ABI says: a bit-field stands behind what is before it, unless it
// would cross more units of its type's alignment than its type has.
func misplaced(t cc.Type, fields []*cc.Field) bool {
	var at, end, bitFields int64
	align := int64(8)
	for _, f := range fields {
		if t.Kind() == cc.Union {
			at = 0
		}
		unit, size := 8*fieldAlign(f), 8*max(f.Type().Size(), 0)
		switch width := f.ValueBits(); {
		case !f.IsBitfield():
			at = (at + unit - 1) / unit * unit
			if at != 8*f.Offset() {
				return bitFields > 0
			}
			at, align = at+size, max(align, unit)
		case width == 0:
			at = (at + unit - 1) / unit * unit
			bitFields++
		default:
			if (at%unit+width+unit-1)/unit > size/unit {
				at = (at + unit - 1) / unit * unit
			}
			if f.Name() != "" {
				align = max(align, unit)
				if at != 8*f.Offset()+int64(f.OffsetBits()) {
					return true
				}
			}
			at += width
			bitFields++
		}
		end = max(end, at)
	}
	return bitFields > 0 && (end+align-1)/align*align != 8*t.Size()
}

// fieldAlign is the alignment of a member in bytes.
func fieldAlign(f *cc.Field) int64 {
	align := int64(max(f.Type().FieldAlign(), 1))
	if a := f.Type().Attributes(); a != nil {
		align = max(align, a.Aligned())
	}
	return align
}

// SizedType is the type whose size or alignment an expression asks for.
func SizedType(x *cc.UnaryExpression) cc.Type {
	switch x.Case {
	case cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofType:
		return x.TypeName.Type()
	}
	return x.UnaryExpression.Type().Undecay()
}
