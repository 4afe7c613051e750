package lower

// Variable arguments.
//
// Idea: calls are inlined, so the variable arguments of each are known. An instance of a variadic procedure has an
// object with a slot for each of them, with the value that the default argument promotions make of it. A va_list is a
// pointer to the slot that is next, or to behind the last one. va_arg tests which slot of the enclosing procedures
// that is, of those whose type fits, and moves the va_list on. Where it is none, the behaviour is undefined: an error
// where pointers are checked, else such runs are left out, which is told. A va_list that has ended, or was given to a
// procedure that moved it on, is NULL from then on: C11 7.16p3 leaves it indeterminate.
//
// Deviation: integers of one size stand for each other, signed or not, and so do pointers.
//
// Left out: the arguments of the component's own procedure and of bodies that are looked at for what they write only,
// and a va_list from outside. There va_arg gives any value, which no violation may rest on.
//
// Cost: at each va_arg a test for each slot that fits, of each enclosing procedure; none where the code right before
// says which slot it is.

import (
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

const (
	variableArguments = "variable arguments"
	nextArgumentName  = "__builtin_va_arg_impl"
)

// slotSize is what the size of each slot is a multiple of. The first one begins behind so many bytes.
const slotSize = 16

// A slot is a variable argument.
type slot struct {
	at, end int64 // in its object, in bytes
	t       ctype
	typ     cc.Type    // of the expression, before it was promoted
	known   *expr.Expr // its value, where that is a constant; nobody changes it
}

// A variadic is the variable arguments of an instance; without an object they are not known.
type variadic struct {
	object *memory.Object
	slots  []slot
}

// passVariable gives the current instance its variable arguments, if its body looks at them.
func (l *variadics) passVariable(c *callSite, pr *source.Procedure, vals []value) {
	named := len(source.Parameters(pr.Type))
	if !pr.Type.IsVariadic() || len(vals) < named || l.Dead() || !pr.Mentions("__builtin_va_start") {
		return
	}
	vals = vals[named:]
	v := &variadic{}
	t := &memory.Type{Size: slotSize}
	for i, a := range vals {
		s := slot{at: t.Size, t: a.ctype}
		if a.t != nil {
			if s.known = l.library.justSet(l.Pool.Subst(a.t, l.fr.constants)); !s.known.IsConst() {
				s.known = nil
			}
		}
		if named+i < len(c.args) {
			s.typ = source.RealType(c.args[named+i]).Decay()
		}
		m, size := l.slotType(s)
		s.end = s.at + (size+slotSize-1)/slotSize*slotSize
		t.Members = append(t.Members, memory.Member{Name: fmt.Sprint(i + 1), At: 8 * s.at, Type: m})
		v.slots = append(v.slots, s)
		t.Size = s.end
	}
	name := pr.Name + "::arguments"
	v.object = l.mem.NewObject(name, t, t.Size, cfa.Var{Name: "arguments", Kind: cfa.Temp, Frame: l.fr.id, Pos: c.pos})
	l.fr.variadic = v
	for i, a := range vals {
		l.passSlot(c, v, v.slots[i], t.Members[i].Type, a)
	}
}

// slotType is the type of a slot as memory has it, and its size.
func (l *variadics) slotType(s slot) (*memory.Type, int64) {
	switch {
	case s.t.class == classExtended:
		return &memory.Type{Size: 2 * slotSize, Members: wordMembers(s.t.typ)}, 2 * slotSize
	case s.t.class == classAggregate && s.typ != nil:
		return l.typeOf(s.typ), l.bytes(s.typ)
	case s.t.class == classOpaque && s.typ != nil && l.bytes(s.typ) > 8:
		return l.typeOf(s.typ), l.bytes(s.typ)
	}
	cell := s.t.cell()
	size := int64(s.t.typ.Width / 8)
	if s.t.class == classOpaque {
		size = 8
	}
	return &memory.Type{Size: size, Scalar: &cell}, size
}

// passSlot stores a variable argument.
func (l *variadics) passSlot(c *callSite, v *variadic, s slot, t *memory.Type, a value) {
	at := memory.Address{Base: l.mem.AddressIn(v.object, 0), Off: s.at}
	ref := memory.Ref{Address: at, Extent: extentOf(s.t, t.Size, 0), Scalar: s.t.cell(), Size: t.Size}
	switch {
	case l.Dead():
	case s.t.class == classExtended:
		if s.typ != nil {
			l.accesses.write(l.typed(lvalue{Address: at}, s.typ), a, c.n, c.pos)
		}
	case a.at != nil:
		l.objects.copyTo(l.typed(lvalue{Address: at}, s.typ), a, c.n, c.pos)
	case a.class == classOpaque:
		l.Emit(memory.Store{To: ref, Nondet: "float", Approx: "floating point"}, c.pos)
	case a.t != nil:
		if cell, ok := l.mem.Direct(ref); ok {
			l.Assign(l.mem.Var(cell), l.Pool.As(cell.Scalar().Type, a.t), c.pos)
		} else {
			l.Emit(memory.Store{To: ref, Val: a.t}, c.pos)
		}
	}
}

// escapeVariable gives the variable arguments to a routine that is given by an abstraction, and whose body looks at
// them: it may store where addresses among them lead.
func (l *variadics) escapeVariable(c *callSite, pr *source.Procedure, vals []value) {
	named := len(source.Parameters(pr.Type))
	if !pr.Type.IsVariadic() || len(vals) <= named || l.Dead() || !pr.Mentions("__builtin_va_start") {
		return
	}
	s := memory.UnknownCall{Name: c.name, Approx: variableArguments}
	for _, v := range vals[named:] {
		switch {
		case v.at != nil:
			s.Passed = append(s.Passed, l.accesses.ref(*v.at))
		case v.t != nil && l.mayHoldAddress(v.ctype):
			s.Args = append(s.Args, v.t)
		}
	}
	s.Numbers = slices.ContainsFunc(c.args, l.calls.hidesAddress)
	if slices.ContainsFunc(s.Args, func(t *expr.Expr) bool { return !t.IsConst() || t.Value() != 0 }) ||
		len(s.Passed) > 0 {
		l.Emit(s, c.pos)
	}
}

// listOf is the va_list of a call of va_start, va_arg or va_end; the macro of va_arg assigns it to itself.
func (l *variadics) listOf(args []cc.ExpressionNode) (p lvalue, ok bool) {
	if len(args) == 0 {
		return p, false
	}
	list := args[0]
	if a, is := source.Unparen(list).(*cc.AssignmentExpression); is && a.Case == cc.AssignmentExpressionAssign {
		list = a.UnaryExpression
	}
	if !source.IsArgumentList(list.Type()) {
		return p, false
	}
	return l.accesses.lvalue(list), true
}

// setList gives a va_list a value.
func (l *variadics) setList(p lvalue, to *expr.Expr, n cc.Node, pos cfa.Pos) {
	if !l.Dead() {
		l.accesses.write(p, value{ctype{class: classPtr, typ: l.pointer}, to, nil}, n, pos)
	}
}

// startArguments is va_start.
func startArguments(l *lowerer, c *callSite) value {
	p, ok := l.calls.listOf(c.args)
	if !ok {
		return l.refuse(c.n, "call of va_start", "its argument is no va_list")
	}
	v := l.fr.variadic
	if v == nil { // not known
		v = &variadic{object: l.mem.NewObject(l.fr.proc.Name+"::arguments", nil, 1,
			cfa.Var{Name: "arguments", Kind: cfa.Temp, Frame: l.fr.id, Pos: c.pos})}
		l.fr.variadic = v
	}
	first := int64(0)
	if v.object.Size() >= slotSize {
		first = slotSize
	}
	l.calls.setList(p, l.mem.AddressIn(v.object, first), c.n, c.pos)
	return value{ctype: ctVoid}
}

// endArguments is va_end.
func endArguments(l *lowerer, c *callSite) value {
	if p, ok := l.calls.listOf(c.args); ok {
		l.calls.setList(p, l.Pool.Const(l.pointer, 0), c.n, c.pos)
	}
	return value{ctype: ctVoid}
}

// nextArgument is what va_arg gives: the argument that is next, of a type.
func (l *variadics) nextArgument(call *cc.PostfixExpression, t cc.Type) lvalue {
	pos := source.Position(call.Position())
	p, ok := l.listOf(source.Arguments(call))
	if !ok {
		l.refuse(call, "call of va_arg", "its argument is no va_list")
		return l.unmodelled(t)
	}
	if l.calls.sharedAround(l.fr) >= 0 { // whose arguments these are, calls decide that are not known here
		l.refuse(call, "call of va_arg", "it is modelled where calls are inlined")
		return l.unmodelled(t)
	}
	list := l.accesses.read(p, call)
	if list.t == nil || l.Dead() {
		return l.unmodelled(t)
	}
	at := l.library.justSet(l.Pool.Subst(list.t, l.fr.constants))
	to := l.argumentPlace(t, pos)
	var ends cfa.Ends
	for fr := l.fr; fr != nil; fr = fr.parent {
		if fr.variadic == nil {
			continue
		}
		for _, s := range fr.variadic.slots {
			if !l.fits(s, t) || l.Dead() {
				continue
			}
			here := l.mem.AddressIn(fr.variadic.object, s.at)
			is, other := l.Branch(l.Pool.Eq(at, here), pos)
			if l.Continue(is); len(is) > 0 {
				if t.Kind() != cc.Void && to.t.class != classOpaque {
					from := l.typed(lvalue{Address: memory.Address{Base: here}}, t)
					l.accesses.write(to, l.accesses.read(from, call), call, pos)
				}
				l.setList(p, l.mem.AddressIn(fr.variadic.object, s.end), call, pos)
				ends = append(ends, l.Ends()...)
			}
			l.Continue(other)
		}
	}
	l.noArgument(at, pos)
	l.anyArgument(to, pos)
	l.Join(ends)
	return to
}

// argumentPlace is where a variable argument of a type is put; nowhere for floating point, which has any value.
func (l *variadics) argumentPlace(t cc.Type, pos cfa.Pos) lvalue {
	to := l.typed(lvalue{}, t)
	switch {
	case to.t.termed():
		to.v = l.Temp("argument", to.t.typ, pos)
		l.mem.MarkPointer(to.v, to.t.class == classPtr)
	case to.t.class == classAggregate:
		to = l.accesses.objectLvalue(l.objects.tempObject("argument", t, pos), t)
	}
	return to
}

// slotValue is the variable argument at an address.
func (l *variadics) slotValue(s slot, at memory.Address, c *callSite) value {
	p := lvalue{Address: at, t: s.t, typ: s.typ}
	switch {
	case s.typ == nil || !s.t.scalar():
		return value{ctype: s.t}
	case s.known != nil:
		return value{s.t, s.known, nil}
	}
	return l.accesses.read(p, c.n)
}

// fits reports whether va_arg may give an argument as one of a type: C11 7.16.1.1p2.
func (l *variadics) fits(s slot, t cc.Type) bool {
	to := l.ctypeOf(t)
	switch {
	case to.class != s.t.class:
		return false
	case to.class == classInt:
		return to.typ.Width == s.t.typ.Width && to.typ != bool1
	case to.class == classPtr:
		return true
	case s.typ == nil:
		return false
	case to.class == classFloat || to.class == classExtended || to.class == classOpaque:
		promoted := s.typ.Kind()
		if promoted == cc.Float {
			promoted = cc.Double
		}
		return t.Kind() == promoted
	}
	return source.SameType(s.typ, t)
}

// noArgument is where va_arg finds no argument that fits: the list has ended, or is one of arguments that are known.
func (l *variadics) noArgument(at *expr.Expr, pos cfa.Pos) {
	undefined := l.Pool.Bool(l.isProgram(l.instances[0].proc) && l.fr.thread == 0 && !l.fr.isOutOfLine())
	undefined = l.Pool.Lor(undefined, l.Pool.Eq(at, l.Pool.Const(l.pointer, 0)))
	for fr := l.fr; fr != nil; fr = fr.parent {
		if v := fr.variadic; v != nil && v.object.Size() >= slotSize {
			offset := l.Pool.Sub(at, l.mem.AddressIn(v.object, 0))
			undefined = l.Pool.Lor(undefined, l.Pool.Le(offset, l.Pool.Int(l.pointer, v.object.Size())))
		}
	}
	no, outside := l.Branch(undefined, pos)
	if l.Continue(no); len(no) > 0 {
		if l.opt.CheckPointers {
			l.Error("va_arg", pos)
		} else {
			l.Assume(cfa.AboutPointers, pos, "there is an argument for va_arg, and of its type")
			l.Halt(cfa.InvalidPointer, pos)
		}
	}
	l.Continue(outside)
}

// anyArgument is where nothing is known of the argument.
func (l *variadics) anyArgument(to lvalue, pos cfa.Pos) {
	switch {
	case l.Dead():
		return
	case to.v != nil:
		l.Emit(cfa.Assign{LHS: to.v, Nondet: variableArguments, Approx: variableArguments}, pos)
	case to.t.class == classAggregate:
		l.Emit(memory.Fill{To: l.accesses.ref(to), Size: l.bytes(to.typ), Nondet: variableArguments,
			Approx: variableArguments}, pos)
	}
	l.Assume(cfa.AboutLibrary, pos, "what va_arg gives is any value")
}

// A movedList is a va_list that was passed to a procedure, with what it was and what the procedure has made of it.
type movedList struct {
	list          cc.ExpressionNode
	before, after *expr.Expr
}

// passedLists are the lists that a call has given to the current instance, which ends here.
func (l *variadics) passedLists(c *callSite, pr *source.Procedure, vals []value) (all []movedList) {
	for i, q := range source.Parameters(pr.Type) {
		d := q.Declarator
		if d == nil || !source.IsArgumentList(q.Type()) || i >= len(c.args) || vals[i].t == nil || l.Dead() {
			continue
		}
		after := l.accesses.read(l.accesses.variable(d, c.n), c.n)
		if after.t != nil && l.expressions.pure(c.args[i]) {
			all = append(all, movedList{c.args[i], vals[i].t, after.t})
		}
	}
	return all
}

// endMoved ends the lists that a procedure has moved on.
func (l *variadics) endMoved(all []movedList, pos cfa.Pos) {
	for _, m := range all {
		if l.Dead() || !source.IsArgumentList(m.list.Type()) {
			continue
		}
		stays, moved := l.Branch(l.Pool.Eq(m.before, m.after), pos)
		if l.Continue(moved); len(moved) > 0 {
			l.setList(l.accesses.lvalue(m.list), l.Pool.Const(l.pointer, 0), m.list, pos)
		}
		l.Join(stays)
	}
}

// endGiven ends the lists that a function without a body was given.
func (l *variadics) endGiven(c *callSite) {
	for _, a := range c.args {
		if strings.HasPrefix(c.name, "__builtin_va_") {
			return
		}
		if source.IsArgumentList(a.Type()) && l.expressions.pure(a) && !l.Dead() {
			l.setList(l.accesses.lvalue(a), l.Pool.Const(l.pointer, 0), a, c.pos)
		}
	}
}
