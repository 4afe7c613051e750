package lex_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/source/lex"
)

// tokens are those of a text, each with its place, by blanks.
func tokens(text string, d lex.Dialect) string {
	var all []string
	for l := lex.New([]byte(text), d); ; {
		t := l.Next()
		if t.Kind == lex.EOF {
			return strings.Join(all, " ")
		}
		all = append(all, strings.ReplaceAll(t.Text, "\n", "↵"))
	}
}

func TestTokens(t *testing.T) {
	c99, c11 := lex.Dialect{Trigraphs: true, NoRaw: true, NoUnicode: true}, lex.Dialect{Trigraphs: true, NoRaw: true}
	for _, c := range []struct {
		text, want string
		dialect    lex.Dialect
	}{
		{"a+++++b x...y", "a ++ ++ + b x ... y", lex.Dialect{}},
		{"<: %:%: %> %:a", "[ ## } # a", lex.Dialect{}},
		{"<: %:", "< : % :", lex.Dialect{NoDigraph: true}},
		{"??=??/\n??<", "# {", c11},
		{"??=", "? ? =", lex.Dialect{}},
		{"a/* b\n*/c // d\ne", "a c ↵ e", lex.Dialect{}},
		{"a\\\nb\\ \nc", "abc", lex.Dialect{}},
		{"/\\\n/ x\ny", "↵ y", lex.Dialect{}},
		{"1'000'0x.e+2 .5.6 0x1p-3L", "1'000'0x.e+2 .5.6 0x1p-3L", lex.Dialect{}},
		{`u8"a" L'b' UR"x(")" )x"c`, `u8"a" L'b' UR"x(")" )x" c`, lex.Dialect{}},
		{`u8"a" R"(b)"`, `u8 "a" R "(b)"`, c99},
		{`u8"a" R"(b)"`, `u8"a" R "(b)"`, c11},
		{"R\"(a\\\nb)\"c", "R\"(a\\↵b)\" c", lex.Dialect{}},
		{`gr\u00fcn`, "grün", lex.Dialect{}},
		{"don't", "don ' t", lex.Dialect{}},
		{`"a\"b" '\''`, `"a\"b" '\''`, lex.Dialect{}},
	} {
		require.Equal(t, c.want, tokens(c.text, c.dialect), c.text)
	}
}

func TestPlaces(t *testing.T) {
	l := lex.New([]byte("a \\\n  b/*\n*/ c\\\nd R\"(\\\n)\" e\n\xe9f"), lex.Dialect{})
	for _, want := range []struct{ line, col int }{{1, 1}, {2, 3}, {3, 4}, {4, 3}, {5, 4}, {5, 5}, {6, 1}} {
		got := l.Next()
		require.Equal(t, want, struct{ line, col int }{got.Line, got.Col}, got.Text)
	}
}

func TestValues(t *testing.T) {
	for text, want := range map[string]int64{`'a'`: 97, `'\377'`: -1, `'ab'`: 24930, `L'\xffffffff'`: -1,
		`u'\xffff'`: 65535, `U'😀'`: 0x1f600} {
		token := lex.New([]byte(text), lex.Dialect{})
		c, ok := lex.CharValue(token.Next())
		require.True(t, ok, text)
		require.Equal(t, want, c.Value, text)
	}
}
