package mist

import (
	"bytes"

	"magus/param"
	"magus/param/syntax"
)

// Is reports whether a text is a model in mist's format: its first word is vars.
func Is(text []byte) bool {
	for line := range bytes.Lines(text) {
		code, _, _ := bytes.Cut(line, []byte("#"))
		if words := bytes.Fields(code); len(words) > 0 {
			return string(words[0]) == "vars"
		}
	}
	return false
}

// sections of a file, in their order.
var sections = []string{"vars", "rules", "init", "target", "invariants"}

// Parse reads a model. The error is a *syntax.Error.
func Parse(name string, text []byte) (*param.Model, error) {
	src, tokens, err := syntax.Scan(name, text)
	if err != nil {
		return nil, err
	}
	p := &parser{Cursor: syntax.NewCursor(src, tokens), m: &param.Model{Given: param.Truth(true)}, names: map[string]int{}}
	for _, read := range []func() error{p.vars, p.rules, p.init, p.target, p.invariants} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	if p.Peek().Kind != syntax.End {
		return nil, p.Unexpected("expected the end of the file")
	}
	return p.m, nil
}

type parser struct {
	syntax.Cursor
	m     *param.Model
	names map[string]int
}

func (p *parser) atSection() bool {
	return p.Peek().Kind == syntax.End || p.Is(sections...)
}

func (p *parser) vars() error {
	if err := p.Expect("vars"); err != nil {
		return err
	}
	for !p.atSection() {
		t, err := p.Name("a variable")
		if err != nil {
			return err
		}
		if _, known := p.names[t.Text]; known {
			return p.Errorf(t, "%s is declared already", t.Text)
		}
		if len(p.m.Names) >= param.MaxNames {
			return p.Errorf(t, "a model has at most %d variables", param.MaxNames)
		}
		p.names[t.Text] = len(p.m.Names)
		p.m.Names = append(p.m.Names, param.Name{Text: t.Text, Kind: param.Nat, Pos: p.Pos(t)})
	}
	return nil
}

func (p *parser) rules() error {
	if err := p.Expect("rules"); err != nil {
		return err
	}
	for !p.atSection() {
		r := param.Rule{Pos: p.Pos(p.Peek()), Guard: param.Truth(true)}
		if !p.Is("->") && !p.Is("true") {
			guard, err := p.conditions()
			if err != nil {
				return err
			}
			r.Guard = guard
		} else {
			p.Accept("true")
		}
		if err := p.Expect("->"); err != nil {
			return err
		}
		for !p.Is(";") {
			if err := p.update(&r); err != nil {
				return err
			}
			if !p.Accept(",") {
				break
			}
		}
		if err := p.Expect(";"); err != nil {
			return err
		}
		empty(&r)
		if len(p.m.Rules) >= param.MaxRules {
			return p.Errorf(p.Peek(), "a model has at most %d rules", param.MaxRules)
		}
		p.m.Rules = append(p.m.Rules, r)
	}
	return nil
}

// conditions are joined by commas, which may be missing.
func (p *parser) conditions() (param.Formula, error) {
	var and param.And
	for {
		c, err := p.condition()
		if err != nil {
			return nil, err
		}
		and = append(and, c...)
		if !p.Accept(",") && (p.atSection() || p.Peek().Kind != syntax.Name) {
			break
		}
	}
	if len(and) == 1 {
		return and[0], nil
	}
	return and, nil
}

// condition is x = k, x >= k, x <= k or x in [k, k].
func (p *parser) condition() ([]param.Formula, error) {
	v, err := p.variable()
	if err != nil {
		return nil, err
	}
	compare := func(op param.Op, k int64) param.Formula {
		return param.Compare{Op: op, Left: param.Variable(v), Right: param.Linear{Const: k}}
	}
	if p.Accept("in") {
		if err := p.Expect("["); err != nil {
			return nil, err
		}
		lo, err := p.Number()
		if err != nil {
			return nil, err
		}
		if err := p.Expect(","); err != nil {
			return nil, err
		}
		hi, err := p.Number()
		if err != nil {
			return nil, err
		}
		return []param.Formula{compare(param.Ge, lo.Value), compare(param.Le, hi.Value)}, p.Expect("]")
	}
	op := p.Next()
	ops := map[string]param.Op{"=": param.Eq, ">=": param.Ge, "<=": param.Le}
	known, ok := ops[op.Text]
	if !ok {
		return nil, p.Errorf(op, "expected =, >=, <= or in, found %s", op.Text)
	}
	k, err := p.Number()
	return []param.Formula{compare(known, k.Value)}, err
}

func (p *parser) variable() (int, error) {
	t, err := p.Name("a variable")
	if err != nil {
		return 0, err
	}
	v, ok := p.names[t.Text]
	if !ok {
		return 0, p.Errorf(t, "%s is not declared in vars", t.Text)
	}
	return v, nil
}

// update is x' = sum.
func (p *parser) update(r *param.Rule) error {
	t := p.Peek()
	v, err := p.variable()
	if err != nil {
		return err
	}
	if err := p.Expect("'"); err != nil {
		return err
	}
	if err := p.Expect("="); err != nil {
		return err
	}
	value, err := p.sum()
	if err != nil {
		return err
	}
	for _, u := range r.Updates {
		switch moved := len(u.Value.Terms) > 1; {
		case u.Var != v:
		case moved && len(value.Terms) == 0 && value.Const == 0:
			return nil // it is what others are moved to
		default:
			return p.Errorf(t, "%s' has two values in this rule", t.Text)
		}
	}
	r.Updates = append(r.Updates, param.Update{Var: v, Value: value})
	return nil
}

// empty gives 0 to the variables of a transfer, x' = x + y + z, that have no value of their own: what
// they held is moved.
func empty(r *param.Rule) {
	set := map[int]bool{}
	for _, u := range r.Updates {
		set[u.Var] = true
	}
	for _, u := range r.Updates {
		for _, t := range u.Value.Terms {
			if t.Var != u.Var && !set[t.Var] {
				set[t.Var] = true
				r.Updates = append(r.Updates, param.Update{Var: t.Var})
			}
		}
	}
}

func (p *parser) sum() (param.Linear, error) {
	var sum param.Linear
	sign := int64(1)
	if p.Accept("-") {
		sign = -1
	}
	for {
		t := p.Peek()
		if t.Kind == syntax.Number {
			p.Next()
			sum = sum.Add(sign, param.Linear{Const: t.Value})
		} else {
			v, err := p.variable()
			if err != nil {
				return sum, err
			}
			sum = sum.Add(sign, param.Variable(v))
		}
		if sum.Const > syntax.MaxNumber || sum.Const < -syntax.MaxNumber {
			return sum, p.Errorf(t, "the numbers of this sum are too large")
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

func (p *parser) init() error {
	t := p.Peek()
	if err := p.Expect("init"); err != nil {
		return err
	}
	p.m.InitPos, p.m.Init = p.Pos(t), param.Truth(true)
	if p.atSection() {
		return nil
	}
	f, err := p.conditions()
	p.m.Init = f
	return err
}

func (p *parser) target() error {
	t := p.Peek()
	if err := p.Expect("target"); err != nil {
		return err
	}
	var or param.Or
	for !p.atSection() {
		f, err := p.line()
		if err != nil {
			return err
		}
		or = append(or, f)
	}
	if len(or) == 0 {
		return p.Unexpected("expected what must not be reached")
	}
	b := param.Property{Pos: p.Pos(t), Formula: or}
	if len(or) == 1 {
		b.Formula = or[0]
	}
	p.m.Bad = []param.Property{b}
	return nil
}

// line is a line of conditions; it goes on behind a comma at its end.
func (p *parser) line() (param.Formula, error) {
	var and param.And
	line := p.Pos(p.Peek()).Line
	for {
		c, err := p.condition()
		if err != nil {
			return nil, err
		}
		and = append(and, c...)
		if p.Accept(",") {
			line = p.Pos(p.Peek()).Line
			continue
		}
		if p.atSection() || p.Pos(p.Peek()).Line != line {
			break
		}
	}
	if len(and) == 1 {
		return and[0], nil
	}
	return and, nil
}

func (p *parser) invariants() error {
	if !p.Accept("invariants") {
		return nil
	}
	for !p.atSection() {
		if _, err := p.condition(); err != nil {
			return err
		}
		p.Accept(",")
	}
	return nil
}
