package cfa

// Structures, unions and arrays as values: initialisers, compound literals,
// copies.

import (
	"fmt"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// An item is one scalar, or one aggregate expression, of an initialiser.
type item struct {
	at  int64 // in bits, from the beginning of the object
	typ cc.Type
	t   ctype
	e   cc.ExpressionNode
	val *expr.Expr // of a string; e is nil
}

// An initial is the value of a part of a block at the start; val is nil where
// it is not modelled.
type initial struct {
	extent
	val *expr.Expr
}

// items takes an initialiser of an object of type t apart, in order.
func (l *lowerer) items(n *cc.Initializer, shift int64) []item {
	var all []item
	stride := n.Type().Size()
	for i := range n.Len() {
		s := shift + i*stride
		if n.Case == cc.InitializerInitList {
			for list := n.InitializerList; list != nil; list = list.InitializerList {
				all = append(all, l.items(list.Initializer, s)...)
			}
			continue
		}
		at := 8 * (n.Offset() + s)
		if x, ok := unparen(n.AssignmentExpression).(*cc.PrimaryExpression); ok && n.Type().Kind() == cc.Array && isArray(x) {
			for _, c := range l.stringItems(x, n.Type(), at) {
				all = append(all, item{at: c.at, typ: n.Type().(*cc.ArrayType).Elem(), t: l.prog.model.ctypeOf(n.Type().(*cc.ArrayType).Elem()), val: c.val})
			}
			continue
		}
		it := item{at: at, typ: n.Type(), t: l.prog.model.ctypeOf(n.Type()), e: n.AssignmentExpression}
		if f := n.Field(); f != nil && f.IsBitfield() {
			t, off := l.prog.model.bitField(f)
			it.t, it.at = t, at+off-8*f.Offset()
		}
		all = append(all, it)
	}
	return all
}

// stringItems are the characters of a string literal as values of an array.
func (l *lowerer) stringItems(x *cc.PrimaryExpression, t cc.Type, at int64) []initial {
	a, ok := t.(*cc.ArrayType)
	if !ok {
		return nil
	}
	ct := l.prog.model.ctypeOf(a.Elem())
	var chars []uint64
	switch s := x.Value().(type) {
	case cc.StringValue:
		for _, c := range []byte(s) {
			chars = append(chars, uint64(c))
		}
	case cc.UTF16StringValue:
		for _, c := range s {
			chars = append(chars, uint64(c))
		}
	case cc.UTF32StringValue:
		for _, c := range s {
			chars = append(chars, uint64(c))
		}
	}
	var all []initial
	size := a.Elem().Size()
	for i, c := range chars {
		if n := a.Len(); n >= 0 && int64(i) >= n {
			break
		}
		all = append(all, initial{l.prog.model.extentOf(ct, size, at+8*size*int64(i)), l.pool.Const(ct.typ, c)})
	}
	return all
}

// initialiseBlock gives a block the values of an initialiser, and zeros where
// it has none.
func (l *lowerer) initialiseBlock(b *block, init *cc.Initializer, pos Pos) {
	items := l.items(init, 0)
	if len(items) == 1 && items[0].e != nil && items[0].t.class == classAggregate && items[0].typ.Size() == b.typ.Size() {
		l.write(l.blockPlace(b, b.typ), l.rvalue(items[0].e), items[0].e, pos)
		return
	}
	l.initialiseItems(b, items, init, pos)
}

func (l *lowerer) initialiseItems(b *block, items []item, n cc.Node, pos Pos) {
	if l.strangeLayout(n, b.typ, "initialiser") {
		return
	}
	fill := fillStmt{to: l.ref(l.blockPlace(b, b.typ), n), size: b.size, val: l.pool.Const(expr.Uint8, 0)}
	for _, it := range items {
		if it.t.class != classAggregate {
			fill.except = append(fill.except, l.prog.model.extentOf(it.t, it.typ.Size(), it.at))
		}
	}
	l.emit(fill, pos)
	for _, it := range items {
		l.initialiseItem(b, it, n, pos)
	}
}

// initialiseItem stores one value. Elements of a span do not become cells by
// being initialised.
func (l *lowerer) initialiseItem(b *block, it item, n cc.Node, pos Pos) {
	p := place{base: l.addressIn(b, 0), off: it.at / 8, bits: it.at % 8, typ: it.typ, t: it.t}
	v := value{it.t, it.val, nil}
	if it.e != nil {
		n, pos = it.e, position(it.e.Position())
		v = l.rvalue(it.e)
	}
	if !it.t.scalar() || b.find(l.prog.model.extentOf(it.t, it.typ.Size(), it.at)) != nil {
		l.write(p, v, n, pos)
		return
	}
	if v = l.convert(v, it.t, n); v.t != nil && len(l.open) > 0 {
		l.emit(storeStmt{to: l.ref(p, n), val: v.t, lazy: true}, pos)
	}
}

// localBlock is the block of an aggregate of the current instance.
func (l *lowerer) localBlock(d *cc.Declarator) *block {
	base, _ := l.localName(d.Name())
	t := d.Type()
	kind := Local
	if d.IsParam() {
		kind = Param
	}
	b := l.newBlock(base, t, t.Size(), Var{Name: d.Name(), Kind: kind, Frame: l.fr.id, Pos: position(d.NameTok().Position())})
	l.fr.blocks[d] = b
	return b
}

// tempBlock is a block for a value that has no name.
func (l *lowerer) tempBlock(name string, t cc.Type, pos Pos) *block {
	return l.newBlock(fmt.Sprintf("%s@%d:%d", name, pos.Line, pos.Col), t, t.Size(), Var{Name: name, Kind: Temp, Frame: l.fr.id, Pos: pos})
}

// compoundLiteral is (T){…}: an object of the block around it.
func (l *lowerer) compoundLiteral(x *cc.PostfixExpression) place {
	b := l.fr.literals[x]
	t := x.TypeName.Type()
	pos := position(x.Position())
	if b == nil {
		if t.Size() <= 0 || l.misread(x) {
			l.refuse(x, "compound literal of type "+t.String(), "")
			return l.nowhere(t)
		}
		b = l.tempBlock("literal", t, pos)
		l.fr.literals[x] = b
	}
	l.initialiseItems(b, l.literalItems(x), x, pos)
	return l.blockPlace(b, t)
}

func (l *lowerer) literalItems(x *cc.PostfixExpression) (items []item) {
	for list := x.InitializerList; list != nil; list = list.InitializerList {
		items = append(items, l.items(list.Initializer, 0)...)
	}
	return items
}

// misread reports whether the C library takes a string that initialises the
// array of a compound literal, (char[]){"abc"}, for its first element.
func (l *lowerer) misread(x *cc.PostfixExpression) bool {
	for _, it := range l.literalItems(x) {
		if it.e != nil && it.t.class == classInt && isArray(it.e) {
			return true
		}
	}
	return false
}

// copyTo stores a value of aggregate type.
func (l *lowerer) copyTo(p place, v value, n cc.Node, pos Pos) {
	if v.at == nil {
		if len(l.open) > 0 {
			l.refuse(n, "a value of type "+p.typ.String(), "")
		}
		return
	}
	if size := p.typ.Size(); size > 0 {
		l.emit(copyStmt{to: l.ref(p, n), from: l.ref(*v.at, n), size: size, between: &transit{frame: l.fr.id}}, pos)
	}
}
