package memory_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/smt/expr"
)

// A program says what main returns, in all runs in which open values are 0 to 3, and whether a run has an error.
type program struct {
	name, text string
	results    []uint64
	wrong      bool
}

// declarations are what programs have in front: headers take longer to read than all else.
const declarations = `#define nondet __VERIFIER_nondet_int
typedef unsigned long size_t;
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), *alloca(size_t); void free(void *);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t), strcmp(const char *, const char *); size_t strlen(const char *);
char *strcpy(char *, const char *), *strchr(const char *, int);
int __VERIFIER_nondet_int(void); void reach_error(void), exit(int);
void lib(void *), libc(const void *); void *find(void);
struct s { int a, b; struct s *next; }; union u { int i; unsigned char c[4]; short h; };
struct bits { unsigned a : 3, b : 7; int c : 5; };
`

// automaton is that of a procedure, with globals as in a run from main.
func automaton(t *testing.T, text, procedure string, opt lower.Options) *cfa.CFA {
	t.Helper()
	c, err := lowered(t, text, procedure, opt)
	require.NoError(t, err)
	require.Empty(t, c.Check())
	return c
}

// lowered is it where all is modelled.
func lowered(t *testing.T, text, procedure string, opt lower.Options) (*cfa.CFA, error) {
	t.Helper()
	p, err := source.Parse(t.Context(), []source.Source{{Name: "a.c", Text: []byte(declarations + text)}},
		source.Options{})
	require.NoError(t, err)
	opt.InitGlobals = true
	return lower.Lower(t.Context(), p, procedure, expr.NewPool(), opt)
}

// runs are all runs of an automaton in which open values are 0 to 3.
func runs(t *testing.T, c *cfa.CFA) *interp.Interleavings {
	t.Helper()
	all, err := interp.New(c).Interleave(t.Context(), func(*expr.Expr) []uint64 { return []uint64{0, 1, 2, 3} }, 4000)
	require.NoError(t, err)
	return all
}

// do tries programs.
func do(t *testing.T, opt lower.Options, programs []program) {
	t.Helper()
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			all := runs(t, automaton(t, p.text, "main", opt))
			require.Equal(t, p.results, all.Results)
			require.Equal(t, p.wrong, all.Performs(cfa.ErrorAction))
		})
	}
}

func results(all ...uint64) []uint64 { return all }

// Memory is what C makes of it.
func TestProgramsCompute(t *testing.T) {
	do(t, lower.Options{Modelling: cfa.Modelling{Recursion: 3}, Cut: "deeper"}, []program{
		{"through a pointer", "int main(void) { int x = 1, y = 2, *p = nondet() ? &x : &y; *p = 5; return 10 * x + y; }",
			results(15, 52), false},
		{"a member", "int main(void) { struct s x = {1, 2}, y = {3, 4}, *p = nondet() ? &x : &y; p->b = 7; " +
			"return 10 * x.b + y.b; }", results(27, 74), false},
		{"a list", "int main(void) { struct s x = {1, 2, 0}, y = {3, 4, &x}, z = {5, 6, &y}, *p = &z; int n = 0; " +
			"while (p) { n += p->a; p = p->next; } return n; }", results(9), false},
		{"a structure copied", "int main(void) { struct s x = {1, 2, 0}, y = {3, 4, &x}; if (nondet()) y = x; " +
			"return y.a * 10 + (y.next == &x); }", results(10, 31), false},
		{"a structure through pointers", "int main(void) { struct s x = {1, 2, 0}, y = {3, 4, 0}, z = {5, 6, 0}; " +
			"struct s *p = nondet() ? &x : &y; *p = z; return x.a * 10 + y.b; }", results(16, 54), false},
		{"an index", "int main(void) { int a[4] = {1, 2, 3, 4}; a[nondet()] = 0; return a[0] * 1000 + a[1] * 100 + " +
			"a[2] * 10 + a[3]; }", results(234, 1034, 1204, 1230), false},
		{"an index that is read", "int main(void) { int a[4] = {4, 7, 7, 1}; return a[nondet()]; }", results(1, 4, 7), false},
		{"two dimensions", "int main(void) { int a[2][2] = {{1, 2}, {3, 4}}; int i = nondet() & 1; return a[i][1 - i]; }",
			results(2, 3), false},
		{"a member of an element", "int main(void) { struct s a[2] = {{1, 2}, {3, 4}}; a[nondet() & 1].b = 9; " +
			"return a[0].b * 10 + a[1].b; }", results(29, 94), false},
		{"a union", "int main(void) { union u x; x.i = 0x01020304; x.c[1] = nondet(); return x.i & 0xffff; }",
			results(4, 260, 516, 772), false},
		{"bytes of a number", "int main(void) { int x = 0; unsigned char *p = (unsigned char *)&x; p[nondet()] = 1; " +
			"return x != 0 && (x & (x - 1)) == 0; }", results(1), false},
		{"a number of bytes", "int main(void) { unsigned char b[4] = {1, 2, 3, 4}; int x; memcpy(&x, b, 4); " +
			"return x == 0x04030201; }", results(1), false},
		{"bit-fields", "int main(void) { struct bits b = {1, 2, -3}; b.a += nondet() + 6; return b.a * 100 + b.b * 10 + " +
			"(b.c == -3); }", results(21, 121, 221, 721), false},
		{"bit-fields through a pointer", "int main(void) { struct bits x = {1, 2, 3}, y = {4, 5, 6}, *p = nondet() ? " +
			"&x : &y; p->b = 9; return x.b * 10 + y.b; }", results(29, 95), false},
		{"set to zero", "int main(void) { struct s x = {1, 2, &x}; memset(&x, 0, nondet() * 4); return x.a * 10 + x.b; }",
			results(0, 2, 12), false},
		{"a part copied", "int main(void) { int a[3] = {1, 2, 3}, b[3] = {4, 5, 6}; memcpy(a + 1, b, 4 * (nondet() & 1)); " +
			"return a[0] * 100 + a[1] * 10 + a[2]; }", results(123, 143), false},
		{"moved over itself", "int main(void) { int a[3] = {1, 2, 3}; memmove(a + 1, a, 8); return a[0] * 100 + " +
			"a[1] * 10 + a[2]; }", results(112), false},
		{"compared", "int main(void) { int a[2] = {1, 2}, b[2] = {1, nondet()}; return !memcmp(a, b, 8) * 2 + " +
			"!memcmp(a, b, 4); }", results(1, 3), false},
		{"a text", `int main(void) { char s[4] = "abc"; s[nondet()] = 0; return strlen(s); }`, results(0, 1, 2, 3), false},
		{"a literal", `int main(void) { const char *s = nondet() ? "ab" : "abc"; return strlen(s) * 10 + (s[1] == 'b'); }`,
			results(21, 31), false},
		{"a text copied", `int main(void) { char s[4]; strcpy(s, nondet() ? "ab" : "cd"); return s[1]; }`,
			results('b', 'd'), false},
		{"a letter found", `int main(void) { char s[4] = "abc"; char *p = strchr(s, nondet() ? 'b' : 'x'); ` +
			`return p ? p - s : 9; }`, results(1, 9), false},
		{"differences", "int main(void) { int a[4]; int *p = a + nondet(), *q = a + 3; return (q - p) * 10 + (p < q); }",
			results(0, 11, 21, 31), false},
		{"a pointer to a pointer", "int main(void) { int x = 1, y = 2, *p = &x, **q = &p; if (nondet()) *q = &y; **q = 7; " +
			"return x * 10 + y; }", results(17, 72), false},
		{"a function", "int f(int x) { return x + 1; } int g(int x) { return x * 5; } int main(void) { " +
			"int (*h)(int) = nondet() ? f : g; return h(2); }", results(3, 10), false},
		{"functions in a table", "int f(int x) { return x + 1; } int g(int x) { return x * 5; } " +
			"struct o { int (*h)(int); } const t[2] = {{f}, {g}}; int main(void) { return t[nondet() & 1].h(3); }",
			results(4, 15), false},
		{"a static pointer", "int x = 3; int *p = &x; int main(void) { int y = 4; if (nondet()) p = &y; return *p; }",
			results(3, 4), false},
		{"an argument", "void set(int *p, int v) { *p = v; } int main(void) { int x = 1, y = 2; " +
			"set(nondet() ? &x : &y, 8); return x * 10 + y; }", results(18, 82), false},
		{"recursion", "int sum(struct s *p) { return p ? p->a + sum(p->next) : 0; } int main(void) { " +
			"struct s x = {1, 2, 0}, y = {3, 4, nondet() ? &x : 0}; return sum(&y); }", results(3, 4), false},
		{"locals of each call", "int f(int n, int *up) { int x = n; if (n == 0) return *up; return f(n - 1, &x) + x; } " +
			"int main(void) { return f(2, 0); }", results(4), false},
	})
}

// The use of an invalid pointer is an error; that of a valid one is none.
func TestProgramsUsePointers(t *testing.T) {
	do(t, lower.Options{Modelling: cfa.Modelling{CheckPointers: true}}, []program{
		{"NULL", "int main(void) { int x = 1, *p = nondet() ? &x : 0; return *p; }", results(1), true},
		{"NULL is looked for", "int main(void) { int x = 1, *p = nondet() ? &x : 0; return p ? *p : 2; }",
			results(1, 2), false},
		{"before it is set", "int main(void) { int *p; return *p; }", nil, true},
		{"an index", "int main(void) { int a[3] = {1, 1, 1}; return a[nondet()]; }", results(1), true},
		{"an index within", "int main(void) { int a[4] = {1, 1, 1, 1}; return a[nondet()]; }", results(1), false},
		{"a negative index", "int main(void) { int a[3] = {1, 1, 1}; return a[nondet() - 1]; }", results(1), true},
		{"behind the end", "int main(void) { int a[3] = {1, 1, 1}, *p = a + 3; return p[-1]; }", results(1), false},
		{"at the end", "int main(void) { int a[3] = {1, 1, 1}, *p = a + 3; return p[0]; }", nil, true},
		{"a row", "int main(void) { int a[2][2] = {{1, 2}, {3, 4}}; int *p = &a[0][0]; return p[3]; }", results(4), false},
		{"freed", "int main(void) { int *p = malloc(4); if (!p) return 7; *p = 1; free(p); return *p; }", results(7), true},
		{"freed behind its use", "int main(void) { int *p = malloc(4), n; if (!p) return 7; *p = 1; n = *p; free(p); " +
			"return n; }", results(1, 7), false},
		{"freed twice", "int main(void) { int *p = malloc(4); free(p); if (nondet()) free(p); return 0; }", results(0), true},
		{"freed through another", "int main(void) { int *p = malloc(4), *q = p; free(q); if (p && nondet()) *p = 1; " +
			"return 0; }", results(0), true},
		{"NULL freed", "int main(void) { int *p = 0; free(p); return 0; }", results(0), false},
		{"a local freed", "int main(void) { int x; free(&x); return 0; }", nil, true},
		{"a part freed", "int main(void) { int *p = malloc(8); if (p) free(p + 1); return 0; }", results(0), true},
		{"malloc fails", "int main(void) { int *p = malloc(4); *p = 1; return *p; }", results(1), true},
		{"behind allocated memory", "int main(void) { int *p = malloc(8); if (p) p[2] = 1; return 0; }", results(0), true},
		{"the end of allocated memory", "int main(void) { int *p = malloc(8); if (p) p[1] = 1; return 0; }",
			results(0), false},
		{"zeros", "int main(void) { int *p = calloc(2, 4); return p ? p[nondet() & 1] : 5; }", results(0, 5), false},
		{"more memory", "int main(void) { int *p = malloc(4); if (!p) return 9; *p = 3; int *q = realloc(p, 8); " +
			"if (!q) { free(p); return 8; } q[1] = 4; return q[0] * 10 + q[1]; }", results(8, 9, 34), false},
		{"the old one", "int main(void) { int *p = malloc(4); if (!p) return 9; *p = 3; int *q = realloc(p, 8); " +
			"if (!q) return 8; return *p; }", results(8, 9), true},
		{"a local of what has returned", "int *f(void) { int x = 1; int *p = &x; return p; } " +
			"int main(void) { int *p = f(); return *p; }", nil, true},
		{"a static of what has returned", "int *f(void) { static int x = 1; int *p = &x; return p; } " +
			"int main(void) { int *p = f(); return *p; }", results(1), false},
		{"a local of a block", "int main(void) { int *p = 0; { int x = 1; p = &x; } return *p; }", nil, true},
		{"of a round before", "int main(void) { int *p = 0, n = 0; for (int i = 0; i < 2; i++) { int x = i; " +
			"if (p) n = *p; p = &x; } return n; }", nil, true},
		{"on the stack", "int *f(int n) { int *p = alloca(4); *p = n; return n ? p : 0; } int main(void) { " +
			"int *p = f(nondet()); return p ? *p : 2; }", results(2), true},
		{"a copy too long", "int main(void) { int a[2] = {1, 2}, b[3] = {3, 4, 5}; memcpy(a, b, 4 * nondet()); " +
			"return a[0]; }",
			results(1, 3), true},
		{"a copy that fits", "int main(void) { int a[3] = {1, 2}, b[3] = {3, 4, 5}; memcpy(a, b, 4 * nondet()); " +
			"return a[0]; }",
			results(1, 3), false},
		{"set too long", "int main(void) { char a[2] = {1, 2}; memset(a, 0, nondet()); return a[0]; }",
			results(0, 1), true},
		{"a text without end", "int main(void) { char a[2] = {1, 2}; if (nondet()) a[1] = 0; return strlen(a); }",
			results(1), true},
		{"a text too long", `int main(void) { char s[3]; strcpy(s, nondet() ? "ab" : "abc"); return s[0]; }`,
			results('a'), true},
		{"a literal written", `int main(void) { char *s = "ab"; if (nondet()) s[0] = 'c'; return 1; }`, results(1), true},
		{"a number as pointer", "int main(void) { int x = 3; size_t n = (size_t)&x; return *(int *)n; }", results(3), false},
		{"a small number as pointer", "int main(void) { return *(int *)16; }", nil, true},
		{"a member of NULL", "int main(void) { struct s *p = 0; return (size_t)&p->b == 4; }", results(1), false},
		{"a member through NULL", "int main(void) { struct s *p = 0; return p->b; }", nil, true},
		{"a function that is none", "int main(void) { int (*f)(void) = 0; return f(); }", nil, true},
	})
}

// Memory that is still allocated at the end is an error where leaks are asked for.
func TestProgramsLoseMemory(t *testing.T) {
	do(t, lower.Options{Modelling: cfa.Modelling{CheckLeaks: true, Allocates: true}}, []program{
		{"freed", "int main(void) { int *p = malloc(4); free(p); return 0; }", results(0), false},
		{"not freed", "int main(void) { int *p = malloc(4); if (nondet()) free(p); return 0; }", results(0), true},
		{"known at the end", "int *p; int main(void) { p = malloc(4); return 0; }", nil, true},
		{"exit", "int main(void) { int *p = malloc(4); if (nondet()) exit(0); free(p); return 0; }", results(0), true},
		{"overwritten", "int main(void) { int *p = malloc(4); if (nondet()) p = malloc(8); free(p); return 0; }",
			results(0), true},
		{"a list", "int main(void) { struct s *p = 0; for (int i = 0; i < 2; i++) { struct s *n = malloc(sizeof *n); " +
			"n->next = p; p = n; } while (p) { struct s *n = p->next; free(p); p = n; } return 0; }", results(0), false},
		{"a list but one", "int main(void) { struct s *p = 0; for (int i = 0; i < 2; i++) { " +
			"struct s *n = malloc(sizeof *n); n->next = p; p = n; } while (p->next) { struct s *n = p->next; free(p); p = n; } " +
			"return 0; }", nil, true},
		{"made larger", "int main(void) { int *p = malloc(4); p = realloc(p, 8); free(p); return 0; }", results(0), false},
		{"on the stack", "int main(void) { int *p = alloca(4); *p = 1; return *p; }", results(1), false},
	})
}

// A procedure loses memory that its caller cannot find: by the result, by what is static, or by what it is given.
func TestProceduresLoseMemory(t *testing.T) {
	opt := lower.Options{Modelling: cfa.Modelling{CheckLeaks: true, Allocates: true}}
	for _, c := range []struct {
		name, text string
		wrong      bool
	}{
		{"returned", "int *f(void) { return malloc(4); }", false},
		{"lost", "int *f(void) { int *p = malloc(4); return nondet() ? p : 0; }", true},
		{"a part returned", "int *f(void) { struct s *p = malloc(sizeof *p); return &p->b; }", false},
		{"static", "static int *p; void f(void) { p = malloc(4); }", false},
		{"static, then not", "static int *p; void f(void) { p = malloc(4); if (nondet()) p = 0; }", true},
		{"a member of what is static", "static struct s x; void f(void) { x.next = malloc(sizeof x); }", false},
		{"where it is told to", "void f(int **to) { *to = malloc(4); }", false},
		{"a parameter", "void f(int *to) { to = malloc(4); }", true},
		{"a list", "struct s *f(void) { struct s *p = malloc(sizeof *p), *q = malloc(sizeof *p); q->next = 0; p->next = q; " +
			"return p; }", false},
		{"the end of a list", "struct s *f(void) { struct s *p = malloc(sizeof *p), *q = malloc(sizeof *p); q->next = 0; " +
			"p->next = q; return q; }", true},
		{"a circle", "struct s *f(void) { struct s *p = malloc(sizeof *p), *q = malloc(sizeof *p); q->next = p; " +
			"p->next = q; return q; }", false},
		{"a circle of its own", "void f(void) { struct s *p = malloc(sizeof *p), *q = malloc(sizeof *p); q->next = p; " +
			"p->next = q; }", true},
		{"in a structure", "struct s f(void) { struct s x = {0, 0, malloc(sizeof x)}; return x; }", false},
		{"given away", "void f(void) { int *p = malloc(4); lib(p); }", true}, // whether it was freed is any value
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.wrong, runs(t, automaton(t, c.text, "f", opt)).Performs(cfa.ErrorAction))
		})
	}
}

// What is not told apart has any value, and what code without a body may know of is changed by it; all else is kept.
func TestProgramsForget(t *testing.T) {
	few := lower.Options{Modelling: cfa.Modelling{ArrayLimit: 2, HeapLimit: -1, TargetLimit: 1}}
	do(t, few, []program{
		{"a large array", "int main(void) { int a[4] = {1, 2, 3, 4}; a[nondet()] = 1; return a[nondet()]; }",
			results(0, 1, 2, 3), false},
		{"beside it", "int main(void) { int x = 7, a[4] = {1, 2, 3, 4}; a[nondet()] = 1; return x; }", results(7), false},
		{"a table", "const int t[6] = {5, 5, 5, 8, 9, 10}; int main(void) { return t[nondet() + 1]; }",
			results(5, 8, 9), false},
		{"a table of bytes", "static const unsigned char t[8] = {9, 9, 0, 0, 7, 7, 7, 7}; int main(void) { " +
			"return t[2 * nondet()]; }", results(0, 7, 9), false},
		{"a function changes it", "int main(void) { int x = 7, y = 8; lib(&x); return y; }", results(8), false},
		{"a function is given it", "int main(void) { int x = 7; lib(&x); return x; }", results(0, 1, 2, 3), false},
		{"a constant", "int main(void) { const int x = 7; lib((void *)&x); return x; }", results(7), false},
		{"given before", "int main(void) { int x = 7; lib(&x); x = 8; lib(0); return x; }", results(0, 1, 2, 3), false},
		{"given afterwards", "int main(void) { int x = 7, y; lib(0); y = x; lib(&x); return y; }", results(7), false},
		{"what it leads to", "int main(void) { int x = 7; struct { int *p; } o = {&x}; lib(&o); return x; }",
			results(0, 1, 2, 3), false},
		{"another one's", "static int x = 7; int y = 8; int main(void) { lib(0); return x; }", results(7), false},
		{"one that all can name", "extern int y; int main(void) { y = 8; lib(0); return y; }",
			results(0, 1, 2, 3), false},
		{"allocated memory", "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) p = malloc(4); if (!p) return 9; " +
			"*p = 7; return *p; }", results(0, 1, 2, 3, 9), false},
	})
	do(t, lower.Options{}, []program{
		{"behind the last argument", "int main(int argc, char **argv) { return argc == 0 && argv[0] == 0; }",
			results(1), false},
		{"an address again", "int main(void) { int *p = malloc(4), *q; if (!p) return 2; free(p); q = malloc(4); " +
			"return q ? p == q : 2; }", results(0, 1, 2), false},
		{"no address twice", "int main(void) { int *p = malloc(4), *q = malloc(4); return !p || p != q; }",
			results(1), false},
		{"two calls", "int main(void) { int *p = malloc(4); *p = 1; int *q = malloc(4); *q = 2; return *p; }",
			results(1), false},
	})
}

// Threads race where one of two accesses of one object writes, and neither is behind a lock.
func TestProgramsRace(t *testing.T) {
	const threads = "typedef unsigned long pthread_t; typedef struct { int x; } pthread_mutex_t; int pthread_create(" +
		"pthread_t *, const void *, void *(*)(void *), void *); int pthread_mutex_lock(pthread_mutex_t *), " +
		"pthread_mutex_unlock(pthread_mutex_t *); pthread_mutex_t m; struct s x, y; int a[3], *p = a;\n"
	for _, c := range []struct {
		name, one, other string
		race             bool
	}{
		{"two reads", "return x.a;", "return x.a;", false},
		{"a write", "x.a = 1;", "return x.a;", true},
		{"other members", "x.a = 1;", "return x.b;", false},
		{"other objects", "x = y;", "return y.b;", false},
		{"a structure copied", "x = y;", "return x.b;", true},
		{"a copy from", "memcpy(&x, &y, 4);", "y.a = 1;", true},
		{"a copy from elsewhere", "memcpy(&x, &y, 4);", "y.b = 1;", false},
		{"filled", "memset(&x, 0, sizeof x);", "return x.b;", true},
		{"through a pointer", "*p = 1;", "a[0] = 2;", true},
		{"beside the pointer", "*p = 1;", "a[1] = 2;", false},
		{"an index", "a[nondet() % 3] = 1;", "return a[1];", true},
		{"a lock", "pthread_mutex_lock(&m); x.a = 1; pthread_mutex_unlock(&m);",
			"pthread_mutex_lock(&m); x.a = 2; pthread_mutex_unlock(&m);", false},
		{"one has the lock", "pthread_mutex_lock(&m); x.a = 1; pthread_mutex_unlock(&m);", "x.a = 2;", true},
		{"what nobody reads", "x.a = 1;", "x.a = 2;", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := threads + "void *f(void *q) { " + c.one + " return 0; } int g(void) { " + c.other + " return 0; }" +
				"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return g(); }"
			auto := automaton(t, text, "main", lower.Options{Threads: 2, Races: true})
			require.Equal(t, c.race, runs(t, auto).Race)
		})
	}
}

// A statement that writes what a procedure is not claimed to write is refused, or an action where it is certain.
func TestProceduresWriteInTheirFrame(t *testing.T) {
	for _, c := range []struct {
		name, paths, f string
		writes         string // for certain
		may            string // so that it is refused
	}{
		{"nothing", "", "int l = 1; l++;", "", ""},
		{"its own", "", "struct s l; struct s *q = &l; q->a = 1;", "", ""},
		{"a global", "", "g = 1;", "g", ""},
		{"a global that is named", "g", "g = 1;", "", ""},
		{"another one", "h", "g = 1;", "g", ""},
		{"a member", "$1->a", "p->a = 1;", "", ""},
		{"another member", "$1->a", "p->b = 1;", "*p, from byte 4 on", ""},
		{"an element", "", "t[1] = 1;", "t[1]", ""},
		{"some element", "", "t[g & 1] = 1;", "t", ""},
		{"some element of what is named", "t", "t[g & 1] = 1;", "", ""},
		{"one of two", "g", "int *q = h ? &g : &h; *q = 1;", "", "h"},
		{"one of two of which both are named", "g h", "int *q = h ? &g : &h; *q = 1;", "", ""},
		{"one of two of which none is named", "", "int *q = h ? &g : &h; *q = 1;", "h or g", ""},
		{"one of many", "", "static int i, j; int *q = h ? &g : g ? &h : t[0] ? &i : &j; *q = 1;", "h or g or one of 2 more", ""},
		{"what is allocated may fail", "", "struct s *q = malloc(sizeof *q);", "", "errno"},
		{"allocated, errno named", "errno", "struct s *q = malloc(sizeof *q); if (q) q->a = 1;", "", ""},
		{"a copy", "", "struct s l = {1}; *p = l;", "*p, from byte 0 on", ""},
		{"what is freed", "", "free(p);", "", "*p"},
		{"a routine", "", "lib(p);", "", "*p"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "int g, h, t[2]; void f(struct s *p) { " + c.f + " }"
			auto, err := lowered(t, text, "f", lower.Options{Frame: &lower.Frame{Paths: strings.Fields(c.paths)}})
			if c.may != "" {
				require.ErrorContains(t, err, "what may write "+c.may+" (it is not")
				return
			}
			require.NoError(t, err)
			performed := ""
			for _, l := range auto.Locs {
				if a, is := l.Stmt.(cfa.Act); is {
					performed += strings.TrimSuffix(strings.TrimPrefix(a.Action, cfa.WritesPrefix), "}")
				}
			}
			require.Equal(t, c.writes, performed)
		})
	}
}
