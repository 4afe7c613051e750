package source

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/countdown"
)

// TestConstraintsAreInterrupted: each walk over the syntax of a large function looks at its context, and ends with it.
func TestConstraintsAreInterrupted(t *testing.T) {
	text := "int f(int n) {\nagain: n++;\n" + strings.Repeat("n = 3 * n + 1;\n", 1500) +
		"if (n) goto again;\nreturn n; }\n"
	f, err := translate(t.Context(), Source{Name: "a.c", Text: []byte(text)}, Options{})
	require.NoError(t, err)
	l := newLayouts(Options{}.Model)
	read := countdown.Count(t.Context())
	require.NoError(t, l.read(read, f))
	reading := read.Seen()
	require.Greater(t, reading, int64(10))
	checked := countdown.Count(t.Context())
	require.NoError(t, l.constraints(checked, f, Options{}))
	looks := checked.Seen()
	require.Greater(t, looks, 3*reading, "four walks: declarators, labels, jumps, and all")
	for n := range looks {
		ctx := countdown.Looks(t.Context(), n)
		require.ErrorIs(t, l.constraints(ctx, f, Options{}), context.Canceled)
		require.Equal(t, n+1, ctx.Seen(), "it goes on behind the end")
		if n < reading {
			require.ErrorIs(t, l.read(countdown.Looks(t.Context(), n), f), context.Canceled)
		}
	}
}
