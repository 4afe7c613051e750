// Package golden compares what a test makes with a file of the tree. With -update the test writes the
// file anew; whoever runs it so reads the difference before it is committed.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the files that tests compare with")

// Updating reports whether tests are to write files anew.
func Updating() bool { return *update }

// Rewrite writes a file anew if that is asked for.
func Rewrite(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o666))
	}
}

// Equal requires that a file is what a test has made.
func Equal(t testing.TB, file, got string) {
	t.Helper()
	Rewrite(t, file, got)
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "the test with -update rewrites %s", file)
}
