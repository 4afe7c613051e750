package source

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A static assertion needs no message, as for GCC; it is judged all the same, and other faults stay what they are.
func TestAssertionsWithoutMessage(t *testing.T) {
	for text, want := range map[string]string{
		"_Static_assert(sizeof(int) == 4); int main(void) { _Static_assert(1); return 0; }":                                        "",
		"struct __attribute__((packed)) p { char c; int i; }; _Static_assert(sizeof(struct p) == 5); int main(void) { return 0; }": "",
		"_Static_assert(sizeof(int) == 5); int main(void) { return 0; }":                                                           "assertion failed",
		"_Static_assert(1); int f(int); int main(void) { return f(1 2); }":                                                         "expected",
	} {
		_, err := parseSource(text)
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
}
