package libc

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every definition in a file is found, under one name, with a comment if people look
// for it, and calls nothing but what models may call.
func TestModelsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	allowed := regexp.MustCompile(
		`^(libc_\w+|__magus_\w+|__builtin_tolower|__builtin_mem(cpy|move|set)|__builtin_strlen|__errno_location|sizeof|if|while|for|return)$`)
	for _, m := range Models() {
		require.False(t, seen[m.Name], "%s twice", m.Name)
		seen[m.Name] = true
		if !m.Public() {
			require.True(t, strings.HasPrefix(m.Name, "libc_"), "%s in %s", m.Name, m.File)
			continue
		}
		require.NotEmpty(t, m.Summary(), m.Name)
		body := m.Text[strings.Index(m.Text, "\n{"):]
		params := reWord().FindAllString(m.Head, -1)
		for _, call := range regexp.MustCompile(`(\w+)\(`).FindAllStringSubmatch(body, -1) {
			require.True(t, allowed.MatchString(call[1]) || slices.Contains(params, call[1]) || call[1] == "handler",
				"%s calls %s", m.Name, call[1])
		}
	}
	for _, e := range []string{"atexit", "strcmp", "signal", "pthread_mutex_lock", "__ctype_b_loc", "qsort"} {
		require.Contains(t, Names(), e)
	}
}

func TestUnitHasWhatModelsNeed(t *testing.T) {
	unit := string(Unit([]string{"atexit"}, "x87"))
	require.Contains(t, unit, AtExit)
	require.Contains(t, unit, "libc_handlers[16]")
	require.NotContains(t, unit, "qsort")
	require.Contains(t, unit, `"<libc>/stdlib.c"`)
}

func TestText(t *testing.T) {
	text, ok := Text("fclose")
	require.True(t, ok)
	require.Less(t, strings.Index(text, "libc_done(void)"), strings.Index(text, "int fclose("))
	_, ok = Text("libc_done")
	require.False(t, ok, "the models' own functions are no models")
	_, ok = Text("nothing")
	require.False(t, ok)
}
