package cegar

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/cells"
	"magus/component"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// TestPairsOfElements: two elements of one array are compared.
func TestPairsOfElements(t *testing.T) {
	sample.Long(t)
	claim := errorClaim(t, `int a[1000]; int main(void) { int i; for (i = 0; i < 1000; i++) a[i] = i;
for (i = 1; i < 1000; i++) if (a[i] <= a[i - 1]) reach_error(); return 0; }`)
	opt := Options{Cells: cells.Pair, Loop: Loop{Engine: InductionEngine}}
	opt.Written = -1
	require.Equal(t, verdict.Conforms, runFor(t, claim, opt, 60))
}

// TestRandomCells: a proof about one arbitrary element of each array, or about one object, is there only for
// programs that have no error when all are told apart: with stores by other pointers, as other types, by
// callees, and of pieces; in lists that are built, changed and walked. A campaign says how many programs
// there are.
func TestRandomCells(t *testing.T) {
	sample.Long(t)
	for _, test := range []struct {
		name     string
		programs int
		text     func(seed uint64) string
		like     func(text string) string // the program that is proved
		hows     []cells.Choice
	}{
		{"arrays", 6, func(seed uint64) string { return newArrayProgram(seed).text() },
			func(text string) string { return text }, []cells.Choice{cells.Shared, cells.Apart, cells.Pair}},
		{"lengths", 5, func(seed uint64) string { return newArrayProgram(seed).text() }, ofLength,
			[]cells.Choice{cells.Shared, cells.Apart, cells.Pair}},
		{"lists", 8, func(seed uint64) string { return newArrayProgram(seed).list() },
			func(text string) string { return text }, []cells.Choice{cells.Object}},
	} {
		t.Run(test.name, func(t *testing.T) {
			safe, proved, wrong := 0, 0, 0
			for seed := range sample.Seeds(0, sample.Count(test.programs)) {
				text := test.text(seed)
				claim := errorClaim(t, text)
				exact := runFor(t, claim, Options{Modelling: cfa.Modelling{ArrayLimit: 24, HeapLimit: 4, Allocates: true},
					Loop: Loop{Engine: BoundedEngine}}, 20)
				switch exact {
				case verdict.Unknown:
					continue
				case verdict.Violates:
					wrong++
				default:
					safe++
				}
				found := false
				claim = errorClaim(t, test.like(text))
				for _, how := range test.hows {
					opt := Options{Modelling: cfa.Modelling{ArrayLimit: 2, Allocates: true}, Cells: how}
					opt.Engine, opt.Written = InductionEngine, -1
					if runFor(t, claim, opt, 8) == verdict.Conforms {
						require.Equal(t, verdict.Conforms, exact, "seed %d, %s\n%s", seed, how, text)
						found = true
					}
				}
				if found {
					proved++
				}
			}
			t.Logf("%d safe, %d of them proved, %d with errors", safe, proved, wrong)
			if sample.Whole() {
				require.Greater(t, 3*proved, safe)
				require.Greater(t, safe, 2)
				require.Positive(t, wrong)
			}
		})
	}
}

// ofLength is a program with an array of five elements as one of a length that is not constant, and is 5 when it runs.
func ofLength(text string) string {
	for _, array := range []struct{ declared, allocated string }{
		{"static int a[5];\n", "calloc(n, sizeof *a)"},
		{"int a[5];\n", "malloc(n * sizeof *a)"},
	} {
		if before, behind, ok := strings.Cut(text, array.declared); ok {
			head, body, _ := strings.Cut(before+behind, "v < 5);\n")
			text = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);\n" + head +
				"v < 5);\nint n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == 5); int *a = " + array.allocated + ";\n" + body
			break
		}
	}
	return strings.ReplaceAll(text, "sizeof a)", "5 * sizeof *a)")
}

// runFor is the verdict of so many steps of a session; unknown where there is nothing to follow.
func runFor(t *testing.T, c *component.Claim, opt Options, steps int) verdict.Verdict {
	t.Helper()
	s, err := NewSession(context.Background(), c, opt)
	if err != nil {
		require.ErrorIs(t, err, cells.ErrNone)
		return verdict.Unknown
	}
	defer s.Close()
	for range steps {
		if end, ok := s.Step(context.Background()).(Ended); ok {
			return end.Outcome.Verdict
		}
	}
	return verdict.Unknown
}

// An arrayProgram is a random program on small arrays that sets their elements and then checks them.
type arrayProgram struct {
	*rand.Rand
	tame bool // mostly all elements are 0 or 1
	b    strings.Builder
}

func newArrayProgram(seed uint64) *arrayProgram {
	return &arrayProgram{Rand: rand.New(rand.NewPCG(seed, 11)), tame: seed%3 > 0}
}

func (g *arrayProgram) pick(of ...string) string { return of[g.IntN(len(of))] }

// text is the program.
func (g *arrayProgram) text() string {
	static := ""
	if g.tame {
		static = "static "
	}
	g.b.WriteString(`extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);
void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
struct s { int x; char y; int z; };
` + g.pick("static int a[5];\n", "int a[5] = {1, 1};\n", "") + `void put(int *p, int i, int v) { p[i] = v; }
int get(int *p, int i) { return p[i]; }
int main(void) { int i, j, m = 0, v = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= v && v < 5);
`)
	if !strings.Contains(g.b.String(), "int a[5]") {
		g.b.WriteString(static + "int a[5];\n")
	}
	g.b.WriteString(static + "int b[5]; " + static + "struct s c[4]; int *p = " +
		g.pick("a", "b", "v ? a : b", "&a[1]", "a + v") + "; char *q = (char *)" +
		g.pick("a", "b", "c") + "; struct s *r = " + g.pick("c", "c + 1", "&c[v & 1]") + ";\n")
	for range 1 + g.IntN(3) {
		g.loop()
		if g.IntN(3) == 0 {
			g.piece()
		}
	}
	check := g.pick("a[i] == 1", "a[i] == i", "a[i] >= 0", "a[i] <= m", "a[i] == b[i]", "a[i] == c[i].x",
		"c[i].x == 1", "c[i].x == i", "b[i] == 1",
		"a[i] == 42", "b[i] <= i + 1", "c[i].z == c[i].x", "a[4 - i] == 1", "a[v] == 1", "get(a, i) == 1",
		"q[i] == 0", "c[i].y == 0")
	if g.tame {
		check = g.pick("a[i] == 0 || a[i] == 1", "b[i] <= 1", "c[i].x >= 0 && c[i].x <= 1",
			"c[i].z == 0 || c[i].z == 1", "a[i] <= 1 && b[i] <= 1",
			"(unsigned)a[4 - i] <= 1", "get(a, i) <= 1", check)
	}
	fmt.Fprintf(&g.b, "for (i = %s; i < 4; i++) if (!(%s)) reach_error();\nreturn 0; }\n", g.pick("0", "0", "1"), check)
	return g.b.String()
}

// loop passes elements and sets them.
func (g *arrayProgram) loop() {
	head := g.pick("i = 0; i < 4; i++", "i = 0; i < 4; i++", "i = 0; i < 5; i++", "i = 1; i < 4; i++",
		"i = 3; i >= 0; i--",
		"i = 0; i < 4; i += 2", "i = 0; i < v; i++", "i = 0; i <= v; i++")
	fmt.Fprintf(&g.b, "for (%s) { ", head)
	for range 1 + g.IntN(2) {
		g.statement()
	}
	g.b.WriteString("}\n")
}

func (g *arrayProgram) value() string {
	if g.tame && g.IntN(12) > 0 {
		return g.pick("1", "0", "i & 1", "a[i]", "b[i]", "!v", "c[i].x", "i > v", "1 - a[i]", "get(a, i)", "a[i] & 1")
	}
	return g.pick("1", "1", "i", "0", "42", "a[i]", "b[i]", "c[i].x", "i + 1", "v", "a[i] + 1", "get(a, i)", "p[0]")
}

// statement is one in a loop.
func (g *arrayProgram) statement() {
	v := g.value()
	if g.tame && g.IntN(10) > 0 {
		s := g.pick("a[i] = V;", "b[i] = V;", "c[i].x = V;", "c[i].z = V;", "p[0] = V;", "p[i & 1] = V;",
			"put(a, i, V);", "put(&b[1], i, V);",
			"a[v] = V;", "a[4 - i] = V;", "r->x = V;", "if (i != v) b[i] = V;", "if (a[i] > m) m = a[i];",
			"c[i] = c[0];", "j = i; a[j] = V;")
		g.b.WriteString(strings.ReplaceAll(s, "V", v) + " ")
		return
	}
	s := g.pick("a[i] = V;", "a[i] = V;", "b[i] = V;", "b[i] = V;", "c[i].x = V;", "c[i].z = V;",
		"c[i].y = V;", "p[0] = V;",
		"p[i & 1] = V;", "q[i] = V;", "put(a, i, V);", "put(p, 0, V);", "put(&b[1], i, V);", "a[4 - i] = V;", "a[v] = V;",
		"r->x = V;", "r->y = V;", "if (a[i] > m) m = a[i];", "if (i != v) a[i] = V;", "*(p + 1) = V;",
		"c[i] = c[0];", "j = i; a[j] = V;",
		"if (i > 1) b[i] = V; else b[i] = 1;", "*(short *)&a[i] = V;", "*(long *)&b[2] = V;")
	g.b.WriteString(strings.ReplaceAll(s, "V", v) + " ")
}

// piece is a statement on several elements.
func (g *arrayProgram) piece() {
	g.b.WriteString(g.pick("memset(a, 0, sizeof a);", "memset(b, 0, sizeof b);", "memset(c, 0, sizeof c);",
		"memset(a, 0, 8);",
		"memset(a + 1, 0, 4 * v);", "memcpy(b, a, sizeof b);", "memcpy(b + 1, a, 8);", "memset(q, 1, v);",
		"memset(q + v, 0, 3);",
		"a[0] = 1;", "b[v] = 1;", "memset(p, 0, 6);", "i = 0;") + "\n")
}

// list is a program that builds lists of at most three nodes in a loop, changes nodes, and walks them.
func (g *arrayProgram) list() string {
	g.b.WriteString(`extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);
void *malloc(unsigned long); void free(void *);
struct n { struct n *next; int d; short e; };
int main(void) { struct n *l = 0, *m = 0, *p, *last = 0; int i, v = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= v && v < 5);
`)
	fields := []string{"p->d = V;", "p->e = V;", "p->next = l;"}
	g.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	if g.IntN(8) == 0 {
		fields = fields[1:]
	}
	if g.IntN(4) == 0 {
		fields = append(fields, g.pick("if (l) l->d = V;", "p->d = p->d;", "if (v) p->d = V;",
			"*(char *)&p->d = 1;", "if (last) last->e = V;",
			"if (l) p->next = l->next;", "p->e = p->d;", "m = l;"))
	}
	g.b.WriteString("for (i = 0; i < 3 && __VERIFIER_nondet_int(); i++) { p = malloc(sizeof *p); " +
		strings.Join(fields, " ") +
		g.pick(" l = p;", " l = p;", " if (v) l = p;", " l = p; if (i == 1) m = p;", " last = l; l = p;",
			" p->next = l; l = p;") + " }\n")
	switch g.IntN(4) {
	case 0:
		g.b.WriteString("for (p = l; p; p = p->next) " + g.pick("p->d = V;", "if (p->d) p->d--;",
			"p->d = !p->d;", "p->e = p->d;", "if (p->next) p->next->d = 1;",
			"{ if (p == m) p->d = V; }", "if (p->next) p->next = p->next->next;") + "\n")
	case 1:
		g.b.WriteString(g.pick("if (l) l->d = V;", "if (m) m->e = V;", "if (l && l->next) l->next->d = V;",
			"if (l) { p = l; l = l->next; free(p); }") + "\n")
	}
	text := g.b.String()
	for strings.Contains(text, "V") {
		v := g.pick("1", "0", "i & 1", "!v", "1", "v > 2")
		if g.IntN(10) == 0 {
			v = g.pick("2", "v", "i")
		}
		text = strings.Replace(text, "V;", v+";", 1)
		if !strings.Contains(text, "V;") {
			break
		}
	}
	check := g.pick("p->d == 0 || p->d == 1", "p->e <= 1", "p->d >= 0", "p->d <= 1 && p->e <= 1",
		"p->d == p->e", "p->d == 1")
	return text + "for (p = l; p; p = p->next) if (!(" + check + ")) reach_error();\nreturn 0; }\n"
}
