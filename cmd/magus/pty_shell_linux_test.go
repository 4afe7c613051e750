package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"magus/internal/sample"
)

// At a terminal less shows a text by the program that PAGER names; names with blanks are completed; control-C ends
// a command of the system and keeps the shell.
func TestTerminalLanguage(t *testing.T) {
	sample.Long(t)
	dir := t.TempDir()
	for _, name := range []string{"my light.c", "my heavy.c"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name),
			[]byte("int lit;\nint light(void) { return lit; }\n"), 0o666))
	}
	x, cmd := openTerminal(t, dir, []string{"MAGUS_HISTORY=" + filepath.Join(dir, "history"), "TERM=xterm",
		"PAGER=cat -n"}, "repl", "--allow-commands")
	x.expect(`magus> `)
	x.write("load my\\ l\t\n")
	x.expect(`load my\\ light.c`)
	x.expect(`nothing is checked`)
	x.expect(`magus> `)
	x.write("cfa | less\n")
	x.expect(` 1\tin my light.c`)
	x.expect(` 2\t   0  1     lit = 0`)
	x.expect(`magus> `)
	x.write("!echo $((6 * 7)); sleep 1000\n")
	x.expect(`42`)
	x.write("\x03")
	x.expect(`interrupted`)
	x.write("!trap '' INT; echo $((2 * 22)); sleep 1000\n") // what it has begun does not mind the interrupt
	x.expect(`44`)
	x.write("\x03")
	x.expect(`interrupted`)
	x.write("!kill -INT $$\n") // the command sees the interrupt, and the shell does not yet
	x.expect(`interrupted`)
	x.write("cfa | grep in\n")
	x.expect(`in my light.c`)
	x.write("exit\n")
	require.NoError(t, cmd.Wait())
}

// At a terminal of 40 columns help is broken to the width, and stops at the end of the screen; an empty line goes on.
func TestTerminalScreen(t *testing.T) {
	dir := t.TempDir()
	x, cmd := openTerminalOf(t, 40, dir, []string{"MAGUS_HISTORY=" + filepath.Join(dir, "history"), "TERM=xterm"}, "repl")
	x.expect(`magus> `)
	x.write("help\n")
	x.expect(`-- \d+ lines more: more`)
	x.write("\n")
	x.expect(`-- \d+ lines more: more`)
	x.write("more\n")
	x.expect(`magus> `)
	x.write("pwd\n")
	x.write("more\n")
	x.write("exit\n")
	require.NoError(t, cmd.Wait())
}
