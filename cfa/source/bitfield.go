package source

// Memory locations of bit-fields.
//
// Idea: bit-fields side by side are one memory location (C11 3.14), unless one of width 0 is between them. A store to
// one of them reads what holds it and writes all of that: compilers take the smallest piece of 8 to 64 bits, aligned as
// it is large, that has the whole bit-field, and leave other memory locations alone.
//
// Cost: linear in the members of the record.

import (
	"slices"

	"modernc.org/cc/v4"
)

// Location is the named bit-fields of the memory location of one, in the order of the record, itself included.
func Location(f *cc.Field) []*cc.Field {
	if f.ParentType().Kind() == cc.Union {
		return []*cc.Field{f}
	}
	parts := func(m *cc.Field) bool { return !m.IsBitfield() || m.ValueBits() == 0 }
	members := Members(f.ParentType())
	before, after := members[:f.Index()], members[f.Index():]
	for i, m := range slices.Backward(before) {
		if parts(m) {
			before = before[i+1:]
			break
		}
	}
	if i := slices.IndexFunc(after, parts); i >= 0 {
		after = after[:i]
	}
	return slices.DeleteFunc(slices.Concat(before, after), func(m *cc.Field) bool { return m.Name() == "" })
}

// StoredWith is those of the location of a bit-field that a store to it writes too: each is read before.
func (l *Layouts) StoredWith(f *cc.Field) []*cc.Field {
	begin := l.Offset(f)
	end := begin + f.ValueBits()
	piece := int64(8)
	for piece < 64 && begin/piece != (end-1)/piece {
		piece *= 2
	}
	low, high := begin/piece*piece, roundUp(end, piece)
	return slices.DeleteFunc(Location(f), func(m *cc.Field) bool {
		return m == f || l.Offset(m) >= high || l.Offset(m)+m.ValueBits() <= low
	})
}

// IsBitfield reports whether an expression has the type of a bit-field that is narrower than its declared type, which
// for GCC is a type of its own (C11 6.7.2.1p10 leaves it open).
func IsBitfield(n cc.ExpressionNode) bool {
	switch x := Unparen(n).(type) {
	case *cc.PrimaryExpression:
		return isBitfieldChoice(x)
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			f := x.Field()
			return f != nil && f.IsBitfield() && f.Type().Kind() != cc.Bool && f.ValueBits() < 8*f.Type().Size()
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return IsBitfield(x.PostfixExpression)
		}
	case *cc.UnaryExpression:
		return (x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec) && IsBitfield(x.UnaryExpression)
	case *cc.AssignmentExpression:
		return x.Case != cc.AssignmentExpressionCond && IsBitfield(x.UnaryExpression)
	case *cc.ExpressionList:
		for x.ExpressionList != nil {
			x = x.ExpressionList
		}
		return IsBitfield(x.AssignmentExpression)
	}
	return false
}

// isBitfieldChoice reports whether a _Generic may choose a bit-field, or a block has the value of one.
func isBitfieldChoice(x *cc.PrimaryExpression) bool {
	switch x.Case {
	case cc.PrimaryExpressionGeneric:
		for l := x.GenericSelection.GenericAssociationList; l != nil; l = l.GenericAssociationList {
			if IsBitfield(l.GenericAssociation.AssignmentExpression) {
				return true
			}
		}
	case cc.PrimaryExpressionStmt:
		last := x.CompoundStatement.BlockItemList
		for last != nil && last.BlockItemList != nil {
			last = last.BlockItemList
		}
		if last != nil && last.BlockItem.Case == cc.BlockItemStmt && last.BlockItem.Statement.ExpressionStatement != nil {
			return IsBitfield(last.BlockItem.Statement.ExpressionStatement.ExpressionList)
		}
	}
	return false
}
