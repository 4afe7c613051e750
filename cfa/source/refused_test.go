package source

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
)

// TestMisread: constructs that the library would read as something else are refused at their place, and what looks
// like them is not.
func TestMisread(t *testing.T) {
	for text, at := range map[string]string{ // where; "": it is read
		`enum e { A, B } __attribute__((packed));`:                                 "packed",
		`enum __attribute__((__packed__)) e { A };`:                                "__packed__",
		`enum e { A }; struct s { char c; int n; } __attribute__((packed));`:       "",
		`enum e { A } x __attribute__((unused));`:                                  "",
		`int f(enum e *p, struct s { int n; } __attribute__((packed)) *q);`:        "",
		`/* enum e { A } __attribute__((packed)); */ enum e { B };`:                "",
		`char s[] = "enum e { A } __attribute__((packed))"; enum e { B };`:         "",
		`char c = "\x00041"[0];`:                                                   `"\x00041"`,
		`int c = '\x041';`:                                                         `'\x041'`,
		`char s[] = "\x41" "1\\x123";`:                                             "",
		`int s[] = L"\x1234";`:                                                     "",
		`struct __attribute__((scalar_storage_order("big-endian"))) b { int v; };`: "scalar_storage_order",
		`char s[] = "scalar_storage_order";`:                                       "",
		"#pragma weak f\nvoid f(void);":                                            "weak",
		`extern void f(void) __attribute__((weak));`:                               "",
	} {
		err := misread("a.c", []byte(text))
		if at == "" {
			require.NoError(t, err, text)
			continue
		}
		var u *cfa.UnsupportedError
		require.ErrorAs(t, err, &u, text)
		require.Equal(t, cfa.Pos{File: "a.c", Line: 1, Col: strings.Index(text, at) + 1}, u.Pos, text)
	}
}

// TestPlainPrefixes: u8 before a string literal goes, and nothing else does.
func TestPlainPrefixes(t *testing.T) {
	for text, want := range map[string]string{
		`x = u8"ab" u8"c";`:          `x =   "ab"   "c";`,
		`x = mu8"ab"; // u8"c"`:      `x = mu8"ab"; // u8"c"`,
		`x = "u8" "y"; /* u8"" */`:   `x = "u8" "y"; /* u8"" */`,
		`int u8; x = u8 + '"' + u8;`: `int u8; x = u8 + '"' + u8;`,
	} {
		require.Equal(t, want, string(plainPrefixes([]byte(text))))
	}
}

// TestAssertionsWithoutMessages: they are read where declarations stand and in structures, and use nothing up.
func TestAssertionsWithoutMessages(t *testing.T) {
	const text = "_Static_assert(1);\nstruct s { int a; _Static_assert(sizeof(int) == 4); int b; } t = { 1, 2 };\n" +
		"int f(void) { _Static_assert(2, \"with\"); return __COUNTER__; }\n"
	p, err := Parse(t.Context(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{})
	require.NoError(t, err)
	require.EqualValues(t, 8, p.Layouts.Size(p.Files[0].Objects["t"].Type))
	_, err = Parse(t.Context(), []Source{{Name: "a.c", Text: []byte("_Static_assert(0);\n")}}, Options{})
	require.ErrorContains(t, err, "assertion failed")
	_, err = Parse(t.Context(), []Source{{Name: "a.c", Text: []byte("int c = __COUNTER__;\n_Static_assert(0, \"\");\n")}}, Options{})
	require.ErrorContains(t, err, "__COUNTER__")
}
