package specs

import (
	"slices"
	"strconv"
	"strings"
)

// Rules.

var ruleWords = []string{"rule"}

// rule parses rule NAME [for x {, x}] { events, functions, states }.
func (p *parser) rule() {
	p.next()
	r := &Rule{Pos: p.pos(), Name: p.ruleName()}
	p.scope(r.Name)
	if p.tok().isWord("for") {
		p.next()
		r.Objects = p.names("the name of an object")
	}
	p.file.Rules = append(p.file.Rules, r)
	p.file.items = append(p.file.items, r)
	p.statements("rule "+r.Name, func() { p.ruleStatement(r) })
	p.checkRule(r)
}

// ruleName is a name that may have hyphens.
func (p *parser) ruleName() string {
	name := p.name("the name of a rule").text
	for p.tok().isPunct("-") {
		p.mark(behindMark | prefixMark)
		p.next()
		name += "-" + p.name("the rest of the rule's name").text
	}
	return name
}

// names are names with commas between them.
func (p *parser) names(what string) []string {
	names := []string{p.name(what).text}
	for p.accept(",") {
		names = append(names, p.name(what).text)
	}
	return names
}

func (p *parser) ruleStatement(r *Rule) {
	pos, t := p.pos(), p.tok()
	switch after := p.peek(1); {
	case t.isWord("begin") && after.kind == tokIdent:
		p.next()
		if r.Begin != "" {
			p.fail(pos, "a rule begins in one state, and %s is said already", r.Begin)
		}
		r.Begin = p.next().text
		p.expect(";", " after the state in which a run begins")
	case t.isWord("forbid") && after.kind == tokIdent:
		p.next()
		what := p.name("leaks or uses").text
		if !slices.Contains([]string{Leaks, Uses}, what) {
			p.fail(pos, "what a rule forbids of memory is leaks or uses, and not %s", what)
		}
		r.Forbidden = append(r.Forbidden, what)
		p.expect(";", " after what is forbidden")
	case t.isWord("never") && (after.kind == tokIdent || after.isPunct("*")):
		p.next()
		r.Never = append(r.Never, p.callees()...)
		p.expect(";", " after the functions that never return")
	case t.isWord("function") && (after.kind == tokIdent || after.isPunct("*")):
		p.ruleFunction(r, pos, false)
	case t.isWord("also") && after.isWord("function"):
		p.next()
		p.ruleFunction(r, pos, true)
	case t.kind == tokIdent && after.isPunct(":"):
		p.ruleEvent(r)
	case t.kind == tokIdent && (after.isPunct("=") || after.isPunct("[")):
		p.ruleStates(r)
	default:
		p.unexpected("an event such as lock: call f ($1 == m); a function, never, forbid, " +
			"a state such as Free = ( lock -> Held ). or begin")
	}
}

// ruleFunction parses [also] function f {, f} [returns (cond)].
func (p *parser) ruleFunction(r *Rule, pos Pos, keeps bool) {
	p.next()
	f := &RuleFunction{Pos: pos, Keeps: keeps, Callees: p.callees()}
	if p.tok().isWord("returns") {
		p.next()
		f.Returns = p.condition("returns")
	} else if keeps {
		p.unexpected("returns and a condition: what is also known of the function")
	}
	p.expect(";", " after what the function returns")
	r.Functions = append(r.Functions, f)
}

// callees are names and patterns of functions.
func (p *parser) callees() []string {
	var all []string
	for {
		all = append(all, p.callee())
		if !p.accept(",") {
			return all
		}
	}
}

// callee is the name of a function, or of a member of a structure with a point before it, in which * may stand for any
// text; its parts stand together.
func (p *parser) callee() string {
	name, pos := "", p.pos()
	for end := -1; p.is(tokIdent) || p.tok().isPunct("*") || name != "" && p.tok().isPunct("."); {
		t := p.tok()
		if end >= 0 && t.offset != end {
			break
		}
		if end >= 0 {
			p.mark(behindMark)
		}
		p.next()
		name, end = name+t.text, t.offset+len(t.text)
	}
	switch {
	case name == "":
		p.unexpected("the name of a function")
	case strings.HasSuffix(name, ".") || strings.Count(name, ".") > 1:
		p.fail(pos, "%s is no member of a structure: write the type's name, a point, and the member, "+
			"as in ops.lock or *.lock", name)
	}
	return name
}

// condition is an expression in parentheses.
func (p *parser) condition(after string) *CExpr {
	p.expect("(", " after "+after)
	c := p.expression()
	p.expect(")", " after the condition")
	return c
}

// ruleEvent parses Name : call f … | assign s.f … | return | lost m ;
func (p *parser) ruleEvent(r *Rule) {
	e := &RuleEvent{Pos: p.pos(), Name: p.next().text}
	if e.Name == Leaks || e.Name == Uses {
		p.fail(e.Pos, "%s is what a rule may forbid of memory; give the event another name", e.Name)
	}
	p.next()
	switch t := p.tok(); {
	case t.isWord("call"):
		p.next()
		p.callEvent(e)
	case t.isWord("assign"):
		p.next()
		p.assignEvent(e)
	case t.isWord("return"):
		p.next()
		e.Kind = ReturnEvent
	case t.isWord("lost"):
		p.next()
		pos := p.pos()
		e.Kind, e.Object = LostEvent, p.name("the name of an object").text
		if !slices.Contains(r.Objects, e.Object) {
			p.fail(pos, "the rule is for no object %s", e.Object)
		}
	default:
		p.unexpectedWord("call, assign, return or lost", "call", "assign", "return", "lost")
	}
	p.expect(";", " after the event "+e.Name)
	r.Events = append(r.Events, e)
}

// callEvent parses what follows call.
func (p *parser) callEvent(e *RuleEvent) {
	e.Callees = p.callees()
	if p.accept("(") {
		if !p.accept(")") {
			pos := p.pos()
			e.Cond = p.expression()
			if slices.Contains(e.Cond.Args(), "$0") {
				p.fail(pos, "there is no result $0 before the call: write returns ( … )")
			}
			p.expect(")", " after the condition")
		}
	}
	if p.tok().isWord("returns") {
		p.next()
		e.Returns = p.condition("returns")
	}
}

// assignEvent parses what follows assign.
func (p *parser) assignEvent(e *RuleEvent) {
	e.Kind = AssignEvent
	pos := p.pos()
	e.Callees = p.callees()
	for _, member := range e.Callees {
		if !strings.Contains(member, ".") {
			p.fail(pos, "%s is no member of a structure: write the type's name, a point, and the member, as in conn.state "+
				"or *.state", member)
		}
	}
	if !p.accept("(") || p.accept(")") {
		return
	}
	pos = p.pos()
	e.Cond = p.expression()
	for _, arg := range e.Cond.Args() {
		if arg != "$0" && arg != "$1" {
			p.fail(pos, "an assignment has a value $0 and a structure, to which $1 points, and no %s", arg)
		}
	}
	p.expect(")", " after the condition")
}

// ruleStates parses Name [ "[" Number "]" ] = ( event -> Name | … ) {, Name = … } .
func (p *parser) ruleStates(r *Rule) {
	for {
		p.mark(startMark)
		s := &RuleState{Pos: p.pos(), Name: p.name("the name of a state").text}
		p.markIf(p.tok().isPunct("["), behindMark)
		if p.accept("[") {
			s.Count = p.ruleNumber(MaxRuleCount)
			p.expect("]", " after the greatest number")
		}
		if s.Name == Done || slices.Contains(reserved, s.Name) {
			p.fail(s.Pos, "%s has a meaning of its own and cannot be defined", s.Name)
		}
		p.expect("=", " after the name of the state")
		p.ruleMoves(s)
		r.States = append(r.States, s)
		if !p.accept(",") {
			break
		}
	}
	p.mark(endMark)
	p.expect(".", " after the states")
}

// ruleMoves parses ( event -> Name | { event, event } -> Name ), or STOP.
func (p *parser) ruleMoves(s *RuleState) {
	if p.tok().isWord("STOP") {
		p.next()
		return
	}
	p.mark(wideMark)
	p.expect("(", " or STOP after =")
	for {
		pos := p.pos()
		var events []string
		if p.accept("{") {
			events = p.names("the name of an event")
			p.expect("}", " after the events")
		} else {
			events = []string{p.name("the name of an event").text}
		}
		p.expect("->", " after the event")
		m := RuleMove{Pos: pos, To: p.name("the name of a state").text}
		p.ruleChange(&m)
		for _, e := range events {
			m.Event = e
			s.Moves = append(s.Moves, m)
		}
		if !p.accept("|") {
			break
		}
	}
	p.expect(")", " or '|' after a branch")
}

// ruleChange parses [ "[" (+|-) Number "]" or Name ].
func (p *parser) ruleChange(m *RuleMove) {
	if !p.tok().isPunct("[") {
		return
	}
	p.mark(behindMark)
	p.next()
	sign := 1
	p.mark(prefixMark)
	if p.accept("-") {
		sign = -1
	} else {
		p.expect("+", " or '-' and what is added to the state's number")
	}
	m.Change = sign * p.ruleNumber(MaxRuleCount)
	p.expect("]", " after the change of the number")
	if !p.tok().isWord("or") {
		p.unexpected("or, and the state behind a number out of its range")
	}
	p.next()
	m.Or = p.name("the name of a state").text
}

// ruleNumber is a number up to most.
func (p *parser) ruleNumber(most int) int {
	pos := p.pos()
	if !p.is(tokNumber) {
		p.unexpected("a number")
	}
	n, err := strconv.Atoi(p.next().text)
	if err != nil || n > most {
		p.fail(pos, "expected a number up to %d", most)
	}
	return n
}

// checkRule reports names in a rule that nothing defines, and what is defined twice.
func (p *parser) checkRule(r *Rule) {
	if len(r.States) == 0 && len(r.Events) == 0 && len(r.Forbidden) > 0 {
		return
	}
	if len(r.States) == 0 {
		p.report(r.Pos, "the rule %s has no states", r.Name)
		return
	}
	if r.Begin == "" {
		r.Begin = r.States[0].Name
	}
	if r.State(r.Begin) == nil {
		p.report(r.Pos, "the rule %s begins in %s, which is no state of it", r.Name, r.Begin)
	}
	events := r.EventNames()
	for i, s := range r.States {
		if r.State(s.Name) != r.States[i] {
			p.report(s.Pos, "the state %s is defined twice", s.Name)
		}
		for k, m := range s.Moves {
			switch {
			case !slices.Contains(events, m.Event):
				p.report(m.Pos, "the rule %s has no event %s", r.Name, m.Event)
			case !r.isTarget(m.To):
				p.report(m.Pos, "the rule %s has no state %s", r.Name, m.To)
			case m.Or != "" && !r.isTarget(m.Or):
				p.report(m.Pos, "the rule %s has no state %s", r.Name, m.Or)
			case m.Or != "" && (s.Count == 0 || r.State(m.To) == nil || r.State(m.To).Count == 0):
				p.report(m.Pos, "%s and %s must both have a number for it to change", s.Name, m.To)
			case slices.ContainsFunc(s.Moves[:k], func(o RuleMove) bool { return o.Event == m.Event }):
				p.report(m.Pos, "behind %s the state %s goes two ways", m.Event, s.Name)
			}
		}
	}
}

// isTarget reports whether a move may lead to something of that name.
func (r *Rule) isTarget(name string) bool {
	return name == Done || name == Broken || r.State(name) != nil
}
