package lex_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/source/lex"
)

func TestComments(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []lex.Comment
	}{
		"none":           {"int a;\n", nil},
		"behind a token": {"int a; // b\nint c;\n", []lex.Comment{{Line: 1, Col: 8, Last: 1, Text: "// b", Next: 2}}},
		"before a token": {"/* b */ int a;\n", []lex.Comment{{Line: 1, Col: 1, Last: 1, Text: "/* b */", Next: 1}}},
		"between":        {"int /* b */ a;\n", []lex.Comment{{Line: 1, Col: 5, Last: 1, Text: "/* b */", Next: 1}}},
		"alone": {"int a;\n  // b\nint c;\n",
			[]lex.Comment{{Line: 2, Col: 3, Last: 2, Text: "// b", Alone: true, Next: 3}}},
		"of two lines": {"/* b\n * c */\n\nint a;\n",
			[]lex.Comment{{Line: 1, Col: 1, Last: 2, Text: "/* b\n * c */", Alone: true, Next: 4}}},
		"at the end":  {"int a;\n// b", []lex.Comment{{Line: 2, Col: 1, Last: 2, Text: "// b", Alone: true}}},
		"into a line": {"/* b\n*/ int a;\n", []lex.Comment{{Line: 1, Col: 1, Last: 2, Text: "/* b\n*/", Next: 2}}},
		"out of a line": {"int a; /* b\n*/\nint c;\n",
			[]lex.Comment{{Line: 1, Col: 8, Last: 2, Text: "/* b\n*/", Next: 3}}},
		"spliced": {"// b\\\nc\nint a;\n",
			[]lex.Comment{{Line: 1, Col: 1, Last: 2, Text: "// bc", Alone: true, Next: 3}}},
		"in a string": {"char *a = \"/* b */ // c\", d = '//';\n", nil},
		"in a raw string": {"char *a = R\"(\n// b\n)\";\n// c\n",
			[]lex.Comment{{Line: 4, Col: 1, Last: 4, Text: "// c", Alone: true}}},
		"in a header": {"#include <sys//a.h>\n#include \"b/*.h\" // c\n",
			[]lex.Comment{{Line: 2, Col: 18, Last: 2, Text: "// c"}}},
		"in a directive": {"#define A 1 // b\n", []lex.Comment{{Line: 1, Col: 13, Last: 1, Text: "// b"}}},
		"in a comment": {"/* // a */ // /* b\nint c;\n", []lex.Comment{
			{Line: 1, Col: 1, Last: 1, Text: "/* // a */", Alone: true, Next: 2},
			{Line: 1, Col: 12, Last: 1, Text: "// /* b", Alone: true, Next: 2}}},
		"never ends": {"int a; /* b", nil},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tt.want, lex.Comments([]byte(tt.text), lex.Dialect{}))
		})
	}
}
