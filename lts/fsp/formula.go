package fsp

// The parser of assert and fluent, and of processes that are made of formulas (property.go).
//
//	fluent F[i:R] = <{a[i], b}, {c}> initially 1
//	assert A = forall [i:R] [](F[i] -> <> c)
//
// They are passed over when a file is read, and parsed when somebody asks about them: a file is read for its
// processes even if its formulas have what is not known here.
//
// In order, what binds most first: ! [] <> X forall exists, then U and W, then && , then ||, then ->, then
// <->. Where readers might differ, beside U and W and where || stands to the left of ->, parentheses are
// asked for.

import "cmp"

// A formulaDef is what stands behind assert, fluent, constraint or ltl_property.
type formulaDef struct {
	keyword string
	name    string
	at      int
	tokens  []token // behind the keyword

	parsed  bool
	indices []part
	body    *formula // of an assertion

	begins, ends label // of a fluent
	initially    *expr // nil: it does not hold at first
}

// A formula is an operator with operands.
type formula struct {
	op     string // or "actions", "name", "true", "false"
	at     int
	args   []*formula
	closed bool // in parentheses

	ranges  []part // of forall and exists
	actions label
	name    string // of a fluent or an assertion
	indices []part // a range stands for one of its values
}

// note keeps a definition that is passed over.
func (p *parser) note(keyword token, from int) {
	if keyword.text != "assert" && keyword.text != "fluent" && !isProcess(keyword.text) {
		return
	}
	tokens := append([]token{}, p.tokens[from:p.at]...)
	end := keyword.offset + len(keyword.text)
	if len(tokens) > 0 {
		end = tokens[len(tokens)-1].offset + len(tokens[len(tokens)-1].text)
	}
	d := &formulaDef{keyword: keyword.text, at: keyword.offset, tokens: append(tokens, token{kind: tokEOF, offset: end})}
	if d.tokens[0].kind == tokUpper {
		d.name, d.at = d.tokens[0].text, d.tokens[0].offset
	}
	p.formulas = append(p.formulas, d)
	if isProcess(d.keyword) && d.name != "" {
		if p.processes[d.name] != nil {
			p.src.fail(d.at, "%s is defined twice", d.name)
		}
		process := &definition{name: d.name, at: d.at, formula: d}
		p.processes[d.name], p.order = process, append(p.order, process)
	}
}

// parse reads the tokens of a definition.
func (d *formulaDef) parse(f *File) {
	if d.parsed {
		return
	}
	p := &parser{File: f, tokens: d.tokens}
	p.upper("the name of " + cmp.Or(map[string]string{"assert": "an assertion", "fluent": "a fluent"}[d.keyword],
		"a process") + ", which begins with a capital,")
	if p.is("(") {
		p.fail("parameters of assertions are not read")
	}
	for p.is("[") {
		d.indices = append(d.indices, p.index())
	}
	p.expect("=", "after the name "+d.name)
	if d.keyword != "fluent" {
		d.body = p.formula()
	} else {
		p.fluent(d)
	}
	if p.tok().kind != tokEOF {
		p.expected("the end of the " + cmp.Or(map[string]string{"fluent": "fluent"}[d.keyword], "formula"))
	}
	d.parsed = true
}

// fluent parses <BEGINS, ENDS> initially VALUE.
func (p *parser) fluent(d *formulaDef) {
	p.expect("<", "before the actions that begin a fluent")
	d.begins = p.label()
	p.expect(",", "before the actions that end a fluent")
	d.ends = p.label()
	p.expect(">", "after the actions that end a fluent")
	if p.tok().kind != tokLower || p.tok().text != "initially" {
		return
	}
	p.next()
	switch t := p.tok(); {
	case t.kind == tokUpper && (t.text == "True" || t.text == "False") && p.consts[t.text] == nil:
		p.next()
		d.initially = &expr{op: "number", at: t.offset}
		if t.text == "True" {
			d.initially.n = 1
		}
	default:
		d.initially = p.expression()
	}
}

func (p *parser) formula() *formula {
	left := p.implication()
	for p.is("<") && p.peek(1).text == "->" {
		p.next()
		at := p.next().offset
		left = p.both("<->", at, left, p.implication())
	}
	return left
}

func (p *parser) implication() *formula {
	left := p.disjunction()
	if !p.is("->") {
		return left
	}
	if left.op == "||" && !left.closed {
		p.fail("write parentheses around the formula with || before ->: readers differ in which comes first")
	}
	at := p.next().offset
	return p.both("->", at, left, p.implication())
}

func (p *parser) disjunction() *formula {
	left := p.conjunction()
	for p.is("||") || p.is("|") {
		at := p.next().offset
		left = p.both("||", at, left, p.conjunction())
	}
	return left
}

func (p *parser) conjunction() *formula {
	left := p.until()
	for p.is("&&") || p.is("&") {
		at := p.next().offset
		left = p.both("&&", at, left, p.until())
	}
	return left
}

func (p *parser) until() *formula {
	left := p.temporal()
	if t := p.tok(); t.kind == tokUpper && (t.text == "U" || t.text == "W") {
		p.next()
		left = &formula{op: t.text, at: t.offset, args: []*formula{left, p.temporal()}}
		if t := p.tok(); t.kind == tokUpper && (t.text == "U" || t.text == "W") {
			p.fail("write parentheses: a U b U c may mean two things")
		}
	}
	return left
}

// both is a formula with two operands, of which none is U or W without parentheses.
func (p *parser) both(op string, at int, l, r *formula) *formula {
	for _, f := range []*formula{l, r} {
		if (f.op == "U" || f.op == "W") && !f.closed {
			p.src.fail(f.at, "write parentheses around the formula with %s beside %s", f.op, op)
		}
	}
	return &formula{op: op, at: at, args: []*formula{l, r}}
}

func (p *parser) temporal() *formula {
	defer p.deeper()()
	f := &formula{at: p.tok().offset}
	of := func(op string) *formula {
		f.op, f.args = op, []*formula{p.temporal()}
		return f
	}
	t, after := p.tok(), p.peek(1)
	switch {
	case p.accept("!"):
		return of("!")
	case p.is("[") && after.text == "]":
		p.next()
		p.next()
		return of("[]")
	case p.is("<") && after.text == ">":
		p.next()
		p.next()
		return of("<>")
	case p.is("forall"), t.kind == tokLower && t.text == "exists" && after.text == "[":
		p.next()
		for len(f.ranges) == 0 || p.is("[") && p.peek(1).text != "]" {
			f.ranges = append(f.ranges, p.index())
		}
		return of(t.text)
	case p.accept("("):
		f = p.formula()
		p.expect(")", "after a formula")
		f.closed = true
		return f
	case t.kind == tokUpper && !p.isSet() && t.text == "X":
		p.next()
		return of("X")
	case t.kind == tokUpper && !p.isSet():
		f.op, f.name = "name", p.next().text
		for p.is("[") && p.peek(1).text != "]" {
			f.indices = append(f.indices, p.index())
		}
		return f
	case p.isLabel() && !p.is("["):
		f.op, f.actions = "actions", p.label()
		return f
	}
	p.expected("a formula")
	return nil
}
