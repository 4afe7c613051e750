package lower

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/source"
	"magus/internal/sample"
	"magus/smt/expr"
)

// TestDirectPrograms: programs as people write them are read from their text, with the headers that come
// with magus only, for both data models; nothing in them is refused, and each call of a library function
// is of one that is declared.
func TestDirectPrograms(t *testing.T) {
	sample.Long(t)
	archive, err := txtar.ParseFile("testdata/direct/programs.txtar")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(archive.Files), 30)
	for _, f := range archive.Files {
		t.Run(strings.TrimSuffix(f.Name, ".c"), func(t *testing.T) {
			t.Parallel()
			require.GreaterOrEqual(t, strings.Count(string(f.Data), "#include <"), 3)
			for _, model := range []cfa.DataModel{cfa.LP64, cfa.ILP32} {
				p, err := source.Parse(context.Background(), []source.Source{{Name: f.Name, Text: f.Data}},
					source.Options{Model: model})
				require.NoError(t, err)
				c, err := Lower(context.Background(), p, "main", expr.NewPool(), Options{InitGlobals: true})
				require.NoError(t, err, "%v", model)
				require.Empty(t, c.Check())
				for _, a := range c.Warnings {
					require.NotContains(t, a.Text, "never declared")
					require.NotContains(t, a.Text, "another type than in the C library")
				}
			}
		})
	}
}

// TestDirectProgramsAreC: GCC takes them, without a warning.
func TestDirectProgramsAreC(t *testing.T) {
	sample.Long(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no GCC to ask")
	}
	archive, err := txtar.ParseFile("testdata/direct/programs.txtar")
	require.NoError(t, err)
	dir := t.TempDir()
	for _, f := range archive.Files {
		name := filepath.Join(dir, f.Name)
		require.NoError(t, os.WriteFile(name, f.Data, 0o600))
		args := []string{"-std=gnu11", "-Wall", "-Wno-format-truncation", "-Wno-misleading-indentation",
			"-Wno-parentheses", "-Werror", "-fsyntax-only", name}
		if !strings.HasPrefix(string(f.Data), "#define _GNU_SOURCE") {
			args = append([]string{"-D_DEFAULT_SOURCE"}, args...)
		}
		out, err := exec.Command("gcc", args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}
