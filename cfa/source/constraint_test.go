package source

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/internal/sample"
)

// TestConstraints: what the library lets pass is told at its place.
func TestConstraints(t *testing.T) {
	const records = "struct s { int a : 3; const int c; };\nstruct t { int a; };\nstruct later;\n" +
		"void nothing(void);\nint two(int, int);\n"
	for _, c := range []struct{ name, text, want string }{
		{"too few arguments", "int f(void) { return two(1); }",
			"6:22: two takes 2 arguments, and 1 is given; it is declared at a.c:5:5"},
		{"too many arguments", "int f(void) { return two(1, 2, 3); }",
			"6:32: two takes 2 arguments, and 3 are given; it is declared at a.c:5:5"},
		{"a call by a pointer", "int f(int (*p)(int)) { return p(); }", "6:31: p takes 1 argument, and 0 are given"},
		{"at least so many", "int v(int, ...); int f(void) { return v(); }",
			"6:39: v takes at least 1 argument, and 0 are given; it is declared at a.c:6:5"},
		{"a structure for an integer", "int f(struct t x) { return two(1, x); }",
			"6:35: argument 2 must be int, and this is struct t"},
		{"another structure", "struct u { int a; }; void f(struct t *x, struct u *y) { *x = *y; }",
			"6:62: what is assigned must be struct t, and this is struct u"},
		{"no value", "int f(void) { int x = nothing(); return x; }", "6:23: nothing() is no value: it is of type void"},
		{"a floating-point number for a pointer", "int *f(double d) { return d; }",
			"6:27: what is returned must be int *, and this is double"},
		{"a constant", "int f(void) { const int x = 1; x = 2; return x; }", "6:32: x cannot be assigned to: it is constant"},
		{"what a pointer to a constant points to", "void f(const int *p) { p[1]++; }",
			"6:24: p[1] cannot be assigned to: it is constant"},
		{"a constant member", "void f(struct s *p) { p->c = 1; }", "6:23: p->c cannot be assigned to: it is constant"},
		{"a structure with a constant member", "void f(struct s *p, struct s *q) { *p = *q; }",
			"6:36: *p cannot be assigned to: it is constant"},
		{"a constant by its type's name", "typedef const int fixed; void f(fixed x) { x = 1; }",
			"6:44: x cannot be assigned to: it is constant"},
		{"an element of a constant array", "static const int a[2]; void f(void) { a[0] = 1; }",
			"6:39: a[0] cannot be assigned to: it is constant"},
		{"an array", "int a[2], b[2]; void f(void) { a = b; }", "6:32: a cannot be assigned to: it is an array"},
		{"a function", "void f(void) { nothing = 0; }", "6:16: nothing cannot be assigned to: it is a value, not a variable"},
		{"the address of a bit-field", "void f(struct s *p) { int *q = &p->a; }",
			"6:32: p->a has no address: it is a bit-field"},
		{"the address of a value", "int *f(void) { return &1; }", "6:23: 1 has no address: it is a value, not a variable"},
		{"the address of a register", "void f(void) { register int x; int *p = &x; }",
			"6:41: x has no address: it is declared register"},
		{"a condition", "int f(struct t x) { if (x) return 1; return 0; }",
			"6:25: what is tested must be a number or a pointer, and this is struct t"},
		{"what switch selects by", "int f(double d) { switch (d) { case 1: return 1; } return 0; }",
			"6:27: switch selects by an integer, and this is double"},
		{"a case twice", "int f(int n) { switch (n) { case 1 ... 3: return 1; case 2: return 2; } return 0; }",
			"6:53: duplicate case, first at a.c:6:29"},
		{"a case twice, not in order", "int f(int n) { switch (n) { case 9: case 1 ... 3: case 7: case 4 ... " +
			"6: return 1; case 7: return 2; } return 0; }", "6:83: duplicate case, first at a.c:6:51"},
		{"default twice", "int f(int n) { switch (n) { default: return 1; default: return 2; } }",
			"6:48: a second default; the first one is at a.c:6:29"},
		{"shifts", "int f(double d) { return 1 << d; }", "6:31: this operand must be an integer, and it is double"},
		{"a cast of a structure", "int f(struct t x) { return (int)x; }", "6:28: struct t cannot be converted to int"},
		{"a cast to an array", "typedef int A[2]; void f(int *p) { (void)(A)p; }",
			"6:42: nothing can be converted to an array of int"},
		{"a variable that is not complete", "void f(void) { struct later x; }",
			"6:29: x is of type struct later, which is not defined"},
		{"a member that is not complete", "struct u { struct later x; };",
			"6:25: member x is of type struct later, which is not defined"},
		{"a structure in itself", "struct u { struct u x; };",
			"6:21: member x would be within itself: only a pointer to its structure can be a member"},
		{"void", "void x;", "6:6: x cannot be of type void"},
		{"an array without a length", "void f(void) { int a[]; }", "6:20: a is an array of no known length"},
		{"an array of functions", "int (a[2])(void);", "6:6: a is an array of a function, which is no type of objects"},
		{"a function that returns one", "int f(void)(void);", "6:5: f returns a function, which no function can"},
		{"a member twice", "struct u { int a; struct { char a; }; };",
			"6:19: a second member a; the first one is at a.c:6:16"},
		{"a member that is a function", "struct u { int f(void); };",
			"6:16: member f is a function: only a pointer to one can be a member"},
		{"no member before", "struct u { int a[]; };", "6:16: member a, an array of no known length, needs others before it"},
		{"a member behind", "struct u { int n; int a[]; int m; };",
			"6:23: member a, an array of no known length, must be the last one"},
		{"a wide bit-field", "struct u { int a : 33; };", "6:16: bit-field a has 33 bits, and its type 32"},
		{"an enumerator twice", "enum e { A }; enum d { A };",
			"6:24: enumerator A is declared a second time, first at a.c:6:10"},
		{"what is not constant", "int y; int x = y + 1;",
			"6:16: x lives as long as the program, so what initialises it must be constant, and y is not"},
		{"a length that is not constant", "int n; int a[n];", "6:14: the length of a is not constant: n"},
		{"a length below zero without a sign", "int a[sizeof(char) - 2];",
			"6:7: a is too large: no object has more than 9223372036854775807 bytes"},
		{"a local array that is too large", "int f(void) { int a[sizeof(char) - 2]; a[0] = 1; return a[0]; }",
			"6:21: a is too large: no object has more than 9223372036854775807 bytes"},
		{"rows that are too large together", "int a[4][0x4000000000000000];",
			"6:7: a is too large: no object has more than 9223372036854775807 bytes"},
		{"a member that is too large", "struct v { long a[0x7fffffffffffffff]; };",
			"6:19: a is too large: no object has more than 9223372036854775807 bytes"},
		{"an array for an array", "int f(void) { int a[2]; int b[2] = a; return b[0]; }",
			"6:36: b is an array: its initialiser stands in braces"},
		{"two classes of storage", "static extern int x;", "6:8: static and extern exclude each other"},
		{"two types", "int char x;", "6:1: char int is no type"},
		{"a missing semicolon behind a structure", "struct u { int a; }\nint f(void) { return 0; }",
			"6:20: two types stand behind each other; is a semicolon missing behind a }?"},
		{"no character", "int f(void) { return ''; }", "6:22: a character constant without a character"},
		{"a type of a parameter", "int f(foo_t x) { return 0; }", "6:7: unknown type foo_t"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(records + c.text + "\n")}}, Options{})
			var list cfa.Errors
			require.True(t, errors.As(err, &list), "%v", err)
			require.Equal(t, "a.c:"+c.want, list.Error())
		})
	}
}

// TestNoConstraints: what is like a mistake, and none.
func TestNoConstraints(t *testing.T) {
	for _, text := range []string{
		"int f(); int g(void) { return f(1, 2); }",
		"int f(a, b) int a; int b; { return a + b; } int g(void) { return f(1); }",
		"struct s x; struct s { int a; };",
		"extern struct s x; struct s *p; extern void v; int a[];",
		"struct s { int n; int a[]; }; struct u { int n; int a[0]; };",
		"int *f(const int **p) { *p = 0; p[0]++; return 0; }",
		"typedef int A[2]; void f(const A *p, int *const *q) { **q = 1; A x; x[0] = 1; }",
		"struct s { const char *name; }; void f(struct s *p) { p->name = 0; struct s x = *p; x = *p; }",
		"int f(int x) { return (x ? f : f)(1); } int (*g(void))(int) { return &f; }",
		"char s[] = \"abc\"; char t[4] = {\"abc\"}; int a[2] = (int[2]){1, 2};",
		"static const int y = 1; int x = y; int *p = &x; int *q = &p[0] + 1; " +
			"unsigned long n = sizeof(x) + (unsigned long)&((struct { int a, b; } *)0)->b;",
		"void v(void); void f(int n) { n ? v() : (void)0; (void)n; (void)v(); return v(); }",
		"int f(int n) { switch (n) { case 1: switch (n) { case 1: return 1; default: return 2; } default: return 3; } }",
		"int f(void) { { __label__ l; goto l; l: ; } return 0; } int g(int n) { l: if (n) goto l; return 0; }",
		"int f(int n) { typeof(n) m = n; typeof(&n) p = &m; return *p; }",
		"enum e { A, B }; int f(enum e x) { enum e { A }; return x == A; }",
		"_Bool f(int *p, double d) { _Bool b = p; b = d; return p; }",
		"union u { int a; float f; }; void f(union u x) {} void g(int n) { f((union u)n); }",
		"int f(int n) { int a[n], b[n][n]; a[0] = b[0][0] = 1; int (*p)[n] = b; return (*p)[0]; }",
		"extern char a[0x7fffffffffffffff]; extern int b[0x1fffffffffffffff]; int f(unsigned long n) { " +
			"int c[n - 2]; return c[0]; }",
		"int x = sizeof(int[3]) / sizeof(int); int y = -(1 + 2); int z = !1 ? 2 : 3;",
	} {
		_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(text + "\n")}}, Options{})
		require.NoError(t, err, text)
	}
}

// TestMistakesAgreeWithGCC: what GCC refuses is refused, and what it takes is taken. Names with a ! are known
// to differ.
func TestMistakesAgreeWithGCC(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc in PATH")
	}
	all, err := os.ReadFile("testdata/mistakes.txt")
	require.NoError(t, err)
	refused := 0
	for i, line := range strings.Split(strings.TrimSpace(string(all)), "\n") {
		name, text, found := strings.Cut(line, "|")
		if !found || line[0] == '#' || sample.Thinned(i, 3) {
			continue
		}
		text = strings.ReplaceAll(text, `\n`, "\n") + "\n"
		file := filepath.Join(t.TempDir(), "a.c")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		no := exec.Command(gcc, "-std=gnu11", "-fsyntax-only", "-w", file).Run() != nil
		_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{})
		var list cfa.Errors
		isFault := errors.As(err, &list)
		name, differs := strings.CutPrefix(name, "!")
		assert.Equal(t, differs, no != isFault, "%s: GCC refuses it: %v; magus says %v", name, no, err)
		if isFault && !differs {
			refused++
			require.Positive(t, list[0].Pos.Line, "%s: %v", name, err)
		}
	}
	if sample.Whole() {
		require.Greater(t, refused, 55)
	}
}
