package metamorph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/cli"
	"magus/internal/report"
)

// examples are the checks that the first lines of the C files of a folder name.
func examples(t *testing.T, dir string) (ps []program, wants []string) {
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	files := map[string]text{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		lexer := cToken
		if filepath.Ext(path) == ".spec" {
			lexer = specToken
		}
		files[filepath.Base(path)] = lexer.FindAllString(string(content), -1)
		for line := range strings.Lines(string(content)) {
			if args, ok := strings.CutPrefix(line, "// magus:"); ok {
				ps = append(ps, program{strings.Fields(args), files})
			}
			if want, ok := strings.CutPrefix(line, "// want:"); ok {
				wants = append(wants, strings.TrimSpace(want))
			}
		}
	}
	require.Len(t, wants, len(ps))
	return ps, wants
}

// check runs a program in a folder of its own.
func check(t *testing.T, p program) (verdict string, trace []string) {
	dir := t.TempDir()
	for name, content := range p.files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content.String()), 0o600))
	}
	w := cli.System()
	var out, errs bytes.Buffer
	w.Stdout, w.Stderr, w.Dir, w.Terminal = &out, &errs, dir, false
	cli.Main(t.Context(), append([]string{p.args[0], "--timeout", "2m"}, append(p.args[1:len(p.args):len(p.args)], "--json", "--reduce-turns", "1")...), w)
	require.Empty(t, errs.String(), changed(p))
	var doc report.Check
	require.NoError(t, json.Unmarshal(out.Bytes(), &doc))
	for _, c := range doc.Claims {
		if c.Counterexample != nil {
			return doc.Verdict, c.Counterexample.Trace
		}
	}
	return doc.Verdict, nil
}

// changed are the files given on the command line, for messages.
func changed(p program) string {
	var b strings.Builder
	for _, name := range slices.Concat(p.names(".c"), p.names(".spec")) {
		fmt.Fprintf(&b, "==== %s\n%s\n", name, p.files[name])
	}
	return b.String()
}

// Every law holds for every example. The handshake's claims, which take long,
// share the laws among themselves.
func TestLaws(t *testing.T) {
	dirs, err := filepath.Glob("../../examples/*")
	require.NoError(t, err)
	count := map[string]int{}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		ps, wants := examples(t, dir)
		for i, p := range ps {
			for k, law := range laws {
				if large := filepath.Base(dir) == "handshake"; large && (testing.Short() || i%len(laws) != k) {
					continue
				}
				if law.effect == weaker && wants[i] != "conforms" || law.effect == stronger && wants[i] != "violates" {
					continue
				}
				for n, variant := range law.apply(p) {
					count[law.name]++
					t.Run(fmt.Sprintf("%s/%s/%s/%d", law.name, filepath.Base(dir), strings.Join(p.args[1:], " "), n), func(t *testing.T) {
						t.Parallel()
						law.check(t, p, variant, wants[i])
					})
				}
			}
		}
	}
	t.Logf("programs by law: %v", count)
	for _, law := range laws {
		require.Positive(t, count[law.name], law.name)
	}
}

func (l law) check(t *testing.T, p, variant program, want string) {
	got, trace := check(t, variant)
	require.Equal(t, want, got, changed(variant))
	if want != "violates" {
		return
	}
	_, before := check(t, p)
	if l.effect == stronger {
		require.LessOrEqual(t, len(trace), len(before), changed(variant))
	} else {
		require.Len(t, trace, len(before), changed(variant))
	}
}

// The folders of programs with a VERDICTS.tsv (see bench/README.md) that
// MAGUS_METAMORPH lists, by the laws about C. A changed program may be unknown
// where the original is not, but never wrong.
func TestFolders(t *testing.T) {
	folders := strings.Fields(os.Getenv("MAGUS_METAMORPH"))
	if len(folders) == 0 {
		t.Skip("MAGUS_METAMORPH names no folder")
	}
	for _, folder := range folders {
		table, err := os.ReadFile(filepath.Join(folder, "VERDICTS.tsv"))
		require.NoError(t, err)
		for line := range strings.Lines(string(table)) {
			cells := strings.Split(strings.TrimSpace(line), "\t")
			want, ok := map[string]string{"true": "conforms", "false": "violates"}[cells[2]]
			if !ok {
				continue
			}
			content, err := os.ReadFile(filepath.Join(folder, cells[0]))
			require.NoError(t, err)
			p := program{[]string{"check", "--property", "unreach-call", "--timeout", "20s", cells[0]}, map[string]text{cells[0]: cToken.FindAllString(string(content), -1)}}
			if label, ok := strings.CutPrefix(cells[1], "unreach-label:"); ok {
				p.args = append(p.args, "--error-label", label)
			}
			for _, law := range laws {
				for _, variant := range law.apply(p) {
					t.Run(law.name+"/"+cells[0], func(t *testing.T) {
						if got, _ := check(t, variant); got == "unknown" {
							before, _ := check(t, p)
							t.Log("unknown, was " + before)
						} else {
							require.Equal(t, want, got)
						}
					})
				}
			}
		}
	}
}

// What the laws make of small programs.
func TestChanges(t *testing.T) {
	tests := []struct {
		law, c, spec  string
		wantC         []string
		wantSpec      []string
		wantArguments string
	}{
		{law: "rename variables", c: "#define M(a) (a + x)\nint x, *y; void f(int a, T *u, char b[2]) { unsigned long z = g(a); s.x = M(z); kept = 1; int kept; }",
			spec:  "A = ( a.kept -> A ).",
			wantC: []string{"#define M(a) (a + v003_x)\nint v003_x, *v002_y; void f(int a, T *u, char v004_b[2]) { unsigned long v001_z = g(a); s.v003_x = M(v001_z); kept = 1; int kept; }"}},
		{law: "reorder components", c: "int f(void) { }", spec: "program p, q, r { specification s, {($1 == 0), (f(1, 2)), (1)}, A; }",
			wantSpec:      []string{"program  r , q,p{ specification s, { (1), (f(1, 2)),($1 == 0)}, A; }"},
			wantArguments: "check b.c a.c a.spec"},
		{law: "reorder components", c: "int f(void) { }", spec: "program p { specification s, {(1)}, A; }"},
		{law: "swap statements", c: "void f() { int a = 1; b = c + 2; if (x) c = 1; d = 2; e = d; g = h(); i = 1; for (a = 1; b; c) { k = 1; l = *p; } }",
			wantC: []string{"void f() { b = c + 2; int a = 1; if (x) c = 1; d = 2; e = d; g = h(); i = 1; for (a = 1; b; c) { k = 1; l = *p; } }"}},
		{law: "dead code", c: "static int f(void) { return 1; }",
			wantC: []string{"void reach_error(void);\nstatic int f(void) {\n\tint dead = 1;\n\tif (dead < 1) { while (dead < 0) dead = dead + 1; reach_error(); return -12345; } return 1; }"}},
		{law: "split files", c: "#include \"a.h\"\nstatic int v = 1; int w; int h(int); static void f(int a) { v = a; } int g(void) { f(v); }",
			wantC: []string{"#include \"a.h\"\n int v = 1; int w; int h(int);  void f(int a) { v = a; } int g(void) ;",
				"#include \"a.h\"\n extern int v ; extern int w; int h(int);  void f(int a) ; int g(void) { f(v); }"},
			wantArguments: "check a.c a_2.c b.c a.spec"},
		{law: "split files", c: "struct s { int a; }; void f(void) { } void g(void) { }"},
		{law: "weaken", c: "int p(void) { }", spec: "A = ( a -> B | return {} -> STOP ), B = ( b.x -> A ). procedure p { abstract { n, (1), A }; }",
			wantSpec: []string{"A = ( b.x -> A | a -> B | return {} -> STOP ), B = ( b.x -> A ). procedure p { abstract { n, (1), A }; }",
				"A = ( a -> B | return {} -> STOP ), B = ( a -> B | b.x -> A ). procedure p { abstract { n, (1), A }; }"}},
		{law: "strengthen", c: "int p(void) { }", spec: "A = ( a -> c -> B | return {} -> STOP ). B = ( b -> A ). procedure p { abstract { n, (1), A }; }",
			wantSpec: []string{"A = ( a -> c -> STOP | return {} -> STOP ). B = ( b -> A ). procedure p { abstract { n, (1), A }; }"}},
		{law: "strengthen", c: "int p(void) { }", spec: "A = ( a -> A | b -> ERROR ). procedure p { abstract { n, (1), A }; }"},
		{law: "weaken", c: "int q(void) { }", spec: "A = ( a -> A | return {} -> STOP ). procedure p { abstract { n, (1), A }; }"},
		{law: "weaken", c: "int p(void) { }", spec: "A = ( a -> A | return {} -> STOP ). procedure p { abstract { n, (1), A }; } procedure r { abstract { m, (1), A }; }"},
	}
	for _, test := range tests {
		p := program{[]string{"check", "a.c", "b.c", "a.spec"}, map[string]text{
			"a.c": cToken.FindAllString(test.c, -1), "b.c": {}, "a.spec": specToken.FindAllString(test.spec, -1)}}
		l := laws[slices.IndexFunc(laws, func(l law) bool { return l.name == test.law })]
		variants := l.apply(p)
		if test.wantC == nil && test.wantSpec == nil {
			require.Empty(t, variants, test.c+test.spec)
			continue
		}
		for i, want := range test.wantSpec {
			require.Equal(t, want, variants[i].files["a.spec"].String())
		}
		for i, want := range test.wantC {
			require.Equal(t, want, variants[0].files[[]string{"a.c", "a_2.c"}[i]].String())
		}
		require.Len(t, variants, max(1, len(test.wantSpec)))
		if test.wantArguments != "" {
			require.Equal(t, test.wantArguments, strings.Join(variants[0].args, " "))
		}
		require.Equal(t, test.c, p.files["a.c"].String(), "the original is as it was")
	}
}
