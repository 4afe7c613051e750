package magus_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
)

// TestInitialisersOfGlobals: a claim that does not begin with the program takes any value of a
// global, so also the address that its initialiser gives it, of an object or of a function, and a
// pointer to a function from outside may be any function whose name is used as a value. These
// were proved: what a global points to was an object of its own only, and static functions
// counted only where their address was taken by `&`; with pointers checked, also where the address in
// the initialiser is not known.
func TestInitialisersOfGlobals(t *testing.T) {
	const spec = "One = ( one -> STOP | return {true} -> STOP ) + {five}.\nprocedure f { abstract { a, (1), One }; }\n"
	const tells = " if (g == 5) __MAGUS_ACTION__(\"five\"); return 0; }"
	const make = "Make = ( return {$0 == 0} -> STOP ).\nprocedure make { abstract { m, (1), Make }; }\n"
	for _, c := range []struct {
		name, c, spec string
		want          magus.Verdict
	}{
		{"a variable", "int g, *p = &g; int f(void) { g = 1; *p = 5;" + tells, spec, magus.Violates},
		{"what an abstracted routine goes through", "int g, *p = &g; int make(int x) { *p = x; return 0; } " +
			"int f(void) { g = 1; make(5);" + tells, make + spec, magus.Violates},
		{"a member", "int g; struct { int n; int *p; } s = { 1, &g }; int f(void) { g = 1; *s.p = 5;" + tells,
			spec, magus.Violates},
		{"an element at any index", "int g, *p[3] = { 0, &g }; int f(int i) { " +
			"if (i < 0 || i > 2 || !p[i]) return 0; g = 1; *p[i] = 5;" + tells, spec, magus.Violates},
		{"an element of an array", "int a[3], *p = a + 1; int f(void) { a[1] = 1; *p = 5; " +
			"if (a[1] == 5) __MAGUS_ACTION__(\"five\"); return 0; }", spec, magus.Violates},
		{"not that element", "int a[3], *p = a + 1; int f(void) { a[2] = 1; *p = 5; " +
			"if (a[2] == 5) __MAGUS_ACTION__(\"five\"); return 0; }", spec, magus.Conforms},
		{"a list", "int g; struct n { struct n *next; int *v; } b = { 0, &g }, a = { &b, 0 }, *head = &a; " +
			"int f(void) { if (!head || !head->next || !head->next->v) return 0; g = 1; *head->next->v = 5;" + tells,
			spec, magus.Violates},
		{"a static local", "int g; int f(void) { static int *p = &g; static int n; g = 1; if (p) *p = 5; " +
			"if (n++) p = 0;" + tells, spec, magus.Violates},
		{"a number", "int g; unsigned long p = (unsigned long)&g; int f(void) { g = 1; *(int *)p = 5;" + tells,
			spec, magus.Violates},
		{"a number in between", "int g, *p = (int *)(long)&g; int f(void) { g = 1; *p = 5;" + tells, spec, magus.Violates},
		{"two pointers", "int g, *p = &g, *q = &g; int f(void) { if (!p || !q) return 0; *p = 1; *q = 5; " +
			"if (*p == 5) __MAGUS_ACTION__(\"five\"); return 0; }", spec, magus.Violates},
		{"a function", "int h(int n) { __MAGUS_ACTION__(\"five\"); return n; } int (*p)(int) = h; " +
			"int f(void) { return p ? p(1) : 0; }", spec, magus.Violates},
		{"a static function that a table names", "static int h(int n) { __MAGUS_ACTION__(\"five\"); " +
			"return n; } int (*table[2])(int) = { 0, h }; " +
			"struct ops { int (*run)(int); } *cur; int f(int (*p)(int)) { return cur ? cur->run(1) : p(1); }",
			spec, magus.Violates},
		{"a static function that code elsewhere stores", "static int h(int n) { __MAGUS_ACTION__(\"five\"); " +
			"return n; } static int (*p)(int); void set(void) { p = h; } " +
			"int f(void) { return p ? p(1) : 0; }", spec, magus.Violates},
		{"a static function that is only called", "static int h(int n) { __MAGUS_ACTION__(\"five\"); " +
			"return n; } int g(void) { return h(1); } " +
			"int f(int (*p)(int)) { return p ? p(1) : 0; }", spec, magus.Conforms},
		{"nobody stores to it", "int g, h; static int *p = &g; int f(void) { h = 1; *p = 5; " +
			"if (h == 5) __MAGUS_ACTION__(\"five\"); return 0; }", spec, magus.Conforms},
		{"another variable", "int g, h, *p = &g; int f(void) { h = 1; *p = 5; " +
			"if (h == 5) __MAGUS_ACTION__(\"five\"); return 0; }", spec, magus.Conforms},
	} {
		for _, checked := range []bool{false, true} {
			name := c.name
			if checked {
				name += ", pointers checked"
			}
			t.Run(name, func(t *testing.T) {
				o := check(t, "void __MAGUS_ACTION__(const char *); "+c.c, c.spec,
					magus.Options{Loop: magus.Loop{MaxIterations: 50}, Modelling: magus.Modelling{CheckPointers: checked}})
				require.Equal(t, c.want, o.Verdict, o.Reason.String())
			})
		}
	}
}

// TestKeysOfAnotherTime: a claim that does not begin with the program knows nothing of keys that were created
// before, and of what is kept for them.
func TestKeysOfAnotherTime(t *testing.T) {
	const text = `#include <pthread.h>
pthread_key_t k;
int main(void) { pthread_key_create(&k, 0); return f(); }
int f(void) { return pthread_getspecific(k) != 0; }
`
	const spec = "Never = ( return {$0 == 0} -> STOP ).\nprocedure %s { abstract { a, (1), Never }; }\n"
	require.Equal(t, magus.Violates, check(t, text, fmt.Sprintf(spec, "f"), magus.Options{}).Verdict)
}
