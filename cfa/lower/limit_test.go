package lower_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"magus/cfa"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/smt/expr"

	"github.com/stretchr/testify/require"
)

// A component that is too large is refused for that, wherever the limit is met: before the
// label of a goto too, which is not lowered then.
func TestTooManyLocations(t *testing.T) {
	text := "int step(int x) { if (x > 3) goto out; x++; x--; x++; x--;\nout: return x; }\n" +
		"int main(void) { int x = 0; " + strings.Repeat("x = step(x); ", 4) + "goto end; x = 7; end: return x; }\n"
	p, err := source.Parse(t.Context(), []source.Source{{Name: "p.c", Text: []byte(text)}}, source.Options{})
	require.NoError(t, err)
	whole, err := lower.Lower(t.Context(), p, "main", expr.NewPool(), lower.Options{})
	require.NoError(t, err)
	for limit := 1; limit < len(whole.Locs); limit++ {
		_, err := lower.Lower(context.Background(), p, "main", expr.NewPool(), lower.Options{MaxLocations: limit})
		var unsupported *cfa.UnsupportedError
		require.ErrorAs(t, err, &unsupported, "%d locations", limit)
		require.Contains(t, unsupported.What, fmt.Sprintf("more than %d control locations", limit))
	}
}
