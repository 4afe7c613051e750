package cli_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/report"
	"magus/internal/sample"
)

// copyDir copies a folder, with those in it.
func copyDir(t *testing.T, from, to string) {
	t.Helper()
	require.NoError(t, os.CopyFS(to, os.DirFS(from)))
}

// verdicts are those of a check, by claim, with what ended it if that was the time.
func verdicts(t *testing.T, dir string, args ...string) (all map[string]string, stderr string) {
	t.Helper()
	w, out, errs := testWorld(dir)
	cli.Main(t.Context(), append(append([]string{}, args...), "--json", "--timeout", "20s"), w)
	var doc struct {
		Claims []struct{ Claim, Verdict, ReasonKind string }
	}
	if err := json.Unmarshal([]byte(out.String()), &doc); err != nil {
		return nil, errs.String() // the edit made no program of it
	}
	all = map[string]string{}
	for _, c := range doc.Claims {
		all[c.Claim] = c.Verdict
		if c.ReasonKind == "time" {
			all[c.Claim] = "time"
		}
	}
	return all, errs.String()
}

// agree requires that two checks have the same verdicts, but where one of them had no time.
func agree(t *testing.T, fresh, cached map[string]string, what string) {
	t.Helper()
	require.Len(t, cached, len(fresh), what)
	for claim, v := range fresh {
		if v != "time" && cached[claim] != "time" {
			require.Equal(t, v, cached[claim], "%s: %s", what, claim)
		}
	}
}

// number is an integer in C that an edit makes another one.
var number = regexp.MustCompile(`(==|!=|<=|>=|<|>|=|\+|return) *(\d+)\b`)

// Whatever was checked before, the verdict is that of a fresh check: the examples, with one number of the
// program after the other changed, begin with what checks of the examples as they are have left, also where
// these had other options. MAGUS_CACHE_EDITS is how many numbers of a file are changed, and has all examples
// checked in place of some.
func TestCacheGivesTheVerdictOfAFreshCheck(t *testing.T) {
	sample.Long(t)
	const root = "../../examples"
	edits := 1
	if n, err := strconv.Atoi(os.Getenv("MAGUS_CACHE_EDITS")); err == nil {
		edits = n
	}
	quick := []string{"lock", "assert", "filter", "recursion"}
	if testing.Short() {
		quick = quick[3:4]
	}
	variants := [][]string{nil, {"--engine", "loop"}, {"--global-predicates"}, {"--engine", "kinduction"},
		{"--compositional"}, {"--check-pointers"}, {"--check"}}
	compared, differ := 0, 0
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".c" || edits == 1 &&
			!slices.Contains(quick, filepath.Base(filepath.Dir(path))) {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, e := range examplesOf(t, string(text)) {
			if e.args[0] != "check" {
				continue
			}
			dir := t.TempDir()
			copyDir(t, filepath.Dir(path), dir)
			before, _ := verdicts(t, dir, append(e.args, "--cache", "kept")...)
			again, stderr := verdicts(t, dir, append(e.args, "--cache", "kept")...)
			require.Empty(t, stderr)
			agree(t, before, again, path)
			places := number.FindAllSubmatchIndex(text, -1)
			for i := range min(edits, len(places)) {
				at := places[i*len(places)/min(edits, len(places))][4:6]
				n, err := strconv.Atoi(string(text[at[0]:at[1]]))
				if err != nil {
					continue
				}
				changed := string(text[:at[0]]) + strconv.Itoa(n+1) + string(text[at[1]:])
				require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(path)), []byte(changed), 0o666))
				args := append(slices.Clone(e.args), variants[compared%len(variants)]...)
				fresh, _ := verdicts(t, dir, args...)
				kept := t.TempDir()
				if _, err := os.Stat(filepath.Join(dir, "kept")); err == nil {
					copyDir(t, filepath.Join(dir, "kept"), kept)
				}
				cached, _ := verdicts(t, dir, append(args, "--cache", kept)...)
				agree(t, fresh, cached, strings.Join(args, " ")+"\n"+changed)
				compared++
				for claim := range fresh {
					if fresh[claim] != before[claim] {
						differ++
					}
				}
			}
		}
		return nil
	}))
	if sample.Whole() {
		require.Greater(t, compared, 5)
		require.Positive(t, differ, "some edit changes a verdict")
	}
}

// After a change of one line only what that line concerns is asked: the loop has one iteration, level two
// refutes at once what it has refuted before, and of the questions to the decision procedure a small part is
// left.
func TestCacheAsksWhatHasChanged(t *testing.T) {
	sample.Long(t)
	dir := t.TempDir()
	copyDir(t, "../../examples/handshake", dir)
	effort := func(args ...string) (iterations, queries int) {
		w, out, stderr := testWorld(dir)
		require.Equal(t, 0, cli.Main(t.Context(),
			append([]string{"check", "--json", "client.c", "server.c", "lib.spec", "p03.spec"}, args...), w), stderr)
		var doc report.Check
		require.NoError(t, json.Unmarshal([]byte(out.String()), &doc))
		return doc.Claims[0].Statistics.Iterations, doc.Claims[0].Statistics.SolverQueries
	}
	_, first := effort("--cache", "kept")
	_, same := effort("--cache", "kept")
	require.Zero(t, same, "nothing has changed")
	text, err := os.ReadFile(filepath.Join(dir, "client.c"))
	require.NoError(t, err)
	const from, to = "else if (certified)", "else if (certified == 1)"
	require.Contains(t, string(text), from)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "client.c"),
		[]byte(strings.Replace(string(text), from, to, 1)), 0o666))
	iterations, fresh := effort()
	again, changed := effort("--cache", "kept")
	require.Less(t, again, iterations)
	require.Less(t, 4*changed, fresh, "first %d", first)
	_, audited := effort("--cache", "kept", "--check")
	require.Greater(t, audited, changed, "who looks over the loop's shoulder asks anew")
}

// A bug that is put into a real program is found as well by a check that begins with the predicates of the program
// without it.
func TestCacheOfRealProjects(t *testing.T) {
	folder := os.Getenv("MAGUS_REAL")
	if folder == "" {
		folder = "../../../shared/bench/real"
	}
	spec, err := os.ReadFile("../../examples/real/freertos-heap.spec")
	require.NoError(t, err)
	name := regexp.MustCompile(`(?m)^// source: (.*)$`).FindSubmatch(spec)
	source, err := os.ReadFile(filepath.Join(folder, string(name[1])))
	if err != nil {
		t.Skipf("the sources of real projects are not here (MAGUS_REAL): %v", err)
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "real.spec"), spec, 0o666))
	write := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "real.i"), []byte(text), 0o666))
	}
	args := []string{"check", "real.i", "real.spec", "--cache", "kept"}
	write(string(source))
	good, _ := verdicts(t, dir, args...)
	for claim, v := range good {
		require.Equal(t, "conforms", v, claim)
	}
	for _, b := range bugLine.FindAllStringSubmatch(string(spec), -1) {
		k, err := strconv.Atoi(b[2])
		require.NoError(t, err)
		write(withoutCall(t, string(source), b[1], b[3], k))
		bad, _ := verdicts(t, dir, append(args, "--procedure", b[1])...)
		require.NotEmpty(t, bad)
		for claim, v := range bad {
			require.Equal(t, "violates", v, "%s: %s", b[0], claim)
		}
	}
}
