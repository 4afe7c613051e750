package metamorph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/input"
	"magus/app/report"
	"magus/internal/sample"
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
	w.Stdout, w.Stderr, w.Dir, w.Terminal = &out, &errs, input.Dir(dir), false
	cli.Main(t.Context(), append([]string{p.args[0], "--timeout", "2m"},
		append(p.args[1:len(p.args):len(p.args)], "--json", "--reduce-iterations", "1")...), w)
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

// Every law holds for every example. The suite takes a third of the pairs, in which each law is; the claims of
// the handshake and of the controllers, which take long, have a law each. A campaign takes all.
func TestLaws(t *testing.T) {
	dirs, err := filepath.Glob("../../examples/*")
	require.NoError(t, err)
	count, programs := map[string]int{}, 0
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		ps, wants := examples(t, dir)
		for i, p := range ps {
			before := &original{program: p}
			programs++
			every := 8
			if slices.Contains([]string{"handshake", "controllers"}, filepath.Base(dir)) {
				every = len(laws)
			}
			for k, law := range laws {
				if !law.appliesTo(wants[i]) {
					continue
				}
				for n, variant := range law.apply(p) {
					count[law.name]++
					t.Run(fmt.Sprintf("%s/%s/%s/%d", law.name, filepath.Base(dir), strings.Join(p.args[1:], " "), n),
						func(t *testing.T) {
							if sample.Thinned(programs+k, every) {
								t.Skip("not in the part of the sample that the suite takes")
							}
							t.Parallel()
							law.check(t, before, variant, wants[i])
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

// An original is a program before it is changed, which is checked once for all its variants.
type original struct {
	program
	once  sync.Once
	trace []string
}

func (o *original) traceOf(t *testing.T) []string {
	o.once.Do(func() { _, o.trace = check(t, o.program) })
	return o.trace
}

func (l law) check(t *testing.T, p *original, variant program, want string) {
	got, trace := check(t, variant)
	if l.effect == cautious && got == "unknown" {
		t.Skip("unknown: an abstraction does not mention what the code performs")
	}
	require.Equal(t, want, got, changed(variant))
	if want != "violates" {
		return
	}
	before := p.traceOf(t)
	if l.effect == stronger {
		require.LessOrEqual(t, len(trace), len(before), changed(variant))
	} else {
		require.Len(t, trace, len(before), changed(variant))
	}
}

// A tally counts what became of the programs that a law changed.
type tally struct{ programs, changes, same, unknown, changed int }

// The folders of programs with a VERDICTS.tsv (see bench/README.md) that
// MAGUS_METAMORPH lists. A changed program may be unknown where the original
// is not, but never wrong; where the original is unknown nothing is changed.
// MAGUS_METAMORPH_TIMEOUT is the limit of one check.
func TestFolders(t *testing.T) {
	folders := strings.Fields(os.Getenv("MAGUS_METAMORPH"))
	if len(folders) == 0 {
		t.Skip("MAGUS_METAMORPH names no folder")
	}
	tallies, unknown, total := map[string]*tally{}, 0, 0
	for _, law := range laws {
		tallies[law.name] = &tally{}
	}
	for _, folder := range folders {
		ps, wants := withVerdicts(t, folder)
		for i, p := range ps {
			total++
			before, trace := check(t, p)
			if before == "unknown" {
				unknown++
				continue
			}
			require.Equal(t, wants[i], before, p.args)
			for _, law := range laws {
				if law.appliesTo(before) {
					law.count(t, tallies[law.name], p, before, trace)
				}
			}
		}
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%d programs, %d of them unknown and left out\n%-26s %9s %8s %6s %8s %8s\n", total,
		unknown, "law", "programs", "changes", "same", "unknown", "changed")
	for _, law := range laws {
		n := tallies[law.name]
		fmt.Fprintf(&table, "%-26s %9d %8d %6d %8d %8d\n", law.name, n.programs, n.changes, n.same, n.unknown, n.changed)
	}
	t.Log(table.String())
}

// appliesTo says whether the law foretells the verdict of what it changes.
func (l law) appliesTo(verdict string) bool {
	return l.effect == same || l.effect == cautious || l.effect == weaker && verdict == "conforms" ||
		l.effect == stronger && verdict == "violates"
}

// count checks what the law makes of p. The verdict and, of a violation, how
// long a shortest trace is must be as before.
func (l law) count(t *testing.T, n *tally, p program, want string, trace []string) {
	variants := l.apply(p)
	if len(variants) > 0 {
		n.programs++
	}
	for _, variant := range variants {
		n.changes++
		got, shortest := check(t, variant)
		switch {
		case got == "unknown":
			n.unknown++
			t.Logf("%s %v: unknown", l.name, p.args)
		case got == want && (len(shortest) == len(trace) || l.effect == stronger && len(shortest) < len(trace)):
			n.same++
		default:
			n.changed++
			t.Errorf("%s: %s with the trace %v, was %s with %v\n%s", l.name, got, shortest, want, trace, changed(variant))
		}
	}
}

// withVerdicts are the programs of a folder with the verdicts in its
// VERDICTS.tsv.
func withVerdicts(t *testing.T, folder string) (ps []program, wants []string) {
	table, err := os.ReadFile(filepath.Join(folder, "VERDICTS.tsv"))
	require.NoError(t, err)
	limit := os.Getenv("MAGUS_METAMORPH_TIMEOUT")
	if limit == "" {
		limit = "20s"
	}
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		want, ok := map[string]string{"true": "conforms", "false": "violates"}[cells[2]]
		if !ok {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, cells[0]))
		require.NoError(t, err)
		p := program{[]string{"check", "--property", "unreach-call", "--timeout", limit, cells[0]},
			map[string]text{cells[0]: cToken.FindAllString(string(content), -1)}}
		if label, ok := strings.CutPrefix(cells[1], "unreach-label:"); ok {
			p.args = append(p.args, "--error-label", label)
		}
		ps, wants = append(ps, p), append(wants, want)
	}
	return ps, wants
}

// What the laws make of small programs.
func TestChanges(t *testing.T) {
	tests := []struct {
		law, c, spec  string
		wantC         []string
		wantSpec      []string
		wantArguments string
	}{
		{law: "rename variables", c: "#define M(a) (a + x)\nint x, *y; void f(int a, T *u, char b[2]) { " +
			"unsigned long z = g(a); s.x = M(z); kept = 1; int kept; }",
			spec: "A = ( a.kept -> A ).",
			wantC: []string{"#define M(a) (a + v003_x)\nint v003_x, *v002_y; void f(int a, T *u, char v004_b[2]) { " +
				"unsigned long v001_z = g(a); s.v003_x = M(v001_z); kept = 1; int kept; }"}},
		{law: "reorder components", c: "int f(void) { }",
			spec:          "program p, q, r { specification s, {($1 == 0), (f(1, 2)), (1)}, A; }",
			wantSpec:      []string{"program  r , q,p{ specification s, { (1), (f(1, 2)),($1 == 0)}, A; }"},
			wantArguments: "check b.c a.c a.spec"},
		{law: "reorder components", c: "int f(void) { }", spec: "program p { specification s, {(1)}, A; }"},
		{law: "swap statements", c: "void f() { int a = 1; b = c + 2; if (x) c = 1; d = 2; e = d; g = h(); " +
			"i = 1; for (a = 1; b; c) { k = 1; l = *p; } }",
			wantC: []string{"void f() { b = c + 2; int a = 1; if (x) c = 1; d = 2; e = d; g = h(); i = 1; " +
				"for (a = 1; b; c) { k = 1; l = *p; } }"}},
		{law: "dead code", c: "static int f(void) { return 1; }",
			wantC: []string{"void reach_error(void);\nstatic int f(void) {\n\tint dead = 1;\n" +
				"\tif (dead < 1) { while (dead < 0) dead = dead + 1; return -12345; } return 1; }"}},
		{law: "dead error", c: "static int f(void) { return 1; }",
			wantC: []string{"void reach_error(void);\nstatic int f(void) {\n\tint dead = 1;\n" +
				"\tif (dead < 1) { while (dead < 0) dead = dead + 1; reach_error(); return -12345; } return 1; }"}},
		{law: "split files", c: "#include \"a.h\"\nstatic int v = 1; int w; int h(int); static void f(int a) { " +
			"v = a; } int g(void) { f(v); }",
			wantC: []string{"#include \"a.h\"\n int v = 1; int w; int h(int);  void f(int a) { v = a; } int g(void) ;",
				"#include \"a.h\"\n extern int v ; extern int w; int h(int);  void f(int a) ; int g(void) { f(v); }"},
			wantArguments: "check a.c a_2.c b.c a.spec"},
		{law: "split files", c: "struct s { int a; }; void f(void) { } void g(void) { }"},
		{law: "weaken", c: "int p(void) { }", spec: "A = ( a -> B | return {} -> STOP ), B = ( b.x -> A ). " +
			"procedure p { abstract { n, (1), A }; }",
			wantSpec: []string{"A = ( b.x -> A | a -> B | return {} -> STOP ), B = ( b.x -> A ). procedure p { " +
				"abstract { n, (1), A }; }",
				"A = ( a -> B | return {} -> STOP ), B = ( a -> B | b.x -> A ). procedure p { abstract { n, (1), A }; }"}},
		{law: "strengthen", c: "int p(void) { }", spec: "A = ( a -> c -> B | return {} -> STOP ). " +
			"B = ( b -> A ). procedure p { abstract { n, (1), A }; }",
			wantSpec: []string{"A = ( a -> c -> STOP | return {} -> STOP ). B = ( b -> A ). procedure p { " +
				"abstract { n, (1), A }; }"}},
		{law: "strengthen", c: "int p(void) { }", spec: "A = ( a -> A | b -> ERROR ). procedure p { " +
			"abstract { n, (1), A }; }"},
		{law: "weaken", c: "int q(void) { }", spec: "A = ( a -> A | return {} -> STOP ). procedure p { " +
			"abstract { n, (1), A }; }"},
		{law: "weaken", c: "int p(void) { }", spec: "A = ( a -> A | return {} -> STOP ). procedure p { " +
			"abstract { n, (1), A }; } procedure r { abstract { m, (1), A }; }"},
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

// The built-in property in the specification language, and what is weaker and
// stronger.
func TestPropertyAsSpecification(t *testing.T) {
	const c = "void main(void) { if (x) goto BAD; y = x ? BAD : 1; BAD: ; }"
	p := program{[]string{"check", "--property", "unreach-call", "a.c", "--error-label", "BAD"},
		map[string]text{"a.c": cToken.FindAllString(c, -1)}}
	for name, want := range map[string]string{
		"property as specification": "Safe = STOP + {error}.",
		"weaken":                    "Safe = ( error -> STOP ).",
		"strengthen":                "Safe = STOP + {error, return {}}.",
	} {
		l := laws[slices.IndexFunc(laws, func(l law) bool { return l.name == name })]
		variants := l.apply(p)
		require.Len(t, variants, 1, name)
		require.Equal(t, want+"\nprogram main { specification safe, {(1)}, Safe; }\n",
			variants[0].files["property.spec"].String())
		require.Equal(t, "void __MAGUS_ACTION__(const char *);\nvoid main(void) { if (x) goto BAD; "+
			"y = x ? BAD : 1; BAD: __MAGUS_ACTION__(\"error\"); ; }", variants[0].files["a.c"].String())
		require.Equal(t, []string{"check", "a.c", "property.spec"}, variants[0].args)
	}
	require.Empty(t, asSpecification(program{args: []string{"check", "a.c", "a.spec"}}, ""))
}
