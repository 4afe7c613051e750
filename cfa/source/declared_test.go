package source

import (
	"magus/cfa/source/builtin"
	"strings"
	"testing"

	"modernc.org/cc/v4"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDeclarationsByWords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want, no   string // parts of the text, one of what is left out
	}{
		{"none", "int main(void) { return 0; }", "__ccgo__types_compatible_p", "__builtin_strlen("},
		{"by its name", "int n = __builtin_popcount(3);", "__builtin_popcount(", "__builtin_parity("},
		{"without the prefix", "int f(char *s) { return strlen(s); }", "__builtin_strlen(", "__builtin_strchr("},
		{"through a macro", "double x = __builtin_huge_vall(1);", "__builtin_huge_val(", "__builtin_strlen("},
		{"an atomic operation", "int f(int *p) { return __sync_fetch_and_add(p, 1); }", "#define __sync_fetch_and_add(", "__builtin_strlen("},
		{"a file is included", "#include <string.h>\nint (*f)(const char *) = strlen;", "__builtin_strlen(", "__builtin_popcount("},
		{"a word of two", "#define f(x) __builtin_ ## x\nint n = f(strlen)(\"\");", "__builtin_strlen(", "__builtin_strchr("},
		{"a word in two lines", "int n = __builtin_pop\\\ncount(3);", "__builtin_popcount(", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := declared(t, c.text)
			assert.Contains(t, got, c.want)
			if c.no != "" {
				assert.NotContains(t, got, c.no)
			}
			assert.Contains(t, got, "typedef void *__builtin_va_list;")
		})
	}
}

// TestDeclarationsOfAllWords: a text with all names gets all declarations, in their order, and behind them the macros.
func TestDeclarationsOfAllWords(t *testing.T) {
	all := cc.Builtin + builtin.Declarations()
	var names strings.Builder
	for line := range strings.Lines(all) {
		names.WriteString(prototype(line) + " ")
	}
	got := declared(t, names.String())
	require.True(t, strings.HasPrefix(got, all))
	for line := range strings.Lines(got[len(all):]) {
		assert.True(t, strings.HasPrefix(line, "#define __builtin_"), "%s: no word names it", line)
	}
}

// declared is the text of the declarations for a unit.
func declared(t *testing.T, text string) string {
	out, _, err := Source{Name: "a.c", Text: []byte(text)}.expanded(t.Context(), Options{})
	require.NoError(t, err)
	return builtinsOf(out.Tokens)
}
