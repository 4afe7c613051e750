package input

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A file that is not there is told with those of its folder that may have been meant.
func TestMissingFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"lock.c", "lock.spec", "other.c", "cut.certificate"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "lokk.c"), 0o777))
	require.NoError(t, os.Symlink("gone.c", filepath.Join(dir, "nowhere.c")))
	for _, c := range []struct{ name, want string }{
		{"lokc.c", "lokc.c: no such file; did you mean lock.c?"},
		{"loc.spec", "loc.spec: no such file; did you mean lock.spec?"},
		{"lock.h", "lock.h: no such file"},
		{"nix.certificate", "nix.certificate: no such file"},
		{"nowhere.c", "nowhere.c: no such file: a link to gone.c, which is not there"},
		{"something.c", "something.c: no such file"},
		{filepath.Join("none", "lock.c"), filepath.Join("none", "lock.c") + ": no such file"},
	} {
		_, err := os.ReadFile(filepath.Join(dir, c.name))
		assert.EqualError(t, Named(c.name, err), c.want)
	}
}
