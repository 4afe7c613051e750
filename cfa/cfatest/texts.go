package cfatest

// Routines that are given texts and arrays.
//
// Idea: a routine reads and writes what its parameters point to, by indices that are
// constants, parameters or loops, and by pointers that walk; what its parameters point
// to is memory of its own, of at least [TextSize] elements. At its end it may call
// reach_error, if some of what it has seen together is rare but not impossible, or
// never. Whoever calls it with memory of that size sees defined behaviour.

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// TextSize is the number of elements that a routine may access.
const TextSize = 40

// TextParameters is how a routine of [Text] is declared: its parameters.
const TextParameters = "char *s, const unsigned char *t, int *a, void *v, struct box *b, unsigned i, unsigned j"

// TextPrelude declares what the routines share.
const TextPrelude = "struct box { char *buf; unsigned len; struct box *next; };\nextern void reach_error(void);\n"

type texts struct {
	*rand.Rand
	body strings.Builder
	next int
}

// Text is a random routine of that name with [TextParameters], none of which is NULL.
// The text needs [TextPrelude] in front.
func Text(name string, seed uint64, steps int) string {
	g := &texts{Rand: rand.New(rand.NewPCG(seed, 11))}
	for range 1 + g.IntN(steps) {
		g.step()
	}
	g.line("if (%s && %s) reach_error();", g.condition(), g.condition())
	return fmt.Sprintf("int %s(%s) {\n\tint n = 0, k;\n%s\treturn n;\n}\n", name, TextParameters, &g.body)
}

func (g *texts) line(format string, args ...any) { fmt.Fprintf(&g.body, "\t"+format+"\n", args...) }

func (g *texts) of(all ...string) string { return all[g.IntN(len(all))] }

// index is a number below 16.
func (g *texts) index() string { return g.of("0", "1", "2", "5", "i", "j", "(i + 1)", "(j ^ 1)") }

// letter is one of the few values that memory is compared with.
func (g *texts) letter() string { return g.of("'a'", "'b'", "0", "1") }

// scalar is one that memory holds.
func (g *texts) scalar() string {
	switch g.IntN(7) {
	case 0, 1:
		return fmt.Sprintf("s[%s]", g.index())
	case 2:
		return fmt.Sprintf("a[%s]", g.index())
	case 3:
		return fmt.Sprintf("((char *)v)[%s]", g.index())
	case 4:
		return fmt.Sprintf("((int *)v)[%s]", g.of("2", "3", "i", "j"))
	case 5:
		return "b->buf[b->len & 7]"
	}
	return fmt.Sprintf("b->buf[%s]", g.index())
}

func (g *texts) read() string {
	if g.IntN(3) == 0 {
		return fmt.Sprintf("t[%s]", g.index())
	}
	return g.scalar()
}

func (g *texts) condition() string {
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("n %s %d", g.of("==", ">", "!="), g.IntN(4))
	case 1:
		return fmt.Sprintf("%s == %s", g.read(), g.read())
	case 2:
		return fmt.Sprintf("%s %s %s", g.of("i", "j"), g.of("==", "<"), g.of("j", "3", "i"))
	}
	return fmt.Sprintf("%s %s %s", g.read(), g.of("==", "==", "!="), g.letter())
}

func (g *texts) step() {
	g.next++
	p := fmt.Sprintf("p%d", g.next)
	switch g.IntN(9) {
	case 0:
		g.line("%s = %s;", g.scalar(), g.letter())
	case 1:
		g.line("%s = %s;", g.scalar(), g.read())
	case 2:
		g.line("if (%s) n++;", g.condition())
	case 3:
		g.line("{ const char *%s = s; while (*%s == %s && %s < s + 8) %s++; n = %s - s; }", p, p, g.letter(), p, p, p)
	case 4:
		g.line("for (k = 0; k < 3 && t[k] == %s; k++) n++;", g.letter())
	case 5:
		g.line("{ char *%s = %s; *%s++ = %s; *%s = %s; }", p, g.of("s", "s + i", "b->buf", "(char *)v"), p,
			g.letter(), p, g.letter())
	case 6:
		g.line("if (%s) return %d;", g.condition(), g.IntN(3))
	case 7:
		g.line("if (b->next && b->next->buf[%s] == %s) n++;", g.index(), g.letter())
	default:
		g.line("if (s[i] == t[j]) n += 2;")
	}
}
