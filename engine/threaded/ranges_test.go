package threaded

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/sequential"
	"magus/component"
	"magus/engine/cegar"
	"magus/engine/portfolio"
	"magus/evidence/certificate"
	"magus/internal/sample"
	"magus/smt/expr"
)

// fewElements has arrays of three elements without variables.
const fewElements = 2

// arrays is a random program whose threads store to arrays, in many ways, and ask what stands there.
type arrays struct {
	*rand.Rand
	b     strings.Builder
	names []string
	types []string
	plain bool // only what is mostly proved
}

func (g *arrays) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g *arrays) array() (name, typ string) {
	k := g.IntN(len(g.names))
	return g.names[k], g.types[k]
}

func (g *arrays) value() string {
	a, _ := g.array()
	if g.plain {
		return g.pick("0", "1", "2", "nondet() % 3", "nondet() & 1", "i", a+"[i]", a+"[j]", a+"[i] & 1")
	}
	return g.pick("0", "1", "2", "3", "-1", "nondet() % 3", "nondet() & 1", "i", "v", "v + 1", a+"[i]",
		a+"[j] + 1", a+"[i] & 1", "255", "256")
}

// line is a statement of a thread.
func (g *arrays) line() string {
	a, typ := g.array()
	b, _ := g.array()
	kind := g.IntN(21)
	if g.plain {
		kind = []int{0, 1, 2, 3, 4, 7, 9, 10, 12, 13, 15, 16}[g.IntN(12)]
	}
	switch kind {
	case 0, 1, 2, 3:
		return fmt.Sprintf("%s[i] = %s;", a, g.value())
	case 4:
		return fmt.Sprintf("%s[%d] = %s;", a, g.IntN(3), g.value())
	case 5:
		return fmt.Sprintf("%s[j]++;", a)
	case 6:
		return fmt.Sprintf("p = nondet() ? %s : %s; *p = %s;", g.pick("&x", "(int *)&"+a+"[j]"),
			"(int *)&"+b+"[i]", g.value())
	case 7: // of constants: others are any value to the interleavings too
		return fmt.Sprintf("memset(%s, %s, %s);", a, g.pick("0", "1", "2"), g.pick("sizeof "+a, "2", "sizeof "+a+"[0]"))
	case 8:
		return fmt.Sprintf("memcpy(%s, %s, %s);", a, b, g.pick("4", "2"))
	case 9:
		return fmt.Sprintf("__sync_val_compare_and_swap(&%s[i], %s, %s);", a, g.pick("0", "1"), g.value())
	case 10:
		return fmt.Sprintf("__atomic_store_n(&%s[j], %s, __ATOMIC_SEQ_CST);", a, g.value())
	case 11:
		return fmt.Sprintf("c = (char *)&%s[i]; *c = %s;", a, g.value())
	case 12:
		return fmt.Sprintf("v = %s[i];", a)
	case 13:
		return fmt.Sprintf("if (%s[i] > 1) { %s[j] = %s; }", a, b, g.value())
	case 14:
		return g.pick("far(", "x = near(") + g.pick("0", "(int *)"+a, "&x") + ");"
	case 15:
		return "pthread_mutex_lock(&m); " + fmt.Sprintf("%s[i] = %s[j];", a, b) + " pthread_mutex_unlock(&m);"
	case 16:
		return fmt.Sprintf("{ %s t = %s[i]; %s[i] = %s[j]; %s[j] = t; }", typ, a, a, a, a)
	case 17:
		return g.pick("q = "+"(int *)"+a+";", "if (q) *q = "+g.value()+";")
	}
	return g.check()
}

// check asks what stands in an array.
func (g *arrays) check() string {
	a, _ := g.array()
	return fmt.Sprintf("if (%s[i] %s) reach_error();", a,
		g.pick("== 2", "== 3", "> 3", "< 0", "== 255", "> 2", "== -1", "== 257", "!= 0", "> 1"))
}

func (g *arrays) thread(name string) {
	fmt.Fprintf(&g.b, "void *%s(void *arg) {\n\tint i, j, v = 0, *p = 0; char *c;\n", name)
	if g.IntN(2) == 0 {
		g.b.WriteString("\tfor (i = 0; i < 2; i++) {\n\t\tj = i ^ 1;\n")
	} else {
		g.b.WriteString("\ti = nondet() & 1; {\n\t\tj = nondet() & 1;\n")
	}
	for range 1 + g.IntN(3) {
		g.b.WriteString("\t\t" + g.line() + "\n")
	}
	if name == "g" {
		g.b.WriteString("\t\t" + g.check() + "\n")
	}
	g.b.WriteString("\t}\n\treturn 0;\n}\n")
}

func arrayProgram(seed uint64) string {
	g := &arrays{Rand: rand.New(rand.NewPCG(seed, 71)), plain: seed%3 > 0}
	g.b.WriteString("#include <pthread.h>\n#include <string.h>\nvoid reach_error(void); int nondet(void); " +
		"void far(int *p); int near(int *p) { if (p && nondet()) *p = 2; return 1; }\npthread_mutex_t m; int x, *q;\n")
	for k := range 1 + g.IntN(2) {
		name, typ := string(rune('a'+k)), g.pick("int", "int", "unsigned", "unsigned char", "short")
		g.names, g.types = append(g.names, name), append(g.types, typ)
		fmt.Fprintf(&g.b, "%s%s %s[%d]%s;\n", g.pick("static ", ""), typ, name, 3+g.IntN(2),
			g.pick("", "", " = {1, 2}", " = {1}", " = {1, 1, 1}"))
	}
	g.thread("f")
	g.thread("g")
	g.b.WriteString("int main(void) {\n\tpthread_t t, u;\n\tpthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);\n")
	g.b.WriteString(g.pick("", "\tpthread_join(t, 0); pthread_join(u, 0);\n"))
	g.b.WriteString("\tint i = nondet() & 1, j = 0, v = 0, *p = 0; char *c;\n\t" + g.line() + "\n\t" +
		g.check() + "\n\treturn 0;\n}\n")
	return g.b.String()
}

// erroneous reports whether some interleaving of a program comes to an error; ok is false if that was not
// seen and not all were looked at.
func erroneous(t *testing.T, text string) (wrong, ok bool) {
	t.Helper()
	auto, err := claim(t, text).Lower(context.Background(), 0,
		component.Options{Threads: 3, Modelling: cfa.Modelling{ArrayLimit: 64}})
	require.NoError(t, err, text)
	all, err := interp.New(auto).Interleave(context.Background(),
		func(v *expr.Expr) []uint64 { return []uint64{0, 1} }, 30_000)
	if all != nil && all.Performs(cfa.ErrorAction) {
		return true, true
	}
	return false, err == nil
}

// shows reports whether an automaton of one thread proves a program whose arrays have no variables, in some steps.
func shows(t *testing.T, text string, makes maker, steps int) bool {
	t.Helper()
	s, err := New(context.Background(), claim(t, text), Options{Modelling: cfa.Modelling{ArrayLimit: fewElements}})
	require.NoError(t, err, text)
	defer s.Close()
	if s.outcome != nil {
		return false
	}
	p := newPair(s.question, pairName(rangesOf, cegar.InductionEngine))
	if makes != nil {
		p.of.make = makes
	}
	defer p.Close()
	e := p.Advance(context.Background(), portfolio.Effort(steps))
	if e, over := e.(gaveUp); over {
		var quiet *noAnswer
		require.ErrorAs(t, e.Why, &quiet, text)
	}
	_, shown := e.(ended)
	return shown
}

// guessed confines arrays to ranges that nobody has looked at. Unproved, a store that leaves them is no error.
func guessed(r *rand.Rand, unproved bool) func(context.Context, *cfa.CFA) (*cfa.CFA, error) {
	return func(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
		if len(c.Threads) == 0 {
			return c, nil
		}
		ranges := sequential.RangesOf(c)
		for i := range ranges {
			ranges[i].Signed, ranges[i].High = r.IntN(2) == 0, int64(r.IntN(3))
		}
		out, err := sequential.InRanges(c, ranges)
		if err != nil {
			return nil, err
		}
		for l := len(c.Locs); unproved && l < len(out.Locs); l++ {
			if _, performs := out.Locs[l].Stmt.(cfa.Act); performs {
				out.Locs[l].Stmt = cfa.Goto{}
			}
		}
		return Product(ctx, out)
	}
}

// TestRandomArrays compares proofs by ranges with all interleavings, where all elements are variables. That a
// proof without the one of its ranges is wrong, and that this is seen, is looked at too.
func TestRandomArrays(t *testing.T) {
	proved, wrong, caught := 0, 0, 0
	programs, first := sample.Count(10), sample.Seed(13) // among which are proofs
	for seed := first; seed < first+uint64(programs); seed++ {
		text := arrayProgram(seed)
		bad, _ := erroneous(t, text)
		r := rand.New(rand.NewPCG(seed, 72))
		for i, makes := range []maker{nil, guessed(r, false)} {
			if shows(t, text, makes, 8) {
				proved++
				require.False(t, bad, "seed %d, guessed: %t\n%s", seed, i == 1, text)
			}
		}
		if bad {
			wrong++
			if shows(t, text, guessed(r, true), 8) {
				caught++
			}
		}
	}
	t.Logf("%d proofs, %d programs with errors; %d of these proved by ranges that nobody proves", proved, wrong, caught)
	if !sample.Whole() {
		return
	}
	require.Positive(t, proved)
	require.Greater(t, wrong, programs/10)
	require.Positive(t, caught)
}

// elements is a program whose proof needs to know what a large array holds, but not where.
const elements = `#include <pthread.h>
extern void reach_error(void); extern unsigned nondet(void);
unsigned a[3], b[3] = {7, 7, 7};
void *f(void *p) { unsigned i = nondet() % 3; a[i] = nondet() % 5; b[i] = a[i] + 7; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); unsigned j = nondet() % 3; if (a[j] > 4 || b[j] > 11) reach_error(); }`

// TestCertifiedRanges: a proof by ranges has a certificate, and another range, or another array, is refused.
func TestCertifiedRanges(t *testing.T) {
	c, opt := claim(t, elements), Options{Modelling: cfa.Modelling{ArrayLimit: fewElements}}
	cert := certified(t, c, opt)
	require.NotNil(t, cert)
	require.Equal(t, "conforms", cert.Verdict)
	ranges := cert.Threads.Ranges
	require.Len(t, ranges, 2)
	require.Equal(t, []int64{0, 4, 0, 11}, []int64{ranges[0].Low, ranges[0].High, ranges[1].Low, ranges[1].High})
	require.False(t, refuses(t, c, opt, cert))
	for name, change := range map[string]func(r []certificate.Range) []certificate.Range{
		"a narrower range":   func(r []certificate.Range) []certificate.Range { r[0].High--; return r },
		"a wider one":        func(r []certificate.Range) []certificate.Range { r[0].High++; return r },
		"not from the start": func(r []certificate.Range) []certificate.Range { r[0].Low++; return r },
		"an empty one":       func(r []certificate.Range) []certificate.Range { r[0].High = -1; return r },
		"another place":      func(r []certificate.Range) []certificate.Range { r[0].First -= 4; return r },
		"another array": func(r []certificate.Range) []certificate.Range {
			r[0].First, r[0].Last = r[1].First, r[1].Last
			return r
		},
		"other elements":       func(r []certificate.Range) []certificate.Range { r[0].Size = 2; return r },
		"no elements":          func(r []certificate.Range) []certificate.Range { r[0].Size = 0; return r },
		"no end":               func(r []certificate.Range) []certificate.Range { r[0].Last = 1<<64 - 1; return r },
		"no range":             func(r []certificate.Range) []certificate.Range { return r[1:] },
		"no ranges":            func(r []certificate.Range) []certificate.Range { return nil },
		"another one left out": func(r []certificate.Range) []certificate.Range { return r[:1] },
	} {
		require.True(t, refuses(t, c, opt,
			changed(cert, func(t *certificate.Threads) { t.Ranges = change(slices.Clone(ranges)) })), name)
	}
	require.True(t, refuses(t, c, Options{Modelling: cfa.Modelling{ArrayLimit: 8}},
		changed(cert, func(t *certificate.Threads) { t.Elements = 8 })), "elements that are variables")
}

// TestConfine has what may be proved by ranges, and what must not be.
func TestConfine(t *testing.T) {
	sample.Long(t)
	const head = "#include <pthread.h>\n#include <string.h>\nextern void reach_error(void), far(int *); " +
		"extern unsigned nondet(void); pthread_t t; int a[3], b[3], *q;\n"
	program := func(thread, main string) string {
		return head + "void *f(void *p) { unsigned i = nondet() % 3; " + thread + " return 0; }\n" +
			"int main(void) { unsigned j = nondet() % 3; pthread_create(&t, 0, f, 0); " + main + " return 0; }"
	}
	const check = "if (a[j] > 4 || a[j] < 0) reach_error();"
	for _, c := range []struct {
		name, thread, main string
		proved             bool
	}{
		{"a store", "a[i] = nondet() % 5;", check, true},
		{"a store out of the range", "a[i] = nondet() % 6;", check, false},
		{"a store by another thread", "a[i] = 4;", "a[j] = 5;" + check, false},
		{"a store to another array", "b[i] = 9; a[i] = 1;", check, true},
		{"what another array holds", "b[i] = 2; a[i] = b[i] + 2;", check, true},
		{"what another array may hold", "b[i] = 9; a[i] = b[i];", check, false},
		{"a pointer to an array", "q = a; q[i] = 5;", check, false},
		{"a pointer to one of two", "q = nondet() ? a : b; q[i] = 4;", check, true},
		{"a pointer to one of two, and too much", "q = nondet() ? a : b; q[i] = 5;", check, false},
		{"bytes", "((char *)&a[i])[nondet() % 4] = 4;", check, false},
		{"zeros", "memset(a, 0, sizeof a); a[i] = 3;", check, true},
		{"ones", "memset(a, 1, sizeof a);", check, false},
		{"a copy", "b[i] = 9; memcpy(a, b, sizeof a);", check, false},
		{"an operation", "__sync_val_compare_and_swap(&a[i], 0, 4);", check, true},
		{"an operation out of the range", "__sync_val_compare_and_swap(&a[i], 0, 5);", check, false},
		{"an exchange", "__atomic_exchange_n(&a[i], 5, __ATOMIC_SEQ_CST);", check, false},
		// that depends on one element at two times
		{"what only a lost update keeps", "a[i] = a[i] < 4 ? a[i] + 1 : 4;", check, false},
		{"a routine without a body", "far(a); a[i] = 1;", check, false},
		{"a routine that knows the array", "far((int *)&q); a[i] = 1; q = a;", check, false},
		{"a negative number", "a[i] = -(int)(nondet() % 3);", "if (a[j] > 0 || a[j] < -2) reach_error();", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.proved, shows(t, program(c.thread, c.main), nil, 12))
		})
	}
}
