package param

import (
	"slices"

	"magus/param/syntax"
)

// keywords cannot be names.
var keywords = []string{"states", "shared", "parameter", "rule", "init", "bad", "for", "in", "and", "or", "not",
	"true", "false", "all", "others", "deadlock", "nat", "bool"}

// Keyword reports whether a word of the language cannot be a name.
func Keyword(word string) bool { return slices.Contains(keywords, word) }

// MaxNames, MaxRules and MaxSize bound what a file can declare; what is written with ranges counts in full.
const (
	MaxNames = 1000
	MaxRules = 10000
	MaxSize  = 200_000 // comparisons, those that others stands for included
)

// Parse reads a model file in the language of grammar.txt. The error is a *syntax.Error.
func Parse(name string, text []byte) (*Model, error) {
	src, tokens, err := syntax.Scan(name, text)
	if err != nil {
		return nil, err
	}
	p := &parser{Cursor: syntax.NewCursor(src, tokens), m: &Model{}, names: map[string]int{}}
	if err := p.model(); err != nil {
		return nil, err
	}
	return p.m, nil
}

type parser struct {
	syntax.Cursor
	m       *Model
	names   map[string]int
	init    *syntax.Token // where init stood
	inRule  *Rule         // the rule that is read
	inBad   bool
	inParam bool
	listed  bool   // others in a rule has listed the local states
	bound   string // the name of for, and its value
	value   int64
	depth   int
	size    int // comparisons that were made
}

func (p *parser) model() error {
	for p.Peek().Kind != syntax.End {
		if err := p.item(); err != nil {
			return err
		}
	}
	end := p.Peek()
	switch {
	case p.init == nil:
		return p.Errorf(end, "init is missing: it says how the system begins")
	case len(p.m.Bad) == 0:
		return p.Errorf(end, "bad is missing: it says what must not be reached")
	}
	return p.completeInit()
}

func (p *parser) item() error {
	word := p.Next()
	read, known := map[string]func(syntax.Token) error{
		"states": p.states, "shared": p.shared, "parameter": p.parameter,
		"rule": p.rules, "init": p.initial, "bad": p.bad,
	}[word.Text]
	if !known || word.Kind != syntax.Name {
		return p.Errorf(word, "expected states, shared, parameter, rule, init or bad, found %s", word.Text)
	}
	return read(word)
}

// declare adds a name.
func (p *parser) declare(t syntax.Token, n Name) error {
	if Keyword(t.Text) {
		return p.Errorf(t, "%s has a meaning of its own and cannot be a name", t.Text)
	}
	if old, ok := p.names[n.Text]; ok {
		return p.Errorf(t, "%s is declared already, in line %d", n.Text, p.m.Names[old].Pos.Line)
	}
	if len(p.m.Names) >= MaxNames {
		return p.Errorf(t, "a model has at most %d names", MaxNames)
	}
	n.Pos = p.Pos(t)
	p.names[n.Text] = len(p.m.Names)
	p.m.Names = append(p.m.Names, n)
	return nil
}

func (p *parser) states(word syntax.Token) error {
	if p.listed {
		return p.Errorf(word, "a rule above says where all others are; local states are declared before it")
	}
	for {
		t, err := p.Name("a local state")
		if err != nil {
			return err
		}
		if !p.Accept("[") {
			err = p.declare(t, Name{Text: t.Text, Kind: Local})
		} else {
			var lo, hi int64
			if lo, hi, err = p.interval(); err == nil {
				err = p.Expect("]")
			}
			for v := lo; v <= hi && err == nil; v++ {
				err = p.declare(t, Name{Text: indexed(t.Text, v), Kind: Local})
			}
		}
		if err != nil {
			return err
		}
		if !p.Accept(",") {
			return p.Expect(";")
		}
	}
}

func indexed(name string, v int64) string { return name + "[" + itoa(int(v)) + "]" }

// interval is Number..Number.
func (p *parser) interval() (lo, hi int64, err error) {
	first, err := p.Number()
	if err != nil {
		return 0, 0, err
	}
	if err := p.Expect(".."); err != nil {
		return 0, 0, err
	}
	last, err := p.Number()
	if err != nil {
		return 0, 0, err
	}
	if last.Value < first.Value {
		return 0, 0, p.Errorf(last, "the range %d..%d is empty", first.Value, last.Value)
	}
	return first.Value, last.Value, nil
}

func (p *parser) shared(syntax.Token) error {
	for {
		var group []syntax.Token
		for {
			t, err := p.Name("a shared variable")
			if err != nil {
				return err
			}
			group = append(group, t)
			if !p.Accept(",") {
				break
			}
		}
		if err := p.Expect(":"); err != nil {
			return err
		}
		n := Name{Kind: Nat}
		switch {
		case p.Accept("nat"):
		case p.Accept("bool"):
			n = Name{Kind: Bool, Hi: 1}
		case p.Peek().Kind == syntax.Number:
			lo, hi, err := p.interval()
			if err != nil {
				return err
			}
			n = Name{Kind: Range, Lo: lo, Hi: hi}
		default:
			return p.Unexpected("expected nat, bool or a range such as 0..3")
		}
		for _, t := range group {
			n.Text = t.Text
			if err := p.declare(t, n); err != nil {
				return err
			}
		}
		if !p.Accept(",") {
			return p.Expect(";")
		}
	}
}

func (p *parser) parameter(syntax.Token) error {
	// Names that are new in the formula are parameters.
	p.inParam = true
	f, err := p.formula()
	p.inParam = false
	if err != nil {
		return err
	}
	p.m.Given = conjoin(p.m.Given, f)
	return p.Expect(";")
}

// conjoin is the conjunction of both, without what is true anyway; f may be nil.
func conjoin(f, g Formula) Formula {
	var and And
	for _, part := range []Formula{f, g} {
		parts, ok := part.(And)
		if !ok {
			parts = And{part}
		}
		for _, p := range parts {
			if truth, ok := p.(Truth); p != nil && !(ok && bool(truth)) {
				and = append(and, p)
			}
		}
	}
	switch len(and) {
	case 0:
		return Truth(true)
	case 1:
		return and[0]
	}
	return and
}

func (p *parser) initial(t syntax.Token) error {
	if p.init != nil {
		return p.Errorf(t, "init stands already in line %d", p.Pos(*p.init).Line)
	}
	p.init, p.m.InitPos = &t, p.Pos(t)
	f, err := p.formula()
	if err != nil {
		return err
	}
	p.m.Init = f
	return p.Expect(";")
}

// completeInit empties the local states that init does not name.
func (p *parser) completeInit() error {
	named := make([]bool, len(p.m.Names))
	mark(p.m.Init, named)
	var empty And
	for i, n := range p.m.Names {
		switch {
		case named[i] || n.Kind == Parameter:
		case n.Kind == Local:
			empty = append(empty, Compare{Eq, Variable(i), Linear{}})
		default:
			return p.Errorf(*p.init, "init does not say what %s is; write %s >= 0 if it may be anything", n.Text, n.Text)
		}
	}
	if len(empty) > 0 {
		p.m.Init = conjoin(p.m.Init, empty)
	}
	if p.m.Given == nil {
		p.m.Given = Truth(true)
	}
	return nil
}

// mark sets what is named in a formula.
func mark(f Formula, named []bool) {
	switch f := f.(type) {
	case Compare:
		for _, t := range slices.Concat(f.Left.Terms, f.Right.Terms) {
			named[t.Var] = true
		}
	case And:
		for _, g := range f {
			mark(g, named)
		}
	case Or:
		for _, g := range f {
			mark(g, named)
		}
	case Not:
		mark(f.F, named)
	}
}

func (p *parser) bad(t syntax.Token) error {
	b := Property{Pos: p.Pos(t)}
	if p.Peek().Kind == syntax.Name && p.PeekAt(1).Text == ":" {
		b.Name = p.Next().Text
		p.Next()
		for _, other := range p.m.Bad {
			if other.Name == b.Name {
				return p.Errorf(t, "the property %s stands already in line %d", b.Name, other.Pos.Line)
			}
		}
	}
	p.inBad = true
	f, err := p.formula()
	p.inBad = false
	if err != nil {
		return err
	}
	b.Formula = f
	p.m.Bad = append(p.m.Bad, b)
	return p.Expect(";")
}
