package preprocess

// Conditions of #if and #elif (C11 6.10.1), and the macros that every unit has.
//
// Idea: macros are replaced but behind defined and in what asks for headers; then the tokens are evaluated by
// precedence, in integers of 64 bits. What is not evaluated in C (behind &&, || and ?:) may divide by zero.
// Cost: linear in the tokens, which are bounded, as is the depth.

import (
	"strconv"
	"strings"

	"magus/cfa/source/lex"
)

// Incomplete is said of a condition that ends too early, or has what is no integer.
const Incomplete = "the condition of this #if or #elif is not complete, or holds what is no integer"

// maxDepth is how deep a condition may be nested.
const maxDepth = 2000

// condition evaluates a line.
func (p *preprocessor) condition(word Token, line []Token) bool {
	tokens := p.conditionTokens(word, line)
	if p.stopped() {
		return false
	}
	if p.MaxCondition > 0 && len(tokens) > p.MaxCondition {
		p.stop(atColumn(word, 1), "a condition that macros make too long")
		return false
	}
	e := evaluation{p: p, tokens: tokens, live: true}
	v := e.conditional(0)
	if e.msg == "" && e.i < len(tokens) {
		e.msg = Incomplete
	}
	if e.msg != "" {
		if len(line) > 0 {
			word = line[0]
		}
		p.stop(word, "%s", e.msg)
		return false
	}
	return v.bits != 0
}

// conditionTokens are the tokens of a condition after replacement, with numbers for what asks for macros, headers
// and so on.
func (p *preprocessor) conditionTokens(word Token, line []Token) (tokens []Token) {
	p.collecting++
	p.expansions = append(p.expansions, &expansion{tokens: line, closed: true})
	height := len(p.expansions)
	for !p.stopped() {
		t := p.shift()
		switch {
		case t.Kind == lex.EOF:
			p.expansions = p.expansions[:height-1]
			p.collecting--
			return tokens
		case t.Is("defined"):
			tokens = append(tokens, number(p.isDefined(t)))
			continue
		case t.Kind == lex.Name && !t.blue:
			if m := p.macros[t.Text]; m != nil && p.enter(m, t) {
				continue
			}
		}
		if tokens = append(tokens, t); p.MaxCondition > 0 && len(tokens) > p.MaxCondition {
			p.stop(atColumn(word, 1), "a condition that macros make too long")
		}
	}
	return nil
}

func number(is bool) Token {
	text := "0"
	if is {
		text = "1"
	}
	return Token{Token: lex.Token{Kind: lex.Number, Text: text}}
}

// isDefined reads what stands behind defined.
func (p *preprocessor) isDefined(at Token) bool {
	t := p.shift()
	paren := t.Is("(")
	if paren {
		t = p.shift()
	}
	if t.Kind != lex.Name {
		p.stop(at, "operator \"defined\" requires an identifier")
		return false
	}
	if paren && !p.shift().Is(")") {
		p.stop(at, "expected ')'")
	}
	return p.macros[t.Text] != nil
}

// builtins defines the macros that every unit has.
func (p *preprocessor) builtins() {
	define := func(name string, f func(p *preprocessor, at Token) []Token) {
		p.macros[name] = &macro{name: name, builtin: f}
	}
	one := func(kind lex.Kind, text string) []Token { return []Token{{Token: lex.Token{Kind: kind, Text: text}}} }
	define("__LINE__", func(_ *preprocessor, at Token) []Token { return one(lex.Number, strconv.Itoa(at.Line)) })
	define("__COUNTER__", func(p *preprocessor, _ Token) []Token {
		p.counter++
		return one(lex.Number, strconv.Itoa(p.counter-1))
	})
	define("__INCLUDE_LEVEL__", func(p *preprocessor, _ Token) []Token {
		return one(lex.Number, strconv.Itoa(max(0, len(p.readers)-1)))
	})
	define("__FILE__", func(_ *preprocessor, at Token) []Token { return one(lex.String, quoted(at.File)) })
	define("__BASE_FILE__", func(p *preprocessor, at Token) []Token {
		if len(p.readers) == 0 {
			return one(lex.String, quoted(at.File))
		}
		return one(lex.String, quoted(p.readers[0].name))
	})
	if p.Now != nil {
		define("__DATE__", func(p *preprocessor, _ Token) []Token { return one(lex.String, quoted(p.Now().Date)) })
		define("__TIME__", func(p *preprocessor, _ Token) []Token { return one(lex.String, quoted(p.Now().Clock)) })
	}
	for _, name := range []string{"__has_include", "__has_include_next"} {
		define(name, func(p *preprocessor, at Token) []Token {
			line := p.operand(at)
			header := headerName(line)
			if header == "" {
				header = headerName(p.expandedLine(line, at))
			}
			if header == "" {
				p.stop(at, "invalid argument")
				return nil
			}
			_, _, _, found := p.find(header, name == "__has_include_next")
			return []Token{number(found)}
		})
	}
	for _, name := range []string{"__has_attribute", "__has_c_attribute", "__has_cpp_attribute", "__has_builtin"} {
		define(name, func(p *preprocessor, at Token) []Token {
			asked := strings.ReplaceAll(joined(p.operand(at)), " ", "")
			value := "0"
			if p.Has != nil {
				value = p.Has(name, asked)
			}
			return one(lex.Number, value)
		})
	}
}

// operand reads what stands in the parentheses behind an operator.
func (p *preprocessor) operand(at Token) (tokens []Token) {
	p.collecting++
	defer func() { p.collecting-- }()
	if !p.shift().Is("(") {
		p.stop(at, "operator %q requires a parenthesized identifier", at.Text)
		return nil
	}
	for depth := 0; !p.stopped(); {
		t := p.shift()
		switch {
		case t.Kind == lex.EOF:
			p.stop(at, "expected ')'")
		case t.Is(")") && depth == 0:
			return tokens
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		}
		tokens = append(tokens, t)
	}
	return nil
}

// quoted is a text as a string of C.
func quoted(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }

// A value is an integer of a condition.
type value struct {
	bits     uint64
	unsigned bool
}

func truth(is bool) value {
	if is {
		return value{bits: 1}
	}
	return value{}
}

// An evaluation is one of a condition, or of a constant expression of which all parts are ints.
type evaluation struct {
	p      *preprocessor // nil for the latter
	names  map[string]int64
	tokens []Token
	i      int
	depth  int
	live   bool   // what is read counts
	msg    string // the first fault
}

// notInt is said of a part that is no int.
const notInt = "not an int"

// Int is the value of a constant expression, with names for some ints; not ok where a part of it is no int, or is not
// known.
func Int(tokens []Token, names map[string]int64) (v int64, ok bool) {
	e := evaluation{names: names, tokens: tokens, live: true}
	n := e.conditional(0)
	return int64(n.bits), e.msg == "" && e.i == len(tokens)
}

// checked is a value that has to be an int where all are.
func (e *evaluation) checked(v value) value {
	if e.p == nil && (v.unsigned || int64(v.bits) != int64(int32(v.bits))) {
		return e.fail(notInt)
	}
	return v
}

func (e *evaluation) fail(msg string) value {
	if e.msg == "" {
		e.msg = msg
	}
	return value{}
}

func (e *evaluation) peek() Token {
	if e.i < len(e.tokens) {
		return e.tokens[e.i]
	}
	return Token{}
}

func (e *evaluation) accept(s string) bool {
	if e.peek().Is(s) {
		e.i++
		return true
	}
	return false
}

// conditional evaluates a conditional expression, with commas.
func (e *evaluation) conditional(int) value {
	if e.depth++; e.depth > maxDepth {
		return e.fail("a condition that is nested too deeply")
	}
	defer func() { e.depth-- }()
	v := e.binary(1)
	if e.msg == "" && e.accept("?") {
		live := e.live
		e.live = live && v.bits != 0
		a := e.conditional(0)
		for e.msg == "" && e.accept(",") {
			a = e.conditional(0)
		}
		if !e.accept(":") {
			return e.fail(Incomplete)
		}
		e.live = live && v.bits == 0
		b := e.conditional(0)
		e.live = live
		unsigned := a.unsigned || b.unsigned
		if v.bits != 0 {
			v = a
		} else {
			v = b
		}
		v.unsigned = unsigned
	}
	return v
}

// levels are the precedences of binary operators.
var levels = map[string]int{"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7,
	"<=": 7, ">=": 7,
	"<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}

// binary evaluates operators of a precedence and above.
func (e *evaluation) binary(least int) value {
	a := e.unary()
	for e.msg == "" {
		t := e.peek()
		level := levels[t.Text]
		if t.Kind != lex.Punct || level < least || level == 0 {
			return a
		}
		e.i++
		live := e.live
		e.live = live && !(t.Text == "&&" && a.bits == 0) && !(t.Text == "||" && a.bits != 0)
		b := e.binary(level + 1)
		e.live = live
		a = e.checked(e.apply(t.Text, a, b))
	}
	return a
}

// apply is what an operator makes of two values.
func (e *evaluation) apply(op string, a, b value) value {
	unsigned := a.unsigned || b.unsigned
	switch op {
	case "&&":
		return truth(a.bits != 0 && b.bits != 0)
	case "||":
		return truth(a.bits != 0 || b.bits != 0)
	case "==":
		return truth(a.bits == b.bits)
	case "!=":
		return truth(a.bits != b.bits)
	case "<":
		return truth(less(a, b, unsigned))
	case ">":
		return truth(less(b, a, unsigned))
	case "<=":
		return truth(!less(b, a, unsigned))
	case ">=":
		return truth(!less(a, b, unsigned))
	case "<<", ">>":
		if e.p == nil && b.bits > 31 {
			return e.fail(notInt)
		}
		return shifted(op == "<<", a, b)
	}
	v := value{unsigned: unsigned}
	switch op {
	case "|":
		v.bits = a.bits | b.bits
	case "^":
		v.bits = a.bits ^ b.bits
	case "&":
		v.bits = a.bits & b.bits
	case "+":
		v.bits = a.bits + b.bits
	case "-":
		v.bits = a.bits - b.bits
	case "*":
		v.bits = a.bits * b.bits
	case "/", "%":
		return e.divided(op == "%", a, b, unsigned)
	}
	return v
}

func less(a, b value, unsigned bool) bool {
	if unsigned {
		return a.bits < b.bits
	}
	return int64(a.bits) < int64(b.bits)
}

// shifted shifts; by a negative number in the other direction, as GCC does.
func shifted(left bool, a, b value) value {
	n := b.bits
	if !b.unsigned && int64(n) < 0 {
		left, n = !left, -n
	}
	switch {
	case left:
		a.bits <<= n
	case a.unsigned:
		a.bits >>= n
	default:
		a.bits = uint64(int64(a.bits) >> n)
	}
	return a
}

func (e *evaluation) divided(rest bool, a, b value, unsigned bool) value {
	switch {
	case b.bits == 0:
		if e.live {
			return e.fail("division by zero")
		}
		return value{unsigned: unsigned}
	case unsigned && rest:
		return value{a.bits % b.bits, true}
	case unsigned:
		return value{a.bits / b.bits, true}
	case int64(b.bits) == -1:
		if rest {
			return value{}
		}
		return value{bits: -a.bits}
	case rest:
		return value{bits: uint64(int64(a.bits) % int64(b.bits))}
	}
	return value{bits: uint64(int64(a.bits) / int64(b.bits))}
}

// unary evaluates an operand with the operators before it.
func (e *evaluation) unary() value { return e.checked(e.operand()) }

func (e *evaluation) operand() value {
	if e.depth++; e.depth > maxDepth {
		return e.fail("a condition that is nested too deeply")
	}
	defer func() { e.depth-- }()
	t := e.peek()
	e.i++
	switch {
	case t.Is("!"):
		return truth(e.unary().bits == 0)
	case t.Is("~"):
		v := e.unary()
		v.bits = ^v.bits
		return v
	case t.Is("-"):
		v := e.unary()
		v.bits = -v.bits
		return v
	case t.Is("+"):
		return e.unary()
	case t.Is("("):
		v := e.conditional(0)
		for e.msg == "" && e.accept(",") {
			v = e.conditional(0)
		}
		if !e.accept(")") {
			return e.fail(Incomplete)
		}
		return v
	case t.Kind == lex.Name && e.p == nil:
		v, known := e.names[t.Text]
		if !known {
			return e.fail(notInt)
		}
		return value{bits: uint64(v)}
	case t.Kind == lex.Name:
		return truth(e.p.C23 && t.Text == "true")
	case t.Kind == lex.Number:
		v, ok := integer(t.Text)
		if !ok || e.p == nil && strings.ContainsAny(t.Text, "lL") {
			return e.fail(Incomplete)
		}
		return v
	case t.Kind == lex.Char:
		c, ok := lex.CharValue(t.Token)
		if !ok {
			return e.fail(Incomplete)
		}
		return value{bits: uint64(c.Value), unsigned: c.Unsigned}
	}
	return e.fail(Incomplete)
}

// integer is the value of a number that is an integer.
func integer(s string) (value, bool) {
	s = strings.ReplaceAll(s, "'", "")
	bare := strings.TrimRight(s, "uUlL")
	suffix := s[len(bare):]
	unsigned := strings.ContainsAny(suffix, "uU")
	if len(suffix) > 3 {
		return value{}, false
	}
	base := 10
	switch low := strings.ToLower(bare); {
	case strings.HasPrefix(low, "0x"):
		base, bare = 16, bare[2:]
	case strings.HasPrefix(low, "0b"):
		base, bare = 2, bare[2:]
	case len(bare) > 1 && bare[0] == '0':
		base = 8
	}
	n, err := strconv.ParseUint(bare, base, 64)
	return value{n, unsigned || n > 1<<63-1}, err == nil
}
