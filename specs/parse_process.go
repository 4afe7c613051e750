package specs

import (
	"path/filepath"
	"slices"
	"strconv"
)

// Processes.

// reserved words are neither names of processes nor of actions.
var reserved = []string{"STOP", "ERROR", "return", tau}

func (p *parser) process() {
	proc := &process{}
	p.markIf(p.tok().isPunct("||"), prefixMark)
	proc.composite = p.accept("||")
	p.beginProcess()
	for {
		p.markIf(!proc.composite || len(proc.defs) > 0, startMark)
		proc.defs = append(proc.defs, p.definition(proc))
		if !p.accept(",") {
			break
		}
	}
	p.mark(endMark)
	if !p.accept(".") {
		p.missing("'.' at the end of the process " + proc.name() + ", or ',' before another definition")
	}
	proc.index()
	p.file.order = append(p.file.order, proc)
	p.file.items = append(p.file.items, proc)
}

func (p *parser) definition(proc *process) *def {
	d := &def{proc: proc, pos: p.pos()}
	if !p.is(tokIdent) {
		p.unexpected("the name of a process, procedure or program")
	}
	p.noteDefinition(len(proc.defs) == 0)
	name := p.next()
	d.name = name.text
	if slices.Contains(reserved, d.name) {
		p.fail(d.pos, "%s has a meaning of its own and cannot be defined", d.name)
	}
	if hint := name.misspelt("procedure", "program"); hint != "" && p.is(tokIdent) {
		p.fail(d.pos, "expected procedure, program or the definition of a process, found %s%s", d.name, hint)
	}
	p.expect("=", " after the name "+d.name)
	p.mark(bodyMark)
	d.body = p.body()
	for {
		o := operator{pos: p.pos()}
		switch {
		case p.accept("+"):
			o.sign, o.labels = '+', p.operands()
		case p.accept(`\`):
			o.sign, o.labels = '\\', p.operands()
		case p.accept("@"):
			o.sign, o.labels = '@', p.operands()
		case p.accept("/"):
			p.mark(wideMark)
			o.sign, o.pairs = '/', p.renamings()
		default:
			return d
		}
		d.ops = append(d.ops, o)
	}
}

// operands parses the actions that an operator is about.
func (p *parser) operands() []label {
	p.mark(wideMark)
	return p.labels(false)
}

func (p *parser) body() body {
	pos, t := p.pos(), p.tok()
	p.mayStand(MentionProcess)
	switch {
	case t.isWord("import") && p.peek(1).kind == tokString:
		return p.importBody()
	case t.kind == tokIdent && p.peek(1).kind == tokString:
		p.fail(pos, "expected import before the name of a file, found %s", t.text)
	case t.kind == tokIdent:
		b := p.target()
		if p.tok().isPunct("->") {
			p.fail(pos, "branches stand in parentheses: ( %s -> … )", t.text)
		}
		return b
	case t.isPunct("("):
		p.mark(wideMark)
		p.next()
		if after := p.peek(1); p.is(tokIdent) && (after.isPunct("||") || after.isPunct(")")) {
			return p.parallel(pos)
		}
		return p.choice(pos)
	}
	p.unexpected("STOP, ERROR, the name of a process or '(' after =")
	panic("not reached")
}

// target parses STOP, ERROR or a name.
func (p *parser) target() body {
	pos, t := p.pos(), p.tok()
	if !slices.Contains(reserved, t.text) {
		p.note(MentionProcess, false)
	}
	p.next()
	switch t.text {
	case "STOP":
		return body{kind: bodyStop, pos: pos}
	case "ERROR":
		return body{kind: bodyError, pos: pos}
	case "return", tau:
		p.fail(pos, "%s is an action: it stands in parentheses and before ->", t.text)
	}
	return body{kind: bodyName, name: t.text, pos: pos}
}

func (p *parser) parallel(pos Pos) body {
	b := body{kind: bodyParallel, pos: pos}
	for {
		r := ref{pos: p.pos(), name: p.named(MentionProcess, "the name of a process").text}
		if slices.Contains(reserved, r.name) {
			p.fail(r.pos, "%s cannot be composed: only named processes can", r.name)
		}
		b.operands = append(b.operands, r)
		if !p.accept("||") {
			break
		}
	}
	p.expect(")", " or '||' in the parallel composition")
	return b
}

// choice parses branches, behind their opening parenthesis.
func (p *parser) choice(pos Pos) body {
	defer p.deeper()()
	b := body{kind: bodyChoice, pos: pos}
	for {
		b.branches = append(b.branches, p.branch())
		if !p.accept("|") {
			break
		}
	}
	p.expect(")", " or '|' after a branch")
	return b
}

func (p *parser) branch() branch {
	var br branch
	for {
		s := p.step()
		br.steps = append(br.steps, s)
		if !p.accept("->") {
			p.afterStep(s)
		}
		switch t, after := p.tok(), p.peek(1); {
		case p.atCursor():
			p.mayStand(MentionAction, MentionProcess)
			p.fail(p.pos(), "an action or a process")
		case t.isPunct("("):
			pos := p.pos()
			p.mark(wideMark)
			p.next()
			br.to = p.choice(pos)
			return br
		case t.isWord("STOP") || t.isWord("ERROR"):
			br.to = p.target()
			if p.tok().isPunct("->") {
				p.fail(br.to.pos, "%s is a state, not an action: nothing comes after it", t.text)
			}
			return br
		case t.kind == tokIdent && t.text != "return" && t.text != tau && !after.isPunct("->") &&
			!after.isPunct(".") && !after.isPunct(":") && !after.isPunct("("):
			p.returnMisspelt(t, after)
			br.to = p.target()
			return br
		}
	}
}

// returnMisspelt fails at a name before a condition, if it is nearly return.
func (p *actions) returnMisspelt(name, after token) {
	if hint := name.misspelt("return"); hint != "" && after.isPunct("{") {
		p.fail(p.src.pos(name.offset), "only return has a condition in braces, and this is %s%s", name.text, hint)
	}
}

// afterStep fails where -> is missing.
func (p *parser) afterStep(s step) {
	what := s.labels[len(s.labels)-1].name
	if s.set {
		what = "the set"
	}
	t := p.tok()
	hint := ""
	switch {
	case t.isPunct(")") || t.isPunct("|"):
		hint = ": a branch ends in a process, for example in -> STOP"
	case t.isPunct("[") || t.isPunct(":"):
		hint = ": actions have no indices or labels here; write a.b"
	}
	p.missing("'->' after " + what + hint)
}

// step parses an action or a set of actions.
func (p *parser) step() step {
	pos := p.pos()
	if !p.tok().isPunct("{") {
		return step{labels: []label{p.label(true)}}
	}
	s := step{labels: p.labels(true), set: true}
	if len(s.labels) == 0 {
		p.fail(pos, "no action to take: a set before -> names at least one")
	}
	return s
}

// labels parses { action, … }.
func (p *actions) labels(tauToo bool) []label {
	p.expect("{", " before the actions")
	if p.is(tokIdent) && p.peek(1).isPunct("=") {
		p.fail(p.pos(),
			"assignment actions, as {%s = [3]}, are not read: assigns %s; in the routine's block says that it writes %s",
			p.tok().text, p.tok().text, p.tok().text)
	}
	labels := []label{}
	if p.accept("}") {
		return labels
	}
	for {
		labels = append(labels, p.label(tauToo))
		if !p.accept(",") {
			break
		}
	}
	p.expect("}", " or ',' after an action")
	return labels
}

// label parses one action.
func (p *actions) label(tauToo bool) label {
	l := label{pos: p.pos()}
	p.mayStand(MentionAction)
	t := p.name("an action")
	p.returnMisspelt(t, p.tok())
	switch {
	case t.text == "return":
		return p.returnAction(l.pos, "")
	case p.tok().isPunct(":") && p.peek(1).isWord("return"):
		p.noteFrom(l.pos, MentionProcedure, t.text)
		p.mark(prefixMark)
		p.next()
		p.next()
		return p.returnAction(l.pos, t.text)
	case t.text == tau && !tauToo:
		p.fail(l.pos, "tau belongs to no alphabet: it is unobservable already")
	case t.text == "STOP" || t.text == "ERROR":
		p.fail(l.pos, "%s is a state, not an action", t.text)
	}
	l.name = t.text
	for p.tok().isPunct(".") {
		p.next()
		p.mayStand(MentionAction)
		part := p.name("the rest of the action's name after the point")
		if t.text == tau || slices.Contains(reserved, part.text) {
			p.fail(l.pos, "%s cannot be part of an action's name", reservedOf(t.text, part.text))
		}
		l.name += "." + part.text
	}
	if l.name != tau {
		p.noteFrom(l.pos, MentionAction, l.name)
	}
	if l.name != tau && p.tok().isPunct("(") {
		return p.messageAction(l)
	}
	return l
}

func reservedOf(a, b string) string {
	if slices.Contains(reserved, a) {
		return a
	}
	return b
}

// returnAction parses what follows return.
func (p *actions) returnAction(pos Pos, component string) label {
	r := &ReturnAction{Component: component, Pos: pos}
	if slices.Contains(reserved, component) {
		p.fail(pos, "%s is not the name of a component", component)
	}
	switch {
	case p.endsReturn():
		r.Void = true
	case p.tok().isPunct("{") && p.peek(1).isPunct("}"):
		p.next()
		p.next()
		r.Void = true
	default:
		p.expect("{", " after return: return alone is the return of anything, return {$0 == 0} of the value 0")
		p.aboutReturned(true)
		r.Cond = p.returnCondition()
		p.aboutReturned(false)
		p.expect("}", " after the condition on the returned value")
	}
	l := label{name: r.Name(), ret: r, pos: pos}
	p.file.addReturn(*r)
	return l
}

// endsReturn reports whether what is next follows an action, so that return stands alone.
func (p *reader) endsReturn() bool {
	t := p.tok()
	return t.kind == tokPunct && slices.Contains([]string{"->", ",", "}", ")", "|"}, t.text)
}

// returnCondition parses a condition on $0 and what the procedure was called with. One that mentions neither
// cannot tell returns apart; true is for who wants to say that.
func (p *actions) returnCondition() *CExpr {
	pos := p.pos()
	c := p.expression()
	if len(c.Args()) > 0 || c.kind == exprName && c.text == "true" {
		return c
	}
	if c.kind == exprBinary && slices.Contains([]string{"==", "!=", "<", "<=", ">", ">=", "&&", "||"}, c.text) {
		p.fail(pos, "%s says nothing about the returned value, which is $0, or an argument: return {$0 == 0} "+
			"returns 0, and return anything", c)
		return nil
	}
	p.fail(pos, "this is no condition on the returned value $0: to mean the value %s write return {$0 "+
		"== %s}, and any value, return {true}", c, c)
	return nil
}

// addReturn makes r known under its name, unless it is already.
func (f *File) addReturn(r ReturnAction) {
	if _, known := f.returns[r.Name()]; !known && f.returns != nil {
		f.returns[r.Name()] = r
	}
}

// renamings parses { new/old, … }.
func (p *parser) renamings() []pair {
	p.expect("{", " before the renamings")
	pairs := []pair{}
	for {
		n := p.plainLabel()
		p.mark(behindMark | prefixMark)
		p.expect("/", ": a renaming is written new/old")
		pairs = append(pairs, pair{n, p.plainLabel()})
		if !p.accept(",") {
			break
		}
	}
	p.expect("}", " or ',' after a renaming")
	return pairs
}

func (p *actions) plainLabel() label {
	l := p.label(false)
	if l.ret != nil {
		p.fail(l.pos, "return actions cannot be renamed")
	}
	if l.msg != nil {
		p.fail(l.pos, "an action that says what it carries cannot be renamed")
	}
	return l
}

// importBody parses import "file" and reads the file.
func (p *parser) importBody() body {
	p.next()
	b := body{kind: bodyImport, pos: p.pos()}
	path, err := strconv.Unquote(p.tok().text)
	if err != nil {
		p.fail(b.pos, "%s is not a string that names a file", p.tok().text)
	}
	b.name = p.next().text
	if p.notes != nil {
		return b
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(p.src.name), path)
	}
	if p.readFile == nil {
		p.fail(b.pos, "nothing can be imported here")
	}
	text, err := p.readFile(path)
	if err != nil {
		p.fail(b.pos, "cannot import: %v", err)
	}
	if b.imported, err = p.readAut(path, text, b.pos); err != nil {
		p.fail(b.pos, "cannot import: %v", err)
	}
	return b
}
