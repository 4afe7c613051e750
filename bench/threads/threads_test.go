package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/evidence/verdict"
)

// TestTables measures two programs: one with a violation, and the same with a known verdict that is wrong.
func TestTables(t *testing.T) {
	folder := t.TempDir()
	text := "#include <pthread.h>\nextern void reach_error(void);\nint x;\nvoid *f(void *p) { x = 1; return 0; }\n" +
		"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x) reach_error(); return 0; }\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "a.c"), []byte(text), 0o600))
	for _, c := range []struct {
		want   string
		status int
	}{{"false", 0}, {"?", 0}, {"true", 1}} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "VERDICTS.tsv"),
			[]byte("file\tproperty\texpected\na.c\tunreach-call\t"+c.want+"\n"), 0o600))
		var out, errs bytes.Buffer
		require.Equal(t, c.status, run([]string{folder}, &out, &errs), out.String())
		if c.status == 0 {
			require.Contains(t, out.String(), "Of the 1 programs that all orders decide")
			require.Contains(t, out.String(), "| 1 | 1, ")
		} else {
			require.Contains(t, out.String(), "WRONG: ")
		}
	}
	require.Equal(t, 2, run([]string{"missing"}, &bytes.Buffer{}, &bytes.Buffer{}))
}

// TestContradictions: of a program of which nothing is known, two ways may not say different things.
func TestContradictions(t *testing.T) {
	for wrong, with := range map[bool]verdict.Verdict{true: verdict.Violates, false: verdict.Unknown} {
		r := row{program: program{want: "?"}, results: make([]result, len(methods))}
		for i := range r.results {
			r.results[i].verdict = verdict.Conforms
		}
		r.results[2].verdict = with
		var out bytes.Buffer
		require.Equal(t, map[bool]int{true: 1}[wrong], write(&out, []row{r}))
		require.Equal(t, wrong, strings.Contains(out.String(), "the ways contradict each other"))
	}
}
