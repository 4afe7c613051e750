package libc

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// withoutVariant are functions of math.h that are not there for float, long double or _Float128, with the reason.
var withoutVariant = map[string]string{
	"nexttowardf128": "the C library has nextafterf128 only",
	"j0":             bessel, "j1": bessel, "jn": bessel, "y0": bessel, "y1": bessel, "yn": bessel,
}

const bessel = "POSIX has it of double only"

// TestVariants: each function of math.h is known for all types of floating point, or it is said why not. Those of
// _Float32, _Float64 and _Float64x are written as these (package reword).
func TestVariants(t *testing.T) {
	rows := map[string]bool{}
	for _, f := range Functions() {
		if f.Header == "math.h" {
			rows[f.Name] = true
		}
	}
	bases, used := 0, map[string]bool{}
	suffixes := []string{"f", "l", "f128"}
	for name := range rows {
		if slices.ContainsFunc(suffixes, func(suffix string) bool {
			bare, ok := strings.CutSuffix(name, suffix)
			return ok && rows[bare]
		}) {
			continue
		}
		bases++
		for _, suffix := range suffixes {
			switch {
			case withoutVariant[name] != "":
				used[name] = true
			case withoutVariant[name+suffix] != "":
				used[name+suffix] = true
				require.False(t, rows[name+suffix], "%s is there", name+suffix)
			default:
				require.True(t, rows[name+suffix], "%s", name+suffix)
			}
		}
	}
	require.Greater(t, bases, 50)
	require.Len(t, used, len(withoutVariant))
}
