//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"magus/internal/sample"
)

// endlessModel is a model whose search is long.
const endlessModel = `states q[0..9], wrong;
shared x, y, z: nat;
rule -> q[0] : x' = x + 1;
rule for i in 0..8: q[i] -> q[i+1] : x >= 2, y' = y + x, x' = x - 2;
rule for i in 0..8: q[i+1] -> q[i] : y >= 3, y' = y - 3, x' = x + 1;
rule for i in 1..9: q[i] -> q[0] : all q[5] -> q[6], z' = z + 1, x' = x + 3;
rule q[9], q[8] -> wrong, q[0] : z >= 40, x >= 30, y >= 20, x + y = 3 * z;
init q[0] >= 1, x = 0, y = 0, z = 0;
bad wrong, wrong;
`

// TestTermEndsAllThatInterruptsDo: SIGTERM ends each command that may work or wait for long in good order,
// whether it works or waits for somebody: a verdict is unknown, and nothing is left behind.
func TestTermEndsAllThatInterruptsDo(t *testing.T) {
	sample.Long(t)
	const suite = "files = [\"p.c\"]\n[options]\nproperty = \"unreach-call\"\n[[claim]]\nverdict = \"conforms\"\n"
	for _, test := range []struct {
		name, input string
		args        []string
		busy        bool // it works, and does not wait
		status      int
	}{
		{"suite", "", []string{"suite", "s.toml"}, true, 3},
		{"repl at its prompt", "", []string{"repl"}, false, 3},
		{"repl at work", "set property unreach-call\nload p.c\nrun\n", []string{"repl"}, true, 3},
		{"lsp that nobody asks", "", []string{"lsp"}, false, 0},
		{"param", "", []string{"param", "check", "m.param"}, true, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{"p.c": endless, "s.toml": suite, "m.param": endlessModel} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
			}
			var out, stderr bytes.Buffer
			cmd := &exec.Cmd{Path: os.Args[0], Args: append([]string{"magus"}, test.args...), Dir: dir,
				Stdout: &out, Stderr: &stderr,
				SysProcAttr: &syscall.SysProcAttr{Setpgid: true}}
			in, err := cmd.StdinPipe() // which stays open
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
			_, err = io.WriteString(in, test.input)
			require.NoError(t, err)
			much := 300 * time.Millisecond
			if test.busy {
				work(cmd.Process, much)
			} else {
				time.Sleep(much)
			}
			require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
			got := status(t, cmd)
			groupIsGone(t, cmd.Process.Pid)
			if got == -1 { // it had not begun
				require.Empty(t, out.String()+stderr.String())
				return
			}
			require.Equal(t, test.status, got, "%s%s", &out, &stderr)
			if test.busy {
				require.Contains(t, out.String()+stderr.String(), "interrupted")
			}
		})
	}
}
