package lower

// Lowering of lvalues.
//
// Idea: an lvalue is a variable without an address, or an address with what is
// known of its structure: a base, an offset in bytes, indices with their
// strides. Where the base is that of an object and no index is open, the lvalue
// is a cell, an ordinary variable. Everything else becomes a statement of its
// own, a memory.Load or the like, which is resolved when it is known where its
// pointer may lead.

import (
	"fmt"
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// An lvalue is what an expression names, or what a pointer points to.
type lvalue struct {
	v              *expr.Expr     // a scalar variable, or nil
	d              *cc.Declarator // whose variable it is
	memory.Address                // else
	bits           int64          // of a bit-field, from there
	field          *cc.Field      // the bit-field that it is, or nil
	of             *memberOf      // the member that it is, where a rule speaks of assignments; or nil
	loose          bool           // it may stand at any byte, whatever its type
	dim            int64          // the length of the array whose first element it is, or 0
	typ            cc.Type
	t              ctype
}

// typed gives the lvalue a type.
func (l *facts) typed(p lvalue, t cc.Type) lvalue {
	p.typ, p.t, p.dim = t, l.ctypeOf(t), 0
	return p
}

// unmodelled is the place of what is not modelled.
func (l *terms) unmodelled(t cc.Type) lvalue {
	return l.typed(lvalue{Address: memory.Address{Base: l.Pool.Const(l.pointer, 0)}}, t)
}

// objectLvalue is a whole object as an lvalue.
func (l *accesses) objectLvalue(b *memory.Object, t cc.Type) lvalue {
	return l.typed(lvalue{Address: memory.Address{Base: l.mem.AddressIn(b, 0)}}, t)
}

// lvalue evaluates an lvalue, or another expression of aggregate type.
func (l *accesses) lvalue(n cc.ExpressionNode) lvalue {
	n = source.Unparen(n)
	switch x := n.(type) {
	case *cc.PrimaryExpression:
		switch x.Case {
		case cc.PrimaryExpressionIdent:
			if d := source.Declarator(x); d != nil {
				return l.variable(d, x)
			}
		case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
			return l.objectLvalue(l.stringObject(x), x.Type().Undecay())
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionSelect:
			return l.member(l.lvalue(x.PostfixExpression), x)
		case cc.PostfixExpressionPSelect:
			return l.member(l.pointee(x.PostfixExpression), x)
		case cc.PostfixExpressionIndex:
			if b := x.PostfixExpression.Type(); b != nil && b.VectorSize() > 0 {
				l.refuse(n, "element of a vector", "")
				return l.unmodelled(n.Type())
			}
			return l.element(x)
		case cc.PostfixExpressionComplit:
			return l.objects.compoundLiteral(x)
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			return l.pointee(x.CastExpression)
		}
	}
	if t := n.Type(); t != nil && l.ctypeOf(t).class == classAggregate {
		if v := l.expressions.rvalue(n); v.at != nil {
			return *v.at
		}
		return l.unmodelled(t)
	}
	l.refuse(n, "assignment to "+source.Text(n), "")
	return l.unmodelled(n.Type())
}

// variable is the lvalue of an object that a declarator names.
func (l *accesses) variable(d *cc.Declarator, n cc.Node) lvalue {
	t := l.ctypeOf(d.Type())
	if l.threading.concurrent() {
		if why := l.threading.notOwned(d); why != "" {
			l.refuse(n, d.Name()+", which is thread-local", why)
			return l.unmodelled(d.Type())
		}
		l.threading.tellOwned(d)
	}
	switch {
	case l.mayBeMissing(d):
		return l.typed(lvalue{Address: memory.Address{Base: l.weakAddress(d, n)}}, d.Type())
	case t.scalar():
		v, _ := l.objects.storage(d)
		return lvalue{v: v, d: d, typ: d.Type(), t: t}
	case d.Type().Kind() == cc.Function:
		if p, is := l.nestedAddress(d, n); is {
			return p
		}
		return l.objectLvalue(l.calls.functionObject(d), d.Type())
	case t.class == classOpaque && !d.AddressTaken() && !(l.opt.Races && l.prog.Object(d) != nil):
		return lvalue{typ: d.Type(), t: t, d: d}
	case hasVariableSize(d.Type()):
		return l.objects.vlaLvalue(d, n)
	case t.class == classExtended:
		if d.IsVolatile() {
			l.Assume(cfa.AboutVolatile, source.Position(d.NameTok().Position()),
				"volatile %s is treated as an ordinary variable", d.Name())
		}
		p := l.aggregate(d)
		p.d = d
		return p
	case t.class == classAggregate || t.class == classOpaque:
		return l.aggregate(d)
	}
	l.refuse(n, fmt.Sprintf("%s, of type %s", d.Name(), d.Type()), "")
	return l.unmodelled(d.Type())
}

// mayBeMissing reports whether a declarator is of something weak that other code may define
// or not.
func (l *accesses) mayBeMissing(d *cc.Declarator) bool {
	if !l.fr.proc.File.IsWeak(d) || d.Linkage() != cc.External {
		return false
	}
	if d.Type().Kind() == cc.Function {
		return l.prog.Body(l.fr.proc.File, d.Name()) == nil
	}
	o := l.prog.Object(d)
	return o != nil && !o.Defined
}

// weakAddress is the address of what may be missing: null, then, in the whole run. That other code defines it is not
// modelled, so no violation rests on it.
func (l *accesses) weakAddress(d *cc.Declarator, n cc.Node) *expr.Expr {
	pos := source.Position(n.Position())
	there := l.Any(bool1, d.Name()+", which is weak", "whether other code defines "+d.Name()+", which is weak", pos)
	known, not := l.Branch(l.Pool.Lor(l.Pool.Truth(l.objects.missing(d.Name())), l.Pool.Truth(there)), pos)
	if l.Continue(not); len(not) > 0 {
		l.Halt("assume", pos)
	}
	l.Continue(known)
	var at *memory.Object
	if d.Type().Kind() == cc.Function {
		at = l.calls.functionObject(d)
	} else {
		at = l.objects.staticObject(l.prog.Object(d))
	}
	return l.Pool.Ite(l.Pool.Truth(l.objects.missing(d.Name())), l.Pool.Const(l.pointer, 0), l.mem.AddressIn(at, 0))
}

// missing is the variable that says whether something weak is missing; it begins with any value, and keeps it.
func (l *objects) missing(name string) *expr.Expr {
	for _, w := range l.weak {
		if w.name == name {
			return w.missing
		}
	}
	full := name + " is missing"
	v := l.NewVar(full, full, bool1)
	l.List(cfa.Var{Expr: v, Name: full, Kind: cfa.Global, Frame: -1, Proc: name})
	l.weak = append(l.weak, weakName{name, v})
	return v
}

// aggregate is the lvalue of an aggregate, or of a float whose address is
// taken.
func (l *accesses) aggregate(d *cc.Declarator) lvalue {
	if b := l.fr.owner(d).objects[d]; b != nil {
		return l.objectLvalue(b, d.Type())
	}
	if o := l.objects.static(d); o != nil {
		return l.objectLvalue(l.objects.staticObject(o), o.Type)
	}
	return l.objectLvalue(l.objects.localObject(d), d.Type())
}

// stringObject is the memory of a string literal.
func (l *accesses) stringObject(x *cc.PrimaryExpression) *memory.Object {
	if b := l.objects.strings[x]; b != nil {
		return b
	}
	t := x.Type().Undecay()
	decl := cfa.Var{Name: "string", Kind: cfa.Temp, Frame: l.fr.id, Pos: source.Position(x.Position())}
	var inits []memory.Initial
	for _, c := range l.objects.characters(x, t, 0) {
		inits = append(inits, memory.Initial{Extent: extentOf(c.t, l.bytes(c.typ), c.at), Value: c.val})
	}
	b := l.mem.LiteralObject(l.typeOf(t), decl, inits)
	l.objects.strings[x] = b
	return b
}

// member selects a member of a structure or union.
func (l *accesses) member(p lvalue, x *cc.PostfixExpression) lvalue {
	f := x.Field()
	var at int64
	known := f != nil
	if known {
		at, known = l.prog.Layouts.Member(p.typ, f)
	}
	if !known {
		l.refuse(x, "member "+source.Text(x), "")
		return l.unmodelled(x.Type())
	}
	if l.strangeLayout(x, f.ParentType(), "member "+source.Text(x)) {
		return l.unmodelled(x.Type())
	}
	p.loose = p.loose || l.prog.Layouts.IsLoose(p.typ)
	p.of = nil
	if l.watchesMembers() {
		p.of = &memberOf{p.typ, f, at}
	}
	if a := f.Type().Attributes(); a != nil && a.IsVolatile() {
		l.Assume(cfa.AboutVolatile, source.Position(x.Position()), "volatile %s is treated as an ordinary variable", f.Name())
	}
	p.Off += at / 8
	if f.IsBitfield() {
		p.typ, p.t, p.bits, p.dim, p.field = f.Type(), l.bitField(f), at%8, 0, f
		return p
	}
	return l.typed(p, f.Type())
}

// element is a[i], or i[a].
func (l *accesses) element(x *cc.PostfixExpression) lvalue {
	a, i := x.PostfixExpression, x.ExpressionList
	if !source.IsAddress(a) {
		a, i = i, x.PostfixExpression
	}
	return l.move(l.pointee(a), a, i, false)
}

// pointee is what a pointer expression points to. It is taken apart where its
// parts tell more than its value: arrays, addresses, sums, casts.
func (l *accesses) pointee(n cc.ExpressionNode) lvalue {
	n = source.Unparen(n)
	if source.IsArray(n) {
		p := l.lvalue(n)
		a, ok := p.typ.(*cc.ArrayType)
		if !ok {
			return l.unmodelled(n.Type())
		}
		dim := l.prog.Layouts.Len(a)
		p = l.typed(p, a.Elem())
		p.dim = max(dim, 0)
		return p
	}
	elem := func() cc.Type {
		if t := source.Pointee(n); t != nil {
			return t
		}
		return n.Type()
	}
	switch x := n.(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionAddrof {
			p := l.lvalue(x.CastExpression)
			if p.v == nil && p.Base == nil { // a float without memory
				return l.unmodelled(p.typ)
			}
			return l.inMemory(p)
		}
	case *cc.AdditiveExpression:
		switch {
		case x.Case == cc.AdditiveExpressionMul:
		case source.IsAddress(x.AdditiveExpression) && !source.IsAddress(x.MultiplicativeExpression):
			return l.move(l.pointee(x.AdditiveExpression), x.AdditiveExpression, x.MultiplicativeExpression,
				x.Case == cc.AdditiveExpressionSub)
		case source.IsAddress(x.MultiplicativeExpression) && x.Case == cc.AdditiveExpressionAdd:
			return l.move(l.pointee(x.MultiplicativeExpression), x.MultiplicativeExpression, x.AdditiveExpression, false)
		}
	case *cc.CastExpression:
		call, isCall := source.Unparen(x.CastExpression).(*cc.PostfixExpression)
		if isCall && call.Case == cc.PostfixExpressionCall && source.CalleeName(call) == nextArgumentName {
			return l.calls.nextArgument(call, elem())
		}
		if x.Case == cc.CastExpressionCast && source.IsAddress(x.CastExpression) && n.Type().Kind() == cc.Ptr {
			l.objects.evaluateType(x)
			return l.typed(l.pointee(x.CastExpression), elem())
		}
	}
	if a := elem().Attributes(); a != nil && a.IsVolatile() {
		l.Assume(cfa.AboutVolatile, source.Position(n.Position()), "volatile *%s is treated as ordinary memory", tempName(n))
	}
	v := l.expressions.rvalue(n)
	if v.t == nil || v.class != classPtr {
		if !l.Dead() {
			l.refuse(n, "dereference of "+source.Text(n), "")
		}
		return l.unmodelled(elem())
	}
	at := memory.Address{Base: v.t}
	if !hasVariableSize(elem()) {
		at.Pointee = l.typeOf(elem())
	}
	return l.typed(lvalue{Address: at}, elem())
}

// inMemory is the lvalue by its address.
func (l *accesses) inMemory(p lvalue) lvalue {
	if p.v == nil {
		return p
	}
	return l.objectLvalue(l.mem.VariableObject(p.v, l.typeOf(p.typ)), p.typ)
}

// move adds a number of elements to the lvalue that a points to.
func (l *accesses) move(p lvalue, a, i cc.ExpressionNode, back bool) lvalue {
	keep := l.holdAddress(p, a, i)
	v := l.expressions.promote(l.expressions.rvalue(i), i)
	l.settleAddress(&p, keep)
	if hasVariableSize(p.typ) {
		return l.objects.moveBy(p, v, back)
	}
	size := l.bytes(p.typ)
	if p.t.class == classVoid || p.typ.Kind() == cc.Function {
		size = 1
	}
	l.steppable(p.typ, a)
	switch {
	case v.t == nil:
		if !l.Dead() {
			l.refuse(i, "index "+source.Text(i), "")
		}
	case v.t.IsConst():
		k := v.t.Int()
		if back {
			k = -k
		}
		if p.dim > 1 && (k < 0 || k >= p.dim) { // tested, and never true
			p.Idx = append(p.Idx[:len(p.Idx):len(p.Idx)], memory.Index{I: l.Pool.Int(expr.Int64, k), Stride: size, N: p.dim})
			break
		}
		p.Off += k * size
	default:
		if back {
			size = -size
		}
		p.Idx = append(p.Idx[:len(p.Idx):len(p.Idx)], memory.Index{I: v.t, Stride: size, N: p.dim})
	}
	p.dim = 0
	return p
}

// address is the term for an lvalue's address.
func (l *accesses) address(p lvalue) *expr.Expr { return l.mem.Term(l.inMemory(p).Address) }

// ref is the lvalue as accesses name it.
func (l *accesses) ref(p lvalue) memory.Ref {
	p = l.inMemory(p)
	size := max(l.bytes(p.typ), 0)
	return memory.Ref{Address: p.Address, Extent: extentOf(p.t, size, p.bits), Scalar: p.t.cell(), Size: size,
		Loose: p.loose || l.prog.Layouts.IsLoose(p.typ)}
}

// direct is the cell that an lvalue is, if it is one at a constant address.
func (l *accesses) direct(p lvalue) (memory.Cell, bool) {
	if p.v != nil || p.Base == nil || p.t.class == classExtended {
		return memory.Cell{}, false
	}
	return l.mem.Direct(l.ref(p))
}

// read is the value of an lvalue.
func (l *accesses) read(p lvalue, n cc.Node) value {
	if e, ok := n.(cc.ExpressionNode); ok && l.isAtomic(e) {
		pos := source.Position(n.Position())
		l.threading.access(true, pos)
		defer l.threading.access(false, pos)
		if p.t.class == classExtended { // other threads may write it between its words
			return value{p.t, l.Any(p.t.typ, "float", "an _Atomic long double", pos), nil}
		}
	}
	switch {
	case p.v != nil:
		if k := l.fr.known[p.v]; k != nil {
			return value{p.t, k, nil}
		}
		if l.threading.private(p) {
			return value{p.t, p.v, nil}
		}
		if t := l.threading.neverStored(p); t != nil {
			return value{p.t, t, nil}
		}
		return l.threading.readNow(value{p.t, p.v, nil}, tempName(n), source.Position(n.Position()))
	case p.typ.Kind() == cc.Array, p.typ.Kind() == cc.Function:
		return value{ctype{class: classPtr, typ: l.pointer}, l.address(p), nil}
	case p.t.class == classOpaque:
		if p.Base != nil {
			l.Emit(memory.Load{From: l.ref(p)}, source.Position(n.Position()))
		}
		return value{p.t, nil, nil}
	case p.t.class == classAggregate:
		l.noAtomicCopy(n)
		return value{p.t, nil, &p}
	case p.t.class == classExtended:
		return l.readExtended(p, n)
	case !p.t.scalar():
		return l.refuse(n, fmt.Sprintf("%s, of type %s", source.Text(n), p.typ), "")
	}
	if c, ok := l.direct(p); ok {
		if v := l.startValue(c); v != nil {
			return l.readAs(p, v, source.Position(n.Position()))
		}
		v := l.readAs(p, l.mem.Var(c), source.Position(n.Position()))
		if !l.threading.private(p) {
			return l.threading.readNow(v, tempName(n), source.Position(n.Position()))
		}
		return v
	}
	text := source.Text(n)
	lhs := l.Temp(shortName(text), p.t.typ, source.Position(n.Position()))
	l.mem.MarkPointer(lhs, p.t.class == classPtr)
	l.Emit(memory.Load{LHS: lhs, From: l.ref(p), Text: text}, source.Position(n.Position()))
	return value{p.t, lhs, nil}
}

// startValue is the value that a cell of a constant object always has, or nil.
func (l *accesses) startValue(c memory.Cell) *expr.Expr {
	l.objects.readConstant(c.Object)
	return l.mem.StartValue(c)
}

// readAs is the term of a cell by the type of the lvalue.
func (l *terms) readAs(p lvalue, t *expr.Expr, pos cfa.Pos) value {
	if t.Type().IsFloat() && !p.t.typ.IsFloat() && !t.IsConst() {
		l.Assume(cfa.AboutFloats, pos, memory.BitsOfNaN)
	}
	return value{p.t, l.Pool.As(p.t.typ, t), nil}
}

// tempName names a temporary after an expression.
func tempName(n cc.Node) string { return shortName(source.Text(n)) }

func shortName(text string) string {
	s := strings.Join(strings.Fields(text), "")
	if len(s) > 30 || s == "" {
		return "load"
	}
	return s
}

// write stores a value in an lvalue.
func (l *accesses) write(p lvalue, v value, n cc.Node, pos cfa.Pos) {
	if around := l.neighbours(p); len(around) > 0 {
		l.writeAmong(p, v, around, n, pos)
		return
	}
	l.put(p, v, n, pos)
}

// put stores a value in an lvalue, and nowhere else.
func (l *accesses) put(p lvalue, v value, n cc.Node, pos cfa.Pos) {
	switch {
	case p.t.class == classExtended:
		l.writeExtended(p, v, n, pos)
		return
	case p.v != nil:
		l.storeValue(target{p.v, p.t}, v, n, pos)
		return
	case p.t.class == classOpaque:
		if p.Base != nil {
			l.Emit(memory.Store{To: l.ref(p), Nondet: "float", Approx: "floating point"}, pos)
		} else {
			l.frames(p.d, n)
		}
		return
	case p.t.class == classAggregate:
		l.objects.copyTo(p, v, n, pos)
		return
	case !p.t.scalar():
		l.refuse(n, fmt.Sprintf("%s, of type %s", source.Text(n), p.typ), "")
		return
	}
	if c, ok := l.direct(p); ok && !c.Object.Const() {
		l.storeCell(p, c, v, n, pos)
		return
	}
	s := memory.Store{To: l.ref(p)}
	if v.class == classOpaque && v.constant == nil {
		s.Nondet, s.Approx = "float", "floating point"
	} else if s.Val = l.expressions.convert(v, p.t, n).t; s.Val == nil || l.Dead() {
		return
	}
	l.Emit(s, pos)
}

// storeCell stores a value in the cell that an lvalue is. Where one of them is an integer and the other floating
// point, as members of a union may be, the cell takes the bits.
func (l *accesses) storeCell(p lvalue, c memory.Cell, v value, n cc.Node, pos cfa.Pos) {
	cell := c.Scalar().Type
	if cell.IsFloat() == p.t.typ.IsFloat() {
		l.storeValue(target{l.mem.Var(c), ctype{class: p.t.class, typ: cell, cut: p.t.cut}}, v, n, pos)
		return
	}
	if r := l.expressions.convert(v, p.t, n); r.t != nil && !l.Dead() {
		l.Assign(l.mem.Var(c), l.Pool.As(cell, r.t), pos)
	}
}

// holdAddress leaves room to keep what the lvalue's address depends on, should
// the evaluation of next change it.
func (l *accesses) holdAddress(p lvalue, n cc.Node, next cc.ExpressionNode) []cfa.Loc {
	if l.expressions.pure(next) || p.Base == nil {
		return nil
	}
	keep := []cfa.Loc{l.Emit(cfa.Goto{}, source.Position(n.Position()))}
	for range p.Idx {
		keep = append(keep, l.Emit(cfa.Goto{}, source.Position(n.Position())))
	}
	return keep
}

// settleAddress keeps in temporaries what has been changed since holdAddress.
func (l *accesses) settleAddress(p *lvalue, keep []cfa.Loc) {
	if keep == nil {
		return
	}
	v := value{t: p.Base}
	l.keepIfWritten(&v, keep[0])
	p.Base = v.t
	idx := make([]memory.Index, len(p.Idx))
	for k, x := range p.Idx {
		v := value{t: x.I}
		l.keepIfWritten(&v, keep[k+1])
		x.I = v.t
		idx[k] = x
	}
	p.Idx = idx
}
