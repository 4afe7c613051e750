package cli_test

import (
	"bytes"
	"fmt"
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

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"magus/app/cli"
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
	w, _, _ := testWorld(dir)
	r, in := io.Pipe()
	x := &webShell{t: t, in: in, out: &written{}, status: make(chan int, 1)}
	w.Stdin, w.Stdout, w.Stderr = r, x.out, x.out
	go func() { x.status <- cli.Main(t.Context(), append([]string{"repl", "--web"}, args...), w) }()
	t.Cleanup(func() { in.Close() })
	require.Eventually(t, func() bool { return strings.Contains(x.out.String(), "/?token=") }, time.Minute,
		time.Millisecond, x.out)
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
		time.Millisecond, text)
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

// The page in a browser: acts by keys and buttons, a reload that comes back, two tabs that agree, no message on the
// console and no request elsewhere.
func TestWebInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	program := lookBrowser(t)
	for _, test := range []struct {
		name, dir string
		args      []string
		panes     int
	}{
		{"lock", "../../examples/lock", []string{"lock.c", "lock.spec"}, 8},
		{"violates", "../../examples/lock", []string{"lock_bad.c", "lock.spec"}, 8},
		{"handshake", "../../examples/handshake", []string{"client.c", "server.c", "lib.spec", "p03.spec"}, 10},
		{"mutex", "../../examples/mutex", []string{"mutex_lock.c", "mutex.spec"}, 8},
		{"unknown", "../../examples/limits", []string{"--property", "unreach-call", "wide.c"}, 8},
		{"nothing", "../../examples/lock", nil, 8},
		{"scheduler", "testdata", []string{"--property", "unreach-call", "tokens.c"}, 8},
		{"any number", "../../examples/many", []string{"readers_bad.c", "readers.spec"}, 12},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := openWeb(t, test.dir, test.args...)
			b := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
			b.until(`document.querySelectorAll(".pane").length >= 2`)
			require.False(t, b.is(`location.href.includes("token")`))
			if test.args == nil {
				b.until(`document.getElementById("about").textContent.includes("nothing is loaded")`)
				x.typed("load lock.c lock.spec")
			}
			b.until(fmt.Sprintf(`document.querySelectorAll(".pane").length === %d`, test.panes))
			b.press("s")
			b.until(`document.getElementById("time-text").textContent.startsWith("1 of 1")`)
			x.prints("page> step")
			b.until(`document.querySelector(".pane .sheet svg .node")`)
			b.idle()
			b.press("r")
			b.until(`["conforms", "violates", "unknown"].includes(document.getElementById("verdict").textContent)`)
			b.idle()
			b.press("b")
			b.until(`!["conforms", "violates", "unknown"].includes(document.getElementById("verdict").textContent)`)
			b.idle()
			before := b.text(`document.getElementById("time-text").textContent`)
			b.run("location.reload()")
			b.until(fmt.Sprintf(`document.getElementById("time-text").textContent === %q`, before))
			second := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
			second.until(fmt.Sprintf(`document.getElementById("time-text").textContent === %q`, before))
			second.run(`document.querySelector('button[data-line="forward"]').click()`)
			b.until(`document.getElementById("time-text").textContent !== ` + fmt.Sprintf("%q", before))
			b.until(`document.getElementById("busy").textContent === ""`)
			require.Equal(t, second.text(`document.getElementById("time-text").textContent`),
				b.text(`document.getElementById("time-text").textContent`))
			x.typed("exit")
			b.until(`document.getElementById("busy").textContent.includes("magus does not answer")`)
			require.Zero(t, x.ends())
			b.quietBut("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET")
		})
	}
}

// A session that is clicked, from nothing to a verdict: the script that the button gives is saved by the
// browser, and performed by magus run it has the same moments.
func TestWebClickedSessionReplays(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	program := lookBrowser(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../examples/handshake")))
	x := openWeb(t, dir)
	b := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
	b.until(`document.getElementById("about").textContent.includes("nothing is loaded")`)
	x.typed("load client.c server.c lib.spec p03.spec")
	b.until(`document.querySelectorAll(".pane").length === 10`)
	b.run(`URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return "#"; }`)
	click := func(selector, prints string) {
		t.Helper()
		b.idle()
		b.clicks(selector)
		x.prints("page> " + prints)
		b.idle()
	}
	act := func(line string) {
		t.Helper()
		click(fmt.Sprintf("button.act[data-line=%q]", line), line)
	}
	act("step")
	act("until spurious")
	act("trace")
	click(`#pane-component-client .inner button[title^="pred add"]`, "pred add client")
	act("next")
	act("back")
	act("until counterexample")
	act("run")
	b.until(`document.getElementById("verdict").textContent === "conforms"`)
	b.run(`[...document.querySelectorAll("button")].find((e) => e.textContent === "script").click()`)
	b.until(`window.saved`)
	script := b.text(`window.saved`)
	b.quiet()
	x.typed("echo as clicked:")
	x.typed("history")
	x.typed("exit")
	require.Zero(t, x.ends())

	file := filepath.Join(dir, "session.magus")
	script += "expect conforms\necho as clicked:\nhistory\n"
	require.NoError(t, os.WriteFile(file, []byte(script), 0o600))
	w, out, stderr := testWorld(dir)
	require.Zero(t, cli.Main(t.Context(), []string{"run", file}, w), stderr)
	want := momentsIn(x.out.String())
	require.Greater(t, len(want), 10)
	require.Equal(t, want, momentsIn(out.String()))
}

// momentsIn are the lines of a history that a shell has printed last, without the times.
func momentsIn(printed string) (moments []string) {
	_, last, _ := strings.Cut(printed, "as clicked:\n")
	for line := range strings.Lines(last) {
		if strings.Contains(line, "expectations met") {
			break
		}
		moments = append(moments, regexp.MustCompile(`\s+[0-9.]+ ?m?s\b.*`).ReplaceAllString(line, ""))
	}
	return moments
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

// The run that violates a claim is shown step by step, and drawn: by threads, by who waits for
// whom; and what is done for ever.
func TestWebShowsRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	program := lookBrowser(t)
	for _, test := range []struct {
		name, dir string
		args      []string
		shows     []string // selectors in the pane
	}{
		{"threads", "../../examples/threads", []string{"queue_if.c", "queue.spec"}, []string{"svg .node", "tr.bad"}},
		{"deadlock", "../../examples/philosophers", []string{"--property", "no-deadlock", "left.c", "forks.c", "table.spec"},
			[]string{"svg .node", "p[data-at]"}},
		{"for ever", "../../examples/retry", []string{"client.c", "server.c", "retry.spec"}, []string{"tr.round"}},
		{"trace", "../../examples/lock", []string{"lock_bad.c", "lock.spec"}, []string{"tr.bad"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := openWeb(t, test.dir, test.args...)
			b := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
			b.until(`document.querySelector("#pane-run .note")`)
			x.typed("run")
			b.until(`document.getElementById("verdict").textContent === "violates"`)
			for _, selector := range test.shows {
				b.until(fmt.Sprintf("document.querySelector(%q)", "#pane-run "+selector))
			}
			b.clicks("#pane-run tbody tr[data-at]")
			b.until(`document.querySelector("#pane-source tr.picked.visited")`)
			b.idle()
			b.audit(test.name)
			x.typed("exit")
			x.ends()
			b.quietBut("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET")
		})
	}
}

// Whoever has no mouse reaches boxes, what can be done with them, and the line.
func TestWebByKeyboard(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	program := lookBrowser(t)
	x := openWeb(t, "../../examples/lock", "lock.c", "lock.spec")
	b := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
	b.until(`document.querySelectorAll(".pane").length === 8`)
	tabTo := func(selector string) {
		t.Helper()
		for range 200 {
			b.press(kb.Tab)
			if b.is(fmt.Sprintf(`document.activeElement.matches(%q)`, selector)) {
				return
			}
		}
		require.FailNow(t, "Tab does not reach "+selector)
	}
	tabTo(`button.act[data-line="step"]`)
	b.press(kb.Enter)
	x.prints("page> step")
	b.idle()
	tabTo("#line")
	b.press("until spurious")
	b.press(kb.Enter)
	x.prints("page> until spurious")
	b.press(kb.Escape)
	b.idle()
	b.until(`document.querySelector("#pane-component-drain svg .node[data-places]")`)
	tabTo(`#pane-component-drain svg .node[data-places]:not([data-places="[]"]):not([data-numbers="[]"])`)
	b.press(kb.Enter)
	b.until(`document.querySelector(".lines tr.picked") && document.querySelector("#pane-component-drain .about button")`)
	tabTo("#pane-component-drain .about button")
	line := b.text(`document.activeElement.title`)
	require.NotEmpty(t, line)
	b.press(kb.Enter)
	x.prints("page> " + line)
	b.idle()
	b.press("r")
	b.until(`document.getElementById("verdict").textContent === "conforms"`)
	b.idle()
	b.quiet()
	x.typed("exit")
	require.Zero(t, x.ends())
}

// The reasons of a search of threads are drawn, one at a time: its events, and the cycle in red.
func TestWebDrawsReasons(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	program := lookBrowser(t)
	x := openWeb(t, "testdata", "--property", "unreach-call", "--order", "refine", "counted.c")
	b := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
	b.until(`document.querySelector("#pane-threads details") && !document.querySelector("#reason")`)
	b.press("s")
	b.idle()
	b.press("s")
	b.until(`document.querySelector("#reason svg .node") && document.querySelector("#reason svg .hot")`)
	b.idle()
	before := b.text(`document.querySelector("#reason svg").outerHTML`)
	b.run(`(() => { const e = document.querySelector("#reason input[type=number]"); e.value = 2; ` +
		`e.dispatchEvent(new Event("change")); })()`)
	b.until(fmt.Sprintf(`document.querySelector("#reason svg").outerHTML !== %q`, before))
	b.picture("reasons", 1600, 1300)
	b.press("r")
	b.until(`document.getElementById("verdict").textContent === "conforms"`)
	b.idle()
	b.quiet()
	x.typed("exit")
	require.Zero(t, x.ends())
}

// until waits until something is true on the page.
func (b *browser) until(script string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool { // while another page is loaded there is nothing to ask
		ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+script+")"))
		return err == nil && ok
	}, 20*time.Second, 20*time.Millisecond, script)
}

// quietBut requires that the page asked for nothing elsewhere and said nothing but what comes of a server
// that has ended.
func (b *browser) quietBut(allowed ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.messages {
		require.Condition(b.t, func() bool {
			for _, a := range allowed {
				if strings.Contains(m, a) {
					return true
				}
			}
			return false
		}, m)
	}
	require.Empty(b.t, b.requests)
}

// The scripts of the page have no mistakes that node finds.
func TestWebScriptsAreSound(t *testing.T) {
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

// How long the page takes until there is something to see, and how often a second a drawing is shown while
// it is moved: figures of this machine, asked for by MAGUS_WEB_FIGURES.
func TestWebFigures(t *testing.T) {
	if os.Getenv("MAGUS_WEB_FIGURES") == "" {
		t.Skip("MAGUS_WEB_FIGURES is not set")
	}
	program := lookBrowser(t)
	x := openWeb(t, "../../examples/handshake", "client.c", "server.c", "lib.spec", "p03.spec")
	x.typed("run")
	x.typed("echo done")
	x.prints("done")
	begun := time.Now()
	b := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
	b.until(`document.querySelectorAll(".pane").length === 10`)
	t.Log("first view, with the start of the browser:", time.Since(begun).Round(time.Millisecond))
	b.run("location.reload()")
	b.until(`document.querySelector(".pane .sheet svg .node")`)
	t.Log("first view, by the browser, in ms:", b.text(`window.performance.getEntriesByName("first-contentful-paint")`+
		`.map((e) => Math.round(e.startTime))`))
	b.clicks("#pane-component-server .tabs [data-kind=cfa]")
	flag := `document.querySelectorAll("#pane-component-server .tools input")`
	b.run(flag + "[0].click()")
	b.run(flag + "[1].click()")
	time.Sleep(5 * time.Second)
	b.run(`(() => { const s = document.querySelector("#pane-component-server .sheet"); let n = 0; ` +
		`s.scrollIntoView(); ` +
		`const e = (name, x) => s.dispatchEvent(new PointerEvent(name, ` +
		`{button: 0, buttons: 1, clientX: x, clientY: 300})); ` +
		`e("pointerdown", 900); const from = performance.now(); ` +
		`const frame = () => { n++; e("pointermove", 900 - n % 200 * 4); const d = performance.now() - from; ` +
		`if (d < 3000) requestAnimationFrame(frame); else window.frames_ = 1000 * n / d; }; ` +
		`requestAnimationFrame(frame); })()`)
	b.until("window.frames_")
	t.Log("boxes:", b.number(`document.querySelectorAll("#pane-component-server svg .node").length`),
		"frames a second:", b.text("Math.round(window.frames_)"))
	x.typed("exit")
	x.ends()
}

// Pictures of the page, for those who look at it and for docs/web.md: MAGUS_WEB_PICTURES names the folder.
func TestWebPictures(t *testing.T) {
	folder := os.Getenv("MAGUS_WEB_PICTURES")
	if folder == "" {
		t.Skip("MAGUS_WEB_PICTURES names no folder")
	}
	program := lookBrowser(t)
	handshake := []string{"client.c", "server.c", "lib.spec", "p03.spec"}
	for _, test := range []struct {
		name, dir     string
		args          []string
		lines         []string
		script        string // of the page, before the picture
		width, height int64
		theme         string
	}{
		{"web-spurious", "../../examples/lock", []string{"lock.c", "lock.spec"}, []string{"until spurious"},
			`document.querySelector('tr[data-at="lock.c:29"]').click()`, 1600, 1300, "light"},
		{"web-components", "../../examples/handshake", handshake, []string{"until refine predicates", "until spurious"},
			"", 1600, 1300, "light"},
		{"web-dark", "../../examples/handshake", handshake, []string{"run", "goto 20"}, "", 1600, 1300, "dark"},
		{"web-tour", "../../examples/lock", []string{"--example", "lock"}, nil,
			`document.getElementById("tour-next").click()`, 1100, 900, "light"},
		{"narrow", "../../examples/handshake", handshake, []string{"until spurious"}, "", 1100, 1300, "dark"},
		{"violates", "../../examples/lock", []string{"lock_bad.c", "lock.spec"}, []string{"run"}, "", 1600, 1300, "light"},
		{"threads", "../../examples/threads", []string{"queue_if.c", "queue.spec"}, []string{"run"}, "", 1600, 1300, "light"},
		{"deadlock", "../../examples/philosophers", []string{"--property", "no-deadlock", "left.c", "forks.c",
			"table.spec"}, []string{"run"}, "", 1600, 2000, "light"},
	} {
		if only := os.Getenv("MAGUS_WEB_ONLY"); only != "" && only != test.name {
			continue
		}
		x := openWeb(t, test.dir, test.args...)
		for _, line := range test.lines {
			x.typed(line)
		}
		x.typed("echo done")
		x.prints("done")
		b := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
		_, err := chromedp.Run(b.ctx, chromedp.EmulateViewport(test.width, test.height))
		require.NoError(t, err)
		b.run(fmt.Sprintf("document.documentElement.dataset.theme = %q", test.theme))
		b.until(`document.querySelectorAll(".pane .sheet svg").length > 0 || document.getElementById("pane-threads")`)
		if test.script != "" {
			b.run(test.script)
		}
		time.Sleep(time.Second)
		picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, test.name+".png"), picture, 0o666))
		x.typed("exit")
		x.ends()
	}
}

// idle waits until no command runs.
func (b *browser) idle() {
	b.t.Helper()
	b.until(`document.getElementById("busy").textContent === "" && !document.documentElement.classList.contains("busy")`)
}

// clicks clicks at the first element of a selector.
func (b *browser) clicks(selector string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.querySelector(%q)", selector))
	b.run(fmt.Sprintf("document.querySelector(%q).dispatchEvent(new MouseEvent('click', {bubbles: true}))", selector))
}

// One selection in all panes; predicates, blocks, counterexamples and moments by buttons; commands by the
// line; drawings compared with another moment: all of them commands that the terminal shows.
func TestWebActsInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	program := lookBrowser(t)
	x := openWeb(t, "../../examples/handshake", "client.c", "server.c", "lib.spec", "p03.spec")
	b := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
	b.until(`document.querySelectorAll(".pane").length === 10`)

	b.press("p") // until spurious
	x.prints("page> until spurious")
	b.until(`document.querySelector("#pane-counterexample td[data-at]")`)
	b.idle()
	b.until(`document.querySelector("#pane-component-client svg .node[data-places]")`)
	b.clicks(`#pane-counterexample td[data-at]`)
	b.until(`document.querySelector(".lines tr.picked") && document.querySelector("#pane-component-client ` +
		`svg .node.picked")`)
	b.press(kb.Escape)
	b.until(`!document.querySelector(".picked")`)
	b.clicks(`#pane-component-client svg .node[data-places] text`)
	b.until(`document.querySelector(".lines tr.picked") && document.querySelector("#pane-component-client .about button")`)
	b.clicks(`#pane-component-client .about button`)
	x.prints("page> block client")
	b.idle()

	b.clicks(`#pane-component-client .inner button[title^="pred add"]`)
	x.prints("page> pred add client")
	x.prints("1 predicate now")
	b.idle()
	b.clicks(`#pane-component-client .inner button[title^="pred drop"]`)
	x.prints("page> pred drop client")
	b.idle()
	b.press("u")
	x.prints("page> until counterexample")
	b.until(`document.querySelector('#pane-counterexample button[title="choose 2"]')`)
	b.idle()
	b.clicks(`#pane-counterexample button[title="choose 2"]`)
	x.prints("page> choose 2")
	b.idle()

	b.clicks(`#pane-component-client svg .node[data-places] text`)
	b.until(`document.querySelector("#pane-component-client .about form input")`)
	b.run(`(() => { const f = document.querySelector("#pane-component-client .about form"); ` +
		`f.querySelector("input").value = "client_close"; f.requestSubmit(); })()`)
	x.prints("page> split client 0 client_close")
	b.idle()

	b.run(`(() => { document.getElementById("line").value = "run"; ` +
		`document.getElementById("command").requestSubmit(); })()`)
	x.prints("page> run")
	b.until(`document.getElementById("verdict").textContent === "conforms"`)
	b.idle()
	b.run(`(() => { const e = document.getElementById("time"); e.value = 2; e.dispatchEvent(new Event("change")); })()`)
	x.prints("page> goto 2")
	b.until(`document.getElementById("time-text").textContent.startsWith("2 of ")`)
	b.idle()
	b.press(kb.End)
	b.until(`document.getElementById("verdict").textContent === "conforms"`)
	b.idle()
	b.run(`(() => { const e = document.getElementById("since"); e.value = 1; e.dispatchEvent(new Event("change")); })()`)
	b.until(`document.querySelector("#pane-component-client svg .fresh")`)
	b.clicks("#pane-product summary")
	b.until(`document.querySelector("#pane-product svg .node")`)
	b.press("T")
	b.press(":")
	b.until(`document.activeElement.id === "line"`)
	x.typed("exit")
	require.Zero(t, x.ends())
}

// What was done before something else was done instead is beside it: each branch with its predicates and
// drawings, to be gone on with, as it was, or dropped.
func TestWebBranches(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	program := lookBrowser(t)
	x := openWeb(t, "../../examples/lock", "lock.c", "lock.spec")
	b := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
	b.until(`document.querySelector("#pane-branches .note")`)
	b.press("p") // until spurious
	x.prints("page> until spurious")
	b.idle()
	b.press("r")
	b.until(`document.getElementById("verdict").textContent === "conforms"`)
	b.idle()
	x.typed("goto 3")
	b.until(`document.getElementById("time-text").textContent.startsWith("3 of ")`)
	b.clicks(`#pane-component-drain .inner button[title^="pred add drain more == 0"]`)
	b.until(`document.querySelectorAll("#pane-branches thead th").length === 2`)
	b.idle()
	b.press("s")
	b.idle()
	b.run(`(() => { const e = document.querySelector("#pane-branches select"); e.value = "mp drain"; ` +
		`e.dispatchEvent(new Event("change")); })()`)
	b.until(`document.querySelectorAll("#pane-branches .sheet svg").length >= 1`)
	require.Contains(t, b.text(`document.querySelector("#pane-branches table").textContent`), "branch 1 at moment 3")
	b.clicks(`#pane-branches button[title="branch 1"]`)
	b.until(`document.getElementById("verdict").textContent === "conforms"`)
	b.idle()
	b.audit("branches")
	b.picture("branches", 1600, 2600)
	b.clicks(`#pane-branches button[title="branch drop 2"]`)
	b.until(`document.querySelector("#pane-branches .note")`)
	b.idle()
	b.quiet()
	x.typed("exit")
	require.Zero(t, x.ends())
}

// Where the copies of a component are, of which any number run, before and after each action of a counterexample.
func TestWebCounters(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	program := lookBrowser(t)
	x := openWeb(t, "../../examples/many", "readers_bad.c", "readers.spec")
	b := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
	b.until(`document.querySelector("#pane-counters .note")`)
	b.press("u")
	b.until(`document.querySelector("#pane-counters td.count.new")`)
	b.idle()
	b.clicks("#pane-counters tbody tr[data-at]")
	b.until(`document.querySelector("#pane-source tr.picked")`)
	b.audit("counters")
	b.picture("counters", 1600, 2600)
	b.quiet()
	x.typed("exit")
	require.Zero(t, x.ends())
}

// picture keeps what the page looks like for those who look at it, in the folder that MAGUS_WEB_PICTURES names.
func (b *browser) picture(name string, width, height int64) {
	folder := os.Getenv("MAGUS_WEB_PICTURES")
	if folder == "" {
		return
	}
	_, err := chromedp.Run(b.ctx, chromedp.EmulateViewport(width, height))
	require.NoError(b.t, err)
	time.Sleep(time.Second)
	picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o666))
}

// A session of a thousand moments, from the page: what a command costs then, and a reload, stay within what a
// person waits for.
func TestWebOfManyMoments(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	program := lookBrowser(t)
	x := openWeb(t, "../../examples/lock", "lock.c", "lock.spec")
	x.typed("step")
	for range 500 {
		x.typed("pred add more == 0")
		x.typed("pred drop more == 0")
	}
	x.typed("echo all done")
	x.prints("all done")
	b := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
	b.until(`document.getElementById("time-text").textContent.startsWith("1001 of 1001")`)
	b.press("b")
	b.until(`document.getElementById("time-text").textContent.startsWith("1000 of 1001")`)
	b.idle()
	b.run("location.reload()")
	b.until(`document.getElementById("time-text").textContent.startsWith("1000 of 1001")`)
	b.quiet()
	x.typed("exit")
	require.Zero(t, x.ends())
}

// An abstraction of more than 20,000 states is drawn folded, and as fast as a small one is seen.
func TestWebOfManyStates(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	program := lookBrowser(t)
	const flags = 11
	dir := t.TempDir()
	var c strings.Builder
	c.WriteString("extern void tick(void), tock(void);\nint __VERIFIER_nondet_int(void);\nvoid many(void)\n{\n")
	for i := range flags {
		fmt.Fprintf(&c, "\tint f%d = __VERIFIER_nondet_int();\n", i)
	}
	for i := range 2 * flags {
		fmt.Fprintf(&c, "\tif (f%d == 0)\n\t\ttick();\n\telse\n\t\ttock();\n", i%flags)
	}
	c.WriteString("}\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "many.c"), []byte(c.String()), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "many.spec"), []byte("Tick = ( tick -> return {} -> STOP ).\n"+
		"procedure tick { abstract { (1), Tick }; }\nTock = ( tock -> return {} -> STOP ).\n"+
		"procedure tock { abstract { (1), Tock }; }\nAny = ( tick -> Any | tock -> Any | return {} -> STOP ).\n"+
		"procedure many { abstract { any, (1), Any }; }\n"), 0o600))
	x := openWeb(t, dir, "--engine", "loop", "--max-states", "100000", "many.c", "many.spec")
	for i := range flags {
		x.typed(fmt.Sprintf("pred add f%d == 0", i))
	}
	x.typed("until proved")
	x.typed("echo all done")
	x.prints("all done")
	begun := time.Now()
	b := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
	b.until(`document.querySelector("#pane-component-many svg .node")`)
	states := b.text(`document.querySelector("#pane-component-many p").textContent.match(/MP states (\d+)/)[1]`)
	require.Greater(t, len(states), 4, states)
	require.Less(t, b.number(`document.querySelectorAll("#pane-component-many svg .node").length`), 100)
	t.Log("states:", states, "first drawing, with the start of the browser:", time.Since(begun).Round(time.Millisecond))
	b.quiet()
	x.typed("exit")
	require.Zero(t, x.ends())
}

// The tour leads through each example, in twelve steps, to a verdict.
func TestWebTour(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	program := lookBrowser(t)
	for name, want := range map[string]string{"lock": "conforms", "lock-bad": "violates", "mutex": "conforms",
		"handshake": "conforms"} {
		t.Run(name, func(t *testing.T) {
			x := openWeb(t, t.TempDir(), "--example", name)
			b := openAt(t, program, x.address, strings.Split(x.address, "?")[0])
			for step := 1; step <= 12; step++ {
				b.until(fmt.Sprintf(`document.querySelector("#tour h2") && `+
					`document.querySelector("#tour h2").textContent.startsWith("%d of 12")`, step))
				b.until(`document.querySelector(".shown-by-tour")`)
				b.idle()
				require.Empty(t, b.text(`document.getElementById("problem").textContent`))
				require.Equal(t, step == 12, b.is(`!document.getElementById("tour-next")`))
				if step < 12 {
					b.run(`document.getElementById("tour-next").click()`)
				}
			}
			require.Equal(t, want, b.text(`document.getElementById("verdict").textContent`))
			_, text := x.asks("GET", "/api/state", "")
			require.NotRegexp(t, `"error":"[^"]`, text)
			x.typed("exit")
			x.ends()
		})
	}
}
