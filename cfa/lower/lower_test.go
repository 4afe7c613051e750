package lower

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"

	"github.com/stretchr/testify/require"
	"magus/internal/sample"
)

func parseText(t testing.TB, text string) *source.Program {
	t.Helper()
	p, err := source.Parse(context.Background(), []source.Source{{Name: "a.c", Text: []byte(text)}}, source.Options{})
	require.NoError(t, err)
	return p
}

func lowerText(t testing.TB, text string, opt Options) *cfa.CFA {
	t.Helper()
	c, err := Lower(context.Background(), parseText(t, text), "main", expr.NewPool(), opt)
	require.NoError(t, err)
	require.Empty(t, c.Check())
	return c
}

// TestLargeLists: what is long need not be deep.
func TestLargeLists(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
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
			lowerText(t, "int f(); int main(void) { int x = 0;"+body+" return x; }", Options{})
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

func TestHostHeaders(t *testing.T) {
	if _, err := os.Stat("/usr/include/stdio.h"); err != nil {
		t.Skip("the host has no C headers")
	}
	text := "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\n" +
		"#include <unistd.h>\nint main(void) { assert(getpid() != 0); return BUFSIZ; }"
	p, err := source.Parse(context.Background(), []source.Source{{Name: "a.c", Text: []byte(text)}},
		source.Options{Headers: source.HostHeaders, HostDirs: []string{"/usr/include/x86_64-linux-gnu", "/usr/include"},
			ReadFile: os.ReadFile})
	require.NoError(t, err)
	c, err := Lower(context.Background(), p, "main", expr.NewPool(), Options{})
	require.NoError(t, err)
	require.Contains(t, c.String(), "action error")
}

func TestDataModels(t *testing.T) {
	text := "int main(void) { long x = sizeof(void *) + 10 * sizeof(long) + 100 * sizeof(x); return x; }"
	for model, want := range []string{"x = 888", "x = 444"} {
		p, err := source.Parse(context.Background(), []source.Source{{Name: "a.c", Text: []byte(text)}},
			source.Options{Model: cfa.DataModel(model)})
		require.NoError(t, err)
		c, err := Lower(context.Background(), p, "main", expr.NewPool(), Options{})
		require.NoError(t, err)
		require.Contains(t, c.String(), want, "%v", cfa.DataModel(model))
	}
}

func TestDefines(t *testing.T) {
	opt := source.Options{Defines: []string{"A", "B=2 + A"}, Undefs: []string{"__linux__"}}
	text := "int main(void) {\n#ifdef __linux__\nreturn 0;\n#else\nreturn B;\n#endif\n}"
	p, err := source.Parse(context.Background(), []source.Source{{Name: "a.c", Text: []byte(text)}}, opt)
	require.NoError(t, err)
	c, err := Lower(context.Background(), p, "main", expr.NewPool(), Options{})
	require.NoError(t, err)
	require.Contains(t, c.String(), "return 3  @5:1")
}

// TestSharedPool lowers two components whose variables clash into one pool.
func TestSharedPool(t *testing.T) {
	pool := expr.NewPool()
	p := parseText(t, "int f(void) { int x = 1; return x; } int g(void) { char x = 1; return x; }")
	for _, name := range []string{"f", "g"} {
		c, err := Lower(context.Background(), p, name, pool, Options{})
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
			c, err := Lower(context.Background(), p, "main", expr.NewPool(), Options{})
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

func TestNoBody(t *testing.T) {
	p := parseText(t, "int lib(char c, unsigned long);\nint main(void) { return lib(1, 2); }")
	_, err := Lower(context.Background(), p, "lib", expr.NewPool(), Options{})
	require.EqualError(t, err, "a.c:1:5: procedure lib has no body")
	_, err = Lower(context.Background(), p, "nothing", expr.NewPool(), Options{})
	var missing *cfa.NotFoundError
	require.ErrorAs(t, err, &missing)
}

func TestTooLarge(t *testing.T) {
	var b strings.Builder
	b.WriteString("int f0(int x) { x = x + 1; return x; }\n")
	for i := 1; i < 30; i++ {
		n, m := string(rune('0'+i%10)), string(rune('0'+(i-1)%10))
		b.WriteString("int f" + strings.Repeat("_", i/10) + n + "(int x) { return f" +
			strings.Repeat("_", (i-1)/10) + m + "(x) + f" + strings.Repeat("_", (i-1)/10) + m + "(x); }\n")
	}
	b.WriteString("int main(void) { return f__9(1); }")
	ctx, cancel := context.WithCancel(context.Background())
	p := parseText(t, b.String())
	cancel()
	_, err := Lower(ctx, p, "main", expr.NewPool(), Options{})
	require.ErrorIs(t, err, context.Canceled)
}

// TestPresumedPlaces: a location lies where the directives of its file say.
func TestPresumedPlaces(t *testing.T) {
	c := lowerText(t, "#line 900 \"other.c\"\n# 7 \"third.c\"\n#define SET(x) \\\n x = 1\n"+
		"int main(void) {\n int y;\n#line 1\n  SET(y);\n return y; }", Options{})
	var places []string
	for _, l := range c.Locs {
		places = append(places, l.Pos.String())
	}
	require.Equal(t, []string{"third.c:10:6", "third.c:1:3", "third.c:2:2"}, places)
}

// TestDeepestAllowed: what the limits let through does not exhaust the stack.
func TestDeepestAllowed(t *testing.T) {
	sample.Long(t)
	for _, text := range []string{
		"int main(void) { return " + strings.Repeat("(", 1990) + "1" + strings.Repeat(")", 1990) + "; }",
		"int main(void) { int a; return " + strings.Repeat("a+", 4_000) + "1; }",
		"int main(void) { return " + strings.Repeat("!", 19_000) + "1; }",
		"int main(void) { int a; " + strings.Repeat("if (a) a = 1; else ", 3_000) + "a = 2; return a; }",
		"int main(void) { int a; " + strings.Repeat("{", 1990) + "a = 2;" + strings.Repeat("}", 1990) + " return a; }",
	} {
		lowerText(t, text, Options{})
	}
}

// TestPreprocessedByGCC reads what GCC makes of the C library's headers.
func TestPreprocessedByGCC(t *testing.T) {
	sample.Long(t)
	text := ""
	for _, h := range []string{"stdio", "stdlib", "string", "pthread", "unistd", "errno", "math", "signal",
		"sys/socket", "sys/stat", "stdatomic", "time", "assert"} {
		text += "#include <" + h + ".h>\n"
	}
	text += "int main(void) {\n\tint n = atoi(\"1\");\n\tassert(n);\n\treturn missing;\n}\n"
	for _, flags := range [][]string{nil, {"-D_GNU_SOURCE", "-O2", "-D_FORTIFY_SOURCE=2"}, {"-std=c99"}} {
		cmd := exec.Command("gcc", append(flags, "-E", "-")...)
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("no gcc with a C library: %v", err)
		}
		_, err = source.Parse(context.Background(), []source.Source{{Name: "p.i", Text: out, Preprocessed: true}},
			source.Options{})
		require.EqualError(t, err, "<stdin>:17:9: undefined: missing", "%v", flags)
		out = bytes.Replace(out, []byte("missing"), []byte("n"), 1)
		p, err := source.Parse(context.Background(), []source.Source{{Name: "p.i", Text: out, Preprocessed: true}},
			source.Options{})
		require.NoError(t, err)
		c, err := Lower(context.Background(), p, "main", expr.NewPool(), Options{})
		require.NoError(t, err)
		require.Contains(t, c.String(), "action error")
	}
}

// TestConstEverywhere: a variable that one unit only declares const is not
// constant.
func TestConstEverywhere(t *testing.T) {
	read := "extern const int limit; int main(void) { return limit; }"
	for owner, want := range map[string]string{
		"int limit = 3; void set(int n) { limit = n; }": "return limit",
		"const int limit = 3;":                          "limit = 3",
	} {
		p, err := source.Parse(context.Background(), []source.Source{{Name: "a.c", Text: []byte(read)},
			{Name: "b.c", Text: []byte(owner)}}, source.Options{})
		require.NoError(t, err)
		c, err := Lower(context.Background(), p, "main", expr.NewPool(), Options{})
		require.NoError(t, err)
		require.Contains(t, c.String(), "0: "+want, owner)
	}
}

// TestLayoutNotKnown: what depends on a layout that is not known is refused.
func TestLayoutNotKnown(t *testing.T) {
	for _, c := range []struct {
		decl, use string
		refused   bool
	}{
		{"struct s { char c; int a; } __attribute__((packed)) x;", "x.a + sizeof x", false},
		{"#pragma pack(1)\nstruct s { char c; int a; } x;", "x.a + sizeof x", false},
		{"struct s { enum { A, B }; int a; } x;", "sizeof x", false},
		{"struct s { unsigned a : 3; struct { unsigned : 0; } m; unsigned b : 3; } x;", "sizeof x", false},
		{"struct s { int : 3; } x;", "sizeof x", false},
		{"struct s { int : 3; int : 30; } x;", "sizeof x", true},
		{"struct s { int a __attribute__((mode(DI))); } x;", "sizeof x", false},
		{"#define DI __attribute__((mode(DI)))\nstruct s { int a DI; } x;", "sizeof x", false},
		{"struct s { int a, b __attribute__((mode(DI))); } x;", "sizeof x", false},
		{"typedef int t; struct s { t a __attribute__((mode(DI))); } x;", "sizeof x", true},
	} {
		p, err := source.Parse(context.Background(),
			[]source.Source{{Name: "a.c", Text: []byte(c.decl + "\nint main(void) { return " + c.use + "; }")}},
			source.Options{})
		require.NoError(t, err)
		_, err = Lower(context.Background(), p, "main", expr.NewPool(), Options{})
		if !c.refused {
			require.NoError(t, err, "%s %s", c.decl, c.use)
			continue
		}
		var unsupported *cfa.UnsupportedError
		require.ErrorAs(t, err, &unsupported, "%s %s", c.decl, c.use)
	}
}
