package lower

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
)

// TestSizesSetRightBefore: the size of new memory is known where the assignments before it say it on any way
// to the call, and only there.
func TestSizesSetRightBefore(t *testing.T) {
	for _, c := range []struct {
		name, text string
		known      bool
	}{
		{"right before", "n = 40; p = malloc(n);", true},
		{"with a cast", "n = (unsigned long)40U; p = malloc(n);", true},
		{"calculated", "k = 10; n = 4 * k; p = malloc(n);", true},
		{"with something between", "n = 40; x = 1; y = x; p = malloc(n);", true},
		{"set again", "n = any(); n = 40; p = malloc(n);", true},
		{"a label before", "if (any()) goto l; l: n = 40; p = malloc(n);", true},
		{"a loop before", "while (any()) x++; n = 40; p = malloc(n);", true},
		{"on one way", "if (any()) n = 40; p = malloc(n);", false},
		{"on both ways, with other values", "if (any()) n = 40; else n = 4; p = malloc(n);", false},
		{"a label between", "if (any()) goto l; n = 40; l: p = malloc(n);", false},
		{"a label between that later code jumps to", "n = 40; l: p = malloc(n); n = any(); goto l;", false},
		{"a loop between", "n = 40; while (any()) { p = malloc(n); n = any(); }", false},
		{"a loop with its test behind", "n = 40; do { p = malloc(n); n = any(); } while (any());", false},
		{"a case between", "switch (any()) { case 1: n = 40; case 2: p = malloc(n); }", false},
		{"by a pointer", "unsigned long *q = &m; m = 40; *q = 4; p = malloc(m);", false},
		{"a global, for threads", "g = 40; p = malloc(g);", false},
		{"of what is not constant", "n = 4 * any(); p = malloc(n);", false},
		{"of itself", "n = 4; n = n + any(); p = malloc(n);", false},
		{"too far", "n = 40;" + strings.Repeat(" x++;", mostBack) + " p = malloc(n);", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			auto := lowerText(t, "#include <stdlib.h>\nextern unsigned long any(void); unsigned long g; int *p;\n"+
				"int main(void) { unsigned long n = any(), k, m; int x = 0, y; "+c.text+
				" return p != 0 && k == m && y; }", Options{})
			asked := slices.ContainsFunc(auto.Warnings,
				func(w cfa.Warning) bool { return strings.Contains(w.Text, "of a size that is not constant") })
			require.Equal(t, c.known, !asked, auto.Warnings)
		})
	}
}
