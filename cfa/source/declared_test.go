package source

import (
	"strings"
	"testing"

	"modernc.org/cc/v4"

	"github.com/stretchr/testify/assert"
)

func TestDeclarationsByWords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		more       bool
		want, no   string // parts of the text, one of what is left out
	}{
		{"none", "int main(void) { return 0; }", false, "__ccgo__types_compatible_p", "__builtin_strlen("},
		{"by its name", "int n = __builtin_popcount(3);", false, "__builtin_popcount(", "__builtin_parity("},
		{"without the prefix", "int f(char *s) { return strlen(s); }", false, "__builtin_strlen(", "__builtin_strchr("},
		{"through a macro", "double x = __builtin_huge_vall(1);", false, "__builtin_huge_val(", "__builtin_strlen("},
		{"an atomic operation", "int f(int *p) { return __sync_fetch_and_add(p, 1); }", false, "#define __sync_fetch_and_add(", "__builtin_strlen("},
		{"a file is included", "#include <string.h>", false, "__builtin_strlen(", ""},
		{"a word of two", "#define f(x) __builtin_ ## x", false, "__builtin_strlen(", ""},
		{"a word in two lines", "int n = __builtin_pop\\\ncount(3);", false, "__builtin_popcount(", ""},
		{"a text besides", "", true, "__builtin_strlen(", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := declared(c.more, []byte(c.text))
			assert.Contains(t, got, c.want)
			if c.no != "" {
				assert.NotContains(t, got, c.no)
			}
			assert.Contains(t, got, "typedef void *__builtin_va_list;")
		})
	}
}

// TestDeclarationsOfAllWords: a text with all names gets all declarations, in their order.
func TestDeclarationsOfAllWords(t *testing.T) {
	all := cc.Builtin + builtins()
	var names strings.Builder
	for line := range strings.Lines(all) {
		names.WriteString(prototype(line) + " ")
	}
	assert.Equal(t, all, declared(false, []byte(names.String())))
	assert.Equal(t, all+atomics(), declared(true))
}
