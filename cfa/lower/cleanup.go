package lower

// Calls that no expression makes: GCC's attribute cleanup, a function that is called
// with a variable's address where its life ends, however control leaves the block; and
// constructors, which run before main. Functions that end the program, exit and its
// like, clean nothing up.

import (
	"magus/cfa"
	"magus/cfa/source"

	"modernc.org/cc/v4"
)

// cleanedUp notes that a function is called where the life of a variable ends that was
// just declared.
func (l *statements) cleanedUp(d *cc.Declarator, by cc.ExpressionNode) {
	if by == nil || source.Declarator(by) == nil || source.Declarator(by).Type().Kind() != cc.Function {
		l.refuse(d, "the attribute cleanup of "+d.Name(), "which function it names is not known")
		return
	}
	l.declared(nil, nil, source.Position(d.NameTok().Position()))
	l.fr.scope.cleanup, l.fr.scope.d = by, d
}

// cleanUp makes the call.
func (l *statements) cleanUp(s *scope, pos cfa.Pos) {
	if s.cleanup == nil || l.Dead() {
		return
	}
	p := l.accesses.variable(s.d, s.d)
	if p.v == nil && p.Base == nil {
		l.refuse(s.d, "the attribute cleanup of "+s.d.Name()+", of type "+s.d.Type().String(), "")
		return
	}
	at := value{ctype{class: classPtr, typ: l.pointer}, l.accesses.address(p), nil}
	scope := l.fr.scope
	l.fr.scope = s.up // what is called does not clean up again
	l.callImplicitly(source.Declarator(s.cleanup), s.cleanup, []value{at}, pos)
	l.fr.scope = scope
}

// cleanUpAll makes the calls that are due where the component returns.
func (l *statements) cleanUpAll(pos cfa.Pos) {
	for s := l.fr.scope; s != nil; s = s.up {
		l.cleanUp(s, pos)
	}
}

// cleans reports whether something is cleaned up between a point and an outer one.
func (s *scope) cleans(outer *scope) bool {
	for ; s != nil && s != outer; s = s.up {
		if s.cleanup != nil {
			return true
		}
	}
	return false
}

// kept is a value that calls from here on do not change.
func (l *statements) kept(v value, n cc.Node, pos cfa.Pos) value {
	switch {
	case l.Dead() || v.t == nil && v.at == nil:
	case v.t != nil:
		tmp := l.Temp("kept", v.t.Type(), pos)
		l.mem.MarkPointer(tmp, v.class == classPtr)
		l.Assign(tmp, v.t, pos)
		v.t = tmp
	default:
		p := l.accesses.objectLvalue(l.objects.tempObject("kept", v.at.typ, pos), v.at.typ)
		l.objects.copyTo(p, v, n, pos)
		v.at = &p
	}
	return v
}

// callImplicitly calls a function that by names with arguments that are evaluated, for
// what it does.
func (l *statements) callImplicitly(f *cc.Declarator, by cc.ExpressionNode, vals []value, pos cfa.Pos) {
	typ, ok := f.Type().(*cc.FunctionType)
	if !ok || len(source.Parameters(typ)) > len(vals) {
		l.refuseAt(pos, "the call of "+f.Name()+" that an attribute asks for", "its parameters are others")
		return
	}
	c := &callSite{name: f.Name(), pos: pos, typ: typ, ret: l.ctypeOf(typ.Result()), vals: vals}
	for range vals {
		c.args = append(c.args, by)
	}
	c.n = &cc.PostfixExpression{Case: cc.PostfixExpressionPrimary}
	if p, ok := source.Unparen(by).(*cc.PrimaryExpression); ok {
		c.n.PrimaryExpression = p
	}
	l.calls.callTo(c, f)
}

// construct calls the functions that run before main.
func (l *statements) construct() {
	for _, pr := range l.prog.Constructors() {
		l.runImplicitly(pr, pr.Pos)
	}
}

// destruct calls the functions that run at the end of main, or at exit.
func (l *statements) destruct(pos cfa.Pos) {
	for _, pr := range l.prog.Destructors() {
		if l.calls.calling(pr) {
			l.refuseAt(pos, "a destructor that ends the program", "")
			return
		}
		l.runImplicitly(pr, pos)
	}
}

// runImplicitly calls a function that the text does not call.
func (l *statements) runImplicitly(pr *source.Procedure, pos cfa.Pos) {
	if l.Dead() {
		return
	}
	if len(source.Parameters(pr.Type)) > 0 {
		l.refuseAt(pr.Pos, pr.Name+", which runs before main or at its end and has parameters", "")
		return
	}
	d := pr.Def.Declarator
	c := &callSite{name: pr.Name, pos: pos, typ: pr.Type, ret: l.ctypeOf(pr.Type.Result()), vals: []value{}, body: pr}
	c.n = &cc.PostfixExpression{Case: cc.PostfixExpressionPrimary,
		PrimaryExpression: &cc.PrimaryExpression{Token: d.NameTok()}}
	l.calls.callTo(c, d)
}
