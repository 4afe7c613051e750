package fsp

import (
	"context"
	"slices"
	"strings"

	"magus/lts"
	"magus/lts/assertion"
	"magus/lts/ltl"
)

// Asserts are the assertions of the file, one for each value of its indices. An action in a formula stands
// for all that begin with it, as in progress properties.
func (f *File) Asserts(ctx context.Context) (all []assertion.Assertion, err error) {
	defer caught(&err)
	b := f.builder(ctx, lts.NewActions(), lts.Limits{})
	known := map[string]*formulaDef{}
	for _, d := range f.formulas {
		if isProcess(d.keyword) {
			continue
		}
		if d.parse(f); known[d.name] != nil {
			b.src.fail(d.at, "%s is defined twice", d.name)
		}
		known[d.name] = d
	}
	for _, d := range f.formulas {
		if d.keyword != "assert" {
			continue
		}
		b.expand(d.indices, nil, func(index string, in *env) {
			m := &meant{builder: b, known: known, pool: ltl.NewPool(), numbers: map[string]int{}}
			a := assertion.Assertion{Name: indexed(d.name, index), Pool: m.pool}
			b.within("assertion", a.Name, d.at, func() { a.Formula = m.formula(d.body, in) })
			a.Props = m.props
			all = append(all, a)
		})
	}
	return all, nil
}

// meant makes the formula of one assertion.
type meant struct {
	*builder
	known   map[string]*formulaDef
	pool    *ltl.Pool
	props   []assertion.Prop
	numbers map[string]int // by proposition's name
	labels  []string       // that are met
}

func (m *meant) formula(f *formula, in *env) *ltl.Formula {
	m.step()
	arg := func(i int) *ltl.Formula { return m.formula(f.args[i], in) }
	switch f.op {
	case "actions":
		return m.acts(f, in)
	case "name":
		return m.named(f, in)
	case "forall", "exists":
		all := m.pool.Bool(f.op == "forall")
		m.expand(f.ranges, in, func(_ string, inner *env) {
			if g := m.formula(f.args[0], inner); f.op == "forall" {
				all = m.pool.And(all, g)
			} else {
				all = m.pool.Or(all, g)
			}
		})
		return all
	case "!":
		return m.pool.Not(arg(0))
	case "[]":
		return m.pool.Always(arg(0))
	case "<>":
		return m.pool.Eventually(arg(0))
	case "X":
		return m.pool.Next(arg(0))
	}
	of := map[string]func(a, b *ltl.Formula) *ltl.Formula{"&&": m.pool.And, "||": m.pool.Or, "->": m.pool.Implies,
		"<->": m.pool.Equivalent, "U": m.pool.Until, "W": m.pool.WeakUntil}
	return of[f.op](arg(0), arg(1))
}

// acts is the proposition that one of some actions is performed.
func (m *meant) acts(f *formula, in *env) *ltl.Formula {
	labels := m.texts(f.actions, in)
	if len(labels) == 0 {
		return m.pool.Bool(false)
	}
	name := strings.Join(labels, ", ")
	if len(labels) > 1 {
		name = "{" + name + "}"
	}
	return m.prop(f.at, assertion.Prop{Name: name, Acts: newSet(labels).covers})
}

func (m *meant) texts(l label, in *env) (all []string) {
	m.expand(l, in, func(text string, _ *env) { all = append(all, text) })
	m.labels = append(m.labels, all...)
	return all
}

// prop is a proposition, numbered when it is met first.
func (m *meant) prop(at int, p assertion.Prop) *ltl.Formula {
	n, ok := m.numbers[p.Name]
	if !ok {
		if n = len(m.props); n == ltl.MaxProps {
			m.src.fail(at, "a formula has at most %d propositions", ltl.MaxProps)
		}
		m.numbers[p.Name], m.props = n, append(m.props, p)
	}
	return m.pool.Prop(n)
}

// named is a fluent, or another assertion.
func (m *meant) named(f *formula, in *env) (out *ltl.Formula) {
	d := m.known[f.name]
	if d == nil {
		if f.name == "True" || f.name == "False" {
			return m.pool.Bool(f.name == "True")
		}
		m.src.fail(f.at, "there is no fluent and no assertion %s", f.name)
	}
	var wanted []string
	m.expand(f.indices, in, func(index string, _ *env) { wanted = append(wanted, index) })
	if len(wanted) != 1 && d.keyword == "assert" {
		m.src.fail(f.at, "%s is an assertion: write forall or exists, and not a range as its index", d.name)
	}
	out = m.pool.Bool(false)
	for _, want := range wanted {
		out = m.pool.Or(out, m.instance(f.at, d, want))
	}
	return out
}

// instance is a fluent, or another assertion, with values of its indices.
func (m *meant) instance(at int, d *formulaDef, want string) (out *ltl.Formula) {
	m.expand(d.indices, nil, func(index string, inner *env) {
		if index != want || out != nil {
			return
		}
		name := indexed(d.name, index)
		if d.keyword == "assert" {
			m.within("assertion", name, d.at, func() { out = m.formula(d.body, inner) })
			return
		}
		out = m.fluent(at, d, name, inner)
	})
	if out == nil {
		m.src.fail(at, "%s is declared for no such values of indices", indexed(d.name, want))
	}
	return out
}

func (m *meant) fluent(at int, d *formulaDef, name string, in *env) *ltl.Formula {
	begins, ends := m.texts(d.begins, in), m.texts(d.ends, in)
	for _, a := range begins {
		if slices.Contains(ends, a) {
			m.src.fail(d.at, "%s begins and ends %s", a, name)
		}
	}
	return m.prop(at, assertion.Prop{Name: name, Begins: newSet(begins).covers, Ends: newSet(ends).covers,
		Initially: d.initially != nil && m.holds(d.initially, in)})
}
