package source

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLinkedTypes declares x in two units.
func TestLinkedTypes(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"same", "int x;", "extern int x;", ""},
		{"widths", "int x;", "extern long x;", "long here, int there"},
		{"signs", "int x;", "extern unsigned x;", "unsigned here, int there"},
		{"equal widths", "long x;", "extern long long x;", ""},
		{"qualifiers", "int x;", "extern const volatile int x;", ""},
		{"pointer and integer", "int *x;", "extern long x;", "long here, pointer to int there"},
		{"what is pointed to", "char *x;", "extern int *x;", "what it points to: int here, char there"},
		{"array of unknown size", "int x[4];", "extern int x[];", ""},
		{"array, size learnt later", "extern int x[];", "int x[4];", ""},
		{"arrays", "int x[4];", "extern int x[5];", "5 elements here, 4 there"},
		{"array elements", "int x[4];", "extern char x[4];", "its elements: char here, int there"},
		{"array and pointer", "int x[4];", "extern int *x;", "pointer to int here, array of 4 int there"},
		{"structs", "struct s { int a; struct s *next; } x;", "extern struct s { int a; struct s *next; } x;", ""},
		{"typedefs", "typedef struct { int a; } T; T x;", "typedef struct { int a; } U; extern U x;", ""},
		{"tags", "struct s { int a; } x;", "extern struct r { int a; } x;", "struct r here, struct s there"},
		{"declared only", "struct s; struct s *x;", "struct s { int a; }; extern struct s *x;", ""},
		{"number of members", "struct s { int a; } x;", "extern struct s { int a, b; } x;",
			"struct s has 2 members here, 1 member there"},
		{"names of members", "struct s { int a, b; } x;", "extern struct s { int b, a; } x;",
			"member 1 of struct s is b here, a there"},
		{"types of members", "struct s { int a; } x;", "extern struct s { long a; } x;",
			"member a of struct s: long here, int there"},
		{"deep", "struct s { struct t { int *p; } t; } x;", "extern struct s { struct t { char *p; } t; } x;",
			"member t of struct s: member p of struct t: what it points to: char here, int there"},
		{"bit-fields", "struct s { int a : 3; } x;", "extern struct s { int a : 4; } x;",
			"member a of struct s: 4 bits here, 3 bits there"},
		{"unions", "union u { int a; char b; } x;", "extern union u { int a; char b; } x;", ""},
		{"union and struct", "union u { int a; } x;", "extern struct u { int a; } x;", "struct u here, union u there"},
		{"enumerations", "enum e { A, B } x;", "extern enum e { A, B } x;", ""},
		{"constants", "enum e { A, B } x;", "extern enum e { A = 5, B } x;", "constant A is 5 here, 0 there"},
		{"more constants", "enum e { A } x;", "extern enum e { A, B } x;",
			"an enumeration of 2 constants here, of 1 constant there"},
		{"enumeration as integer", "enum e { A = -1 } x;", "extern int x;", ""},
		{"enumeration as another integer", "enum e { A = -1 } x;", "extern char x;", "char here, int there"},
		{"functions", "int x(int a, char *b) { return a; }", "int x(int, char *);", ""},
		{"old style", "int x(int a) { return a; }", "int x();", ""},
		{"result", "int x(int a) { return a; }", "char x();", "what it returns: char here, int there"},
		{"parameter", "int x(int a) { return a; }", "int x(long);", "parameter 1: long here, int there"},
		{"number of parameters", "int x(int a) { return a; }", "int x(int, int);", "2 parameters here, 1 parameter there"},
		{"variable arguments", "int x(int a) { return a; }", "int x(int, ...);", "variable arguments only in one of them"},
		{"array parameter", "int x(int *a) { return 0; }", "int x(int a[3]);", ""},
		{"function parameter", "int x(int (*f)(void)) { return 0; }", "int x(int f(void));", ""},
		{"struct parameter", "struct s { int a; }; int x(struct s *p) { return 0; }",
			"struct s { char a; }; int x(struct s *p);",
			"parameter 1: what it points to: member a of struct s: char here, int there"},
		{"statics are kept apart", "static int x;", "long x;", ""},
		{"static functions too", "static int x(void) { return 0; }", "long x(void) { return 1; }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(context.Background(),
				[]Source{{Name: "a.c", Text: []byte(c.a)}, {Name: "b.c", Text: []byte(c.b)}}, Options{})
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "x is declared with another type than at a.c:1:")
			require.ErrorContains(t, err, ": "+c.want)
			require.ErrorContains(t, err, "b.c:1:")
		})
	}
}

func TestFunctionAndVariable(t *testing.T) {
	_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte("int x(void) { return 0; }")},
		{Name: "b.c", Text: []byte("extern int x;")}}, Options{})
	require.EqualError(t, err, "b.c:1:12: x is a variable here, a function at a.c:1:5")
}
