package source

// Compatible types within one unit, as __builtin_types_compatible_p has them (C11
// 6.2.7, qualifiers at the top left out). The C library's own answer passes over
// qualifiers of what is pointed to and does not take an enumeration for its integer
// type.

import (
	"magus/internal/pattern"

	"modernc.org/cc/v4"
)

// TypesCompatibleName is what the C library makes of __builtin_types_compatible_p.
const TypesCompatibleName = "__ccgo__types_compatible_p"

// TypesCompatible is the value of a call of __builtin_types_compatible_p, where it is
// known.
func TypesCompatible(n *cc.PostfixExpression) (value, ok bool) {
	args := Arguments(n)
	if len(args) != 2 {
		return false, false
	}
	a, b := args[0].Type(), args[1].Type()
	if a == nil || b == nil {
		return false, false
	}
	a, b = a.Undecay(), b.Undecay()
	value, ok = sameType(a, b)
	if reQualifier().MatchString(cc.NodeSource(args[0])+" "+cc.NodeSource(args[1])) &&
		(a.Kind() == cc.Ptr || a.Kind() == cc.Function || a.Kind() == cc.Array) && a.Kind() == b.Kind() {
		return false, false // the library loses the qualifiers of the names of types
	}
	return value, ok
}

var reQualifier = pattern.New(`\b_*(?:const|volatile|restrict)_*\b|\b_Atomic\b`)

// miscompared reports whether the C library gives such a call another value.
func miscompared(n *cc.PostfixExpression) bool {
	if CalleeName(n) != TypesCompatibleName {
		return false
	}
	v, known := n.Value().(cc.Int64Value)
	is, ok := TypesCompatible(n)
	return !known || !ok || is != (v != 0)
}

// sameType reports whether two types are compatible; ok is false where that is not
// known.
func sameType(a, b cc.Type) (same, ok bool) {
	if a.VectorSize() > 0 || b.VectorSize() > 0 {
		return false, false
	}
	if IsUnsignedLong(a) || IsUnsignedLong(b) {
		return a == b, a == b // the library has another integer type for it
	}
	if k := a.Kind(); k != b.Kind() {
		switch {
		case k == cc.Enum:
			return integerKind(a) == b.Kind(), true
		case b.Kind() == cc.Enum:
			return integerKind(b) == k, true
		}
		return false, true
	}
	switch x := a.(type) {
	case *cc.PointerType:
		return samePart(x.Elem(), b.(*cc.PointerType).Elem())
	case *cc.ArrayType:
		y := b.(*cc.ArrayType)
		if x.IsVLA() || y.IsVLA() {
			return false, false
		}
		same, ok := samePart(x.Elem(), y.Elem())
		return same && (x.Len() == y.Len() || x.Len() < 0 || y.Len() < 0), ok
	case *cc.FunctionType:
		return sameFunction(x, b.(*cc.FunctionType))
	case *cc.StructType, *cc.UnionType:
		return sameRecord(a, b)
	case *cc.EnumType:
		return a == b, a == b
	}
	return true, true
}

// SameType reports whether two types are known to be compatible.
func SameType(a, b cc.Type) bool {
	same, ok := sameType(a.Undecay(), b.Undecay())
	return same && ok
}

// BeginsWith reports whether structures of type t begin with a structure of type part, and
// are more than that.
func BeginsWith(t, part cc.Type) bool {
	if t.Kind() != cc.Struct || t.IsIncomplete() {
		return false
	}
	fields := Members(t)
	if len(fields) == 0 || fields[0].IsBitfield() {
		return false
	}
	return SameType(fields[0].Type(), part) || BeginsWith(fields[0].Type(), part)
}

// samePart is sameType where qualifiers count.
func samePart(a, b cc.Type) (same, ok bool) {
	if qualifiers(a) != qualifiers(b) {
		return false, true
	}
	return sameType(a, b)
}

func qualifiers(t cc.Type) (q [2]bool) {
	if a := t.Attributes(); a != nil {
		q = [2]bool{a.IsConst(), a.IsVolatile()}
	}
	return q
}

func integerKind(t cc.Type) cc.Kind {
	if e, ok := t.(*cc.EnumType); ok {
		return e.UnderlyingType().Kind()
	}
	return t.Kind()
}

func sameFunction(a, b *cc.FunctionType) (same, ok bool) {
	if a.MaxArgs() < 0 && !a.IsVariadic() || b.MaxArgs() < 0 && !b.IsVariadic() {
		return false, false // without a prototype
	}
	ps, qs := Parameters(a), Parameters(b)
	if same, ok := samePart(a.Result(), b.Result()); !same || !ok {
		return same, ok
	}
	if len(ps) != len(qs) || a.IsVariadic() != b.IsVariadic() {
		return false, true
	}
	for i := range ps {
		if same, ok := sameType(ps[i].Type().Decay(), qs[i].Type().Decay()); !same || !ok {
			return same, ok
		}
	}
	return true, true
}

// sameRecord reports whether two types are the same structure or union: their members
// are declared at the same places.
func sameRecord(a, b cc.Type) (same, ok bool) {
	fs, gs := Members(a), Members(b)
	if len(fs) != len(gs) {
		return false, len(fs) > 0 && len(gs) > 0
	}
	for i := range fs {
		switch d := fs[i].Declarator(); {
		case d != gs[i].Declarator():
			return false, true
		case d != nil:
			return true, true
		}
	}
	return a == b, a == b
}

func isQualified(t cc.Type) bool { return qualifiers(t) != [2]bool{} }
