//go:build unix

package main

import (
	"bytes"
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

// chain is an LTS of n states as Aldebaran text.
func chain(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "des (0, %d, %d)\n", n-1, n)
	for i := range n - 1 {
		fmt.Fprintf(&b, "(%d,\"a%d\",%d)\n", i, i%7, i+1)
	}
	return b.String()
}

// shell runs magus as a POSIX shell is told, and returns the exit status.
func shell(t *testing.T, dir, script string) (code int, out, stderr string) {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	program, err := exec.LookPath("magus")
	require.NoError(t, err)
	var o, e bytes.Buffer
	cmd := &exec.Cmd{Path: sh, Args: []string{"sh", "-c", script}, Dir: dir, Stdout: &o, Stderr: &e,
		Env:         append(os.Environ(), "MAGUS_TEST="+dir, "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH")),
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true}}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	code = status(t, cmd)
	groupIsGone(t, cmd.Process.Pid)
	nobodyIsLeft(t, "MAGUS_TEST="+dir)
	return code, o.String(), e.String()
}

// nobodyIsLeft waits until no process has a variable, where that can be seen.
func nobodyIsLeft(t *testing.T, variable string) {
	t.Helper()
	left := ""
	for range 200 {
		left = ""
		environments, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, name := range environments {
			text, _ := os.ReadFile(name)
			if bytes.Contains(append([]byte("\x00"), text...), []byte("\x00"+variable+"\x00")) {
				left = name
			}
		}
		if left == "" {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.Empty(t, left, "a process is left behind")
}

// TestOutputs: where the output goes, and what becomes of it if it cannot.
func TestOutputs(t *testing.T) {
	const harmless = "int x, *p = &x; int main(void) { return *p; }"
	check := "magus check --property unreach-call p.c "
	for i, c := range []struct {
		name, script string
		want         int
		stderr       string
	}{
		{"reader leaves", check + "-v | head -c 1 >first; magus lts convert long.aut | head -c 1", 0, ""},
		{"standard output is closed", check + ">&-", 0, ""},
		{"standard error is closed", check + "2>&-", 0, ""},
		{"both are closed", check + ">&- 2>&-", 0, ""},
		{"standard input is closed", "magus repl <&-", 0, ""},
		{"no room for help", "magus help >/dev/full", 2, "no space left"},
		{"no room for an LTS", "magus lts convert long.aut >/dev/full", 2, "no space left"},
		{"no room for a comparison", "magus lts compare long.aut long.aut >/dev/full", 2, "no space left"},
		{"no room for a drawing", "magus dot cfa p.c --property unreach-call >/dev/full", 2, "no space left"},
		{"no room for the shell", "echo help | magus repl >/dev/full", 2, "no space left"},
		{"no room for pointers", "magus pointsto p.c >/dev/full", 2, "no space left"},
		{"a folder", "magus lts convert --to aut long.aut -o folder", 2, "folder: is a directory"},
		{"below a file", "magus lts convert long.aut -o p.c/x.aut", 2, "p.c/x.aut: not a directory"},
		{"nowhere", check + "--certificate none/out.json", 2, "none/out.json: no such folder"},
		{"a file that is too large", "ulimit -f 8; magus lts convert long.aut -o kept.aut", 2, "kept.aut: file too large"},
		{"standard output that is too large", "ulimit -f 8; magus lts convert long.aut >large", 2, "file too large"},
		{"a link", "magus lts convert short.aut -o link.aut", 0, ""},
		{"a file of one's own", "magus lts convert short.aut -o own.aut", 0, ""},
		{"a new file", "umask 027; magus lts convert short.aut -o new.aut", 0, ""},
	} {
		if sample.LeftOut(i, 3) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(c.script, "/dev/full") {
				if _, err := os.Stat("/dev/full"); err != nil {
					t.Skip("no /dev/full here")
				}
			}
			dir := t.TempDir()
			write := func(name, text string, mode os.FileMode) {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), mode))
			}
			read := func(name string) string {
				text, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				return string(text)
			}
			mode := func(name string) os.FileMode {
				info, err := os.Lstat(filepath.Join(dir, name))
				require.NoError(t, err)
				return info.Mode()
			}
			write("p.c", harmless, 0o600)
			write("long.aut", chain(20_000), 0o600)
			write("short.aut", chain(3), 0o600)
			write("kept.aut", chain(2), 0o600)
			write("own.aut", "", 0o600)
			write("target.aut", "", 0o644)
			require.NoError(t, os.Symlink("target.aut", filepath.Join(dir, "link.aut")))
			require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))

			status, out, stderr := shell(t, dir, c.script)
			require.Equal(t, c.want, status, "%s%s", out, stderr)
			require.Contains(t, stderr, c.stderr)
			require.LessOrEqual(t, strings.Count(stderr, "\n"), 2, stderr)

			require.Equal(t, chain(2), read("kept.aut"), "what was there stays")
			switch {
			case strings.Contains(c.script, "link.aut"):
				require.Equal(t, chain(3), read("target.aut"))
				require.NotZero(t, mode("link.aut")&os.ModeSymlink, "it stays a link")
			case strings.Contains(c.script, "own.aut"):
				require.Equal(t, chain(3), read("own.aut"))
				require.Equal(t, os.FileMode(0o600), mode("own.aut"), "nobody else may read it")
			case strings.Contains(c.script, "new.aut"):
				require.Equal(t, os.FileMode(0o640), mode("new.aut"))
			}
			left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
			require.NoError(t, err)
			require.Empty(t, left, "no temporary file")
		})
	}
}

// TestFullDisk fills a file system of 64 KiB.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, 0)) })
	from := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(from, "long.aut"), []byte(chain(20_000)), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "out.aut"), []byte(chain(2)), 0o666))
	status, out, stderr := shell(t, from, "magus lts convert long.aut -o "+filepath.Join(dir, "out.aut"))
	require.Equal(t, 2, status, "%s%s", out, stderr)
	require.Contains(t, stderr, "out.aut: no space left on device")
	text, err := os.ReadFile(filepath.Join(dir, "out.aut"))
	require.NoError(t, err)
	require.Equal(t, chain(2), string(text))
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1, "no temporary file")
}

// TestTwoWriters: of several that write one file at the same time, the file is
// at any time what one of them wrote.
func TestTwoWriters(t *testing.T) {
	dir := t.TempDir()
	texts := map[string]bool{}
	var script strings.Builder
	for i := range 4 {
		name := fmt.Sprintf("in%d.aut", i)
		text := chain(1000 * (i + 1))
		texts[text] = true
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
		fmt.Fprintf(&script, "(for k in 1 2 3; do magus lts convert %s -o out.aut || echo failed; done) &\n", name)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, out, stderr := shell(t, dir, script.String()+"wait")
		require.Empty(t, out+stderr)
	}()
	for seen := 0; ; seen++ {
		text, err := os.ReadFile(filepath.Join(dir, "out.aut"))
		require.True(t, os.IsNotExist(err) || texts[string(text)], "%d bytes", len(text))
		select {
		case <-done:
			files, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
			require.NoError(t, err)
			require.Empty(t, files)
			require.Positive(t, seen)
			return
		default:
		}
	}
}
