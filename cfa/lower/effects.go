package lower

// What calls of functions of the C library access besides, by the table of package libc.
//
// Idea: what a function reads of its arguments is read at the call, where a read may be a data race or an invalid
// access. A model reads what it mentions; of the parameters that it leaves alone the row says what is read. What the
// library keeps for all threads, the place where strtok goes on say, is a variable for each thing of the kind.
//
// Left out: what is behind streams, which the library locks; streams that are closed while others use them.

import (
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/cfa/source/libc"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// racing reports whether each access counts, as one that others may race with.
func (l *library) racing() bool { return l.opt.Races && l.threading.concurrent() }

// knownFunction is the row of a function, also by its name as a builtin of compilers.
func knownFunction(name string) (libc.Function, bool) {
	return libc.Known(strings.TrimPrefix(name, "__builtin_"))
}

// keeps accesses what the library keeps for all threads, and locks its stream, where a call means its function.
func (l *library) keeps(c *callSite) {
	f, ok := knownFunction(c.name)
	if !ok || l.Dead() || c.body != nil || l.prog.Body(l.fr.proc.File, c.name) != nil || l.prog.Stranger(c.name) != "" {
		return
	}
	if f.Lock != "" && l.opt.Weak && l.threading.concurrent() {
		l.Assume(cfa.AboutLibrary, c.pos, "%s locks its stream, and so shows what its thread has written before", c.name)
		l.threading.section(true, c.pos)
		l.threading.section(false, c.pos)
	}
	if !l.racing() {
		return
	}
	if f.Threads == "common" {
		l.Assume(cfa.AboutLibrary, c.pos, "two threads may call %s at once: POSIX leaves it open, common libraries allow it",
			c.name)
	}
	for _, s := range f.States {
		v := l.state(s.Name)
		if s.Write {
			l.Emit(cfa.Assign{LHS: v, RHS: l.Pool.Const(expr.Uint8, 0)}, c.pos)
		} else {
			l.threading.readNow(value{ctype{class: classInt, typ: expr.Uint8}, v, nil}, s.Name, c.pos)
		}
	}
}

// state is the variable of something that the library keeps.
func (l *library) state(name string) *expr.Expr {
	if v := l.states[name]; v != nil {
		return v
	}
	full := "state of " + name
	v := l.NewVar(full, full, expr.Uint8)
	l.List(cfa.Var{Expr: v, Name: full, Kind: cfa.Global, Frame: -1})
	l.states[name] = v
	return v
}

// uses makes those accesses of a row that are asked for.
func (l *library) uses(c *callSite, f libc.Function, asked func(libc.Access) bool) {
	l.eachUse(c, f, func(a libc.Access) bool {
		whole := a.Extent == libc.AsObject || a.Extent == libc.AsHandle
		return (a.Kind == libc.Reads || a.Kind == libc.Writes && whole) && asked(a)
	}, func(a libc.Access, v value) { l.use(c, a, v) })
}

// eachUse makes those accesses of a row that are asked for, where there is something to access.
func (l *library) eachUse(c *callSite, f libc.Function, asked func(libc.Access) bool, use func(libc.Access, value)) {
	for _, a := range f.Accesses {
		if l.Dead() || a.Arg >= len(c.vals) || !asked(a) {
			continue
		}
		v := c.vals[a.Arg]
		if v.t == nil || v.class != classPtr || !a.Optional {
			use(a, v)
			continue
		}
		some, none := l.Branch(l.Pool.Truth(v.t), c.pos)
		if l.Continue(some); len(some) > 0 {
			use(a, v)
		}
		l.Join(none)
	}
}

// use is one access to what an argument points to.
func (l *library) use(c *callSite, a libc.Access, v value) {
	if v.t == nil || v.class != classPtr {
		return
	}
	switch a.Extent {
	case libc.AsText:
		var limit *expr.Expr
		if a.Limit >= 0 {
			limit = l.length(c.vals[a.Limit])
		}
		l.textLength(c, v, limit, !a.Maybe)
	case libc.AsBytes:
		l.touch(c, v, l.accessed(c, a), false, a.Maybe)
	case libc.AsObject:
		size := int64(-1)
		if t := l.prog.Pointee(c.name, a.Arg); t != nil && l.bytes(t) > 0 && !t.IsIncomplete() {
			size = l.bytes(t) * int64(a.Objects)
		}
		if a.Kind == libc.Writes {
			l.Emit(memory.Fill{To: at(v.t), Size: size, Nondet: c.name}, c.pos)
		} else {
			l.Emit(memory.Touch{At: at(v.t), Size: size}, c.pos)
		}
	case libc.AsNeeded:
		if l.opt.CheckPointers {
			l.Emit(memory.Undecided{What: "whether what " + c.name + " accesses is valid"}, c.pos)
		}
		l.notKnownRead(c, []value{v})
	case libc.AsHandle:
		l.Emit(memory.Store{To: textAt(v.t), Nondet: c.name}, c.pos)
	}
}

// writesOnly is a call of a function that writes no more than its row says, where that says how far: any value. If
// ok, v is the value of the call; else nothing has been written. What is not any value from outside, no violation
// rests on.
func (l *library) writesOnly(c *callSite, row libc.Function) (v value, ok bool) {
	if l.opt.StrictCalls || l.opt.CheckPointers || row.Result != "any" && row.Result != "det" && row.Result != "void" ||
		!l.writesNumbers(c, row) {
		return value{}, false
	}
	approx := ""
	if row.Result != "any" {
		approx = notModelled(row.Name)
	}
	l.Assume(cfa.AboutLibrary, c.pos, "%s writes nothing but what its arguments say, and has any result", c.name)
	if c.vals == nil {
		c.vals = l.calls.evalArgs(c)
	}
	for _, v := range c.vals {
		if v.t == nil && v.class == classPtr || l.Dead() {
			return l.dead(c), true
		}
	}
	l.changesErrno(c)
	asked := func(a libc.Access) bool { return a.Kind == libc.Writes || l.racing() }
	l.eachUse(c, row, asked, func(a libc.Access, v value) {
		switch {
		case a.Kind != libc.Writes:
			l.use(c, a, v)
		case v.class == classPtr:
			l.Emit(l.written(c, a, v, approx), c.pos)
		}
	})
	if l.Dead() {
		return l.dead(c), true
	}
	return l.calls.anyResult(c, approx), true
}

// writesNumbers reports whether all that a function writes are objects of known size without pointers, or so many bytes
// as an argument says, and it does nothing else to what it is given.
func (l *library) writesNumbers(c *callSite, row libc.Function) bool {
	return len(c.args) >= row.Arity() && !slices.ContainsFunc(row.Accesses, func(a libc.Access) bool {
		switch a.Kind {
		case libc.Reads:
			return false
		case libc.Writes:
			t := l.prog.Pointee(c.name, a.Arg)
			return a.Extent != libc.AsBytes && (a.Extent != libc.AsObject || t == nil || t.IsIncomplete() ||
				t.Kind() == cc.Void || l.bytes(t) <= 0 || l.typeOf(t).HoldsPointer())
		}
		return true
	})
}

// checkAccesses asks whether what a function reads and writes, all of known size, is valid.
func (l *library) checkAccesses(c *callSite, row libc.Function) {
	l.eachUse(c, row, func(libc.Access) bool { return true }, func(a libc.Access, v value) {
		switch {
		case a.Kind != libc.Writes:
			l.use(c, a, v)
		case v.class != classPtr:
		case a.Extent == libc.AsObject:
			l.Emit(memory.Touch{At: at(v.t), Store: true,
				Size: l.bytes(l.prog.Pointee(c.name, a.Arg)) * int64(a.Objects)}, c.pos)
		default:
			l.touch(c, v, l.accessed(c, a), true, a.Maybe)
		}
	})
}

// checkRow asks, before a call of a function of the C library that is as any unknown one, whether what it accesses is
// valid, as far as its row says how far that goes. The result is false if control does not come to the call.
func (l *library) checkRow(c *callSite) bool {
	row, ok := knownFunction(c.name)
	if !ok || row.How != "-" || !l.opt.CheckPointers || c.foreign != nil || l.prog.Stranger(c.name) != "" ||
		l.calls.isFramed(c) {
		return true
	}
	if c.vals == nil {
		c.vals = l.calls.evalArgs(c)
	}
	for _, v := range c.vals {
		if v.t == nil && v.class == classPtr {
			return false
		}
	}
	l.eachUse(c, row, func(a libc.Access) bool { return l.measured(c, a) }, func(a libc.Access, v value) {
		switch {
		case v.class != classPtr:
		case a.Extent == libc.AsText:
			l.use(c, a, v)
		case a.Extent == libc.AsBytes:
			l.touch(c, v, l.accessed(c, a), a.Kind == libc.Writes, a.Maybe)
		default:
			size := l.bytes(l.prog.Pointee(c.name, a.Arg)) * int64(a.Objects)
			l.Emit(memory.Touch{At: at(v.t), Store: a.Kind == libc.Writes, Size: size}, c.pos)
		}
	})
	return !l.Dead()
}

// measured reports whether it is known how far an access goes.
func (l *library) measured(c *callSite, a libc.Access) bool {
	if a.Kind != libc.Reads && a.Kind != libc.Writes || a.Arg >= len(c.vals) {
		return false
	}
	switch a.Extent {
	case libc.AsText:
		return a.Kind == libc.Reads
	case libc.AsBytes:
		return true
	case libc.AsObject:
		t := l.prog.Pointee(c.name, a.Arg)
		return t != nil && t.Kind() != cc.Void && !t.IsIncomplete() && l.bytes(t) > 0
	}
	return false
}

// written is any value in what a function writes behind an argument.
func (l *library) written(c *callSite, a libc.Access, v value, approx string) memory.Fill {
	f := memory.Fill{To: at(v.t), Size: -1, Nondet: c.name, Approx: approx}
	if a.Extent == libc.AsObject {
		f.Size = l.bytes(l.prog.Pointee(c.name, a.Arg)) * int64(a.Objects)
		return f
	}
	n := l.accessed(c, a)
	if a.Maybe {
		most := n
		n = l.Any(l.pointer, c.name, approx, c.pos)
		fits, not := l.Branch(l.Pool.Le(n, most), c.pos)
		if l.Continue(not); len(not) > 0 {
			l.Halt(cfa.AssumptionFails, c.pos)
		}
		l.Continue(fits)
	}
	if f.Length = n; n.IsConst() {
		f.Size, f.Length = n.Int(), nil
	}
	return f
}

// accessed is how many bytes an access is of.
func (l *library) accessed(c *callSite, a libc.Access) *expr.Expr {
	n := l.length(c.vals[a.Size[0]])
	for _, k := range a.Size[1:] {
		n = l.Pool.Mul(n, l.length(c.vals[k]))
	}
	return n
}

// usesUnmentioned uses what a model does not: what parameters point to that its body leaves alone.
func (l *library) usesUnmentioned(c *callSite, m *source.Procedure) {
	f, ok := knownFunction(c.name)
	if !ok || !l.racing() {
		return
	}
	if c.vals == nil {
		l.evalModelArgs(c, m)
	}
	params := source.Parameters(m.Type)
	l.uses(c, f, func(a libc.Access) bool {
		if a.Arg >= len(params) {
			return false
		}
		d := params[a.Arg].Declarator
		return a.Extent == libc.AsHandle || d.ReadCount() == 0 && !d.AddressTaken()
	})
}

// printsNew reports whether a function puts what it prints into new memory.
func printsNew(name string) bool {
	f, ok := knownFunction(name)
	return ok && f.Has(libc.Prints) && f.Result == "new1"
}

// usesPrinted uses what such a function prints, which its model does not look at, and finds how long that is.
func (l *library) usesPrinted(c *callSite, m *source.Procedure) {
	f, _ := knownFunction(c.name)
	if !printsNew(c.name) || len(c.args) <= f.Format() {
		return
	}
	if c.vals == nil {
		l.evalModelArgs(c, m)
	}
	switch {
	case l.Dead():
		return
	case l.opt.CheckPointers:
		l.checkFormat(c, f)
	case l.racing():
		l.printed(c, f.Format())
	}
	l.prints = nil
	if parts, ok := conversions(c.args[f.Format()]); ok && !l.Dead() && !takesValues(c.name) {
		l.prints, _, _ = l.made(c, parts, f.Format()+1)
	}
}

// printed reads the texts that a format prints of the arguments behind it. Where that is not known, and there are
// pointers among them, the call is refused.
func (l *library) printed(c *callSite, format int) {
	parts, ok := conversions(c.args[format])
	if v := c.vals[format]; !ok && v.class == classPtr {
		l.textLength(c, v, nil, true)
	}
	next := format + 1
	for _, p := range parts {
		if p.verb == 0 {
			continue
		}
		room, at, fits := l.roomOf(c, p, next)
		if next = at; p.verb == 'm' && fits && p.known {
			continue
		}
		if !fits || !p.known || at >= len(c.vals) || p.verb == 's' && p.mods != "" {
			ok = false
			break
		}
		if next = at + 1; p.verb == 's' && c.vals[at].class == classPtr {
			l.textOf(c, room, c.vals[at])
		}
	}
	if !ok {
		l.notKnownRead(c, c.vals[format+1:])
	}
}

// notKnownRead refuses a call, where data races are looked for, of which it is not known whether it reads what some
// values point to.
func (l *library) notKnownRead(c *callSite, vals []value) {
	if l.racing() && !l.Dead() && slices.ContainsFunc(vals, func(v value) bool { return v.class == classPtr }) {
		l.refuse(c.n, "call of "+c.name, "what it reads is not known, and may be a data race")
	}
}

// changesErrno is a call that may change errno. That of threads besides main nobody can see.
func (l *library) changesErrno(c *callSite) {
	if l.fr.thread == 0 {
		l.Emit(memory.ErrnoCall{Name: c.name}, c.pos)
	}
}

// isLeaf reports whether a function of the C library calls nothing, whatever it can reach.
func isLeaf(name string) bool {
	f, ok := libc.Known(name)
	return ok && f.How != "-" && !f.Has(libc.Calls)
}

// writesText reports whether a function of the C library writes a text.
func writesText(name string) bool {
	f, ok := knownFunction(name)
	return ok && slices.ContainsFunc(f.Accesses, func(a libc.Access) bool {
		return a.Kind == libc.Writes && (a.Extent == libc.AsText || a.Of >= 0)
	})
}

// forgets reports whether a call is of a function of the C library that keeps no pointer that it is given.
func (l *library) forgets(c *callSite) bool {
	f, ok := knownFunction(c.name)
	return ok && c.foreign == nil && l.prog.Stranger(c.name) == "" && !f.Has(libc.Keeps) && !f.Has(libc.Calls)
}

// keepsState reports whether a variable is something that the library keeps.
func (l *library) keepsState(v *expr.Expr) bool {
	for _, kept := range l.states {
		if kept == v {
			return true
		}
	}
	return false
}
