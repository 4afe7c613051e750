package param

import (
	"slices"

	"magus/param/syntax"
)

// rules reads a rule, as often as its for says.
func (p *parser) rules(t syntax.Token) error {
	if !p.Accept("for") {
		return p.rule(t, "")
	}
	name, err := p.Name("a name for the index")
	if err != nil {
		return err
	}
	if _, taken := p.names[name.Text]; taken || Keyword(name.Text) {
		return p.Errorf(name, "%s cannot be the name of an index: it has a meaning already", name.Text)
	}
	if err := p.Expect("in"); err != nil {
		return err
	}
	lo, hi, err := p.interval()
	if err != nil {
		return err
	}
	p.Accept(":") // as people write it
	body := p.Cursor
	p.bound = name.Text
	for v := lo; v <= hi; v++ {
		p.Cursor, p.value = body, v
		if err := p.rule(t, indexed("", v)); err != nil {
			return err
		}
	}
	p.bound = ""
	return nil
}

func (p *parser) rule(t syntax.Token, suffix string) error {
	if len(p.m.Rules) >= MaxRules {
		return p.Errorf(t, "a model has at most %d rules", MaxRules)
	}
	r := Rule{Pos: p.Pos(t), Guard: Truth(true)}
	if p.Peek().Kind == syntax.Name && p.PeekAt(1).Text == ":" {
		r.Name = p.Next().Text + suffix
		p.Next()
		for _, other := range p.m.Rules {
			if other.Name == r.Name {
				return p.Errorf(t, "the rule %s stands already in line %d", r.Name, other.Pos.Line)
			}
		}
	}
	var err error
	if r.From, err = p.sources(); err != nil {
		return err
	}
	if err := p.Expect("->"); err != nil {
		return err
	}
	if r.To, err = p.sources(); err != nil {
		return err
	}
	if p.Accept(":") {
		if err := p.statement(&r); err != nil {
			return err
		}
	}
	p.m.Rules = append(p.m.Rules, r)
	return p.Expect(";")
}

// sources are local states, possibly none.
func (p *parser) sources() ([]int, error) {
	var states []int
	for p.Peek().Kind == syntax.Name {
		q, err := p.local()
		if err != nil {
			return nil, err
		}
		states = append(states, q)
		if !p.Accept(",") {
			break
		}
	}
	return states, nil
}

func (p *parser) local() (int, error) {
	t := p.Peek()
	q, err := p.ref()
	if err == nil && p.m.Names[q].Kind != Local {
		err = p.Errorf(t, "%s is no local state", p.m.Names[q].Text)
	}
	return q, err
}

// statement parts what stands behind the colon of a rule in guard, transfers and updates.
func (p *parser) statement(r *Rule) error {
	p.inRule = r
	f, err := p.formula()
	p.inRule = nil
	if err != nil {
		return err
	}
	parts, ok := f.(And)
	if !ok {
		parts = And{f}
	}
	var guard And
	for _, part := range parts {
		switch part := part.(type) {
		case assign:
			err = p.update(r, part)
		case Not:
			if a, ok := part.F.(assign); ok && a.truth {
				a.value = Linear{}
				err = p.update(r, a)
			} else {
				guard = append(guard, part)
			}
		case transfer:
			err = p.transfer(r, part)
		default:
			guard = append(guard, part)
		}
		if err != nil {
			return err
		}
	}
	for _, g := range guard {
		if at, ok := misplaced(g); ok {
			return p.Errorf(at, "what happens to %s cannot depend on or, not or parentheses; write several rules", at.Text)
		}
	}
	switch len(guard) {
	case 0:
	case 1:
		r.Guard = guard[0]
	default:
		r.Guard = guard
	}
	return nil
}

// An assign and a transfer are parts of rules that the parser meets where formulas stand.
type (
	assign struct {
		at    syntax.Token
		vars  []int
		value Linear
		truth bool // the variable alone: x' or not x'
	}
	transfer struct {
		at syntax.Token
		Transfer
	}
)

func (assign) isFormula()   {}
func (transfer) isFormula() {}

// misplaced finds an assignment or transfer within a formula.
func misplaced(f Formula) (at syntax.Token, found bool) {
	var parts []Formula
	switch f := f.(type) {
	case assign:
		return f.at, true
	case transfer:
		return f.at, true
	case And:
		parts = f
	case Or:
		parts = f
	case Not:
		parts = []Formula{f.F}
	}
	for _, g := range parts {
		if at, found := misplaced(g); found {
			return at, true
		}
	}
	return syntax.Token{}, false
}

func (p *parser) update(r *Rule, a assign) error {
	for _, v := range a.vars {
		if slices.ContainsFunc(r.Updates, func(u Update) bool { return u.Var == v }) {
			return p.Errorf(a.at, "%s' has two values in this rule", p.m.Names[v].Text)
		}
		r.Updates = append(r.Updates, Update{v, a.value})
	}
	return nil
}

func (p *parser) transfer(r *Rule, t transfer) error {
	if slices.ContainsFunc(r.Transfers, func(o Transfer) bool { return o.From == t.From }) {
		return p.Errorf(t.at, "two all in this rule move what is in %s", p.m.Names[t.From].Text)
	}
	r.Transfers = append(r.Transfers, t.Transfer)
	return nil
}
