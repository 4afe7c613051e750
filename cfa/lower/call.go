package lower

// Lowering of calls, in the order in which a callee is looked for: a
// procedure abstraction, an intrinsic, a body to inline (recursion.go has what is
// not), and last the unknown function, which returns any value and may change
// whatever has escaped to it.

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

// A callSite is a call while it is lowered.
type callSite struct {
	n    *cc.PostfixExpression
	name string
	pos  cfa.Pos
	args []cc.ExpressionNode
	typ  *cc.FunctionType
	ret  ctype
	to   *target // where the result may go at once, or nil
	want bool    // the result is used
	// vals are the arguments if they have been evaluated: those of an indirect
	// call, which has several callees.
	vals []value
	// asWritten says that arguments are not converted to the parameters' types, generic that those without a
	// parameter are not promoted.
	asWritten, generic bool
	// foreign says that code is called that nobody described; nil where that is known.
	foreign *expr.Expr
	// resolved says that a callee without a body has none: it was named in another place, by a pointer.
	resolved bool
	// body is the callee, where it is not found by its name.
	body *source.Procedure
}

// call lowers a call. Where the result is wanted and to is given, the value
// may be to's own variable, already assigned.
func (l *calls) call(n *cc.PostfixExpression, to *target, want bool) value {
	d := source.Callee(n)
	if d == nil {
		return l.indirectCall(n, want)
	}
	typ, ok := d.Type().(*cc.FunctionType)
	if !ok {
		return l.refuse(n, "call of "+d.Name(), "")
	}
	c := &callSite{n: n, name: d.Name(), pos: source.Position(n.Position()), args: source.Arguments(n),
		typ: typ, to: to, want: want}
	c.ret = l.ctypeOf(typ.Result())
	return l.callTo(c, d)
}

// callTo lowers a call of the function that d declares.
func (l *calls) callTo(c *callSite, d *cc.Declarator) value {
	if o := l.observing.of(c); o != nil && l.Err() == nil {
		return l.observing.call(o, c, func() value { return l.callDescribed(c, d) })
	}
	return l.callDescribed(c, d)
}

// callDescribed lowers a call by what describes its callee.
func (l *calls) callDescribed(c *callSite, d *cc.Declarator) value {
	if n := l.nestedOf(d); n != nil && l.Err() == nil {
		return l.callNested(c, n)
	}
	switch {
	case l.Err() != nil:
		return l.dead(c)
	case l.opt.Abstracted != nil && l.opt.Abstracted(c.name):
		if pr := l.inlinedBody(c); pr != nil {
			return l.inline(c, pr)
		}
		return l.abstracted(c)
	case l.opt.Skipped != nil && l.opt.Skipped(c.name):
		l.library.effects(c)
		return l.anyResult(c, "")
	}
	l.isThere(c, d)
	l.library.keeps(c)
	if m := l.library.model(c); m != nil {
		v := l.library.inlineModel(c, m)
		l.endGiven(c)
		return v
	}
	if f := l.library.intrinsic(l.fr.proc.File, c.name); f != nil {
		if pr := l.prog.Body(l.fr.proc.File, c.name); pr != nil {
			l.Assume(cfa.AboutIntrinsic, pr.Pos,
				"the body of %s is not looked at: its calls have the meaning of the intrinsic", c.name)
		}
		if strings.HasPrefix(c.name, nondetPrefix) {
			l.undeclared(c, d)
		}
		from := cfa.Loc(l.Len())
		v := f(l.lowerer, c)
		l.observing.wrote(from, nil, false, c.pos)
		l.endGiven(c)
		return v
	}
	l.undeclared(c, d)
	if c.body == nil && !c.resolved {
		c.body = l.prog.Body(l.fr.proc.File, c.name)
	}
	switch {
	case c.body != nil && l.isSummarised(c):
		return l.summarised(c)
	case c.body != nil && l.isShared(c):
		return l.callShared(c)
	case c.body != nil:
		return l.inline(c, c.body)
	}
	from := cfa.Loc(l.Len())
	if !l.library.checkRow(c) {
		return l.dead(c)
	}
	v := l.unknown(c, "")
	l.observing.wrote(from, nil, false, c.pos)
	l.endGiven(c)
	return v
}

// isThere ends the run at a call of something weak that is missing.
func (l *calls) isThere(c *callSite, d *cc.Declarator) {
	if l.Dead() || !l.accesses.mayBeMissing(d) {
		return
	}
	missing, there := l.Branch(l.Pool.Truth(l.objects.missing(d.Name())), c.pos)
	l.Continue(missing)
	l.mem.Invalid(c.pos)
	l.Continue(there)
}

// undeclared warns of C's old rule for functions that no one declares.
func (l *calls) undeclared(c *callSite, d *cc.Declarator) {
	if d.IsSynthetic() && !strings.HasPrefix(c.name, "__builtin_") {
		l.Assume(cfa.AboutRoutine, c.pos, "%s is called but never declared: taken to return int", c.name)
	}
}

// anyResult is any value of the result type.
func (l *calls) anyResult(c *callSite, approx string) value {
	switch {
	case c.ret.class == classVoid || !c.want:
		return value{ctype: ctVoid}
	case c.ret.class == classOpaque:
		return value{ctOpaque, nil, nil}
	case c.ret.class == classAggregate && l.bytes(c.typ.Result()) > 0:
		b := l.objects.tempObject(c.name, c.typ.Result(), c.pos)
		p := l.accesses.objectLvalue(b, c.typ.Result())
		l.observing.quietly(func() {
			l.Emit(memory.Fill{To: l.accesses.ref(p), Size: b.Size(), Nondet: c.name, Approx: approx}, c.pos)
		})
		return value{c.ret, nil, &p}
	case c.ret.class == classExtended:
		return value{c.ret, l.Any(c.ret.typ, c.name, approx, c.pos), nil}
	case !c.ret.scalar():
		return l.refuse(c.n, fmt.Sprintf("result of %s, of type %s", c.name, c.typ.Result()), "")
	case c.to != nil && anyOf(c.to.t, c.ret):
		l.Emit(cfa.Assign{LHS: c.to.v, Nondet: c.name, Approx: approx}, c.pos)
		return value{c.to.t, c.to.v, nil}
	}
	v := l.Any(c.ret.typ, c.name, approx, c.pos)
	l.mem.MarkPointer(v, c.ret.class == classPtr)
	return value{c.ret, v, nil}
}

// anyOf reports whether any value of type from, converted to type to, is any
// value of type to.
func anyOf(to, from ctype) bool {
	return to.typ == from.typ || to.typ != bool1 && !to.typ.IsFloat() && !from.typ.IsFloat() &&
		to.typ.Width <= from.typ.Width
}

// resultVar is the variable that takes the result of a call with effects.
func (l *calls) resultVar(c *callSite) *target {
	switch {
	case !c.want || !c.ret.scalar():
		return nil
	case c.to != nil && c.to.t == c.ret && !l.isFramed(c) && !l.returnsTell(c.name):
		return c.to
	}
	to := &target{l.Temp(c.name, c.ret.typ, c.pos), c.ret}
	l.mem.MarkPointer(to.v, c.ret.class == classPtr)
	return to
}

// evalArgs evaluates the arguments from left to right, converted to the
// parameters' types, or promoted where there is no prototype.
func (l *calls) evalArgs(c *callSite) []value {
	if len(c.args) == 0 && len(c.vals) > 0 {
		return c.vals // a call that is not in the text
	}
	params := source.Parameters(c.typ)
	if c.asWritten {
		params = nil
	}
	vals := make([]value, len(c.args))
	keep, begins := make([]cfa.Loc, len(c.args)), make([]cfa.Loc, len(c.args))
	for i, a := range c.args {
		var v value
		begins[i] = cfa.Loc(l.Len())
		if c.vals != nil {
			v = c.vals[i]
		} else {
			v = l.expressions.rvalue(a)
		}
		switch {
		case i < len(params):
			v = l.expressions.passed(v, a, params[i].Type())
		case v.class == classAggregate || c.generic:
		default:
			v = l.expressions.promoteArgument(v, a)
		}
		vals[i], keep[i] = v, -1
		if c.vals != nil {
			continue
		}
		if v.t != nil && !v.t.IsConst() && slices.ContainsFunc(c.args[i+1:], func(b cc.ExpressionNode) bool {
			return !l.expressions.pure(b)
		}) {
			keep[i] = l.accesses.hold(v, source.Position(a.Position()))
		}
	}
	for i := range vals {
		if keep[i] >= 0 {
			l.accesses.keepIfWritten(&vals[i], keep[i])
		}
	}
	if c.vals == nil {
		l.tellOrder(c, begins, vals)
	}
	return vals
}

// tellOrder tells that arguments are evaluated from left to right where that matters: compilers differ.
func (l *calls) tellOrder(c *callSite, begins []cfa.Loc, vals []value) {
	for i := 1; i < len(vals) && !l.Dead(); i++ {
		if begins[0] == begins[i] {
			continue
		}
		var later []*expr.Expr
		for _, v := range vals[i:] {
			if v.t != nil {
				later = append(later, v.t)
			}
		}
		if l.mem.Conflicts(begins[0], begins[i], later) {
			l.Assume(cfa.AboutOrder, c.pos, "where C leaves the order of evaluation open it is from left to right, "+
				"and here an argument may change what a later one does")
			return
		}
	}
}

// given evaluates the arguments of a routine without a body for its call: the terms of those that may hold addresses,
// the memory of those that are structures, and functions that are only called.
func (l *calls) given(c *callSite, s *memory.UnknownCall) {
	for i, a := range c.args {
		var v value
		switch t := l.ctypeOf(a.Type().Decay()); {
		case c.vals != nil:
			v = c.vals[i]
		case t.class == classAggregate || t.scalar() && (l.mayHoldAddress(t) || castsAddress(a)):
			v = l.expressions.rvalue(a)
		default:
			l.expressions.discard(a)
		}
		switch {
		case v.at != nil:
			l.expressions.readWhole(v, c.pos)
			s.Passed = append(s.Passed, l.accesses.ref(*v.at))
		case v.t != nil && c.foreign == nil && l.prog.OnlyCalls(c.name, c.typ, i):
			s.Called = append(s.Called, v.t)
		case v.t != nil && l.mayHoldAddress(v.ctype):
			s.Args = append(s.Args, v.t)
		}
		s.Numbers = s.Numbers || l.hidesAddress(a)
	}
}

// castsAddress reports whether an address becomes a number in an expression.
func castsAddress(n cc.ExpressionNode) bool {
	found := false
	source.WalkExpr(n, func(e cc.ExpressionNode) {
		x, ok := e.(*cc.CastExpression)
		found = found || ok && x.Case == cc.CastExpressionCast && source.IsAddress(x.CastExpression)
	})
	return found
}

// hidesAddress reports whether an argument may be a number that was computed from
// addresses.
func (l *calls) hidesAddress(a cc.ExpressionNode) bool {
	_, constant := l.libraryConst(a)
	return l.ctypeOf(a.Type().Decay()).class != classPtr && !constant
}

// abstracted is a call of a routine given by a procedure abstraction.
func (l *calls) abstracted(c *callSite) value {
	vals := l.evalArgs(c)
	call := cfa.Call{Callee: c.name, Ret: l.observed(c.typ.Result()).typ}
	var passed []memory.Ref
	for i, v := range vals {
		switch {
		case v.class == classOpaque || v.class == classExtended:
			l.Assume(cfa.AboutFloats, c.pos, "the floating-point argument %d of %s is any value", i+1, c.name)
			v.t = l.Any(ctOpaque.typ, "float", "floating point", c.pos)
		case v.at != nil:
			l.expressions.readWhole(v, c.pos)
			passed = append(passed, l.accesses.ref(*v.at))
			v.t = l.structureArgument(c)
		case v.t == nil: // dead code
			v.t = l.Pool.Const(expr.Int32, 0)
		}
		call.Args = append(call.Args, v.t)
	}
	if c.ret.class == classOther || c.want && c.ret.class == classAggregate && l.typeOf(c.typ.Result()).HoldsPointer() {
		return l.refuse(c.n, fmt.Sprintf("result of %s, of type %s", c.name, c.typ.Result()), "")
	}
	if c.body == nil && !c.resolved {
		c.body = l.prog.Body(l.fr.proc.File, c.name)
	}
	call.Named = l.named(c, vals, call.Args)
	var written []lvalue
	if c.body == nil {
		written, call.Framed = l.written(c, vals)
	}
	c.want = c.want || c.ret.scalar() && l.returnsTell(c.name)
	to := l.resultVar(c)
	if to != nil {
		call.LHS = to.v
	}
	if c.body != nil {
		l.escapeVariable(c, c.body, vals)
	}
	at := l.Emit(call, c.pos)
	l.returnsPointer(at, c.typ.Result())
	l.mem.Passes(at, passed, slices.ContainsFunc(c.args, l.hidesAddress))
	if c.body != nil {
		l.abstractedCalls = append(l.abstractedCalls, abstractedCall{at, c.body, l.siteOf(c)})
	}
	if !l.neverReturns(c) {
		l.writes(c, written)
	}
	switch {
	case l.Dead():
		return l.dead(c)
	case c.ret.class == classAggregate:
		return l.anyResult(c, "the structure that "+c.name+" returns")
	case c.ret.class == classExtended:
		return l.anyResult(c, "the long double that "+c.name+" gives")
	case to == nil:
		return value{ctype: c.ret}
	}
	return value{to.t, to.v, nil}
}

// returnsTell reports whether returns of a routine given by an abstraction speak of arguments or globals.
func (l *calls) returnsTell(name string) bool {
	return l.opt.ReturnsTell != nil && l.opt.ReturnsTell(name)
}

// structureArgument is what a routine given by an abstraction is told of a structure: any
// value, and its body, if there is one, knows more.
func (l *calls) structureArgument(c *callSite) *expr.Expr {
	tmp := l.Temp("argument", l.pointer, c.pos)
	body := ""
	if c.body != nil || l.prog.Body(l.fr.proc.File, c.name) != nil {
		body = c.name
	}
	l.Emit(cfa.Assign{LHS: tmp, Nondet: "argument", Approx: "a structure as an argument", Body: body}, c.pos)
	return tmp
}

// unchecked is what is assumed besides of a routine without a body.
func (l *facts) unchecked() string {
	if !l.opt.CheckPointers && !l.opt.CheckLeaks {
		return ""
	}
	return ", which it accesses as it may and does not free"
}

// unknown is a call of a function of which only the declaration is known, or
// not even that.
func (l *calls) unknown(c *callSite, approx string) value {
	if approx == "" {
		if l.opt.StrictCalls {
			return l.fail(c.pos, cfa.Fault(c.pos, fmt.Sprintf("%s has neither a body nor an abstraction", c.name)))
		}
		what := "any value in what it is given the address of"
		if l.isFramed(c) {
			what = l.writesOnly(c.name)
		}
		l.Assume(cfa.AboutRoutine, c.pos, "%s is unknown: any result, and %s%s", c.name, what, l.unchecked())
	}
	if approx == unknownOrigin {
		l.Assume(cfa.AboutRoutine, c.pos,
			"%s may call code that nobody described: any result, and any value in what it is given the address of%s",
			c.name, l.unchecked())
	}
	s := memory.UnknownCall{Name: c.name, Approx: approx, Site: l.callbackSite(c, approx), Foreign: c.foreign,
		Leaf: approx != "" && isLeaf(c.name), Text: approx != "" && writesText(c.name), Forgets: l.library.forgets(c)}
	var written []lvalue
	if approx == "" && l.isFramed(c) {
		c.vals = l.evalArgs(c)
		if written, s.Framed = l.written(c, c.vals); c.vals == nil {
			c.vals = []value{}
		}
	}
	l.given(c, &s)
	if to := l.resultVar(c); to != nil {
		s.LHS = to.v
		s.Own = l.ownObject(c, c.typ.Result())
		at := l.emitUnknown(c, s)
		if approx == "" || approx == unknownOrigin {
			l.returnsPointer(at, c.typ.Result())
		}
		if l.neverReturns(c) {
			return l.dead(c)
		}
		l.writes(c, written)
		return value{to.t, to.v, nil}
	}
	l.emitUnknown(c, s)
	if l.neverReturns(c) {
		return l.dead(c)
	}
	l.writes(c, written)
	return l.anyResult(c, approx)
}

// neverReturns ends the run behind a call of a function that is declared not to return
// (C11 6.7.4p8): what it does was before.
func (l *calls) neverReturns(c *callSite) bool {
	if !l.prog.Noreturn(c.name) {
		return false
	}
	l.Assume(cfa.AboutRoutine, c.pos, "%s never returns, as it is declared", c.name)
	l.HaltAll(c.name, c.pos)
	return true
}

// returnsPointer notes what the pointer points to that a routine without a body returns.
// One to something of an incomplete type points to no object of the program.
func (l *calls) returnsPointer(at cfa.Loc, t cc.Type) {
	p, ok := t.(*cc.PointerType)
	switch {
	case !ok || p.Elem().Kind() == cc.Function:
	case p.Elem().Kind() == cc.Void:
		l.mem.ReturnsPointer(at, nil)
	case l.bytes(p.Elem()) > 0 && !p.Elem().IsIncomplete():
		l.mem.ReturnsPointer(at, l.typeOf(p.Elem()))
	}
}

// ownObject is the object that the result of a routine without a body points
// to.
func (l *calls) ownObject(c *callSite, t cc.Type) *memory.Object {
	if c.ret.class != classPtr {
		return nil
	}
	name := fmt.Sprintf("%s@%d:%d", c.name, c.pos.Line, c.pos.Col)
	return l.mem.Pointee(name, l.target(t, memory.ExternalDepth),
		cfa.Var{Name: name, Kind: cfa.Temp, Frame: l.fr.id, Pos: c.pos}, 1)
}

// inline lowers the body of the callee here.
func (l *calls) inline(c *callSite, pr *source.Procedure) value {
	if l.Err() != nil {
		return l.dead(c)
	}
	depth := l.fr.depth
	if l.calling(pr) {
		if depth++; depth > l.opt.Recursion || l.opt.Cut == "" || l.fr.isOutOfLine() {
			return l.recursive(c, pr)
		}
		if l.Dead() {
			return l.dead(c)
		}
	}
	ret := l.ctypeOf(pr.Type.Result())
	if c.want && ret.class == classOther {
		return l.refuse(c.n, fmt.Sprintf("result of %s, of type %s", c.name, pr.Type.Result()), "")
	}
	defined := *c
	defined.typ = pr.Type
	vals := l.evalArgs(&defined)
	l.checkStart(&defined, pr, vals)
	constants, isConstant := l.constantCall(pr, vals)
	if t := l.computed[constants]; t != nil && c.want {
		return value{ret, t, nil}
	}
	caller, begin := l.fr, cfa.Loc(l.Len())
	fr := l.newInstance(pr, caller, c.pos)
	fr.depth, fr.site = depth, c.n
	life := l.mem.BeginLife(pr.Name, c.pos)
	fr.life = life
	l.passArguments(c, pr, vals)
	l.passVariable(c, pr, vals)
	if v, ok := l.library.constantResult(pr, ret); ok {
		l.mem.EndLife(life, c.pos)
		l.leave()
		return v
	}
	if c.want {
		l.makeResult(c, pr, fr, ret)
	}
	if l.isSection(pr) {
		l.threading.section(true, c.pos)
	}
	l.statements.body(pr)
	l.noReturn(pr, fr)
	l.Join(fr.returns)
	l.endLandings(fr, c.pos)
	if !l.Dead() && l.prog.NeverReturns(pr) {
		l.refuseAt(c.pos, "the return of "+pr.Name+", which is declared not to return", "C leaves open what follows")
	}
	if l.isSection(pr) {
		l.threading.section(false, c.pos)
	}
	lists := l.passedLists(c, pr, vals)
	l.mem.EndLife(life, c.pos)
	l.leave()
	l.endMoved(lists, c.pos)
	if isConstant && l.computes(fr, begin) {
		l.computed[constants] = fr.returned
		return value{ret, fr.returned, nil}
	}
	switch {
	case fr.result != nil:
		return value{fr.result.t, fr.result.v, nil}
	case fr.resultAt != nil:
		return value{ret, nil, fr.resultAt}
	}
	return value{ctype: ret}
}

// makeResult makes the place of what a frame returns, if its caller has none.
func (l *calls) makeResult(c *callSite, pr *source.Procedure, fr *instance, ret ctype) {
	switch {
	case ret.class == classExtended:
		fr.result = &target{l.Temp("return", ret.typ, c.pos), ret}
	case ret.scalar():
		if !l.returnsTell(pr.Name) { // else as where it is a call
			fr.result = c.to
		}
		if fr.result == nil {
			name := pr.Name + "::return"
			v := l.NewVar(name, name, ret.typ)
			l.mem.MarkPointer(v, ret.class == classPtr)
			l.List(cfa.Var{Expr: v, Name: "return", Kind: cfa.Temp, Frame: fr.id, Pos: c.pos})
			fr.result = &target{v, ret}
		}
	case ret.class == classAggregate:
		b := l.mem.NewObject(pr.Name+"::return", l.typeOf(pr.Type.Result()), l.bytes(pr.Type.Result()),
			cfa.Var{Name: "return", Kind: cfa.Temp, Frame: fr.id, Pos: c.pos})
		p := l.accesses.objectLvalue(b, pr.Type.Result())
		fr.resultAt = &p
	}
}

// noReturn lets control come to the end of a body without a return statement: the result is any value.
func (l *calls) noReturn(pr *source.Procedure, fr *instance) {
	if l.Dead() {
		return
	}
	end := source.Position(pr.Def.CompoundStatement.Token2.Position())
	switch {
	case fr.result != nil:
		l.Emit(cfa.Assign{LHS: fr.result.v, Nondet: "no return value"}, end)
	case fr.resultAt != nil:
		l.Emit(memory.Fill{To: l.accesses.ref(*fr.resultAt), Size: l.bytes(fr.resultAt.typ), Nondet: "no return value"}, end)
	}
}

// passArguments gives the parameters of the current instance their values.
func (l *calls) passArguments(c *callSite, pr *source.Procedure, vals []value) {
	for i, q := range source.Parameters(pr.Type) {
		v := l.param(i, q)
		t := l.ctypeOf(q.Type())
		switch {
		case t.class == classAggregate:
			if b := l.fr.objects[q.Declarator]; b != nil && i < len(vals) {
				l.objects.copyTo(l.accesses.objectLvalue(b, q.Declarator.Type()), vals[i], c.n, c.pos)
			}
		case t.class == classExtended:
			if b := l.fr.objects[q.Declarator]; b != nil && i < len(vals) {
				p := l.accesses.objectLvalue(b, q.Declarator.Type())
				p.d = q.Declarator
				l.observing.quietly(func() { l.accesses.write(p, vals[i], c.n, c.pos) })
			}
		case !t.scalar():
		case i < len(vals):
			l.accesses.storeValue(target{v, t}, vals[i], c.n, c.pos)
			if d := q.Declarator; d != nil && d.WriteCount() == 0 && !d.AddressTaken() && !l.Dead() &&
				!source.IsArgumentList(q.Type()) {
				val := vals[i]
				if val.t != nil {
					val.t = l.Pool.Subst(val.t, l.fr.parent.constants)
				}
				l.objects.noteValue(v, val)
				l.library.noteAlias(pr, v, val)
			}
		default:
			l.Emit(cfa.Assign{LHS: v, Nondet: "missing argument"}, c.pos)
		}
	}
}
