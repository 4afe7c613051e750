package specs

import (
	"slices"
	"strings"
)

// C expressions. Everything of C11 6.5 that has no side effect is read, so
// that what is not modelled can be named; it is refused later, by Term.

// expression parses a conditional expression: C's expressions without
// assignments and without the comma operator.
func (p *conditions) expression() *CExpr {
	defer p.deeper()()
	c := p.binary(2)
	if t := p.tok(); t.kind == tokPunct && slices.Contains([]string{"=", "+=", "-=", "*=", "/=", "%=", "&=",
		"|=", "^=", "<<=", ">>="}, t.text) {
		hint := ""
		if t.text == "=" {
			hint = "; to compare write =="
		}
		p.fail(p.pos(), "an expression here must not change anything%s", hint)
	}
	if !p.tok().isPunct("?") {
		return c
	}
	e := p.node(exprCond, "?")
	p.next()
	then := p.expression()
	p.mark(binaryMark)
	p.expect(":", " of the conditional expression")
	e.args = []*CExpr{c, then, p.expression()}
	return e
}

// node is an expression at the next token.
func (p *reader) node(kind exprKind, text string, args ...*CExpr) *CExpr {
	return &CExpr{kind: kind, text: text, args: args, pos: p.pos(), src: p.src}
}

// binary parses operators of at least the given strength.
func (p *conditions) binary(least int) *CExpr {
	defer p.deeper()()
	left := p.unary()
	for levels := 0; ; levels++ {
		t := p.tok()
		prec := binaryPrec[t.text]
		if t.kind != tokPunct || prec < least {
			return left
		}
		if levels >= maxNesting {
			p.fail(p.pos(), "more than %d operators in one expression", maxNesting)
		}
		e := p.node(exprBinary, t.text)
		p.next()
		e.args = []*CExpr{left, p.binary(prec + 1)}
		left = e
	}
}

func (p *conditions) unary() *CExpr {
	defer p.deeper()()
	t := p.tok()
	switch {
	case t.isPunct("++") || t.isPunct("--"):
		p.fail(p.pos(), "an expression here must not change anything: %s is not allowed", t.text)
	case t.isPunct("&&"):
		p.unexpected("an expression")
	case t.kind == tokPunct && slices.Contains([]string{"-", "+", "!", "~", "*", "&"}, t.text):
		e := p.node(exprUnary, t.text)
		p.mark(prefixMark)
		p.next()
		e.args = []*CExpr{p.unary()}
		return e
	case t.isWord("sizeof"):
		e := p.node(exprSizeof, "")
		p.next()
		p.markIf(p.tok().isPunct("("), behindMark)
		if name, ok := p.typeName(); ok {
			e.text = name
		} else {
			e.args = []*CExpr{p.unary()}
		}
		return e
	case t.isPunct("("):
		e := p.node(exprCast, "")
		if name, ok := p.typeName(); ok {
			p.markBefore(prefixMark)
			e.text, e.args = name, []*CExpr{p.unary()}
			return e
		}
	}
	return p.postfix()
}

// typeName parses a type in parentheses if one is next.
func (p *conditions) typeName() (canonical string, ok bool) {
	if first := p.peek(1); !p.tok().isPunct("(") || first.kind != tokIdent || !isTypeWord(first.text) {
		return "", false
	}
	p.next()
	pos := p.pos()
	var words []string
	for p.is(tokIdent) {
		if slices.Contains(unmodelledTypes, p.tok().text) {
			p.failNotModelled(p.pos(), "the type %s is not modelled in expressions of specifications", p.tok().text)
		}
		words = append(words, p.next().text)
	}
	if p.tok().isPunct("*") || p.tok().isPunct("[") {
		p.failNotModelled(p.pos(), "pointer types are not modelled in expressions of specifications")
	}
	p.expect(")", " after the type")
	if canonical = canonicalType(words); canonical == "" {
		p.fail(pos, "these words do not make a type")
	}
	return canonical, true
}

func (p *reader) failNotModelled(pos Pos, format string, args ...any) {
	e := p.src.errorAt(pos, format, args...)
	e.NotModelled = true
	p.errs = append(p.errs, e)
	panic(bail{})
}

func (p *conditions) postfix() *CExpr {
	e := p.primary()
	for levels := 0; ; levels++ {
		if levels >= maxNesting {
			p.fail(p.pos(), "more than %d operators in one expression", maxNesting)
		}
		t := p.tok()
		switch {
		case t.isPunct(".") || t.isPunct("->") && !p.noArrow:
			m := p.node(exprMember, t.text, e)
			p.mark(behindMark | prefixMark)
			p.next()
			if !p.is(tokIdent) {
				p.unexpected("the name of a member after " + t.text)
			}
			m.text += p.next().text
			e = m
		case t.isPunct("["):
			m := p.node(exprIndex, "", e)
			p.mark(behindMark)
			p.next()
			m.args = append(m.args, p.expression())
			p.expect("]", " after the index")
			e = m
		case t.isPunct("("):
			p.fail(p.pos(), "an expression here cannot call a function")
		case t.isPunct("++") || t.isPunct("--"):
			p.fail(p.pos(), "an expression here must not change anything: %s is not allowed", t.text)
		default:
			return e
		}
	}
}

func (p *conditions) primary() *CExpr {
	t := p.tok()
	switch t.kind {
	case tokIdent:
		p.note(MentionVariable, false)
		if isTypeWord(t.text) {
			p.fail(p.pos(), "the type %s is no value; a cast is written (%s)x", t.text, t.text)
		}
		return p.leaf(exprName, t.text)
	case tokArg:
		p.note(MentionArgument, false)
		if len(t.text) > 4 {
			p.fail(p.pos(), "%s: there are at most 999 arguments", t.text)
		}
		return p.leaf(exprArg, "$"+trimZeros(t.text[1:]))
	case tokNumber:
		return p.number(t)
	case tokChar:
		if _, err := charValue(t.text); err != nil {
			p.fail(p.pos(), "%v", err)
		}
		return p.leaf(exprChar, t.text)
	case tokString:
		p.failNotModelled(p.pos(), "strings are not modelled in expressions of specifications")
	}
	if !p.tok().isPunct("(") {
		p.unexpected("an expression")
	}
	p.next()
	e := p.expression()
	if p.tok().isPunct(",") {
		p.fail(p.pos(), "an expression here cannot use the comma operator")
	}
	p.expect(")", " or an operator")
	return e
}

func trimZeros(digits string) string {
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	return digits
}

func (p *reader) leaf(kind exprKind, text string) *CExpr {
	e := p.node(kind, text)
	p.next()
	return e
}

func (p *conditions) number(t token) *CExpr {
	lit, err := parseInt(t.text)
	if err != nil {
		if isFloat(t.text) && isFloatLiteral(t.text) {
			return p.leaf(exprFloat, t.text)
		}
		p.fail(p.pos(), "%v", err)
	}
	return p.leaf(exprInt, lit.String())
}

// isFloat reports whether a number is written with a point or an exponent.
func isFloat(text string) bool {
	marks := "eE."
	if len(text) > 1 && (text[1] == 'x' || text[1] == 'X') {
		marks = "pP."
	}
	return strings.ContainsAny(text, marks)
}
