package source

import (
	"context"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

// A header that does not come with us is taken from the machine, with all others
// that the machine has; which one it was is noted.
func TestHeadersOfTheMachine(t *testing.T) {
	host := map[string]string{
		"/host/odd.h":   "#include <stdio.h>\nint odd(struct of_the_host *p);\n",
		"/host/stdio.h": "struct of_the_host;\n",
		"/gcc/magic.h":  "int magic(void);\n",
		"/gcc/stddef.h": "#error the compiler's\n",
	}
	read := func(name string) ([]byte, error) {
		if text, ok := host[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	for _, c := range []struct {
		name, text string
		headers    Headers
		from, want string // the header noted, or the error
	}{
		{"not needed", "#include <stdio.h>\nint main(void) { return puts(\"a\"); }", AutoHeaders, "", ""},
		{"needed", "#include <stdio.h>\n#include <odd.h>\nint main(void) { return odd(0); }", AutoHeaders, "odd.h", ""},
		{"of the compiler", "#include <magic.h>\n#include <stddef.h>\nsize_t n; int main(void) { return magic(); }",
			AutoHeaders, "magic.h", ""},
		{"not wanted", "#include <odd.h>\n", BuiltinHeaders, "", "a.c:1:10: include file not found: <odd.h>"},
		{"nowhere", "#include <even.h>\n", AutoHeaders, "", "a.c:1:10: include file not found: <even.h>"},
		{"always", "#include <stdio.h>\nstruct of_the_host *p; int main(void) { return 0; }", HostHeaders, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(c.text)}},
				Options{Headers: c.headers, HostDirs: []string{"/host"}, CompilerDirs: []string{"/gcc"}, ReadFile: read})
			if c.want != "" {
				require.ErrorContains(t, err, c.want)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.from, p.Files[0].HostHeader)
		})
	}
}

// Where one file needs the machine's headers, all files have these: what they share has one type. A file that
// cannot be read with them keeps those that come along.
func TestOneSetOfHeaders(t *testing.T) {
	host := map[string]string{
		"/host/odd.h":   "int odd(void);\n",
		"/host/stdio.h": "typedef struct of_the_host { int n; } FILE;\n",
		"/host/time.h":  "#error not for us\n",
	}
	read := func(name string) ([]byte, error) {
		if text, ok := host[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	for _, first := range []bool{true, false} {
		sources := []Source{
			{Name: "a.c", Text: []byte("#include <stdio.h>\n#include <odd.h>\nextern FILE *out; int main(void) { " +
				"return odd() + (out != 0); }")},
			{Name: "b.c", Text: []byte("#include <stdio.h>\nFILE *out; int b(void) { return 0; }")},
			{Name: "c.c", Text: []byte("#include <time.h>\ntime_t c(void) { return 0; }")},
			{Name: "d.c", Text: []byte("int d(void) { return 0; }")},
		}
		if !first {
			sources[0], sources[1] = sources[1], sources[0]
		}
		p, err := Parse(context.Background(), sources,
			Options{Headers: AutoHeaders, HostDirs: []string{"/host"}, ReadFile: read})
		require.NoError(t, err)
		said := map[string][2]string{}
		for _, f := range p.Files {
			said[f.Name] = [2]string{f.HostHeader, f.HostWith}
		}
		require.Equal(t, map[string][2]string{"a.c": {"odd.h", ""}, "b.c": {"odd.h", "a.c"}, "c.c": {}, "d.c": {}}, said)
	}
}

// TestArgumentListsOfHosts: err.h of glibc makes __gnuc_va_list a void * where stdarg.h has not said that it is there.
func TestArgumentListsOfHosts(t *testing.T) {
	_, err := parseSource(`#define __need___va_list
#include <stdarg.h>
#ifndef __GNUC_VA_LIST
# define __gnuc_va_list void *
#endif
typedef __gnuc_va_list va_list;
int main(void) { return 0; }
`)
	require.NoError(t, err)
}
