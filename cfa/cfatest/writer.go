package cfatest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A writer writes lines of C at random.
type writer struct {
	*rand.Rand
	id     int
	next   int // numbers in names
	text   strings.Builder
	indent int
	loops  int // around the line
}

func (g *writer) line(format string, args ...any) {
	g.text.WriteString(strings.Repeat("\t", g.indent))
	fmt.Fprintf(&g.text, format, args...)
	g.text.WriteByte('\n')
}

func (g *writer) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g *writer) name(prefix string) string {
	g.next++
	return fmt.Sprintf("%s%d_%d", prefix, g.id, g.next)
}
