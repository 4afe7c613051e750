package source

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"magus/cfa"
	"magus/cfa/source/preprocess"
	"magus/internal/sample"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestOrigins(t *testing.T) {
	for _, c := range []struct {
		text, want string
	}{
		{"x\ny", "p.i:1 p.i:2"},
		{"# 7 \"f.c\" 2 3 4\nx\n#line 9\ny\r\nz\n", "- f.c:7 - f.c:9 f.c:10"},
		{"  #  0 \"<built-in>\"\n# 12\nx", "- - <built-in>:12"},
		{"#pragma once\n#line x\n# 99999999999\n# 5 \"f.c\n", "p.i:1 p.i:2 p.i:3 -"},
		{"\\\n# 4 \"f.c\"\nx", "p.i:1 p.i:2 p.i:3"},
		{"", ""},
	} {
		var got []string
		for _, p := range Origins(Source{Name: "p.i", Text: []byte(c.text)}) {
			if p == (cfa.Pos{}) {
				got = append(got, "-")
			} else {
				got = append(got, strings.TrimSuffix(p.String(), ":1"))
			}
		}
		require.Equal(t, c.want, strings.Join(got, " "), "%q", c.text)
	}
}

// TestMarkedPlaces: what stands in a preprocessed file is reported to stand
// where Origins says that its line came from.
func TestMarkedPlaces(t *testing.T) {
	seen := 0
	sample.Check(t, func(t *rapid.T) {
		lines := []string{"int main(void) {"}
		for range rapid.IntRange(0, 9).Draw(t, "lines") {
			lines = append(lines, rapid.SampledFrom([]string{"# 7 \"f.c\"", "# 20 \"g.h\" 1 3", "#line 3",
				"#line 4 \"f.c\"", "", ";", "# 8", "# 0 \"f.c\""}).Draw(t, "line"))
		}
		lines = append(lines, "missing;", "}")
		s := Source{Name: "p.i", Text: []byte(strings.Join(lines, "\n")), Preprocessed: true}
		want := Origins(s)[len(lines)-2]
		_, err := Parse(context.Background(), []Source{s}, Options{})
		require.EqualError(t, err, want.String()+": undefined: missing")
		if want.File != "p.i" {
			seen++
		}
	})
	require.Positive(t, seen)
}

func TestNesting(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	nest := func(n int, open, close string) string {
		return strings.Repeat(open, n) + "1" + strings.Repeat(close, n)
	}
	for _, c := range []struct {
		name, text string
		deep       bool
	}{
		{"brackets", nest(maxBrackets, "(", ")"), false},
		{"too many brackets", nest(maxBrackets+1, "(", ")"), true},
		{"mixed", nest(maxBrackets, "{(", ")}"), true},
		{"in comments", "/*" + nest(maxBrackets+1, "(", "") + "*/ //" + nest(maxBrackets+1, "(", ""), false},
		{"in literals", `"` + nest(maxBrackets+1, "(", "") + `\"((" '('`, false},
		{"a list", strings.Repeat("1,", 2*maxPath), false},
		{"a list that is too long", strings.Repeat("1,", maxElements+1), true},
		{"many lists", strings.Repeat("{1, 2}", maxElements), false},
		{"too many statements in parentheses", "({" + strings.Repeat(";", maxElements+1), true},
		{"empty statements", "{" + strings.Repeat(";", 2*maxElements), false},
		{"cases in a row", strings.Repeat("case 1 ? 2 : 3:", maxPath/3), false},
		{"statements", strings.Repeat("x = 1;", maxPath), false},
		{"directives", strings.Repeat("#define A 1 + 1\n", maxPath), false},
		{"an endless expression", strings.Repeat("1 +", maxPath), true},
		{"a long word", strings.Repeat("w", 2*maxPath), false},
		{"ifs in a row", strings.Repeat("if (x) { y; }\n", maxPath), false},
		{"ifs with elses in a row", strings.Repeat("if (x) { y; } else z;\n", maxPath), false},
		{"else-ifs", strings.Repeat("if (x + y) z = 1; else ", maxPath/8), false},
		{"too many else-ifs", strings.Repeat("if (x) { z = 1; } else ", maxPath), true},
		{"else-ifs within an if", strings.Repeat("if (x) ", maxPath/10) + "y;" +
			strings.Repeat("else if (x) y; ", maxPath/10), false},
		{"elses of ifs within ifs", strings.Repeat("if (x) ", maxPath/10) + "y;" +
			strings.Repeat("else z;", maxPath/10) + strings.Repeat("y;", maxPath), false},
		{"too many loops", strings.Repeat("for (;;) ", maxPath), true},
		{"too many loops with lists", strings.Repeat("for (x, y;;) ", maxPath), true},
		{"too many labels", strings.Repeat("a: ", maxPath+1), true},
		{"too many lists under labels", strings.Repeat("a: x, ({ ", maxPath/4), true},
		{"sums in lists", strings.Repeat("a ? b + c : d,", maxPath), false},
		{"too many compound literals", strings.Repeat("(T){1} + ", maxPath), true},
		{"brackets of directives", strings.Repeat("#define A {\n#define B ( \\\n (\n", maxPath) +
			nest(maxBrackets, "{", "}"), false},
		{"too many brackets of a directive", "#if " + nest(maxBrackets+1, "(", ")") + "\n#endif", true},
		{"an apostrophe in a directive", "#error don't\n" + strings.Repeat("x;", maxPath), false},
		{"initialisers", strings.Repeat("{ (1 + 2), { 3 } }, ", maxPath), false},
	} {
		out := preprocess.Run(t.Context(), []preprocess.Text{{Name: "a.c", Bytes: []byte(c.text)}}, preprocess.Config{})
		err := tooDeep(out.Tokens)
		require.Equal(t, c.deep, err != nil || strings.Contains(fmt.Sprint(out.Faults), errDeep.Error()),
			"%s: %v", c.name, err)
	}
}

// TestStringsOfParametersBeginLines: a line of a macro that begins with #x is no directive.
func TestStringsOfParametersBeginLines(t *testing.T) {
	_, err := parseSource("#define TEXTS(a, embed) \\\n\tf(\"x\", \\\n\t#a, \\\n#embed)\n" +
		"int f(const char *, const char *, const char *);\nint main(void) { return TEXTS(one, two); }")
	require.NoError(t, err)
}

// TestTokensWithOnePlace: line directives that compilers write give tokens of several lines the same place.
// They stay apart.
func TestTokensWithOnePlace(t *testing.T) {
	for _, text := range []string{
		"int f(void) {\n  return \n# 2 \"a.c\" 3 4\n        0\n# 2 \"a.c\"\n                 ;\n}\n",
		"int f(int a) {\n  return a +\n# 2 \"a.c\" 3 4\n            +\n# 2 \"a.c\"\n             a;\n}\n",
	} {
		_, err := Parse(t.Context(), []Source{{Name: "a.i", Text: []byte(text), Preprocessed: true}}, Options{})
		require.NoError(t, err, text)
	}
}
