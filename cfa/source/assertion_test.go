package source

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A static assertion needs no message, as for GCC; it is judged all the same, and other faults stay what they are.
func TestAssertionsWithoutMessage(t *testing.T) {
	for text, want := range map[string]string{
		"_Static_assert(sizeof(int) == 4); int main(void) { _Static_assert(1); " +
			"return 0; }": "",
		"struct __attribute__((packed)) p { char c; int i; }; _Static_assert(sizeof(struct p) == 5); " +
			"int main(void) { return 0; }": "",
		"_Static_assert(sizeof(int) == 5); int main(void) { " +
			"return 0; }": "assertion failed",
		"_Static_assert(1); int f(int); int main(void) { " +
			"return f(1 2); }": "expected",
	} {
		_, err := parseSource(text)
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
}

// TestAssertionsWithoutMessages: they are read where declarations stand and in structures, and use nothing up.
func TestAssertionsWithoutMessages(t *testing.T) {
	const text = "_Static_assert(1);\nstruct s { int a; _Static_assert(sizeof(int) == 4); int b; } t = { 1, 2 };\n" +
		"int f(void) { _Static_assert(2, \"with\"); return __COUNTER__; }\n"
	p, err := Parse(t.Context(), []Source{{Name: "a.c", Text: []byte(text)}}, Options{})
	require.NoError(t, err)
	require.EqualValues(t, 8, p.Layouts.Size(p.Files[0].Objects["t"].Type))
	_, err = Parse(t.Context(), []Source{{Name: "a.c", Text: []byte("_Static_assert(0);\n")}}, Options{})
	require.ErrorContains(t, err, "assertion failed")
	_, err = Parse(t.Context(),
		[]Source{{Name: "a.c", Text: []byte("_Static_assert(0, \"\");\nint c[__COUNTER__ + 1];\n")}}, Options{})
	require.ErrorContains(t, err, "a.c:1:1: assertion failed")
}
