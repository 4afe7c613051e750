package source

// Constant expressions that ask for the layout of types, for which the C library has
// numbers of its own layouts. What asks for none is left to the library.

import "modernc.org/cc/v4"

// AsksForLayout reports whether a constant expression asks for the size, the alignment or
// a member's place of a type that the C library lays out otherwise, or for a choice by an enumeration that it may
// make otherwise.
func (l *Layouts) AsksForLayout(n cc.ExpressionNode) bool {
	asks := false
	WalkExpr(n, func(e cc.ExpressionNode) {
		switch x := Unparen(e).(type) {
		case *cc.UnaryExpression:
			switch x.Case {
			case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr,
				cc.UnaryExpressionAlignofType:
				asks = asks || l.Differs(SizedType(x)) || x.Case == cc.UnaryExpressionAlignofExpr ||
					x.Case == cc.UnaryExpressionSizeofExpr && ChosenPointee(x.UnaryExpression) != nil
			}
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
				asks = asks || x.Field() != nil && l.Differs(x.Field().ParentType())
			case cc.PostfixExpressionIndex:
				asks = asks || l.Differs(x.Type())
			}
		case *cc.PrimaryExpression:
			if en, ok := x.ResolvedTo().(*cc.Enumerator); ok && x.Case == cc.PrimaryExpressionIdent {
				asks = asks || l.Counts(en)
			}
			if x.Case == cc.PrimaryExpressionGeneric && SelectsByEnum(x.GenericSelection.AssignmentExpression) {
				asks = asks || l.GenericByEnum(x.GenericSelection) == nil
			}
		}
	})
	return asks
}

// Counts reports whether the value of an enumerator asks for a layout.
func (l *Layouts) Counts(e *cc.Enumerator) bool {
	last, _ := l.written(e)
	return last != nil && l.AsksForLayout(last)
}

// written is the last value that is written at an enumerator or before it, and how many are
// counted from there.
func (l *Layouts) written(e *cc.Enumerator) (n cc.ExpressionNode, after int64) {
	for ; e.ConstantExpression == nil; e = l.before[e] {
		if l.before[e] == nil {
			return nil, 0
		}
		after++
	}
	return e.ConstantExpression, after
}

// Enumerator is the value of an enumerator.
func (l *Layouts) Enumerator(e *cc.Enumerator) (int64, bool) {
	if l.Counts(e) {
		n, after := l.written(e)
		v, ok := l.Constant(n)
		return v + after, ok
	}
	return folded(e.Value())
}

func folded(v cc.Value) (int64, bool) {
	switch v := v.(type) {
	case cc.Int64Value:
		return int64(v), true
	case cc.UInt64Value:
		return int64(v), true
	}
	return 0, false
}

// Constant is the value of an integer constant expression, by its type's bits.
func (l *Layouts) Constant(n cc.ExpressionNode) (int64, bool) {
	n = Unparen(n)
	if n == nil {
		return 0, false
	}
	if mentionsBeyondLong(n) {
		return 0, false
	}
	if !l.AsksForLayout(n) {
		return folded(n.Value())
	}
	v, ok := l.evaluate(n)
	v = l.wrap(v, n.Type())
	if v>>31 != 0 && mentionsEnumerator(n) {
		return 0, false // the library has other types for enumerators than C
	}
	return v, ok
}

func (l *Layouts) evaluate(n cc.ExpressionNode) (int64, bool) {
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		if e, ok := x.ResolvedTo().(*cc.Enumerator); ok {
			return l.Enumerator(e)
		}
	case *cc.UnaryExpression:
		return l.unary(x)
	case *cc.CastExpression:
		v, ok := l.Constant(x.CastExpression)
		if x.Type().Kind() == cc.Bool && v != 0 {
			v = 1
		}
		return v, ok
	case *cc.ConditionalExpression:
		c, ok := l.Constant(x.LogicalOrExpression)
		if !ok {
			return 0, false
		}
		if c != 0 {
			return l.Constant(Middle(x))
		}
		return l.Constant(x.ConditionalExpression)
	case *cc.LogicalAndExpression:
		return l.both(x.LogicalAndExpression, x.InclusiveOrExpression, true)
	case *cc.LogicalOrExpression:
		return l.both(x.LogicalOrExpression, x.LogicalAndExpression, false)
	}
	if b := AsBinary(n); b != nil {
		return l.binary(b)
	}
	return 0, false
}

// both is && and ||.
func (l *Layouts) both(left, right cc.ExpressionNode, and bool) (int64, bool) {
	v, ok := l.Constant(left)
	if ok && (v != 0) == and {
		v, ok = l.Constant(right)
	}
	if v != 0 {
		v = 1
	}
	return v, ok
}

func (l *Layouts) unary(x *cc.UnaryExpression) (int64, bool) {
	switch x.Case {
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType:
		n := l.Size(SizedType(x))
		if k := SizedType(x).Kind(); k == cc.Void || k == cc.Function {
			n = 1 // GCC's
		}
		return n, n >= 0 && (x.Case == cc.UnaryExpressionSizeofType || !Decayed(x.UnaryExpression))
	case cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		return l.Alignment(x)
	case cc.UnaryExpressionAddrof:
		at, ok := l.place(x.CastExpression)
		return at / 8, ok && at%8 == 0
	case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
		v, ok := l.Constant(x.CastExpression)
		switch {
		case x.Case == cc.UnaryExpressionMinus:
			v = -v
		case x.Case == cc.UnaryExpressionCpl:
			v = ^v
		case x.Case == cc.UnaryExpressionNot && v == 0:
			v = 1
		case x.Case == cc.UnaryExpressionNot:
			v = 0
		}
		return v, ok
	}
	return 0, false
}

// place is where something stands whose address is a number, in bits.
func (l *Layouts) place(n cc.ExpressionNode) (int64, bool) {
	x, ok := Unparen(n).(*cc.PostfixExpression)
	if !ok {
		return 0, false
	}
	switch x.Case {
	case cc.PostfixExpressionSelect:
		at, ok := l.place(x.PostfixExpression)
		in, also := l.Member(x.PostfixExpression.Type(), x.Field())
		return at + in, ok && also
	case cc.PostfixExpressionPSelect:
		at, ok := l.Constant(x.PostfixExpression)
		p, isPointer := x.PostfixExpression.Type().(*cc.PointerType)
		if !ok || !isPointer {
			return 0, false
		}
		in, ok := l.Member(p.Elem(), x.Field())
		return 8*at + in, ok
	case cc.PostfixExpressionIndex:
		at, ok := l.place(x.PostfixExpression)
		i, also := l.Constant(x.ExpressionList)
		return at + 8*i*l.Size(x.Type()), ok && also && IsArray(x.PostfixExpression)
	}
	return 0, false
}

func (l *Layouts) binary(b *BinaryExpr) (int64, bool) {
	if IsAddress(b.Left) || IsAddress(b.Right) {
		return 0, false
	}
	v, ok := l.Constant(b.Left)
	w, also := l.Constant(b.Right)
	if !ok || !also {
		return 0, false
	}
	t := cc.IntegerPromotion(b.Left.Type())
	if b.Op != OpShl && b.Op != OpShr {
		t = cc.UsualArithmeticConversions(b.Left.Type(), b.Right.Type())
		w = l.wrap(w, t)
	}
	v = l.wrap(v, t)
	return operate(b.Op, v, w, cc.IsSignedInteger(t), 8*t.Size())
}

// operate computes with numbers of a type.
func operate(op BinaryOp, v, w int64, signed bool, width int64) (int64, bool) {
	truth := func(b bool) (int64, bool) {
		if b {
			return 1, true
		}
		return 0, true
	}
	less := v < w
	if !signed {
		less = uint64(v) < uint64(w)
	}
	switch op {
	case OpMul:
		return v * w, true
	case OpAdd:
		return v + w, true
	case OpSub:
		return v - w, true
	case OpAnd:
		return v & w, true
	case OpXor:
		return v ^ w, true
	case OpOr:
		return v | w, true
	case OpEq:
		return truth(v == w)
	case OpNe:
		return truth(v != w)
	case OpLt:
		return truth(less)
	case OpGt:
		return truth(!less && v != w)
	case OpLe:
		return truth(less || v == w)
	case OpGe:
		return truth(!less)
	case OpShl, OpShr:
		switch {
		case w < 0 || w >= width:
			return 0, false
		case op == OpShl:
			return v << w, true
		case signed:
			return v >> w, true
		}
		return int64(uint64(v) >> w), true
	case OpDiv, OpRem:
		switch {
		case w == 0 || signed && w == -1:
			return 0, false
		case op == OpDiv && signed:
			return v / w, true
		case signed:
			return v % w, true
		case op == OpDiv:
			return int64(uint64(v) / uint64(w)), true
		}
		return int64(uint64(v) % uint64(w)), true
	}
	return 0, false
}

// wrap cuts a number to a type's bits.
func (l *Layouts) wrap(v int64, t cc.Type) int64 {
	bits := 64 - 8*t.Size()
	if bits <= 0 || bits >= 64 || !cc.IsIntegerType(t) {
		return v
	}
	if cc.IsSignedInteger(t) {
		return v << bits >> bits
	}
	return int64(uint64(v) << bits >> bits)
}
