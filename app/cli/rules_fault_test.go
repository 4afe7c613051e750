package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/app/cli"
	"magus/app/input"
	"magus/app/job"
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
		"void leaves(void) { pthread_mutex_lock(&m); }\nvoid keeps(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }\n"
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
