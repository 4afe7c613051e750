package specs

import (
	"fmt"
	"slices"
	"strconv"
)

// Files, procedures and programs.

// parseFile reads all items of the source into p.file.
func (p *parser) parseFile() {
	if len(p.errs) > 0 && len(p.tokens) == 1 {
		return
	}
	if p.is(tokEOF) {
		p.report(p.pos(), "%v", errEmpty)
		return
	}
	for !p.is(tokEOF) && !p.enough() {
		start := p.at
		p.scope("")
		p.mark(startMark)
		if !p.guarded(p.item) {
			p.skipToItem(start)
		}
	}
}

var procedureWords, programWords = []string{"cproc", "procedure"}, []string{"cprog", "program"}

// startsWith reports whether the nth token ahead is one of the words, as a
// keyword: a name follows it.
func (p *reader) startsWith(n int, words []string) bool {
	t := p.peek(n)
	return t.kind == tokIdent && slices.Contains(words, t.text) && p.peek(n+1).kind == tokIdent
}

// startsItem reports whether a procedure, a program or a rule is next.
func (p *reader) startsItem() bool {
	return p.startsWith(0, procedureWords) || p.startsWith(0, programWords) || p.startsWith(0, ruleWords) ||
		p.startsWith(0, livenessWords)
}

func (p *parser) item() {
	switch {
	case p.startsWith(0, procedureWords):
		p.procedure()
	case p.startsWith(0, programWords):
		p.program()
	case p.startsWith(0, ruleWords):
		p.rule()
	case p.startsWith(0, livenessWords):
		p.liveness()
	default:
		p.process()
	}
}

// skipToItem leaves an item with an error, begun at start, for the next one:
// a keyword, or a name and =, at the start of a line or behind a full stop.
func (p *reader) skipToItem(start int) {
	if p.at == start {
		p.next()
	}
	for ; !p.is(tokEOF); p.next() {
		before := p.tokens[p.at-1]
		if !p.tok().lineStart && !before.isPunct(".") && !before.isPunct("}") {
			continue
		}
		if p.startsItem() {
			return
		}
		n := 0
		if p.tok().isPunct("||") {
			n = 1
		}
		if p.peek(n).kind == tokIdent && p.peek(n+1).isPunct("=") && !before.isPunct(",") {
			return
		}
	}
}

// skipToStatement leaves a statement with an error: behind its semicolon, or
// where the block or the item ends.
func (p *reader) skipToStatement() {
	depth := 0
	for ; !p.is(tokEOF); p.next() {
		t := p.tok()
		if t.lineStart && p.startsItem() {
			return
		}
		switch {
		case t.isPunct(";"):
			p.next()
			return
		case t.isPunct("{"):
			depth++
		case t.isPunct("}") && depth == 0 && !p.peek(1).isPunct(";"):
			return
		case t.isPunct("}"):
			depth = max(0, depth-1)
		}
	}
}

// named takes a name that stands for something defined elsewhere.
func (p *reader) named(kind MentionKind, what string) token {
	if p.is(tokIdent) {
		p.note(kind, false)
	}
	return p.name(what)
}

// name takes a name.
func (p *reader) name(what string) token {
	if !p.is(tokIdent) {
		p.unexpected(what)
	}
	return p.next()
}

// statements parses { one … }, going on behind a statement with an error.
func (p *parser) statements(head string, one func()) {
	p.mark(blockMark)
	p.expect("{", " after "+head)
	for !p.tok().isPunct("}") {
		p.mark(startMark)
		if p.is(tokEOF) {
			p.unexpected("'}' at the end of " + head)
		}
		if start := p.at; !p.guarded(one) {
			if p.enough() {
				panic(bail{})
			}
			p.skipToStatement()
			if t := p.tok(); t.kind == tokEOF || p.at == start || t.lineStart && !t.isPunct("}") && p.startsItem() {
				panic(bail{})
			}
		}
	}
	p.next()
}

func (p *parser) procedure() {
	p.next()
	proc := &Procedure{Pos: p.pos(), Name: p.procedureName()}
	p.scope(proc.Name)
	p.file.Procedures = append(p.file.Procedures, proc)
	p.file.items = append(p.file.items, proc)
	p.statements("procedure "+proc.Name, func() { p.procedureStatement(proc) })
}

// procedureName is the name of a function, or of a member of a structure that points to one: ops.lock.
func (p *parser) procedureName() string {
	p.note(MentionProcedure, false)
	name := p.next().text
	if p.accept(".") {
		name += "." + p.name("the name of a member after the point").text
	}
	return name
}

func (p *parser) procedureStatement(proc *Procedure) {
	pos := p.pos()
	p.mayStand(MentionStatement)
	switch t := p.tok(); {
	case t.isWord("abstract"):
		p.next()
		p.abstract(proc, pos)
	case t.isWord("predicate"):
		p.next()
		p.predicates(proc)
	case t.isWord("assigns"):
		p.next()
		p.assigns(proc, pos)
	case t.isWord("skip"):
		p.next()
		proc.Skip = true
	case t.isWord("inline"):
		p.next()
		proc.Inline = true
	case t.isWord(relationWord):
		proc.Relation = p.relation(proc.Relation)
	case p.atDemand():
		proc.Demands = append(proc.Demands, p.demand())
	default:
		p.unexpectedWord("abstract, predicate, assigns, skip, inline, relation, progress, assert or '}'", "abstract",
			"predicate", "assigns", "skip", "inline", relationWord, progressWord, assertWord)
	}
	if proc.Skip && proc.Inline {
		p.report(pos, "skip and inline contradict each other")
		proc.Skip = false
	}
	p.expect(";", " at the end of the statement")
}

// abstract parses { [Name ,] guard , Lts }. A name and a guard that is a name
// look alike; three parts have a name.
func (p *parser) abstract(proc *Procedure, pos Pos) {
	a := &Abstract{Pos: pos}
	p.mark(wideMark)
	p.expect("{", " after abstract")
	if p.is(tokIdent) && p.peek(1).isPunct(",") && !(p.peek(2).kind == tokIdent && p.peek(3).isPunct("}")) {
		p.note(MentionClaim, true)
		a.Name = p.next().text
		p.next()
	}
	a.Guard = p.guard()
	p.expect(",", " and the name of an LTS after the guard")
	a.ltsPos = p.pos()
	a.LTS = p.named(MentionProcess, "the name of an LTS after the guard").text
	p.expect("}", " after the name of the LTS")
	proc.Abstracts = append(proc.Abstracts, a)
	p.use(a.LTS, a.ltsPos)
}

// use notes that an abstract or a specification names an LTS.
func (p *parser) use(name string, pos Pos) {
	if _, ok := p.file.uses[name]; !ok {
		p.file.uses[name] = pos
	}
}

func (p *parser) guard() *CExpr {
	g := p.expression()
	returned := g.find(func(e *CExpr) bool { return e.kind == exprArg && e.text == "$0" })
	if returned != nil {
		p.fail(returned.pos, "a guard is about the call: there is no returned value $0 yet; arguments are $1, $2, …")
	}
	return g
}

func (p *parser) predicates(proc *Procedure) {
	for {
		p.expect("(", ": predicates stand in parentheses")
		proc.Predicates = append(proc.Predicates, p.expression())
		p.expect(")", " after the predicate")
		if !p.accept(",") {
			return
		}
	}
}

// assigns parses nothing, or places with commas between them.
func (p *parser) assigns(proc *Procedure, pos Pos) {
	if proc.Framed {
		p.fail(pos, "what %s assigns is said already", proc.Name)
	}
	proc.Framed = true
	if p.tok().isWord(nothing) && p.peek(1).isPunct(";") {
		p.next()
		return
	}
	for {
		pos := p.pos()
		e := p.expression()
		if place := e.place(); place == "" || e.kind == exprArg || place[0] == '&' || !e.isPlain() {
			p.fail(pos, "%s is nothing that a call can write: write what an argument points to, *$2 or $1->f, or a global", e)
		}
		proc.Assigns = append(proc.Assigns, e)
		if !p.accept(",") {
			return
		}
	}
}

// isPlain reports whether a path mentions no argument as a value: $1.f would be a part of a copy.
func (e *CExpr) isPlain() bool {
	return e.find(func(x *CExpr) bool {
		return x.kind == exprMember && x.text[0] == '.' && x.args[0].kind == exprArg || x.kind == exprArg && x.text == "$0"
	}) == nil
}

func (p *parser) program() {
	p.next()
	prog := &Program{Pos: p.pos()}
	for {
		p.component(prog)
		if !p.accept(",") {
			break
		}
	}
	p.file.Programs = append(p.file.Programs, prog)
	p.file.items = append(p.file.items, prog)
	p.statements("the program's components", func() { p.specification(prog) })
}

// component is the name of component i, or "".
func (p *Program) component(i int) string {
	if i >= len(p.Components) {
		return ""
	}
	return p.Components[i]
}

// component parses Name [ * [Number] ].
func (p *parser) component(prog *Program) {
	pos := p.pos()
	name := p.named(MentionProcedure, "the name of a component, a procedure").text
	starred, copies := p.tok().isPunct("*"), 1
	if starred {
		copies = p.copies(name)
	}
	for i, other := range prog.Components {
		if other == name && (starred || prog.Copies[i] != 1) {
			p.report(pos, "%s stands here twice, once with a star: say how many copies run in one place", name)
		}
	}
	prog.Components, prog.Copies = append(prog.Components, name), append(prog.Copies, copies)
}

// copies parses * [Number]: how many copies run.
func (p *parser) copies(name string) int {
	p.mark(behindMark)
	p.next()
	if !p.is(tokNumber) {
		return AnyNumber
	}
	p.mark(behindMark)
	pos := p.pos()
	n, err := strconv.Atoi(p.next().text)
	switch {
	case err != nil || n > MaxCopies:
		p.report(pos, "a number of copies is one from 1 to %d; any number of them is %s*", MaxCopies, name)
	case n == 0:
		p.report(pos, "no copy of %s runs: leave it out", name)
	default:
		return n
	}
	return 1
}

// shared parses shared Name, … ;
func (p *parser) shared(prog *Program) {
	p.next()
	for {
		pos := p.pos()
		prog.Shared = append(prog.Shared,
			Shared{p.named(MentionVariable, "the name of a variable that the components share").text, pos})
		if !p.accept(",") {
			break
		}
	}
	p.expect(";", " after the variables that the components share")
}

// buffers parses buffer Name[Number], … ;
func (p *parser) buffers(prog *Program) {
	p.next()
	for {
		b := Buffer{Pos: p.pos(), Channel: p.name("the name of a channel").text}
		for p.accept(".") {
			b.Channel += "." + p.name("the rest of the channel's name after the point").text
		}
		p.mark(behindMark)
		p.expect("[", ": how many values does "+b.Channel+" hold?")
		p.mark(behindMark)
		b.Size = p.size(b.Channel)
		p.mark(behindMark)
		p.expect("]", " after the size of a buffer")
		if slices.ContainsFunc(prog.Buffers, func(other Buffer) bool { return other.Channel == b.Channel }) {
			p.report(b.Pos, "%s has a buffer already", b.Channel)
		}
		prog.Buffers = append(prog.Buffers, b)
		if !p.accept(",") {
			break
		}
	}
	p.expect(";", " after the channels with buffers")
}

// size parses the size of a buffer.
func (p *parser) size(channel string) int {
	pos := p.pos()
	if !p.is(tokNumber) {
		p.fail(pos, "how many values does %s hold? %s[3]", channel, channel)
	}
	n, err := strconv.Atoi(p.next().text)
	switch {
	case err != nil || n > MaxBuffer:
		p.report(pos, "a buffer holds 1 to %d values", MaxBuffer)
	case n == 0:
		p.report(pos, "%s holds no value: leave it out, and each is handed over at once", channel)
	default:
		return n
	}
	return 1
}

func (p *parser) specification(prog *Program) {
	spec := &ProgramSpec{Pos: p.pos()}
	p.mayStand(MentionSpecification)
	switch {
	case p.tok().isWord("buffer"):
		p.buffers(prog)
		return
	case p.tok().isWord("shared"):
		p.shared(prog)
		return
	case p.tok().isWord(relationWord):
		prog.Relation = p.relation(prog.Relation)
		p.expect(";", " at the end of the statement")
		return
	case p.atDemand():
		prog.Demands = append(prog.Demands, p.demand())
		p.expect(";", " at the end of the statement")
		return
	case !p.tok().isWord("specification"):
		p.unexpectedWord("specification, relation, shared, buffer, progress, assert or '}'", "specification", relationWord,
			"shared", "buffer", progressWord, assertWord)
	}
	p.next()
	p.note(MentionClaim, true)
	spec.Name = p.name("the name of the specification").text
	p.expect(",", " after the specification's name")
	guards := p.pos()
	p.expect("{", ": the guards stand in braces, one for each component")
	for {
		p.scope(prog.component(len(spec.Guards)))
		spec.Guards = append(spec.Guards, p.guard())
		if !p.accept(",") {
			break
		}
	}
	p.expect("}", " after the guards")
	if len(spec.Guards) != len(prog.Components) {
		p.report(guards, "%s for %s: every component has one guard, 1 if it always holds",
			count(len(spec.Guards), "guard"), count(len(prog.Components), "component"))
	}
	p.expect(",", " after the guards")
	spec.ltsPos = p.pos()
	spec.LTS = p.named(MentionProcess, "the name of an LTS").text
	p.expect(";", " after the name of the LTS")
	prog.Specs = append(prog.Specs, spec)
	p.use(spec.LTS, spec.ltsPos)
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
