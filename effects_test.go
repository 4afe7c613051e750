package magus_test

import (
	"cmp"
	"context"
	"magus/cfa"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/specs"
)

// TestEffects: calls of routines that have a body and an abstraction. Each program
// calls f, of which the specification says only that it returns 1 or a pointer; what
// main sees afterwards is what the body did. A verdict may be unknown, but not the
// other one, neither for the built-in property nor for a claim about main.
func TestEffects(t *testing.T) {
	const head = "extern void reach_error(void); unsigned __VERIFIER_nondet_uint(void); " +
		"void __MAGUS_ACTION__(const char *); void *malloc(__SIZE_TYPE__); " +
		"void *memcpy(void *, const void *, __SIZE_TYPE__);\n"
	const returnsOne = "F = ( return {$0 == 1} -> STOP ).\nprocedure f { abstract { a, (1), F }; }\n"
	const returnsAny = "F = ( return {$0 != 0} -> STOP ).\nprocedure f { abstract { a, (1), F }; }\n"
	const variadic = "void __builtin_va_start(__builtin_va_list, ...); "
	const reported = "reach_error(); return 0; }"
	decided := map[string]int{}
	cases := []struct {
		name, c, spec string
		want          magus.Verdict
	}{
		{"a local of the caller through a global pointer",
			"int *p; int f(void) { *p = 5; return 1; } int main(void) { int x = 1; p = &x; f(); if (x != 1) " +
				reported, returnsOne, magus.Violates},
		{"through an initialised pointer to a pointer",
			"int g, *q = &g, **p = &q; int f(void) { **p = 5; return 1; } int main(void) { g = 1; f(); if (g == 5) " +
				reported, returnsOne, magus.Violates},
		{"through a list",
			"struct n { int v; struct n *next; } *l; int f(void) { for (struct n *e = l; e; e = e->next) e->v = 5; " +
				"return 1; } " +
				"int main(void) { struct n a = { 1, 0 }, b = { 1, &a }; l = &b; f(); if (a.v != 1) " + reported,
			returnsOne, magus.Violates},
		{"through a union",
			"union { int *p; __UINTPTR_TYPE__ n; } u; int f(void) { *u.p = 5; return 1; } int main(void) { " +
				"int x = 1; u.n = (__UINTPTR_TYPE__)&x; f(); if (x != 1) " + reported, returnsOne, magus.Violates},
		{"through a pointer of another type",
			"char *p; int f(void) { *(int *)p = 5; return 1; } int main(void) { int x = 1; p = (char *)&x; " +
				"f(); if (x != 1) " + reported, returnsOne, magus.Violates},
		{"through bytes",
			"unsigned char b[sizeof(int *)]; int f(void) { int *p; memcpy(&p, b, sizeof p); *p = 5; return 1; } " +
				"int main(void) { int x = 1, *q = &x; memcpy(b, &q, sizeof q); f(); if (x != 1) " + reported,
			returnsOne, magus.Violates},
		{"an allocated object",
			"int *p; int f(void) { *p = 5; return 1; } int main(void) { p = malloc(sizeof *p); if (!p) return 0; " +
				"*p = 1; f(); if (*p != 1) " + reported, returnsOne, magus.Violates},
		{"a static local of what it calls",
			"int count(int d) { static int n; n += d; return n; } int f(void) { count(1); return 1; } " +
				"int main(void) { f(); if (count(0) != 0) " + reported, returnsOne, magus.Violates},
		{"a static array",
			"int *at(int i) { static int a[3]; return &a[i]; } int f(void) { *at(1) = 5; return 1; } " +
				"int main(void) { f(); if (*at(1) != 0) " + reported, returnsOne, magus.Violates},
		{"a global pointer is redirected",
			"int *p, a, b; int f(void) { p = &b; return 1; } int main(void) { p = &a; b = 0; f(); *p = 3; " +
				"if (b == 3) " + reported, returnsOne, magus.Violates},
		{"a pointer of the caller is redirected",
			"int a, b; int f(int **p) { *p = &b; return 1; } int main(void) { int *p = &a; b = 0; f(&p); " +
				"*p = 3; if (b == 3) " + reported, returnsOne, magus.Violates},
		{"a parameter is stored for later",
			"static int *kept; int f(int *p) { kept = p; return 1; } int main(void) { int x = 0; f(&x); " +
				"*kept = 3; if (x == 3) " + reported, returnsOne, magus.Violates},
		{"a pointer to a global is returned",
			"int b; int *f(void) { return &b; } int main(void) { int *q = f(); b = 0; *q = 3; if (b == 3) " +
				reported, returnsAny, magus.Violates},
		{"its parameter is returned",
			"int *f(int *p) { return p; } int main(void) { int x = 0, *q = f(&x); *q = 3; if (x == 3) " + reported,
			returnsAny, magus.Violates},
		{"new memory is returned, other each time",
			"int *f(void) { return malloc(sizeof(int)); } int main(void) { int *p = f(), *q = f(); if (p != q) " +
				reported, returnsAny, magus.Violates},
		{"a structure is an argument",
			"struct s { int *p; }; int f(struct s s) { *s.p = 5; return 1; } int main(void) { int x = 1; " +
				"struct s s = { &x }; f(s); if (x != 1) " + reported, returnsOne, magus.Violates},
		{"a function is called through a pointer",
			"int g; void set(void) { g = 5; } void (*h)(void) = set; int f(void) { h(); return 1; } " +
				"int main(void) { f(); if (g == 5) " + reported, returnsOne, magus.Violates},
		{"a routine is called by its abstraction in the body",
			"int g; int h(void) { g = 5; return 1; } int f(void) { return h(); } int main(void) { f(); if (g == 5) " + reported,
			returnsOne + "procedure h { abstract { a, (1), F }; }\n", magus.Violates},
		{"it calls itself",
			"int *p; int f(int n) { if (n > 0) return f(n - 1); *p = 5; return 1; } int main(void) { " +
				"int x = 1; p = &x; f(2); if (x != 1) " + reported, returnsOne, magus.Violates},
		{"it is not modelled",
			"int *p; int f(void) { __asm__(\"\"); *p = 5; return 1; } int main(void) { int x = 1; p = &x; " +
				"f(); if (x != 1) " + reported, returnsOne, magus.Violates},
		{"it lets an address escape",
			"void lend(int *); void use(void); int f(int *p) { lend(p); return 1; } int main(void) { " +
				"int x = 1; f(&x); use(); if (x != 1) " + reported, returnsOne, magus.Violates},
		{"it lets an address escape, before the object is set",
			"void lend(int *); void use(void); int f(int *p) { lend(p); return 1; } int main(void) { int x; " +
				"f(&x); x = 1; use(); if (x != 1) " + reported, returnsOne, magus.Violates},
		{"it calls a routine that knows an address from before",
			"void lend(int *); void use(void); int f(void) { use(); return 1; } int main(void) { int x; " +
				"lend(&x); x = 1; f(); if (x != 1) " + reported, returnsOne, magus.Violates},
		{"by a number that was guessed",
			"extern unsigned long __VERIFIER_nondet_ulong(void); int f(unsigned long n) { *(int *)n = 5; return 1; } " +
				"int main(void) { int y = 1; unsigned long n = __VERIFIER_nondet_ulong(); if ((int *)n == &y) f(n); " +
				"if (y == 5) " + reported, returnsOne, magus.Violates},
		{"what it calls sets errno",
			"extern int *__errno_location(void); long strtol(const char *, char **, int); int f(const char *s) { " +
				"return (int)strtol(s, 0, 0) != 0 ? 1 : 1; } " +
				"int main(void) { *__errno_location() = 0; f(\"x\"); if (*__errno_location() != 0) " + reported,
			returnsOne, magus.Violates},
		{"what it calls changes no memory, but errno",
			"extern int *__errno_location(void); int puts(const char *); int f(void) { puts(\"x\"); return 1; } " +
				"int main(void) { *__errno_location() = 0; f(); if (*__errno_location() != 0) " + reported,
			returnsOne, magus.Violates},
		{"through a variable argument",
			variadic + "int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); " +
				"*__builtin_va_arg(a, int *) = 5; return 1; } int main(void) { int x = 1; f(1, &x); if (x == 5) " +
				reported, returnsOne, magus.Violates},
		{"through a variable argument that leads there",
			variadic + "struct n { int v; struct n *next; }; int f(int n, ...) { __builtin_va_list a; " +
				"__builtin_va_start(a, n); __builtin_va_arg(a, struct n *)->next->v = 5; return 1; } " +
				"int main(void) { struct n x = { 1, 0 }, y = { 2, &x }; f(1, &y); if (x.v == 5) " + reported,
			returnsOne, magus.Violates},
		{"through a structure among variable arguments",
			variadic + "struct s { int *p; }; int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); " +
				"struct s s = __builtin_va_arg(a, struct s); *s.p = 5; return 1; } " +
				"int main(void) { int x = 1; struct s s = { &x }; f(1, s); if (x == 5) " + reported, returnsOne, magus.Violates},
		{"what it calls takes a variable argument",
			variadic + "void h(__builtin_va_list a) { *__builtin_va_arg(a, int *) = 5; } int f(int n, ...) { " +
				"__builtin_va_list a; __builtin_va_start(a, n); h(a); return 1; } " +
				"int main(void) { int x = 1; f(1, &x); if (x == 5) " + reported, returnsOne, magus.Violates},
		{"a variable argument is stored for later",
			variadic + "static int *kept; int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); " +
				"kept = __builtin_va_arg(a, int *); return 1; } " +
				"int main(void) { int x = 1; f(1, &x); x = 1; *kept = 5; if (x == 5) " + reported, returnsOne, magus.Violates},
		{"a variable argument is returned",
			variadic + "int *f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); " +
				"return __builtin_va_arg(a, int *); } " +
				"int main(void) { int x = 1, *q = f(1, &x); x = 1; *q = 5; if (x == 5) " + reported, returnsAny, magus.Violates},
		{"a function that is a variable argument",
			variadic + "static void set(int *p) { *p = 5; } int f(int n, ...) { __builtin_va_list a; " +
				"__builtin_va_start(a, n); void (*h)(int *) = __builtin_va_arg(a, void (*)(int *)); " +
				"h(__builtin_va_arg(a, int *)); return 1; } " +
				"int main(void) { int x = 1; f(1, set, &x); if (x == 5) " + reported, returnsOne, magus.Violates},
		{"variable arguments that it does not look at",
			"int f(int *p, ...) { *p = 5; return 1; } int main(void) { int x = 1, y = 1; f(&x, &y); if (y == 5) " +
				reported, returnsOne, magus.Conforms},
		{"it fails",
			"int f(void) { " + "reach_error(); return 1; } int main(void) { f(); return 0; }", returnsOne, magus.Violates},
		{"what it calls fails",
			"void h(int n) { if (n > 3) reach_error(); } int f(void) { h(4); return 1; } int main(void) { f(); return 0; }",
			returnsOne, magus.Violates},
		{"its parameter points to a global that it uses",
			"int g; int f(int *p) { *p = 0; g = 1; return *p == 0; } int main(void) { if (f(&g) != 1) " + reported,
			returnsOne, magus.Violates},
		{"its parameters point to one object",
			"int f(int *p, int *q) { *p = 0; *q = 1; return *p == 0; } int main(void) { int x; if (f(&x, &x) != 1) " +
				reported, returnsOne, magus.Violates},
		{"a global pointer points to a global that it uses",
			"int g, *p; int f(void) { *p = 0; g = 1; return *p == 0; } int main(void) { p = &g; if (f() != 1) " +
				reported, returnsOne, magus.Violates},

		{"two members behind its parameter point to one object",
			"struct s { int *a, *b; }; int f(struct s *s) { *s->a = 0; *s->b = 1; return *s->a == 0; } " +
				"int main(void) { int x; struct s s = { &x, &x }; if (f(&s) != 1) " + reported, returnsOne, magus.Violates},
		{"a member points into its own object",
			"struct s { int v, *p; }; int f(struct s *s) { s->v = 0; *s->p = 1; return s->v == 0; } " +
				"int main(void) { struct s s; s.p = &s.v; if (f(&s) != 1) " + reported, returnsOne, magus.Violates},
		{"a list ends in itself",
			"struct s { int v; struct s *next; }; int f(struct s *s) { s->v = 0; if (s->next) s->next->v = 1; " +
				"return s->v == 0; } int main(void) { struct s s; s.next = &s; if (f(&s) != 1) " + reported,
			returnsOne, magus.Violates},
		{"two global pointers point to one object",
			"int *g, *h; int f(void) { *g = 0; *h = 1; return *g == 0; } int main(void) { int x; g = h = &x; " +
				"if (f() != 1) " + reported, returnsOne, magus.Violates},
		{"a parameter and a member behind a global pointer point to one object",
			"struct s { int *a; } *h; int f(int *p) { *p = 0; *h->a = 1; return *p == 0; } int main(void) { " +
				"int x; struct s s = { &x }; h = &s; if (f(&x) != 1) " + reported, returnsOne, magus.Violates},
		{"pointers behind its parameters point to one object",
			"int f(int **p, int **q) { **p = 0; **q = 1; return **p == 0; } int main(void) { " +
				"int x, *a = &x, *b = &x; if (f(&a, &b) != 1) " + reported, returnsOne, magus.Violates},
		{"its parameters are compared and are equal",
			"int f(int *p, int *q) { return p == 0 || q == 0 || p != q; } int main(void) { int x; if (f(&x, &x) != 1) " +
				reported, returnsOne, magus.Violates},
		{"its parameter is compared with the address of a global and is equal",
			"int g; int f(int *p) { return p != &g; } int main(void) { if (f(&g) != 1) " + reported, returnsOne, magus.Violates},
		{"members behind its parameter point to different objects",
			"struct s { int *a, *b; }; int f(struct s *s) { *s->a = 0; *s->b = 1; return 1; } int main(void) { " +
				"int x, y, z = 1; struct s s = { &x, &y }; f(&s); if (z != 1) " + reported, returnsOne, magus.Conforms},
		{"a global pointer is read that nothing is stored to",
			"int g, *never; unsigned long n; int f(int *p) { *p = never ? *never : n != 0; return 1; } " +
				"int main(void) { never = 0; n = 0; int x = 1; f(&x); if (x) " + reported, returnsOne, magus.Conforms},
		{"what it writes has the value that it writes",
			"int g; int f(void) { g = 1; return 1; } int main(void) { g = 0; f(); if (g != 1) " + reported,
			returnsOne, magus.Conforms},
		{"what it writes has the value that it writes, not another one",
			"int g; int f(void) { g = 1; return 1; } int main(void) { g = 0; f(); if (g == 7) " + reported,
			returnsOne, magus.Conforms},
		{"it writes one of two objects", "int *p; int f(void) { *p = 5; return 1; } int main(void) { " +
			"int x = 1, y = 2; p = &y; p = &x; f(); if (x == 1 || y != 2) " + reported, returnsOne, magus.Conforms},
		{"what it calls by its abstraction writes has one value",
			"int g; int h(int *p) { *p = 5; return 1; } int f(void) { return h(&g); } int main(void) { g = 0; " +
				"f(); if (g != 5) " + reported,
			returnsOne + "procedure h { abstract { a, (1), F }; }\n", magus.Conforms},
		{"it writes what it is called with, at each call",
			"int g; int f(int n) { g += n; return 1; } int main(void) { g = 0; f(1); f(2); if (g != 3) " + reported,
			returnsOne, magus.Conforms},
		{"it is given a structure", "struct s { int a[2], *p; }; int f(struct s s) { *s.p = s.a[1]; " +
			"s.a[0] = 9; return 1; } " +
			"int main(void) { int x = 0; struct s s = { { 1, 2 }, &x }; f(s); if (x != 2 || s.a[0] != 1) " + reported,
			returnsOne, magus.Conforms},
		{"it fills an array whose elements are not told apart",
			"int q[64]; int f(void) { for (int i = 0; i < 64; i++) q[i] = 1; return 1; } int main(void) { " +
				"f(); unsigned k = __VERIFIER_nondet_uint(); if (k < 64 && q[k] != 1) " + reported, returnsOne, magus.Conforms},
		{"it fills a part of it, and the caller the rest",
			"int q[64]; int f(int n) { q[n & 1] = 1; return 1; } int main(void) { " +
				"unsigned k = __VERIFIER_nondet_uint(); if (k < 2 || k > 63) return 0; q[k] = 7; f(0); if (q[k] != 7) " +
				reported, returnsOne, magus.Conforms},
		{"another local is left alone",
			"int *p; int f(void) { *p = 5; return 1; } int main(void) { int x = 1, y = 1; p = &x; f(); if (y != 1) " +
				reported, returnsOne, magus.Conforms},
		{"what another call is given is left alone",
			"int f(int *p) { *p = 5; return 1; } int main(void) { int x = 1, y = 1; f(&x); " +
				"if (y != 1) reach_error(); f(&y); return 0; }", returnsOne, magus.Conforms},
		{"a global that it only reads is left alone",
			"int g; int f(int *p) { *p = g; return 1; } int main(void) { int x = 1; g = 1; f(&x); if (g != 1) " +
				reported, returnsOne, magus.Conforms},
		{"objects of its own are nobody else's",
			"int f(void) { int a[3] = { 1, 2, 3 }, *p = a; p[1] = 5; return 1; } int main(void) { " +
				"int x = 1, *p = &x; f(); if (*p != 1) " + reported, returnsOne, magus.Conforms},
		{"it fails where its abstraction does not say so, but not for this argument",
			"int f(int n) { if (n > 3) reach_error(); return 1; } int main(void) { f(2); return 0; }", returnsOne,
			magus.Conforms},
		{"what it fails with is dead",
			"int f(int n) { if (n != n) reach_error(); return 1; } int main(void) { f(2); return 0; }", returnsOne,
			magus.Conforms},
		{"its parameters point to one object, which it calls itself with",
			"int f(int *p, int *q, int n) { if (n > 0) return f(q, p, n - 1); *p = 0; *q = 1; return *p == 0; " +
				"} int main(void) { int x; if (f(&x, &x, 2) != 1) " + reported, returnsOne, magus.Violates},
		{"what it performs is mentioned",
			"int f(void) { __MAGUS_ACTION__(\"log\"); return 1; } int main(void) { f(); return 0; }",
			"F = ( log -> return {$0 == 1} -> STOP ).\nprocedure f { abstract { a, (1), F }; }\n", magus.Conforms},
	}
	for _, c := range cases {
		wrong := magus.Conforms
		if c.want == magus.Conforms {
			wrong = magus.Violates
		}
		const main = "M = ( return {$0 == 0} -> STOP ) + {error}.\nprocedure main { abstract { m, (1), M }; }\n"
		p, err := magus.Load(context.Background(),
			magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(head + c.c)}},
				Specs: []specs.Source{{Name: "p.spec", Text: []byte(c.spec + main)}}})
		require.NoError(t, err)
		property, err := p.Property(magus.Property{})
		require.NoError(t, err)
		claims, err := p.Claims(magus.Selection{})
		require.NoError(t, err)
		for _, claim := range append(claims, property) {
			if claim.Procedures[0] != "main" {
				continue
			}
			t.Run(c.name+"/"+cmp.Or(claim.Specification, "property"), func(t *testing.T) {
				s, err := cegar.NewSession(context.Background(), claim, cegar.Options{Loop: cegar.Loop{MaxIterations: 30}})
				require.NoError(t, err)
				defer s.Close()
				o := s.Run(context.Background(), nil)
				require.NotEqual(t, wrong, o.Verdict)
				require.NotContains(t, o.Reason.String(), "fault")
				if o.Verdict == c.want {
					decided[claim.Specification]++
				} else {
					t.Log(o.Verdict, o.Reason.String())
				}
			})
		}
	}
	t.Logf("%v of %d decided", decided, len(cases))
	require.Greater(t, 2*decided[""], len(cases))
	require.Greater(t, 3*decided["M"], 2*len(cases))
}

// TestLeaksOfBodies: memory that the body of an abstracted routine allocates is looked for
// at the end of its caller.
func TestLeaksOfBodies(t *testing.T) {
	const spec = "F = ( return {$0 == 1} -> STOP ).\nprocedure f { abstract { a, (1), F }; }\n"
	for _, c := range []struct {
		name, c string
		want    magus.Verdict
	}{
		{"a global points to it", "int *p; int f(void) { p = malloc(4); return 1; } int main(void) { f(); return 0; }",
			magus.Violates},
		{"nothing points to it", "int f(void) { malloc(4); return 1; } int main(void) { f(); return 0; }", magus.Violates},
		{"a parameter points to it", "int f(int **p) { *p = malloc(4); return 1; } int main(void) { " +
			"int *p = 0; f(&p); return 0; }", magus.Violates},
		{"it ends the program", "int *p; int f(void) { p = malloc(4); exit(0); } int main(void) { f(); return 0; }",
			magus.Violates},
		{"it frees it", "int f(void) { int *p = malloc(4); free(p); return 1; } int main(void) { f(); return 0; }",
			magus.Conforms},
		{"the caller frees it", "int f(int **p) { *p = malloc(4); return 1; } int main(void) { int *p = 0; " +
			"f(&p); free(p); return 0; }", magus.Conforms},
		{"it frees the caller's", "int f(int *p) { free(p); return 1; } int main(void) { f(malloc(4)); return 0; }",
			magus.Conforms},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := magus.Load(t.Context(),
				magus.Input{C: []source.Source{{Name: "p.c", Text: []byte("#include <stdlib.h>\n" + c.c)}},
					Specs: []specs.Source{{Name: "p.spec", Text: []byte(spec)}}})
			require.NoError(t, err)
			property, err := p.Property(magus.Property{})
			require.NoError(t, err)
			s, err := cegar.NewSession(t.Context(), property, cegar.Options{Loop: cegar.Loop{MaxIterations: 30},
				Modelling: cfa.Modelling{CheckLeaks: true}})
			require.NoError(t, err)
			defer s.Close()
			require.Equal(t, c.want, s.Run(t.Context(), nil).Verdict)
		})
	}
}
