package paramtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Random is the text of a random model: two to four local states, up to two booleans, a small range, up to
// two counters, perhaps a parameter, and all that rules can have.
func Random(r *rand.Rand) string {
	g := &generator{r: r}
	for i := range 2 + r.IntN(3) {
		g.states = append(g.states, fmt.Sprintf("q%d", i))
	}
	for i := range r.IntN(3) {
		g.nats = append(g.nats, fmt.Sprintf("x%d", i))
	}
	for i := range r.IntN(3) {
		g.bools = append(g.bools, fmt.Sprintf("b%d", i))
	}
	g.ranged, g.parameter = r.IntN(4) == 0, r.IntN(5) == 0
	text := g.model()
	if g.parameter && r.IntN(3) == 0 { // one value only
		text = strings.Replace(text, "parameter N >= ", "parameter N = ", 1)
	}
	return text
}

type generator struct {
	r                   *rand.Rand
	states, nats, bools []string
	ranged, parameter   bool
}

func (g *generator) model() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+";\n", args...) }
	line("states %s", strings.Join(g.states, ", "))
	for _, x := range g.nats {
		line("shared %s: nat", x)
	}
	for _, x := range g.bools {
		line("shared %s: bool", x)
	}
	if g.ranged {
		line("shared k: 0..2")
	}
	if g.parameter {
		line("parameter N >= %d", g.r.IntN(2))
	}
	for range 2 + g.r.IntN(6) {
		g.rule(line)
	}
	g.init(line)
	for range 1 + g.r.IntN(2) {
		line("bad %s", g.badCondition())
	}
	return b.String()
}

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

func (g *generator) rule(line func(string, ...any)) {
	n := []int{0, 1, 1, 1, 1, 2, 2}[g.r.IntN(7)]
	from, to := n, n
	if g.r.IntN(8) == 0 {
		to = g.r.IntN(3)
	}
	list := func(n int) string {
		var qs []string
		for range n {
			qs = append(qs, pick(g.r, g.states))
		}
		return strings.Join(qs, ", ")
	}
	var parts []string
	for range g.r.IntN(3) {
		parts = append(parts, g.condition())
	}
	if g.r.IntN(10) == 0 {
		parts = append(parts, "others in {"+pick(g.r, g.states)+", "+pick(g.r, g.states)+"}")
	}
	if g.r.IntN(8) == 0 {
		parts = append(parts, fmt.Sprintf("all %s -> %s", pick(g.r, g.states), pick(g.r, g.states)))
	}
	for _, x := range g.nats {
		if g.r.IntN(3) == 0 {
			parts = append(parts, x+"' = "+g.value(x))
		}
	}
	for _, x := range g.bools {
		switch g.r.IntN(6) {
		case 0:
			parts = append(parts, x+"'")
		case 1:
			parts = append(parts, "not "+x+"'")
		}
	}
	if g.ranged && g.r.IntN(3) == 0 {
		parts = append(parts, "k' = "+[]string{"k + 1", "k - 1", "0", "2", "2 - k"}[g.r.IntN(5)])
	}
	text := list(from) + " -> " + list(to)
	if len(parts) > 0 {
		text += " : " + strings.Join(parts, ", ")
	}
	line("rule %s", text)
}

func (g *generator) value(x string) string {
	other := pick(g.r, g.nats)
	return []string{x + " + 1", x + " + 1", x + " - 1", x + " - 1", "0", "1", other, x + " + " + other,
		"2*" + x, pick(g.r, g.states)}[g.r.IntN(10)]
}

// number is something to compare.
func (g *generator) number() string {
	all := append(append([]string{}, g.states...), g.nats...)
	all = append(all, g.nats...)
	if g.parameter {
		all = append(all, "N")
	}
	if g.ranged {
		all = append(all, "k")
	}
	return pick(g.r, all)
}

func (g *generator) condition() string {
	if len(g.bools) > 0 && g.r.IntN(3) == 0 {
		return []string{"", "not "}[g.r.IntN(2)] + pick(g.r, g.bools)
	}
	op := []string{"=", ">=", ">=", "<=", "!=", "<"}[g.r.IntN(6)]
	switch g.r.IntN(5) {
	case 0:
		return fmt.Sprintf("%s %s %s", g.number(), op, g.number())
	case 1:
		return fmt.Sprintf("(%s or %s %s %d)", pick(g.r, g.states), g.number(), op, g.r.IntN(3))
	}
	return fmt.Sprintf("%s %s %d", g.number(), op, g.r.IntN(3))
}

func (g *generator) badCondition() string {
	parts := []string{fmt.Sprintf("%s >= %d", g.number(), 1+g.r.IntN(3))}
	for range g.r.IntN(3) {
		parts = append(parts, g.condition())
	}
	if g.r.IntN(20) == 0 {
		return "deadlock"
	}
	return strings.Join(parts, ", ")
}

func (g *generator) init(line func(string, ...any)) {
	parts := []string{g.states[0] + " >= " + fmt.Sprint(g.r.IntN(2))}
	if g.r.IntN(3) == 0 {
		parts = append(parts, g.states[1]+" = "+fmt.Sprint(g.r.IntN(2)))
	}
	for i, x := range g.nats {
		switch {
		case g.parameter && i == 0 && g.r.IntN(2) == 0:
			parts = append(parts, x+" = N")
		case g.r.IntN(6) == 0:
			parts = append(parts, x+" >= 0")
		default:
			parts = append(parts, fmt.Sprintf("%s = %d", x, g.r.IntN(2)))
		}
	}
	for _, x := range g.bools {
		switch g.r.IntN(5) {
		case 0:
			parts = append(parts, x+" >= 0")
		case 1, 2:
			parts = append(parts, x)
		default:
			parts = append(parts, "not "+x)
		}
	}
	if g.ranged {
		parts = append(parts, fmt.Sprintf("k = %d", g.r.IntN(3)))
	}
	line("init %s", strings.Join(parts, ", "))
}
