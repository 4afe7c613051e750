package cli_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/app/cli"
	"magus/app/input"
	"magus/app/job"
	"magus/internal/sample"
)

// faulty is an engine that fails where it checks the procedure bad.
type faulty struct{ job.Magus }

func (e faulty) Load(ctx context.Context, in magus.Input) (job.Project, error) {
	p, err := e.Magus.Load(ctx, in)
	if err != nil {
		return nil, err
	}
	return faultyProject{p.(job.RuleProject)}, nil
}

type faultyProject struct{ job.RuleProject }

func (p faultyProject) NewSession(ctx context.Context, c *magus.Claim, o magus.Options) (job.Session, error) {
	if c.Procedures[0] == "bad" {
		panic("a fault")
	}
	return p.RuleProject.NewSession(ctx, c, o)
}

// A fault of ours leaves one root undecided; the others are checked and told, and the status says it.
func TestRulesGoOnAfterFaults(t *testing.T) {
	dir := t.TempDir()
	text := "#include <pthread.h>\nstatic pthread_mutex_t m;\nvoid bad(void) { pthread_mutex_lock(&m); }\n" +
		"void leaves(void) { pthread_mutex_lock(&m); }\nvoid keeps(void) { pthread_mutex_lock(&m); " +
		"pthread_mutex_unlock(&m); }\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(text), 0o666))
	w, out, stderr := testWorld(dir)
	w.Dir, w.Engine = input.Dir(dir), faulty{}
	status := cli.Main(t.Context(), []string{"rules", "check", "--rule", "pthread-mutex", "a.c"}, w)
	require.Equal(t, 70, status, "%s%s", out, stderr)
	require.Contains(t, out.String(), "bad: rule pthread-mutex: unknown")
	require.Contains(t, out.String(), "pthread-mutex: end in leaves, after lock")
	require.Contains(t, out.String(), "3 roots: 1 kept, 1 broken, 1 undecided")
	require.Contains(t, stderr.String(), "a fault; please report this")
}

// The same is printed however many roots are checked at a time: of several rules, callbacks that roots call, static
// functions of one name, findings with several roots, and a fault.
func TestRulesAtATime(t *testing.T) {
	sample.Long(t)
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" +
		"static pthread_mutex_t m;\n" +
		"static int set(int n) { pthread_mutex_lock(&m); return n > 3; }\n" +
		"static int held(void) { pthread_mutex_lock(&m); return 1; }\n" +
		"int (*const table[])(int) = { set };\n" +
		"int root(int n) { int r = table[0](n); if (n != 7) pthread_mutex_unlock(&m); return r + (held != 0); }\n" +
		"void bad(void) { pthread_mutex_lock(&m); }\n")
	for i := range 8 {
		fmt.Fprintf(&text, "int f%d(const char *s) { FILE *f = fopen(s, \"r\"); char *p = malloc(%d); "+
			"if (f && p) { memset(p, 0, %d); "+
			"fputs(p, f); } if (f%s) fclose(f); free(p); return set(%d); }\n", i, i+1, i+1, []string{"", " && p"}[i%2], i)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(text.String()), 0o666))
	run := func(jobs string) string {
		w, out, stderr := testWorld(dir)
		w.Dir, w.Engine = input.Dir(dir), faulty{}
		status := cli.Main(t.Context(), []string{"rules", "check", "-j", jobs, "--verbose", "a.c"}, w)
		require.Equal(t, 70, status, "%s%s", out, stderr)
		return out.String()
	}
	one := run("1")
	require.Contains(t, one, "\npthread-mutex: ")
	require.Contains(t, one, "\nmemory: ")
	require.Contains(t, one, ": file: lost in f1, after open")
	require.Contains(t, one, "bad: rule pthread-mutex: unknown")
	require.Equal(t, withoutTimes(one), withoutTimes(run("4")))
}

// withoutTimes is a text without what a clock says.
func withoutTimes(text string) string {
	return regexp.MustCompile(`\d+(\.\d+)? (ms|s|MB|MiB)\b`).ReplaceAllString(text, "?")
}

// An interrupting engine ends the check where it comes to the procedure last.
type interrupting struct {
	job.Magus
	end context.CancelFunc
}

func (e interrupting) Load(ctx context.Context, in magus.Input) (job.Project, error) {
	p, err := e.Magus.Load(ctx, in)
	if err != nil {
		return nil, err
	}
	return interruptingProject{p.(job.RuleProject), e.end}, nil
}

type interruptingProject struct {
	job.RuleProject
	end context.CancelFunc
}

func (p interruptingProject) NewSession(ctx context.Context, c *magus.Claim, o magus.Options) (job.Session, error) {
	if c.Procedures[0] == "last" {
		p.end()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return p.RuleProject.NewSession(ctx, c, o)
}

// A check that was interrupted says so, and its status is that of what is undecided, whatever it has found.
func TestRulesInterrupted(t *testing.T) {
	dir := t.TempDir()
	text := "#include <pthread.h>\nstatic pthread_mutex_t m;\nvoid leaves(void) { pthread_mutex_lock(&m); }\n" +
		"void last(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(text), 0o666))
	ctx, cancel := context.WithCancel(t.Context())
	w, out, stderr := testWorld(dir)
	w.Dir, w.Engine = input.Dir(dir), interrupting{end: cancel}
	status := cli.Main(ctx, []string{"rules", "check", "-j", "1", "--rule", "pthread-mutex", "a.c"}, w)
	require.Equal(t, 3, status, "%s%s", out, stderr)
	require.Contains(t, out.String(), "pthread-mutex: end in leaves, after lock")
	require.Contains(t, out.String(), "2 roots: 0 kept, 1 broken, 1 undecided")
	require.Contains(t, stderr.String(), "magus: interrupted: 1 root undecided\n")
}
