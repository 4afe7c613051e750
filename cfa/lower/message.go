package lower

// Messages that carry values.
//
// Idea: what is sent is a variable, to which the argument was assigned as the declaration converts it, and
// what is received is any value of the result's type. Who puts components together makes it the value that is
// sent: see [cfa.Message].
//
// Cost: two statements each.

import (
	"magus/cfa"
	"magus/cfa/source"
)

// send performs an action that carries the value of its second argument.
func send(l *lowerer, c *callSite) value {
	name, ok := l.library.channel(c, 2)
	if !ok {
		return l.fail(c.pos, cfa.Fault(c.pos, c.name+" needs the name of an action as a string literal, and a value"))
	}
	v := l.expressions.rvalue(c.args[1])
	if params := source.Parameters(c.typ); len(params) > 1 {
		v = l.expressions.passed(v, c.args[1], params[1].Type())
	} else {
		v = l.expressions.promote(v, c.args[1])
	}
	if v.class != classInt || v.t == nil || v.typ.IsBool() {
		return l.refuse(c.n, "call of "+c.name,
			"only integers are carried: send members and what pointers lead to one by one")
	}
	sent := l.Temp(name, v.typ, c.pos)
	l.Assign(sent, v.t, c.pos)
	l.Emit(cfa.Act{Action: name, Message: &cfa.Message{Type: v.typ, Value: sent}}, c.pos)
	return l.calls.anyResult(c, "")
}

// receive performs an action and is the value that it carries.
func receive(l *lowerer, c *callSite) value {
	name, ok := l.library.channel(c, 1)
	if !ok {
		return l.fail(c.pos, cfa.Fault(c.pos, c.name+" needs the name of an action as a string literal"))
	}
	if c.ret.class != classInt || c.ret.typ.IsBool() {
		return l.refuse(c.n, "call of "+c.name, "only integers are carried: declare it with an integer type as its result")
	}
	got := l.Temp(name, c.ret.typ, c.pos)
	l.Emit(cfa.Act{Action: name, Message: &cfa.Message{Type: c.ret.typ, Gets: got}}, c.pos)
	l.Emit(cfa.Assign{LHS: got, Nondet: name}, c.pos)
	return value{c.ret, got, nil}
}

// channel is the name of the action that a call of so many arguments performs.
func (l *library) channel(c *callSite, arguments int) (name string, ok bool) {
	if len(c.args) != arguments || c.vals != nil {
		return "", false
	}
	name, ok = source.StringLiteral(c.args[0])
	return name, ok && name != "" && source.MisnamedAction(name) == ""
}
