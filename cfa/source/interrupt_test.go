package source

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// looked is a context that counts how often it is looked at, and ends at one of these looks if end is not 0.
type looked struct {
	context.Context
	looks, end int
}

func (l *looked) Err() error {
	if l.looks++; l.end > 0 && l.looks >= l.end {
		return context.Canceled
	}
	return nil
}

// TestConstraintsAreInterrupted: each walk over the syntax of a large function looks at its context, and ends with it.
func TestConstraintsAreInterrupted(t *testing.T) {
	text := "int f(int n) {\nagain: n++;\n" + strings.Repeat("n = 3 * n + 1;\n", 1500) +
		"if (n) goto again;\nreturn n; }\n"
	f, err := translate(t.Context(), Source{Name: "a.c", Text: []byte(text)}, Options{})
	require.NoError(t, err)
	l := newLayouts(Options{}.Model)
	read := &looked{Context: t.Context()}
	require.NoError(t, l.read(read, f))
	require.Greater(t, read.looks, 10)
	checked := &looked{Context: t.Context()}
	require.NoError(t, l.constraints(checked, f, Options{}))
	require.Greater(t, checked.looks, 3*read.looks, "four walks: declarators, labels, jumps, and all")
	for end := 1; end <= checked.looks; end++ {
		ctx := &looked{Context: t.Context(), end: end}
		require.ErrorIs(t, l.constraints(ctx, f, Options{}), context.Canceled)
		require.Equal(t, end, ctx.looks, "it goes on behind the end")
		if end <= read.looks {
			require.ErrorIs(t, l.read(&looked{Context: t.Context(), end: end}, f), context.Canceled)
		}
	}
}
