package cfa

// Lowering of lvalues: places.
//
// Idea: a place is a variable without an address, or an address with what is
// known of its structure: a base, an offset in bytes, indices with their
// strides. Where the base is a block's and no index is open, the place is a
// cell, an ordinary variable. Everything else becomes a statement of its own
// (access.go) that is resolved when all places are known that its pointer may
// lead to.

import (
	"fmt"
	"strings"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// A place is what an lvalue names, or what a pointer points to.
type place struct {
	v    *expr.Expr     // a scalar variable, or nil
	d    *cc.Declarator // whose variable it is
	base *expr.Expr     // else, an address
	off  int64          // in bytes
	bits int64          // of a bit-field, from there
	idx  []index
	dim  int64 // the length of the array whose first element it is, or 0
	typ  cc.Type
	t    ctype
}

// An index is a number of elements that is not constant.
type index struct {
	i      *expr.Expr
	stride int64
	n      int64 // the length of the array; 0: not known
}

// at gives the place a type.
func (l *lowerer) at(p place, t cc.Type) place {
	p.typ, p.t, p.dim = t, l.prog.model.ctypeOf(t), 0
	return p
}

// nowhere is the place of what is not modelled.
func (l *lowerer) nowhere(t cc.Type) place {
	return l.at(place{base: l.pool.Const(l.prog.model.ptrType(), 0)}, t)
}

// blockPlace is a whole block.
func (l *lowerer) blockPlace(b *block, t cc.Type) place {
	return l.at(place{base: l.addressIn(b, 0)}, t)
}

// place evaluates an lvalue, or another expression of aggregate type.
func (l *lowerer) place(n cc.ExpressionNode) place {
	n = unparen(n)
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		switch x.Case {
		case cc.PrimaryExpressionIdent:
			if d := declarator(x); d != nil {
				return l.variable(d, x)
			}
		case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
			b := l.stringBlock(x)
			return l.blockPlace(b, b.typ)
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionSelect:
			return l.member(l.place(x.PostfixExpression), x)
		case cc.PostfixExpressionPSelect:
			return l.member(l.pointee(x.PostfixExpression), x)
		case cc.PostfixExpressionIndex:
			return l.element(x)
		case cc.PostfixExpressionComplit:
			return l.compoundLiteral(x)
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			return l.pointee(x.CastExpression)
		}
	}
	if t := n.Type(); t != nil && l.prog.model.ctypeOf(t).class == classAggregate {
		if v := l.rvalue(n); v.at != nil {
			return *v.at
		}
		return l.nowhere(t)
	}
	l.refuse(n, "assignment to "+source(n), "")
	return l.nowhere(n.Type())
}

// variable is the place of an object that a declarator names.
func (l *lowerer) variable(d *cc.Declarator, n cc.Node) place {
	t := l.prog.model.ctypeOf(d.Type())
	switch {
	case t.scalar():
		v, _ := l.storage(d)
		return place{v: v, d: d, typ: d.Type(), t: t}
	case d.Type().Kind() == cc.Function && d.Type().Attributes() != nil && d.Type().Attributes().Weak() && l.prog.resolve(l.fr.proc.file, d.Name()) == nil:
		l.refuse(n, "the address of "+d.Name()+", a weak function without a body", "")
		return l.nowhere(d.Type())
	case d.Type().Kind() == cc.Function:
		return l.blockPlace(l.functionBlock(d), d.Type())
	case t.class == classFloat && !d.AddressTaken():
		return place{typ: d.Type(), t: t}
	case t.class == classAggregate || t.class == classFloat:
		b := l.blockFor(d)
		return l.blockPlace(b, b.typ)
	}
	l.refuse(n, fmt.Sprintf("%s, of type %s", d.Name(), d.Type()), "")
	return l.nowhere(d.Type())
}

// blockFor is the block of an aggregate, or of a float whose address is taken.
func (l *lowerer) blockFor(d *cc.Declarator) *block {
	if b := l.fr.blocks[d]; b != nil {
		return b
	}
	if o := l.prog.objects[d]; o != nil {
		return l.staticBlock(o)
	}
	if d.IsStatic() {
		return l.staticBlock(l.staticLocal(d))
	}
	return l.localBlock(d)
}

// member selects a member of a structure or union.
func (l *lowerer) member(p place, x *cc.PostfixExpression) place {
	f := x.Field()
	if f == nil {
		l.refuse(x, "member "+source(x), "")
		return l.nowhere(x.Type())
	}
	if l.strangeLayout(x, f.ParentType(), "member "+source(x)) {
		return l.nowhere(x.Type())
	}
	if a := f.Type().Attributes(); a != nil && a.IsVolatile() {
		l.warnf(position(x.Position()), "volatile %s is treated as an ordinary variable", f.Name())
	}
	if f.IsBitfield() {
		t, at := l.prog.model.bitField(f)
		p.typ, p.t, p.bits, p.dim = f.Type(), t, at%8, 0
		p.off += at / 8
		return p
	}
	p.off += f.Offset()
	return l.at(p, f.Type())
}

// element is a[i], or i[a].
func (l *lowerer) element(x *cc.PostfixExpression) place {
	a, i := x.PostfixExpression, x.ExpressionList
	if !isAddress(a) {
		a, i = i, x.PostfixExpression
	}
	return l.move(l.pointee(a), a, i, false)
}

// isAddress reports whether an expression has the type of a pointer or an
// array.
func isAddress(n cc.ExpressionNode) bool {
	k := n.Type().Kind()
	return k == cc.Ptr || k == cc.Array
}

// isArray reports whether an expression is an array, not yet an address.
func isArray(n cc.ExpressionNode) bool {
	n = unparen(n)
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		switch x.Case {
		case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
			return true
		case cc.PrimaryExpressionIdent:
			d := declarator(x)
			return d != nil && d.Type().Kind() == cc.Array
		}
		return false
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			return x.Field() != nil && x.Field().Type().Kind() == cc.Array
		case cc.PostfixExpressionIndex, cc.PostfixExpressionComplit:
			return n.Type().Undecay().Kind() == cc.Array
		}
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionDeref && n.Type().Undecay().Kind() == cc.Array
	}
	return false
}

// pointee is what a pointer expression points to. It is taken apart where its
// parts tell more than its value: arrays, addresses, sums, casts.
func (l *lowerer) pointee(n cc.ExpressionNode) place {
	n = unparen(n)
	if isArray(n) {
		p := l.place(n)
		a, ok := p.typ.(*cc.ArrayType)
		if !ok {
			return l.nowhere(n.Type())
		}
		dim := a.Len()
		p = l.at(p, a.Elem())
		p.dim = max(dim, 0)
		return p
	}
	elem := func() cc.Type {
		if t, ok := n.Type().(*cc.PointerType); ok {
			return t.Elem()
		}
		return n.Type()
	}
	switch x := n.(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionAddrof {
			p := l.place(x.CastExpression)
			if p.v == nil && p.base == nil { // a float without memory
				return l.nowhere(p.typ)
			}
			return l.inMemory(p)
		}
	case *cc.AdditiveExpression:
		switch {
		case x.Case == cc.AdditiveExpressionMul:
		case isAddress(x.AdditiveExpression) && !isAddress(x.MultiplicativeExpression):
			return l.move(l.pointee(x.AdditiveExpression), x.AdditiveExpression, x.MultiplicativeExpression, x.Case == cc.AdditiveExpressionSub)
		case isAddress(x.MultiplicativeExpression) && x.Case == cc.AdditiveExpressionAdd:
			return l.move(l.pointee(x.MultiplicativeExpression), x.MultiplicativeExpression, x.AdditiveExpression, false)
		}
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast && isAddress(x.CastExpression) && n.Type().Kind() == cc.Ptr {
			return l.at(l.pointee(x.CastExpression), elem())
		}
	}
	if a := elem().Attributes(); a != nil && a.IsVolatile() {
		l.warnf(position(n.Position()), "volatile *%s is treated as ordinary memory", tempName(n))
	}
	v := l.rvalue(n)
	if v.t == nil || v.class != classPtr {
		if len(l.open) > 0 {
			l.refuse(n, "dereference of "+source(n), "")
		}
		return l.nowhere(elem())
	}
	return l.at(place{base: v.t}, elem())
}

// inMemory is the place by its address.
func (l *lowerer) inMemory(p place) place {
	if p.v == nil {
		return p
	}
	b := l.variableBlock(p.v, p.typ, l.varInfo(p.v))
	return l.blockPlace(b, p.typ)
}

// move adds a number of elements to the place that a points to.
func (l *lowerer) move(p place, a, i cc.ExpressionNode, back bool) place {
	keep := l.holdPlace(p, a, i)
	v := l.promote(l.rvalue(i), i)
	l.settlePlace(&p, keep)
	size := p.typ.Size()
	if p.t.class == classVoid || p.typ.Kind() == cc.Function {
		size = 1
	}
	l.steppable(p.typ, a)
	switch {
	case v.t == nil:
		if len(l.open) > 0 {
			l.refuse(i, "index "+source(i), "")
		}
	case v.t.IsConst():
		k := v.t.Int()
		if back {
			k = -k
		}
		p.off += k * size
	default:
		if back {
			size = -size
		}
		p.idx = append(p.idx[:len(p.idx):len(p.idx)], index{v.t, size, p.dim})
	}
	p.dim = 0
	return p
}

// address is the term for a place's address.
func (l *lowerer) address(p place) *expr.Expr {
	p = l.inMemory(p)
	t := l.prog.model.ptrType()
	a := p.base
	for _, x := range p.idx {
		a = l.pool.Add(a, l.pool.Mul(l.pool.Cast(t, x.i), l.pool.Int(t, x.stride)))
	}
	return l.pool.Add(a, l.pool.Int(t, p.off))
}

// ref is the place as accesses name it.
func (l *lowerer) ref(p place, n cc.Node) ref {
	p = l.inMemory(p)
	r := ref{base: p.base, off: p.off, idx: p.idx, t: p.t, size: max(p.typ.Size(), 0), n: n}
	r.e = l.prog.model.extentOf(p.t, r.size, p.bits)
	return r
}

// direct is the leaf that a place is, if it is one at a constant address.
func (l *lowerer) direct(p place) (*block, *leaf) {
	if p.v != nil || len(p.idx) > 0 || p.base == nil {
		return nil, nil
	}
	b, off := l.blockOf(p.base)
	if b == nil || b.live != nil {
		return nil, nil
	}
	e := l.prog.model.extentOf(p.t, p.typ.Size(), 8*(off+p.off)+p.bits)
	return b, l.leafAt(b, e, p.t, true)
}

// read is the value at a place.
func (l *lowerer) read(p place, n cc.Node) value {
	switch {
	case p.v != nil:
		if k := l.fr.known[p.v]; k != nil {
			return value{p.t, k, nil}
		}
		return value{p.t, p.v, nil}
	case p.typ.Kind() == cc.Array, p.typ.Kind() == cc.Function:
		return value{ctype{class: classPtr, typ: l.prog.model.ptrType()}, l.address(p), nil}
	case p.t.class == classFloat:
		if p.base != nil {
			l.emit(loadStmt{from: l.ref(p, n)}, position(n.Position()))
		}
		return value{p.t, nil, nil}
	case p.t.class == classAggregate:
		return value{p.t, nil, &p}
	case !p.t.scalar():
		return l.refuse(n, fmt.Sprintf("%s, of type %s", source(n), p.typ), "")
	}
	if b, lf := l.direct(p); lf != nil {
		if b.fixed && l.starts(b) {
			if c := l.initialOf(b, lf.extent, lf.t); c.val != nil {
				return l.readAs(p, c.val)
			}
		}
		return l.readAs(p, l.cellVar(b, lf))
	}
	lhs := l.temp(tempName(n), p.t.typ, position(n.Position()))
	l.pointers[lhs] = p.t.class == classPtr
	l.emit(loadStmt{lhs: lhs, from: l.ref(p, n)}, position(n.Position()))
	return value{p.t, lhs, nil}
}

// readAs is the term of a leaf by the type of the place.
func (l *lowerer) readAs(p place, t *expr.Expr) value {
	return value{p.t, l.pool.Cast(p.t.typ, t), nil}
}

// tempName names a temporary after an expression.
func tempName(n cc.Node) string {
	s := strings.Join(strings.Fields(source(n)), "")
	if len(s) > 30 || s == "" {
		return "load"
	}
	return s
}

// write stores a value at a place.
func (l *lowerer) write(p place, v value, n cc.Node, pos Pos) {
	switch {
	case p.v != nil:
		l.storeValue(target{p.v, p.t}, v, n, pos)
		return
	case p.t.class == classFloat:
		if p.base != nil {
			l.emit(storeStmt{to: l.ref(p, n), nondet: "float", approx: "floating point"}, pos)
		}
		return
	case p.t.class == classAggregate:
		l.copyTo(p, v, n, pos)
		return
	case !p.t.scalar():
		l.refuse(n, fmt.Sprintf("%s, of type %s", source(n), p.typ), "")
		return
	}
	b, lf := l.direct(p)
	if lf != nil && !b.fixed {
		l.storeValue(target{l.cellVar(b, lf), ctype{class: p.t.class, typ: lf.t.typ, cut: p.t.cut}}, v, n, pos)
		return
	}
	s := storeStmt{to: l.ref(p, n)}
	if v.class == classFloat {
		s.nondet, s.approx = "float", "floating point"
	} else if s.val = l.convert(v, p.t, n).t; s.val == nil || len(l.open) == 0 {
		return
	}
	l.emit(s, pos)
}

// holdPlace leaves room to keep what the place's address depends on, should
// the evaluation of next change it.
func (l *lowerer) holdPlace(p place, n cc.Node, next cc.ExpressionNode) []Loc {
	if l.pure(next) || p.base == nil {
		return nil
	}
	keep := []Loc{l.emit(Goto{}, position(n.Position()))}
	for range p.idx {
		keep = append(keep, l.emit(Goto{}, position(n.Position())))
	}
	return keep
}

// settlePlace keeps in temporaries what has been changed since holdPlace.
func (l *lowerer) settlePlace(p *place, keep []Loc) {
	if keep == nil {
		return
	}
	v := value{t: p.base}
	l.keepIfWritten(&v, keep[0])
	p.base = v.t
	idx := make([]index, len(p.idx))
	for k, x := range p.idx {
		v := value{t: x.i}
		l.keepIfWritten(&v, keep[k+1])
		x.i = v.t
		idx[k] = x
	}
	p.idx = idx
}

// varInfo is the description of a variable.
func (l *lowerer) varInfo(v *expr.Expr) Var { return l.vars[l.varIndex[v]] }
