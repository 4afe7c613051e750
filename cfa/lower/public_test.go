package lower

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"magus/cfa"
	"magus/cfa/source"
	"magus/smt/expr"

	"github.com/stretchr/testify/require"
	"magus/internal/sample"
)

// sharedFiles lists the C files of a folder of public programs that are not
// part of the repository.
func sharedFiles(t testing.TB, folder string) []string {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "bench", folder, "*.c"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skipf("folder %s of public programs is not there", folder)
	}
	return files
}

func parseFile(t testing.TB, name string) *source.Program {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	p, err := source.Parse(context.Background(), []source.Source{{Name: name, Text: text}},
		source.Options{Model: cfa.ILP32})
	require.NoError(t, err, name)
	return p
}

func TestPublicPrograms(t *testing.T) {
	sample.Long(t)
	for _, folder := range []string{"ssh-simplified", "locks"} {
		t.Run(folder, func(t *testing.T) {
			for _, name := range sharedFiles(t, folder) {
				p := parseFile(t, name)
				c, err := Lower(context.Background(), p, "main", expr.NewPool(), Options{InitGlobals: true})
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
				c, err := Lower(context.Background(), p, "main", expr.NewPool(), Options{InitGlobals: true})
				if err != nil {
					var u *cfa.UnsupportedError
					require.ErrorAs(t, err, &u, name)
					t.Log(err)
					continue
				}
				require.Empty(t, c.Check(), name)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	files := sharedFiles(b, "ssh-simplified")
	text, err := os.ReadFile(files[0])
	require.NoError(b, err)
	for b.Loop() {
		p, err := source.Parse(context.Background(), []source.Source{{Name: "a.c", Text: text}}, source.Options{})
		require.NoError(b, err)
		_, err = Lower(context.Background(), p, "main", expr.NewPool(), Options{})
		require.NoError(b, err)
	}
}
