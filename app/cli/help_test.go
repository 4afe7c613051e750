package cli

import (
	"bytes"
	"github.com/spf13/cobra"
	"strings"
	"testing"
	"unicode/utf8"

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

// The help of every command, whole and as it is shown first, has lines of at most 100 columns, and groups of at most
// twelve flags.
func TestHelpOfAllCommands(t *testing.T) {
	var status int
	root := newRoot(&World{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}, &status)
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, every := range []bool{false, true} {
			h := &helpPage{width: wideHelp, every: every}
			h.write(c)
			for line := range strings.Lines(h.b.String()) {
				require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 100, c.CommandPath())
			}
		}
		groups, _ := flagGroups(c.LocalFlags())
		for _, g := range groups {
			require.LessOrEqual(t, len(g.flags), 13, "%s: %s", c.CommandPath(), g.name) // twelve, and help
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(root)
}

// A command that is made alone is the one that is made with all others.
func TestCommandsMadeAlone(t *testing.T) {
	var status int
	w := &World{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}
	all := newRoot(w, &status)
	for _, m := range makers() {
		alone, _, err := newRoot(w, &status, m.name, "--help").Find([]string{m.name})
		require.NoError(t, err)
		among, _, err := all.Find([]string{m.name})
		require.NoError(t, err)
		require.Equal(t, m.name, alone.Name())
		require.Equal(t, among.UsageString(), alone.UsageString())
	}
	require.Len(t, all.Commands(), len(makers())+2) // help and completion
}
