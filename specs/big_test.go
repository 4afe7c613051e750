package specs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
	"magus/lts"
)

// Large specifications, with and without line ends, sound and full of
// mistakes: everything is linear, so that this takes no time.
func TestLarge(t *testing.T) {
	sample.Long(t)
	const n = 5_000
	for _, newline := range []string{"\n", " "} {
		var b strings.Builder
		for i := range n {
			end := ","
			if i == n-1 {
				end = "."
			}
			fmt.Fprintf(&b, "S%d = ( a%d -> S%d | return {$0 == %d} -> STOP | z -> X%d )%s%s", i, i%100, (i+1)%n,
				i, i, end, newline)
		}
		for i := range n {
			fmt.Fprintf(&b, "T%d = ( a%d -> T%d | b -> U%d ).%s", i, i%100, (i+1)%n, i, newline)
		}
		f, err := Parse(context.Background(), []Source{{"large.spec", []byte(b.String())}}, nil)
		require.NoError(t, err)
		require.Len(t, f.Warnings, maxWarnings)
		_, err = f.LTS(context.Background(), "S0", lts.NewActions())
		require.ErrorContains(t, err, "no process X0 is defined")
		sound := strings.NewReplacer("X", "S", "U", "T").Replace(b.String())
		f, err = Parse(context.Background(), []Source{{"large.spec", []byte(sound)}}, nil)
		require.NoError(t, err)
		for _, name := range []string{"S0", "T0"} {
			m, err := f.LTS(context.Background(), name, lts.NewActions())
			require.NoError(t, err)
			require.GreaterOrEqual(t, m.NumStates(), n)
		}
		_, err = Parse(context.Background(), []Source{{"large.spec", []byte(strings.ReplaceAll(sound, "->", ""))}}, nil)
		require.Len(t, err, maxErrors+1)
		_, err = Parse(context.Background(), []Source{{"large.spec", []byte(sound + sound)}}, nil)
		require.Len(t, err, maxErrors+1)
	}
}
