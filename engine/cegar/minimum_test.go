package cegar

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/evidence/verdict"
	"magus/internal/sample"
	"magus/minimize"
)

// TestExactAndEnumerateAgree: over the candidates and paths that a check of an
// example ends with, exact finds a set that eliminates all of them, and the
// paper's strategy finds none that is smaller, and one of the same size once
// MAXSUB is large enough. In all, exact asks for fewer elimination tests.
func TestExactAndEnumerateAgree(t *testing.T) {
	ctx := context.Background()
	problems, exact, enumerated, largest := 0, 0, 0, 0
	for i, claim := range exampleClaims(t) {
		if sample.Thinned(i, 5) {
			continue
		}
		s, err := NewSession(ctx, claim, Options{})
		require.NoError(t, err)
		outcome := s.Run(ctx, nil)
		if l := outcome.Loop; outcome.Verdict == verdict.Unknown || l.Bounded || l.Summaries || l.Induction {
			// Some examples are meant to be unknown; of others, the candidates need not eliminate all paths.
			s.Close()
			continue
		}
		for _, comp := range s.comps {
			p := elimination{comp}
			if p.NumPaths() == 0 {
				continue
			}
			problems++
			want, err := minimize.NewMinimizer(minimize.Options{}).Minimize(ctx, p)
			require.NoError(t, err, claim.Name)
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
	if sample.Whole() {
		require.Greater(t, problems, 3)
	}
	require.Less(t, exact, enumerated)
	t.Logf("%d problems, elimination tests: %d by exact, %d by enumerate with MAXSUB up to %d", problems,
		exact, enumerated, largest)
}

// exampleClaims are the claims of all examples whose first lines say how they
// are checked, as far as that needs files only.
func exampleClaims(t *testing.T) []*component.Claim {
	var all []*component.Claim
	require.NoError(t, filepath.WalkDir("../../examples", func(path string, d fs.DirEntry, err error) error {
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
