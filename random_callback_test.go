package magus_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/internal/sample"
)

// TestRandomCallbacks: a component gives functions away, in ways of all kinds, to routines that keep them and
// call them back later. With bodies for these routines the answer is known; without, code that
// nobody described may do what the bodies do, and there is no proof where they lead to a violation.
func TestRandomCallbacks(t *testing.T) {
	n := sample.Count(6)
	const spec = `R = ( ok -> R ) + {bad}. procedure main { abstract { r, (1), R }; }`
	proofs, bad := 0, 0
	for seed := range sample.Seeds(0, n) {
		r := callbacks{rand.New(rand.NewPCG(seed, 23)), int(seed % 4)}
		program := r.program()
		opt := magus.Options{Loop: magus.Loop{MaxIterations: 12}, Modelling: magus.Modelling{Recursion: 1}}
		open := check(t, act+declared+program, spec, opt).Verdict
		if open == magus.Conforms {
			proofs++
		}
		for range 3 {
			world := r.world()
			if check(t, act+declared+program+world, spec, opt).Verdict == magus.Violates {
				bad++
				require.NotEqual(t, magus.Conforms, open, "seed %d\n%s\nwith\n%s", seed, program, world)
			}
		}
	}
	t.Log(n, "programs", proofs, "proofs", bad, "bodies with a violation")
	if !sample.Whole() {
		return
	}
	require.Positive(t, proofs)
	require.Positive(t, bad)
}

// Callbacks are random programs with routines that call functions back.
type callbacks struct {
	*rand.Rand
	bad int // the function that does what is bad
}

const declared = `
typedef void fn(void);
struct ops { int n; fn *f, *g; };
void keep(fn *f);
void keep_at(fn **p);
void keep_ops(struct ops *o);
void number(unsigned long n);
fn *give(void);
void go(void);
void begin(void);
void *memcpy(void *, const void *, unsigned long);
static int x, depth;
static fn *p0, *p1, *table[2];
static struct ops o0, o1;
static fn t0, t1, t2, t3;
`

// program is a component with four functions, of which one does what is bad. A claim about it
// is about any state at the start, so it sets all there is.
func (r callbacks) program() string {
	var b strings.Builder
	for i := range 4 {
		fmt.Fprintf(&b, "static void t%d(void)\n{\n", i)
		if i == r.bad {
			fmt.Fprintf(&b, "\tif (%s) __MAGUS_ACTION__(\"bad\");\n", r.of("x == 1", "x == 2", "x > 0"))
		}
		b.WriteString(r.statements(r.IntN(3), "\t"))
		b.WriteString("}\n")
	}
	return b.String() + "int main(void)\n{\n\tbegin();\n\tx = depth = 0;\n" +
		"\tp0 = p1 = table[0] = table[1] = 0;\n\to0 = o1 = (struct ops) {0};\n" + r.statements(3+r.IntN(5), "\t") +
		r.of("\tgo();\n", "\tx = 0;\n\tgo();\n", "") + "\treturn 0;\n}\n"
}

func (r callbacks) of(all ...string) string { return all[r.IntN(len(all))] }

// place is a variable that holds a function.
func (r callbacks) place() string {
	return r.of("p0", "p1", "table[0]", "table[1]", "table[x & 1]", "o0.f", "o0.g", "o1.f", "o1.g")
}

// function is an expression for one.
func (r callbacks) function() string {
	t := func() string { return fmt.Sprint("t", []int{r.bad, r.bad, r.IntN(4)}[r.IntN(3)]) }
	switch r.IntN(6) {
	case 0:
		return r.place()
	case 1:
		return fmt.Sprintf("(x < %d ? %s : %s)", r.IntN(3), t(), r.place())
	case 2:
		return "give()"
	}
	return t()
}

func (r callbacks) statements(n int, indent string) string {
	var b strings.Builder
	for range n {
		b.WriteString(r.statement(indent))
	}
	return b.String()
}

func (r callbacks) statement(indent string) string {
	s := ""
	switch r.IntN(16) {
	case 0:
		s = fmt.Sprintf("keep(%s);", r.function())
	case 1:
		s = fmt.Sprintf("keep_at(&%s);", r.place())
	case 2:
		s = fmt.Sprintf("keep_ops(&%s);", r.of("o0", "o1"))
	case 3:
		s = fmt.Sprintf("number((unsigned long) %s);", r.function())
	case 4, 5, 6:
		s = fmt.Sprintf("%s = %s;", r.place(), r.function())
	case 7:
		s = r.of("o0 = o1;", "o1 = o0;", "memcpy(&o0, &o1, sizeof o0);", "memcpy(&o1.f, &o0.f, sizeof o1.f);",
			"memcpy(table, &o1.f, sizeof table);")
	case 8, 9:
		s = "go();"
	case 10:
		p := r.place()
		s = fmt.Sprintf("if (depth < 1 && %s) { depth++; %s(); depth--; }", p, p)
	case 11:
		return fmt.Sprintf("%sif (x %s %d) {\n%s%s}\n", indent, r.of("<", "==", ">"), r.IntN(3),
			r.statements(1+r.IntN(2), indent+"\t"), indent)
	case 12:
		return fmt.Sprintf("%swhile (x < %d) {\n%s\tx++;\n%s%s}\n", indent, 1+r.IntN(2), indent,
			r.statements(1+r.IntN(2), indent+"\t"), indent)
	case 13, 14, 15:
		s = r.of("x++;", "x = 0;", "x = 1;", "x = 2;")
	}
	return indent + s + "\n"
}

// world are bodies for the routines: each keeps what it is given, and may call, store and give
// away what was kept.
func (r callbacks) world() string {
	var b strings.Builder
	b.WriteString("static fn *kept, **kept_at; static struct ops *kept_ops; static int busy;\n" +
		"void begin(void) { kept = 0; kept_at = 0; kept_ops = 0; busy = 0; }\n")
	for _, f := range []string{"void keep(fn *f)|kept = f;", "void keep_at(fn **p)|kept_at = p;",
		"void keep_ops(struct ops *o)|kept_ops = o;",
		"void number(unsigned long n)|kept = (fn *) n;", "void go(void)|", "fn *give(void)|"} {
		head, keeps, _ := strings.Cut(f, "|")
		if keeps != "" && r.IntN(4) == 0 {
			keeps = ""
		}
		fmt.Fprintf(&b, "%s\n{\n\t%s\n", head, keeps)
		for range r.IntN(2) {
			b.WriteString(r.does())
		}
		if strings.HasPrefix(head, "void go") {
			b.WriteString(r.does() + r.does() + r.does())
		}
		if strings.HasPrefix(head, "fn") {
			b.WriteString("\treturn " + r.of("kept", "kept_at ? *kept_at : kept", "kept_ops ? kept_ops->f : 0") + ";\n")
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// does is what a routine does with what was kept.
func (r callbacks) does() string {
	if r.IntN(3) == 0 {
		return "\t" + r.of("if (kept_at) *kept_at = kept;", "if (kept_ops) kept_ops->f = kept;",
			"if (kept_ops && kept_at) kept_ops->g = *kept_at;",
			"if (kept_at) kept = *kept_at;", "if (kept_ops) kept = kept_ops->g;",
			"if (kept_ops && kept_at) *kept_at = kept_ops->f;") + "\n"
	}
	guard, call := r.of("kept|kept()", "kept|kept()", "kept_at && *kept_at|(*kept_at)()",
		"kept_ops && kept_ops->f|kept_ops->f()", "kept_ops && kept_ops->g|kept_ops->g()"), ""
	guard, call, _ = strings.Cut(guard, "|")
	return fmt.Sprintf("\tif (busy < 1 && %s) { busy++; %s; busy--; }\n", guard, call)
}
