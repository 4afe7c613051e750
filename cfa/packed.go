package cfa

// Packed structures. The C library lays structures out as if neither the
// attribute packed nor #pragma pack existed. That does not matter where there
// is no padding to leave out; elsewhere sizes and places would be wrong, and
// what depends on them is refused.

import "modernc.org/cc/v4"

// packs reports whether a compiler lays a type out in another way than the
// library does; always says that structures are packed without an attribute.
func packs(t cc.Type, always bool) bool {
	if a, ok := t.(*cc.ArrayType); ok {
		return packs(a.Elem(), always)
	}
	fields := members(t)
	for _, f := range fields {
		if packs(f.Type(), always) {
			return true
		}
	}
	return len(fields) > 0 && (always || isPacked(t)) && isPadded(t)
}

// isPacked reports whether a structure, or a part of it, has the attribute.
func isPacked(t cc.Type) bool {
	if a, ok := t.(*cc.ArrayType); ok {
		return isPacked(a.Elem())
	}
	if a := t.Attributes(); a != nil && (a.IsAttrSet("packed") || a.IsAttrSet("__packed__")) {
		return true
	}
	for _, f := range members(t) {
		if isPacked(f.Type()) {
			return true
		}
	}
	return false
}

// isPadded reports whether members are not one after the other.
func isPadded(t cc.Type) bool {
	var sum, most int64
	for _, f := range members(t) {
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

// packed refuses an expression that depends on the layout of a packed type.
func (l *lowerer) packed(n cc.Node, t cc.Type, what string) bool {
	if t == nil || !packs(t, l.fr.proc.file.packs) {
		return false
	}
	l.refuse(n, what, "the structure is packed, and without that it has padding")
	return true
}

// sizedType is the type whose size or alignment an expression asks for.
func sizedType(x *cc.UnaryExpression) cc.Type {
	switch x.Case {
	case cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofType:
		return x.TypeName.Type()
	}
	return x.UnaryExpression.Type().Undecay()
}
