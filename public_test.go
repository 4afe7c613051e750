package magus_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/internal/sample"
)

// TestPublicPrograms checks programs with known verdicts that are not part of
// the repository, where the folder with them lies beside it.
func TestPublicPrograms(t *testing.T) {
	sample.Long(t)
	for _, folder := range []string{"ssh-simplified", "locks", "ntdrivers-simplified"} {
		dir := filepath.Join("..", "shared", "bench", folder)
		table, err := os.ReadFile(filepath.Join(dir, "VERDICTS.tsv"))
		if err != nil {
			t.Skipf("no public programs: %v", err)
		}
		for _, line := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
			f := strings.Split(line, "\t")
			if testing.Short() && strings.Contains(f[0], "locks_1") {
				continue // tens of thousands of states
			}
			t.Run(folder+"/"+f[0], func(t *testing.T) { public(t, dir, f[0], f[1], f[2]) })
		}
	}
}

func public(t *testing.T, dir, name, property, expected string) {
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	ctx := context.Background()
	p, err := magus.Load(ctx, magus.Input{C: []source.Source{{Name: name, Text: text}}})
	require.NoError(t, err)
	q := magus.Property{}
	if label, ok := strings.CutPrefix(property, "unreach-label:"); ok {
		q.ErrorLabels = []string{label}
	}
	c, err := p.Property(q)
	require.NoError(t, err)
	s, err := cegar.NewSession(ctx, c, cegar.Options{Loop: cegar.Loop{ReduceIterations: 1}})
	require.NoError(t, err)
	defer s.Close()
	o := s.Run(ctx, nil)
	want := map[string]magus.Verdict{"true": magus.Conforms, "false": magus.Violates}[expected]
	require.Equal(t, want, o.Verdict, o.Reason)
}
