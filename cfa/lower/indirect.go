package lower

// Calls through pointers.
//
// Idea: an indirect call is a sequence of tests, one for each function that the
// pointer may point to, and a direct call behind each. Which these are is found
// by repetition: a component is lowered with the targets known so far, at first
// none; its points-to analysis gives new ones; and so on until no call has
// more. Calls are told apart by the chain of calls that leads to them, so that
// a routine that is given different callbacks has different targets in each of
// its copies. Behind the tests of functions that are known, a call that may be of code that
// nobody described is one of an abstraction where the specification has one by the name of the
// member that is called.
//
// Source: Chaki, Clarke, Groce, Ouaknine, Strichman, Yorav: Efficient Verification of
// Sequential and Concurrent C Programs, section 3.3.1 (Handling Function
// Pointers). Cost: as many lowerings as there are indirect calls on the longest way from
// the component's procedure to a call.

import (
	"maps"
	"slices"

	"magus/cfa"
	"magus/cfa/memory"
	"magus/cfa/source"
	"magus/smt/expr"

	"modernc.org/cc/v4"
)

// unknownOrigin is why the result of a call is any value.
const unknownOrigin = "a call through a pointer of unknown origin"

// A function is what an indirect call may call.
type function struct {
	d    *cc.Declarator
	body *source.Procedure // nil: only declared
}

// reached is what an indirect call may call.
type reached struct {
	functions []function
	unknown   bool // or code that nobody described
}

// targets are what indirect calls may call, each by its chain of calls.
type targets map[string]reached

// A functionObject is a function with the memory that has its address.
type functionObject struct {
	function
	object *memory.Object
}

// sameFunction reports whether two targets are one function.
func sameFunction(a, b function) bool {
	return a.body == b.body && (a.body != nil || a.d.Name() == b.d.Name())
}

// takes reports whether a function takes what a call gives.
func (f function) takes(call *cc.FunctionType) bool {
	t, ok := f.d.Type().(*cc.FunctionType)
	return !ok || source.Takes(t, call)
}

// functionObject is the memory whose address is that of the function which d
// declares.
func (l *indirect) functionObject(d *cc.Declarator) *memory.Object {
	return l.objectOfFunction(function{d, l.prog.Body(l.prog.FileOf(l.fr.proc.File, d), d.Name())})
}

func (l *indirect) objectOfFunction(f function) *memory.Object {
	for _, o := range l.functions {
		if sameFunction(o.function, f) {
			return o.object
		}
	}
	b := l.mem.FunctionObject(f.d.Name(), f.body != nil)
	l.functions = append(l.functions, functionObject{f, b})
	return b
}

// functionAt is the function whose address an object has.
func (l *indirect) functionAt(b *memory.Object) function {
	i := slices.IndexFunc(l.functions, func(o functionObject) bool { return o.object == b })
	return l.functions[i].function
}

// indirectCall lowers a call through a pointer.
func (l *indirect) indirectCall(n *cc.PostfixExpression, want bool) value {
	pos := source.Position(n.Position())
	typ := functionType(n.PostfixExpression)
	if typ == nil {
		return l.refuse(n, "call of "+source.Text(n.PostfixExpression), "")
	}
	c := &callSite{n: n, name: tempName(n.PostfixExpression), pos: pos, args: source.Arguments(n), typ: typ, want: want}
	c.ret = l.ctypeOf(typ.Result())
	f := l.expressions.rvalue(n.PostfixExpression)
	keep := l.Emit(cfa.Goto{}, pos)
	c.vals = l.calls.evalArgs(c)
	if c.vals == nil {
		c.vals = []value{}
	}
	if f.t == nil {
		return l.dead(c)
	}
	l.accesses.keepIfWritten(&f, keep)
	if o := l.observing.ofMember(n); o != nil && l.Err() == nil {
		return l.observing.call(o, c, func() value { return l.callThrough(c, f) })
	}
	return l.callThrough(c, f)
}

// callThrough calls what a value points to.
func (l *indirect) callThrough(c *callSite, f value) value {
	if l.Dead() {
		return l.dead(c)
	}
	if b, off := l.mem.ObjectOf(f.t); b != nil && b.IsFunction() && off == 0 {
		return l.callFunction(c, l.functionAt(b))
	}
	return l.dispatch(c, f.t)
}

// functionType is the type of the function that an expression is or points to.
func functionType(n cc.ExpressionNode) *cc.FunctionType {
	t := n.Type()
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Elem()
	}
	f, _ := t.(*cc.FunctionType)
	return f
}

// callFunction calls a function.
func (l *indirect) callFunction(c *callSite, f function) value {
	to := *c
	to.name, to.body, to.resolved = f.d.Name(), f.body, true
	if t, ok := f.d.Type().(*cc.FunctionType); ok {
		to.typ = t
		to.ret = l.ctypeOf(t.Result())
	}
	return l.calls.callTo(&to, f.d)
}

// dispatch tests which function is meant and calls it.
func (l *indirect) dispatch(c *callSite, addr *expr.Expr) value {
	key := l.fr.path() + "/" + c.pos.String()
	l.Emit(memory.IndirectCall{Addr: addr, Key: key}, c.pos)
	l.callTypes[key] = c.typ
	var result *lvalue
	if c.want && c.ret.termed() {
		v := l.Temp(c.name, c.ret.typ, c.pos)
		l.mem.MarkPointer(v, c.ret.class == classPtr)
		result = &lvalue{v: v, typ: c.typ.Result(), t: c.ret}
	} else if c.want && c.ret.class == classAggregate && l.bytes(c.typ.Result()) > 0 {
		p := l.accesses.objectLvalue(l.objects.tempObject("call", c.typ.Result(), c.pos), c.typ.Result())
		result = &p
	}
	finish := func(v value) {
		if result != nil && (v.t != nil || v.at != nil || v.class == classOpaque) && !l.Dead() {
			l.accesses.write(*result, v, c.n, c.pos)
		}
	}
	var ends cfa.Ends
	known := l.reached[key]
	for _, f := range known.functions {
		b := l.objectOfFunction(f)
		yes, no := l.Branch(l.Pool.Eq(addr, l.mem.AddressIn(b, 0)), c.pos)
		l.Continue(yes)
		finish(l.callFunction(c, f))
		ends = append(ends, l.Ends()...)
		l.Continue(no)
	}
	if known.unknown {
		if l.opt.TakenOnly {
			l.Assume(cfa.AboutRoutine, c.pos, "what code outside has put in a pointer to a function is the address of one "+
				"whose type fits, and whose address the program takes")
		}
		c.foreign = l.mem.Foreign(addr)
		if o := l.observing.ofUnknown(); o != nil && l.Err() == nil {
			finish(l.observing.call(o, c, func() value { return l.unknownTarget(c) }))
		} else {
			finish(l.unknownTarget(c))
		}
	} else {
		l.mem.Invalid(c.pos)
	}
	l.Join(ends)
	switch {
	case result == nil:
		return value{ctype: c.ret}
	case result.v != nil:
		return value{c.ret, result.v, nil}
	}
	return value{c.ret, nil, result}
}

// unknownTarget is a call of a function that is not known. Where the specification has an
// abstraction of the member that is called, or a routine of its name, which no function has, the call is one of it.
func (l *indirect) unknownTarget(c *callSite) value {
	name := l.memberRoutine(c.n)
	if name == "" {
		return l.calls.unknown(c, unknownOrigin)
	}
	l.Assume(cfa.AboutRoutine, c.pos, "%s calls a function that does what the abstraction of %s says", c.name, name)
	to := *c
	to.name, to.foreign = name, nil
	return l.calls.abstracted(&to)
}

// memberRoutine is the routine with an abstraction that a call through a member stands for: the member of the type,
// as in ops.lock, or its name alone, if no function has it; else empty.
func (l *facts) memberRoutine(call *cc.PostfixExpression) string {
	if l.opt.Abstracted == nil || call == nil {
		return ""
	}
	for _, name := range source.CalleeMembers(call) {
		if l.opt.Abstracted(name) {
			return name
		}
	}
	name := source.CalleeMember(call)
	if name == "" || !l.opt.Abstracted(name) || l.prog.IsFunction(name) {
		return ""
	}
	return name
}

// add adds functions that are not among the targets.
func (r *reached) add(fs ...function) {
	for _, f := range fs {
		if !slices.ContainsFunc(r.functions, func(g function) bool { return sameFunction(f, g) }) {
			r.functions = append(r.functions, f)
		}
	}
}

// findTargets are the targets of indirect calls with those that an analysis found,
// or nil if it found no more.
func (l *indirect) findTargets(a *memory.Analysis) targets {
	more := false
	found := maps.Clone(l.reached)
	for _, loc := range l.Since(0) {
		s, ok := loc.Stmt.(memory.IndirectCall)
		if !ok {
			continue
		}
		old := l.reached[s.Key]
		r := found[s.Key]
		r.functions = slices.Clone(r.functions)
		objects, unknown := a.Functions(s.Addr)
		for _, b := range objects {
			if f := l.functionAt(b); !unknown || !l.opt.TakenOnly || f.takes(l.callTypes[s.Key]) {
				r.add(f)
			}
		}
		if unknown {
			r.unknown = true
			for _, p := range l.prog.Nameable(l.callTypes[s.Key], !l.opt.TakenOnly) {
				r.add(function{p.Def.Declarator, p})
			}
		}
		if len(r.functions) > len(old.functions) || r.unknown && !old.unknown {
			found[s.Key] = r
			more = true
		}
	}
	if !more {
		return nil
	}
	return found
}
