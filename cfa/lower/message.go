package lower

// Messages that carry values.
//
// Idea: what is sent is a variable, to which the argument was assigned as the declaration converts it, and
// what is received is any value of the result's type; of a structure, one for each of its members that are numbers.
// Who puts components together makes it the value that is sent: see [cfa.Message].
//
// Cost: two statements for each number.

import (
	"fmt"

	"magus/cfa"
	"magus/cfa/source"

	"modernc.org/cc/v4"
)

// mostCarried bounds the numbers that one message carries.
const mostCarried = 64

// send performs an action that carries the value of its second argument.
func send(l *lowerer, c *callSite) value {
	name, ok := l.library.channel(c, 2)
	if !ok {
		return l.fail(c.pos, cfa.Fault(c.pos, c.name+" needs the name of an action as a string literal, and a value"))
	}
	v := l.expressions.rvalue(c.args[1])
	switch params := source.Parameters(c.typ); {
	case v.class == classAggregate:
	case len(params) > 1:
		v = l.expressions.passed(v, c.args[1], params[1].Type())
	default:
		v = l.expressions.promote(v, c.args[1])
	}
	m := &cfa.Message{Channel: name, Sends: true}
	for _, p := range l.carried(c, v, c.args[1].Type()) {
		sent := l.Temp(name+p.path, p.typ, c.pos)
		l.Assign(sent, p.t, c.pos)
		m.Parts = append(m.Parts, cfa.Carried{Path: p.path, Type: p.typ, Value: sent})
	}
	if l.Err() == nil && !l.Dead() {
		l.Emit(cfa.Act{Action: name, Message: m}, c.pos)
	}
	return l.calls.anyResult(c, "")
}

// A carriedPart is a number that a value has.
type carriedPart struct {
	path string
	value
	at lvalue // of a structure
}

// carried are the numbers of a value that is sent.
func (l *lowerer) carried(c *callSite, v value, t cc.Type) []carriedPart {
	switch {
	case l.Dead():
		return nil
	case v.class == classInt && v.t != nil && !v.typ.IsBool():
		return []carriedPart{{value: v}}
	case v.class != classAggregate || v.at == nil:
		l.refuse(c.n, "call of "+c.name, "only integers are carried, and structures of them: send what pointers lead to")
		return nil
	}
	all := l.members(c, *v.at, t)
	for i := range all {
		all[i].value = l.accesses.read(all[i].at, c.n)
	}
	return all
}

// members are the numbers in an object of a structure's type.
func (l *lowerer) members(c *callSite, p lvalue, t cc.Type) (all []carriedPart) {
	why := l.eachMember(p, t, "", func(path string, p lvalue) { all = append(all, carriedPart{path: path, at: p}) })
	if why == "" && len(all) > mostCarried {
		why = fmt.Sprintf("more than %d numbers", mostCarried)
	}
	if why == "" && len(all) == 0 {
		why = "a structure without members"
	}
	if why != "" {
		l.refuse(c.n, "call of "+c.name, "structures are carried whose members are integers, and not "+why)
		return nil
	}
	return all
}

// eachMember calls visit for the numbers in an object, in their order, and says what it has that is no integer.
func (l *lowerer) eachMember(p lvalue, t cc.Type, path string, visit func(path string, p lvalue)) (why string) {
	switch x := t.(type) {
	case *cc.ArrayType:
		n := l.prog.Layouts.Len(x)
		if n < 0 || n > mostCarried {
			return fmt.Sprintf("%s, an array of %d", path, n)
		}
		for k := int64(0); k < n && why == ""; k++ {
			q := p
			q.Off += k * l.bytes(x.Elem())
			why = l.eachMember(l.typed(q, x.Elem()), x.Elem(), fmt.Sprintf("%s[%d]", path, k), visit)
		}
		return why
	case *cc.StructType:
		for _, f := range source.Members(t) {
			q := l.observing.memberOf(p, f)
			q.of = nil
			switch {
			case f.Name() == "" && f.IsBitfield():
			case f.Name() == "":
				why = "members without a name"
			case f.IsBitfield():
				visit(path+"."+f.Name(), q)
			default:
				why = l.eachMember(q, f.Type(), path+"."+f.Name(), visit)
			}
			if why != "" {
				return why
			}
		}
		return ""
	}
	if p.t.class != classInt || p.t.typ.IsBool() {
		return path + ", of type " + t.String()
	}
	visit(path, p)
	return ""
}

// receive performs an action and is the value that it carries.
func receive(l *lowerer, c *callSite) value {
	name, ok := l.library.channel(c, 1)
	switch {
	case !ok:
		return l.fail(c.pos, cfa.Fault(c.pos, c.name+" needs the name of an action as a string literal"))
	case c.ret.class == classAggregate:
		return l.receiveStructure(c, name)
	case c.ret.class != classInt || c.ret.typ.IsBool():
		return l.refuse(c.n, "call of "+c.name,
			"only integers are carried, and structures of them: declare it with such a type as its result")
	}
	got := l.Temp(name, c.ret.typ, c.pos)
	l.Emit(cfa.Act{Action: name, Message: &cfa.Message{Channel: name, Parts: []cfa.Carried{{Type: c.ret.typ, Gets: got}}}},
		c.pos)
	l.Emit(cfa.Assign{LHS: got, Nondet: name}, c.pos)
	return value{c.ret, got, nil}
}

// receiveStructure receives each member, and then has them stand in an object.
func (l *lowerer) receiveStructure(c *callSite, name string) value {
	b := l.objects.tempObject(c.name, c.typ.Result(), c.pos)
	p := l.accesses.objectLvalue(b, c.typ.Result())
	all := l.members(c, p, c.typ.Result())
	if l.Err() != nil || l.Dead() {
		return value{c.ret, nil, &p}
	}
	m := &cfa.Message{Channel: name}
	for i := range all {
		v := value{ctype: all[i].at.t}
		v.t = l.Temp(name+all[i].path, v.typ, c.pos)
		all[i].value = v
		m.Parts = append(m.Parts, cfa.Carried{Path: all[i].path, Type: v.typ, Gets: v.t})
	}
	l.Emit(cfa.Act{Action: name, Message: m}, c.pos)
	for _, got := range all {
		l.Emit(cfa.Assign{LHS: got.t, Nondet: name}, c.pos)
	}
	l.observing.quietly(func() {
		for _, got := range all {
			l.accesses.write(got.at, got.value, c.n, c.pos)
		}
	})
	return value{c.ret, nil, &p}
}

// channel is the name of the action that a call of so many arguments performs.
func (l *library) channel(c *callSite, arguments int) (name string, ok bool) {
	if len(c.args) != arguments || c.vals != nil {
		return "", false
	}
	name, ok = source.StringLiteral(c.args[0])
	return name, ok && name != "" && source.MisnamedAction(name) == ""
}
