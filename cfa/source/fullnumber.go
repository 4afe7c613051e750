package source

// Types of expressions that are numbers, for _Generic: the promotions and the usual arithmetic conversions (C11 6.3.1),
// those of bit-fields by their widths and of enumerations by their integer types, which the library does in
// its own way. Bit-fields wider than an int, whose promoted types compilers do not agree about, are not
// known.

import (
	"slices"

	"modernc.org/cc/v4"
)

// arithmetic is the type of an expression that has an arithmetic one.
func (s *fullTypes) arithmetic(n cc.ExpressionNode) *fullType {
	switch x := n.(type) {
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl:
			return s.promoted(x.CastExpression)
		case cc.UnaryExpressionNot:
			return numberType(cc.Int)
		}
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		return numberType(cc.Int)
	}
	if b := AsBinary(n); b != nil && !IsAddress(b.Left) && !IsAddress(b.Right) {
		switch b.Op {
		case OpEq, OpNe, OpLt, OpGt, OpLe, OpGe:
			return numberType(cc.Int)
		case OpShl, OpShr:
			return s.promoted(b.Left)
		}
		return s.usual(s.promoted(b.Left), s.promoted(b.Right))
	}
	return s.asTheLibrary(n)
}

// asTheLibrary is the type of an expression in which the library does not take one of an enumeration.
func (s *fullTypes) asTheLibrary(n cc.ExpressionNode) *fullType {
	k := n.Type().Kind()
	for _, known := range numberKinds {
		if k == known && !mentionsEnumerator(n) {
			return numberType(k)
		}
	}
	return nil
}

// promoted is the type of a number after the promotions.
func (s *fullTypes) promoted(n cc.ExpressionNode) *fullType { return s.promotedOf(n, s.of(n).value()) }

// promotedOf is promoted of an expression whose value has a type; nil if that is not known, as of a bit-field.
func (s *fullTypes) promotedOf(n cc.ExpressionNode, t *fullType) *fullType {
	if width, signed, ok := bitfieldOf(n); ok {
		switch {
		case width < 32 || width == 32 && signed:
			return numberType(cc.Int)
		case width == 32:
			return numberType(cc.UInt)
		}
		return nil
	}
	if t == nil || t.kind != ofNumber && t.kind != ofEnum {
		return nil
	}
	switch t.number {
	case cc.Void:
		return nil
	case cc.Bool, cc.Char, cc.SChar, cc.UChar, cc.Short, cc.UShort:
		return numberType(cc.Int)
	}
	return numberType(t.number)
}

// bitfieldOf is the width of the bit-field that an expression has the type of, and whether it has a sign.
func bitfieldOf(n cc.ExpressionNode) (width int64, signed, ok bool) {
	if !IsBitfield(n) {
		return 0, false, false
	}
	n = Unparen(n)
	for list, ok := n.(*cc.ExpressionList); ok && list.ExpressionList != nil; list, ok = n.(*cc.ExpressionList) {
		n = Unparen(list.ExpressionList)
	}
	x, isMember := n.(*cc.PostfixExpression)
	if !isMember || x.Field() == nil {
		return 64, false, true // one that is assigned to, for which no type is known
	}
	t := x.Field().Type()
	return x.Field().ValueBits(), cc.IsSignedInteger(t), true
}

// numberRanks are the arithmetic types after the promotions, the lower ones first.
func numberRanks() []cc.Kind {
	return []cc.Kind{cc.Int, cc.UInt, cc.Long, cc.ULong, cc.LongLong, cc.ULongLong, HalfKind,
		cc.Float, cc.Double, cc.LongDouble, cc.Float128}
}

// usual is the common type of two promoted numbers (6.3.1.8).
func (s *fullTypes) usual(a, b *fullType) *fullType {
	if a == nil || b == nil {
		return nil
	}
	ranks := numberRanks()
	low, high := slices.Index(ranks, a.number), slices.Index(ranks, b.number)
	if low > high {
		low, high = high, low
	}
	if low < 0 {
		return nil
	}
	switch {
	case ranks[high] == cc.Long && ranks[low] == cc.UInt && s.longSize == 4:
		high++ // no type with a sign has all values
	case ranks[high] == cc.LongLong && ranks[low] == cc.ULong && s.longSize == 8:
		high++
	}
	return numberType(ranks[high])
}
