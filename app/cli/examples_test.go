package cli_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/input"
	"magus/app/report"
	"magus/internal/sample"
)

// An example is a line of the form
//
//	// magus: check [flags] files...
//
// among the first lines of a C file, and what is said about it below:
//
//	// want: conforms|violates|unknown
//	// trace: the actions of the counterexample
type example struct {
	args  []string
	want  string
	trace []string // nil: any
}

// examplesOf reads the comments at the beginning of a C file.
func examplesOf(t *testing.T, text string) []example {
	t.Helper()
	var es []example
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "// ")
		if !ok {
			break
		}
		key, value, _ := strings.Cut(comment, ":")
		switch key {
		case "magus":
			es = append(es, example{args: strings.Fields(value)})
		case "want":
			require.NotEmpty(t, es, "want without magus")
			es[len(es)-1].want = strings.TrimSpace(value)
		case "trace":
			require.NotEmpty(t, es, "trace without magus")
			es[len(es)-1].trace = actions(value)
		}
	}
	return es
}

// actions parts a trace at blanks outside of braces.
func actions(trace string) []string {
	depth := 0
	return strings.FieldsFunc(trace, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return depth == 0 && (r == ' ' || r == '\t' || r == '\n')
	})
}

// Every example has the verdict that it says it has, with and without
// reduction, and its report has the form that the schema says.
func TestExamples(t *testing.T) {
	const root = "../../examples"
	s := checkSchema(t)
	ran := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".c" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, e := range examplesOf(t, string(text)) {
			ran++
			name, err := filepath.Rel(root, filepath.Dir(path))
			require.NoError(t, err)
			for _, extra := range [][]string{nil, {"--compositional"}} {
				// A controller is one component: there is nothing to compose, and its check takes long.
				if extra != nil && (sample.Thinned(ran, 8) || name == "controllers" && !sample.Campaign()) {
					continue
				}
				args := append(slices.Clone(e.args), extra...)
				t.Run(name+"/"+strings.Join(args, " "), func(t *testing.T) {
					if testing.Short() && (name == "handshake" || name == "controllers") {
						t.Skip("takes long with the race detector")
					}
					sample.Part(t, 6)
					t.Parallel()
					e.run(t, filepath.Dir(path), s, args)
				})
			}
		}
		return nil
	}))
	require.Positive(t, ran)
}

// The conformance suites of the examples are met.
func TestSuites(t *testing.T) {
	const dir = "../../examples"
	lists, err := filepath.Glob(dir + "/*.toml")
	require.NoError(t, err)
	require.NotEmpty(t, lists)
	for _, list := range lists {
		t.Run(filepath.Base(list), func(t *testing.T) {
			w, out, stderr := testWorld(dir)
			require.Zero(t, cli.Main(t.Context(), []string{"suite", filepath.Base(list)}, w), "%s%s", out, stderr)
		})
	}
	suites, err := filepath.Glob(dir + "/*.magus")
	require.NoError(t, err)
	require.NotEmpty(t, suites)
	for _, path := range suites {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name == "handshake.magus" {
				t.Skip("takes long with the race detector")
			}
			t.Parallel()
			w, out, stderr := testWorld(dir)
			require.Zero(t, cli.Main(t.Context(), []string{"run", "--quiet", name}, w), stderr.String())
			require.Empty(t, stderr.String())
			require.Regexp(t, `^`+name+`: (\d+) of \d+ expectations met\n$`, out.String())
		})
	}
}

func (e example) run(t *testing.T, dir string, s schema, args []string) {
	w, out, stderr := testWorld(dir)
	// The limit only ends what hangs, on a busy machine too; smaller sets after the proof are not
	// what is tested here and take most of the time.
	certificate := filepath.Join(t.TempDir(), "out.json")
	f := resultFiles{folder: t.TempDir()}
	args = append(slices.Clone(args), "--json", "--timeout", "30m", "--reduce-iterations", "1", "--check",
		"--certificate", certificate)
	args = append(args, f.flags()...)
	status := cli.Main(t.Context(), args, w)
	require.Empty(t, stderr.String())
	s.validate(t, out.String())
	var doc report.Check
	require.NoError(t, json.Unmarshal([]byte(out.String()), &doc))
	require.Equal(t, e.want, doc.Verdict, out.String())
	require.Equal(t, map[string]int{"conforms": 0, "violates": 1, "unknown": 3}[e.want], status)
	e.verify(t, dir, certificate)
	f.check(t, dir, &doc, status)
	if e.trace == nil {
		return
	}
	for _, c := range doc.Claims {
		if c.Counterexample != nil {
			require.Equal(t, e.trace, c.Counterexample.Trace)
			return
		}
	}
	t.Error("no counterexample")
}

// verify checks the certificate that the example left behind.
func (e example) verify(t *testing.T, dir, certificate string) {
	args := append([]string{"verify-certificate", certificate}, e.args[1:]...)
	w, out, stderr := testWorld(dir)
	status := cli.Main(t.Context(), args, w)
	require.Empty(t, stderr.String())
	require.NotContains(t, out.String(), "refused")
	require.NotEqual(t, 1, status, out.String())
	if e.want != "unknown" {
		require.Contains(t, out.String(), e.want+", certified")
	}
}

// testWorld is the real world, with a folder of its own and output in memory.
func testWorld(dir string) (w cli.World, out, stderr *buffer) {
	w, out, stderr = cli.System(), &buffer{}, &buffer{}
	w.Stdout, w.Stderr, w.Dir, w.Terminal = out, stderr, input.Dir(dir), false
	w.PageTime = 10 * time.Minute // whatever else the machine does
	return w, out, stderr
}

func TestExamplesOf(t *testing.T) {
	require.Equal(t, []example{
		{args: []string{"check", "a.c", "a.spec"}, want: "conforms"},
		{args: []string{"check", "--quiet", "a.c", "b.spec"}, want: "violates", trace: []string{"lock", "return{$0 == 0}"}},
	}, examplesOf(t, `// magus: check a.c a.spec
// want: conforms
// magus: check --quiet a.c b.spec
// want: violates
// trace: lock return{$0 == 0}

// want: unknown
int f(void);
`))
	require.Empty(t, examplesOf(t, "int f(void); // magus: check a.c\n"))
}
