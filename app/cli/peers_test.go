package cli_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/internal/sample"
)

// peers are outside solvers with what they need to read a script and to give
// up a query after some seconds.
var peers = [][]string{{"z3", "-in", "-t:5000"}, {"cvc5", "--incremental", "--lang=smt2", "--tlimit-per=5000"}}

// TestQueriesOfRuns: outside solvers give the answers that were relied on in
// real runs, the first megabyte of each: one in three of the examples and programs with memory,
// and, if MAGUS_PEERS is set, the programs that nobody here wrote and those with floating point, of which most queries
// are given up. Random formulas with floating point are compared by campaigns.
func TestQueriesOfRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it runs side by side")
	}
	var installed [][]string
	for _, p := range peers {
		if _, err := exec.LookPath(p[0]); err == nil {
			installed = append(installed, p)
		}
	}
	if len(installed) == 0 {
		t.Skip("neither z3 nor cvc5 is in PATH: nobody to ask the queries again")
	}
	runs := recordableRuns(t)
	if os.Getenv("MAGUS_PEERS") != "" {
		runs = append(runs, benchmarkRuns(t)...)
	}
	files, unanswered := 0, 0
	total := map[string]int{}
	for i, r := range runs {
		if os.Getenv("MAGUS_PEERS") == "" && (filepath.Base(r.dir) == "controllers" || sample.Thinned(i, 3)) {
			continue
		}
		t.Run(r.String(), func(t *testing.T) {
			for _, file := range r.record(t) {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				text = beginning(text, 1<<20)
				files++
				want := recorded(text)
				for _, answer := range want {
					total[answer]++
				}
				for _, p := range installed {
					n, err := sameAnswers(p, text, want)
					require.NoError(t, err, p[0])
					unanswered += n
				}
				t.Logf("%d queries", len(want))
			}
		})
	}
	t.Logf("%d runs, %d files, queries: %v; %d times one was given up", len(runs), files, total, unanswered)
	require.Less(t, 100*unanswered, total["sat"]+total["unsat"])
	require.Greater(t, total["sat"], 500)
	require.Greater(t, total["unsat"], 500)
}

// beginning is text up to the end of the last query within the first n bytes.
func beginning(text []byte, n int) []byte {
	if len(text) <= n {
		return text
	}
	const end = "(pop 1)\n"
	return text[:bytes.LastIndex(text[:n], []byte(end))+len(end)]
}

// recorded are the answers in a file of queries.
func recorded(text []byte) (answers []string) {
	for _, m := range regexp.MustCompile(`(?m)^\(set-info :status (\w+)\)$`).FindAllSubmatch(text, -1) {
		answers = append(answers, string(m[1]))
	}
	return answers
}

// sameAnswers has a peer answer the queries of a text. The error names the
// first that it answers otherwise, with a script of it alone; some may be given up.
func sameAnswers(peer []string, text []byte, want []string) (unanswered int, err error) {
	cmd := exec.Command(peer[0], peer[1:]...)
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.Output()
	got := strings.Fields(string(out))
	for i, w := range want {
		switch {
		case i >= len(got):
			return unanswered, fmt.Errorf("query %d of %d: no answer (%v)", i+1, len(want), err)
		case got[i] == "unknown":
			unanswered++
		case got[i] != w:
			return unanswered, fmt.Errorf("query %d of %d: %s, recorded is %s:\n%s", i+1, len(want), got[i], w, alone(text, i))
		}
	}
	if len(got) > len(want) {
		return unanswered, fmt.Errorf("%d answers to %d queries", len(got), len(want))
	}
	return unanswered, err
}

// alone is query number i as a script of its own: all declarations before it,
// and what stands in its scope.
func alone(text []byte, i int) string {
	var b strings.Builder
	query, inside := -1, false
	for line := range strings.Lines(string(text)) {
		if line == "(push 1)\n" {
			query, inside = query+1, true
		}
		if query > i {
			break
		}
		if !inside || query == i {
			b.WriteString(line)
		}
		if line == "(pop 1)\n" {
			inside = false
		}
	}
	return b.String()
}

func TestRecordedQueries(t *testing.T) {
	const text = `(set-logic QF_BV)
(declare-const |x| Bool)
(push 1)
(assert |x|)
(set-info :status sat)
(check-sat)
(pop 1)
(declare-const |y| Bool)
(push 1)
(assert (and |x| (not |x|)))
(set-info :status unsat)
(check-sat)
(pop 1)
`
	require.Equal(t, []string{"sat", "unsat"}, recorded([]byte(text)))
	require.Equal(t, `(set-logic QF_BV)
(declare-const |x| Bool)
(declare-const |y| Bool)
(push 1)
(assert (and |x| (not |x|)))
(set-info :status unsat)
(check-sat)
(pop 1)
`, alone([]byte(text), 1))
	require.Equal(t, text, string(beginning([]byte(text), len(text))))
	require.Equal(t, []string{"sat"}, recorded(beginning([]byte(text), len(text)-1)))
	for _, p := range peers {
		if _, err := exec.LookPath(p[0]); err != nil {
			continue
		}
		for _, c := range []struct{ recorded, fault string }{
			{"sat unsat", ""},
			{"sat sat", "query 2 of 2: unsat, recorded is sat"},
			{"sat unsat sat", "query 3 of 3: no answer"},
			{"sat", "2 answers to 1 queries"},
		} {
			unanswered, err := sameAnswers(p, []byte(text), strings.Fields(c.recorded))
			require.Zero(t, unanswered)
			if c.fault == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.fault)
			}
		}
	}
}

// A recordable is a check whose queries can be written down.
type recordable struct {
	dir  string
	args []string
}

func (r recordable) String() string {
	return filepath.Base(r.dir) + ": magus " + strings.Join(r.args, " ")
}

// record runs the check, whatever its verdict, and gives the files of its
// queries. A run that is cut off counts as far as it went.
func (r recordable) record(t *testing.T) []string {
	dir := t.TempDir()
	w, _, stderr := testWorld(r.dir)
	status := cli.Main(t.Context(), append(r.args, "--quiet", "--reduce-iterations", "1", "--max-iterations",
		"12", "--timeout", "1m", "--dump-queries", dir), w)
	require.Contains(t, []int{0, 1, 3}, status, "%s: %s", r, stderr.String())
	files, err := filepath.Glob(filepath.Join(dir, "*.smt2"))
	require.NoError(t, err)
	return files
}

// recordableRuns are the examples and the programs with memory.
func recordableRuns(t *testing.T) (runs []recordable) {
	const root = "../../examples"
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".c" || testing.Short() &&
			filepath.Base(filepath.Dir(path)) == "handshake" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, e := range examplesOf(t, string(text)) {
			runs = append(runs, recordable{filepath.Dir(path), e.args})
		}
		return err
	}))
	programs, err := filepath.Glob("../../testdata/memory/*.c")
	require.NoError(t, err)
	for _, path := range programs {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if strings.HasPrefix(string(text), "// entry") {
			continue
		}
		args := []string{"check", "--property", "unreach-call", filepath.Base(path)}
		if strings.HasPrefix(string(text), "// check pointers") {
			args = append(args, "--check-pointers")
		}
		runs = append(runs, recordable{filepath.Dir(path), args})
	}
	require.NotEmpty(t, runs)
	return runs
}

// benchmarkRuns are those of the collection beside the repository.
func benchmarkRuns(t *testing.T) (runs []recordable) {
	tables, err := filepath.Glob("../../../shared/bench/*/VERDICTS.tsv")
	require.NoError(t, err)
	require.NotEmpty(t, tables, "MAGUS_PEERS is set, and the collection is not here")
	for _, path := range tables {
		table, err := os.ReadFile(path)
		require.NoError(t, err)
		for line := range strings.Lines(string(table)) {
			name, property, _ := strings.Cut(line, "\t")
			if strings.Contains(property, "unreach-call") || strings.HasPrefix(property, "no assert") {
				runs = append(runs, recordable{filepath.Dir(path), []string{"check", "--property", "unreach-call", name}})
			}
		}
	}
	return runs
}
