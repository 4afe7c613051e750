package lower

// Structures, unions and arrays as values: initialisers, compound literals,
// copies.

import (
	"cmp"
	"fmt"
	"slices"

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
	// zeros says that the part is zero again; e and val are nil.
	zeros bool
}

// items takes an initialiser of an object of a type apart, in order.
func (l *objects) items(n *cc.Initializer, object cc.Type) []item {
	parts, err := l.prog.Layouts.Initialise(n, object)
	return l.itemsOf(parts, err, n)
}

// itemsOf are the parts of an initialiser as the lowering has them.
func (l *objects) itemsOf(parts []source.InitPart, err error, n cc.Node) []item {
	if err != nil {
		l.refuse(n, "initialiser "+source.Text(n), err.Error())
		return nil
	}
	var all []item
	for _, p := range parts {
		switch x, isPrimary := exprOf(p).(*cc.PrimaryExpression); {
		case l.Err() != nil:
			return all
		case isPrimary && p.Type.Kind() == cc.Array && source.IsArray(x):
			all = append(all, l.characters(x, p.Type, p.At)...)
			continue
		}
		it := item{at: p.At, typ: p.Type, t: l.ctypeOf(p.Type), e: p.Expr, zeros: p.Expr == nil}
		if p.Field != nil {
			it.t = l.bitField(p.Field)
		}
		all = append(all, it)
	}
	return all
}

// exprOf is the expression of a part without parentheses; nil if it has none.
func exprOf(p source.InitPart) cc.ExpressionNode {
	if p.Expr == nil {
		return nil
	}
	return source.Unparen(p.Expr)
}

// characters are those of a string literal as values of an array.
func (l *objects) characters(x *cc.PrimaryExpression, t cc.Type, at int64) []item {
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
func (l *objects) initialiseObject(b *memory.Object, t cc.Type, init *cc.Initializer, pos cfa.Pos) {
	items := l.items(init, t)
	if len(items) == 1 && items[0].e != nil && items[0].t.class == classAggregate && l.bytes(items[0].typ) == l.bytes(t) {
		v := l.expressions.rvalue(items[0].e)
		l.observing.quietly(func() { l.accesses.write(l.accesses.objectLvalue(b, t), v, items[0].e, pos) })
		return
	}
	l.initialiseItems(b, t, items, init, pos)
}

func (l *objects) initialiseItems(b *memory.Object, t cc.Type, items []item, n cc.Node, pos cfa.Pos) {
	if l.strangeLayout(n, t, "initialiser") {
		return
	}
	fill := memory.Fill{To: l.accesses.ref(l.accesses.objectLvalue(b, t)), Size: b.Size(),
		Val: l.Pool.Const(expr.Uint8, 0)}
	for _, it := range items {
		for _, part := range it.parts() {
			fill.Except = append(fill.Except, part.Extent)
		}
		if it.t.class != classAggregate && it.t.class != classExtended {
			fill.Except = append(fill.Except, extentOf(it.t, l.bytes(it.typ), it.at))
		}
	}
	l.observing.quietly(func() { l.Emit(fill, pos) })
	items = l.inPlace(items, pos)
	once := l.repeated(items)
	for _, it := range items {
		if l.Err() != nil {
			return
		}
		l.initialiseItem(b, it, once, n, pos)
	}
}

// inPlace are the items in the order of their places where several have effects and designators give them another one:
// C leaves the order open, and compilers go through the object. Items with places in common stay.
func (l *objects) inPlace(items []item, pos cfa.Pos) []item {
	at := func(a, b item) int { return cmp.Compare(a.at, b.at) }
	if slices.IsSortedFunc(items, at) {
		return items
	}
	effects := 0
	for _, it := range items {
		if it.e != nil && !l.harmless(it.e) {
			effects++
		}
	}
	if effects == 0 {
		return items
	}
	l.Assume(cfa.AboutOrder, pos, "where C leaves the order of an initialiser's values open it is that of their places")
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, at)
	for i := range sorted[1:] {
		if sorted[i].at+l.bitsOf(sorted[i]) > sorted[i+1].at {
			l.refuseAt(pos, "effects in an initialiser whose parts are given again", "")
			return items
		}
	}
	return sorted
}

// bitsOf is how many bits an item takes.
func (l *objects) bitsOf(it item) int64 {
	if it.t.scalar() {
		return int64(it.t.typ.Width)
	}
	return 8 * l.bytes(it.typ)
}

// repeated are the expressions with effects that several parts begin with, those of a range: they are evaluated once.
func (l *objects) repeated(items []item) map[cc.ExpressionNode]*value {
	seen := map[cc.ExpressionNode]bool{}
	once := map[cc.ExpressionNode]*value{}
	for _, it := range items {
		if it.e == nil {
			continue
		}
		if seen[it.e] && once[it.e] == nil && !l.harmless(it.e) {
			once[it.e] = &value{}
		}
		seen[it.e] = true
	}
	return once
}

// evaluated is the value of a part's expression.
func (l *objects) evaluated(it item, once map[cc.ExpressionNode]*value) value {
	known := once[it.e]
	if known == nil || known.t == nil && known.at == nil {
		v := l.expressions.rvalue(it.e)
		switch {
		case known == nil:
			return v
		case v.t == nil:
			if v.at == nil && !l.Dead() {
				l.refuse(it.e, "a value with effects of several parts, "+source.Text(it.e), "")
			}
			known.at = v.at
			return v
		}
		pos := source.Position(it.e.Position())
		kept := l.Temp("value", v.t.Type(), pos)
		l.mem.MarkPointer(kept, v.class == classPtr)
		l.Assign(kept, v.t, pos)
		*known = value{v.ctype, kept, nil}
	}
	return *known
}

// initialiseItem stores one value. Elements of a span do not become cells by
// being initialised.
func (l *objects) initialiseItem(b *memory.Object, it item, once map[cc.ExpressionNode]*value, n cc.Node, pos cfa.Pos) {
	p := lvalue{Address: memory.Address{Base: l.mem.AddressIn(b, 0), Off: it.at / 8}, bits: it.at % 8,
		typ: it.typ, t: it.t}
	if it.zeros && !it.t.scalar() {
		zero := l.Pool.Const(expr.Uint8, 0)
		l.observing.quietly(func() {
			l.Emit(memory.Fill{To: l.accesses.ref(p), Size: max(l.bytes(it.typ), 0), Val: zero}, pos)
		})
		return
	}
	v := value{it.t, it.val, nil}
	if it.zeros {
		v.t = l.Pool.Const(it.t.typ, 0)
	}
	if it.e != nil {
		n, pos = it.e, source.Position(it.e.Position())
		v = l.evaluated(it, once)
	}
	if !it.t.scalar() || b.HasLeaf(extentOf(it.t, l.bytes(it.typ), it.at)) {
		l.observing.quietly(func() { l.accesses.write(p, v, n, pos) })
		return
	}
	if v = l.expressions.convert(v, it.t, n); v.t != nil && !l.Dead() {
		l.Emit(memory.Store{To: l.accesses.ref(p), Val: v.t, Init: true}, pos)
	}
}

// localObject is the memory of an aggregate of the current instance.
func (l *objects) localObject(d *cc.Declarator) *memory.Object {
	base, _ := l.calls.localName(d.Name())
	t := d.Type()
	kind := cfa.Local
	if d.IsParam() {
		kind = cfa.Param
	}
	b := l.mem.NewObject(base, l.typeFollowed(t, l.followed()), l.bytes(t),
		cfa.Var{Name: d.Name(), Kind: kind, Frame: l.fr.id, Pos: source.Position(d.NameTok().Position())})
	l.fr.objects[d] = b
	return b
}

// tempObject is memory for a value that has no name.
func (l *objects) tempObject(name string, t cc.Type, pos cfa.Pos) *memory.Object {
	return l.mem.NewObject(fmt.Sprintf("%s@%d:%d", name, pos.Line, pos.Col), l.typeOf(t), l.bytes(t),
		cfa.Var{Name: name, Kind: cfa.Temp, Frame: l.fr.id, Pos: pos})
}

// compoundLiteral is (T){…}: an object of the compound statement around it, or of the file.
func (l *objects) compoundLiteral(x *cc.PostfixExpression) lvalue {
	b := l.fr.literals[x]
	t := x.TypeName.Type()
	if o := l.prog.Literal(x); o != nil {
		if l.bytes(t) < 0 || l.misread(x) {
			l.refuse(x, "compound literal of type "+t.String(), "")
			return l.unmodelled(t)
		}
		return l.accesses.objectLvalue(l.staticObject(o), t)
	}
	pos := source.Position(x.Position())
	if b == nil {
		if l.bytes(t) < 0 || l.misread(x) {
			l.refuse(x, "compound literal of type "+t.String(), "")
			return l.unmodelled(t)
		}
		b = l.tempObject("literal", t, pos)
		if source.MayBeConst(x.TypeName) {
			b.MayShare()
		}
		l.fr.literals[x] = b
		l.statements.declared(nil, b, pos)
	}
	l.initialiseItems(b, t, l.literalItems(x), x, pos)
	return l.accesses.objectLvalue(b, t)
}

func (l *objects) literalItems(x *cc.PostfixExpression) []item {
	parts, err := l.prog.Layouts.InitialiseList(x.InitializerList, x.TypeName.Type())
	return l.itemsOf(parts, err, x)
}

// misread reports whether the C library takes a string that initialises the array of a compound literal without a
// length, (char[]){"abc"}, for its first element, and so its length for one.
func (l *facts) misread(x *cc.PostfixExpression) bool {
	a, ok := x.TypeName.Type().(*cc.ArrayType)
	if !ok || a.SizeExpression() != nil || !cc.IsIntegerType(a.Elem()) {
		return false
	}
	list := x.InitializerList
	if list == nil || list.InitializerList != nil || list.Initializer.Case != cc.InitializerExpr {
		return false
	}
	text, ok := source.Unparen(list.Initializer.AssignmentExpression).(*cc.PrimaryExpression)
	return ok && source.IsArray(text) && l.prog.Layouts.Len(a) != textLength(text)
}

// textLength is how many characters a string literal has, with the last one.
func textLength(x *cc.PrimaryExpression) int64 {
	switch s := x.Value().(type) {
	case cc.StringValue:
		return int64(len(s))
	case cc.UTF16StringValue:
		return int64(len(s))
	case cc.UTF32StringValue:
		return int64(len(s))
	}
	return -1
}

// copyTo stores a value of aggregate type.
func (l *objects) copyTo(p lvalue, v value, n cc.Node, pos cfa.Pos) {
	if v.at == nil {
		if !l.Dead() {
			l.refuse(n, "a value of type "+p.typ.String(), "")
		}
		return
	}
	if size := l.bytes(p.typ); size > 0 {
		l.Emit(memory.Copy{To: l.accesses.ref(p), From: l.accesses.ref(*v.at), Size: size}, pos)
	}
}
