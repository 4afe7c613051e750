package lower

// What the surroundings of a program do: the arguments of main, objects that other
// code defines, errno, memory with any contents.
//
// Every routine without a body may change an object that is declared and defined
// elsewhere, and errno. Whether it does is not known, so that a violation that
// depends on it is not believed.

import (
	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// isProgram reports whether a component is a program that begins with main.
func (l *facts) isProgram(pr *source.Procedure) bool {
	return pr.Name == "main" && l.opt.InitGlobals
}

// mainArguments lets a run begin only with what main may be called with.
func (l *objects) mainArguments(pr *source.Procedure, params []*expr.Expr) {
	ps := source.Parameters(pr.Type)
	if len(params) == 0 || l.ctypeOf(ps[0].Type()).class != classInt {
		return
	}
	var argv *expr.Expr
	if len(params) > 1 {
		if p, ok := ps[1].Type().(*cc.PointerType); ok && p.Elem().Kind() == cc.Ptr {
			argv = params[1]
		}
	}
	l.mem.MainArguments(params[0], argv, pr.Pos)
}

// isElsewhere reports whether routines without a body may change an object
// whatever they are given. What models declare only is known to the system.
func (l *objects) isElsewhere(o *source.Object) bool {
	return (o.Library || !l.opt.KeepExterns) && !o.Const && (!o.Defined || o == l.errno)
}

// errnoLocations are the functions that C libraries have behind the macro errno.
var errnoLocations = nameSet("__errno_location __errno ___errno __error _errno")

// errnoLocation gives the address of errno.
func errnoLocation(l *lowerer, c *callSite) value {
	l.library.effects(c)
	if l.threading.concurrent() && !l.prog.IsModel(l.fr.proc.File) {
		return l.refuse(c.n, "errno in a program with threads", "each thread has one of its own")
	}
	p, ok := c.typ.Result().(*cc.PointerType)
	if !ok || l.ctypeOf(p.Elem()).class != classInt {
		return l.calls.unknown(c, "")
	}
	if l.objects.errno == nil {
		l.objects.errno = l.objects.errnoObject()
	}
	if l.objects.errno == nil {
		l.objects.errno = &source.Object{Name: "errno", Type: p.Elem(), Pos: c.pos, Defined: true, Addressed: true,
			Seq: l.prog.NumObjects() + len(l.objects.statics)}
	}
	o := l.objects.errno
	if l.fr.thread > 0 { // each thread has one of its own
		o = l.objects.ownedObject(o)
	}
	b := l.objects.staticObject(o)
	return value{ctype{class: classPtr, typ: l.pointer}, l.mem.AddressIn(b, 0), nil}
}

// errnoObject is the object named errno that the current file declares, or for models
// that some file does; nil for none.
func (l *objects) errnoObject() *source.Object {
	files := []*source.File{l.fr.proc.File}
	if l.prog.IsModel(files[0]) {
		files = l.prog.Files
	}
	for _, f := range files {
		if o := f.Objects["errno"]; o != nil && !o.Static {
			return o
		}
	}
	return nil
}

// namesErrno reports whether something in the program may read errno.
func (l *objects) namesErrno() bool {
	for _, f := range l.prog.Files {
		if f.Objects["errno"] != nil && !l.prog.IsModel(f) {
			return true
		}
	}
	for name := range errnoLocations {
		if l.prog.IsFunction(name) {
			return true
		}
	}
	return false
}

// nondetMemory gives any value to so many bytes from a pointer on.
func nondetMemory(l *lowerer, c *callSite) value {
	vals := l.calls.evalArgs(c)
	if vals[0].t == nil || vals[1].t == nil || l.Dead() {
		return l.dead(c)
	}
	f := memory.Fill{To: at(vals[0].t), Size: l.library.size(vals[1]), Nondet: c.name}
	if f.Size < 0 {
		f.Length, f.Approx = l.library.length(vals[1]), c.name+" of a size that is not constant"
	}
	if f.Size != 0 {
		l.Emit(f, c.pos)
	}
	return value{ctype: ctVoid}
}

// returns is where the component's procedure returns a value, or none: main returns
// when what atexit was given, and destructors, have run.
func (l *objects) returns(t *expr.Expr, pos cfa.Pos) *expr.Expr {
	if l.isProgram(l.fr.proc) && l.hasAtExit() {
		if t != nil && !t.IsConst() {
			v := l.Temp("result", t.Type(), pos)
			l.Assign(v, t, pos)
			t = v
		}
		l.library.runAtExit(pos)
	}
	if l.opt.CheckLeaks {
		l.Emit(memory.Leaks{Caller: !l.isProgram(l.fr.proc) || l.opt.Observer != nil, Result: t}, pos)
	}
	l.observing.atReturn(t, pos)
	return t
}

// looksAtReturn reports whether it is looked at what is left when the component's procedure returns.
func (l *objects) looksAtReturn() bool { return l.opt.CheckLeaks || l.opt.Observer != nil }

// returnsStructure is where the component's procedure returns a structure.
func (l *objects) returnsStructure(n cc.ExpressionNode, pos cfa.Pos) {
	v := l.expressions.rvalue(n)
	if v.at == nil || l.Dead() {
		return
	}
	t := l.fr.proc.Type.Result()
	b := l.tempObject("result", t, pos)
	b.Return()
	l.copyTo(l.accesses.objectLvalue(b, t), v, n, pos)
	l.statements.cleanUpAll(pos)
	if l.opt.CheckLeaks {
		l.Emit(memory.Leaks{Caller: true, Object: b}, pos)
	}
	l.observing.atReturn(nil, pos)
	l.Emit(cfa.Return{}, pos)
}

// atEnd is where the program ends by a call of exit or its like: it looks for memory that is
// still allocated.
func (l *objects) atEnd(pos cfa.Pos) {
	if l.opt.CheckLeaks && l.opt.Observer == nil {
		l.Emit(memory.Leaks{}, pos)
	}
}
