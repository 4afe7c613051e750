//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"magus/internal/sample"
)

// counts needs a few predicates, so that z3 is asked some dozens of times.
const counts = `
int main(void)
{
	int locked = 0, n = __VERIFIER_nondet_int();
	while (n > 0) {
		locked = 1;
		n = __VERIFIER_nondet_int();
		if (n != 7)
			locked = 0;
	}
	if (locked && n == 7)
		reach_error();
	return 0;
}
`

// TestSolverFaults: whatever the solver's process does instead of answering, the
// verdict is unknown and says so, or input that is wrong where there is no such
// program; nothing is left running.
func TestSolverFaults(t *testing.T) {
	sample.Long(t)
	z3, _ := exec.LookPath("z3")
	for _, c := range []struct {
		name, script string
		want         int
		says         string
	}{
		{"hangs", "exec sleep 1000", 3, "time-out"},
		{"hangs and holds on", "trap '' TERM INT HUP; while :; do sleep 1000; done", 3, "time-out"},
		{"is stopped", "kill -STOP $$; exec sleep 1000", 3, "time-out"},
		{"garbage", "while read line; do echo hello; done", 3, "solver z3 answers"},
		{"without end", "exec yes", 3, "solver z3 answers"},
		{"an answer without end", "echo '('; exec yes", 3, "longer than"},
		{"complains without end", "exec yes >&2", 3, "solver z3 ended before it answered"},
		{"leaves at once", "exit 0", 3, "solver z3 ended before it answered"},
		{"fails", "echo no licence >&2; exit 9", 3, "exit status 9: no licence"},
		{"is killed", "kill -KILL $$", 3, "signal: killed"},
		{"crashes", "kill -SEGV $$", 3, "solver z3 ended before it answered"},
		{"cannot be executed", "", 2, "no program z3 in PATH"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := program(t)
			mode, timeout := os.FileMode(0o755), "5m"
			if c.says == "time-out" {
				timeout = "1s"
			}
			if c.script == "" {
				mode = 0o644
			}
			status, out, stderr := withSolver(t, dir, "#!/bin/sh\n"+c.script+"\n", mode, c.want == 2, "--timeout", timeout)
			require.Equal(t, c.want, status, "%s%s", out, stderr)
			require.Contains(t, out+stderr, c.says)
			require.NotContains(t, out, "conforms")
			require.NotContains(t, out, "violates")
		})
	}
	t.Run("dies after so many lines", func(t *testing.T) {
		if z3 == "" {
			t.Skip("z3 is not installed")
		}
		unknown := 0
		for _, lines := range []int{1, 4, 5, 6, 9, 20, 50, 120, 100_000} {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "p.c"), []byte(counts), 0o666))
			status, out, stderr := withSolver(t, dir, fmt.Sprintf(
				"#!/bin/sh\nn=0; while [ $n -lt %d ] && IFS= read -r line; do printf '%%s\\n"+
					"' \"$line\"; n=$((n+1)); done | exec %s -in -smt2\n", lines, z3), 0o755, false)
			if status == 0 {
				require.Contains(t, out, "conforms")
				continue
			}
			unknown++
			require.Equal(t, 3, status, "%s%s", out, stderr)
			require.Contains(t, out, "solver z3 ended before it answered")
		}
		require.Greater(t, unknown, 3)
		require.Less(t, unknown, 9, "with all lines it is answered")
	})
}

// withSolver runs a check with a program of our own as z3.
func withSolver(t *testing.T, dir, script string, mode os.FileMode, alone bool, args ...string) (status int,
	out, stderr string) {
	t.Helper()
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "z3"), []byte(script), mode))
	if !alone {
		bin += ":$PATH"
	}
	return shell(t, dir, fmt.Sprintf("M=$(command -v magus); PATH=%s; "+
		"exec \"$M\" check --stats --solver z3 --property unreach-call %s p.c", bin, strings.Join(args, " ")))
}

// TestKilled: a solver ends with the program, also if that is killed in the
// middle of a query and the solver does not look at its input.
func TestKilled(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("needs /proc")
	}
	dir, bin := program(t), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "z3"),
		[]byte("#!/bin/sh\necho $$ >"+dir+"/pid.new; mv "+dir+"/pid.new "+dir+"/pid\nwhile :; do :; done\n"), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	cmd, _, _ := start(t, dir, "check", "--solver", "z3", "--property", "unreach-call", "p.c")
	pid := ""
	for range 1000 {
		time.Sleep(10 * time.Millisecond)
		if text, err := os.ReadFile(filepath.Join(dir, "pid")); err == nil {
			pid = strings.TrimSpace(string(text))
			break
		}
	}
	require.NotEmpty(t, pid, "the solver was started")
	require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
	require.Equal(t, -1, status(t, cmd))
	for range 1000 {
		text, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(text), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.Fail(t, "the solver goes on")
}
