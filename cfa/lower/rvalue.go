package lower

// Lowering of expressions to terms.
//
// Idea: rvalue writes out whatever an expression does besides having a value
// and returns the value as a term over the variables at that moment. Where a
// later operand changes a variable of an earlier one's term, the earlier
// value is kept in a temporary: a Goto is left there, and made an assignment
// when that turns out.

import (
	"fmt"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// A value is what an expression evaluates to: a term where the type has
// terms; nothing for void, for floating point without a model (which may be anything), and
// after something that is not modelled, where control does not go on.
type value struct {
	ctype
	t  *expr.Expr
	at *lvalue // where a value of aggregate type stands
}

// rvalue evaluates an expression.
func (l *expressions) rvalue(n cc.ExpressionNode) value {
	v := l.evaluate(n)
	if v.class == classOpaque {
		v.constant, _ = l.prog.Layouts.Float(n)
	}
	return v
}

func (l *expressions) evaluate(n cc.ExpressionNode) value {
	n = source.Unparen(n)
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		return l.primary(x)
	case *cc.PostfixExpression:
		return l.postfix(x)
	case *cc.UnaryExpression:
		return l.unary(x)
	case *cc.CastExpression:
		return l.cast(x)
	case *cc.AssignmentExpression:
		return l.accesses.assignment(x, true)
	case *cc.ConditionalExpression:
		return l.conditional(x)
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		return l.logical(n)
	case *cc.ExpressionList:
		for ; x.ExpressionList != nil; x = x.ExpressionList {
			l.discard(x.AssignmentExpression)
		}
		return l.rvalue(x.AssignmentExpression)
	}
	if b := source.AsBinary(n); b != nil {
		return l.binary(n, b)
	}
	return l.refuse(n, fmt.Sprintf("expression %s", source.Text(n)), "")
}

// discard evaluates an expression for its effects.
func (l *expressions) discard(n cc.ExpressionNode) {
	n = source.Unparen(n)
	switch x := n.(type) {
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionCall:
			l.calls.call(x, nil, false)
			return
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			l.accesses.increment(x, x.PostfixExpression, x.Case == cc.PostfixExpressionInc)
			return
		}
	case *cc.AssignmentExpression:
		l.accesses.assignment(x, false)
		return
	case *cc.CastExpression:
		if l.looksAtResults() && l.ctypeOf(x.Type()).class != classVoid {
			break
		}
		l.objects.evaluateType(x)
		l.discard(x.CastExpression)
		return
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionStmt {
			l.statements.compound(x.CompoundStatement)
			return
		}
	case *cc.ExpressionList:
		for ; x != nil; x = x.ExpressionList {
			l.discard(x.AssignmentExpression)
		}
		return
	case *cc.ConditionalExpression:
		a, b := l.cond(x.LogicalOrExpression)
		l.Continue(a)
		if x.ExpressionList != nil {
			l.discard(x.ExpressionList)
		}
		end := l.Ends()
		l.Continue(b)
		l.discard(x.ConditionalExpression)
		l.Join(end)
		return
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		a, b := l.cond(n)
		l.Continue(append(a, b...))
		return
	}
	if !l.harmless(n) {
		l.rvalue(n)
		return
	}
	l.unused(n)
}

// discardAs is discard of an expression that is converted to a type first.
func (l *expressions) discardAs(n cc.ExpressionNode, t ctype) {
	if l.looksAtResults() && (t.class == classInt || t.class == classFloat) {
		l.convert(l.rvalue(n), t, n)
		return
	}
	l.discard(n)
}

// looksAtResults reports whether computing a value can be an error by itself, though it is used for nothing.
func (l *lowerer) looksAtResults() bool {
	return l.opt.SignedOverflow == cfa.OverflowIsError || l.checksFloats() != 0
}

// unused evaluates an expression that does nothing but read and compute, where a read may be a data race or an
// invalid access, or a result an error.
func (l *expressions) unused(n cc.ExpressionNode) {
	races := l.opt.Races && l.threading.concurrent()
	if !races && !l.opt.CheckPointers && !l.looksAtResults() || l.Dead() || l.ctypeOf(n.Type()).class == classOther {
		return
	}
	if v := l.rvalue(n); v.at != nil {
		l.readWhole(v, source.Position(n.Position()))
	}
}

// readWhole reads all of an aggregate, where such a read may be a data race or an invalid access.
func (l *expressions) readWhole(v value, pos cfa.Pos) {
	size := l.bytes(v.at.typ)
	if size > 0 && !l.Dead() && (l.opt.CheckPointers || l.opt.Races && l.threading.concurrent()) {
		l.Emit(memory.Touch{At: l.accesses.ref(*v.at), Size: size}, pos)
	}
}

// pointerValue is the value of a pointer expression that pointee takes apart.
func (l *expressions) pointerValue(n cc.ExpressionNode) value {
	t := ctype{class: classPtr, typ: l.pointer}
	p := l.accesses.pointee(n)
	if p.Base == nil && p.v == nil {
		return value{}
	}
	return value{t, l.accesses.address(p), nil}
}

// isFunctionPointer reports whether the expression points to a function.
func isFunctionPointer(n cc.ExpressionNode) bool {
	p, ok := n.Type().(*cc.PointerType)
	return ok && p.Elem().Kind() == cc.Function
}

// libraryConst is the constant that the C library folded an integer
// expression to, if it did and nothing has to be evaluated: it folds assignments and what stands before a comma.
func (l *terms) libraryConst(n cc.ExpressionNode) (value, bool) {
	if n.Value() == cc.Unknown || source.HasEffect(n) {
		return value{}, false
	}
	return l.folded(n)
}

// folded is the constant that the C library folded an integer expression to, if it did, whatever has to be evaluated.
// alignment is _Alignof or __alignof__ of an expression, which is not evaluated.
func (l *expressions) alignment(x *cc.UnaryExpression) value {
	bytes, ok := l.prog.Layouts.Alignment(x)
	if !ok {
		return l.refuse(x, "the alignment of "+source.Text(x.UnaryExpression), "write the number")
	}
	t := l.ctypeOf(x.Type())
	return value{t, l.Pool.Const(t.typ, uint64(bytes)), nil}
}

func (l *terms) folded(n cc.ExpressionNode) (value, bool) {
	t := l.ctypeOf(n.Type())
	if t.class != classInt {
		return value{}, false
	}
	switch n.Value().(type) {
	case cc.Int64Value, cc.UInt64Value:
		v, ok := l.prog.Layouts.Constant(n)
		return value{t, l.Pool.Const(t.typ, uint64(v)), nil}, ok
	}
	return value{}, false
}

func (l *expressions) primary(x *cc.PrimaryExpression) value {
	switch x.Case {
	case cc.PrimaryExpressionIdent:
		return l.identifier(x)
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		if v, ok := l.libraryConst(x); ok {
			return v
		}
	case cc.PrimaryExpressionFloat:
		return l.floatLiteral(x)
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		return l.accesses.read(l.accesses.lvalue(x), x)
	case cc.PrimaryExpressionStmt:
		return l.statementExpr(x)
	case cc.PrimaryExpressionGeneric:
		if source.SelectsByEnum(x.GenericSelection.AssignmentExpression) {
			if a := l.prog.Layouts.GenericByEnum(x.GenericSelection); a != nil {
				return l.rvalue(a)
			}
			return l.refuse(x, "_Generic on an enumeration", "cast the operand to an integer type")
		}
		if source.IsBitfield(x.GenericSelection.AssignmentExpression) {
			return l.refuse(x, "_Generic on a bit-field", "compilers differ in its type: add 0, or cast it")
		}
		if source.Undecided(x.GenericSelection) {
			return l.refuse(x, "_Generic on an operand of this type", "it is not known which association C chooses")
		}
		if a := x.GenericSelection.Associated(); a != nil {
			return l.rvalue(a.AssignmentExpression)
		}
	}
	return l.refuse(x, "expression "+source.Text(x), "")
}

func (l *expressions) identifier(x *cc.PrimaryExpression) value {
	if e, ok := x.ResolvedTo().(*cc.Enumerator); ok {
		return l.enumerator(x, e)
	}
	d := source.Declarator(x)
	if d == nil {
		if v, ok := l.libraryConst(x); ok {
			return v
		}
		return l.refuse(x, x.Token.SrcStr(), "")
	}
	return l.accesses.read(l.accesses.variable(d, x), x)
}

// enumerator is an enumeration constant: of the type that is written at the enumeration (C23 6.7.3.3), else an int
// where int can hold it (C11 6.7.2.2), whatever the type of the enumeration.
func (l *terms) enumerator(x *cc.PrimaryExpression, e *cc.Enumerator) value {
	var bits uint64
	t := ctInt
	if typ := l.ctypeOf(e.Type()); l.prog.Layouts.HasWrittenType(e) && typ.class == classInt {
		if n, ok := l.prog.Layouts.Enumerator(e); ok {
			return value{typ, l.Pool.Const(typ.typ, uint64(n)), nil}
		}
	}
	if n, ok := l.prog.Layouts.Enumerator(e); ok && l.prog.Layouts.Counts(e) {
		return value{t, l.Pool.Const(t.typ, uint64(n)), nil}
	}
	switch v := e.Value().(type) {
	case cc.Int64Value:
		if v < 0 && e.ConstantExpression == nil && l.prog.Layouts.IsUnsignedLong(e) {
			return l.refuse(x, "an enumeration constant counted from one beyond long", "write the number")
		}
		bits = uint64(v)
		if int64(v) != int64(int32(v)) {
			t = ctype{class: classInt, typ: expr.Int64}
		}
	case cc.UInt64Value:
		bits = uint64(v)
		switch {
		case v>>63 != 0:
			t = ctype{class: classInt, typ: expr.Uint64}
		case v > 1<<31-1:
			t = ctype{class: classInt, typ: expr.Int64}
		}
	default:
		return l.refuse(x, "enumeration constant "+x.Token.SrcStr(), "")
	}
	if t != ctInt && l.ctypeOf(e.Type()).class == classInt {
		t = l.ctypeOf(e.Type())
		t.typ.Signed = t.typ.Signed && !l.prog.Layouts.IsUnsignedLong(e)
	}
	return value{t, l.Pool.Const(t.typ, bits), nil}
}

// statementExpr is GCC's ({ … }): the value of the last expression.
func (l *expressions) statementExpr(x *cc.PrimaryExpression) value {
	end := source.Position(x.CompoundStatement.Token2.Position())
	outer := l.statements.openBlock()
	defer l.statements.closeBlock(outer, end)
	for list := x.CompoundStatement.BlockItemList; list != nil; list = list.BlockItemList {
		item := list.BlockItem
		if list.BlockItemList == nil && item.Case == cc.BlockItemStmt && item.Statement.Case == cc.StatementExpr {
			if e := item.Statement.ExpressionStatement.ExpressionList; e != nil {
				v := l.rvalue(e)
				if l.fr.scope.cleans(outer) {
					v = l.statements.kept(v, e, end)
				}
				return v
			}
		}
		l.statements.blockItem(item)
	}
	return value{ctype: ctVoid}
}

func (l *expressions) postfix(x *cc.PostfixExpression) value {
	switch x.Case {
	case cc.PostfixExpressionCall:
		return l.calls.call(x, nil, true)
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return l.accesses.postIncrement(x)
	case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect, cc.PostfixExpressionComplit:
		return l.accesses.read(l.accesses.lvalue(x), x)
	}
	return l.refuse(x, "expression "+source.Text(x), "")
}

// stride is the size of what a pointer type points to.
func (l *facts) stride(t cc.Type) int64 {
	if p, ok := t.(*cc.PointerType); ok {
		return l.stepOver(p.Elem())
	}
	return 1
}

// stepOver is the size of what a pointer steps over; GCC's of void and of functions is 1.
func (l *facts) stepOver(to cc.Type) int64 {
	if to.Kind() == cc.Void || to.Kind() == cc.Function {
		return 1
	}
	return l.bytes(to)
}

// steppable reports whether the size is known of what a pointer steps over;
// else it is refused.
func (l *terms) steppable(t cc.Type, n cc.Node) bool {
	if t.Size() < 0 && t.Kind() == cc.Array && !l.Dead() {
		l.refuse(n, "a pointer to an array of variable length", "")
		return false
	}
	return !l.strangeLayout(n, t, "a step by the size of "+t.String())
}

func (l *expressions) unary(x *cc.UnaryExpression) value {
	switch x.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return l.accesses.increment(x, x.UnaryExpression, x.Case == cc.UnaryExpressionInc)
	case cc.UnaryExpressionPlus:
		return l.promote(l.rvalue(x.CastExpression), x.CastExpression)
	case cc.UnaryExpressionMinus:
		v := l.promote(l.rvalue(x.CastExpression), x.CastExpression)
		l.negated(x, v.t)
		return l.mapTerm(v, l.minus)
	case cc.UnaryExpressionCpl:
		return l.mapTerm(l.promote(l.rvalue(x.CastExpression), x.CastExpression), l.Pool.Compl)
	case cc.UnaryExpressionNot:
		c := l.truth(l.rvalue(x.CastExpression), x)
		if c == nil {
			return value{}
		}
		return value{ctInt, l.Pool.FromBool(expr.Int32, l.Pool.Not(c)), nil}
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr,
		cc.UnaryExpressionAlignofType:
		if l.strangeLayout(x, source.SizedType(x), source.Text(x)) {
			return value{}
		}
		if t := source.SizedType(x); hasVariableSize(t) && (x.Case == cc.UnaryExpressionSizeofType ||
			x.Case == cc.UnaryExpressionSizeofExpr && source.IsArray(x.UnaryExpression)) {
			return l.objects.variableSize(x, t)
		}
		if x.Case == cc.UnaryExpressionAlignofExpr {
			return l.alignment(x)
		}
		l.objects.evaluateSized(x)
		if x.Case == cc.UnaryExpressionSizeofExpr {
			return l.sizeof(x)
		}
		if v, ok := l.folded(x); ok {
			return v
		}
	case cc.UnaryExpressionAddrof:
		return l.pointerValue(x)
	case cc.UnaryExpressionLabelAddr:
		return l.statements.labelAddress(x)
	case cc.UnaryExpressionDeref:
		if x.Type().Undecay().Kind() == cc.Function || isFunctionPointer(x.CastExpression) {
			return l.rvalue(x.CastExpression) // *f is f
		}
		return l.accesses.read(l.accesses.lvalue(x), x)
	}
	return l.refuse(x, "expression "+source.Text(x), "")
}

func (l *facts) mapTerm(v value, f func(*expr.Expr) *expr.Expr) value {
	if v.t != nil {
		v.t = f(v.t)
	}
	return v
}
