package lower

// Objects of static storage duration: globals and static locals.

import (
	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// starts reports whether an object has the value of its initialiser when the
// component begins.
func (l *facts) starts(o *source.Object) bool {
	return o.Defined && (l.opt.InitGlobals || o.Library && !l.calledBack(o) || l.keepsValue(o))
}

// calledBack reports whether code that nobody described may change an object, for what it calls does.
func (l *facts) calledBack(o *source.Object) bool {
	return l.opt.CalledBack != nil && !l.keepsValue(o) && l.opt.CalledBack(o)
}

// keepsValue reports whether no part of any program can change the object:
// const ones, and static scalars that no expression of their unit stores to
// and no pointer can reach.
func (l *facts) keepsValue(o *source.Object) bool {
	return o.Const || l.ctypeOf(o.Type).scalar() && o.Static && o.Stores == 0 && !o.Addressed && !o.Asm
}

// global is an object as memory has it, entered when it is first met.
func (l *objects) global(o *source.Object) *memory.Global {
	if g := l.globals[o]; g != nil {
		return g
	}
	t := l.ctypeOf(o.Type)
	g := &memory.Global{Const: o.Const && (t.scalar() || o.Defined), Starts: l.starts(o)}
	g.Known = o.AddressedAtStart || !l.opt.InitGlobals && (o.Addressed || t.class == classAggregate && holdsArray(o.Type))
	if o.Library {
		g.Known = false
		g.Own = o.Pos.File != keyModels // what is kept for a key, its destructor is given
	}
	g.Known = g.Known || l.calledBack(o)
	if l.isElsewhere(o) {
		g.Known, g.Elsewhere = true, true
	}
	if !o.Static && o.Proc == "" && !g.Const {
		g.Named = l.typeOf(o.Type)
	}
	if t.class == classPtr {
		g.Pointer = true
		g.Target = l.target(o.Type, 1+memory.ExternalDepth)
	}
	l.globals[o] = g
	return g
}

// use enters an object that the automaton is to have.
func (l *objects) use(o *source.Object, g *memory.Global) {
	l.mem.AddGlobal(g)
	l.used = append(l.used, o)
	if o.Name == "errno" && !o.Static {
		l.mem.Errno(g)
	}
	if !o.Defined && !o.Library {
		l.Assume(cfa.AboutExterns, o.Pos, "%s is declared but not defined: it starts with any value", o.Name)
	}
	if l.opt.KeepExterns && !o.Library && !o.Const && (!o.Defined || o == l.errno) {
		l.Assume(cfa.AboutExterns, o.Pos, "routines without a body change %s only where they are given its address", o.Name)
	}
}

// qualified is the name of an object in the automaton.
func qualified(o *source.Object) string {
	if o.Proc != "" {
		return o.Proc + "::" + o.Name
	}
	return o.Name
}

// object is the variable of a scalar of static storage duration.
func (l *objects) object(o *source.Object) *expr.Expr {
	g := l.global(o)
	if g.Var != nil {
		return g.Var
	}
	name, t := qualified(o), l.ctypeOf(o.Type)
	v := l.NewVar(name, name, t.typ)
	g.Var = v
	l.mem.MarkAddressed(v, o.Addressed)
	l.mem.MarkPointer(v, t.class == classPtr)
	l.List(cfa.Var{Expr: v, Name: o.Name, Kind: cfa.Global, Frame: -1, Proc: o.Proc, Pos: o.Pos})
	l.use(o, g)
	if o.Addressed || g.Elsewhere || l.calledBack(o) {
		l.staticObject(o)
	}
	return v
}

// staticObject is the memory of an object of static storage duration.
func (l *objects) staticObject(o *source.Object) *memory.Object {
	g := l.global(o)
	if g.Object != nil {
		return g.Object
	}
	if l.ctypeOf(o.Type).scalar() {
		l.object(o)
		if g.Object == nil {
			l.owners[l.mem.GlobalObject(g, "", l.typeOf(o.Type), 0, cfa.Var{})] = o
		}
		return g.Object
	}
	times := 0
	if !g.Starts {
		times = memory.ExternalDepth
	}
	if l.isNeverSet(o) {
		times = l.followed()
	}
	b := l.mem.GlobalObject(g, qualified(o), l.typeFollowed(o.Type, times), l.sizeOf(o),
		cfa.Var{Name: o.Name, Kind: cfa.Global, Frame: -1, Proc: o.Proc, Pos: o.Pos})
	if l.isNeverSet(o) {
		l.mem.OwnMembers(b)
	}
	if o.IsLiteral() {
		b.MayShare()
	}
	l.owners[b] = o
	l.use(o, g)
	return b
}

// sizeOf is the size of a static object, with what its initialiser gives an
// array without a length at its end. An array that no declaration gives a length has one
// element where it is defined (C11 6.9.2p5), and is of unknown extent where it is not: its size
// is negative.
func (l *objects) sizeOf(o *source.Object) int64 {
	size := l.bytes(o.Type)
	if a, ok := o.Type.(*cc.ArrayType); ok && l.prog.Layouts.Len(a) < 0 {
		if !o.Defined {
			return -1
		}
		return l.bytes(a.Elem())
	}
	fields := source.Members(o.Type)
	if len(fields) == 0 || o.Init == nil {
		return size
	}
	last, ok := fields[len(fields)-1].Type().(*cc.ArrayType)
	if !ok || l.prog.Layouts.Len(last) > 0 {
		return size
	}
	begins := l.prog.Layouts.Offset(fields[len(fields)-1]) / 8
	elem := max(l.bytes(last.Elem()), 1)
	for _, it := range l.items(o.Init, o.Type) {
		if n := it.at/8 + l.bytes(it.typ) - begins; n > 0 { // whole elements
			size = max(size, begins+(n+elem-1)/elem*elem)
		}
	}
	return size
}

// staticLocal is the object of a static local.
func (l *objects) staticLocal(d *cc.Declarator) *source.Object {
	if o := l.statics[d]; o != nil {
		return o
	}
	o := &source.Object{Name: d.Name(), Proc: l.fr.proc.Name, Pos: source.Position(d.NameTok().Position()),
		Type: d.Type(), Defined: true, Static: true, Seq: l.prog.NumObjects() + len(l.statics),
		Asm: l.fr.proc.File.Asm, Const: source.Constant(d), Addressed: d.AddressTaken(), Stores: d.WriteCount()}
	if source.IsArgumentList(d.Type()) {
		o.Stores++ // by va_start
	}
	l.statics[d] = o
	return o
}

// static is the object of static storage duration that a declarator names, of a thread-local one the
// current thread's; nil if there is none.
func (l *objects) static(d *cc.Declarator) *source.Object {
	o := l.prog.Object(d)
	if o == nil && d.IsStatic() {
		o = l.staticLocal(d)
	}
	if o == nil || l.fr.thread == 0 || !d.IsThreadLocal() {
		return o
	}
	return l.ownedObject(o)
}

// An ownership is of a thread-local object, by a thread that main or another one creates.
type ownership struct {
	object *source.Object
	thread int
}

// ownedObject is what the current thread has of a thread-local object. A copy of a thread begins
// once, so the object may have its value from the beginning of the component on.
func (l *objects) ownedObject(o *source.Object) *source.Object {
	key := ownership{o, l.fr.thread}
	if own := l.owns[key]; own != nil {
		return own
	}
	own := *o
	own.Name += " of " + l.threading.created.list[l.fr.thread].Name
	l.owns[key] = &own
	l.global(&own).Starts = own.Defined && (l.opt.Threads != AnyThreads || !l.beginsAgain(o))
	return &own
}

// storage is the variable that an identifier names; nil where its type has no
// terms.
func (l *objects) storage(d *cc.Declarator) (*expr.Expr, ctype) {
	t := l.ctypeOf(d.Type())
	if !t.scalar() {
		return nil, t
	}
	if d.IsVolatile() {
		l.Assume(cfa.AboutVolatile, source.Position(d.NameTok().Position()),
			"volatile %s is treated as an ordinary variable", d.Name())
	}
	if v := l.fr.owner(d).locals[d]; v != nil {
		if known := l.fr.constants[v]; known != nil && (l.prog.IsModel(l.fr.proc.File) || l.fr.depth > 0 &&
			l.Describe(v).Kind == cfa.Param) {
			return known, t
		}
		return v, t
	}
	if o := l.static(d); o != nil {
		return l.object(o), t
	}
	return l.calls.local(d, t), t
}
