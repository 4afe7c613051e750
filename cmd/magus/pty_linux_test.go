package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A terminal is the other end of a pseudo-terminal on which the program runs.
type terminal struct {
	t    *testing.T
	file *os.File
	mu   sync.Mutex
	seen bytes.Buffer // all that was printed
	from int          // what of it is still to be expected
}

// openTerminal starts the program on a pseudo-terminal of its own.
func openTerminal(t *testing.T, dir string, env []string, args ...string) (*terminal, *exec.Cmd) {
	t.Helper()
	return openTerminalOf(t, 120, dir, env, args...)
}

// openTerminalOf has a terminal of so many columns.
func openTerminalOf(t *testing.T, columns uint16, dir string, env []string, args ...string) (*terminal, *exec.Cmd) {
	t.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { control.Close() })
	ioctl := func(request uintptr, arg unsafe.Pointer) {
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, control.Fd(), request, uintptr(arg))
		require.Zero(t, errno)
	}
	var number, unlock int32
	ioctl(syscall.TIOCSPTLCK, unsafe.Pointer(&unlock))
	ioctl(syscall.TIOCGPTN, unsafe.Pointer(&number))
	size := [4]uint16{40, columns}
	ioctl(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	defer tty.Close()
	cmd := &exec.Cmd{Path: os.Args[0], Args: append([]string{"magus"}, args...), Dir: dir,
		Env:   append(os.Environ(), env...),
		Stdin: tty, Stdout: tty, Stderr: tty, SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true}}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	x := &terminal{t: t, file: control}
	go x.read()
	return x, cmd
}

func (x *terminal) read() {
	buf := make([]byte, 4096)
	for {
		n, err := x.file.Read(buf)
		x.mu.Lock()
		x.seen.Write(buf[:n])
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// escapes are what moves the cursor and the like.
var escapes = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]|\x07|\r|\x00`)

// expect waits until something is printed after what was expected before.
func (x *terminal) expect(pattern string) {
	x.t.Helper()
	re := regexp.MustCompile(pattern)
	text := ""
	for range 6000 {
		x.mu.Lock()
		text = escapes.ReplaceAllString(x.seen.String(), "")
		x.mu.Unlock()
		if at := re.FindStringIndex(text[min(x.from, len(text)):]); at != nil {
			x.from += at[1]
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.Failf(x.t, "not printed", "%s in %q", pattern, text[min(x.from, len(text)):])
}

func (x *terminal) write(text string) {
	x.t.Helper()
	_, err := io.WriteString(x.file, text)
	require.NoError(x.t, err)
}

// TestTerminalWidth: what is printed on a terminal is no wider than it, and has colours
// unless the environment says otherwise; a shell's line of progress is taken away.
func TestTerminalWidth(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../examples/many")))
	for _, columns := range []uint16{80, 120} {
		for _, env := range []string{"TERM=xterm", "NO_COLOR=1"} {
			x, cmd := openTerminalOf(t, columns, dir, []string{"TERM=xterm", env}, "check", "readers_bad.c", "readers.spec")
			x.expect(`program reader\*, writer\*, server, specification exclusive: violates`)
			x.expect(`step +1 2 3 4 `)
			x.expect(`o-----o +1`)
			x.expect(`> 46 .* read`)
			x.expect(`accept_done\s+are\s+assumed`)
			require.Equal(t, 1, exitOf(cmd))
			x.mu.Lock()
			seen := x.seen.String()
			x.mu.Unlock()
			require.Equal(t, env != "NO_COLOR=1", strings.Contains(seen, "\x1b[1;31m"), env)
			for line := range strings.Lines(escapes.ReplaceAllString(seen, "")) {
				require.LessOrEqual(t, len(strings.TrimRight(line, "\n")), int(columns), line)
			}
		}
	}
}

// exitOf waits for the end of a command and gives its status.
func exitOf(cmd *exec.Cmd) int {
	_ = cmd.Wait() // the status says it
	return cmd.ProcessState.ExitCode()
}

// TestTerminal types: completion, a phase that takes long and is interrupted, a
// search in the history, the end of input.
func TestTerminal(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"client.c", "server.c", "messages.h", "lib.spec", "p10.spec"} {
		text, err := os.ReadFile(filepath.Join("../../examples/handshake", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	history := filepath.Join(dir, "history")
	x, cmd := openTerminal(t, dir, []string{"MAGUS_HISTORY=" + history, "TERM=xterm"}, "repl",
		"--action-abstraction", "off", "--all-orders")
	x.expect(`help lists the commands, exit leaves`)
	x.expect(`magus> `)
	x.write("loa\tcli\tser\tlib\tp1\t")
	x.expect(`load client\.c server\.c lib\.spec p10\.spec `)
	x.write("\r")
	x.expect(`server: \d+ locations`)
	x.expect(`magus> `)

	// Level two is off, and so is the reduction: the product is too large to wait for.
	x.write("run -v\r")
	x.expect(`MP of client has \d+ states`)
	x.expect(`iteration \d+, [a-zA-Z ]+, states \d+\+\d+, \d+ predicates?, `)
	for range 100 { // there are small products before
		x.write("\x03")
		time.Sleep(100 * time.Millisecond)
		x.mu.Lock()
		stopped := bytes.Contains(x.seen.Bytes(), []byte("interrupted during"))
		x.mu.Unlock()
		if stopped {
			break
		}
	}
	x.expect(`interrupted during [a-zA-Z ]+; the session is as it was before`)
	x.write("info\r")
	x.expect(`next +[a-zA-Z ]+, in iteration \d+`)
	x.expect(`magus> `)

	x.write("set action-abstraction on\r")
	x.expect(`reload begins a session with it`)
	x.write("reload\rnext\r")
	x.expect(`refine [a-z]+ +(client|server): `)
	x.expect(`magus> `)

	// Control-C gives up a line, also behind a list of candidates, control-R searches, an empty line repeats.
	x.write("nonsense\x03")
	x.expect(`magus> `)
	x.write("s\t")
	x.expect(`stats +step`)
	x.write("\x03")
	x.expect(`\^C`)
	x.expect(`magus> `)
	x.write("\x12inf\r")
	x.expect(`strategy +exact, two levels`)
	x.expect(`magus> `)
	x.write("step\r")
	x.expect(`(abstract|verify)`)
	x.expect(`magus> `)
	x.write("\r")
	x.expect(`(abstract|verify|validate)`)
	x.expect(`magus> `)

	// An interrupt between commands, as one that comes late, is not the end.
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	time.Sleep(100 * time.Millisecond)
	x.write("info\r")
	x.expect(`next +[a-zA-Z ]+, in iteration \d+`)
	x.expect(`magus> `)

	x.write("\x04")
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-time.After(30 * time.Second):
		require.Fail(t, "control-D does not leave", x.seen.String())
	}
	text, err := os.ReadFile(history)
	require.NoError(t, err)
	require.Contains(t, string(text), "set action-abstraction on\n")
}

// TestTerminalLooks: on a terminal tables keep to its width and there are colours,
// unless NO_COLOR asks for none.
func TestTerminalLooks(t *testing.T) {
	printed := func(env ...string) string {
		x, cmd := openTerminal(t, "../../examples/pipeline", append(env, "TERM=xterm"), "check", "producer.c",
			"consumer.c", "link.spec", "strict.spec")
		x.expect(`assumed, not checked:`)
		_ = cmd.Wait()
		x.mu.Lock()
		defer x.mu.Unlock()
		text, _, _ := bytes.Cut(x.seen.Bytes(), []byte("assumed, not checked"))
		return string(text)
	}
	colours := printed("NO_COLOR=")
	require.Contains(t, colours, "\x1b[1;31mviolates\x1b[0m")
	plain := printed("NO_COLOR=1")
	require.Contains(t, plain, "> 14")
	for line := range bytes.Lines([]byte(escapes.ReplaceAllString(plain, ""))) {
		require.LessOrEqual(t, len([]rune(string(line))), 121)
	}
	require.NotContains(t, plain, "\x1b[1;31m")
}
