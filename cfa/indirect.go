package cfa

// Calls through pointers (paper section 3.3.1).
//
// Idea: an indirect call is a sequence of tests, one for each function that the
// pointer may point to, and a direct call behind each. Which these are is found
// by repetition: a component is lowered with the targets known so far, at first
// none; its points-to analysis gives new ones; and so on until no call has
// more. Calls are told apart by the chain of calls that leads to them, so that
// a routine that is given different callbacks has different targets in each of
// its copies.
//
// Cost: as many lowerings as there are indirect calls on the longest way from
// the component's procedure to a call.

import (
	"maps"
	"slices"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// A function is what an indirect call may call.
type function struct {
	d    *cc.Declarator
	body *procedure // nil: only declared
}

// reached is what an indirect call may call.
type reached struct {
	functions []function
	unknown   bool // or code that nobody described
}

// function is the one whose address a block has.
func (b *block) function() function { return function{b.fn, b.proc} }

// sameFunction reports whether two targets are one function.
func sameFunction(a, b function) bool {
	return a.body == b.body && (a.body != nil || a.d.Name() == b.d.Name())
}

// indirectCall lowers a call through a pointer.
func (l *lowerer) indirectCall(n *cc.PostfixExpression, want bool) value {
	pos := position(n.Position())
	typ := functionType(n.PostfixExpression)
	if typ == nil {
		return l.refuse(n, "call of "+source(n.PostfixExpression), "")
	}
	c := &callSite{n: n, name: tempName(n.PostfixExpression), pos: pos, args: arguments(n), typ: typ, want: want}
	c.ret = l.prog.model.ctypeOf(typ.Result())
	f := l.rvalue(n.PostfixExpression)
	keep := l.emit(Goto{}, pos)
	c.vals = l.evalArgs(c)
	if c.vals == nil {
		c.vals = []value{}
	}
	if f.t == nil {
		return l.dead(c)
	}
	l.keepIfWritten(&f, keep)
	if b, off := l.blockOf(f.t); b != nil && b.fn != nil && off == 0 {
		return l.callFunction(c, b)
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

// callFunction calls the function whose address a block has.
func (l *lowerer) callFunction(c *callSite, b *block) value {
	to := *c
	to.name, to.body = b.fn.Name(), b.proc
	if t, ok := b.fn.Type().(*cc.FunctionType); ok {
		to.typ = t
		to.ret = l.prog.model.ctypeOf(t.Result())
	}
	return l.callTo(&to, b.fn)
}

// dispatch tests which function is meant and calls it.
func (l *lowerer) dispatch(c *callSite, addr *expr.Expr) value {
	key := l.fr.path() + "/" + c.pos.String()
	l.emit(reachStmt{key, addr}, c.pos)
	var result *place
	if c.want && c.ret.scalar() {
		v := l.temp(c.name, c.ret.typ, c.pos)
		l.pointers[v] = c.ret.class == classPtr
		result = &place{v: v, typ: c.typ.Result(), t: c.ret}
	} else if c.want && c.ret.class == classAggregate && c.typ.Result().Size() > 0 {
		p := l.blockPlace(l.tempBlock("call", c.typ.Result(), c.pos), c.typ.Result())
		result = &p
	}
	finish := func(v value) {
		if result != nil && (v.t != nil || v.at != nil || v.class == classFloat) && len(l.open) > 0 {
			l.write(*result, v, c.n, c.pos)
		}
	}
	var ends []hole
	known := l.reached[key]
	for _, f := range known.functions {
		b := l.functionBlockOf(f)
		yes, no := l.branch(l.pool.Eq(addr, l.addressIn(b, 0)), c.pos)
		l.open = yes
		finish(l.callFunction(c, b))
		ends = append(ends, l.open...)
		l.open = no
	}
	if known.unknown {
		finish(l.unknown(c, "a call through a pointer of unknown origin"))
	} else {
		l.invalid(c.pos)
	}
	l.open = append(l.open, ends...)
	switch {
	case result == nil:
		return value{ctype: c.ret}
	case result.v != nil:
		return value{c.ret, result.v, nil}
	}
	return value{c.ret, nil, result}
}

// findFunctions notes the targets of indirect calls that the analysis found.
func (l *lowerer) findFunctions() {
	found := maps.Clone(l.reached)
	for _, loc := range l.locs {
		s, ok := loc.Stmt.(reachStmt)
		if !ok {
			continue
		}
		r := found[s.key]
		r.functions = slices.Clone(r.functions)
		for _, t := range l.pts.targets(l.pts.term(s.addr)) {
			b := l.pts.blocks[t.Object]
			switch {
			case b == nil || b.limitless:
				r.unknown = true
			case b.fn != nil && !slices.ContainsFunc(r.functions, func(f function) bool { return sameFunction(f, b.function()) }):
				r.functions = append(r.functions, b.function())
			}
		}
		if old := l.reached[s.key]; len(r.functions) > len(old.functions) || r.unknown && !old.unknown {
			found[s.key] = r
			l.again = true
		}
	}
	l.reached = found
}

// reaches reports whether indirect calls may call more than was known.
func (l *lowerer) reaches() bool { return l.again }

// invalid is what happens where a pointer is dereferenced that points to
// nothing.
func (l *lowerer) invalid(pos Pos) {
	if len(l.open) == 0 {
		return
	}
	if l.opt.CheckPointers {
		l.error("invalid pointer", pos)
		return
	}
	l.warnf(pos, "pointers that are dereferenced are valid, and indices within their arrays")
	l.halt("invalid pointer", pos)
}
