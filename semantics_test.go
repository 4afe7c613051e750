package magus_test

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

// act declares what the programs call.
const act = "void __MAGUS_ACTION__(const char *);\nint __VERIFIER_nondet_int(void);\n"

// TestSemantics pins what is verified, claim by claim: one row for each
// sentence that a wrong verdict could hide behind.
func TestSemantics(t *testing.T) {
	for _, c := range []struct {
		name, c, spec string
		want          magus.Verdict
		reason        string // part of it, if unknown
	}{
		{"a routine with a body and an abstraction may change what the body writes",
			`int g; void set(void) { g = 1; } int run(void) { g = 0; set(); if (g == 1) __MAGUS_ACTION__("bad"); return 0; }`,
			`Set = ( return {} -> STOP ). procedure set { abstract { s, (1), Set }; }
			 R = ( ok -> R ) + {bad}. program run { specification r, {1}, R; }`, magus.Violates, ""},
		{"globals of a claim about a procedure hold any value",
			`int g = 1; int run(void) { if (g == 7) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"a guard restricts them",
			`int g = 1; int run(void) { if (g == 7) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (g < 7), R }; }`, magus.Conforms, ""},
		{"globals of a program's component begin with their initial values",
			`int g = 1; int run(void) { if (g == 7) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. program run { specification r, {1}, R; }`, magus.Conforms, ""},
		{"a returned value that no return action covers is not allowed",
			`int run(int n) { return n; }`,
			`R = ( return {$0 >= 0} -> STOP ). procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"a return condition stands for all its values, overlapping or not",
			`int run(int n) { if (n > 5) { __MAGUS_ACTION__("a"); return 10; } return n < 0 ? 0 : n; }`,
			`R = ( a -> return {$0 > 5} -> STOP | return {$0 >= 0} -> STOP ). procedure run { abstract { r, (1), R }; }`,
			magus.Conforms, ""},
		{"and each is allowed only where the specification has it",
			`int run(int n) { if (n > 5) { __MAGUS_ACTION__("a"); return 3; } return n < 0 ? 0 : n; }`,
			`R = ( a -> return {$0 > 5} -> STOP | return {$0 >= 0} -> STOP ). procedure run { abstract { r, (1), R }; }`,
			magus.Violates, ""},
		{"returns are not observed where no return action is mentioned",
			`int run(int n) { __MAGUS_ACTION__("a"); return n; }`,
			`R = ( a -> STOP ). procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"actions outside the specification's alphabet are not observed",
			`int run(void) { __MAGUS_ACTION__("noise"); __MAGUS_ACTION__("a"); return 0; }`,
			`R = ( a -> STOP ). procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"ERROR asks whether a trace leads there: no",
			`int run(void) { __MAGUS_ACTION__("b"); __MAGUS_ACTION__("a"); return 0; }`,
			`R = ( a -> ( b -> ERROR ) ). procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"ERROR asks whether a trace leads there: yes",
			`int run(void) { __MAGUS_ACTION__("a"); __MAGUS_ACTION__("b"); return 0; }`,
			`R = ( a -> ( b -> ERROR ) ). procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"components wait for one that mentions the action and never performs it",
			`int one(void) { int x = 1; if (x < x) __MAGUS_ACTION__("a"); for (;;) ; __MAGUS_ACTION__("b"); return 0; }
			 int two(void) { if (__VERIFIER_nondet_int()) __MAGUS_ACTION__("a"); else __MAGUS_ACTION__("b"); return 0; }`,
			`R = ( c -> R ) + {a, b}. program one, two { specification r, {1,1}, R; }`, magus.Conforms, ""},
		{"components wait for each other at shared actions",
			`int one(void) { __MAGUS_ACTION__("a"); __MAGUS_ACTION__("b"); return 0; }
			 int two(void) { __MAGUS_ACTION__("b"); __MAGUS_ACTION__("a"); return 0; }`,
			`R = ( c -> R ) + {a, b}. program one, two { specification r, {1,1}, R; }`, magus.Conforms, ""},
		{"and go on alone at their own",
			`int one(void) { __MAGUS_ACTION__("a"); return 0; } int two(void) { __MAGUS_ACTION__("b"); return 0; }`,
			`R = ( a -> ( b -> STOP ) ). program one, two { specification r, {1,1}, R; }`, magus.Violates, ""},
		{"signed addition wraps around",
			`int run(int n) { if (n + 1 < n) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"unsigned comparison is unsigned",
			`int run(unsigned n) { if (n < 0 || n - 1 > n) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, ($1 > 0), R }; }`, magus.Conforms, ""},
		{"division by zero gives any value",
			`int run(int n) { if (5 / n == 77) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"an uninitialised local holds any value",
			`int run(void) { int x; if (x == 12345) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"what is not modelled is no matter where a run does not come there",
			`void longjmp(void *, int); int run(int n) { long b[20] = {0}; if (n == 4) longjmp(b, 1); ` +
				`if (n == 3) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"nor where none does",
			`void longjmp(void *, int); int run(int n) { long b[20] = {0}; if (n > 3 && n < 3) longjmp(b, 1); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"but a proof has to show that",
			`void longjmp(void *, int); int run(int n) { long b[20] = {0}; if (n > 3) longjmp(b, 1); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Unknown,
			"it may lead to the caller of run"},
		{"nor whether two literals share their memory",
			`int run(void) { const void *a = u"ab", *b = u"ab"; if (a == b) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Unknown,
			"the addresses of two literals"},
		{"memory that is allocated may be where other memory was freed, which a comparison of bytes tells",
			`void *malloc(unsigned long); void free(void *); int memcmp(const void *, const void *, unsigned long);
			 void *memcpy(void *, const void *, unsigned long);
			 int run(void) { int *p = malloc(4); if (!p) return 0; int *o = p; free(p); int *q = malloc(4);
			 if (q && !memcmp(&o, &q, sizeof o)) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"and another member of a union",
			`void *malloc(unsigned long); void free(void *); int memcmp(const void *, const void *, unsigned long);
			 void *memcpy(void *, const void *, unsigned long);
			 int run(void) { int *p = malloc(4); if (!p) return 0; union { int *p; unsigned long n; } a, b; a.p = p;
			 free(p); b.p = malloc(4); if (b.p && a.n == b.n) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"and bytes that were copied",
			`void *malloc(unsigned long); void free(void *); int memcmp(const void *, const void *, unsigned long);
			 void *memcpy(void *, const void *, unsigned long);
			 int run(void) { int *p = malloc(4); if (!p) return 0; unsigned char o[8], n[8]; memcpy(o, &p, 8); free(p);
			 int *q = malloc(4); memcpy(n, &q, 8); for (int i = 0; i < 8; i++) if (o[i] != n[i]) return 0;
			 if (q) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"recursion that is not followed performs nothing where the whole program does not",
			`int f(int n) { return n ? f(n - 1) : 0; } int run(int n) { return f(n); }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"but it does where some function may",
			`void g(void); int f(int n, void (*h)(void)) { if (n == 9) h(); return n ? f(n - 1, g) : 0; } ` +
				`void none(void) { } int run(int n) { if (n > 9 || n < 0) return 0; return f(n + 5, none); } ` +
				`void g(void) { __MAGUS_ACTION__("bad"); }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"and where returns are observed",
			`int f(int n) { return n > 0 ? f(n - 1) : n == 0 ? 7 : 0; } int run(int n) { return n == 9 ? f(n) : 0; }`,
			`R = ( return {$0 == 0} -> STOP ). procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"and where a pointer has the address of what does",
			`void reach_error(void); void (*h)(void) = reach_error; int f(int n) { if (n == 3) h(); ` +
				`return n < 9 ? f(n + 1) : 0; } int run(void) { f(0); return 0; }`,
			`R = ( ok -> R ) + {error}. program run { specification r, {1}, R; }`, magus.Violates, ""},
		{"code that nobody described returns any value",
			`int (*f)(int); int run(void) { if (f(2) == 3) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"also where functions of the program may be meant",
			`int (*f)(int); int g(int n) { return n; } int run(void) { if (f(2) == 3) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"but a pointer that is a number leads to code nobody knows only if that is what it is",
			`int g(int n) { return n; } int run(void) { int (*f)(int) = g; if (f(2) == 3) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"memory before what a pointer from outside points to is memory",
			`int run(char *s) { *s = 7; if (s[-1] == 3 && *s == 7) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"and holds what was stored",
			`int run(char *s) { s[-1] = 4; if (s[-1] == 3) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Unknown, ""},
		{"an unknown function returns any value",
			`int who(void); int run(void) { if (who() == 3) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"an unknown function may change what it is given the address of",
			`void who(int *); int run(void) { int x = 0; who(&x); if (x == 3) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"the result of a routine satisfies its return action",
			`int lib(int); int run(int n) { if (lib(n) < 0) __MAGUS_ACTION__("bad"); return 0; }`,
			`L = ( return {$0 >= 0} -> STOP ). procedure lib { abstract { l, (1), L }; }
			 R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"nothing comes after a routine that is declared not to return, whatever its abstraction says",
			`void die(void) __attribute__((noreturn)); int run(void) { die(); __MAGUS_ACTION__("bad"); return 0; }`,
			`D = ( died -> return {} -> STOP ). procedure die { abstract { d, (1), D }; }
			 R = ( died -> STOP ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"nor after a routine without a body whose abstraction stops",
			`void die(void); int run(int n) { if (n) die(); if (n) __MAGUS_ACTION__("bad"); return 0; }`,
			`D = ( died -> STOP ). procedure die { abstract { d, (1), D }; }
			 R = ( died -> STOP ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"but after one that may return as well",
			`void die(void); int run(int n) { if (n) die(); if (n) __MAGUS_ACTION__("bad"); return 0; }`,
			`D = ( died -> STOP | return {} -> STOP ). procedure die { abstract { d, (1), D }; }
			 R = ( died -> STOP ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"a member that is called is the routine of its name, where no function has it",
			`struct ops { int (*lock)(void); }; int run(struct ops *o) { return o->lock() ? 0 : (*o->lock)(); }`,
			`L = ( lock -> return {$0 == 0} -> STOP ). procedure lock { abstract { l, (1), L }; }
			 R = ( lock -> STOP ). procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"and what it points to where that is known",
			`struct ops { int (*lock)(void); }; int mine(void) { return 1; }
			 int run(void) { struct ops o = {mine}; return o.lock(); }`,
			`L = ( lock -> return {$0 == 0} -> STOP ). procedure lock { abstract { l, (1), L }; }
			 R = ( ok -> STOP ) + {lock}. procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"where a function has its name, unknown code is any",
			`struct ops { int (*lock)(void); }; int lock(void); int run(struct ops *o) { ` +
				`if (o->lock()) __MAGUS_ACTION__("bad"); return 0; }`,
			`L = ( lock -> return {$0 == 0} -> STOP ). procedure lock { abstract { l, (1), L }; }
			 R = ( ok -> STOP ) + {lock, bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"the guard chooses the abstraction",
			`int lib(int); int run(int n) { if (n > 3 && lib(n) == 0) __MAGUS_ACTION__("bad"); return 0; }`,
			`L = ( return {$0 == 1} -> STOP ). Z = ( return {$0 == 0} -> STOP ).
			 procedure lib { abstract { l, ($1 > 3), L }; abstract { z, ($1 <= 3), Z }; }
			 R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"a violation that depends on complex numbers is not believed",
			`int run(void) { _Complex double d = 0.5; if (d == 1) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Unknown, "floating point"},
		{"_Float128 is computed with 128 bits",
			`int run(void) { _Float128 d = 0.1q, one = 36893488147419103233.0F128; double n = 0.1; ` +
				`if (d * 3 == 0.3L || d == 0.1L || d == n || one + 1 != 36893488147419103234.0q || ` +
				`(int)(d * 25) != 2 || sizeof(d + 1.0L) != 16) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"_Float16 is computed in float and rounded where it is stored",
			`int run(void) { _Float16 a = 1, c = 0.000488f16, d = a + c - a, e = (_Float16)(a + c) - a; ` +
				`if (d == 0 || e != 0 || a + c == a || sizeof(a + 1.0f) != 4 || sizeof(1 + a) != 2 || 0.1f16 != 0.1f || ` +
				`(_Float16)0.1f16 == 0.1f) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"long double is computed with 80 bits",
			`int run(void) { long double d = 0.1L, one = 18446744073709551615.0L; double n = 0.1; ` +
				`if (d * 3 != 0.3L || d == n || one + 1 != 18446744073709551616.0L || one + 0.5L != one + 1 || ` +
				`(int)(d * 25) != 2) __MAGUS_ACTION__("bad"); return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"with a rounding to double, another number",
			`int run(int n) { double d = n; long double l = n; if (n > 0 && d / 10 != l / 10) __MAGUS_ACTION__("bad"); ` +
				`return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"_Generic on an enumeration goes by the integer type that GCC gives it",
			`enum e { A = -3 }; int run(enum e x) { if (_Generic(x, int: 1, default: 7) != 1) __MAGUS_ACTION__("bad"); ` +
				`return 0; }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"_Generic on an enumeration constant of another type than int is refused",
			`enum e { A = 1LL << 40 }; int run(void) { return _Generic(A + 0, int: 1, default: 7); }`,
			`R = ( ok -> R ). procedure run { abstract { r, (1), R }; }`, magus.Unknown, "_Generic on an enumeration"},
		{"elements of vectors are refused",
			`typedef int v4 __attribute__((vector_size(16))); int run(void) { v4 v; return v[1] == 2; }`,
			`R = ( ok -> R ). procedure run { abstract { r, (1), R }; }`, magus.Unknown, "element of a vector"},
		{"typeof of an enumerator likewise",
			`enum c { RED }; int run(void) { return (__typeof__(RED - 1))-1 < 0; }`,
			`R = ( ok -> R ). procedure run { abstract { r, (1), R }; }`, magus.Unknown, "typeof of an enumerator"},
		{"recursion that never gets deep is followed to its end",
			`int f(int n) { return n ? f(n - 1) : 0; } int run(int n) { return 0 < n && n < 4 ? f(n) : 0; }`,
			`R = ( ok -> R | return {$0 == 0} -> STOP ). procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"a violation within recursion is found",
			`int f(int n) { if (!n) return __MAGUS_ACTION__("bad"), 0; return f(n - 1); } int run(int n) { return f(n); }`,
			`R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"also behind it, with what it returns",
			`int f(int n) { return n ? f(n - 1) + 2 : 0; } int run(int n) { return f(n); }`,
			`R = ( return {$0 != 6} -> STOP ). procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
		{"a recursive call of a procedure with an abstraction is a call of that",
			`int run(int n) { __MAGUS_ACTION__("a"); return n > 0 ? run(n - 1) : 0; }`,
			`R = ( a -> R | a -> return {$0 == 0} -> STOP ). procedure run { abstract { r, (1), R }; }`, magus.Conforms, ""},
		{"and the body may not do more than it says",
			`int run(int n) { __MAGUS_ACTION__("a"); return n > 0 ? run(n - 1) : 0; }`,
			`R = ( a -> return {$0 == 0} -> STOP ). procedure run { abstract { r, (1), R }; }`, magus.Violates, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, opt := range []magus.Options{{},
				{Loop: magus.Loop{ActionAbstraction: cegar.On, LargeBlocks: cegar.On, Strategy: "none"}},
				{Loop: magus.Loop{Strategy: "greedy"}}} {
				o := check(t, act+c.c, c.spec, opt)
				require.Equal(t, c.want, o.Verdict, "%v", o.Reason)
				require.Contains(t, o.Reason.String(), c.reason)
				require.Equal(t, c.want == magus.Violates, o.Run != nil)
			}
		})
	}
}

// TestSharedErrors: a component that fails waits for others that may fail, so a
// proof is none.
func TestSharedErrors(t *testing.T) {
	const c = "void reach_error(void); void __MAGUS_ACTION__(const char *);\n" +
		"int one(void) { reach_error(); return 0; }\n" +
		"int two(void) { int x = 1; if (x) x = 0; if (x) reach_error(); return 0; }\n" +
		"int three(void) { __MAGUS_ACTION__(\"a\"); return 0; }\n" +
		"int four(void) { __MAGUS_ACTION__(\"a\"); if (0) reach_error(); return 0; }\n"
	o := check(t, c, "R = ( a -> R ) + {error}. program one, two { specification r, {1,1}, R; }", magus.Options{})
	require.Equal(t, magus.Unknown, o.Verdict)
	require.Equal(t, "one and two perform error together only, and wait for each other with it: "+
		"check each alone, or leave error out of the specification", o.Reason.Text)
	require.Equal(t, 1, o.Reason.Place.Line)
	o = check(t, c, "R = ( a -> R ) + {error}. program two, four { specification r, {1,1}, R; }", magus.Options{})
	require.Equal(t, magus.Conforms, o.Verdict, o.Reason)
	o = check(t, c, "R = ( a -> R ) + {error}. program one, three { specification r, {1,1}, R; }", magus.Options{})
	require.Equal(t, magus.Violates, o.Verdict)
	o = check(t, c, "R = ( a -> R ). program one, two { specification r, {1,1}, R; }", magus.Options{})
	require.Empty(t, o.Assumptions)
}

// TestAssumptionWithoutReturn: callers would never go on, while the body is
// checked without its returns being observed. That would prove anything.
func TestAssumptionWithoutReturn(t *testing.T) {
	ctx := context.Background()
	p, err := magus.Load(ctx, magus.Input{
		C: []source.Source{{Name: "p.c",
			Text: []byte("void reach_error(void); void f(void) { } int run(void) { f(); reach_error(); return 0; }")}},
		Specs: []specs.Source{{Name: "p.spec", Text: []byte(`F = ( ok -> F ).
procedure f { abstract { f_is, (1), F }; }
R = ( ok -> R ) + {error}.
procedure run { abstract { r, (1), R }; }`)}},
	})
	require.NoError(t, err)
	claims, err := p.Claims(magus.Selection{Procedure: "run"})
	require.NoError(t, err)
	_, err = cegar.NewSession(ctx, claims[0], cegar.Options{})
	require.ErrorContains(t, err, "p.spec:2:15: abstraction f_is of f has no return action")
}

// check runs the last claim.
func check(t *testing.T, c, spec string, opt magus.Options) *magus.Outcome {
	t.Helper()
	ctx := context.Background()
	p, err := magus.Load(ctx, magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(c)}},
		Specs: []specs.Source{{Name: "p.spec", Text: []byte(spec)}}})
	require.NoError(t, err)
	claims, err := p.Claims(magus.Selection{})
	require.NoError(t, err)
	s, err := magus.NewLoop(ctx, claims[len(claims)-1], opt)
	require.NoError(t, err)
	defer s.Close()
	return s.Run(ctx, nil)
}

// TestRecursionThatDoesNotEnd: it proves nothing, whatever the specification asks for.
func TestRecursionThatDoesNotEnd(t *testing.T) {
	for _, c := range []struct{ name, c, spec string }{
		{"without a way out",
			`int f(int n) { return f(n + 1); } int run(int n) { int r = f(n); __MAGUS_ACTION__("bad"); return r; }`,
			`R = ( ok -> R ) + {bad}.`},
		{"ERROR", `int f(int n) { return n ? f(n - 1) : 0; } int run(int n) { int r = f(n); ` +
			`if (r) __MAGUS_ACTION__("bad"); return r; }`, `R = ( bad -> ERROR ).`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, opt := range []magus.Options{{Loop: magus.Loop{MaxIterations: 9}},
				{Modelling: magus.Modelling{Recursion: 3}},
				{Modelling: magus.Modelling{Recursion: 3},
					Loop: magus.Loop{ActionAbstraction: cegar.On, LargeBlocks: cegar.On, Search: cegar.DepthFirst, Check: true}}} {
				o := check(t, act+c.c, c.spec+` procedure run { abstract { r, (1), R }; }`, opt)
				require.Equal(t, magus.Unknown, o.Verdict)
				require.Contains(t, o.Reason.String(), "f at p.c:3 → f; give one of these procedures an abstraction")
			}
		})
	}
}

// A store through a pointer to one of very many places is to one of them: that this one
// has changed may be rested on, and that the others have is wrong.
func TestStoreAmongManyPlaces(t *testing.T) {
	sample.Long(t)
	program := func(condition string) string {
		var b strings.Builder
		b.WriteString(act + "struct s { int a, b; }; struct s *pick(void); void publish(void *);\n")
		for i := range 40 {
			fmt.Fprintf(&b, "static union { char bytes[8]; struct s s; } x%d;\n", i)
		}
		b.WriteString("int run(void) {\n")
		for i := range 40 {
			fmt.Fprintf(&b, "x%d.s.a = 1; x%d.s.b = 2; publish(&x%d);\n", i, i, i)
		}
		b.WriteString("struct s *p = pick();")
		for i := range 40 {
			fmt.Fprintf(&b, "x%d.s.a = 1; x%d.s.b = 2;\n", i, i)
		}
		fmt.Fprintf(&b, "p->a = 7; if (%s) __MAGUS_ACTION__(\"bad\"); return 0; }", condition)
		return b.String()
	}
	spec := `R = ( ok -> R ) + {bad}. procedure run { abstract { r, (1), R }; }`
	for condition, want := range map[string][]magus.Verdict{
		"x3.s.a == 7":                {magus.Violates},
		"x3.s.a == 7 && x4.s.a == 7": {magus.Unknown, magus.Conforms},
		"x3.s.a == 8":                {magus.Unknown, magus.Conforms},
		"x3.s.a == 7 && p->a == 7":   {magus.Violates},
		"x3.s.a == 7 && p->a == 1":   {magus.Unknown, magus.Conforms},
	} {
		o := check(t, program(condition), spec, magus.Options{Loop: magus.Loop{MaxIterations: 20, Check: true}})
		require.Contains(t, want, o.Verdict, "%s: %v", condition, o.Reason)
	}
}
