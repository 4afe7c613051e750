//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A large input: files of size n, and how checking them has to end.
type large struct {
	name   string
	ci, n  int // the sizes by default, and with MAGUS_LARGE
	files  func(n int) map[string]string
	args   string // "": check --property unreach-call of p.c
	status int
	says   string // what the output has to contain
}

// times joins what f writes for 0, 1, … n-1.
func times(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

// same repeats a text.
func same(text string) func(int) string { return func(int) string { return text } }

// inMain is a program of one procedure.
func inMain(f func(n int) string) func(int) map[string]string {
	return func(n int) map[string]string {
		return map[string]string{"p.c": "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nint main(void)\n{\nint x = 0, y = 0;\n" +
			f(n) + "if (x == 3 && y == 4) reach_error();\nreturn 0;\n}\n"}
	}
}

// wrapped is something between n opening and n closing texts.
func wrapped(open, middle, end string) func(int) string {
	return func(n int) string { return strings.Repeat(open, n) + middle + strings.Repeat(end, n) }
}

var largeInputs = []large{
	{"straight", 2_000, 1_000_000, inMain(func(n int) string { return times(n, func(i int) string { return fmt.Sprintf("x = %d;\n", i+4) }) }), "", 0, "conforms"},
	{"sums", 2_000, 1_000_000, inMain(func(n int) string { return times(n, same("x = x + 2;\n")) }), "", 0, "conforms"},
	{"branches", 1_000, 200_000, inMain(func(n int) string {
		return times(n, func(i int) string { return fmt.Sprintf("if (__VERIFIER_nondet_int()) x = %d; else y = 0;\n", i+4) })
	}), "", 0, "conforms"},
	{"ifs", 1_000, 1_000_000, inMain(func(n int) string { return times(n, same("if (x) y = 1;\n")) }), "", 0, "conforms"},
	{"calls", 1_000, 100_000, inMain(func(n int) string { return times(n, same("x = __VERIFIER_nondet_int();\n")) }), "", 0, "conforms"},
	{"variables", 1_000, 100_000, inMain(func(n int) string { return times(n, func(i int) string { return fmt.Sprintf("int v%d = x;\n", i) }) }), "", 0, "conforms"},
	{"blocks", 1_000, 100_000, inMain(wrapped("{", "x = 1;", "}")), "", 0, ""},
	{"parentheses", 1_000, 100_000, inMain(func(n int) string { return "x = " + wrapped("(", "1", ")")(n) + ";" }), "", 0, ""},
	{"else-ifs", 1_000, 1_000_000, inMain(func(n int) string {
		return times(n, func(i int) string { return fmt.Sprintf("if (x == %d) y = 1; else\n", i+1) }) + ";"
	}), "", 0, ""},
	{"dangling-ifs", 500, 100_000, inMain(func(n int) string { return times(n, same("if (x)\n")) + ";" }), "", 0, ""},
	{"fors", 500, 1_000_000, inMain(func(n int) string { return times(n, same("for (;x;)\n")) + ";" }), "", 0, ""},
	{"labels", 500, 100_000, inMain(func(n int) string { return times(n, func(i int) string { return fmt.Sprintf("l%d:\n", i) }) + ";" }), "", 0, ""},
	{"commas", 1_000, 1_000_000, inMain(func(n int) string { return times(n, same("x = 1,\n")) + "x = 2;" }), "", 0, ""},
	{"additions", 1_000, 1_000_000, inMain(func(n int) string { return "x = " + times(n, same("x + \n")) + "1;" }), "", 0, ""},
	{"conjunctions", 1_000, 1_000_000, inMain(func(n int) string { return "x = " + times(n, same("x && \n")) + "1;" }), "", 0, ""},
	{"conditionals", 1_000, 1_000_000, inMain(func(n int) string { return "x = " + times(n, same("x ? 1 : \n")) + "1;" }), "", 0, ""},
	{"minuses", 1_000, 1_000_000, inMain(func(n int) string { return "x = " + times(n, same("- ")) + "1;" }), "", 0, ""},
	{"switch", 1_000, 100_000, inMain(func(n int) string {
		return "switch (__VERIFIER_nondet_int()) {\n" + times(n, func(i int) string { return fmt.Sprintf("case %d: x = %d; break;\n", i, i+4) }) + "}\n"
	}), "", 0, "conforms"},
	{"cases", 1_000, 100_000, inMain(func(n int) string {
		return "switch (__VERIFIER_nondet_int()) {\n" + times(n, func(i int) string { return fmt.Sprintf("case %d:\n", i) }) + "x = 4;}\n"
	}), "", 0, ""},
	{"line", 1_000, 100_000, inMain(func(n int) string { return times(n, same("x = x + 2; ")) + "\n" }), "", 0, "conforms"},
	{"initialiser", 1_000, 1_000_000, func(n int) map[string]string {
		return map[string]string{"p.c": "extern void reach_error(void);\nint a[] = {" + times(n, func(i int) string { return fmt.Sprintf("%d,", i) }) + "};\nint main(void) { if (a[7] != 7) reach_error(); return 0; }"}
	}, "", 0, "conforms"},
	{"local-initialiser", 1_000, 1_000_000, inMain(func(n int) string {
		return "int a[] = {" + times(n, func(i int) string { return fmt.Sprintf("%d,\n", i) }) + "};\n"
	}), "", 0, ""},
	{"text", 1_000, 10_000_000, inMain(func(n int) string { return "const char *s = \"" + times(n, same("a")) + "\";\n" }), "", 0, ""},
	{"texts", 1_000, 100_000, inMain(func(n int) string { return "const char *s = " + times(n, same("\"a\"\n")) + ";\n" }), "", 0, ""},
	{"comment", 1_000, 10_000_000, inMain(func(n int) string { return "/*" + times(n, same("a")) + "*/\n" }), "", 0, "conforms"},
	{"newlines", 1_000, 10_000_000, inMain(func(n int) string { return times(n, same("\n")) }), "", 0, "conforms"},
	{"members", 1_000, 100_000, func(n int) map[string]string {
		return map[string]string{"p.c": "extern void reach_error(void);\nstruct s {" + times(n, func(i int) string { return fmt.Sprintf("int m%d;\n", i) }) + "} g;\nint main(void) { if (g.m7 != 0) reach_error(); return 0; }"}
	}, "", 0, "conforms"},
	{"enumerators", 1_000, 100_000, func(n int) map[string]string {
		return map[string]string{"p.c": "extern void reach_error(void);\nenum e {" + times(n, func(i int) string { return fmt.Sprintf("m%d,\n", i) }) + "};\nint main(void) { if (m7 != 7) reach_error(); return 0; }"}
	}, "", 0, "conforms"},
	{"globals", 1_000, 100_000, func(n int) map[string]string {
		return map[string]string{"p.c": "extern void reach_error(void);\n" + times(n, func(i int) string { return fmt.Sprintf("int m%d;\n", i) }) + "int main(void) { if (m7 != 0) reach_error(); return 0; }"}
	}, "", 0, "conforms"},
	{"parameters", 200, 10_000, func(n int) map[string]string {
		return map[string]string{"p.c": "extern void reach_error(void);\nint f(" + times(n, func(i int) string { return fmt.Sprintf("int m%d,\n", i) }) + "int z) { return m7; }\nint main(void) { if (f(" +
			times(n, func(i int) string { return fmt.Sprintf("%d,\n", i) }) + "1) != 7) reach_error(); return 0; }"}
	}, "", 0, "conforms"},
	{"structures", 500, 100_000, func(n int) map[string]string {
		return map[string]string{"p.c": wrapped("struct {", "int a;", "} x;")(n) + "\nint main(void) { return 0; }"}
	}, "", 0, ""},
	{"pointers", 500, 100_000, inMain(func(n int) string { return "int " + times(n, same("*")) + "p;\n" }), "", 0, ""},
	{"dimensions", 100, 10_000, inMain(func(n int) string { return "int a" + times(n, same("[1]")) + ";\n" }), "", 0, ""},
	{"typedefs", 500, 100_000, func(n int) map[string]string {
		return map[string]string{"p.c": "typedef int *t0;\n" + times(n, func(i int) string { return fmt.Sprintf("typedef t%d *t%d;\n", i, i+1) }) + fmt.Sprintf("t%d g;\nint main(void) { return g == 0; }", n)}
	}, "", 0, ""},
	{"macro-parentheses", 8, 20, func(n int) map[string]string {
		return map[string]string{"p.c": "#define P0(x) ((x))\n" + times(n, func(i int) string { return fmt.Sprintf("#define P%d(x) P%d(P%d(x))\n", i+1, i, i) }) + fmt.Sprintf("int main(void) { return P%d(0); }", n)}
	}, "", 0, ""},
	{"macro-opens", 8, 20, func(n int) map[string]string {
		return map[string]string{"p.c": "#define O0 (\n#define C0 )\n" + times(n, func(i int) string {
			return fmt.Sprintf("#define O%d O%d O%d\n#define C%d C%d C%d\n", i+1, i, i, i+1, i, i)
		}) + fmt.Sprintf("int main(void) { return O%d 0 C%d; }", n, n)}
	}, "", 0, ""},
	{"macro-ifs", 8, 20, func(n int) map[string]string {
		return map[string]string{"p.c": "#define O0 for(;;)\n" + times(n, func(i int) string { return fmt.Sprintf("#define O%d O%d O%d\n", i+1, i, i) }) + fmt.Sprintf("int main(void) { O%d; }", n)}
	}, "", 0, ""},
	{"macro-bomb", 8, 60, func(n int) map[string]string {
		return map[string]string{"p.c": "#define O0 x=1;\n" + times(n, func(i int) string { return fmt.Sprintf("#define O%d O%d O%d\n", i+1, i, i) }) + fmt.Sprintf("int main(void) { int x; O%d; return 0; }", n)}
	}, "", 0, ""},
	{"chain", 500, 10_000, func(n int) map[string]string {
		return map[string]string{"p.c": "extern void reach_error(void);\nstatic int f0(int x) { return x; }\n" + times(n, func(i int) string {
			return fmt.Sprintf("static int f%d(int x) { return f%d(x); }\n", i+1, i)
		}) + fmt.Sprintf("int main(void) { if (f%d(1) != 1) reach_error(); return 0; }", n)}
	}, "", 0, "conforms"},
	{"exponential-calls", 30, 60, func(n int) map[string]string {
		return map[string]string{"p.c": "static int f0(int x) { return x; }\n" + times(n, func(i int) string {
			return fmt.Sprintf("static int f%d(int x) { return f%d(x) + f%d(x); }\n", i+1, i, i)
		}) + fmt.Sprintf("int main(void) { return f%d(1); }", n)}
	}, "", 3, "control locations"},
	{"recursion", 500, 10_000, func(n int) map[string]string {
		return map[string]string{"p.c": fmt.Sprintf("int f%d(int);\nint f0(int x) { return f%d(x); }\n", n, n) + times(n, func(i int) string {
			return fmt.Sprintf("int f%d(int x) { return f%d(x); }\n", i+1, i)
		}) + fmt.Sprintf("int main(void) { return f%d(1); }", n)}
	}, "", 3, ""},
	{"gotos", 500, 50_000, inMain(func(n int) string {
		return times(n, func(i int) string {
			return fmt.Sprintf("l%d: x = %d; if (__VERIFIER_nondet_int()) goto l%d;\n", i, i+4, (i*7919)%n)
		})
	}), "", 0, "conforms"},
	{"functions", 1_000, 100_000, func(n int) map[string]string {
		return map[string]string{"p.c": times(n, func(i int) string { return fmt.Sprintf("int f%d(int x) { return x; }\n", i) }) + "int main(void) { return 0; }"}
	}, "", 0, "conforms"},
	{"long-name", 1_000, 1_000_000, func(n int) map[string]string {
		name := strings.Repeat("x", n)
		return map[string]string{"p.c": "extern void reach_error(void);\nint " + name + ";\nint main(void) { " + name + " = 1; if (" + name + " != 1) reach_error(); return 0; }"}
	}, "", 0, "conforms"},
	{"includes", 100, 10_000, func(n int) map[string]string {
		files := map[string]string{"p.c": "#include \"h0.h\"\nint main(void) { return 0; }"}
		for i := range n {
			files[fmt.Sprintf("h%d.h", i)] = fmt.Sprintf("#include \"h%d.h\"\n", i+1)
		}
		files[fmt.Sprintf("h%d.h", n)] = "\n"
		return files
	}, "", 0, ""},
	{"include-itself", 1, 1, func(n int) map[string]string {
		return map[string]string{"p.c": "#include \"p.c\"\nint main(void) { return 0; }"}
	}, "", 2, "include each other"},
	{"files", 50, 1000, func(n int) map[string]string {
		files := map[string]string{"p.c": "int main(void) { return 0; }"}
		for i := range n {
			files[fmt.Sprintf("f%d.c", i)] = fmt.Sprintf("int f%d(void) { return 0; }\n", i)
		}
		return files
	}, "", 0, "conforms"},

	{"spec-ring", 1_000, 10_000, func(n int) map[string]string {
		return map[string]string{"p.c": "extern void a(void);\nvoid run(void) { while (1) a(); }\n",
			"p.spec": "A = (a -> return {} -> STOP). procedure a { abstract { a_is, (1), A }; }\n" +
				times(n, func(i int) string { return fmt.Sprintf("S%d = (a -> S%d),\n", i, (i+1)%n) }) + "T = STOP.\nprocedure run { abstract { run_is, (1), S0 }; }\n"}
	}, "check p.c p.spec", 0, "conforms"},
	{"spec-sequence", 1_000, 10_000, func(n int) map[string]string {
		return map[string]string{"p.c": "extern void a(void);\nvoid run(void) { while (1) a(); }\n",
			"p.spec": "A = (a -> return {} -> STOP). procedure a { abstract { a_is, (1), A }; }\n" +
				"S = (" + times(n, same("a -> ")) + "S).\nprocedure run { abstract { run_is, (1), S }; }\n"}
	}, "check p.c p.spec", 0, "conforms"},
	{"spec-choice", 1_000, 10_000, func(n int) map[string]string {
		return map[string]string{"p.c": "extern void a(void);\nvoid run(void) { while (1) a(); }\n",
			"p.spec": "A = (a -> return {} -> STOP). procedure a { abstract { a_is, (1), A }; }\n" +
				"S = (a -> S" + times(n, func(i int) string { return fmt.Sprintf(" | a -> b%d -> S\n", i) }) + ").\nprocedure run { abstract { run_is, (1), S }; }\n"}
	}, "check p.c p.spec", 0, "conforms"},
	{"spec-nesting", 500, 100_000, func(n int) map[string]string {
		return map[string]string{"p.c": "void run(void) { }\n", "p.spec": "S = " + wrapped("(a -> ", "STOP", ")")(n) + ".\nprocedure run { abstract { run_is, (1), S }; }\n"}
	}, "check p.c p.spec", 0, ""},
	{"guard-nesting", 500, 100_000, func(n int) map[string]string {
		return map[string]string{"p.c": "void run(int x) { }\n", "p.spec": "S = (a -> STOP).\nprocedure run { abstract { run_is, (" + wrapped("(", "1", ")")(n) + "), S }; }\n"}
	}, "check p.c p.spec", 0, ""},
	{"guards", 50, 500, func(n int) map[string]string {
		return map[string]string{"p.c": "void run(int x) { }\n", "p.spec": "S = (return {} -> STOP).\nprocedure run {" +
			times(n, func(i int) string { return fmt.Sprintf("abstract { g%d, ($1 == %d), S };\n", i, i) }) + fmt.Sprintf("abstract { low, ($1 < 0), S }; abstract { high, ($1 >= %d), S }; }\n", n)}
	}, "check -q p.c p.spec", 0, ""},
	{"abstractions", 200, 10_000, func(n int) map[string]string {
		return map[string]string{"p.c": "extern void a0(void);\nvoid run(void) { a0(); }\n", "p.spec": times(n, func(i int) string {
			return fmt.Sprintf("A%d = (act%d -> return {} -> STOP). procedure a%d { abstract { a%d_is, (1), A%d }; }\n", i, i, i, i, i)
		}) + "S = (act0 -> return {} -> STOP).\nprocedure run { abstract { run_is, (1), S }; }\n"}
	}, "check p.c p.spec", 0, "conforms"},
	{"spec-import", 10_000, 100_000, func(n int) map[string]string {
		return map[string]string{"p.c": "extern void a(void);\nvoid run(void) { while (1) a(); }\n", "ring.aut": ring(n),
			"p.spec": "A = (a -> return {} -> STOP). procedure a { abstract { a_is, (1), A }; }\nS = import \"ring.aut\".\nprocedure run { abstract { run_is, (1), S }; }\n"}
	}, "check p.c p.spec", 0, "conforms"},
	{"components", 20, 200, tokenRing, "check p.c p.spec", 0, "conforms"},
	{"aut-info", 10_000, 1_000_000, func(n int) map[string]string { return map[string]string{"p.aut": ring(n)} }, "lts info p.aut", 0, ""},
	{"aut-minimize", 10_000, 100_000, func(n int) map[string]string { return map[string]string{"p.aut": ring(n)} }, "lts minimize -o q.aut p.aut", 0, ""},
	{"aut-compare", 10_000, 100_000, func(n int) map[string]string { return map[string]string{"p.aut": ring(n), "q.aut": ring(n)} }, "lts compare p.aut q.aut", 0, ""},
}

// ring is a ring of n states.
func ring(n int) string {
	return fmt.Sprintf("des (0,%d,%d)\n", n, n) + times(n, func(i int) string { return fmt.Sprintf("(%d,a,%d)\n", i, (i+1)%n) })
}

// tokenRing is a ring of n components, each of which passes on what it was given.
func tokenRing(n int) map[string]string {
	var decls, bodies, spec, names strings.Builder
	for i := range n {
		from, to := i, (i+1)%n
		if i == 0 {
			from, to = to, from // the first begins
		}
		fmt.Fprintf(&decls, "extern void t%d(void);\n", i)
		fmt.Fprintf(&bodies, "void c%d(void) { while (1) { t%d(); t%d(); } }\n", i, from, to)
		fmt.Fprintf(&spec, "T%d = (t%d -> return {} -> STOP). procedure t%d { abstract { t%d_is, (1), T%d }; }\n", i, i, i, i, i)
		fmt.Fprintf(&names, ", c%d", i)
	}
	claim := "S = (" + times(n, func(i int) string { return fmt.Sprintf("t%d -> ", (i+1)%n) }) + "S).\n" +
		"program " + names.String()[2:] + " { specification turns, {1" + strings.Repeat(",1", n-1) + "}, S; }\n"
	return map[string]string{"p.c": decls.String() + bodies.String(), "p.spec": spec.String() + claim}
}

func TestLarge(t *testing.T) {
	full := os.Getenv("MAGUS_LARGE") != ""
	for _, in := range largeInputs {
		t.Run(in.name, func(t *testing.T) {
			n := in.ci
			if full {
				n = in.n
			}
			dir := t.TempDir()
			for name, text := range in.files(n) {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
			}
			args := strings.Fields(in.args)
			if in.args == "" {
				args = []string{"check", "--property", "unreach-call", "p.c"}
			}
			begin := time.Now()
			cmd, out, stderr := start(t, dir, args...)
			stop := time.AfterFunc(100*time.Second, func() { _ = cmd.Process.Kill() })
			got := status(t, cmd)
			stop.Stop()
			took := time.Since(begin)
			kib := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
			text := out.String() + stderr.String()
			if len(text) > 600 {
				text = text[:600] + "…"
			}
			t.Logf("%-20s %9d %8.1f s %6d MiB  status %d\n%s", in.name, n, took.Seconds(), kib>>10, got, text)
		})
	}
}
