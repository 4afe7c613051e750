package cli_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/input"
	"magus/app/options"
)

// TestMadeUpOption: an option that is a row of the table, and nothing else, is a flag with its help and completion, is
// set in the shell and in suites, stands in the manual and in the document, is part of the question that
// certificates record, and of the key of what a suite keeps. (Package lsp has a test of its own.)
func TestMadeUpOption(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"lock.c", "lock.spec"} {
		text, err := os.ReadFile(filepath.Join("../../examples/lock", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	suite := func(value string) {
		text := "[[claim]]\nname = \"one\"\nfiles = [\"lock.c\", \"lock.spec\"]\noptions = { made-up = \"" + value +
			"\" }\nverdict = \"conforms\"\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, "s.toml"), []byte(text), 0o666))
	}
	say := func(status int, typed string, args ...string) string {
		t.Helper()
		w, out, stderr := testWorld(dir)
		w.Dir, w.Stdin = input.Dir(dir), io.NopCloser(strings.NewReader(typed))
		w.Table = append(options.Standard(), madeUp())
		require.Equal(t, status, cli.Main(t.Context(), args, w), "%v: %s%s", args, out, stderr)
		return out.String() + stderr.String()
	}
	require.Contains(t, say(0, "", "check", "--help", "all"), "--made-up")
	require.Contains(t, say(0, "", "dot", "--help", "all"), "what nobody had before")
	require.Contains(t, say(0, "", "man"), `\-\-made\-up`)
	require.Contains(t, say(0, "", "__complete", "check", "--made"), "--made-up")
	require.Contains(t, say(0, "", "__complete", "check", "--made-up", ""), "three")
	require.Contains(t, say(2, "", "check", "--made-up", "four", "lock.c", "lock.spec"), "must be one of two, three")
	require.Contains(t, say(0, "set made-up three\nshow made-up\n", "repl"), "made-up = three")
	require.Contains(t, say(0, "", "check", "--json", "--made-up", "three", "lock.c", "lock.spec"), `"made-up"`)

	suite("three")
	require.NotContains(t, say(0, "", "suite", "--cache", "kept", "s.toml"), "as before")
	require.Contains(t, say(0, "", "suite", "--cache", "kept", "s.toml"), "as before")
	suite("two")
	require.NotContains(t, say(0, "", "suite", "--cache", "kept", "s.toml"), "as before")

	say(0, "", "check", "--made-up", "three", "--certificate", "c.json", "lock.c", "lock.spec")
	say(0, "", "verify-certificate", "--made-up", "three", "c.json", "lock.c", "lock.spec")
	require.Contains(t, say(1, "", "verify-certificate", "c.json", "lock.c", "lock.spec"), "made up was three")
	say(0, "", "check", "--made-up", "two", "--certificate", "d.json", "lock.c", "lock.spec")
	say(0, "", "verify-certificate", "d.json", "lock.c", "lock.spec")
}

// madeUp is the row of a choice that no field of the options has.
func madeUp() options.Option {
	values := map[*options.Options]*string{}
	return options.Option{Group: "What is printed and written", Name: "made-up", Kind: options.Choice,
		Values: []string{"two", "three"}, Default: "two", Help: "what nobody had before",
		In: options.Check | options.Verify | options.Shell,
		At: func(o *options.Options) any {
			if values[o] == nil {
				values[o] = new(string)
			}
			return values[o]
		}}
}
