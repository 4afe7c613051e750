package specs

import (
	"context"
	"slices"
)

// Progress, fluents and assertions.
//
// A condition on variables is one comparison of C, or any expression of C in quotes. An operator binds
// stronger than the next of: ! [] <> X, then U W, then &&, then ||, then ->, then <->. Beside U and W
// parentheses are asked for, since notations differ there.

var livenessWords = []string{progressWord, fluentWord, assertWord}

var livenessKinds = map[string]MentionKind{progressWord: MentionProgress, fluentWord: MentionFluent,
	assertWord: MentionAssertion}

// liveness parses one of the items.
func (p *parser) liveness() {
	word := p.next().text
	pos := p.pos()
	p.note(livenessKinds[word], true)
	name := p.name("a name after " + word).text
	if slices.Contains(reserved, name) || slices.Contains(operatorWords, name) {
		p.fail(pos, "%s has a meaning of its own and cannot be defined", name)
	}
	p.expect("=", " after the name "+name+": indices are not read here")
	p.mark(bodyMark)
	switch word {
	case progressWord:
		p.progress(name, pos)
	case fluentWord:
		p.fluent(name, pos)
	default:
		p.scope(assertWord + " " + name)
		a := &Assertion{Name: name, Pos: pos, Formula: p.formula()}
		p.file.assertions, p.file.items = append(p.file.assertions, a), append(p.file.items, a)
	}
	if p.tok().isPunct(".") {
		p.mark(endMark)
		p.next()
	}
}

// progress parses { a, … } or if { a, … } then { b, … }.
func (p *parser) progress(name string, pos Pos) {
	g := &Progress{Name: name, Pos: pos}
	if g.Conditional = p.tok().isWord("if"); g.Conditional {
		p.next()
		g.ifLabels = p.plainLabels("actions after if")
		if !p.tok().isWord("then") {
			p.unexpectedWord("then", "then")
		}
		p.next()
	}
	g.thenLabels = p.plainLabels("actions that happen again and again")
	g.If, g.Then = namesOf(g.ifLabels), namesOf(g.thenLabels)
	p.file.progress, p.file.items = append(p.file.progress, g), append(p.file.items, g)
}

// fluent parses < { on, … }, { off, … } > [ initially 0|1 ].
func (p *parser) fluent(name string, pos Pos) {
	x := &Fluent{Name: name, Pos: pos}
	p.mark(prefixMark)
	p.expect("<", ": a fluent is written <{on}, {off}>")
	x.onLabels = p.plainLabels("the actions that begin it")
	p.expect(",", " between the actions that begin the fluent and those that end it")
	x.offLabels = p.plainLabels("the actions that end it")
	p.mark(behindMark)
	p.expect(">", " at the end of the fluent")
	if p.tok().isWord("initially") {
		p.next()
		value := p.next().text
		if !slices.Contains([]string{"0", "1", "true", "false", "True", "False"}, value) {
			p.at--
			p.unexpected("0 or 1 after initially")
		}
		x.Initially = slices.Contains([]string{"1", "true", "True"}, value)
	}
	x.On, x.Off = namesOf(x.onLabels), namesOf(x.offLabels)
	p.file.fluents, p.file.items = append(p.file.fluents, x), append(p.file.items, x)
}

// plainLabels parses an action or a set of some, without returns and τ.
func (p *actions) plainLabels(what string) []label {
	pos := p.pos()
	var all []label
	switch {
	case p.tok().isPunct("{"):
		all = p.labels(false)
	case p.is(tokIdent):
		all = []label{p.label(false)}
	default:
		p.unexpected(what + ": { action, … }")
	}
	for _, l := range all {
		if l.ret != nil {
			p.fail(pos, "returns are not spoken of here")
		}
	}
	return all
}

func namesOf(labels []label) []string {
	names := []string{}
	for _, l := range labels {
		names = append(names, l.name)
	}
	return names
}

// demand parses progress P or assert A in a block, without its semicolon.
func (p *parser) demand() *Demand {
	word := p.next().text
	d := &Demand{Progress: word == progressWord, Pos: p.pos()}
	p.note(livenessKinds[word], false)
	d.Name = p.name("the name of a progress or an assertion").text
	return d
}

// atDemand reports whether a demand is next.
func (p *reader) atDemand() bool { return p.tok().isWord(progressWord) || p.tok().isWord(assertWord) }

// operatorWords are the operators that look like names.
var operatorWords = []string{"U", "W", "X", "true", "false", "forall", "exists"}

// ParseFormula reads a formula alone; name is what errors call the text. The error, if any, is an [ErrorList].
func ParseFormula(name, text string) (*Formula, error) {
	p := newParser(context.Background(), Source{name, []byte(text)}, nil, &File{})
	var f *Formula
	p.guarded(func() {
		f = p.formula()
		if !p.is(tokEOF) {
			p.unexpected("an operator or the end of the formula")
		}
	})
	if len(p.errs) > 0 {
		return nil, limit(p.errs, []Source{{Name: name}})
	}
	return f, nil
}

// formula parses a formula of any strength.
func (p *formulas) formula() *Formula {
	defer p.deeper()()
	left := p.implication()
	for p.tok().isPunct("<") && p.peek(1).isPunct("->") {
		pos := p.pos()
		p.mark(prefixMark)
		p.next()
		p.next()
		left = &Formula{Op: "<->", Args: []*Formula{left, p.implication()}, Pos: pos}
	}
	return left
}

// implication associates to the right.
func (p *formulas) implication() *Formula {
	defer p.deeper()()
	left := p.junction("||", func() *Formula { return p.junction("&&", p.until) })
	if !p.tok().isPunct("->") {
		return left
	}
	pos := p.pos()
	p.next()
	return &Formula{Op: "->", Args: []*Formula{left, p.implication()}, Pos: pos}
}

// junction parses operands with an operator between them. An operand with U or W stands alone or in parentheses.
func (p *formulas) junction(op string, operand func() *Formula) *Formula {
	begin := p.at
	left := operand()
	for levels := 0; p.tok().isPunct(op); levels++ {
		p.parenthesised(left, begin)
		if levels >= maxNesting {
			p.fail(p.pos(), "more than %d operators in one formula", maxNesting)
		}
		pos := p.pos()
		p.next()
		begin = p.at
		right := operand()
		p.parenthesised(right, begin)
		left, begin = &Formula{Op: op, Args: []*Formula{left, right}, Pos: pos}, -1
	}
	return left
}

// parenthesised refuses U and W beside other operators of two operands; begin is where the operand begins.
func (p *formulas) parenthesised(f *Formula, begin int) {
	if (f.Op == "U" || f.Op == "W") && begin >= 0 && !p.wholly(begin) {
		p.fail(f.Pos, "put %s with its operands in parentheses: notations differ in how strong it binds", f.Op)
	}
}

// wholly reports whether the tokens from begin to here are one pair of parentheses.
func (p *formulas) wholly(begin int) bool {
	return p.tokens[begin].isPunct("(") && p.closing(begin) == p.at-1
}

// closing is the token that closes the parenthesis at a token.
func (p *formulas) closing(begin int) int {
	depth := 0
	for i := begin; i < len(p.tokens); i++ {
		switch {
		case p.tokens[i].isPunct("("):
			depth++
		case p.tokens[i].isPunct(")"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(p.tokens) - 1
}

// until associates to the right.
func (p *formulas) until() *Formula {
	defer p.deeper()()
	left := p.prefixed()
	if t := p.tok(); t.isWord("U") || t.isWord("W") {
		pos := p.pos()
		p.next()
		return &Formula{Op: t.text, Args: []*Formula{left, p.until()}, Pos: pos}
	}
	return left
}

// prefixed parses operators of one operand.
func (p *formulas) prefixed() *Formula {
	defer p.deeper()()
	pos, op, n := p.pos(), "", 1
	switch t, after := p.tok(), p.peek(1); {
	case t.isPunct("!"):
		op = "!"
	case t.isWord("X"):
		op = "X"
	case t.isPunct("[") && after.isPunct("]"):
		op, n = "[]", 2
	case t.isPunct("<") && after.isPunct(">"):
		op, n = "<>", 2
	case t.isWord("forall") || t.isWord("exists"):
		p.fail(pos, "%s is not read in specifications of C: write the formula for each index", t.text)
	default:
		return p.atom()
	}
	for i := range n {
		p.markIf(op != "X" && i == 0, prefixMark)
		p.markIf(i > 0, behindMark|operatorMark)
		p.next()
	}
	return &Formula{Op: op, Args: []*Formula{p.prefixed()}, Pos: pos}
}

// atom parses a proposition or a formula in parentheses.
func (p *formulas) atom() *Formula {
	pos, t := p.pos(), p.tok()
	switch {
	case t.kind == tokString:
		p.next()
		return &Formula{Op: propOp, Cond: p.quotedCondition(t, pos), Pos: pos}
	case p.atCondition():
		return &Formula{Op: propOp, Cond: p.comparison(), Pos: pos}
	case t.isPunct("("):
		p.next()
		f := p.formula()
		p.expect(")", " or an operator")
		return f
	case t.isWord("true") || t.isWord("false"):
		p.next()
		return &Formula{Op: t.text, Pos: pos}
	case t.isPunct("{"):
		labels := p.plainLabels("actions")
		return &Formula{Op: propOp, Actions: namesOf(labels), Pos: pos, labels: labels}
	case t.kind == tokIdent:
		if t.isWord("U") || t.isWord("W") {
			p.unexpected("an operand before " + t.text)
		}
		labels := p.plainLabels("an action")
		return &Formula{Op: propOp, Name: labels[0].name, Actions: namesOf(labels), Pos: pos, labels: labels}
	}
	p.unexpected("a formula")
	panic("not reached")
}

// atCondition reports whether a comparison of C is next: a name, a number or something in parentheses, with
// an operator of arithmetic behind it.
func (p *formulas) atCondition() bool {
	i := p.at
	switch t := p.tok(); {
	case t.kind == tokNumber, t.kind == tokChar, t.kind == tokArg, t.isPunct("*"), t.isPunct("-"), t.isPunct("~"):
		return true
	case t.isPunct("("):
		i = p.closing(i)
	case t.kind != tokIdent:
		return false
	}
	at := func(i int) token { return p.tokens[min(i, len(p.tokens)-1)] }
	for i++; ; {
		switch {
		case at(i).isPunct(".") && at(i+1).kind == tokIdent:
			i += 2
			continue
		case at(i).isPunct("[") && !at(i+1).isPunct("]"):
			for ; i < len(p.tokens)-1 && !at(i).isPunct("]"); i++ {
			}
			i++
			continue
		}
		break
	}
	t, after := at(i), at(i+1)
	if t.isPunct("<") && (after.isPunct(">") || after.isPunct("->")) {
		return false
	}
	return t.kind == tokPunct && binaryPrec[t.text] >= binaryPrec["=="]
}

// comparison parses a comparison of C, in which -> is no operator.
func (p *formulas) comparison() *CExpr {
	p.noArrow = true
	defer func() { p.noArrow = false }()
	return p.binary(binaryPrec["=="])
}

// quotedCondition reads an expression in quotes.
func (p *formulas) quotedCondition(t token, pos Pos) *CExpr {
	text := t.text[1 : len(t.text)-1]
	q := newParser(p.ctx, Source{p.src.name, []byte(text)}, nil, &File{})
	var e *CExpr
	q.guarded(func() {
		e = q.expression()
		if !q.is(tokEOF) {
			q.unexpected("an operator or the end of the condition")
		}
	})
	if len(q.errs) > 0 {
		p.fail(pos, "in the quotes: %s", q.errs[0].Message)
	}
	e.walk(func(x *CExpr) { x.pos, x.src = pos, p.src })
	return e
}
