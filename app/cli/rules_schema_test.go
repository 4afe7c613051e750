package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/input"
)

// The document of a check of rules has the form that the schema says, with findings, allowances and a baseline.
func TestRulesSchema(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	write("a.c", "#include <pthread.h>\nstatic pthread_mutex_t m;\nvoid a(void) { pthread_mutex_lock(&m); }\n"+
		"void b(void) { pthread_mutex_lock(&m); } // magus: allow pthread-mutex: why\n")
	write("known.txt", "# magus baseline 1\npthread-mutex a.c a end after lock\npthread-mutex a.c gone end\n")
	w, out, stderr := testWorld(dir)
	w.Dir = input.Dir(dir)
	status := cli.Main(t.Context(), []string{"rules", "check", "--json", "--baseline", "known.txt", "a.c"}, w)
	require.Equal(t, 0, status, "%s%s", out, stderr)
	require.Contains(t, out.String(), `"kind": "known"`)
	require.Contains(t, out.String(), `"kind": "allowed"`)
	require.Contains(t, out.String(), "known.txt:3: not found any more")
	checkSchema(t).validate(t, out.String())
}
