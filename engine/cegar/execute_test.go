package cegar

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// TestOnlyRun: what is decided by executing the only run, and why it does not decide.
func TestOnlyRun(t *testing.T) {
	for _, c := range []struct {
		name, c string
		want    verdict.Verdict
		why     string // of the method, where it does not answer
	}{
		{"a loop of many rounds", `int main(void) { unsigned s = 1; for (int i = 0; i < 30000; i++) s = s * 5 + 1;
if (s == 0) reach_error(); return 0; }`, verdict.Conforms, ""},
		{"an error behind it", `int main(void) { unsigned s = 1; for (int i = 0; i < 3000; i++) s = s * 5 + 1;
if (s != 0) reach_error(); return 0; }`, verdict.Violates, ""},
		{"elements of a large array", `short a[300]; int main(void) { for (int i = 0; i < 300; i++) a[i] = i * i;
for (int i = 0; i < 300; i++) if (a[i] != (short)(i * i)) reach_error(); return 0; }`, verdict.Conforms, ""},
		{"an element that is another one", `short a[300]; int main(void) { for (int i = 0; i < 300; i++) a[i] = i * i;
for (int i = 0; i < 300; i++) if (a[i] > 10000) reach_error(); return 0; }`, verdict.Violates, ""},
		{"a table", `const unsigned char t[100] = {1, [50] = 7}; int main(void) { int s = 0;
for (int i = 0; i < 100; i++) s += t[i]; if (s != 8) reach_error(); return 0; }`, verdict.Conforms, ""},
		{"elements that constants name", `int a[300]; int main(void) { a[3] = 7; a[299] = 1; int s = 0;
for (int i = 0; i < 300; i++) s += a[i]; a[3] = 2; if (s + a[3] != 10) reach_error(); return 0; }`,
			verdict.Conforms, ""},
		{"parameters of main", `int a[300]; int main(int argc, char **argv) { for (int i = 0; i < 300; i++) a[i] = i;
if (a[5] != 5) reach_error(); return argc; }`, verdict.Conforms, ""},
		{"a violation with them", `int a[300]; int main(int argc, char **argv) { for (int i = 0; i < 300; i++) a[i] = i;
if (a[5] != 6) reach_error(); return argc; }`, verdict.Violates, ""},
		{"a branch on them", `int main(int argc, char **argv) { if (argc < 2) return 1; reach_error(); return 0; }`,
			verdict.Unknown, "what comes behind a.c:1:"},
		{"an input that no branch looks at", `int main(void) { int x = __VERIFIER_nondet_int(), y = x + 1;
for (int i = 0; i < 9; i++) y += x; return y; }`, verdict.Conforms, ""},
		{"an input", `int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) reach_error(); return 0; }`,
			verdict.Unknown, "what comes behind a.c:1:"},
		{"an element that depends on one", `int a[300]; int main(void) { a[7] = __VERIFIER_nondet_int();
for (int i = 0; i < 300; i++) if (a[i] == 3) reach_error(); return 0; }`, verdict.Unknown, "not determined"},
		{"a store at an input", `int a[300]; int main(void) { unsigned i = __VERIFIER_nondet_uint(); a[i % 300] = 1;
if (a[7] == 1) reach_error(); return 0; }`, verdict.Unknown, "not determined"},
		{"an array that begins anew", `int main(void) { for (int k = 0; k < 2; k++) { int a[100];
if (k == 1 && a[5] == 1) reach_error(); a[5] = 1; } return 0; }`, verdict.Unknown, "not determined"},
		{"an array that is not set", `int main(void) { int a[100]; a[1] = 1; if (a[99] == 1) reach_error(); return 0; }`,
			verdict.Unknown, "not determined"},
		{"code that nobody described", `void f(int *); int a[100]; int main(void) { a[1] = 1; f(a);
if (a[1] != 1) reach_error(); return 0; }`, verdict.Unknown, "not determined"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := NewSession(t.Context(), errorClaim(t, c.c), Options{Loop: Loop{Engine: ExecutionEngine}})
			require.NoError(t, err)
			defer s.Close()
			o := s.Run(t.Context(), nil)
			require.Equal(t, c.want, o.Verdict, "%v", o.Methods)
			require.Contains(t, o.Methods[len(o.Methods)-1].Result, c.why)
			require.Equal(t, c.want != verdict.Unknown, o.Loop.Executed > 0)
			if c.want != verdict.Unknown {
				cert, err := s.Certificate(t.Context())
				require.NoError(t, err)
				require.NoError(t, VerifyCertificate(t.Context(), errorClaim(t, c.c), Options{}, cert))
				if cert.Executed != nil {
					cert.Executed.Steps--
					require.Error(t, VerifyCertificate(t.Context(), errorClaim(t, c.c), Options{}, cert))
				}
			}
		})
	}
}

// TestBytesOfElements: what is stored to elements is found by a pointer to any byte of them, also if nothing else
// reads these elements, so that they are no variables. Found by TestRandomOnlyRuns: the bytes were those at the start.
func TestBytesOfElements(t *testing.T) {
	for _, store := range []string{"l[n - 3] = 0x5555555555555555;", "l[2] = 0x5555555555555555;",
		"*(int *)((char *)l + 16) = 0x55555555;", "memset(l, 0x55, 24);",
		"long long z[6] = {[2] = 0x5555555555555555}; p = (unsigned char *)z;"} {
		for _, engine := range []Engine{AutoEngine, BoundedEngine, CellsEngine, ExecutionEngine} {
			text := `void *memset(void *, int, unsigned); static long long l[6]; unsigned char *p; int n = 5;
int main(void) { p = (unsigned char *)l;
` + store + `
unsigned i = n + 14; if (p[i] != 0x55) reach_error(); return 0; }`
			s, err := NewSession(t.Context(), errorClaim(t, text), Options{Modelling: cfa.Modelling{ArrayLimit: 24},
				Loop: Loop{Engine: engine}})
			require.NoError(t, err)
			o := s.Run(t.Context(), nil)
			require.NotEqual(t, verdict.Violates, o.Verdict, "%s", store)
			if engine == AutoEngine {
				require.Equal(t, verdict.Conforms, o.Verdict, "%s: %v", store, o.Reason)
			}
			s.Close()
		}
	}
}

// TestRandomOnlyRuns: programs without inputs, which store pieces of several sizes into arrays, are decided as
// they run, and the checker of certificates, which executes them with code of its own, agrees.
func TestRandomOnlyRuns(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not here")
	}
	sample.Long(t)
	decided, all := 0, 0
	for seed := range sample.Seeds(0, sample.Count(6)) {
		text := onlyRunProgram(seed)
		sum := printedBy(t, gcc, text)
		for _, is := range []struct {
			sum  uint64
			want verdict.Verdict
		}{{sum, verdict.Conforms}, {sum + 1, verdict.Violates}} {
			program := strings.Replace(text, "END", fmt.Sprintf("if (sum != %dULL) reach_error();", is.sum), 1)
			s, err := NewSession(t.Context(), errorClaim(t, program), Options{
				Modelling: cfa.Modelling{ArrayLimit: []int{24, 24, 60, 1}[seed%4], Allocates: true},
				Loop:      Loop{Engine: ExecutionEngine}})
			require.NoError(t, err)
			o := s.Run(t.Context(), nil)
			if all++; o.Verdict != verdict.Unknown {
				decided++
				require.Equal(t, is.want, o.Verdict, "seed %d\n%s", seed, program)
			}
			s.Close()
		}
	}
	t.Logf("%d of %d decided", decided, all)
	if sample.Whole() {
		require.Greater(t, 3*decided, all)
	}
}

// printedBy is the number that a program prints where it has a place for what is done with it.
func printedBy(t *testing.T, gcc, text string) (sum uint64) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.c")
	text = "#include <stdio.h>\n" + strings.Replace(text, "END", `printf("%llu", sum);`, 1)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	out, err := exec.Command(gcc, "-w", "-O1", "-fwrapv", "-fno-strict-aliasing", "-o", file+".out", file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(file + ".out").Output()
	require.NoError(t, err)
	_, err = fmt.Sscan(string(out), &sum)
	require.NoError(t, err)
	return sum
}

// onlyRunProgram is a random program that computes a sum, and does with it what stands for END.
func onlyRunProgram(seed uint64) string {
	g := rand.New(rand.NewPCG(seed, 17))
	var b strings.Builder
	b.WriteString(`void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
void *calloc(unsigned long, unsigned long); extern void reach_error(void);
struct s { char c; short s[3]; int i; };
unsigned char b[48]; int a[30] = {3, [9] = 1, 4}; static long long l[26]; struct s st[9] = {[2] = {1, {2, 3}, 4}};
const short t[32] = {5, 1, [20 ... 29] = 7}; static double d[27]; int *heap;
union m { double e; int n[2]; unsigned char c[8]; }; static union m m[26];
static struct { _Bool b; float f; unsigned x : 5; long double g; short s[30]; } o; unsigned r = 1;
static unsigned next(unsigned n) { r = r * 1103515245u + 12345u; return (r >> 16) % n; }
static int add(int *p, int n) { return n == 0 ? 0 : p[n - 1] + add(p, n - 1); }
int main(void) { unsigned long long sum = 7; unsigned char *p; heap = calloc(30, sizeof *heap);
`)
	pick := func(of ...string) string { return of[g.IntN(len(of))] }
	value := func() string {
		return pick("k", "u % 250", "a[v % 30]", "b[w % 48]", "(int)l[x % 26]", "t[u % 32]", "st[v % 9].s[w % 3]",
			"st[k].i", "heap[x % 30]", "(int)d[u % 27]", "add(a, 3)", "m[x % 26].n[v & 1]", "m[2].c[3]", "o.s[w % 30]",
			"o.x + o.b", "(int)o.f")
	}
	to := func() string {
		if g.IntN(4) == 0 { // a piece of an element, or of two
			return fmt.Sprintf(pick("*(short *)((char *)a + %d)", "*((unsigned char *)l + %d)",
				"*(int *)((char *)l + 2 * %[1]d)"),
				2*g.IntN(50))
		}
		return pick("a[v % 30]", "b[w % 48]", "l[x % 26]", "st[u % 9].s[v % 3]", "st[k].i", "st[w % 9].c", "heap[x % 30]",
			"z[u % 30]", "d[v % 27]", "m[x % 26].n[u & 1]", "m[3].e", "m[w % 26].c[v % 8]", "m[2].n[1]", "o.s[x % 30]",
			"o.s[3]", "o.b", "o.x", "o.f", "o.g")
	}
	for range 2 + g.IntN(2) {
		fmt.Fprintf(&b, "for (int k = 0; k < %d; k++) { int z[30] = {%d}; int u, v, w, x; z[k] += k;\n", 2+g.IntN(7),
			g.IntN(5))
		for range 2 + g.IntN(4) {
			b.WriteString("u = next(250); v = next(250); w = next(250); x = next(250);\n")
			switch g.IntN(16) {
			case 0, 6:
				fmt.Fprintf(&b, "memset(%s, w, %d);\n", pick("a", "l", "b", "heap", "z"), 4*g.IntN(10))
			case 1:
				fmt.Fprintf(&b, "memcpy((char *)%s + %d, %s, %d);\n", pick("a", "l", "b"), 2*g.IntN(4), pick("heap", "t", "z"),
					2*g.IntN(20))
			case 2:
				b.WriteString("st[u % 9] = st[v % 9];\n")
			case 3, 4, 5:
				fmt.Fprintf(&b, "if (r & %d) %s = %s; else r++;\n", 1<<g.IntN(9), to(), value())
			default:
				fmt.Fprintf(&b, "%s = %s;\n", to(), value())
			}
		}
		b.WriteString("for (int i = 0; i < 30; i++) sum = sum * 31 + z[i]; }\n")
	}
	for _, array := range []string{"a", "b", "l", "m", "o.s", "o.b", "o.f"} {
		fmt.Fprintf(&b, "p = (unsigned char *)&%s; for (unsigned i = 0; i < sizeof %s; i++) sum = sum * 31 + p[i];\n", array,
			array)
	}
	b.WriteString(`for (int i = 0; i < 9; i++) sum = sum * 31 + st[i].c + st[i].s[1] + st[i].i;
for (int i = 0; i < 27; i++) if (d[i] > 3) sum++;
for (int i = 0; i < 30; i++) sum = sum * 31 + heap[i];
END return 0; }
`)
	return b.String()
}

// TestFarErrorIsSaid: an error of the only run that is too far away to be replayed is no violation, but is said.
func TestFarErrorIsSaid(t *testing.T) {
	s, err := NewSession(t.Context(), errorClaim(t, `extern void reach_error(void);
int main(void) { unsigned n = 0, r = 1; while (n < 90000) { n++; r = r * 5 + 1; }
if (r != 5) reach_error(); return 0; }`),
		Options{Loop: Loop{Engine: ExecutionEngine}})
	require.NoError(t, err)
	defer s.Close()
	o := s.Run(t.Context(), nil)
	require.Equal(t, verdict.Unknown, o.Verdict)
	require.Contains(t, o.Reason.Text, "no proof by the only run: it comes to an error at a.c:3:")
	require.Contains(t, o.Reason.Text, "too many to be told")
}
