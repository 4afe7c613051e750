package source

import (
	"testing"

	"magus/cfa"

	"github.com/stretchr/testify/require"
)

// What the library says of a type that it cannot make has a place, and what to do.
func TestUntypedDeclarationsHavePlaces(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"int a;\nshort int long x;", "a.c:2:1: short int long is no type"},
		{"int f(void) { return 1; }\nstruct s { char c; } before;\n/* behind */ struct t {\n\tshort char x;\n" +
			"} after;\nint main(void) { return 0; }",
			"a.c:3:14: char short is no type"},
		{"#define BODY { return 0; }\nint f(void)\nBODY\nint g(void) { (unsigned float)1; return 0; }\nint h;",
			"a.c:4:15: float unsigned is no type"},
		{"const char *s = \"}\"; // ;\nint f(unsigned float x) { return 0; }", "a.c:2:7: float unsigned is no type"},
		{"int f(int x)\n{\n\tx = 2;\n\tif (x) goto out;\n\tdo { x = 1;\n\t\t3 = x; } while (x);\nout:\n" +
			"\treturn 0;\n}", "a.c:6:3: a value stands where a variable must stand: nothing can be assigned " +
			"to it, and it has no address"},
		{"int f(double d)\n{\n\tint *p = d;\n\treturn 0;\n}", "a.c:3:2: a floating-point number initialises a pointer"},
		{"struct s { int a; } v;\nint f(int x)\n{\n\tswitch (x) {\n\tcase 1:\n\t\tx = 3;\n\t\tint *p = v;\n" +
			"\t}\n\treturn 0;\n}", "a.c:7:3: a structure or union initialises a pointer"},
		{"int x;\nint f(void)\n{\n\tx = 2;\n\treturn 1.2.3;\n}",
			"a.c:5:2: a number is none: its digits, dots or letters do not go together"},
		{"int x;\n#if 0\nint y;\n#elif 1 +\nint z;\n#endif\nint f(void) { return 0; }",
			"a.c:4:7: the condition of this #if or #elif is not complete, or holds what is no integer"},
		{"int x;\n#if \"a\"\n#endif\n",
			"a.c:2:5: the condition of this #if or #elif is not complete, or holds what is no integer"},
		{"enum e { A, B = 0xfffffffffff };\nextern enum e g;\nlong g;",
			"a.c:3:6: not modelled: g, declared with an enumeration in one place and an integer type in " +
				"another (write the same type; the other one is at a.c:2:15)"},
		{"enum e { A };\nint f(enum e *);\nint f(struct s *);",
			"a.c:3:5: f is declared as function(pointer to struct s) returning int, and at a.c:2:5 as " +
				"function(pointer to enum e { ... }) returning int"},
		{"const char *const q;\nint n = sizeof(_Generic(q, const char *: 1));",
			"a.c:2:28: not modelled: _Generic here, in which the C front end finds no type (add a default)"},
		{"int q;\nint n = sizeof(_Generic(q, const char *: 1));", "a.c:2:28: failed to find a matching association for int"},
	} {
		_, err := parseSource(c.text)
		require.EqualError(t, err, c.want, c.text)
	}
	require.Equal(t, "a.c:1:1: not modelled: a declaration that the C front end cannot type "+
		"(write the declaration in another way, or leave it out with -D and #ifdef; the front end says: x <- y)",
		(Source{}).unread(cfa.Pos{File: "a.c", Line: 1, Col: 1}, "TODO *cc.Declarator internal error x <- y").Error())
}
