package cert

import (
	"fmt"
	"strings"

	"magus/param"
)

// Queries are what a proof of a property comes to, for solvers of linear integer arithmetic: SMT-LIB
// commands, each of which must be answered with unsat. They are made of the formulas themselves, and so
// are a second way to check a proof.
func Queries(m *param.Model, property int, p *param.Proof) []string {
	q := &queries{m: m}
	init := param.And{m.Given, m.Init}
	inv, inside, outside := param.And(p.Invariants), param.Formula(param.Truth(true)), param.Or(p.Outside)
	if len(p.Inside) > 0 {
		inside = param.Or(p.Inside)
	}
	holds := param.And{inv, inside, param.Not{F: outside}}
	q.add(init, param.Not{F: holds})
	for r := range m.Rules {
		q.add(holds, enabled(m, r), param.Not{F: after(m, r, holds)})
	}
	q.add(holds, withoutDeadlock(m, m.Bad[property].Formula))
	return q.all
}

// withoutDeadlock says of deadlock what it means.
func withoutDeadlock(m *param.Model, f param.Formula) param.Formula {
	switch f := f.(type) {
	case param.Deadlock:
		var or param.Or
		for r := range m.Rules {
			or = append(or, enabled(m, r))
		}
		return param.Not{F: or}
	case param.Not:
		return param.Not{F: withoutDeadlock(m, f.F)}
	case param.And:
		var out param.And
		for _, g := range f {
			out = append(out, withoutDeadlock(m, g))
		}
		return out
	case param.Or:
		var out param.Or
		for _, g := range f {
			out = append(out, withoutDeadlock(m, g))
		}
		return out
	}
	return f
}

type queries struct {
	m   *param.Model
	all []string
}

func (q *queries) add(fs ...param.Formula) {
	var b strings.Builder
	b.WriteString("(push 1)\n")
	for i := range q.m.Names {
		fmt.Fprintf(&b, "(declare-const v%d Int)(assert (>= v%d 0))\n", i, i)
	}
	for _, f := range append([]param.Formula{ranges(q.m)}, fs...) {
		fmt.Fprintf(&b, "(assert %s)\n", smt(f))
	}
	b.WriteString("(check-sat)\n(pop 1)\n")
	q.all = append(q.all, b.String())
}

func smt(f param.Formula) string {
	list := func(op string, fs []param.Formula, none string) string {
		if len(fs) == 0 {
			return none
		}
		var b strings.Builder
		for _, g := range fs {
			b.WriteString(" " + smt(g))
		}
		return "(" + op + b.String() + ")"
	}
	switch f := f.(type) {
	case param.And:
		return list("and", f, "true")
	case param.Or:
		return list("or", f, "false")
	case param.Not:
		return "(not " + smt(f.F) + ")"
	case param.Compare:
		l, r := smtSum(f.Left), smtSum(f.Right)
		if f.Op == param.Ne {
			return fmt.Sprintf("(not (= %s %s))", l, r)
		}
		return fmt.Sprintf("(%v %s %s)", f.Op, l, r)
	case param.Truth:
		return fmt.Sprint(bool(f))
	}
	panic("cert: a formula of this kind has no query")
}

func smtSum(l param.Linear) string {
	number := func(n int64) string {
		if n < 0 {
			return fmt.Sprintf("(- %d)", -n)
		}
		return fmt.Sprint(n)
	}
	var b strings.Builder
	b.WriteString("(+ " + number(l.Const) + " 0")
	for _, t := range l.Terms {
		fmt.Fprintf(&b, " (* %s v%d)", number(t.Coef), t.Var)
	}
	return b.String() + ")"
}
