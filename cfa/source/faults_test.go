package source

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
)

// TestFaults: the first error of each declaration, at the place to look at, and
// nothing that follows from it.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"an unknown type", "int f(int n)\n{\n\tunknown_t x = 3;\n\tif (n) return x;\n\treturn 0;\n}\n",
			"a.c:3:2: unknown type unknown_t\n  \tunknown_t x = 3;\n  \t^"},
		{"a type without its header", "uint32_t x;\nint f(void)\n{\n\treturn x;\n}\n",
			"a.c:1:1: unknown type uint32_t; #include <stdint.h> has it\n  uint32_t x;\n  ^"},
		{"a name without its header", "int f(void)\n{\n\treturn INT_MAX;\n}\n",
			"a.c:3:9: undefined: INT_MAX; #include <limits.h> has it\n  \treturn INT_MAX;\n  \t       ^"},
		{"a misspelt word outside of functions", "typdef int t;\nt x;\n",
			"a.c:1:1: unknown word typdef; did you mean typedef?\n  typdef int t;\n  ^"},
		{"an octal number", "int x = 08;\n",
			"a.c:1:9: 08 is no number: what begins with 0 is octal\n  int x = 08;\n          ^"},
		{"a name declared twice", "int x = 1;\nint x = 2;\n",
			"a.c:2:5: multiple definitions of 'x', first definition at a.c:1:5\n  int x = 2;\n      ^"},
		{"a name of two types", "int f(int);\nchar f(int);\n",
			"a.c:2:6: f is declared as function(int) returning char, and at a.c:1:5 as function(int) returning int\n  " +
				"char f(int);\n       ^"},
		{"an open name of a header", "#include \"a.h\nint x;\n",
			"a.c:1:14: the name of the file has no end: \" or > is missing\n  #include \"a.h\n               ^"},
		{"an open condition", "#if 1\nint x;\n  #ifdef X\nint y;\n#else\nint z;\n#if 0\n#endif\n#endif\n",
			"a.c:1:1: this has no #endif\n  #if 1\n  ^"},
		{"an open condition within another", "#if 1\nint x;\n  #ifdef X\nint y;\n",
			"a.c:3:3: this has no #endif\n    #ifdef X\n    ^"},
		{"an open brace behind conditions", "#if 1\n#endif\nint f(void) {\n",
			"a.c:3:14: unexpected end of the file; the { at a.c:3:13 is not closed\n  int f(void) {\n               ^"},
		{"a brace that is further to the left", "int f(int n)\n{\n\tif (n) {\n\t\tn = 1;\n\treturn n;\n}\n",
			"a.c:6:2: unexpected end of the file; the { at a.c:3:9 is not closed\n  }\n   ^"},
		{"in the order of the text", "enum e { A, A };\nint f(void)\n{\n\tcontinue;\n}\n",
			"a.c:1:13: incompatible redeclaration of enumerator 'A' at a.c:1:10\n  enum e { A, A };\n              ^\n" +
				"a.c:4:2: continue statement not within a loop\n  \tcontinue;\n  \t^"},
		{"a number without digits", "int x = 0x;\n", "a.c:1:9: a number without digits\n  int x = 0x;\n          ^"},
		{"a word that is one", "int f(void)\n{\n\treturn @;\n}\n", "a.c:3:9: unexpected '@', expected ';'\n  " +
			"\treturn @;\n  \t       ^"},
		{"arguments of a macro", "#define A(a, b) a\nint f(int x)\n{\n\treturn A(x) + A(x, x, x);\n}\n",
			"a.c:4:9: macro A takes 2 arguments, and 1 is given\n  \treturn A(x) + A(x, x, x);\n  \t       ^"},
		{"arguments of a macro on a later line", "#define A(a, b, ...) a\n\nint f(int x)\n{\n\t/* A(1)\n" +
			"\t */ return A(x);\n}\n",
			"a.c:6:13: macro A takes at least 2 arguments, and 1 is given\n  \t */ return A(x);\n  \t           ^"},
		{"a parenthesis too few", "int f(void)\n{\n\treturn (1;\n}\n",
			"a.c:3:11: unexpected ';', expected ')'\n  \treturn (1;\n  \t         ^"},
		{"a missing parenthesis", "int f(int n)\n{\n\tif (n > 0 {\n\t\treturn 1;\n\t}\n\treturn 0;\n}\n",
			"a.c:3:12: unexpected '{', expected ')'\n  \tif (n > 0 {\n  \t          ^"},
		{"a missing semicolon", "int f(void)\n{\n\tint x = 1 // one\n\n\treturn x;\n}\n",
			"a.c:3:11: expected ';' before 'return'\n  \tint x = 1 // one\n  \t         ^"},
		{"a misspelt word", "int f(void)\n{\n\tretrun 1;\n}\n",
			"a.c:3:2: unknown word retrun; did you mean return?\n  \tretrun 1;\n  \t^"},
		{"two declarations", "int f(void)\n{\n\tg(1;\n\treturn 0;\n}\nint z = ;\n",
			"a.c:3:5: unexpected ';', expected ')'\n  \tg(1;\n  \t   ^\n" +
				"a.c:6:9: unexpected ';', expected an expression\n  int z = ;\n          ^"},
		{"a label begins no declaration", "int f(int n)\n{\n\tg(1;\nout:\n\tn = 2);\n\treturn 0;\n}\n",
			"a.c:3:5: unexpected ';', expected ')'\n  \tg(1;\n  \t   ^"},
		{"an unknown name twice, and another", "int f(void)\n{\n\treturn u + u + v;\n}\nint g(void) { return u; }\n",
			"a.c:3:9: undefined: u\n  \treturn u + u + v;\n  \t       ^\na.c:3:17: undefined: v\n  " +
				"\treturn u + u + v;\n  \t               ^"},
		{"what follows on the line", "int f(void)\n{\n\tu = 3;\n\treturn 0;\n}\n",
			"a.c:3:2: undefined: u\n  \tu = 3;\n  \t^"},
		{"letters of any script", "int f(void) { /* äöü */ return u; }\n",
			"a.c:1:35: undefined: u\n  int f(void) { /* äöü */ return u; }\n                                 ^"},
		{"a header of one's own", "#include \"no.h\"\nno_t f(no_t x) { return x; }\n",
			"a.c:1:10: include file not found: \"no.h\"; -I DIR says where it is\n  #include \"no.h\"\n           ^"},
		{"a standard header", "#include <no.h>\n",
			"a.c:1:10: include file not found: <no.h>; it does not come with magus: --headers=auto takes this " +
				"machine's, -I DIR says where another one is\n  #include <no.h>\n           ^"},
		{"places of another text", "# 7 \"b.c\"\nint f(void) { return u; }\n", "b.c:7:22: undefined: u"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(c.text)}}, Options{})
			var list cfa.Errors
			require.True(t, errors.As(err, &list), "%v", err)
			require.Equal(t, c.want, list.WithLines())
		})
	}
}

// TestManyFaults: a text that is no C at all does not fill the screen.
func TestManyFaults(t *testing.T) {
	text := ""
	for range 100 {
		text += "int x = ;\n"
	}
	_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{})
	var list cfa.Errors
	require.True(t, errors.As(err, &list), "%v", err)
	require.LessOrEqual(t, len(list), maxFaults+1)
}
