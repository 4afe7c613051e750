package source

// Compatible types within one unit, as __builtin_types_compatible_p has them (C11
// 6.2.7, qualifiers at the top left out). The C library's own answer passes over
// qualifiers of what is pointed to and does not take an enumeration for its integer
// type. So the types are read off the text (fulltype.go), and where these are not known
// only numbers, enumerations and records are compared, which have no parts with qualifiers.

import "modernc.org/cc/v4"

// TypesCompatibleName is what the C library makes of __builtin_types_compatible_p.
const TypesCompatibleName = "__ccgo__types_compatible_p"

// compare notes the values of calls of __builtin_types_compatible_p in a unit, those that are known.
func (l *Layouts) compare(ast *cc.AST, calls []*cc.PostfixExpression) {
	if len(calls) == 0 {
		return
	}
	types := newFullTypes(ast)
	for _, c := range calls {
		args := Arguments(c)
		if len(args) != 2 {
			continue
		}
		same, known := types.ofLiteral(args[0]).unqualified().same(types.ofLiteral(args[1]).unqualified(), false)
		if known {
			l.compatible[c] = same
		}
	}
}

// ofLiteral is the type that is written for a compound literal, which the library makes of a type that is an argument.
func (s *fullTypes) ofLiteral(n cc.ExpressionNode) *fullType {
	if x, ok := Unparen(n).(*cc.PostfixExpression); ok && x.Case == cc.PostfixExpressionComplit {
		return s.named(x.TypeName)
	}
	return nil
}

// TypesCompatible is the value of a call of __builtin_types_compatible_p, where it is
// known.
func (l *Layouts) TypesCompatible(n *cc.PostfixExpression) (value, ok bool) {
	if value, ok := l.compatible[n]; ok {
		return value, true
	}
	args := Arguments(n)
	if len(args) != 2 || args[0].Type() == nil || args[1].Type() == nil {
		return false, false
	}
	a, b := args[0].Type().Undecay(), args[1].Type().Undecay()
	if hasParts(a) || hasParts(b) {
		return false, false
	}
	return sameType(a, b)
}

// hasParts reports whether types of a kind differ by the qualifiers of their parts.
func hasParts(t cc.Type) bool {
	k := t.Kind()
	return k == cc.Ptr || k == cc.Function || k == cc.Array
}

// miscompared reports whether the C library gives such a call another value.
func (l *Layouts) miscompared(n *cc.PostfixExpression) bool {
	if CalleeName(n) != TypesCompatibleName {
		return false
	}
	v, known := n.Value().(cc.Int64Value)
	is, ok := l.TypesCompatible(n)
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
