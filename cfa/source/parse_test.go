package source

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"magus/cfa"
	"magus/internal/sample"

	"github.com/stretchr/testify/require"
)

func parseSource(text string) (*Program, error) {
	return Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{})
}

// doubling makes 2ⁿ copies of what by macros, in place of x in use.
func doubling(what, use string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#define M0 %s\n", what)
	for i := range n {
		fmt.Fprintf(&b, "#define M%d M%d M%d\n", i+1, i, i)
	}
	return b.String()[:b.Len()-1] + "\n" + strings.ReplaceAll(use, "x", fmt.Sprintf("M%d", n))
}

func TestBadInput(t *testing.T) {
	sample.Long(t)
	deep := strings.Repeat("(", 100_000)
	for i, c := range []struct{ name, text, want string }{
		{"not UTF-8", "int main(void)\n{ return \xff; }",
			"a.c:2:10: a byte that is no character of UTF-8, outside of comments and strings"},
		{"NUL", "int\x00main", "a.c:1:4: a NUL byte: not C source text"},
		{"brackets", "int main(void) { return " + deep, "a.c:1:2024: nested too deeply"},
		{"operators", "int main(void) { return " + strings.Repeat("!", 300_000), "nested too deeply"},
		{"brackets that macros make", "int x;\n" + doubling("(", "x;", 12) + "\nint y;\n",
			"a.c:15:1: nested too deeply once its macros are expanded"},
		{"loops that macros make", doubling("for (;;)", "int main(void) { x }", 16),
			"a.c:18:18: nested too deeply once its macros are expanded"},
		{"a list that macros make", "#define L " + strings.Repeat("1,", 1000) + "\nint a[] = {" +
			strings.Repeat("\nL", 501) + "};", "a.c:503:1: a list of more than 500000 elements once its macros are expanded"},
		{"macros without end", doubling("x;", "x", 30), "a.c:32:1: macros expand to more than 20000000 tokens"},
		{"unterminated comment", "int x; /* ", "a.c:1:8: "},
		{"unterminated string", "char *s = \"abc\nint y;", "a.c:1:1"},
		{"unterminated #if", "#if 1\nint x;\n", "a.c:"},
		{"end", "int main(void) {", "a.c:1:17: unexpected end of the file"},
		{"error directive", "#error no such machine\n", "a.c:1:2: #error no such machine"},
		{"includes itself", "#include \"a.c\"\n", "a.c:1:1: files include each other without end"},
		{"continue", "int main(void) { continue; }", "a.c:1:18: "},
		{"break", "int main(void) { break; }", "a.c:1:18: "},
		{"case", "int main(void) { case 1: ; }", "a.c:1:18: "},
		{"the unobservable action, never performed", "void __MAGUS_ACTION__(const char *);\n" +
			"static void f(void) { if (0) __MAGUS_ACTION__(\"tau\"); }", "a.c:2:30: tau is not the name of an action"},
		{"the action of recursion", "void f(void) { __COPPER_HANDSHAKE__(\"recursion{1}\"); }",
			"a.c:1:16: names of actions do not begin with recursion{"},
		{"no label", "int main(void) { goto x; }", "a.c:1:23: "},
		// The library fails on these instead of reporting the fault.
		{"fails later", "#include <assert.h>\nint main(v, w = 5; oid)\n{\n assert(1);\n return 0;\n}\n",
			"a.c:2:15: unexpected '=', expected ')'"},
		{"fails at once", "int x;\n__attribute__ asm = ! , _Generic &&\n", "a.c:2:1: syntax error"},
		{"runs on", "int x;\n*;", "a.c:2:"},
		{"runs on further", "static ^ __attribute__", "a.c:1:"},
	} {
		if sample.LeftOut(i, 3) || c.name == "macros without end" && !sample.Campaign() {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			read := func(name string) ([]byte, error) {
				if name == "a.c" {
					return []byte(c.text), nil
				}
				return nil, os.ErrNotExist
			}
			_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(c.text)}}, Options{ReadFile: read})
			require.ErrorContains(t, err, c.want)
			var errs cfa.Errors
			require.ErrorAs(t, err, &errs)
		})
	}
	for text, want := range map[string]string{
		"int x;\nint main( unsigned void) { return x; }":                  "a.c:2:1: not modelled",
		"#line 7 \"b.c\"\nint x;\nint main( unsigned void) { return x; }": "b.c:8:1: not modelled",
	} {
		_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{})
		require.ErrorContains(t, err, want)
	}
	_, err := Parse(context.Background(), nil, Options{})
	require.EqualError(t, err, "no C source")
	_, err = Parse(context.Background(), []Source{{Name: "a.c"}, {Name: "a.c"}}, Options{})
	require.EqualError(t, err, "a.c: given twice")
}

// TestDirectives: what the library would pass over is read or reported where it
// counts.
func TestDirectives(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"embed", "char a[] = {\n#embed \"a\"\n};", "a.c:2:1: not modelled: #embed"},
		{"import", "#import <x.h>\n", "a.c:1:1: not modelled: #import"},
		{"misspelt", "int x;\n # defne X\n", "a.c:2:1: no directive that is known: #defne"},
		{"behind a comment", "/* */ # /**/ foo bar\n", "a.c:1:1: no directive that is known: #foo"},
		{"digraph", "%:foo\n", "a.c:1:1: no directive that is known: #foo"},
		{"in a group that is left out", "#if 0\n#foo\n#endif\nint main(void) { return 0; }", ""},
		{"in a comment", "/*\n#foo\n*/\nint main(void) { return 0; }", ""},
		{"without effect", "#warning x\n#ident \"x\"\n#\nint main(void) { return 0; }", ""},
		{"elifdef", "#if 0\n#elifdef X\nx\n#elifdef __linux__\nint y;\n#elifndef X\nx\n#else\nx\n#endif\n" +
			"int main(void) { return y; }", ""},
		{"elifndef", "#if 1\nint y;\n#elifndef X\nx\n#endif\nint main(void) { return y; }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parseSource(c.text)
			if c.want == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, c.want)
			}
		})
	}
}

// TestParseStops: the library cannot be interrupted, but nobody waits for it.
func TestParseStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	asked := 0
	read := func(string) ([]byte, error) {
		asked++
		cancel()
		return []byte("#include \"b.h\"\n"), nil
	}
	_, err := Parse(ctx, []Source{{Name: "a.c", Text: []byte("#include \"a.h\"\nint main(void) { return 0; }")}},
		Options{ReadFile: read})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, asked, "no file is read any more")
}

func TestOwnHeaders(t *testing.T) {
	var names []string
	require.NoError(t, fs.WalkDir(headerFiles, "headers", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, strings.TrimPrefix(path, "headers/"))
		}
		return err
	}))
	for _, name := range []string{"math.h", "stdatomic.h", "threads.h", "tgmath.h", "unistd.h",
		"sys/socket.h", "netinet/in.h", "pthread.h"} {
		require.Contains(t, names, name)
	}
	for _, model := range sampled() {
		all := ""
		for i, name := range names {
			if sample.LeftOut(i, 8) {
				continue
			}
			line := "#include <" + name + ">\n"
			all += line
			_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(line + line)}}, Options{Model: model})
			require.NoError(t, err, name)
		}
		_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(all)}}, Options{Model: model})
		require.NoError(t, err)
	}
}

func TestUnitsAreReadAsTheySay(t *testing.T) {
	text := "#if __STDC_VERSION__ < 199901L || !__STRICT_ANSI__ || LEVEL != 2 || FIRST != 1\n#error\n" +
		"#endif\n#include <dir.h>\nint main(void) { return other(); }"
	one := Source{Name: "a.c", Text: []byte(text), Std: "c99", IncludeDirs: []string{"one"},
		Defines: []string{"LEVEL=1", "FIRST", "GONE"}, Undefs: []string{"ERROR"}, Includes: []string{"first.h"}}
	two := Source{Name: "b.c", Text: []byte("#include <dir.h>\nint other(void) { bool b = true; return b; }"),
		Std: "gnu23", IncludeDirs: []string{"two"}}
	read := func(name string) ([]byte, error) {
		switch name {
		case "first.h":
			return []byte("#if LEVEL != 2 || defined GONE\n#error\n#endif\n"), nil
		case filepath.Join("one", "dir.h"):
			return []byte("int other(void);"), nil
		case filepath.Join("two", "dir.h"):
			return nil, nil
		}
		return nil, os.ErrNotExist
	}
	opt := Options{Defines: []string{"LEVEL=2"}, Undefs: []string{"GONE"}, ReadFile: read}
	_, err := Parse(context.Background(), []Source{one, two}, opt)
	require.NoError(t, err)
	one.Includes = []string{"second.h"}
	_, err = Parse(context.Background(), []Source{one, two}, opt)
	require.EqualError(t, err, "a.c: second.h, which is to be included first: file does not exist")
	two.Std = "c++20"
	_, err = Parse(context.Background(), []Source{two}, opt)
	require.EqualError(t, err, "b.c: no standard of C that is known: c++20")
}

func TestDeclared(t *testing.T) {
	p, err := parseSource("int lib(char c, unsigned long);\nstatic void g(void) {}\nint main(void) { " +
		"g(); return lib(1, 2); }")
	require.NoError(t, err)
	require.Equal(t, []string{"g", "main"}, p.Procedures())
	require.True(t, p.HasBody("g"))
	require.False(t, p.HasBody("lib"))
	pos, ok := p.Declared("lib")
	require.True(t, ok)
	require.Equal(t, cfa.Pos{File: "a.c", Line: 1, Col: 5}, pos)
	pos, ok = p.Declared("g")
	require.True(t, ok)
	require.Equal(t, cfa.Pos{File: "a.c", Line: 2, Col: 13}, pos)
	_, ok = p.Declared("nothing")
	require.False(t, ok)
}
