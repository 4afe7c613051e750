package cli_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/internal/sample"
)

// A webShell is a shell at a pipe with a page.
type webShell struct {
	t       *testing.T
	address string // with the token
	in      io.WriteCloser
	out     *written
	status  chan int
}

// written is what a shell prints, while it does.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements [io.Writer].
func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// openWeb opens a shell with --web in a folder.
func openWeb(t *testing.T, dir string, args ...string) *webShell {
	t.Helper()
	return openShell(t, dir, append([]string{"repl", "--web"}, args...)...)
}

// openShell executes a command with --web in a folder.
func openShell(t *testing.T, dir string, args ...string) *webShell {
	t.Helper()
	w, _, _ := testWorld(dir)
	r, in := io.Pipe()
	x := &webShell{t: t, in: in, out: &written{}, status: make(chan int, 1)}
	w.Stdin, w.Stdout, w.Stderr = r, x.out, x.out
	go func() { x.status <- cli.Main(t.Context(), args, w) }()
	t.Cleanup(func() { in.Close() })
	require.Eventually(t, func() bool { return strings.Contains(x.out.String(), "/?token=") }, time.Minute,
		5*time.Millisecond, x.out)
	x.address = regexp.MustCompile(`http://\S+`).FindString(x.out.String())
	return x
}

// typed types a line at the terminal.
func (x *webShell) typed(line string) {
	_, err := io.WriteString(x.in, line+"\n")
	require.NoError(x.t, err)
}

// prints waits until the terminal shows a text.
func (x *webShell) prints(text string) {
	x.t.Helper()
	require.Eventually(x.t, func() bool { return strings.Contains(x.out.String(), text) }, time.Minute,
		5*time.Millisecond, text)
}

// ends waits for the exit status.
func (x *webShell) ends() int {
	select {
	case status := <-x.status:
		return status
	case <-time.After(time.Minute):
		require.FailNow(x.t, "the shell does not end")
		return 0
	}
}

// asks sends a request as a page does, with the token in a header.
func (x *webShell) asks(method, path, body string) (status int, text string) {
	x.t.Helper()
	base, token, _ := strings.Cut(x.address, "/?token=")
	r, err := http.NewRequestWithContext(x.t.Context(), method, base+path, strings.NewReader(body))
	require.NoError(x.t, err)
	r.Header.Set("X-Magus-Token", token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	require.NoError(x.t, err)
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	require.NoError(x.t, err)
	return answer.StatusCode, string(all)
}

// The terminal and the page are shells of one session: each sees what the other does, and either can leave.
func TestWebSharesSession(t *testing.T) {
	x := openWeb(t, "../../examples/lock", "lock.c", "lock.spec")
	x.prints("drain: 16 locations")
	x.typed("step")
	x.prints("MP of drain has 25 states")
	require.Eventually(t, func() bool {
		_, text := x.asks("GET", "/api/state", "")
		return strings.Contains(text, `"from":"terminal","text":"abstract data`) && strings.Contains(text, `"moment":1,`)
	}, time.Minute, time.Millisecond)
	status, _ := x.asks("POST", "/api/do", `{"line":"run"}`)
	require.Equal(t, http.StatusAccepted, status)
	x.prints("page> run")
	x.prints("conforms")
	x.typed("expect conforms")
	require.Eventually(t, func() bool {
		status, _ = x.asks("POST", "/api/do", `{"line":"exit 7"}`)
		return status == http.StatusAccepted
	}, time.Minute, time.Millisecond)
	require.Equal(t, 7, x.ends())
}

// Leaving the shell at the terminal ends the server.
func TestWebEndsWithShell(t *testing.T) {
	x := openWeb(t, "../../examples/lock", "lock.c", "lock.spec")
	x.typed("exit 3")
	require.Equal(t, 3, x.ends())
	_, err := http.Get(x.address)
	require.Error(t, err)
}

// Long work is stopped from the page, and the session stays.
func TestWebStops(t *testing.T) {
	x := openWeb(t, "../../examples/handshake", "client.c", "server.c", "lib.spec", "p03.spec")
	x.prints("server: ")
	require.Eventually(t, func() bool {
		status, _ := x.asks("POST", "/api/do", `{"line":"check"}`)
		return status == http.StatusAccepted
	}, time.Minute, time.Millisecond)
	require.Eventually(t, func() bool {
		status, _ := x.asks("POST", "/api/do", `{"line":"info"}`)
		if status != http.StatusConflict {
			return true // it has ended already
		}
		_, text := x.asks("POST", "/api/stop", "")
		return strings.Contains(text, "true")
	}, time.Minute, time.Millisecond)
	require.Eventually(t, func() bool {
		status, _ := x.asks("POST", "/api/do", `{"line":"info"}`)
		return status == http.StatusAccepted
	}, time.Minute, time.Millisecond)
	x.prints("strategy")
	x.typed("exit")
	require.Zero(t, x.ends())
}

// An example comes along; the script of a session that a page exports leads to the same phases.
func TestWebScriptReplays(t *testing.T) {
	dir := t.TempDir()
	x := openWeb(t, dir, "--example", "lock")
	x.prints("drain: 16 locations")
	for _, line := range []string{"until counterexample", "pred add more == 0", "step 2", "run", "expect conforms"} {
		x.typed(line)
	}
	x.typed("web")
	x.prints("in a browser: " + x.address + "\nprocedure")
	require.Eventually(t, func() bool {
		_, text := x.asks("GET", "/api/state", "")
		return strings.Contains(text, `"command":"web"`)
	}, time.Minute, time.Millisecond)
	_, text := x.asks("GET", "/api/state", "")
	require.Contains(t, text, `"verdict":"conforms"`)
	_, script := x.asks("GET", "/api/script", "")
	x.typed("exit")
	require.Zero(t, x.ends())
	for _, name := range []string{"lock.c", "lock.spec"} {
		raw, err := os.ReadFile("../../examples/lock/" + name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), raw, 0o600))
	}
	file := filepath.Join(dir, "session.magus")
	require.NoError(t, os.WriteFile(file, []byte(script+"expect conforms\nhistory\n"), 0o600))
	w, out, stderr := testWorld(dir)
	require.Zero(t, cli.Main(t.Context(), []string{"run", "session.magus"}, w), stderr)
	require.Contains(t, out.String(), "pred add drain more == 0")
}

// Flags that do not go together, and addresses that nothing can listen at.
func TestWebFlags(t *testing.T) {
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"--listen", "127.0.0.1:0"}, "--listen is for --web"},
		{[]string{"--no-browser"}, "--no-browser is for --web"},
		{[]string{"--web", "--listen", "nonsense"}, "--listen is HOST:PORT"},
		{[]string{"--example", "lok"}, "no example lok; did you mean lock?"},
		{[]string{"--example", "lock", "lock.c"}, "--example loads its own files"},
	} {
		w, _, stderr := testWorld("../../examples/lock")
		w.Stdin = io.NopCloser(strings.NewReader(""))
		require.Equal(t, 2, cli.Main(t.Context(), append([]string{"repl"}, test.args...), w))
		require.Contains(t, stderr.String(), test.says)
	}
}

// A question about whole runs has a report, and nothing that only threads have.
func TestWebOfWholeRuns(t *testing.T) {
	x := openWeb(t, "../../examples/retry", "client.c", "server.c", "retry.spec")
	x.typed("run")
	x.prints("then for ever")
	x.typed("echo done")
	x.prints("done")
	_, text := x.asks("GET", "/api/state", "")
	require.Contains(t, text, `"verdict":"violates"`)
	require.Contains(t, text,
		`"wholeRuns":true,"threads":"","events":"","reasons":"","clauses":0,"report":"program client, server: assert Answered`)
	require.Contains(t, text, `"round":true`)
	x.typed("exit")
	x.ends()
}

// The scripts of the page have no mistakes that node finds.
func TestWebScriptsAreSound(t *testing.T) {
	sample.Long(t)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node in PATH")
	}
	names, err := filepath.Glob("../web/page/*.js")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		raw, err := os.ReadFile(name)
		require.NoError(t, err)
		c := exec.CommandContext(t.Context(), node, "--input-type=module", "--check")
		c.Stdin = bytes.NewReader(raw)
		text, err := c.CombinedOutput()
		require.NoError(t, err, "%s: %s", name, text)
	}
}
