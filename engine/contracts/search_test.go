package contracts_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/internal/sample"
	"magus/specs"
)

// check asks whether fail is never called, by summaries with one iteration: what these prove, contracts do.
func check(t *testing.T, text string) *magus.Outcome {
	t.Helper()
	ctx := context.Background()
	p, err := magus.Load(ctx, magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(
		"extern int any(void); void __MAGUS_ACTION__(const char *); static void fail(void) { " +
			"__MAGUS_ACTION__(\"bad\"); }\n" + text)}},
		Specs: []specs.Source{{Name: "p.spec",
			Text: []byte(`R = ( ok -> R ) + {bad}. procedure main { abstract { r, (1), R }; }`)}}})
	require.NoError(t, err)
	claims, err := p.Claims(magus.Selection{})
	require.NoError(t, err)
	o, err := magus.Check(ctx, claims[0],
		magus.Options{Loop: magus.Loop{Engine: cegar.ContractsEngine, MaxIterations: 1}}, nil)
	require.NoError(t, err)
	return o
}

func TestContracts(t *testing.T) {
	const (
		fib = `int fib(int n) { if (n < 1) return 0; if (n == 1) return 1; return fib(n - 1) + fib(n - 2); } `
		add = `int add(int m, int n) { if (n == 0) return m; if (n > 0) return add(m + 1, n - 1); ` +
			`return add(m - 1, n + 1); } `
		mult  = `int mult(int n, int m) { if (m == 0) return 0; return n + mult(n, m - 1); } `
		hanoi = `int moves; void hanoi(int n, int from, int to, int by) { if (n == 0) return; moves++; ` +
			`hanoi(n - 1, from, by, to); hanoi(n - 1, by, to, from); } `
		mccarthy  = `int f91(int n) { if (n > 100) return n - 10; return f91(f91(n + 11)); } `
		ackermann = `int a(int m, int n) { if (m == 0) return n + 1; if (n == 0) return a(m - 1, 1); ` +
			`return a(m - 1, a(m, n - 1)); } `
		even = `int odd(int n); int even(int n) { if (n == 0) return 1; return odd(n - 1); } ` +
			`int odd(int n) { if (n == 0) return 0; return even(n - 1); } `
		power = `int power(int n) { if (n == 0) return 1; return 2 * power(n - 1); } `
		loops = `int sum(int n) { int i, s = 0; if (n <= 0) return 0; for (i = 0; i < 4; i++) s = s + 1; ` +
			`return s + sum(n - 1); } `
	)
	for _, c := range []struct {
		name, text string
		proved     bool
	}{
		{"a table", fib + `int main(void) { int x = any(); if (x > 30 || x < 9) return 0; ` +
			`if (fib(x) < 34) fail(); return 0; }`, true},
		{"a table that is not enough", fib + `int main(void) { int x = any(); if (x > 30 || x < 9) return 0; ` +
			`if (fib(x) < 35) fail(); return 0; }`, false},
		{"beyond the table, where it wraps around",
			fib + `int main(void) { int x = any(); if (x < 9) return 0; if (fib(x) < 34) fail(); return 0; }`, false},
		{"a sum", add + `int main(void) { int x = any(), y = any(); if (add(x, y) != x + y) fail(); return 0; }`, true},
		{"another sum", add + `int main(void) { int x = any(), y = any(); ` +
			`if (add(x, y) != x + y + (x == 7)) fail(); return 0; }`, false},
		{"a product", mult + `int main(void) { int x = any(), y = any(); if (mult(x, y) != mult(y, x)) fail(); ` +
			`return 0; }`, true},
		{"a global variable", hanoi + `int main(void) { int n = any(); if (n < 1 || n > 20) return 0; ` +
			`moves = 0; hanoi(n, 1, 3, 2); if (moves < n) fail(); return 0; }`, true},
		{"a global variable that is more", hanoi + `int main(void) { int n = any(); ` +
			`if (n < 1 || n > 20) return 0; moves = 1; hanoi(n, 1, 3, 2); if (moves > 1048575) fail(); return 0; }`, false},
		{"cases", mccarthy + `int main(void) { int n = any(); int r = f91(n); ` +
			`if (n <= 101 && r != 91 || n > 101 && r != n - 10) fail(); return 0; }`, true},
		{"a case that is wrong", mccarthy + `int main(void) { int n = any(); int r = f91(n); ` +
			`if (n <= 102 && r != 91) fail(); return 0; }`, false},
		{"what a case of a parameter is", ackermann + `int main(void) { int m = any(), n = any(); ` +
			`if (m < 0 || m > 3 || n < 0 || n > 23) return 0; if (a(m, n) < 0) __MAGUS_ACTION__("bad"); return 0; }`, true},
		{"two that call each other", even + `int main(void) { int n = any(); if (n < 0) return 0; ` +
			`if (even(n) != !(n & 1)) fail(); return 0; }`, true},
		{"two that call each other, confused", even + `int main(void) { int n = any(); if (n < 0) return 0; ` +
			`if (odd(n) != (n > 0)) fail(); return 0; }`, false},
		{"a power of two", power + `int main(void) { int n = any(); if (n < 0 || n > 30) return 0; ` +
			`if (power(n) <= 0) fail(); return 0; }`, true},
		{"a power of two that wraps around", power + `int main(void) { int n = any(); ` +
			`if (n < 0 || n > 31) return 0; if (power(n) <= 0) fail(); return 0; }`, false},
		{"a loop in the body", loops + `int main(void) { int n = any(); if (n < 0) return 0; ` +
			`if (sum(n) != 4 * n) fail(); return 0; }`, true},
		{"a step within a call", `void f(int n) { if (n == 5) fail(); if (n > 0) f(n - 2); } ` +
			`int main(void) { int n = any(); if (n < 100 && n >= 0) f(2 * n); return 0; }`, false},
		{"a step within a call, which is excluded", `void f(int n, int s) { if (s != 3) fail(); ` +
			`if (n > 0) f(n - 2, s); } int main(void) { int n = any(); if (n < 100) f(n, 3); return 0; }`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample.Part(t, 3)
			o := check(t, c.text)
			if !c.proved {
				require.Equal(t, magus.Unknown.String(), o.Verdict.String(), "%v %v", o.Loop, o.Reason)
				return
			}
			require.Equal(t, magus.Conforms, o.Verdict, "%v", o.Reason)
			require.True(t, o.Loop.Contracts)
		})
	}
}
