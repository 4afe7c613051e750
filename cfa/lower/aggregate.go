package lower

// Structures, unions and arrays as values: initialisers, compound literals,
// copies.

import (
	"fmt"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

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

// items takes an initialiser of an object of a type apart, in order. shift is where the
// part stands whose places count from its beginning, as the C library has it.
func (l *lowerer) items(n *cc.Initializer, object cc.Type, shift int64) []item {
	var all []item
	stride := n.Type().Size()
	for i := range n.Len() {
		if l.Err() != nil {
			break
		}
		s := shift + i*stride
		if n.Case == cc.InitializerInitList {
			for list := n.InitializerList; list != nil; list = list.InitializerList {
				all = append(all, l.items(list.Initializer, object, s)...)
			}
			continue
		}
		at, ok := l.prog.Layouts.Place(object, n.Offset()+s, n.Type(), n.Field())
		if !ok {
			l.refuse(n, "initialiser "+source.Text(n), "which member it is of is not known")
			return all
		}
		if x, ok := source.Unparen(n.AssignmentExpression).(*cc.PrimaryExpression); ok && n.Type().Kind() == cc.Array && source.IsArray(x) {
			all = append(all, l.characters(x, n.Type(), at)...)
			continue
		}
		it := item{at: at, typ: n.Type(), t: l.ctypeOf(n.Type()), e: n.AssignmentExpression}
		if f := n.Field(); f != nil && f.IsBitfield() {
			it.t = l.bitField(f)
		}
		all = append(all, it)
	}
	return all
}

// characters are those of a string literal as values of an array.
func (l *lowerer) characters(x *cc.PrimaryExpression, t cc.Type, at int64) []item {
	a, ok := t.(*cc.ArrayType)
	if !ok {
		return nil
	}
	ct := l.ctypeOf(a.Elem())
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
	all := make([]item, 0, len(chars))
	size, most := l.bytes(a.Elem()), l.prog.Layouts.Len(a)
	for i, c := range chars {
		if most >= 0 && int64(i) >= most || l.Err() != nil {
			break
		}
		all = append(all, item{at: at + 8*size*int64(i), typ: a.Elem(), t: ct, val: l.Pool.Const(ct.typ, c)})
	}
	return all
}

// initialiseObject gives an object of type t the values of an initialiser, and zeros where
// it has none.
func (l *lowerer) initialiseObject(b *memory.Object, t cc.Type, init *cc.Initializer, pos cfa.Pos) {
	items := l.items(init, t, 0)
	if len(items) == 1 && items[0].e != nil && items[0].t.class == classAggregate && l.bytes(items[0].typ) == l.bytes(t) {
		l.write(l.objectPlace(b, t), l.rvalue(items[0].e), items[0].e, pos)
		return
	}
	l.initialiseItems(b, t, items, init, pos)
}

func (l *lowerer) initialiseItems(b *memory.Object, t cc.Type, items []item, n cc.Node, pos cfa.Pos) {
	if l.strangeLayout(n, t, "initialiser") {
		return
	}
	fill := memory.Fill{To: l.ref(l.objectPlace(b, t)), Size: b.Size(), Val: l.Pool.Const(expr.Uint8, 0)}
	for _, it := range items {
		if it.t.class != classAggregate {
			fill.Except = append(fill.Except, extentOf(it.t, l.bytes(it.typ), it.at))
		}
	}
	l.Emit(fill, pos)
	for _, it := range items {
		if l.Err() != nil {
			return
		}
		l.initialiseItem(b, it, n, pos)
	}
}

// initialiseItem stores one value. Elements of a span do not become cells by
// being initialised.
func (l *lowerer) initialiseItem(b *memory.Object, it item, n cc.Node, pos cfa.Pos) {
	p := place{Address: memory.Address{Base: l.mem.AddressIn(b, 0), Off: it.at / 8}, bits: it.at % 8, typ: it.typ, t: it.t}
	v := value{it.t, it.val, nil}
	if it.e != nil {
		n, pos = it.e, source.Position(it.e.Position())
		v = l.rvalue(it.e)
	}
	if !it.t.scalar() || b.HasLeaf(extentOf(it.t, l.bytes(it.typ), it.at)) {
		l.write(p, v, n, pos)
		return
	}
	if v = l.convert(v, it.t, n); v.t != nil && !l.Dead() {
		l.Emit(memory.Store{To: l.ref(p), Val: v.t, Init: true}, pos)
	}
}

// localObject is the memory of an aggregate of the current instance.
func (l *lowerer) localObject(d *cc.Declarator) *memory.Object {
	base, _ := l.localName(d.Name())
	t := d.Type()
	kind := cfa.Local
	if d.IsParam() {
		kind = cfa.Param
	}
	b := l.mem.NewObject(base, l.typeFollowed(t, l.followed()), l.bytes(t), cfa.Var{Name: d.Name(), Kind: kind, Frame: l.fr.id, Pos: source.Position(d.NameTok().Position())})
	l.fr.objects[d] = b
	return b
}

// tempObject is memory for a value that has no name.
func (l *lowerer) tempObject(name string, t cc.Type, pos cfa.Pos) *memory.Object {
	return l.mem.NewObject(fmt.Sprintf("%s@%d:%d", name, pos.Line, pos.Col), l.typeOf(t), l.bytes(t), cfa.Var{Name: name, Kind: cfa.Temp, Frame: l.fr.id, Pos: pos})
}

// compoundLiteral is (T){…}: an object of the compound statement around it.
func (l *lowerer) compoundLiteral(x *cc.PostfixExpression) place {
	b := l.fr.literals[x]
	t := x.TypeName.Type()
	pos := source.Position(x.Position())
	if b == nil {
		if l.bytes(t) <= 0 || l.misread(x) {
			l.refuse(x, "compound literal of type "+t.String(), "")
			return l.nowhere(t)
		}
		b = l.tempObject("literal", t, pos)
		l.fr.literals[x] = b
		l.declared(nil, b, pos)
	}
	l.initialiseItems(b, t, l.literalItems(x), x, pos)
	return l.objectPlace(b, t)
}

func (l *lowerer) literalItems(x *cc.PostfixExpression) (items []item) {
	t := x.TypeName.Type()
	for list := x.InitializerList; list != nil; list = list.InitializerList {
		items = append(items, l.items(list.Initializer, t, 0)...)
	}
	return items
}

// misread reports whether the C library takes a string that initialises the
// array of a compound literal, (char[]){"abc"}, for its first element.
func (l *lowerer) misread(x *cc.PostfixExpression) bool {
	for _, it := range l.literalItems(x) {
		if it.e != nil && it.t.class == classInt && source.IsArray(it.e) {
			return true
		}
	}
	return false
}

// copyTo stores a value of aggregate type.
func (l *lowerer) copyTo(p place, v value, n cc.Node, pos cfa.Pos) {
	if v.at == nil {
		if !l.Dead() {
			l.refuse(n, "a value of type "+p.typ.String(), "")
		}
		return
	}
	if size := l.bytes(p.typ); size > 0 {
		l.Emit(memory.Copy{To: l.ref(p), From: l.ref(*v.at), Size: size}, pos)
	}
}
