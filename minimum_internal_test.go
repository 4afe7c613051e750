package magus

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/minimize"
)

// TestExactAndEnumerateAgree: over the candidates and paths that a session ends
// with, both exact strategies find sets of the same size, the paper's with a
// bound that is large enough; and exact asks for fewer elimination tests.
func TestExactAndEnumerateAgree(t *testing.T) {
	ctx := context.Background()
	exact, enumerated := 0, 0
	for _, c := range []struct {
		dir     string
		c, spec []string
	}{
		{"figure2", []string{"figure2.c"}, []string{"figure2.spec"}},
		{"lock", []string{"lock.c"}, []string{"lock.spec"}},
		{"handshake", []string{"server.c"}, []string{"lib.spec", "s2.spec"}},
		{"handshake", []string{"server.c"}, []string{"lib.spec", "s3.spec"}},
		{"handshake", []string{"client.c"}, []string{"lib.spec", "c1.spec"}},
		{"handshake", []string{"client.c", "server.c"}, []string{"lib.spec", "p01.spec"}},
	} {
		s, err := NewSession(ctx, example(t, c.dir, c.c, c.spec), Options{})
		require.NoError(t, err)
		require.Equal(t, Conforms, s.Run(ctx, nil).Verdict)
		for _, comp := range s.comps {
			p := elimination{ctx, comp}
			want, err := minimize.Exact(minimize.Options{}).Minimize(ctx, p)
			require.NoError(t, err)
			require.True(t, want.Proven)
			got, err := minimize.Enumerate(4000, 0, minimize.Options{}).Minimize(ctx, p)
			require.NoError(t, err)
			require.Equal(t, want.Set.Len(), got.Set.Len(), "%s %v", c.dir, c.spec)
			exact, enumerated = exact+want.Stats.Tests, enumerated+got.Stats.Tests
		}
		s.Close()
	}
	require.Less(t, exact, enumerated)
	t.Logf("elimination tests: %d by exact, %d by enumerate", exact, enumerated)
}
