package specs

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/lts"
)

// The repository's examples are read without a warning, all their LTSs can be
// built, and printing keeps them.
func TestExamples(t *testing.T) {
	paths, err := filepath.Glob("../examples/*/*.spec")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			f, err := Parse(context.Background(), []Source{{path, text}}, os.ReadFile)
			require.NoError(t, err)
			for _, w := range f.Warnings { // a program that is only asked whether it gets stuck needs none
				require.Equal(t, NoSpecification, w.Message)
			}
			for _, name := range f.LTSNames() {
				m, err := f.LTS(context.Background(), name, lts.NewActions())
				require.NoError(t, err)
				require.Positive(t, m.NumStates())
			}
			again, err := Parse(context.Background(), []Source{{path, []byte(f.String())}}, os.ReadFile)
			require.NoError(t, err)
			require.Equal(t, f.String(), again.String())
		})
	}
}
