package param

import (
	"slices"

	"magus/param/syntax"
)

// maxDepth bounds how deep parentheses and not may stand in each other.
const maxDepth = 200

func (p *parser) formula() (Formula, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.Errorf(p.Peek(), "nested too deeply, more than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	var or Or
	for {
		f, err := p.conjunction()
		if err != nil {
			return nil, err
		}
		or = append(or, f)
		if !p.Accept("or", "||", "\\/", "|") {
			break
		}
	}
	if len(or) == 1 {
		return or[0], nil
	}
	return or, nil
}

func (p *parser) conjunction() (Formula, error) {
	var and And
	for {
		f, err := p.unary()
		if err != nil {
			return nil, err
		}
		and = append(and, f)
		if !p.Accept(",", "and", "&&", "/\\", "&") {
			break
		}
	}
	if len(and) == 1 {
		return and[0], nil
	}
	return and, nil
}

func (p *parser) unary() (Formula, error) {
	switch {
	case p.Accept("not", "!"):
		if p.depth++; p.depth > maxDepth {
			return nil, p.Errorf(p.Peek(), "nested too deeply, more than %d", maxDepth)
		}
		defer func() { p.depth-- }()
		f, err := p.unary()
		if err != nil {
			return nil, err
		}
		return Not{f}, nil
	case p.Is("(") && !p.sumInParentheses():
		p.Next()
		f, err := p.formula()
		if err != nil {
			return nil, err
		}
		return f, p.Expect(")")
	}
	return p.atom()
}

// sumInParentheses reports whether the parentheses that open here hold a sum: then a comparison or
// arithmetic follows them, and none stands within them.
func (p *parser) sumInParentheses() bool {
	depth := 0
	for i := 0; ; i++ {
		t := p.PeekAt(i)
		switch {
		case t.Kind == syntax.End:
			return false
		case t.Text == "(":
			depth++
		case t.Text == ")":
			if depth--; depth == 0 {
				next := p.PeekAt(i + 1).Text
				_, compared := ops[next]
				return compared || next == "+" || next == "-"
			}
		}
	}
}

var ops = map[string]Op{"=": Eq, "==": Eq, "!=": Ne, "<>": Ne, "<": Lt, "<=": Le, ">": Gt, ">=": Ge}

func (p *parser) atom() (Formula, error) {
	t := p.Peek()
	if p.size++; p.size > MaxSize {
		return nil, p.Errorf(t, "a model has at most %d comparisons", MaxSize)
	}
	switch {
	case p.Is("true", "false") && !p.compared(1):
		return Truth(p.Next().Text == "true"), nil
	case p.Is("deadlock"):
		if p.Next(); !p.inBad {
			return nil, p.Errorf(t, "deadlock can only stand in bad")
		}
		return Deadlock{}, nil
	case p.Is("others"):
		return p.others()
	case p.Is("all"):
		return p.all()
	case t.Kind == syntax.Name && p.PeekAt(1).Text == "'":
		return p.assignment()
	case p.inParam && t.Kind == syntax.Name && !Keyword(t.Text):
		if _, known := p.names[t.Text]; !known {
			if err := p.declare(t, Name{Text: t.Text, Kind: Parameter}); err != nil {
				return nil, err
			}
			if !p.compared(1) && (p.PeekAt(1).Text == "," || p.PeekAt(1).Text == ";") {
				p.Next() // a parameter alone may be anything
				return Truth(true), nil
			}
		}
	}
	return p.comparison()
}

// compared reports whether the token n ahead is a comparison.
func (p *parser) compared(n int) bool {
	_, ok := ops[p.PeekAt(n).Text]
	return ok
}

// comparison is a chain of sums, or a name alone.
func (p *parser) comparison() (Formula, error) {
	t := p.Peek()
	left, err := p.sum()
	if err != nil {
		return nil, err
	}
	if !p.compared(0) {
		return p.alone(t, left)
	}
	var chain And
	for p.compared(0) {
		op := ops[p.Next().Text]
		right, err := p.sum()
		if err != nil {
			return nil, err
		}
		chain = append(chain, Compare{op, left, right})
		left = right
	}
	if len(chain) == 1 {
		return chain[0], nil
	}
	return chain, nil
}

// alone is what a name stands for where a formula is expected.
func (p *parser) alone(t syntax.Token, l Linear) (Formula, error) {
	if len(l.Terms) == 1 && l.Const == 0 && l.Terms[0].Coef == 1 {
		switch v := l.Terms[0].Var; p.m.Names[v].Kind {
		case Bool:
			return Compare{Eq, l, Linear{Const: 1}}, nil
		case Local:
			return Compare{Ge, l, Linear{Const: 1}}, nil
		}
	}
	return nil, p.Unexpected("expected a comparison such as = or >=")
}

func (p *parser) sum() (Linear, error) {
	if p.depth++; p.depth > maxDepth {
		return Linear{}, p.Errorf(p.Peek(), "nested too deeply, more than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	sign := int64(1)
	if p.Accept("-") {
		sign = -1
	}
	var sum Linear
	for {
		at := p.Peek()
		l, err := p.term()
		if err != nil {
			return Linear{}, err
		}
		sum = sum.Add(sign, l)
		if !small(sum) {
			return Linear{}, p.Errorf(at, "the numbers of this sum are too large")
		}
		switch {
		case p.Accept("+"):
			sign = 1
		case p.Accept("-"):
			sign = -1
		default:
			return sum, nil
		}
	}
}

func small(l Linear) bool {
	ok := func(n int64) bool { return -syntax.MaxNumber <= n && n <= syntax.MaxNumber }
	return ok(l.Const) && !slices.ContainsFunc(l.Terms, func(t Term) bool { return !ok(t.Coef) })
}

func (p *parser) term() (Linear, error) {
	t := p.Peek()
	switch {
	case p.Accept("true"):
		return Linear{Const: 1}, nil
	case p.Accept("false"):
		return Linear{}, nil
	case p.Accept("("):
		l, err := p.sum()
		if err != nil {
			return Linear{}, err
		}
		return l, p.Expect(")")
	case t.Kind == syntax.Number:
		p.Next()
		if !p.Accept("*") {
			return Linear{Const: t.Value}, nil
		}
		l, err := p.value1()
		return Linear{}.Add(t.Value, l), err
	case t.Kind != syntax.Name:
		return Linear{}, p.Unexpected("expected a number or a name")
	}
	l, err := p.value1()
	if err != nil || !p.Accept("*") {
		return l, err
	}
	k, err := p.Number()
	return Linear{}.Add(k.Value, l), err
}

// value1 is one name: the index of for, or something declared.
func (p *parser) value1() (Linear, error) {
	if t := p.Peek(); t.Kind == syntax.Name && t.Text == p.bound && p.bound != "" {
		p.Next()
		return Linear{Const: p.value}, nil
	}
	v, err := p.ref()
	return Variable(v), err
}

// ref is a declared name.
func (p *parser) ref() (int, error) {
	t, err := p.Name("a name")
	if err != nil {
		return 0, err
	}
	text := t.Text
	if p.Accept("[") {
		v, err := p.index()
		if err != nil {
			return 0, err
		}
		text = indexed(text, v)
	}
	if v, ok := p.names[text]; ok {
		return v, nil
	}
	if _, ok := p.names[indexed(text, 0)]; ok && text == t.Text {
		return 0, p.Errorf(t, "%s needs an index, such as %s[0]", text, text)
	}
	return 0, p.Errorf(t, "%s is not declared", text)
}

func (p *parser) index() (int64, error) {
	t := p.Next()
	v := t.Value
	switch {
	case t.Kind == syntax.Name && t.Text == p.bound && p.bound != "":
		v = p.value
	case t.Kind != syntax.Number:
		return 0, p.Errorf(t, "expected an index, found %s", t.Text)
	}
	for p.Is("+", "-") {
		sign := p.Next()
		k, err := p.Number()
		if err != nil {
			return 0, err
		}
		if sign.Text == "-" {
			v -= k.Value
		} else {
			v += k.Value
		}
	}
	return v, p.Expect("]")
}

// onlyInRules is an error outside rules.
func (p *parser) onlyInRules(t syntax.Token) error {
	if p.inRule == nil {
		return p.Errorf(t, "%s can only stand in a rule", t.Text)
	}
	return nil
}

func (p *parser) assignment() (Formula, error) {
	a := assign{at: p.Peek()}
	if err := p.onlyInRules(a.at); err != nil {
		return nil, err
	}
	for p.PeekAt(1).Text == "'" {
		t := p.Peek()
		v, err := p.ref()
		if err != nil {
			return nil, err
		}
		p.Next()
		switch p.m.Names[v].Kind {
		case Local:
			return nil, p.Errorf(t, "processes are moved by -> and all, not by an update of %s", t.Text)
		case Parameter:
			return nil, p.Errorf(t, "%s is a parameter, which no rule changes", t.Text)
		}
		a.vars = append(a.vars, v)
		if !p.Accept("=", "==") {
			if p.m.Names[v].Kind != Bool || len(a.vars) > 1 {
				return nil, p.Unexpected("expected = behind " + t.Text + "'")
			}
			a.value, a.truth = Linear{Const: 1}, true
			return a, nil
		}
	}
	var err error
	a.value, err = p.sum()
	return a, err
}

// others says where the processes that the rule does not move are.
func (p *parser) others() (Formula, error) {
	if err := p.onlyInRules(p.Next()); err != nil {
		return nil, err
	}
	if err := p.Expect("in"); err != nil {
		return nil, err
	}
	if err := p.Expect("{"); err != nil {
		return nil, err
	}
	states, err := p.sources()
	if err != nil {
		return nil, err
	}
	p.listed = true
	var and And
	for _, q := range p.m.Locals() {
		if slices.Contains(states, q) {
			continue
		}
		moved := int64(0)
		for _, f := range p.inRule.From {
			if f == q {
				moved++
			}
		}
		and = append(and, Compare{Le, Variable(q), Linear{Const: moved}})
		p.size++
	}
	return and, p.Expect("}")
}

func (p *parser) all() (Formula, error) {
	t := transfer{at: p.Next()}
	if err := p.onlyInRules(t.at); err != nil {
		return nil, err
	}
	var err error
	if t.From, err = p.local(); err != nil {
		return nil, err
	}
	if err = p.Expect("->"); err != nil {
		return nil, err
	}
	t.To, err = p.local()
	return t, err
}
