package verdict

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
)

var at = cfa.Pos{File: "a.c", Line: 3, Col: 7}

// TestOf: what errors say of an unknown verdict.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want Reason
		ok   bool
	}{
		{"none", nil, Reason{}, false},
		{"a mistake", errors.New("no such file"), Reason{}, false},
		{"a reason", Because(States, "more than %d states", 7), Reason{Kind: States, Text: "more than 7 states"}, true},
		{"a reason within", fmt.Errorf("main: %w", Because(Memory, "too much")),
			Reason{Kind: Memory, Text: "too much"}, true},
		{"what is not modelled", &cfa.UnsupportedError{Pos: at, What: "recursive function f", Hint: "f calls f"},
			Reason{Unsupported, "not modelled: recursive function f (f calls f)", at}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, ok := Of(c.err)
			require.Equal(t, c.ok, ok)
			require.Equal(t, c.want, r)
		})
	}
}

// TestString: the place comes first, once.
func TestString(t *testing.T) {
	require.Equal(t, "time-out", Reason{Kind: Time, Text: "time-out"}.String())
	require.Equal(t, "a.c:3:7: not modelled: alloca", Reason{Unsupported, "not modelled: alloca", at}.String())
	unsupported := &cfa.UnsupportedError{Pos: at, What: "alloca"}
	r, _ := Of(unsupported)
	require.Equal(t, unsupported.Error(), r.String())
}

// TestStopped: the cause of a context decides of what kind the reason is.
func TestStopped(t *testing.T) {
	for _, c := range []struct {
		cause error
		want  Reason
	}{
		{Because(Memory, "more than 1 KiB"), Reason{Kind: Memory, Text: "more than 1 KiB"}},
		{context.DeadlineExceeded, Reason{Kind: Time, Text: context.DeadlineExceeded.Error()}},
		{errors.New("had enough"), Reason{Kind: Interrupted, Text: "had enough"}},
		{nil, Reason{Kind: Interrupted, Text: context.Canceled.Error()}},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(c.cause)
		require.Equal(t, c.want, Stopped(ctx))
	}
}
