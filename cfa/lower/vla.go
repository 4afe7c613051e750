package lower

// Arrays whose length is no constant.
//
// Idea: the declaration of such an array, or of anything whose type has one in it,
// evaluates the lengths into temporaries. The array is memory that is allocated there,
// like that of alloca, and its name stands for a hidden pointer to it. Sizes and steps
// that are not constant become terms. Where the length turns out to be constant in this
// instance the memory is laid out like any array; else what it holds is any value, which
// is told. The memory lasts until the procedure returns, not only until the block ends,
// which makes no difference but for the check of pointers.

import (
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// hasVariableSize reports whether a type is an array whose size is no constant.
func hasVariableSize(t cc.Type) bool {
	a, ok := t.(*cc.ArrayType)
	return ok && a.IsVLA()
}

// evaluateLengths evaluates the lengths of the arrays in a type that d declares, or, if
// it is nil, a parameter or a type's name, those of the elements first, as GCC does. Those of a name for a type, and
// of a type that typeof has from an expression, were evaluated where that was declared: they do not stand in the
// syntax that the type is written in. A length that the library has folded although C evaluates it has its effects.
func (l *lengths) evaluateLengths(t cc.Type, d *cc.Declarator, pos cfa.Pos, written ...cc.Node) {
	var own map[cc.ExpressionNode]bool
	var lengths []cc.ExpressionNode
	for t != nil {
		switch x := t.(type) {
		case *cc.PointerType:
			t = x.Elem()
			continue
		case *cc.ArrayType:
			e := x.SizeExpression()
			if e != nil && (x.Len() < 0 || l.dropsEffect(e)) && (x.Typedef() == nil || x.Typedef() == d) {
				if own == nil {
					own = source.Lengths(written...)
				}
				if own[e] {
					lengths = append(lengths, e)
				}
			}
			t = x.Elem()
			continue
		case *cc.FunctionType:
			t = x.Result()
			continue
		}
		t = nil
	}
	for _, e := range slices.Backward(lengths) {
		switch {
		case l.Dead():
		case l.dropsEffect(e):
			l.expressions.discard(e)
		default:
			l.evaluateLength(e, pos)
		}
	}
}

// dropsEffect reports whether the library has folded a length that has an effect: an assignment, or one within a comma,
// which are in no constant expression (C11 6.6p3).
func (l *facts) dropsEffect(e cc.ExpressionNode) bool {
	return e.Value() != cc.Unknown && !l.harmless(e)
}

// sizesNothing reports whether nothing is evaluated for sizeof of a type or an expression.
func (l *facts) sizesNothing(x *cc.UnaryExpression) bool {
	t := source.SizedType(x)
	if _, ok := t.(*cc.ArrayType); !ok || hasVariableSize(t) {
		return !ok
	}
	if x.Case == cc.UnaryExpressionSizeofType {
		return !l.folds(t, x.TypeName)
	}
	return !l.folds(t, x.UnaryExpression)
}

// folds reports whether the library has folded a length in a type, written in a text, that has an effect.
func (l *facts) folds(t cc.Type, written cc.Node) bool {
	for t != nil {
		switch x := t.Undecay().(type) {
		case *cc.PointerType:
			t = x.Elem()
		case *cc.ArrayType:
			if e := x.SizeExpression(); e != nil && l.dropsEffect(e) && source.Lengths(written)[e] {
				return true
			}
			t = x.Elem()
		default:
			return false
		}
	}
	return false
}

// evaluateSized evaluates what is, for the sake of its effects, for sizeof of a type or an expression of constant size.
func (l *lengths) evaluateSized(x *cc.UnaryExpression) {
	switch {
	case l.sizesNothing(x):
	case x.Case == cc.UnaryExpressionSizeofType:
		l.evaluateLengths(source.SizedType(x), nil, source.Position(x.Position()), x.TypeName)
	case x.Case == cc.UnaryExpressionSizeofExpr:
		l.expressions.discard(x.UnaryExpression)
	}
}

// evaluateType evaluates the lengths in the type of a cast.
func (l *lengths) evaluateType(x *cc.CastExpression) {
	if x.Case == cc.CastExpressionCast && x.Type().Kind() == cc.Ptr {
		l.evaluateLengths(x.Type(), nil, source.Position(x.Position()), x.TypeName)
	}
}

// evaluateParameter evaluates the lengths in the type of a parameter, and of an array that it is declared as, which
// has effects only (C11 6.9.1p10).
func (l *lengths) evaluateParameter(q *cc.Parameter) {
	l.evaluateLengths(q.Type(), nil, source.Position(q.Position()), q)
	if e := source.ParameterLength(q.Declarator); e != nil && !l.harmless(e) && !l.Dead() {
		l.expressions.discard(e)
	}
}

// evaluateLength gives the length of an array a variable. A negative one is undefined:
// the run ends.
func (l *lengths) evaluateLength(e cc.ExpressionNode, pos cfa.Pos) {
	v := l.expressions.promote(l.expressions.rvalue(e), e)
	if v.t == nil || v.class != classInt || l.Dead() {
		if !l.Dead() {
			l.refuse(e, "the length of an array, "+source.Text(e), "")
		}
		return
	}
	if v.typ.Signed {
		negative, fits := l.Branch(l.Pool.Lt(v.t, l.Pool.Const(v.typ, 0)), pos)
		l.Continue(negative)
		l.mem.Invalid(pos)
		l.Continue(fits)
	}
	n := l.fr.lengths[e]
	if n == nil {
		n = l.Temp("length", l.pointer, pos)
		l.fr.lengths[e] = n
	}
	val := l.Pool.Cast(l.pointer, v.t)
	l.Assign(n, val, pos)
	if fixed := l.Pool.Subst(val, l.fr.constants); fixed.IsConst() && l.alwaysSame(e) {
		l.fr.constants[n] = fixed
	}
}

// alwaysSame reports whether a length has one value wherever it is evaluated in this
// instance: nothing in it is ever stored to again.
func (l *lengths) alwaysSame(e cc.ExpressionNode) bool {
	same := l.expressions.pure(e)
	source.WalkExpr(e, func(x cc.ExpressionNode) {
		if v := source.Declarator(x); v != nil {
			same = same && l.fr.locals[v] != nil && l.fr.constants[l.fr.locals[v]] != nil
		}
	})
	return same
}

// length is the variable of a length, of the current instance or one around it; nil if there is none yet.
func (fr *instance) length(e cc.ExpressionNode) *expr.Expr {
	for ; fr != nil; fr = fr.around {
		if n := fr.lengths[e]; n != nil {
			return n
		}
	}
	return nil
}

// runtimeSize is the size of a type in bytes as a term; nil if it is not known.
func (l *lengths) runtimeSize(t cc.Type) *expr.Expr {
	a, ok := t.(*cc.ArrayType)
	if !ok || !a.IsVLA() {
		if size := l.bytes(t); size >= 0 {
			return l.Pool.Const(l.pointer, uint64(size))
		}
		return nil
	}
	elem := l.runtimeSize(a.Elem())
	if elem == nil {
		return nil
	}
	if l.prog.Layouts.Len(a) >= 0 {
		return l.Pool.Mul(elem, l.Pool.Const(l.pointer, uint64(l.prog.Layouts.Len(a))))
	}
	e := a.SizeExpression()
	if e == nil {
		return nil
	}
	if l.fr.length(e) == nil { // of the name of a type
		l.evaluateLength(e, source.Position(e.Position()))
	}
	if n := l.fr.length(e); n != nil {
		return l.Pool.Mul(n, elem)
	}
	return nil
}

// declareVariable declares an array whose size is no constant.
func (l *lengths) declareVariable(n *cc.Declaration, d *cc.Declarator, pos cfa.Pos) {
	if l.opt.CheckPointers && l.fr.nesting > 1 {
		l.refuseAt(pos, "variable-length array "+d.Name()+" in an inner block, where pointers are checked",
			"declare it in the outermost block of the function")
		return
	}
	l.evaluateLengths(d.Type(), d, pos, n)
	if l.Dead() {
		return
	}
	size := l.runtimeSize(d.Type())
	if size == nil {
		l.refuseAt(pos, "variable-length array "+d.Name(), "")
		return
	}
	s := memory.Site{Name: fmt.Sprintf("%s@%d:%d", d.Name(), pos.Line, pos.Col), Size: -1, Length: size, Pos: pos}
	if fixed := l.Pool.Subst(size, l.fr.constants); fixed.IsConst() && fixed.Int() >= 0 && fixed.Int() <= 1<<32 {
		s.Size, s.Length = fixed.Int(), nil
		if elem := innermost(d.Type()); l.bytes(elem) > 0 {
			s.Type = l.typeOf(elem)
		}
	} else {
		l.Assume(cfa.AboutMemory, pos,
			"%s is an array of a length that is not constant: what it holds is any value", d.Name())
	}
	addr := l.mem.Allocate(d.Name(), s)
	p := l.fr.variable[d]
	if p == nil {
		p = l.Temp(d.Name(), l.pointer, pos)
		l.mem.MarkPointer(p, true)
		l.fr.variable[d] = p
	}
	l.Assign(p, addr, pos)
	l.statements.declared(p, nil, pos)
}

// innermost is what an array of arrays is made of.
func innermost(t cc.Type) cc.Type {
	for {
		a, ok := t.(*cc.ArrayType)
		if !ok {
			return t
		}
		t = a.Elem()
	}
}

// vlaLvalue is the lvalue of an array whose size is no constant.
func (l *lengths) vlaLvalue(d *cc.Declarator, n cc.Node) lvalue {
	p := l.fr.owner(d).variable[d]
	if p == nil {
		if !l.Dead() {
			l.refuse(n, "variable-length array "+d.Name(), "")
		}
		return l.unmodelled(d.Type())
	}
	at := memory.Address{Base: p}
	if elem := innermost(d.Type()); l.bytes(elem) > 0 {
		at.Pointee = l.typeOf(elem)
	}
	return l.typed(lvalue{Address: at}, d.Type())
}

// moveBy adds a number of elements whose size is no constant.
func (l *lengths) moveBy(p lvalue, v value, back bool) lvalue {
	size := l.runtimeSize(p.typ)
	if size == nil || v.t == nil {
		return p
	}
	signed := expr.Type{Width: l.pointer.Width, Signed: true}
	by := l.Pool.Mul(l.Pool.Cast(signed, v.t), l.Pool.Cast(signed, size))
	stride := int64(1)
	if back {
		stride = -1
	}
	if fixed := l.Pool.Subst(by, l.fr.constants); fixed.IsConst() {
		p.Off += stride * fixed.Int()
	} else {
		p.Idx = append(p.Idx[:len(p.Idx):len(p.Idx)], memory.Index{I: by, Stride: stride})
	}
	p.dim = 0
	return p
}

// variableSize is sizeof of a type whose size is no constant: its operand is evaluated (C11 6.5.3.4p2).
func (l *lengths) variableSize(x *cc.UnaryExpression, t cc.Type) value {
	if x.Case == cc.UnaryExpressionSizeofType {
		l.evaluateLengths(t, nil, source.Position(x.Position()), x.TypeName)
	} else if !l.harmless(x.UnaryExpression) {
		l.expressions.discard(x.UnaryExpression)
	}
	size := l.runtimeSize(t)
	if size == nil || l.Dead() {
		if !l.Dead() {
			l.refuse(x, "expression "+source.Text(x), "")
		}
		return value{}
	}
	to := l.ctypeOf(x.Type())
	return value{to, l.Pool.Cast(to.typ, size), nil}
}
