package cfa

// Lowering of calls, in the order in which a callee is looked for: a
// procedure abstraction, an intrinsic, a body to inline, and last the unknown
// function, which returns any value and may change whatever has escaped to it.

import (
	"fmt"
	"slices"
	"strings"

	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// A callSite is a call while it is lowered.
type callSite struct {
	n    *cc.PostfixExpression
	name string
	pos  Pos
	args []cc.ExpressionNode
	typ  *cc.FunctionType
	ret  ctype
	to   *target // where the result may go at once, or nil
	want bool    // the result is used
}

// calleeName is the name of the function called, or empty.
func calleeName(n *cc.PostfixExpression) string {
	d := callee(n)
	if d == nil {
		return ""
	}
	return d.Name()
}

// callee is the function called if it is named: f(…), (*f)(…), (&f)(…).
func callee(n *cc.PostfixExpression) *cc.Declarator {
	e := unparen(n.PostfixExpression)
	for {
		u, ok := e.(*cc.UnaryExpression)
		if !ok || u.Case != cc.UnaryExpressionDeref && u.Case != cc.UnaryExpressionAddrof {
			break
		}
		e = unparen(u.CastExpression)
	}
	if d := declarator(e); d != nil && d.Type().Kind() == cc.Function {
		return d
	}
	return nil
}

// call lowers a call. Where the result is wanted and to is given, the value
// may be to's own variable, already assigned.
func (l *lowerer) call(n *cc.PostfixExpression, to *target, want bool) value {
	d := callee(n)
	if d == nil {
		return l.refuse(n, "call through the function pointer "+cc.NodeSource(n.PostfixExpression), "")
	}
	typ, ok := d.Type().(*cc.FunctionType)
	if !ok {
		return l.refuse(n, "call of "+d.Name(), "")
	}
	c := &callSite{n: n, name: d.Name(), pos: position(n.Position()), args: arguments(n), typ: typ, to: to, want: want}
	c.ret = l.prog.model.ctypeOf(typ.Result())
	switch {
	case l.opt.Abstracted != nil && l.opt.Abstracted(c.name):
		return l.abstracted(c)
	case l.opt.Skipped != nil && l.opt.Skipped(c.name):
		for _, a := range c.args {
			l.argEffects(a)
		}
		return l.anyResult(c, "")
	}
	if f := l.intrinsic(c.name); f != nil {
		if strings.HasPrefix(c.name, nondetPrefix) {
			l.undeclared(c, d)
		}
		return f(l, c)
	}
	l.undeclared(c, d)
	if pr := l.prog.resolve(l.fr.proc.file, c.name); pr != nil {
		return l.inline(c, pr)
	}
	return l.unknown(c, "")
}

// undeclared warns of C's old rule for functions that no one declares.
func (l *lowerer) undeclared(c *callSite, d *cc.Declarator) {
	if d.IsSynthetic() && !strings.HasPrefix(c.name, "__builtin_") {
		l.warnf(c.pos, "%s is called but never declared: taken to return int", c.name)
	}
}

// anyResult is any value of the result type.
func (l *lowerer) anyResult(c *callSite, approx string) value {
	switch {
	case c.ret.class == classVoid || !c.want:
		return value{ctype: ctVoid}
	case c.ret.class == classFloat:
		return value{ctFloat, nil}
	case !c.ret.scalar():
		return l.refuse(c.n, fmt.Sprintf("result of %s, of type %s", c.name, c.typ.Result()), "")
	case c.to != nil && anyOf(c.to.t, c.ret):
		l.emit(Assign{LHS: c.to.v, Nondet: c.name, Approx: approx}, c.pos)
		return value{c.to.t, c.to.v}
	}
	return value{c.ret, l.any(c.ret.typ, c.name, approx, c.pos)}
}

// anyOf reports whether any value of type from, converted to type to, is any
// value of type to.
func anyOf(to, from ctype) bool {
	return to.typ == from.typ || to.typ != bool1 && to.typ.Width <= from.typ.Width
}

// resultVar is the variable that takes the result of a call with effects.
func (l *lowerer) resultVar(c *callSite) *target {
	switch {
	case !c.want || !c.ret.scalar():
		return nil
	case c.to != nil && c.to.t == c.ret:
		return c.to
	}
	return &target{l.temp(c.name, c.ret.typ, c.pos), c.ret}
}

// evalArgs evaluates the arguments from left to right, converted to the
// parameters' types, or promoted where there is no prototype.
func (l *lowerer) evalArgs(c *callSite) []value {
	params := parameters(c.typ)
	vals := make([]value, len(c.args))
	keep := make([]Loc, len(c.args))
	for i, a := range c.args {
		v := l.argument(a)
		if i < len(params) {
			v = l.convert(v, l.prog.model.ctypeOf(params[i].Type()), a)
		} else {
			v = l.promote(v, a)
		}
		vals[i], keep[i] = v, -1
		if v.t != nil && !v.t.IsConst() && slices.ContainsFunc(c.args[i+1:], func(b cc.ExpressionNode) bool { return !l.pure(b) }) {
			keep[i] = l.emit(Goto{}, position(a.Position()))
		}
	}
	for i := range vals {
		if keep[i] >= 0 {
			l.keepIfWritten(&vals[i], keep[i])
		}
	}
	return vals
}

// argument evaluates an argument; addresses are any value.
func (l *lowerer) argument(a cc.ExpressionNode) value {
	if what := l.address(a); what != "" {
		t := l.prog.model.ptrType()
		return value{ctype{classPtr, t}, l.any(t, "address", what, position(a.Position()))}
	}
	return l.rvalue(a)
}

// address says what a names the address of, if it is an address that can be
// given to a routine without a body: &x, an array, a string, &s.m, ….
func (l *lowerer) address(a cc.ExpressionNode) string {
	a = stripPointerCasts(a)
	switch x := a.(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionAddrof {
			if d := declarator(x.CastExpression); d != nil && d.Type().Kind() == cc.Function {
				return ""
			}
			if l.harmless(x.CastExpression) {
				return "address of " + cc.NodeSource(x.CastExpression)
			}
		}
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionString || x.Case == cc.PrimaryExpressionLString {
			return "address of a string literal"
		}
		if d := declarator(x); d != nil && d.Type().Kind() == cc.Array {
			return "address of " + d.Name()
		}
	case *cc.PostfixExpression:
		if l.harmless(x) && x.Type().Undecay().Kind() == cc.Array {
			return "address of " + cc.NodeSource(x)
		}
	}
	return ""
}

func stripPointerCasts(a cc.ExpressionNode) cc.ExpressionNode {
	for {
		a = unparen(a)
		c, ok := a.(*cc.CastExpression)
		if !ok || c.Type().Kind() != cc.Ptr {
			return a
		}
		a = c.CastExpression
	}
}

// argEffects evaluates an argument whose value nobody looks at, and notes
// what escapes through it.
func (l *lowerer) argEffects(a cc.ExpressionNode) (escaping *expr.Expr) {
	if d := addressedDeclarator(stripPointerCasts(a)); d != nil {
		if v, _ := l.storage(d); v != nil {
			return v
		}
	}
	if l.address(a) != "" {
		return nil
	}
	if d := declarator(stripPointerCasts(a)); d != nil && d.Type().Kind() == cc.Function || isFunctionAddress(a) {
		l.refuse(a, "function pointer "+cc.NodeSource(a)+" given to a routine without a body", "the routine may call it")
		return nil
	}
	l.discard(a)
	return nil
}

func isFunctionAddress(a cc.ExpressionNode) bool {
	d := addressedDeclarator(stripPointerCasts(a))
	return d != nil && d.Type().Kind() == cc.Function
}

// escape notes that a call at loc is given the address of v.
func (l *lowerer) escape(v *expr.Expr, at Loc) {
	if !slices.Contains(l.escaped, v) {
		l.escaped = append(l.escaped, v)
	}
	l.escapesAt[at] = append(l.escapesAt[at], v)
}

// abstracted is a call of a routine given by a procedure abstraction.
func (l *lowerer) abstracted(c *callSite) value {
	var escaping []*expr.Expr
	for _, a := range c.args {
		if d := addressedDeclarator(stripPointerCasts(a)); d != nil && d.Type().Kind() != cc.Function {
			if v, _ := l.storage(d); v != nil {
				escaping = append(escaping, v)
			}
		}
	}
	vals := l.evalArgs(c)
	call := Call{Callee: c.name, Ret: c.ret.typ}
	for i, v := range vals {
		switch {
		case v.class == classFloat:
			l.warnf(c.pos, "the floating-point argument %d of %s is any value", i+1, c.name)
			v.t = l.any(ctFloat.typ, "float", "floating point", c.pos)
		case v.t == nil: // dead code
			v.t = l.pool.Const(expr.Int32, 0)
		}
		call.Args = append(call.Args, v.t)
	}
	if c.ret.class == classAggregate || c.ret.class == classOther {
		return l.refuse(c.n, fmt.Sprintf("result of %s, of type %s", c.name, c.typ.Result()), "")
	}
	to := l.resultVar(c)
	if to != nil {
		call.LHS = to.v
	}
	at := l.emit(call, c.pos)
	if pr := l.prog.resolve(l.fr.proc.file, c.name); pr != nil {
		l.abstractedCalls = append(l.abstractedCalls, abstractedCall{at, pr})
	}
	for _, v := range escaping {
		l.escape(v, at)
	}
	if to == nil {
		return value{ctype: c.ret}
	}
	return value{to.t, to.v}
}

// unknown is a call of a function of which only the declaration is known, or
// not even that.
func (l *lowerer) unknown(c *callSite, approx string) value {
	if approx == "" {
		if l.opt.StrictCalls {
			return l.fail(c.pos, Errors{{c.pos, fmt.Sprintf("%s has neither a body nor an abstraction", c.name)}})
		}
		l.warnf(c.pos, "%s is unknown: any result, and any value in what it is given the address of", c.name)
	}
	var escaping []*expr.Expr
	for _, a := range c.args {
		if v := l.argEffects(a); v != nil {
			escaping = append(escaping, v)
		}
	}
	if c.want && !c.ret.scalar() {
		l.emit(unknownCall{name: c.name, approx: approx}, c.pos)
	} else if to := l.resultVar(c); to != nil {
		l.emit(unknownCall{lhs: to.v, name: c.name, approx: approx}, c.pos)
		l.escapeAll(escaping)
		return value{to.t, to.v}
	} else {
		l.emit(unknownCall{name: c.name, approx: approx}, c.pos)
	}
	l.escapeAll(escaping)
	if l.prog.endless[c.name] {
		l.halt(c.name, c.pos)
		return l.dead(c)
	}
	return l.anyResult(c, approx)
}

func (l *lowerer) escapeAll(vs []*expr.Expr) {
	for _, v := range vs {
		l.escape(v, Loc(len(l.locs)-1))
	}
}

// inline lowers the body of the callee here.
func (l *lowerer) inline(c *callSite, pr *procedure) value {
	if chain := l.recursive(pr); chain != "" {
		return l.refuse(c.n, "recursive function "+pr.name, chain)
	}
	ret := l.prog.model.ctypeOf(pr.typ.Result())
	if c.want && (ret.class == classAggregate || ret.class == classOther) {
		return l.refuse(c.n, fmt.Sprintf("result of %s, of type %s", c.name, pr.typ.Result()), "")
	}
	vals := l.evalInlineArgs(c, pr)
	caller := l.fr
	fr := l.newInstance(pr, caller, c.pos)
	for i, q := range parameters(pr.typ) {
		v := l.param(i, q)
		switch t := l.prog.model.ctypeOf(q.Type()); {
		case !t.scalar():
		case i < len(vals):
			l.storeValue(target{v, t}, vals[i], c.n, c.pos)
		default:
			l.emit(Assign{LHS: v, Nondet: "missing argument"}, c.pos)
		}
	}
	if c.want && ret.scalar() {
		fr.result = c.to
		if fr.result == nil {
			name := pr.name + "::return"
			v := l.newVar(name, name, ret.typ)
			l.vars = append(l.vars, Var{Expr: v, Name: "return", Kind: Temp, Frame: fr.id, Pos: c.pos})
			fr.result = &target{v, ret}
		}
	}
	l.body(pr)
	if fr.result != nil && len(l.open) > 0 {
		l.emit(Assign{LHS: fr.result.v, Nondet: "no return value"}, position(pr.def.CompoundStatement.Token2.Position()))
	}
	l.open = append(l.open, fr.returns...)
	l.fr = caller
	if fr.result != nil {
		return value{fr.result.t, fr.result.v}
	}
	return value{ctype: ret}
}

// evalInlineArgs evaluates the arguments for the parameters of a body.
func (l *lowerer) evalInlineArgs(c *callSite, pr *procedure) []value {
	defined := *c
	defined.typ = pr.typ
	for _, a := range c.args {
		s := stripPointerCasts(a)
		if d := addressedDeclarator(s); d != nil {
			l.refuse(a, "address "+cc.NodeSource(a)+" given to "+pr.name, "its body would dereference it")
			break
		}
	}
	return l.evalArgs(&defined)
}

// recursive describes the chain of calls from pr to itself, or is empty.
func (l *lowerer) recursive(pr *procedure) string {
	var chain []string
	for fr := l.fr; fr != nil; fr = fr.parent {
		chain = append(chain, fr.proc.name)
		if fr.proc == pr {
			slices.Reverse(chain)
			return "calls itself: " + strings.Join(append(chain, pr.name), " → ")
		}
	}
	return ""
}
