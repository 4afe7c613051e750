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
		{"of the compiler", "#include <magic.h>\n#include <stddef.h>\nsize_t n; int main(void) { return magic(); }", AutoHeaders, "magic.h", ""},
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
