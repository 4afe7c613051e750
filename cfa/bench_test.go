package cfa

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"magus/internal/expr"

	"github.com/stretchr/testify/require"
)

// sharedFiles lists the C files of a folder of public programs that are not
// part of the repository.
func sharedFiles(t testing.TB, folder string) []string {
	files, err := filepath.Glob(filepath.Join("..", "..", "shared", "bench", folder, "*.c"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skipf("folder %s of public programs is not there", folder)
	}
	return files
}

func parseFile(t testing.TB, name string) *Program {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	p, err := Parse(context.Background(), []Source{{Name: name, Text: text}}, Options{Model: ILP32})
	require.NoError(t, err, name)
	return p
}

func TestPublicPrograms(t *testing.T) {
	for _, folder := range []string{"ssh-simplified", "locks"} {
		t.Run(folder, func(t *testing.T) {
			for _, name := range sharedFiles(t, folder) {
				p := parseFile(t, name)
				c, err := p.Lower(context.Background(), "main", expr.NewPool(), LowerOptions{InitGlobals: true})
				require.NoError(t, err, name)
				require.Empty(t, c.Check(), name)
				require.NotEmpty(t, c.Locs)
			}
		})
	}
	for _, folder := range []string{"loops", "ntdrivers-simplified"} {
		t.Run(folder, func(t *testing.T) {
			for _, name := range sharedFiles(t, folder) {
				p := parseFile(t, name)
				c, err := p.Lower(context.Background(), "main", expr.NewPool(), LowerOptions{InitGlobals: true})
				if err != nil {
					var u *UnsupportedError
					require.ErrorAs(t, err, &u, name)
					t.Log(err)
					continue
				}
				require.Empty(t, c.Check(), name)
			}
		})
	}
}
