package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// long is a program of n steps in a row, whose order matters at the end.
func long(n int) string {
	var b strings.Builder
	b.WriteString("extern int any(void);\nint main(void)\n{\n\tint x = 0, y = any();\n")
	for i := range n {
		fmt.Fprintf(&b, "\tif (y == %d) x = x + 1; else __MAGUS_ACTION__(\"step\");\n", i)
	}
	return b.String() + "\tif (x > 1) __MAGUS_ACTION__(\"error\");\n\treturn 0;\n}\n"
}

// most is the largest number of looks at the context in one piece of each kind of work.
func (c *countdown) most() map[string]int {
	all := map[string]int{}
	for i, w := range c.work {
		to := c.looks
		if i+1 < len(c.work) {
			to = c.work[i+1].looks
		}
		all[w.what] = max(all[w.what], to-w.looks)
	}
	return all
}

// TestLargeWorkIsLookedAt: a phase that has four times as much to do looks at its context
// at least twice as often, within one piece of its work.
func TestLargeWorkIsLookedAt(t *testing.T) {
	measure := func(n int) map[string]int {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(long(n)), 0o600))
		certificate := filepath.Join(dir, "out.json")
		args := []string{"--property", "unreach-call", "a.c"}
		status, out, stderr, c := interrupt(t, dir, 0,
			append([]string{"check", "--action-abstraction", "on", "--certificate", certificate}, args...)...)
		require.Equal(t, 0, status, "%s%s", out, stderr)
		most := c.most()
		status, out, stderr, c = interrupt(t, dir, 0, append([]string{"verify-certificate", certificate}, args...)...)
		require.Equal(t, 0, status, "%s%s", out, stderr)
		most["verify certificate"] = c.most()["verify certificate"]
		return most
	}
	small, large := measure(5), measure(20)
	for _, what := range []string{"abstract data", "refine data", "refine events", "verify certificate"} {
		require.GreaterOrEqual(t, large[what], 2*small[what], "%s: %v, %v", what, small, large)
	}
}
