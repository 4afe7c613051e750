package cfa

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"magus/internal/expr"

	"github.com/stretchr/testify/require"
)

func parseText(t testing.TB, text string) *Program {
	t.Helper()
	p, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{})
	require.NoError(t, err)
	return p
}

func lowerText(t testing.TB, text string, opt LowerOptions) *CFA {
	t.Helper()
	c, err := parseText(t, text).Lower(context.Background(), "main", expr.NewPool(), opt)
	require.NoError(t, err)
	require.Empty(t, c.Check())
	return c
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
	deep := strings.Repeat("(", 100_000)
	for _, c := range []struct{ name, text, want string }{
		{"not UTF-8", "int main(void)\n{ return \xff; }", "a.c:2:10: not UTF-8"},
		{"NUL", "int\x00main", "a.c:1:4: a NUL byte: not C source text"},
		{"brackets", "int main(void) { return " + deep, "a.c:1:2024: nested too deeply"},
		{"operators", "int main(void) { return " + strings.Repeat("!", 300_000), "nested too deeply"},
		{"brackets that macros make", "int x;\n" + doubling("(", "x;", 12) + "\nint y;\n", "a.c:15:1: nested too deeply once its macros are expanded"},
		{"loops that macros make", doubling("for (;;)", "int main(void) { x }", 16), "a.c:18:1: nested too deeply once its macros are expanded"},
		{"a list that macros make", "#define L " + strings.Repeat("1,", 1000) + "\nint a[] = {" + strings.Repeat("\nL", 501) + "};", "a.c:503:1: a list of more than 500000 elements once its macros are expanded"},
		{"macros without end", doubling("x;", "x", 30), "a.c:32:1: macros expand to more than 20000000 tokens"},
		{"universal character name", "int x;\nint gr\\u00fcn;\n", "a.c:2:7: a universal character name"},
		{"unterminated comment", "int x; /* ", "a.c:1:8: "},
		{"unterminated string", "char *s = \"abc\nint y;", "a.c:1:1"},
		{"unterminated #if", "#if 1\nint x;\n", "a.c:"},
		{"end", "int main(void) {", "a.c:1:17: unexpected end of the file"},
		{"error directive", "#error no such machine\n", "a.c:1:2: no such machine"},
		{"includes itself", "#include \"a.c\"\n", "a.c:1:1: files include each other without end"},
		{"continue", "int main(void) { continue; }", "a.c:1:18: "},
		{"break", "int main(void) { break; }", "a.c:1:18: "},
		{"case", "int main(void) { case 1: ; }", "a.c:1:18: "},
		{"no label", "int main(void) { goto x; }", "a.c:1:23: "},
		// The library fails on these instead of reporting the fault.
		{"fails later", "#include <assert.h>\nint main(v, w = 5; oid)\n{\n assert(1);\n return 0;\n}\n", "a.c:2:15: unexpected '=', expected ')'"},
		{"fails at once", "int x;\n__attribute__ asm = ! , _Generic &&\n", "a.c:2:1: syntax error"},
		{"runs on", "int x;\n*;", "a.c:2:"},
		{"runs on further", "static ^ __attribute__", "a.c:1:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			read := func(name string) ([]byte, error) {
				if name == "a.c" {
					return []byte(c.text), nil
				}
				return nil, os.ErrNotExist
			}
			_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(c.text)}}, Options{ReadFile: read})
			require.ErrorContains(t, err, c.want)
			var errs Errors
			require.ErrorAs(t, err, &errs)
		})
	}
	_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte("int x;\nint main( unsigned void) { return x; }")}}, Options{})
	require.ErrorContains(t, err, "a.c:2:1: not modelled")
	_, err = Parse(context.Background(), nil, Options{})
	require.EqualError(t, err, "no C source")
	_, err = Parse(context.Background(), []Source{{Name: "a.c"}, {Name: "a.c"}}, Options{})
	require.EqualError(t, err, "a.c: given twice")
}

// TestLargeLists: what is long need not be deep.
func TestLargeLists(t *testing.T) {
	for name, body := range map[string]string{
		"empty statements": strings.Repeat(";", 50_000),
		"values":           "int a[] = {" + strings.Repeat("1,", 20_000) + "};",
		"an operator":      "x = (" + strings.Repeat("x,", 20_000) + "1);",
		"arguments":        "f(" + strings.Repeat("x,", 20_000) + "1);",
		"declarators":      "int y0" + numbered(", y%d", 3_000) + ";",
		"scopes":           numbered("int y%d = 0; if (x) goto end;", 500) + "end:;",
		"cases":            "switch (x) {" + numbered("case %d: x = 1; break; int y%[1]d;", 500) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			lowerText(t, "int f(); int main(void) { int x = 0;"+body+" return x; }", LowerOptions{})
		})
	}
}

// numbered joins what a format makes of 1 … n.
func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i+1)
	}
	return b.String()
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
		{"elifdef", "#if 0\n#elifdef X\nx\n#elifdef __linux__\nint y;\n#elifndef X\nx\n#else\nx\n#endif\nint main(void) { return y; }", ""},
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

func parseSource(text string) (*Program, error) {
	return Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{})
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
	_, err := Parse(ctx, []Source{{Name: "a.c", Text: []byte("#include \"a.h\"\nint main(void) { return 0; }")}}, Options{ReadFile: read})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, asked, "no file is read any more")
}

func TestOwnHeaders(t *testing.T) {
	entries, err := headerFiles.ReadDir("headers")
	require.NoError(t, err)
	all := ""
	for _, model := range []DataModel{LP64, ILP32} {
		for _, e := range entries {
			line := "#include <" + e.Name() + ">\n"
			all += line
			_, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(line + line)}}, Options{Model: model})
			require.NoError(t, err, e.Name())
		}
		_, err = Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(all)}}, Options{Model: model})
		require.NoError(t, err)
	}
}

func TestHostHeaders(t *testing.T) {
	if _, err := os.Stat("/usr/include/stdio.h"); err != nil {
		t.Skip("the host has no C headers")
	}
	text := "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\n#include <unistd.h>\nint main(void) { assert(getpid() != 0); return BUFSIZ; }"
	p, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{HostHeaders: true, ReadFile: os.ReadFile})
	require.NoError(t, err)
	c, err := p.Lower(context.Background(), "main", expr.NewPool(), LowerOptions{})
	require.NoError(t, err)
	require.Contains(t, c.String(), "action error")
}

func TestDataModels(t *testing.T) {
	text := "int main(void) { long x = sizeof(void *) + 10 * sizeof(long) + 100 * sizeof(x); return x; }"
	for model, want := range []string{"x = 888", "x = 444"} {
		p, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{Model: DataModel(model)})
		require.NoError(t, err)
		c, err := p.Lower(context.Background(), "main", expr.NewPool(), LowerOptions{})
		require.NoError(t, err)
		require.Contains(t, c.String(), want, "%v", DataModel(model))
	}
}

func TestDefines(t *testing.T) {
	opt := Options{Defines: []string{"A", "B=2 + A"}, Undefs: []string{"__linux__"}}
	text := "int main(void) {\n#ifdef __linux__\nreturn 0;\n#else\nreturn B;\n#endif\n}"
	p, err := Parse(context.Background(), []Source{{Name: "a.c", Text: []byte(text)}}, opt)
	require.NoError(t, err)
	c, err := p.Lower(context.Background(), "main", expr.NewPool(), LowerOptions{})
	require.NoError(t, err)
	require.Contains(t, c.String(), "return 3  @5:1")
}

func TestUnitsAreReadAsTheySay(t *testing.T) {
	text := "#if __STDC_VERSION__ < 199901L || !__STRICT_ANSI__ || LEVEL != 2 || FIRST != 1\n#error\n#endif\n#include <dir.h>\nint main(void) { return other(); }"
	one := Source{Name: "a.c", Text: []byte(text), Std: "c99", IncludeDirs: []string{"one"}, Defines: []string{"LEVEL=1", "FIRST", "GONE"}, Undefs: []string{"ERROR"}, Includes: []string{"first.h"}}
	two := Source{Name: "b.c", Text: []byte("#include <dir.h>\nint other(void) { bool b = true; return b; }"), Std: "gnu23", IncludeDirs: []string{"two"}}
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
	p := parseText(t, "int lib(char c, unsigned long);\nstatic void g(void) {}\nint main(void) { g(); return lib(1, 2); }")
	require.Equal(t, []string{"g", "main"}, p.Procedures())
	require.True(t, p.HasBody("g"))
	require.False(t, p.HasBody("lib"))
	d, ok := p.Declared("lib")
	require.True(t, ok)
	require.Equal(t, ProcDecl{Name: "lib", Params: []ProcParam{{"c", expr.Int8}, {"", expr.Uint64}}, Ret: expr.Int32, Pos: Pos{"a.c", 1, 5}}, d)
	d, ok = p.Declared("g")
	require.True(t, ok)
	require.True(t, d.Void)
	require.Empty(t, d.Params)
	_, ok = p.Declared("nothing")
	require.False(t, ok)
	_, err := p.Lower(context.Background(), "lib", expr.NewPool(), LowerOptions{})
	require.EqualError(t, err, "a.c:1:5: procedure lib has no body")
	_, err = p.Lower(context.Background(), "nothing", expr.NewPool(), LowerOptions{})
	var missing *NotFoundError
	require.ErrorAs(t, err, &missing)
}

func TestLookup(t *testing.T) {
	c := lowerText(t, `int x, g;
int f(int a) { static int s; int x = a; { int x = g; s = x; } return x; }
int main(void) { int a = f(1); { int a = f(2); return a + s(); } }
int s(void) { return x; }`, LowerOptions{})
	names := func(frame int, name string) (list []string) {
		for _, v := range c.Lookup(frame, name) {
			list = append(list, v.String())
		}
		return list
	}
	require.Equal(t, []int{1, 2}, c.FramesOf("f"))
	require.Equal(t, []string{"a", "main::a"}, names(0, "a"))
	require.Equal(t, []string{"f::a"}, names(1, "a"))
	require.Equal(t, []string{"f::x", "f::x#2", "x"}, names(1, "x"))
	require.Equal(t, []string{"f::x#3", "f::x#4", "x"}, names(2, "x"))
	require.Equal(t, []string{"f::s"}, names(1, "s"))
	require.Equal(t, []string{"f::s"}, names(2, "s"))
	require.Empty(t, names(0, "s"))
	require.Equal(t, []string{"x"}, names(0, "x"))
	require.Equal(t, []string{"g"}, names(0, "g"))
	require.Empty(t, names(0, "nothing"))
}

// TestSharedPool lowers two components whose variables clash into one pool.
func TestSharedPool(t *testing.T) {
	pool := expr.NewPool()
	p := parseText(t, "int f(void) { int x = 1; return x; } int g(void) { char x = 1; return x; }")
	for _, name := range []string{"f", "g"} {
		c, err := p.Lower(context.Background(), name, pool, LowerOptions{})
		require.NoError(t, err)
		require.Empty(t, c.Check())
	}
}

func TestDeterministic(t *testing.T) {
	text, err := os.ReadFile("testdata/calls.txtar")
	require.NoError(t, err)
	_, body, _ := strings.Cut(string(text), "-- a.c --\n")
	body, _, _ = strings.Cut(body, "-- want --")
	p := parseText(t, body)
	want := ""
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			c, err := p.Lower(context.Background(), "main", expr.NewPool(), LowerOptions{})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
				return
			}
			if want == "" {
				want = c.String() + c.Dot()
			}
			if want != c.String()+c.Dot() {
				t.Error("two lowerings differ")
			}
		})
	}
	wg.Wait()
}

func TestTooLarge(t *testing.T) {
	var b strings.Builder
	b.WriteString("int f0(int x) { x = x + 1; return x; }\n")
	for i := 1; i < 30; i++ {
		n, m := string(rune('0'+i%10)), string(rune('0'+(i-1)%10))
		b.WriteString("int f" + strings.Repeat("_", i/10) + n + "(int x) { return f" + strings.Repeat("_", (i-1)/10) + m + "(x) + f" + strings.Repeat("_", (i-1)/10) + m + "(x); }\n")
	}
	b.WriteString("int main(void) { return f__9(1); }")
	ctx, cancel := context.WithCancel(context.Background())
	p := parseText(t, b.String())
	cancel()
	_, err := p.Lower(ctx, "main", expr.NewPool(), LowerOptions{})
	require.ErrorIs(t, err, context.Canceled)
}

func TestCheckFindsFaults(t *testing.T) {
	c := lowerText(t, "int main(void) { int x = 1; if (x) x = 2; return x; }", LowerOptions{})
	stray := c.Pool.Var("stray", expr.Int8)
	break1 := func(f func(c *CFA)) []string {
		d := *c
		d.Locs = append([]Location(nil), c.Locs...)
		f(&d)
		return d.Check()
	}
	require.NotEmpty(t, break1(func(c *CFA) { c.Locs[0].Succ = nil }))
	require.NotEmpty(t, break1(func(c *CFA) { c.Locs[0].Succ = []Loc{99} }))
	require.NotEmpty(t, break1(func(c *CFA) { c.Locs = append(c.Locs, c.Locs[0]) }))
	require.NotEmpty(t, break1(func(c *CFA) { c.Locs[0].Stmt = Assign{LHS: stray, RHS: stray} }))
	require.NotEmpty(t, break1(func(c *CFA) { c.Locs[0].Stmt = Assign{LHS: c.Vars[0].Expr} }))
	require.NotEmpty(t, break1(func(c *CFA) { c.Locs[len(c.Locs)-1].Stmt = Return{} }))
	require.NotEmpty(t, break1(func(c *CFA) { c.Locs[0].Pos = Pos{} }))
	require.NotEmpty(t, break1(func(c *CFA) { c.Vars = append(c.Vars, c.Vars[0]) }))
	require.NotEmpty(t, break1(func(c *CFA) { c.Locs[0].Stmt = unsupported{} }))
}

func BenchmarkParse(b *testing.B) {
	files := sharedFiles(b, "ssh-simplified")
	text, err := os.ReadFile(files[0])
	require.NoError(b, err)
	for b.Loop() {
		p, err := Parse(context.Background(), []Source{{Name: "a.c", Text: text}}, Options{})
		require.NoError(b, err)
		_, err = p.Lower(context.Background(), "main", expr.NewPool(), LowerOptions{})
		require.NoError(b, err)
	}
}
