package ltl

import (
	"fmt"
	"strconv"
)

// An Op is the operator of a formula in negation normal form.
type Op uint8

// The operators.
const (
	True Op = iota
	False
	Prop    // a proposition
	NotProp // its negation
	And
	Or
	Next
	Until
	Release // the dual of Until: a R b = ¬(¬a U ¬b)
)

// A Formula is a formula in negation normal form, of one [Pool]: equal formulas are one.
type Formula struct {
	op   Op
	prop int
	l, r *Formula
	id   int
}

// Op is the operator.
func (f *Formula) Op() Op { return f.op }

// MaxProps bounds the propositions of a formula, which are numbered from 0.
const MaxProps = 64

// A Pool makes formulas, each once.
type Pool struct {
	known map[Formula]*Formula // by a formula without a number
	all   []*Formula
}

// NewPool has no formulas.
func NewPool() *Pool { return &Pool{known: map[Formula]*Formula{}} }

func (p *Pool) make(op Op, prop int, l, r *Formula) *Formula {
	key := Formula{op: op, prop: prop, l: l, r: r}
	if f, ok := p.known[key]; ok {
		return f
	}
	f := key
	f.id = len(p.all)
	p.known[key] = &f
	p.all = append(p.all, &f)
	return &f
}

// Bool is true or false.
func (p *Pool) Bool(b bool) *Formula {
	if b {
		return p.make(True, 0, nil, nil)
	}
	return p.make(False, 0, nil, nil)
}

// Prop is the proposition of a number below [MaxProps].
func (p *Pool) Prop(n int) *Formula { return p.make(Prop, n, nil, nil) }

// Not is the negation.
func (p *Pool) Not(f *Formula) *Formula {
	switch f.op {
	case True, False:
		return p.Bool(f.op == False)
	case Prop:
		return p.make(NotProp, f.prop, nil, nil)
	case NotProp:
		return p.make(Prop, f.prop, nil, nil)
	case And:
		return p.Or(p.Not(f.l), p.Not(f.r))
	case Or:
		return p.And(p.Not(f.l), p.Not(f.r))
	case Next:
		return p.Next(p.Not(f.l))
	case Until:
		return p.Release(p.Not(f.l), p.Not(f.r))
	}
	return p.Until(p.Not(f.l), p.Not(f.r))
}

// And is the conjunction.
func (p *Pool) And(a, b *Formula) *Formula {
	switch {
	case a.op == True || a == b:
		return b
	case b.op == True:
		return a
	case a.op == False || b.op == False || p.contradict(a, b):
		return p.Bool(false)
	}
	if a.id > b.id {
		a, b = b, a
	}
	return p.make(And, 0, a, b)
}

// Or is the disjunction.
func (p *Pool) Or(a, b *Formula) *Formula {
	switch {
	case a.op == False || a == b:
		return b
	case b.op == False:
		return a
	case a.op == True || b.op == True || p.contradict(a, b):
		return p.Bool(true)
	}
	if a.id > b.id {
		a, b = b, a
	}
	return p.make(Or, 0, a, b)
}

// contradict reports whether one is a proposition and the other its negation.
func (p *Pool) contradict(a, b *Formula) bool {
	return (a.op == Prop && b.op == NotProp || a.op == NotProp && b.op == Prop) && a.prop == b.prop
}

// Next is X f.
func (p *Pool) Next(f *Formula) *Formula {
	if f.op == True || f.op == False {
		return f
	}
	return p.make(Next, 0, f, nil)
}

// Until is a U b.
func (p *Pool) Until(a, b *Formula) *Formula {
	switch {
	case b.op == True || b.op == False || a.op == False || a == b:
		return b
	case a.op == True && b.op == Until && b.l.op == True: // <><>f
		return b
	case b.op == Until && b.l == a:
		return b
	case a.op == True && b.op == Release && b.l.op == False && b.r.op == Until && b.r.l.op == True: // <>[]<>f
		return b
	}
	return p.make(Until, 0, a, b)
}

// Release is a R b.
func (p *Pool) Release(a, b *Formula) *Formula {
	switch {
	case b.op == True || b.op == False || a.op == True || a == b:
		return b
	case a.op == False && b.op == Release && b.l.op == False: // [][]f
		return b
	case b.op == Release && b.l == a:
		return b
	case a.op == False && b.op == Until && b.l.op == True && b.r.op == Release && b.r.l.op == False: // []<>[]f
		return b
	}
	return p.make(Release, 0, a, b)
}

// Eventually is <> f.
func (p *Pool) Eventually(f *Formula) *Formula { return p.Until(p.Bool(true), f) }

// Always is [] f.
func (p *Pool) Always(f *Formula) *Formula { return p.Release(p.Bool(false), f) }

// WeakUntil is a W b: a U b, or a for ever.
func (p *Pool) WeakUntil(a, b *Formula) *Formula { return p.Release(b, p.Or(a, b)) }

// Implies is a -> b.
func (p *Pool) Implies(a, b *Formula) *Formula { return p.Or(p.Not(a), b) }

// Equivalent is a <-> b.
func (p *Pool) Equivalent(a, b *Formula) *Formula {
	return p.Or(p.And(a, b), p.And(p.Not(a), p.Not(b)))
}

// HasNext reports whether X occurs.
func (f *Formula) HasNext() bool {
	seen := map[*Formula]bool{}
	var in func(f *Formula) bool
	in = func(f *Formula) bool {
		if f == nil || seen[f] {
			return false
		}
		seen[f] = true
		return f.op == Next || in(f.l) || in(f.r)
	}
	return in(f)
}

// String writes the formula with p0, p1, … for propositions.
func (f *Formula) String() string {
	return f.Text(func(n int) string { return "p" + strconv.Itoa(n) })
}

// Text writes the formula with names for propositions, in parentheses wherever there are two operands.
func (f *Formula) Text(name func(n int) string) string {
	t := func(f *Formula) string { return f.Text(name) }
	switch f.op {
	case True:
		return "true"
	case False:
		return "false"
	case Prop:
		return name(f.prop)
	case NotProp:
		return "!" + name(f.prop)
	case Next:
		return "X " + t(f.l)
	case Until:
		if f.l.op == True {
			return "<> " + t(f.r)
		}
	case Release:
		if f.l.op == False {
			return "[] " + t(f.r)
		}
	}
	sign := map[Op]string{And: "&&", Or: "||", Until: "U", Release: "R"}[f.op]
	return fmt.Sprintf("(%s %s %s)", t(f.l), sign, t(f.r))
}
