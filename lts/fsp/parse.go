package fsp

import (
	"fmt"
	"strconv"
	"strings"
)

// The parser: recursive descent, a function for each rule. The first mistake ends it. Which names are those
// of sets and ranges is found out first, since the text does not tell a set from a process. Cost: linear.

// maxNesting bounds what is nested, so that no input exhausts the stack.
const maxNesting = 500

type parser struct {
	*File
	tokens  []token // invariant: the last one is tokEOF
	at      int
	nesting int
}

// Parse reads a text. The error, if not nil, is an *Error.
func Parse(name string, text []byte) (f *File, err error) {
	defer caught(&err)
	f = &File{src: &source{name, strings.TrimPrefix(string(text), "\uFEFF")}, consts: map[string]*constant{},
		ranges: map[string]*rangeDef{}, sets: map[string]*setDef{}, processes: map[string]*definition{}}
	p := &parser{File: f, tokens: scan(f.src)}
	p.declare()
	for p.tok().kind != tokEOF {
		p.item()
	}
	return f, nil
}

// declare notes the names of sets and ranges.
func (p *parser) declare() {
	for i := 0; i+2 < len(p.tokens); i++ {
		word, name := p.tokens[i], p.tokens[i+1]
		if word.kind != tokWord || name.kind != tokUpper || p.tokens[i+2].text != "=" {
			continue
		}
		switch word.text {
		case "set":
			p.sets[name.text] = nil
		case "range":
			p.ranges[name.text] = nil
		}
	}
}

func (p *parser) tok() token { return p.tokens[p.at] }

func (p *parser) peek(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) next() token {
	t := p.tok()
	if p.at < len(p.tokens)-1 {
		p.at++
	}
	return t
}

// is says whether the punctuation or the reserved word is next.
func (p *parser) is(text string) bool {
	t := p.tok()
	return t.text == text && (t.kind == tokPunct || t.kind == tokWord)
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.next()
		return true
	}
	return false
}

func (p *parser) fail(format string, args ...any) { p.src.fail(p.tok().offset, format, args...) }

func (p *parser) expected(what string) {
	found := "the end of the file"
	if t := p.tok(); t.kind != tokEOF {
		found = t.text
	}
	p.fail("expected %s, found %s", what, found)
}

func (p *parser) expect(text, where string) {
	if !p.accept(text) {
		p.expected(fmt.Sprintf("'%s' %s", text, where))
	}
}

func (p *parser) upper(what string) token {
	if p.tok().kind != tokUpper {
		p.expected(what)
	}
	return p.next()
}

// deeper counts what is nested; call the result at the end.
func (p *parser) deeper() func() {
	if p.nesting++; p.nesting > maxNesting {
		p.fail("nested more than %d deep", maxNesting)
	}
	return func() { p.nesting-- }
}

// item parses one definition.
func (p *parser) item() {
	switch t := p.tok(); {
	case t.kind == tokUpper || p.is("||"), t.kind == tokWord && isQualifier(t.text):
		p.process()
	case t.kind != tokWord:
		p.expected("a definition")
	case t.text == "const":
		p.next()
		name := p.newName("a constant", func(n string) bool { return p.consts[n] != nil })
		p.consts[name.text] = &constant{name.offset, p.binary(0)}
	case t.text == "range":
		p.next()
		name := p.newName("a range", func(n string) bool { return p.ranges[n] != nil })
		lo := p.binary(0)
		p.expect("..", "between the bounds of a range")
		p.ranges[name.text] = &rangeDef{name.offset, lo, p.binary(0)}
	case t.text == "set":
		p.next()
		name := p.newName("a set", func(n string) bool { return p.sets[n] != nil })
		p.sets[name.text] = &setDef{name.offset, p.setExpr()}
	case t.text == "progress":
		p.progressItem()
	case t.text == "menu":
		p.next()
		p.newName("a menu", func(string) bool { return false })
		p.label()
	case t.text == "assert" || t.text == "fluent" || t.text == "constraint" || t.text == "ltl_property" ||
		t.text == "animation":
		p.skip()
	case t.text == "import":
		p.fail("imports are not read: give the file itself, with magus lts compose to put it beside others")
	default:
		p.expected("a definition")
	}
}

func isQualifier(word string) bool {
	return word == "property" || word == "minimal" || word == "deterministic" || word == "compose"
}

// newName parses NAME = of something that is not yet defined.
func (p *parser) newName(what string, defined func(string) bool) token {
	name := p.upper("the name of " + what + ", which begins with a capital,")
	if defined(name.text) {
		p.src.fail(name.offset, "%s is defined twice", name.text)
	}
	p.expect("=", "after the name "+name.text)
	return name
}

// skip passes over a definition of what LTSs do not have, up to the next one.
func (p *parser) skip() {
	t := p.next()
	from := p.at
	defer func() { p.note(t, from) }()
	for depth := 0; p.tok().kind != tokEOF; p.next() {
		t, after := p.tok(), p.peek(1)
		switch {
		case t.text == "(" || t.text == "{" || t.text == "[":
			depth++
		case t.text == ")" || t.text == "}" || t.text == "]":
			depth--
		}
		word := t.kind == tokWord && t.text != "forall" && t.text != "if" && t.text != "then" &&
			t.text != "else" && t.text != "when"
		if depth <= 0 && (word || t.text == "||" && after.kind == tokUpper && p.defines(1) ||
			t.kind == tokUpper && p.defines(0)) {
			if before := p.tokens[p.at-1]; before.kind != tokWord { // the name of what is passed over
				return
			}
		}
	}
}

// defines says whether the name at n is the beginning of a definition: = or (NAME = is next.
func (p *parser) defines(n int) bool {
	a, b, c := p.peek(n+1), p.peek(n+2), p.peek(n+3)
	return a.text == "=" || a.text == "(" && b.kind == tokUpper && c.text == "="
}

func (p *parser) progressItem() {
	p.next()
	name := p.upper("the name of a progress property, which begins with a capital,")
	d := &progressDef{name: name.text, at: name.offset}
	for p.is("[") {
		d.indices = append(d.indices, p.index())
	}
	p.expect("=", "after the name "+name.text)
	if p.accept("if") {
		d.given = p.label()
		p.expect("then", "after the condition of a progress property")
	}
	d.actions = p.label()
	p.progress = append(p.progress, d)
}

// process parses a definition of a process, with what stands before it.
func (p *parser) process() {
	d := &definition{}
	for p.tok().kind == tokWord {
		switch p.next().text {
		case "property":
			d.property = true
		case "minimal":
			d.minimal = true
		case "deterministic":
			d.deterministic = true
		case "compose":
			d.composed = true
		default:
			p.at--
			p.expected("the name of a process")
		}
	}
	composed := p.accept("||")
	name := p.upper("the name of a process, which begins with a capital,")
	d.name, d.at = name.text, name.offset
	if p.processes[d.name] != nil {
		p.src.fail(d.at, "%s is defined twice", d.name)
	}
	if isState(d.name) {
		p.src.fail(d.at, "%s has a meaning of its own and cannot be defined", d.name)
	}
	p.params(d)
	if composed {
		p.expect("=", "after "+d.name)
		p.composition(d)
	} else {
		p.primitive(d)
	}
	if p.is(`\`) || p.is("@") {
		d.expose = p.next().text == "@"
		d.hidden = p.setName()
	}
	p.expect(".", "at the end of the process "+d.name)
	p.processes[d.name] = d
	p.order = append(p.order, d)
}

func isState(name string) bool { return name == "STOP" || name == "END" || name == "ERROR" }

func (p *parser) params(d *definition) {
	if !p.accept("(") {
		return
	}
	for {
		name := p.upper("the name of a parameter, which begins with a capital,")
		p.expect("=", "after the parameter "+name.text+": it has a value if nothing else is said")
		d.params = append(d.params, param{name.text, p.expression()})
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", "after the parameters")
}

// primitive parses the local processes and what is done to all of them.
func (p *parser) primitive(d *definition) {
	first := local{name: d.name, at: d.at}
	for {
		if p.is("@") {
			p.fail("accepting states are not read")
		}
		for p.is("[") || p.is(".") && p.peek(1).text == "[" {
			p.accept(".")
			first.indices = append(first.indices, p.index())
		}
		p.expect("=", "after "+first.name)
		first.body = p.body()
		d.locals = append(d.locals, first)
		if !p.accept(",") {
			break
		}
		name := p.upper("the name of a local process")
		if isState(name.text) {
			p.src.fail(name.offset, "%s has a meaning of its own and cannot be defined", name.text)
		}
		first = local{name: name.text, at: name.offset}
	}
	if p.accept("+") {
		d.extra = p.setName()
	}
	d.relabels = p.relabelling()
}

func (p *parser) body() *body {
	defer p.deeper()()
	b := &body{at: p.tok().offset}
	switch {
	case p.tok().kind == tokUpper:
		p.target(b)
	case p.accept("if"):
		b.kind, b.cond = bodyIf, p.expression()
		p.expect("then", "after the condition")
		b.then = p.body()
		if p.accept("else") {
			b.otherwise = p.body()
		}
	case p.accept("("):
		b.choices = append(b.choices, p.choice())
		for p.accept("|") {
			b.choices = append(b.choices, p.choice())
		}
		p.expect(")", "or '|' after a choice")
	default:
		p.expected("a process, 'if' or '('")
	}
	return b
}

// target parses P(…); Q; NAME[…].
func (p *parser) target(b *body) {
	b.kind = bodyRef
	for {
		name := p.upper("the name of a process")
		if !p.is(";") && !p.is("(") {
			b.name, b.at = name.text, name.offset
			break
		}
		ref := procRef{name: name.text, at: name.offset}
		ref.args = p.arguments()
		p.expect(";", "after "+name.text+": a process within another one is gone on from by ';'")
		b.seq = append(b.seq, ref)
	}
	for p.accept("[") {
		b.indices = append(b.indices, p.expression())
		p.expect("]", "after an index")
	}
}

func (p *parser) arguments() (args []*expr) {
	if !p.accept("(") {
		return nil
	}
	for {
		args = append(args, p.expression())
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", "after the arguments")
	return args
}

func (p *parser) choice() choice {
	var c choice
	if p.accept("when") {
		c.guard = p.expression()
	}
	for {
		c.labels = append(c.labels, p.label())
		p.expect("->", "after an action")
		if !p.isLabel() {
			break
		}
	}
	c.to = p.body()
	return c
}

// isLabel says whether a label is next: a name with a small letter, a set, or an index.
func (p *parser) isLabel() bool { return p.tok().kind == tokLower || p.is("[") || p.isSet() }

func (p *parser) isSet() bool {
	_, known := p.sets[p.tok().text]
	return p.is("{") || p.tok().kind == tokUpper && known
}

func (p *parser) label() (l label) {
	for {
		switch t := p.tok(); {
		case t.kind == tokLower:
			l = append(l, part{kind: partName, at: t.offset, name: p.next().text})
		case t.kind == tokNumber && len(l) > 0: // as messages write indices
			l = append(l, part{kind: partName, at: t.offset, name: p.next().text})
		case p.is("["):
			l = append(l, p.index())
		case p.isSet():
			l = append(l, part{kind: partSet, at: t.offset, set: p.setExpr()})
		case p.is("tau"):
			p.fail("tau is what cannot be seen; no action has that name")
		case t.kind == tokUpper:
			p.fail("expected an action; %s is no set, and actions begin with a small letter", t.text)
		default:
			p.expected("an action, a set of actions or an index")
		}
		if !p.accept(".") {
			if !p.is("[") {
				return l
			}
		}
	}
}

// setExpr parses a set and what is taken out of it.
func (p *parser) setExpr() *labelSet {
	s := p.setName()
	if p.is(`\`) {
		p.next()
		copied := *s
		copied.minus = p.setName()
		s = &copied
	}
	return s
}

// setName parses { … } or the name of a set.
func (p *parser) setName() *labelSet {
	defer p.deeper()()
	s := &labelSet{at: p.tok().offset}
	if p.tok().kind == tokUpper {
		if !p.isSet() {
			p.fail("there is no set %s", p.tok().text)
		}
		s.name = p.next().text
		return s
	}
	p.expect("{", "or the name of a set")
	if p.accept("}") {
		return s
	}
	for {
		s.elems = append(s.elems, p.label())
		if !p.accept(",") {
			break
		}
	}
	p.expect("}", "or ',' after an action")
	return s
}

// index parses [e], [lo..hi], [RANGE], [SET], or one of these with a variable.
func (p *parser) index() part {
	defer p.deeper()()
	x := part{kind: partIndex, at: p.tok().offset}
	p.expect("[", "before an index")
	if p.tok().kind == tokLower && p.peek(1).text == ":" {
		x.variable = p.next().text
		p.next()
	}
	_, isRange := p.ranges[p.tok().text]
	switch {
	case p.isSet():
		x.set = p.setExpr()
	case p.tok().kind == tokUpper && isRange && p.peek(1).text == "]":
		x.rangeOf = p.next().text
	default:
		x.lo = p.expression()
		if p.accept("..") {
			x.hi = p.expression()
		} else if x.variable != "" {
			p.expected("'..' between the bounds of " + x.variable)
		}
	}
	p.expect("]", "after an index")
	return x
}

func (p *parser) relabelling() []relabel {
	if !p.accept("/") {
		return nil
	}
	return p.relabelSet()
}

func (p *parser) relabelSet() (all []relabel) {
	defer p.deeper()()
	p.expect("{", "before the new names")
	for {
		r := relabel{at: p.tok().offset}
		if p.accept("forall") {
			r.ranges = p.indices()
			r.all = p.relabelSet()
		} else {
			r.new = p.label()
			p.expect("/", "between the new name and the old one")
			r.old = p.label()
		}
		all = append(all, r)
		if !p.accept(",") {
			break
		}
	}
	p.expect("}", "or ',' after a new name")
	return all
}

// indices parses one index or several.
func (p *parser) indices() (all []part) {
	for len(all) == 0 || p.is("[") {
		all = append(all, p.index())
	}
	return all
}

// composition parses what is composed and what is done to it.
func (p *parser) composition(d *definition) {
	d.body = p.composite()
	if p.is("<<") || p.is(">>") {
		d.low = p.next().text == ">>"
		d.priority = p.setName()
	}
}

func (p *parser) composite() *composite {
	defer p.deeper()()
	c := &composite{at: p.tok().offset}
	switch {
	case p.accept("if"):
		c.kind, c.cond = compositeIf, p.expression()
		p.expect("then", "after the condition")
		c.then = p.composite()
		if p.accept("else") {
			c.otherwise = p.composite()
		}
		return c
	case p.accept("forall"):
		c.kind, c.ranges = compositeForall, p.indices()
		c.then = p.composite()
		return c
	}
	p.prefixes(c)
	if p.accept("(") {
		for !p.is(")") {
			c.parts = append(c.parts, p.composite())
			if !p.accept("||") {
				break
			}
		}
		p.expect(")", "or '||' in the composition")
	} else {
		c.kind = compositeRef
		name := p.upper("the name of a process or '('")
		c.ref = procRef{name: name.text, at: name.offset, args: p.arguments()}
	}
	c.relabels = p.relabelling()
	return c
}

// prefixes parses a: or {a, b}:: or both before a process.
func (p *parser) prefixes(c *composite) {
	if !p.isLabel() {
		return
	}
	l := p.label()
	if p.accept(":") {
		c.prefix = l
		return
	}
	p.expect("::", "or ':' after a label before a process")
	c.access = l
	if p.isLabel() {
		c.prefix = p.label()
		p.expect(":", "after a label before a process")
	}
}

// Expressions.

// levels are the binary operators, those that bind least first.
var levels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="},
	{"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

// additive is the level of what constants and bounds of named ranges may be: + and what binds more.
const additive = 8

func (p *parser) expression() *expr { return p.level(0) }

// binary parses a simple expression, which does not compare.
func (p *parser) binary(int) *expr { return p.level(additive) }

func (p *parser) level(n int) *expr {
	if n == len(levels) {
		return p.unary()
	}
	e := p.level(n + 1)
	for p.tok().kind == tokPunct {
		op := p.tok()
		found := false
		for _, o := range levels[n] {
			found = found || o == op.text
		}
		if !found {
			break
		}
		p.next()
		e = &expr{op: op.text, at: op.offset, args: []*expr{e, p.level(n + 1)}}
	}
	return e
}

func (p *parser) unary() *expr {
	defer p.deeper()()
	t := p.tok()
	switch {
	case p.accept("!"), p.accept("-"), p.accept("+"):
		return &expr{op: "unary " + t.text, at: t.offset, args: []*expr{p.unary()}}
	case p.accept("("):
		e := p.expression()
		p.expect(")", "after an expression")
		return e
	case p.accept("'"):
		return &expr{op: "label", at: t.offset, lab: p.label()}
	case p.accept("#"):
		return &expr{op: "count", at: t.offset, set: p.setExpr()}
	case p.accept("@"):
		p.expect("(", "after @ in an expression")
		e := &expr{op: "select", at: t.offset, set: p.setExpr()}
		p.expect(",", "before the number of an element")
		e.args = []*expr{p.expression()}
		p.expect(")", "after the number of an element")
		return e
	case t.kind == tokNumber:
		p.next()
		n, err := strconv.ParseInt(t.text, 10, 32)
		if err != nil {
			p.src.fail(t.offset, "%s is too large", t.text)
		}
		return &expr{op: "number", at: t.offset, n: n}
	case t.kind == tokLower || t.kind == tokUpper:
		p.next()
		return &expr{op: "name", at: t.offset, name: t.text}
	}
	p.expected("an expression")
	return nil
}
