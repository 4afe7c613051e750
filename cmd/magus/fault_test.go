//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	ossignal "os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// endless keeps the loop busy: each turn finds out about one more round.
const endless = `
int main(void)
{
	unsigned n = 0, m = 0;
	while (__VERIFIER_nondet_int()) {
		n++;
		m += n * n;
		if (n == 3000 && m == 5)
			reach_error();
	}
	return 0;
}
`

// start runs the program in a group of its own.
func start(t *testing.T, dir string, args ...string) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	var out, stderr bytes.Buffer
	cmd := &exec.Cmd{Path: os.Args[0], Args: append([]string{"magus"}, args...), Dir: dir, Stdout: &out, Stderr: &stderr,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true}}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	return cmd, &out, &stderr
}

// work waits until a program has used so much of the processor, or has ended: where a system does not say, for so long.
func work(p *os.Process, much time.Duration) {
	for {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
		f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // state, ..., user and system time in 1/100 s
		if err != nil || len(f) < 13 {
			time.Sleep(much)
			return
		}
		user, _ := strconv.Atoi(f[11])
		system, _ := strconv.Atoi(f[12])
		if f[0] == "Z" || time.Duration(user+system)*10*time.Millisecond >= much {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func status(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode() // -1: a signal ended it
	}
	require.NoError(t, err)
	return 0
}

// groupIsGone waits for the processes that the program started to end.
func groupIsGone(t *testing.T, pid int) {
	t.Helper()
	for range 200 {
		if errors.Is(syscall.Kill(-pid, 0), syscall.ESRCH) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.Fail(t, "the program left a process behind")
}

func program(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.c"), []byte(endless), 0o666))
	return dir
}

// TestSignals: at whatever moment a signal comes, the verdict is unknown, the
// report is whole, and nothing is left behind. A signal that comes before the
// program has begun ends it, as it ends any.
func TestSignals(t *testing.T) {
	var reports atomic.Int32
	t.Run("after", func(t *testing.T) {
		for i, delay := range []time.Duration{0, 3, 10, 30, 100, 300, 1000} {
			if sample.LeftOut(i, 4) { // without any and after 100 ms
				continue
			}
			for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
				t.Run(fmt.Sprintf("%dms/%v", delay, signal), func(t *testing.T) {
					if ossignal.Ignored(signal) {
						t.Skip("whoever started the tests has the signal ignored, as nohup does")
					}
					t.Parallel()
					if interrupted(t, signal, 30*time.Millisecond+delay*time.Millisecond) {
						reports.Add(1)
					}
				})
			}
		}
	})
	require.True(t, testing.Short() || reports.Load() > 3)
}

// interrupted runs the program, sends it a signal and reports whether it had
// begun.
func interrupted(t *testing.T, signal syscall.Signal, delay time.Duration) bool {
	dir := program(t)
	cmd, out, stderr := start(t, dir, "check", "--json", "--certificate", "out.json", "--property", "unreach-call", "p.c")
	time.Sleep(delay)
	require.NoError(t, cmd.Process.Signal(signal))
	got := status(t, cmd)
	groupIsGone(t, cmd.Process.Pid)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range files {
		require.Contains(t, []string{"p.c", "out.json"}, f.Name(), "no temporary file")
	}
	if got == -1 {
		require.Empty(t, out.String()+stderr.String())
		return false
	}
	require.Equal(t, 3, got, "%s%s", out, stderr)
	var doc struct{ Verdict string }
	require.NoError(t, json.Unmarshal(out.Bytes(), &doc), out.String())
	require.Equal(t, "unknown", doc.Verdict)
	return true
}

// TestIgnoredSignals: what nohup and shells ignore for what runs in the
// background stays ignored.
func TestIgnoredSignals(t *testing.T) {
	sample.Long(t)
	status, out, stderr := shell(t, program(t), `trap '' HUP INT
magus check --timeout 1s --property unreach-call p.c & pid=$!
sleep 0.3; kill -HUP $pid; kill -INT $pid
wait $pid`)
	require.Equal(t, 3, status, stderr)
	require.Contains(t, out, "time-out")
}

// TestSecondSignal: who does not want to wait for the end in good order need not.
func TestSecondSignal(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "p.c"), 0o600))
	cmd, out, stderr := start(t, dir, "check", "--property", "unreach-call", "p.c") // waits for somebody to write
	for range 1000 {
		require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
		time.Sleep(10 * time.Millisecond)
		if syscall.Kill(cmd.Process.Pid, 0) != nil || isZombie(cmd.Process.Pid) {
			break
		}
	}
	require.Equal(t, -1, status(t, cmd))
	require.Empty(t, out.String()+stderr.String())
}

func isZombie(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(text), ") Z ")
}

// TestInterruptedTools: the workbench, drawings and the shell end in good order
// as well, and write whole files or none.
func TestInterruptedTools(t *testing.T) {
	sample.Long(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "long.aut"), []byte(chain(200_000)), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.c"), []byte(endless), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "s.magus"),
		[]byte("set property unreach-call\nload p.c\nrun\nexpect verdict conforms\n"), 0o666))
	for i, args := range [][]string{
		{"lts", "minimize", "--relation", "weak-bisim", "long.aut", "-o", "out.aut"},
		{"lts", "compare", "--relation", "trace", "long.aut", "long.aut"},
		{"lts", "compose", "long.aut", "long.aut", "-o", "out.aut"},
		{"lts", "convert", "--determinize", "long.aut", "-o", "out.dot"},
		{"lts", "trace", "--to-deadlock", "long.aut"},
		{"dot", "mp", "p.c", "--property", "unreach-call", "--run"},
		{"run", "s.magus"},
	} {
		if sample.LeftOut(i, 3) {
			continue
		}
		for _, delay := range []time.Duration{20, 100, 300} {
			t.Run(fmt.Sprintf("%s/%dms", strings.Join(args[:2], " "), delay), func(t *testing.T) {
				t.Parallel()
				cmd, out, stderr := start(t, dir, args...)
				time.Sleep(delay * time.Millisecond)
				require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
				switch got := status(t, cmd); got {
				case -1: // it had not begun
				case 0:
					require.NotContains(t, out.String(), "unknown")
				default:
					require.Equal(t, 3, got, "%s%s", out, stderr)
					require.Contains(t, out.String()+stderr.String(), "interrupted")
				}
			})
		}
	}
	t.Cleanup(func() {
		left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
		require.NoError(t, err)
		require.Empty(t, left)
	})
}

// TestKilledSolver: when the decision procedure's process dies in the middle,
// the verdict is unknown and says why.
func TestKilledSolver(t *testing.T) {
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("z3 is not installed")
	}
	cmd, out, stderr := start(t, program(t), "check", "--solver", "z3", "--property", "unreach-call", "p.c")
	killed := false
	for range 500 {
		time.Sleep(10 * time.Millisecond)
		if child := childOf(cmd.Process.Pid); child != 0 {
			time.Sleep(50 * time.Millisecond)
			killed = syscall.Kill(child, syscall.SIGKILL) == nil
			break
		}
	}
	require.True(t, killed, "no process to kill: %s", stderr)
	require.Equal(t, 3, status(t, cmd), "%s%s", out, stderr)
	require.Contains(t, out.String(), "unknown")
	require.Contains(t, out.String(), "solver z3")
	groupIsGone(t, cmd.Process.Pid)
}

// childOf is a child of a process that is z3, or 0.
func childOf(pid int) int {
	tasks, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	for _, f := range tasks {
		text, _ := os.ReadFile(f)
		for _, child := range strings.Fields(string(text)) {
			if name, _ := os.ReadFile("/proc/" + child + "/comm"); strings.TrimSpace(string(name)) == "z3" {
				n, _ := strconv.Atoi(child)
				return n
			}
		}
	}
	return 0
}

// TestLimitsEnd: a time limit and a memory limit end in unknown.
func TestLimitsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for _, limit := range [][]string{{"--timeout", "300ms"}, {"--memory-limit", "24MiB"}} {
		cmd, out, stderr := start(t, program(t),
			append([]string{"check", "--stats", "--property", "unreach-call", "p.c"}, limit...)...)
		require.Equal(t, 3, status(t, cmd), "%s%s", out, stderr)
		require.Contains(t, out.String(), "main: error never happens: unknown")
		require.Contains(t, out.String(), "peak memory", "statistics")
	}
}

// TestMemoryIsBounded: a limit of memory holds for what the system counts, but
// for the program's own text, and the end comes soon.
func TestMemoryIsBounded(t *testing.T) {
	sample.Long(t)
	dir := t.TempDir()
	for i, name := range []string{"a.aut", "b.aut"} {
		text := strings.ReplaceAll(chain(4000), "\"a", fmt.Sprintf("\"%c", 'x'+i)) // no action in common
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	cmd, out, stderr := start(t, dir, "lts", "compose", "--memory-limit", "64MiB", "a.aut", "b.aut", "-o", "out.aut")
	most := peakOf(cmd) // what wait says is at least what this process has
	require.Equal(t, 3, status(t, cmd), "%s%s", out, stderr)
	require.Equal(t, "unknown: more memory needed than the limit of 64.0 MiB\n", out.String())
	require.Less(t, <-most, 160<<10, "KiB")
	require.NoFileExists(t, filepath.Join(dir, "out.aut"))
}

// TestDiskFull: an output that cannot be written is an error.
func TestDiskFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.c"), []byte("int main(void) { return 0; }"), 0o666))
	cmd, _, _ := start(t, dir, "check", "--certificate", "out.json", "--property", "unreach-call", "p.c")
	require.Equal(t, 0, status(t, cmd))
	for _, args := range [][]string{
		{"check", "--property", "unreach-call", "p.c"},
		{"check", "--json", "--property", "unreach-call", "p.c"},
		{"verify-certificate", "out.json", "--property", "unreach-call", "p.c"},
	} {
		cmd := &exec.Cmd{Path: os.Args[0], Args: append([]string{"magus"}, args...), Dir: dir, Stdout: full}
		require.NoError(t, cmd.Start())
		require.Equal(t, 2, status(t, cmd), args)
	}
	for _, args := range [][]string{
		{"check", "--certificate", "/dev/full", "--property", "unreach-call", "p.c"},
		{"check", "--certificate", "no/such/folder.json", "--property", "unreach-call", "p.c"},
	} {
		cmd, _, stderr := start(t, dir, args...)
		require.Equal(t, 2, status(t, cmd), args)
		require.NotEmpty(t, stderr.String())
	}
}
