package param

import (
	"fmt"
	"slices"
	"strings"
)

// Format writes the model in the language of grammar.txt. Parsing it gives the same model, but for
// places, names of rules that ranges have numbered, and formulas that the language has shorter words for.
func (m *Model) Format() string {
	var b strings.Builder
	m.formatNames(&b)
	if g := m.Formula(m.Given); g != "true" {
		fmt.Fprintf(&b, "parameter %s;\n", g)
	}
	b.WriteByte('\n')
	for i := range m.Rules {
		fmt.Fprintf(&b, "rule %s;\n", m.RuleText(i))
	}
	fmt.Fprintf(&b, "\ninit %s;\n", m.Formula(m.Init))
	for _, p := range m.Bad {
		name := ""
		if p.Name != "" {
			name = p.Name + ": "
		}
		fmt.Fprintf(&b, "bad %s%s;\n", name, m.Formula(p.Formula))
	}
	return b.String()
}

func (m *Model) formatNames(b *strings.Builder) {
	list := func(keyword string, kind Kind, suffix func(Name) string) {
		var names []string
		for i, n := range m.Names {
			if n.Kind == kind {
				names = append(names, m.text(i)+suffix(n))
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(b, "%s %s;\n", keyword, strings.Join(names, ", "))
		}
	}
	list("states", Local, func(n Name) string {
		if i := strings.IndexByte(n.Text, '['); i >= 0 { // one of a range
			number := strings.Trim(n.Text[i:], "[]")
			return ".." + number + "]"
		}
		return ""
	})
	list("shared", Nat, func(Name) string { return ": nat" })
	list("shared", Range, func(n Name) string { return fmt.Sprintf(": %d..%d", n.Lo, n.Hi) })
	list("shared", Bool, func(Name) string { return ": bool" })
	list("parameter", Parameter, func(Name) string { return "" })
}

// text is a name as it is declared; of one of a range the end is missing.
func (m *Model) text(i int) string {
	if n := m.Names[i]; n.Kind == Local {
		return strings.TrimSuffix(n.Text, "]")
	}
	return m.Names[i].Text
}

// RuleText is a rule as it stands behind the word rule.
func (m *Model) RuleText(i int) string {
	r := &m.Rules[i]
	var b strings.Builder
	if r.Name != "" {
		b.WriteString(ruleName(r.Name) + ": ")
	}
	move := strings.TrimSpace(strings.Join([]string{m.list(r.From), "->", m.list(r.To)}, " "))
	b.WriteString(move)
	var parts []string
	if g := m.Formula(r.Guard); g != "true" {
		parts = append(parts, m.within(r.Guard, andLevel))
	}
	for _, t := range r.Transfers {
		parts = append(parts, fmt.Sprintf("all %s -> %s", m.Names[t.From].Text, m.Names[t.To].Text))
	}
	for _, u := range r.Updates {
		parts = append(parts, fmt.Sprintf("%s' = %s", m.Names[u.Var].Text, m.Linear(u.Value)))
	}
	if len(parts) > 0 {
		b.WriteString(" : " + strings.Join(parts, ", "))
	}
	return b.String()
}

// ruleName writes r[2] as r_2: the index of a range is no part of a name.
func ruleName(name string) string {
	return strings.NewReplacer("[", "_", "]", "").Replace(name)
}

func (m *Model) list(states []int) string {
	names := make([]string, len(states))
	for i, q := range states {
		names[i] = m.Names[q].Text
	}
	return strings.Join(names, ", ")
}

// Linear writes a linear expression.
func (m *Model) Linear(l Linear) string {
	var b strings.Builder
	sign := func(n int64) int64 {
		switch {
		case n < 0 && b.Len() == 0:
			b.WriteByte('-')
		case n < 0:
			b.WriteString(" - ")
		case b.Len() > 0:
			b.WriteString(" + ")
		}
		return max(n, -n)
	}
	for _, t := range l.Terms {
		if k := sign(t.Coef); k != 1 {
			fmt.Fprintf(&b, "%d*", k)
		}
		b.WriteString(m.Names[t.Var].Text)
	}
	if l.Const != 0 || b.Len() == 0 {
		fmt.Fprint(&b, sign(l.Const))
	}
	return b.String()
}

// Levels of binding.
const (
	orLevel = iota
	andLevel
	notLevel
)

// Formula writes a formula.
func (m *Model) Formula(f Formula) string { return m.within(f, orLevel) }

// within writes a formula where only what binds at least as strongly as level may stand.
func (m *Model) within(f Formula, level int) string {
	var text string
	binds := notLevel
	switch f := f.(type) {
	case Compare:
		text = fmt.Sprintf("%s %v %s", m.Linear(f.Left), f.Op, m.Linear(f.Right))
	case And:
		switch len(f) {
		case 0:
			return "true"
		case 1:
			return m.within(f[0], level)
		}
		text, binds = m.join(f, ", ", notLevel), andLevel
	case Or:
		switch len(f) {
		case 0:
			return "false"
		case 1:
			return m.within(f[0], level)
		}
		text, binds = m.join(f, " or ", andLevel), orLevel
	case Not:
		text = "not " + m.negated(f.F)
	case Truth:
		text = fmt.Sprint(bool(f))
	case Deadlock:
		text = "deadlock"
	}
	if binds < level {
		return "(" + text + ")"
	}
	return text
}

// negated writes what stands behind not: a comparison needs no parentheses, but is read better with.
func (m *Model) negated(f Formula) string {
	if text := m.within(f, notLevel); strings.HasPrefix(text, "(") {
		return text
	}
	return "(" + m.within(f, orLevel) + ")"
}

func (m *Model) join(fs []Formula, sep string, level int) string {
	parts := make([]string, len(fs))
	for i, f := range fs {
		parts[i] = m.within(f, level)
	}
	return strings.Join(parts, sep)
}

// Config writes a configuration; values of 0 are left out, false booleans too.
func (m *Model) Config(c Config) string {
	var parts []string
	for i, n := range m.Names {
		switch {
		case c[i] == 0:
		case n.Kind == Bool:
			parts = append(parts, n.Text)
		default:
			parts = append(parts, fmt.Sprintf("%s = %d", n.Text, c[i]))
		}
	}
	if len(parts) == 0 {
		return "all 0"
	}
	return strings.Join(parts, ", ")
}

// Equal reports whether two models are the same but for places.
func (m *Model) Equal(o *Model) bool { return slices.Equal(m.lines(), o.lines()) }

func (m *Model) lines() []string { return strings.Split(m.Format(), "\n") }
