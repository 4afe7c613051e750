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

// TestRandomCells: a proof about one arbitrary element of each array is there only for programs that have no error when all
// elements are told apart: with stores by other pointers, as other types, by callees, and of pieces. A campaign says how
// many programs there are.
func TestRandomCells(t *testing.T) {
	safe, proved, wrong := 0, 0, 0
	for seed := range sample.Seeds(0, sample.Count(120)) {
		text := newArrayProgram(seed).text()
		claim := errorClaim(t, text)
		exact := runFor(t, claim, Options{Modelling: cfa.Modelling{ArrayLimit: 24, HeapLimit: 8}}, 60)
		if exact == verdict.Unknown {
			continue
		}
		if exact == verdict.Violates {
			wrong++
		} else {
			safe++
		}
		found := false
		for _, how := range cells.Choices() {
			opt := Options{Modelling: cfa.Modelling{ArrayLimit: 2}, Cells: how}
			opt.Engine, opt.Written = InductionEngine, -1
			if runFor(t, claim, opt, 12) == verdict.Conforms {
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
		require.Greater(t, safe, 30)
		require.Greater(t, wrong, 30)
	}
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
	g.b.WriteString(static + "int b[5]; " + static + "struct s c[4]; int *p = " + g.pick("a", "b", "v ? a : b", "&a[1]", "a + v") + "; char *q = (char *)" +
		g.pick("a", "b", "c") + "; struct s *r = " + g.pick("c", "c + 1", "&c[v & 1]") + ";\n")
	for range 1 + g.IntN(3) {
		g.loop()
		if g.IntN(3) == 0 {
			g.piece()
		}
	}
	check := g.pick("a[i] == 1", "a[i] == i", "a[i] >= 0", "a[i] <= m", "a[i] == b[i]", "a[i] == c[i].x", "c[i].x == 1", "c[i].x == i", "b[i] == 1",
		"a[i] == 42", "b[i] <= i + 1", "c[i].z == c[i].x", "a[4 - i] == 1", "a[v] == 1", "get(a, i) == 1", "q[i] == 0", "c[i].y == 0")
	if g.tame {
		check = g.pick("a[i] == 0 || a[i] == 1", "b[i] <= 1", "c[i].x >= 0 && c[i].x <= 1", "c[i].z == 0 || c[i].z == 1", "a[i] <= 1 && b[i] <= 1",
			"(unsigned)a[4 - i] <= 1", "get(a, i) <= 1", check)
	}
	fmt.Fprintf(&g.b, "for (i = %s; i < 4; i++) if (!(%s)) reach_error();\nreturn 0; }\n", g.pick("0", "0", "1"), check)
	return g.b.String()
}

// loop passes elements and sets them.
func (g *arrayProgram) loop() {
	head := g.pick("i = 0; i < 4; i++", "i = 0; i < 4; i++", "i = 0; i < 5; i++", "i = 1; i < 4; i++", "i = 3; i >= 0; i--",
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
		s := g.pick("a[i] = V;", "b[i] = V;", "c[i].x = V;", "c[i].z = V;", "p[0] = V;", "p[i & 1] = V;", "put(a, i, V);", "put(&b[1], i, V);",
			"a[v] = V;", "a[4 - i] = V;", "r->x = V;", "if (i != v) b[i] = V;", "if (a[i] > m) m = a[i];", "c[i] = c[0];", "j = i; a[j] = V;")
		g.b.WriteString(strings.ReplaceAll(s, "V", v) + " ")
		return
	}
	s := g.pick("a[i] = V;", "a[i] = V;", "b[i] = V;", "b[i] = V;", "c[i].x = V;", "c[i].z = V;", "c[i].y = V;", "p[0] = V;",
		"p[i & 1] = V;", "q[i] = V;", "put(a, i, V);", "put(p, 0, V);", "put(&b[1], i, V);", "a[4 - i] = V;", "a[v] = V;",
		"r->x = V;", "r->y = V;", "if (a[i] > m) m = a[i];", "if (i != v) a[i] = V;", "*(p + 1) = V;", "c[i] = c[0];", "j = i; a[j] = V;",
		"if (i > 1) b[i] = V; else b[i] = 1;", "*(short *)&a[i] = V;", "*(long *)&b[2] = V;")
	g.b.WriteString(strings.ReplaceAll(s, "V", v) + " ")
}

// piece is a statement on several elements.
func (g *arrayProgram) piece() {
	g.b.WriteString(g.pick("memset(a, 0, sizeof a);", "memset(b, 0, sizeof b);", "memset(c, 0, sizeof c);", "memset(a, 0, 8);",
		"memset(a + 1, 0, 4 * v);", "memcpy(b, a, sizeof b);", "memcpy(b + 1, a, 8);", "memset(q, 1, v);", "memset(q + v, 0, 3);",
		"a[0] = 1;", "b[v] = 1;", "memset(p, 0, 6);", "i = 0;") + "\n")
}
