package magus

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"magus/cfa/source"
	"magus/minimize"
	"magus/specs"

	"github.com/stretchr/testify/require"
)

// TestExactAndEnumerateAgree: over the candidates and paths that a check of an
// example ends with, exact finds a set that eliminates all of them, and the
// paper's strategy finds none that is smaller, and one of the same size once
// MAXSUB is large enough. In all, exact asks for fewer elimination tests.
func TestExactAndEnumerateAgree(t *testing.T) {
	ctx := context.Background()
	problems, exact, enumerated, largest := 0, 0, 0, 0
	for _, claim := range exampleClaims(t) {
		s, err := NewSession(ctx, claim, Options{})
		require.NoError(t, err)
		if s.Run(ctx, nil).Verdict == Unknown { // as some examples are meant to be
			s.Close()
			continue
		}
		for _, comp := range s.comps {
			p := elimination{ctx, comp}
			if p.NumPaths() == 0 {
				continue
			}
			problems++
			want, err := minimize.NewMinimizer(minimize.Options{}).Minimize(ctx, p)
			require.NoError(t, err)
			require.True(t, want.Proven)
			exact += want.Stats.Tests
			for path := range p.NumPaths() {
				gone, err := p.Eliminates(ctx, path, want.Set)
				require.NoError(t, err)
				require.True(t, gone, claim.Name)
			}
			for bound := DefaultMaxSub; ; bound *= 4 {
				got, err := minimize.Enumerate(bound, 0, minimize.Options{}).Minimize(ctx, p)
				require.NoError(t, err)
				require.GreaterOrEqual(t, got.Set.Len(), want.Set.Len(), claim.Name)
				if got.Set.Len() == want.Set.Len() {
					enumerated, largest = enumerated+got.Stats.Tests, max(largest, bound)
					break
				}
				require.Less(t, bound, 1<<20, "%s: enumerate has %d, exact %d", claim.Name, got.Set.Len(), want.Set.Len())
			}
		}
		s.Close()
	}
	require.Greater(t, problems, 10)
	require.Less(t, exact, enumerated)
	t.Logf("%d problems, elimination tests: %d by exact, %d by enumerate with MAXSUB up to %d", problems, exact, enumerated, largest)
}

// exampleClaims are the claims of all examples whose first lines say how they
// are checked, as far as that needs files only.
func exampleClaims(t *testing.T) []*Claim {
	var all []*Claim
	require.NoError(t, filepath.WalkDir("examples", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".c" {
			return err
		}
		if testing.Short() && filepath.Base(filepath.Dir(path)) == "handshake" {
			return nil
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			args, ok := strings.CutPrefix(line, "// magus: check ")
			names, property := strings.CutPrefix(args, "--property unreach-call ")
			if files := strings.Fields(names); ok && !slices.ContainsFunc(files, func(f string) bool { return f[0] == '-' }) {
				all = append(all, claimsOf(t, filepath.Dir(path), files, property)...)
			}
		}
		return nil
	}))
	return all
}

// claimsOf are the claims about the files of a folder.
func claimsOf(t *testing.T, dir string, files []string, property bool) []*Claim {
	var in Input
	in.ReadFile = func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, filepath.Base(name))) }
	in.Options.ReadFile = in.ReadFile
	for _, name := range files {
		text, err := in.ReadFile(name)
		require.NoError(t, err)
		if filepath.Ext(name) == ".c" {
			in.C = append(in.C, source.Source{Name: name, Text: text})
		} else {
			in.Specs = append(in.Specs, specs.Source{Name: name, Text: text})
		}
	}
	p, err := Load(context.Background(), in)
	require.NoError(t, err)
	if property {
		c, err := p.Property(Property{})
		require.NoError(t, err)
		return []*Claim{c}
	}
	cs, err := p.Claims(Selection{})
	require.NoError(t, err)
	return cs
}
