package cli_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/repl"
)

// The manual page has every command, flag and command of the shell, and is
// well-formed.
func TestManual(t *testing.T) {
	w, out, _ := testWorld(".")
	require.Zero(t, cli.Main(t.Context(), []string{"man"}, w))
	for _, c := range repl.Commands() {
		require.Contains(t, out.String(), strings.ReplaceAll(c.Usage(), "-", `\-`))
	}
	for _, has := range []string{`.SS "magus check [flags]`, `.SS "magus lts minimize`,
		`.B "\-\-minimize exact|greedy`, `.B "until EVENT"`} {
		require.Contains(t, out.String(), has)
	}
	if groff, err := exec.LookPath("groff"); err == nil {
		c := exec.Command(groff, "-man", "-Tutf8", "-wall")
		c.Stdin = strings.NewReader(out.String())
		var complaint strings.Builder
		c.Stderr = &complaint
		require.NoError(t, c.Run())
		require.Empty(t, complaint.String())
	}
}

// Completion scripts for the usual shells complete commands and flags.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		w, out, stderr := testWorld(".")
		require.Zero(t, cli.Main(t.Context(), []string{"completion", shell}, w), stderr.String())
		require.Contains(t, out.String(), "magus", shell)
	}
	for args, want := range map[string][]string{
		"__complete re":           {"repl\tStep through a check in a shell"},
		"__complete dot m":        {"mp", "ma"},
		"__complete repl --minim": {"--minimize"},
		"__complete run x":        {"magus", ":8"}, // files with that ending
	} {
		w, out, _ := testWorld(".")
		require.Zero(t, cli.Main(t.Context(), strings.Fields(args), w))
		for _, line := range want {
			require.Contains(t, out.String(), line, args)
		}
	}
}
