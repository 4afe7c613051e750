package cli_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/job"
)

// FuzzCheck checks any program against any specification within limits: the
// answer is a verdict or an error, no phase breaks an invariant, and a
// certificate that was written is accepted.
func FuzzCheck(f *testing.F) {
	dirs, err := filepath.Glob("../../examples/*")
	require.NoError(f, err)
	for _, dir := range dirs {
		c, spec := joined(f, dir, "*.c"), joined(f, dir, "*.spec")
		if len(c) <= maxFuzzed && len(spec) <= maxFuzzed {
			f.Add(c, spec)
		}
	}
	f.Add("int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 5) reach_error(); return x; }", "")
	f.Add("void a(void); int p(int *q) { while (*q) { a(); --*q; } return *q; }",
		"A = (a -> return {} -> STOP). cproc a { abstract { a1, (1), A }; }\n"+
			"S = (a -> S | return {$0 == 0} -> STOP). cproc p { abstract { p1, (*$1 > 0), S }; abstract { "+
			"p2, (*$1 <= 0), S }; }")
	f.Add("struct s { int n; struct s *next; } *g; int main(void) { struct s x = {1, &x}; g = &x; "+
		"switch (g->next->n) { case 1: return 0; } reach_error(); }", "")
	f.Fuzz(func(t *testing.T, c, spec string) {
		if len(c) > maxFuzzed || len(spec) > maxFuzzed {
			return
		}
		w := newFixture(t, job.Magus{}, map[string]string{"a.c": c, "a.spec": spec})
		args := []string{"a.c", "a.spec"}
		if spec == "" {
			args = []string{"--property", "unreach-call", "a.c"}
		}
		limits := []string{"--max-iterations", "6", "--max-states", "300", "--timeout", "5s"}
		status := w.within(t, append(append([]string{"check", "--check", "--json", "--certificate", "out.json"},
			limits...), args...))
		require.Contains(t, []int{0, 1, 2, 3}, status, "%s", w.err)
		if status == 2 {
			require.NotEmpty(t, w.err.String())
			return
		}
		require.True(t, json.Valid([]byte(w.out.String())), "%s", w.out)
		require.NotContains(t, w.out.String(), "a fault of this tool")
		if _, err := os.Stat(w.Dir.Path("out.json")); err != nil || status == 3 {
			return
		}
		again := newFixture(t, job.Magus{}, nil)
		again.Dir = w.Dir
		require.Equal(t, 0, again.within(t, append([]string{"verify-certificate", "out.json"}, args...)),
			"%s%s", again.out, again.err)
	})
}

// maxFuzzed is the length of texts that are tried: longer ones only take longer.
const maxFuzzed = 2500

// joined are the files of a folder, one after the other.
func joined(f *testing.F, dir, pattern string) string {
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	require.NoError(f, err)
	var b strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		b.Write(text)
	}
	return b.String()
}

// within runs the program and fails if it hangs.
func (f *fixture) within(t *testing.T, args []string) int {
	t.Helper()
	status := make(chan int, 1)
	go func() { status <- cli.Main(context.Background(), args, f.World) }()
	select {
	case s := <-status:
		return s
	case <-time.After(2 * time.Minute):
		t.Fatal("hangs")
		return 0
	}
}
