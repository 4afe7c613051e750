package source_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/source"
)

// TestLabelsForTheLinker: names for the linker, of asm labels and pragmas, are those of functions and objects where
// another declaration is about the same; in blocks they are refused at their place; others are taken as headers
// mean them.
func TestLabelsForTheLinker(t *testing.T) {
	headers := map[string]string{
		"/usr/include/label.h": `#define LABEL(name) __asm__(#name)`,
		"inline.h":             `static inline void set(void) { extern int x __asm__("y"); x = 1; }`,
	}
	opt := source.Options{Headers: source.HostHeaders, HostDirs: []string{"/usr/include"},
		ReadFile: func(name string) ([]byte, error) {
			if text, ok := headers[name]; ok {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		}}
	for _, c := range []struct{ name, a, b, refused, found string }{
		{"a function of the program", `int f(void) __asm__("g"); int g(void) { return 3; } int main(void) { return f(); }`, "",
			"", "g"},
		{"in another file", `int f(void) __asm__("g"); int main(void) { return f(); }`, "int g(void) { return 3; }",
			"", "g"},
		{"a body with a label", `int f(void) __asm("g"); int f(void) { return 3; }`, "int g(void); int main(void) { return g(); }",
			"", "g"},
		{"one body for two names", `int f(void) asm("h"); int f(void) { return 3; } int g(void) asm("h"); int main(void) { return g(); }`,
			"", "", "h"},
		{"an object", `extern int x __asm__("y"); int y; int main(void) { x = 1; return y; }`, "",
			"", "y"},
		{"one object by two names", `extern int x __asm__("z"), y __asm__("z"); int main(void) { x = 1; return y; }`, "",
			"", "z"},
		{"two objects by one name", `extern int x __asm__("z"); int main(void) { return x; }`, "int x;",
			"", "z"},
		{"within a block", `int y; int main(void) { extern int x __asm__("y"); x = 1; return y; }`, "",
			"a.c:1:36: not modelled: x with a name for the linker", ""},

		{"within a block, by a macro of a header", "#include <label.h>\nint y; int main(void) { extern int x LABEL(y); x = 1; return y; }", "",
			"a.c:2:36: not modelled: x with a name for the linker", ""},
		{"within a block of a header", "#include \"inline.h\"\nint y; int main(void) { set(); return y; }", "",
			"inline.h:1:43: not modelled: x with a name for the linker", ""},

		{"a pragma", "#pragma redefine_extname f g\nint f(void); int main(void) { return f(); }", "int g(void) { return 3; }",
			"", "g"},
		{"a register", `int main(void) { register int x __asm__("rax") = 1; return x; }`, "", "", ""},
		{"a function of the library", `int open_it(void) __asm__("" "open" "64"); int main(void) { return open_it(); }`, "", "", ""},
		{"a function that is inlined before the library's", `typedef unsigned long size; size take(int n) __asm__("get");
extern inline __attribute__((gnu_inline)) size get(int n) { return take(n); } int main(void) { return get(1); }`, "", "", ""},
		{"its own name", `int f(void) __asm__("f"); int f(void) { return 0; } int main(void) { return f(); }`, "", "", ""},
		{"one name for two functions of the library", `int k(int) __asm__("k2"); int main(void) { return k(1); }`,
			"char *k(int); char *g(void) { return k(2); }", "", ""},
		{"a symbol of the linker", `extern char begin __asm__("__start"); int main(void) { return begin; }`, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			prog, err := source.Parse(t.Context(), []source.Source{{Name: "a.c", Text: []byte(c.a)},
				{Name: "b.c", Text: []byte(c.b)}}, opt)
			require.NoError(t, err)
			if c.refused != "" {
				require.ErrorContains(t, prog.Files[0].Refused, c.refused)
			} else {
				require.NoError(t, prog.Files[0].Refused)
			}
			if f := prog.Files[0]; c.found != "" {
				require.True(t, prog.Body(f, c.found) != nil || f.Objects[c.found] != nil && f.Objects["x"] == nil)
			}
		})
	}
}
