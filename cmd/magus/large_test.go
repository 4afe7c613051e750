//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// A text grows with n.
type text func(n int) string

// is a text that does not grow.
func is(s string) text { return func(int) string { return s } }

// times repeats a text n times: @ is the number of the copy, from 0, @+ is one more.
func times(s string) text {
	return func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.NewReplacer("@+", strconv.Itoa(i+1), "@", strconv.Itoa(i)).Replace(s))
		}
		return b.String()
	}
}

// last is a text in which @ is n.
func last(s string) text {
	return func(n int) string { return strings.ReplaceAll(s, "@", strconv.Itoa(n)) }
}

func join(parts ...text) text {
	return func(n int) string {
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(p(n))
		}
		return b.String()
	}
}

// within is a text with n others before and n after it.
func within(before, s, after string) text { return join(times(before), is(s), times(after)) }

// inMain is a program of one procedure.
func inMain(parts ...text) text {
	return join(is("extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"+
		"int main(void)\n{\nint x = 0, y = 0;\n"),
		join(parts...), is("if (x == 3 && y == 4) reach_error();\nreturn 0;\n}\n"))
}

// doubled makes 2ⁿ copies of a text by macros of that name.
func doubled(name, s string) text {
	return join(is("#define "+name+"0 "+s+"\n"), times("#define "+name+"@+ "+name+"@ "+name+"@\n"))
}

const (
	loopOfA = "extern void a(void);\nvoid run(void) { while (1) a(); }\n"
	specOfA = "A = (a -> return {} -> STOP). procedure a { abstract { a_is, (1), A }; }\n"
	run     = "procedure run { abstract { run_is, (1), S }; }\n"
	noError = "check --property unreach-call p.c"
	byClaim = "check p.c p.spec"

	conforms = "conforms"
	deep     = "nested too deeply"
	long     = "a list of more than 500000 elements"
	tooMany  = "more than 2000000 control locations"
	circular = "include each other without end"
	bomb     = "macros expand to more than 20000000 tokens"
)

// ring is a ring of n + 1 states.
func ring() text {
	return func(n int) string {
		return fmt.Sprintf("des (0,%d,%[1]d)\n", n+1) + times("(@,a,@+)\n")(n) + fmt.Sprintf("(%d,a,0)\n", n)
	}
}

// largeInputs are files, p.c among them, of the sizes that are tried by default
// and with MAGUS_LARGE, and what the answer says to either.
var largeInputs = []struct {
	name    string
	ci, n   int
	args    string
	says    string
	saysAtN string
	files   map[string]text
}{
	// A procedure with many of something.
	{"assignments", 2_000, 1_000_000, noError, conforms, conforms, c(inMain(times("x = @;\n")))},
	{"sums", 2_000, 1_000_000, noError, conforms, conforms, c(inMain(times("x = x + 2;\n")))},
	{"branches", 1_000, 200_000, noError, conforms, conforms,
		c(inMain(times("if (__VERIFIER_nondet_int()) x = @+; else y = 0;\nx = 0;")))},
	{"ifs", 1_000, 1_000_000, noError, conforms, tooMany, c(inMain(times("if (x) y = 1;\n")))},
	{"variables", 1_000, 100_000, noError, conforms, conforms, c(inMain(times("int v@ = x;\n")))},
	{"gotos", 500, 50_000, noError, conforms, conforms,
		c(inMain(times("l@: y = @; if (__VERIFIER_nondet_int()) goto l@;\n")))},
	{"cases", 1_000, 100_000, noError, conforms, conforms,
		c(inMain(is("switch (__VERIFIER_nondet_int()) {\n"), times("case @: y = @; break;\n"), is("}\n")))},
	{"labels of one case", 1_000, 100_000, noError, conforms, deep,
		c(inMain(is("switch (__VERIFIER_nondet_int()) {\n"), times("case @:\n"), is("y = 1;}\n")))},
	{"values", 1_000, 1_000_000, noError, conforms, long, c(inMain(is("int a[] = {"), times("@,\n"), is("};\n")))},
	{"comma operators", 1_000, 1_000_000, noError, conforms, long, c(inMain(times("x = 1,\n"), is("x = 2;")))},
	{"one line", 1_000, 100_000, noError, conforms, conforms, c(inMain(times("x = x + 2; "), is("\n")))},
	{"characters", 1_000, 10_000_000, noError, conforms, conforms,
		c(inMain(is("const char *s = \""), times("a"), is("\";\n")))},
	{"a long name", 1_000, 1_000_000, noError, conforms, conforms, c(inMain(is("int "), times("n"), is(" = 1;\n")))},
	{"empty lines", 1_000, 10_000_000, noError, conforms, conforms, c(inMain(times("\n")))},
	{"empty statements", 1_000, 10_000_000, noError, conforms, conforms, c(inMain(times(";")))},
	// Something deep.
	{"blocks", 1_000, 10_000, noError, conforms, deep, c(inMain(within("{", "x = 1;", "}")))},
	{"parentheses", 1_000, 10_000, noError, conforms, deep, c(inMain(is("x = "), within("(", "1", ")"), is(";")))},
	{"else-ifs", 1_000, 100_000, noError, conforms, deep, c(inMain(times("if (x == @+) y = 1; else\n"), is(";")))},
	{"ifs of ifs", 500, 100_000, noError, conforms, deep, c(inMain(times("if (x)\n"), is(";")))},
	{"loops of loops", 500, 100_000, noError, conforms, deep, c(inMain(times("for (;x;)\n"), is(";")))},
	{"additions", 1_000, 100_000, noError, conforms, deep, c(inMain(is("x = "), times("x + "), is("1;")))},
	{"conjunctions", 1_000, 100_000, noError, conforms, deep, c(inMain(is("x = "), times("x && "), is("1;")))},
	{"conditionals", 1_000, 100_000, noError, conforms, deep, c(inMain(is("x = "), times("x ? 1 : "), is("1;")))},
	{"signs", 1_000, 100_000, noError, conforms, deep, c(inMain(is("x = "), times("- "), is("1;")))},
	{"pointers to pointers", 500, 100_000, noError, conforms, deep, c(inMain(is("int "), times("*"), is("p;\n")))},
	{"structures of structures", 500, 10_000, noError, conforms, deep, c(within("struct {", "int a;", "} x;"), inMain())},
	// Macros and headers.
	{"parentheses by macros", 6, 20, noError, conforms, deep,
		c(doubled("O", "("), doubled("C", ")"), inMain(last("x = O@ 1 C@;")))},
	{"loops by macros", 6, 20, noError, conforms, deep, c(doubled("F", "for (;x;)"), inMain(last("F@ ;")))},
	{"statements by macros", 6, 60, noError, conforms, bomb, c(doubled("X", "x = 1;"), inMain(last("X@;")))},
	{"a file that includes itself", 1, 1, noError, circular, circular, c(is("#include \"p.c\"\n"), inMain())},
	{"a file that includes itself twice", 1, 1, noError, circular, circular,
		c(is("#include \"p.c\"\n#include \"p.c\"\n"), inMain())},
	// Many declarations.
	{"functions", 1_000, 100_000, noError, conforms, conforms, c(times("int f@(int x) { return x; }\n"), inMain())},
	{"globals", 1_000, 100_000, noError, conforms, conforms, c(times("int g@;\n"), inMain())},
	{"members", 1_000, 100_000, noError, conforms, conforms,
		c(is("struct s {"), times("int m@;\n"), is("} g;\n"), inMain(is("x = g.m7;")))},
	{"enumerators", 1_000, 100_000, noError, conforms, conforms,
		c(is("enum e {"), times("m@,\n"), is("};\n"), inMain(is("x = m7;")))},
	{"parameters", 200, 10_000, noError, conforms, conforms,
		c(is("int f("), times("int p@,\n"), is("int z) { return p7; }"), inMain(is("x = f("), times("@,\n"), is("1);")))},
	{"types of types", 500, 100_000, noError, conforms, conforms,
		c(is("typedef int t0;\n"), times("typedef t@ t@+;\n"), inMain(last("t@ z = 1;")))},
	// Calls.
	{"a chain of calls", 500, 10_000, noError, conforms, conforms,
		c(is("static int f0(int x) { return x; }\n"), times("static int f@+(int x) { return f@(x); }\n"),
			inMain(last("x = f@(1);")))},
	{"calls that double", 8, 60, noError, conforms, conforms,
		c(is("static int f0(int x) { return x; }\n"), times("static int f@+(int x) { return f@(x) + f@(x); }\n"),
			inMain(last("x = f@(1);")))},
	{"a cycle of calls", 200, 10_000, noError, "recursion was followed to depth",
		"recursion was followed to depth", c(last("int f@(int); int f0(int x) { return f@(x); }\n"),
			times("int f@+(int x) { return f@(x); }\n"), inMain(last("x = f@(1);")))},
	// Specifications.
	{"a ring of states", 1_000, 10_000, byClaim, conforms, conforms,
		cs(is(loopOfA), is(specOfA), is("S = S0,\n"), times("S@ = (a -> S@+),\n"), last("S@ = (a -> S0).\n"), is(run))},
	{"a row of actions", 1_000, 10_000, byClaim, conforms, conforms,
		cs(is(loopOfA), is(specOfA), is("S = ("), times("a -> "), is("S).\n"), is(run))},
	{"a choice of many", 1_000, 10_000, byClaim, conforms, conforms,
		cs(is(loopOfA), is(specOfA), is("S = (a -> S"), times(" | a -> b@ -> S\n"), is(").\n"), is(run))},
	{"choices of choices", 500, 10_000, byClaim, conforms, deep,
		cs(is(loopOfA), is(specOfA), is("S = "), within("(a -> ", "S", ")"), is(".\n"), is(run))},
	{"guards", 50, 500, byClaim, conforms, conforms,
		cs(is("void run(int x) { }\n"), is("S = (return {} -> STOP).\nprocedure run {"),
			times("abstract { g@, ($1 == @), S };\n"),
			last("abstract { low, ($1 < 0), S }; abstract { high, ($1 >= @), S }; }\n"))},
	{"parentheses of a guard", 200, 10_000, byClaim, conforms, deep,
		cs(is(loopOfA), is(specOfA), is("S = (a -> S).\nprocedure run { abstract { run_is, ("),
			within("(", "1", ")"), is("), S }; }\n"))},
	{"abstractions", 200, 10_000, byClaim, conforms, conforms,
		cs(is(loopOfA), is(specOfA),
			times("A@ = (a@ -> return {} -> STOP). procedure a@ { abstract { a@_is, (1), A@ }; }\n"),
			is("S = (a -> S).\n"), is(run))},
	{"an imported ring", 1_000, 100_000, byClaim, conforms, conforms,
		map[string]text{"p.c": is(loopOfA), "p.spec": is(specOfA + "S = import \"ring.aut\".\n" + run), "ring.aut": ring()}},
	{"components", 20, 200, byClaim, conforms, conforms, tokens()},
	// LTSs.
	{"states described", 1_000, 1_000_000, "lts info p.aut", "deadlock       none", "deadlock       none",
		map[string]text{"p.aut": ring()}},
	{"states minimised", 1_000, 100_000, "lts minimize p.aut", "des (0, 1, 1)", "des (0, 1, 1)",
		map[string]text{"p.aut": ring()}},
	{"states compared", 1_000, 100_000, "lts compare p.aut q.aut", "holds", "holds",
		map[string]text{"p.aut": ring(), "q.aut": ring()}},
	// Other files.
	{"brackets of a certificate", 100, 1_000_000, "verify-certificate p.json p.c --property unreach-call",
		"refused", "refused", map[string]text{"p.c": inMain(), "p.json": within("[\n", "", "]")}},
	{"brackets of a compilation database", 100, 1_000_000, "check -p p.json --property unreach-call",
		"p.json:", "p.json:", map[string]text{"p.json": within("[", "", "]")}},
	{"blocks of a script", 50, 100_000, "run p.magus", "", "too deep",
		map[string]text{"p.magus": within("if 1 == 1\n", "", "end\n")}},
}

// c is a C file, cs a C file with a specification.
func c(parts ...text) map[string]text { return map[string]text{"p.c": join(parts...)} }

func cs(program text, parts ...text) map[string]text {
	return map[string]text{"p.c": program, "p.spec": join(parts...)}
}

// tokens are n components that hand on a token in a ring: component i waits for
// action i and performs action i + 1; the first begins.
func tokens() map[string]text {
	program := func(n int) string {
		var b strings.Builder
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, "void c%d(void) { while (1) { t%d(); t%d(); } }\n", i, i, (i+1)%n)
		}
		return b.String()
	}
	claim := func(n int) string {
		return "S = (" + times("t@+ -> ")(n-1) + "t0 -> S).\nprogram c0" + times(", c@+")(n-1) +
			" { specification turns, {1" + strings.Repeat(", 1", n-1) + "}, S; }\n"
	}
	return cs(join(times("extern void t@(void);\n"), is("void c0(void) { while (1) { t1(); t0(); } }\n"), program),
		times("T@ = (t@ -> return {} -> STOP). procedure t@ { abstract { t@_is, (1), T@ }; }\n"), claim)
}

// TestLarge: a large input has an answer, and no stack overflows.
func TestLarge(t *testing.T) {
	sample.Long(t)
	for i, in := range largeInputs {
		if sample.LeftOut(i, 3) {
			continue
		}
		t.Run(in.name, func(t *testing.T) {
			n, says := in.ci, in.says
			switch {
			case os.Getenv("MAGUS_LARGE") != "":
				n, says = in.n, in.saysAtN
			case testing.Short() && n >= 100:
				n /= 10
			}
			dir := t.TempDir()
			for name, f := range in.files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(f(n)), 0o666))
			}
			began := time.Now()
			cmd, out, stderr := start(t, dir, strings.Fields(in.args)...)
			most := peakOf(cmd)
			got := status(t, cmd)
			answer := out.String() + stderr.String()
			t.Logf("%-34s %9d %7.1f s %7.1f s of processor %6d MiB  status %d: %.80s", in.name, n,
				time.Since(began).Seconds(), cmd.ProcessState.UserTime().Seconds(), <-most>>10, got, answer)
			require.Contains(t, []int{0, 1, 2, 3}, got, "%.2000s", answer)
			require.True(t, strings.Contains(answer, says), "%.2000s", answer)
		})
	}
}

// TestLimitsOfLarge: limits are kept while a large input is preprocessed,
// parsed and lowered. With a limit of memory, what is used is about what is
// allowed; a limit of time says nothing of memory, and a fast machine uses more
// of it in the same time.
func TestLimitsOfLarge(t *testing.T) {
	sample.Long(t)
	const mib = 64
	statements := c(inMain(times("x = x + 2;\n")))
	calls := c(is("static int f0(int x) { return x; }\n"), times("static int f@+(int x) { return f@(x) + f@(x); }\n"),
		inMain(last("x = f@(1);")))
	for i, l := range []struct {
		name  string
		files map[string]text
		n     int
		limit string
		says  string
	}{
		{"time to parse", statements, 100_000, "--timeout=50ms", "time-out"},
		{"time to lower", calls, 40, "--timeout=300ms", "time-out"},
		{"time to preprocess", c(doubled("X", "x = 1;"), inMain(last("X@;"))), 40, "--timeout=20ms", "time-out"},
		{"memory to parse", statements, 300_000, fmt.Sprintf("--memory-limit=%dMiB", mib),
			"more memory needed than the limit"},
		{"memory to lower", calls, 40, fmt.Sprintf("--memory-limit=%dMiB", mib), "more memory needed than the limit"},
	} {
		if sample.LeftOut(i, 4) {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "p.c"), []byte(l.files["p.c"](l.n)), 0o666))
			cmd, out, stderr := start(t, dir, "check", "--property", "unreach-call", "--calls", "inline", l.limit, "p.c")
			most := peakOf(cmd)
			require.Equal(t, 3, status(t, cmd), "%s%s", out, stderr)
			require.Contains(t, out.String(), l.says)
			if peak := <-most; strings.HasPrefix(l.limit, "--memory-limit") {
				require.Less(t, peak, 2*mib<<10, "KiB")
			}
		})
	}
}

// peakOf follows how much memory a process has used, in KiB; 0 where /proc does
// not say.
func peakOf(cmd *exec.Cmd) <-chan int {
	most := make(chan int, 1)
	go func() {
		kib := 0
		for {
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
			_, after, found := strings.Cut(string(text), "VmHWM:")
			if err != nil || !found {
				most <- kib
				return
			}
			_, _ = fmt.Sscan(after, &kib)
			time.Sleep(20 * time.Millisecond)
		}
	}()
	return most
}
