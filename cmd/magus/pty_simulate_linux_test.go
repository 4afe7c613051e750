package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A walk at a terminal has a prompt, says at once what cannot be done, and goes on.
func TestTerminalWalk(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "door.lts"), []byte("DOOR = ( open -> close -> DOOR ).\n"), 0o666))
	x, cmd := openTerminal(t, dir, []string{"TERM=xterm"}, "lts", "simulate", "door.lts:DOOR")
	x.expect(`at 0:DOOR\n   1  open -> 1\n> `)
	x.write("close\n")
	x.expect(`no transition with close leaves 0:DOOR\n> `)
	x.write("1\n")
	x.expect(`0:DOOR -open-> 1\nat 1\n   1  close -> 0:DOOR\n> `)
	x.write("quit\n")
	require.NoError(t, cmd.Wait())
}
