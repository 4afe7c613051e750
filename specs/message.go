package specs

import "slices"

// Messages: actions of specifications that say what is carried.
//
//	data($1 < 3)      any value below 3
//	data(3)           3: data($1 == 3)
//	data              any value
//	ask(x)            the value that x stands for, or x stands for its value from here on

// A MessageAction is an action that carries a value which satisfies a condition, or is that of a name.
type MessageAction struct {
	Channel string
	Cond    *CExpr // over $1, the value, and enumeration constants; nil where Var is given
	Var     string // a name alone: a constant of the program, or one that stands for a value
	Pos     Pos    // of its first occurrence
}

// Name is the name under which the action is interned: a($1 < 3), a(x).
func (m MessageAction) Name() string {
	if m.Cond == nil {
		return m.Channel + "(" + m.Var + ")"
	}
	return m.Channel + "(" + m.Cond.String() + ")"
}

// MessageOf is the message of that canonical name, and whether f mentions it.
func (f *File) MessageOf(name string) (MessageAction, bool) {
	m, ok := f.messages[name]
	return m, ok
}

// messageAction parses what follows the name of an action that says what it carries.
func (p *actions) messageAction(l label) label {
	p.mark(behindMark)
	p.expect("(", " before what is carried")
	m := &MessageAction{Channel: l.name, Pos: l.pos}
	switch t := p.tok(); {
	case t.kind == tokIdent && p.peek(1).isPunct(")"):
		if m.Var = t.text; slices.Contains(reserved, t.text) {
			p.fail(p.pos(), "%s is no name of a value", t.text)
		}
		p.next()
	case t.isPunct(")"):
		p.fail(p.pos(), "what does %s carry? %s($1 == 3), %s(x), or %s alone for any value", l.name, l.name, l.name, l.name)
	default:
		pos := p.pos()
		e := p.expression()
		args := e.Args()
		switch {
		case len(args) == 0:
			e = equalTo(e)
		case !slices.Equal(args, []string{"$1"}):
			p.fail(pos, "%s is about the value that is carried, which is $1", l.name)
		}
		m.Cond = e
	}
	p.expect(")", " after what is carried")
	l.msg, l.name = m, m.Name()
	p.file.addMessage(*m)
	return l
}

// equalTo is the condition that the value carried is that of an expression.
func equalTo(e *CExpr) *CExpr {
	one := &CExpr{kind: exprArg, text: "$1", pos: e.pos, src: e.src}
	return &CExpr{kind: exprBinary, text: "==", args: []*CExpr{one, e}, pos: e.pos, src: e.src}
}

func otherThan(e *CExpr) *CExpr {
	c := *equalTo(e)
	c.text = "!="
	return &c
}

// addMessage makes m known under its name, unless it is already.
func (f *File) addMessage(m MessageAction) {
	if _, known := f.messages[m.Name()]; !known && f.messages != nil {
		f.messages[m.Name()] = m
	}
}

// MessagesIn are the messages that the process of that name mentions, and those that it leads to, in the
// order of the text, each as often as it stands there.
func (f *File) MessagesIn(name string) []MessageAction {
	var all []MessageAction
	for _, p := range f.reached(name) {
		p.everyLabel(func(l label) {
			if l.msg != nil {
				all = append(all, *l.msg)
			}
		})
	}
	return all
}

// MessagesAsked are the messages that a progress or a formula speaks of, also by fluents and other assertions, each as
// often as it stands there.
func (f *File) MessagesAsked(p *Progress, x *Formula) (all []MessageAction) {
	for _, l := range f.labelsAsked(p, x) {
		if l.msg != nil {
			all = append(all, *l.msg)
		}
	}
	return all
}

// ActionsAsked are the names of the actions that a progress or a formula speaks of in that way.
func (f *File) ActionsAsked(p *Progress, x *Formula) (all []string) {
	for _, l := range f.labelsAsked(p, x) {
		all = append(all, l.name)
	}
	return all
}

func (f *File) labelsAsked(p *Progress, x *Formula) (all []label) {
	if p != nil {
		all = slices.Concat(p.ifLabels, p.thenLabels)
	}
	f.eachAsked(x, func(x *Formula) {
		if fluent := f.Fluent(x.Name); fluent != nil {
			all = slices.Concat(all, fluent.onLabels, fluent.offLabels)
		} else {
			all = append(all, x.labels...)
		}
	})
	return all
}

// Equals is the message whose value is that of the name that it has alone, which is a constant.
func (m MessageAction) Equals() MessageAction {
	m.Cond, m.Var = equalTo(&CExpr{kind: exprName, text: m.Var, pos: m.Pos}), ""
	return m
}

// everyLabel calls visit for the actions of p's branches and of its operators.
func (p *process) everyLabel(visit func(l label)) {
	p.eachLabel(visit)
	for _, o := range p.ops {
		for _, l := range o.labels {
			visit(l)
		}
		for _, r := range o.pairs {
			visit(r.old)
			visit(r.new)
		}
	}
}
