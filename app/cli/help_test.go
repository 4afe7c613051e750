package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Texts are broken between words, names with values between values.
func TestFill(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 6, []string{"one", "two", "three"}},
		{"unbreakable", 4, []string{"unbreakable"}},
		{"größe mäßig", 5, []string{"größe", "mäßig"}},
	} {
		require.Equal(t, c.want, fill(c.text, c.width), c.text)
	}
	require.Equal(t, []string{"  --x aa|bb|", "cc"}, alternatives("  --x aa|bb|cc", 13))
	require.Equal(t, []string{"--unbreakable"}, alternatives("--unbreakable", 4))
}

// Lines of every command's help fit, at every width; all flags stand in the help that shows all.
func TestHelpFits(t *testing.T) {
	var status int
	root := newRoot(&World{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}, &status)
	check, _, err := root.Find([]string{"check"})
	require.NoError(t, err)
	for _, width := range []int{narrowHelp, 60, wideHelp} {
		for _, every := range []bool{false, true} {
			h := &helpPage{width: width, every: every}
			h.flags(check)
			for line := range strings.Lines(h.b.String()) {
				require.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), width, line)
			}
			require.Equal(t, every, strings.Contains(h.b.String(), "--max-elm"))
			require.Contains(t, h.b.String(), "--report")
		}
	}
}
