package countdown

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/internal/usage"
)

// soon is much longer than what hears of its end takes, on any machine, and shorter than what does not.
const soon = time.Minute // of the processor

// Hears requires that long work ends soon when its time is up, and gives its error.
func Hears(t testing.TB, after time.Duration, work func(context.Context) error) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), after)
	defer cancel()
	began := usage.Time()
	err := work(ctx)
	took := usage.Time() - began
	t.Logf("after %v: %v of the processor: %v", after, took.Round(time.Millisecond), err)
	require.Less(t, took, soon, "%v", err)
	return err
}
