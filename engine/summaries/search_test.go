package summaries_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/internal/sample"
	"magus/specs"
)

const prelude = `void __MAGUS_ACTION__(const char *); extern int any(void); void *malloc(unsigned long);
static void lock(void) { __MAGUS_ACTION__("lock"); } static void unlock(void) { __MAGUS_ACTION__("unlock"); }
`

// check asks whether run locks and unlocks in turns and never performs "error", by summaries alone unless engine says
// otherwise.
func check(t *testing.T, text string, engine cegar.Engine) *magus.Outcome {
	t.Helper()
	spec := `Turns = ( lock -> unlock -> Turns | return {} -> STOP ) + {error}. procedure run { ` +
		`abstract { turns, (1), Turns }; }`
	ctx := context.Background()
	p, err := magus.Load(ctx, magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(prelude + text)}},
		Specs: []specs.Source{{Name: "p.spec", Text: []byte(spec)}}})
	require.NoError(t, err)
	claims, err := p.Claims(magus.Selection{})
	require.NoError(t, err)
	o, err := magus.Check(ctx, claims[0], magus.Options{Loop: magus.Loop{Engine: engine}}, nil)
	require.NoError(t, err)
	return o
}

func TestSummaries(t *testing.T) {
	for _, c := range []struct {
		name, text string
		proved     bool
		why        string // else
	}{
		{"a call that gives back what it takes", `static void f(void) { lock(); unlock(); } int run(void) { ` +
			`f(); f(); lock(); unlock(); return 0; }`, true, ""},
		{"a call that keeps what it takes", `static void f(void) { lock(); } int run(void) { f(); f(); return 0; }`,
			false, "a run that the specification does not allow"},
		{"a lock that the caller gives back", `static void f(int take) { if (take) lock(); else unlock(); } ` +
			`int run(int n) { f(1); if (n) f(0); else unlock(); return 0; }`, true, ""},
		{"what a parameter says", `static void f(int flag) { if (flag) lock(); if (flag) unlock(); } ` +
			`int run(int n) { f(n); f(!n); return 0; }`, true, ""},
		{"what a result says", `static int f(int n) { if (n > 3) { lock(); return 1; } return 0; } ` +
			`int run(int n) { if (f(n)) unlock(); if (f(n - 1)) unlock(); return 0; }`, true, ""},
		{"a result that is confused", `static int f(int n) { if (n > 3) { lock(); return 1; } ` +
			`return n == 3; } int run(int n) { if (f(n)) unlock(); return 0; }`, false, "a run that"},
		{"a global that a call changes", `static int held; static void f(void) { if (held) unlock(); ` +
			`else lock(); held = !held; } int run(void) { held = 0; f(); f(); f(); f(); return 0; }`, true, ""},
		{"a global that is changed twice", `static int held; static void g(void) { held = !held; } ` +
			`static void f(void) { if (held) unlock(); else lock(); g(); g(); } int run(void) { f(); f(); return 0; }`,
			false, "a run that"},
		{"the caller's variable across a call", `static void f(void) { lock(); unlock(); } int run(int n) { ` +
			`int x = n > 2; if (x) lock(); if (x) unlock(); f(); if (x) lock(); if (x) unlock(); return 0; }`, true, ""},
		{"the caller's variable by a pointer", `static void set(int *p) { *p = 0; } int run(int n) { ` +
			`int x = 1; if (x) lock(); set(&x); if (x) unlock(); return 0; }`, false, "a run that"},
		{"the caller's variable that a pointer leaves alone", `static void set(int *p) { *p = 0; } ` +
			`int run(int n) { int x = 1, y = 1; if (x) lock(); set(&y); if (x) unlock(); return 0; }`, true, ""},
		{"an operand that a call changes", `static int g; static int f(void) { g = 1; return 0; } ` +
			`int run(void) { g = 0; if (g + f()) lock(); return 0; }`, true, ""},
		{"what a result has to do with an argument", `static int f(int n) { if (n > 5) return n + 1; ` +
			`return n; } int run(int n) { if (n > 7 && f(n) != n + 1) lock(); return 0; }`, true, ""},
		{"the same in recursion", `static unsigned sum(unsigned n, unsigned m) { if (n == 0) return m; ` +
			`return sum(n - 1, m + 1); } int run(int a, int b) { if (sum(a, b) != (unsigned)a + b) lock(); ` +
			`return 0; }`, true, ""},
		{"an argument that is assigned", `static int f(int n) { if (n == 5) n++; return n; } ` +
			`int run(int n) { if (n != 5 && f(n) != n) lock(); if (f(n) != n) lock(); return 0; }`, false, ""},
		{"an operand that a call changes before", `static int g; static int f(void) { g = 1; return 0; } ` +
			`int run(void) { g = 0; if (f() + g) lock(); return 0; }`, false, "a run that"},
		{"recursion", `static void f(int n) { if (n <= 0) return; lock(); unlock(); f(n - 1); } ` +
			`int run(int n) { f(n); lock(); unlock(); return 0; }`, true, ""},
		{"recursion that leaves the lock", `static void f(int n) { if (n <= 0) return; f(n - 1); lock(); ` +
			`if (n != 7) unlock(); } int run(int n) { f(n); f(n); return 0; }`, false, ""},
		{"a variable that is the caller's again", `static void f(int n) { int x = n > 5; if (n <= 0) return; ` +
			`if (x) lock(); if (x) unlock(); f(n - 1); if (x) lock(); if (x) unlock(); } int run(int n) { ` +
			`f(n); return 0; }`, true, ""},
		{"a variable that is not the callee's", `static int f(int n) { int x = n; if (n <= 0) return 0; ` +
			`f(n - 1); return x; } int run(int n) { if (n > 0 && f(n) == 0) lock(); return 0; }`, true, ""},
		{"a parameter of the callee", `static int f(int n) { if (n <= 0) return 0; f(n - 1); return n; } ` +
			`int run(void) { if (f(2) != 2) lock(); return 0; }`, true, ""},
		{"two that call each other", `static void g(int n); static void f(int n) { lock(); ` +
			`if (n > 0) g(n - 1); else unlock(); } static void g(int n) { unlock(); if (n > 0) f(n - 1); } ` +
			`int run(int n) { f(n); return 0; }`, true, ""},
		{"a local that has an address, in recursion", `static int f(int n, int *p) { int x = n; ` +
			`if (n <= 0) return *p; return f(n - 1, &x); } int run(int n) { f(n, &n); return 0; }`, false,
			"which calls itself and has x"},
		{"an array, in recursion", `static int f(int n) { int a[3]; a[n & 1] = n; if (n <= 0) return a[0]; ` +
			`return f(n - 1) + a[1]; } int run(int n) { f(n); return 0; }`, false, "which calls itself and has a"},
		{"memory of the heap, in recursion", `static void f(int n, int *p) { if (n <= 0) { *p = 1; return; ` +
			`} f(n - 1, p); } int run(int n) { int *p = malloc(4); if (!p) return 0; *p = 0; f(n, p); ` +
			`if (*p == 0) lock(); return 0; }`, true, ""},
		{"recursion without an end", `static void f(int n) { f(n + 1); } int run(int n) { f(n); lock(); ` +
			`return 0; }`, true, ""},
		{"an indirect call", `static void f(void) { lock(); } static void g(void) { unlock(); } ` +
			`int run(int n) { void (*p)(void) = f; p(); p = g; p(); return 0; }`, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := check(t, c.text, cegar.SummariesEngine)
			if c.proved {
				require.Equal(t, magus.Conforms, o.Verdict, "%v", o.Reason)
				require.True(t, o.Loop.Summaries)
				require.False(t, o.Confirmation.Checked, "there is no certificate")
				require.Contains(t, o.Confirmation.Why, "no certificate")
				return
			}
			require.Equal(t, magus.Unknown, o.Verdict)
			require.Contains(t, o.Reason.String(), c.why)
		})
	}
}

// tree is a program whose calls are a tree: each procedure calls the next one twice.
func tree(depth int, leaf, inner, args string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "static int l, count; static void in(void) { if (l) __MAGUS_ACTION__(\"error\"); "+
		"l = 1; } static void out(void) { if (!l) __MAGUS_ACTION__(\"error\"); l = 0; }\n")
	fmt.Fprintf(&b, "static void f%d(int x) { %s }\n", depth, leaf)
	for i := depth - 1; i >= 0; i-- {
		call := fmt.Sprintf("f%d(%s);", i+1, args)
		fmt.Fprintf(&b, "static void f%d(int x) { %s }\n", i, strings.ReplaceAll(inner, "CALL", call))
	}
	return b.String()
}

// TestTreesOfCalls: 2 to the power of 20 calls are looked at once for each procedure and entry state.
func TestTreesOfCalls(t *testing.T) {
	const depth = 20
	for _, c := range []struct{ name, text string }{
		{"plain", tree(depth, "l = 0;", "CALL CALL", "x + 1") + `int run(int n) { int x = n; f0(n); ` +
			`if (x != n) lock(); return 0; }`},
		{"locks", tree(depth, "in(); out();", "CALL CALL", "x + 1") + `int run(int n) { l = 0; f0(n); in(); return 0; }`},
		{"flags", tree(depth, "if (x) out(); else in(); if (x) in(); else out();",
			"if (x) { out(); in(); } CALL CALL if (!x) { in(); out(); }", "x") +
			`int run(int n) { l = 0; if (n) in(); f0(n); if (n) out(); in(); return 0; }`},
		{"a counter", tree(depth, "if (count != 20) lock();", "count++; CALL CALL count--;", "x") +
			`int run(int n) { count = 0; f0(n); if (count) lock(); return 0; }`},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample.Part(t, 3)
			require.Equal(t, magus.Conforms, check(t, c.text, cegar.SummariesEngine).Verdict)
			require.Equal(t, magus.Conforms, check(t, c.text, cegar.AutoEngine).Verdict)
		})
	}
	o := check(t, tree(depth, "in(); out(); if (x == 19) in();", "CALL CALL", "x + 1")+
		`int run(int n) { l = 0; f0(n); in(); return 0; }`,
		cegar.AutoEngine)
	require.Equal(t, magus.Violates, o.Verdict, "%v", o.Reason)
	require.True(t, o.Confirmation.Checked, "its certificate is about the bodies that stand once")
}
