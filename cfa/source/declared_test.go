package source

import (
	"slices"
	"strings"
	"testing"

	"magus/cfa/source/builtin"
	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"

	"modernc.org/cc/v4"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDeclarationsByWords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want, no   string // parts of the text, one of what is left out
	}{
		{"none", "int main(void) { return 0; }", "__predefined_declarator", "__builtin_"},
		{"what the library looks for", "", "typedef __PTRDIFF_TYPE__ __predefined_ptrdiff_t;", "__extension__"},
		{"by a macro's name", "__extension__ int n;", "#define __extension__", "__PRETTY_FUNCTION__"},
		{"what a macro mentions", "int f(__builtin_va_list l) { return __builtin_va_arg(l, int); }",
			"#define __typeof__(", "#define __typeof("},
		{"between #if and #endif", "", "#ifdef __WCHAR_TYPE__\ntypedef __WCHAR_TYPE__ __predefined_wchar_t;\n#endif\n",
			"nullptr_t"},
		{"by its name", "int n = __builtin_popcount(3);", "__builtin_popcount(", "__builtin_parity("},
		{"without the prefix", "int f(char *s) { return strlen(s); }", "__builtin_strlen(", "__builtin_strchr("},
		{"through a macro", "double x = __builtin_huge_vall(1);", "__builtin_huge_val(", "__builtin_strlen("},
		{"an atomic operation", "int f(int *p) { return __sync_fetch_and_add(p, 1); }",
			"#define __sync_fetch_and_add(", "__builtin_strlen("},
		{"a file is included", "#include <string.h>\nint (*f)(const char *) = strlen;", "__builtin_strlen(",
			"__builtin_popcount("},
		{"a word of two", "#define f(x) __builtin_ ## x\nint n = f(strlen)(\"\");", "__builtin_strlen(", "__builtin_strchr("},
		{"a word in two lines", "int n = __builtin_pop\\\ncount(3);", "__builtin_popcount(", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := declared(t, c.text)
			assert.Contains(t, got, c.want)
			if c.no != "" {
				assert.NotContains(t, got, c.no)
			}
		})
	}
}

// TestDeclarationsOfAllWords: a text with all words gets all that stands in some line, in order.
func TestDeclarationsOfAllWords(t *testing.T) {
	all := firstDeclaration + typeofMacros + variableMacros + cc.Builtin + builtinDeclarations() + builtin.Macros()
	_, got := builtinsOf("", asTokens(slices.Collect(wordsOf(all))...))
	for line := range strings.Lines(all) {
		if line != "\n" && !strings.HasPrefix(line, "//") {
			_, rest, found := strings.Cut(got, line)
			require.True(t, found, line)
			got = rest
		}
	}
}

// TestPredefinedByWords: a predefined macro is given only if what else is given mentions it, not if the unit
// does, where a macro of that name has been expanded or is not defined any more.
func TestPredefinedByWords(t *testing.T) {
	macros, _ := predefined(Options{}, "c23")
	got, _ := builtinsOf(macros, asTokens("__linux__", "_LP64", "bool", "true"))
	require.Equal(t, "#define __SIZE_TYPE__ unsigned long\n#define __PTRDIFF_TYPE__ long\n#define __WCHAR_TYPE__ int\n"+
		"#define __STDC_VERSION__ 202311L\n", got)
	p, err := Parse(t.Context(), []Source{{Name: "a.c", Text: []byte("#undef __linux__\nint __linux__;")}}, Options{})
	require.NoError(t, err)
	require.NotNil(t, p)
}

// asTokens are tokens that are names.
func asTokens(names ...string) (tokens []preprocess.Token) {
	for _, name := range names {
		tokens = append(tokens, preprocess.Token{Token: lex.Token{Kind: lex.Name, Text: name}})
	}
	return tokens
}

// declared is the text of the declarations for a unit.
func declared(t *testing.T, text string) string {
	out, _, err := Source{Name: "a.c", Text: []byte(text)}.expanded(t.Context(), Options{})
	require.NoError(t, err)
	_, builtins := builtinsOf("", out.Tokens)
	return builtins
}
