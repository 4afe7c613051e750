package cli_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"magus/internal/sample"

	"magus/app/cli"
)

// A window is a browser in which pages of several sessions are tabs.
type window struct{ ctx context.Context }

// openWindow starts a browser.
func openWindow(t *testing.T) *window {
	t.Helper()
	ctx := startBrowser(t, lookBrowser(t), 1200, 800)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	return &window{ctx}
}

// open opens the page of a session in a tab, which is closed when the test has ended.
func (w *window) open(t *testing.T, x *webShell) *browser {
	t.Helper()
	ctx, cancel := chromedp.NewContext(w.ctx)
	t.Cleanup(cancel)
	return openTab(t, ctx, x.address, strings.Split(x.address, "?")[0])
}

// The page in a browser. One browser has the pages of all sessions: to start one takes longer than most of these.
func TestWebInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	w := openWindow(t)
	for _, test := range []struct {
		name string
		do   func(*testing.T, *window)
	}{
		{"sessions", webSessions},
		{"clicked session replays", webClickedSessionReplays},
		{"runs", webShowsRuns},
		{"keyboard", webByKeyboard},
		{"reasons", webDrawsReasons},
		{"acts", webActs},
		{"each act", webEachAct},
		{"stops", webStops},
		{"branches", webBranches},
		{"counters", webCounters},
		{"many moments", webOfManyMoments},
		{"many states", webOfManyStates},
		{"processes", webProcesses},
		{"tour", webTour},
	} {
		t.Run(test.name, func(t *testing.T) { test.do(t, w) })
	}
}

// Sessions of each kind, by keys and buttons: a reload in the middle comes back, two tabs agree, nothing lies over
// something else in a wide window or a narrow one, the console is silent and nothing is asked for elsewhere.
func webSessions(t *testing.T, w *window) {
	for i, test := range []struct {
		name, dir string
		args      []string
		panes     int
		want      string
	}{
		{"lock", "../../examples/lock", []string{"lock.c", "lock.spec"}, 8, "conforms"},
		{"violates", "../../examples/lock", []string{"lock_bad.c", "lock.spec"}, 8, "violates"},
		{"handshake", "../../examples/handshake", []string{"client.c", "server.c", "lib.spec", "p03.spec"}, 10, "conforms"},
		{"mutex", "../../examples/mutex", []string{"mutex_lock.c", "mutex.spec"}, 8, "conforms"},
		{"unknown", "../../examples/limits", []string{"--property", "unreach-call", "wide.c"}, 8, "unknown"},
		{"nothing", "../../examples/lock", nil, 8, "conforms"},
		{"scheduler", "testdata", []string{"--property", "unreach-call", "tokens.c"}, 8, "conforms"},
		{"any number", "../../examples/many", []string{"readers_bad.c", "readers.spec"}, 12, "violates"},
		{"mutex threads", "testdata", []string{"--property", "unreach-call", "--order", "refine", "counted.c"}, 4,
			"conforms"},
		{"messages of threads", "../../examples/threads", []string{"queue_if.c", "queue.spec"}, 4, "violates"},
	} {
		if sample.Thinned(i, 3) {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			x := openWeb(t, test.dir, test.args...)
			b := w.open(t, x)
			b.until(`document.querySelector(".pane")`)
			require.False(t, b.is(`location.href.includes("token")`))
			if test.args == nil {
				b.until(`document.getElementById("about").textContent.includes("nothing is loaded")`)
				x.typed("load lock.c lock.spec")
			}
			b.until(fmt.Sprintf(`document.querySelectorAll(".pane").length === %d`, test.panes))
			b.idle()
			b.press("s")
			x.prints("page> step")
			b.idle()
			// At the first moment, or where a search has no moments at the first step, all is seen again.
			seen := `[document.getElementById("time-text").textContent, ` +
				`document.getElementById("about").textContent, document.querySelectorAll("#pane-shell .entry").length].join()`
			b.until(`document.getElementById("timeline").hidden || ` +
				`document.querySelector(".pane .sheet svg .node") && ` +
				`document.getElementById("time-text").textContent.startsWith("1 of 1")`)
			before := b.text(seen)
			b.run("location.reload()")
			b.until(fmt.Sprintf(`%s === %q`, seen, before))
			second := w.open(t, x)
			second.until(fmt.Sprintf(`%s === %q`, seen, before))
			second.clicks(`button[data-line="run"]`)
			for _, one := range []*browser{b, second} {
				one.until(fmt.Sprintf(`document.getElementById("verdict").textContent === %q`, test.want))
				one.idle()
			}
			require.Equal(t, second.text(seen), b.text(seen))
			if !b.is(`document.getElementById("timeline").hidden`) {
				b.press("b")
				second.until(fmt.Sprintf(`document.getElementById("verdict").textContent !== %q`, test.want))
				b.idle()
				second.press(kb.ArrowRight)
				b.until(fmt.Sprintf(`document.getElementById("verdict").textContent === %q`, test.want))
				b.idle()
			}
			b.laidOut()
			x.typed("exit")
			b.until(`document.getElementById("busy").textContent.includes("magus does not answer")`)
			require.Zero(t, x.ends())
			b.quietBut("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET")
		})
	}
}

// laidOut requires that nothing on the page lies over something else or is cut, in a wide window and in a narrow one.
func (b *browser) laidOut() {
	b.t.Helper()
	script, err := os.ReadFile("testdata/layout.js")
	require.NoError(b.t, err)
	from := strings.Index(string(script), "(() =>")
	for _, width := range []int64{1100, 1600} {
		_, err := chromedp.Run(b.ctx, chromedp.EmulateViewport(width, 900))
		require.NoError(b.t, err)
		require.Empty(b.t, b.text(strings.TrimSpace(string(script[from:]))), width)
	}
}

// Every button and every key is a command that the terminal shows, and what is exported is there.
func webEachAct(t *testing.T, w *window) {
	x := openWeb(t, "../../examples/lock", "lock.c", "lock.spec")
	b := w.open(t, x)
	b.until(`document.querySelectorAll(".pane").length === 8`)
	does := func(line string, act func()) {
		t.Helper()
		b.idle()
		text := "page> " + line + "\n"
		before := strings.Count(x.out.String(), text)
		act()
		require.Eventually(t, func() bool { return strings.Count(x.out.String(), text) > before }, time.Minute,
			time.Millisecond, line)
		b.idle()
		require.Empty(t, b.text(`document.getElementById("problem").textContent`))
	}
	lines := []string{"step", "next", "until counterexample", "until spurious", "back", "forward", "diff", "trace", "stats",
		"run", "report", "reload"}
	for _, line := range lines {
		does(line, func() { b.clicks(fmt.Sprintf("button.act[data-line=%q]", line)) })
	}
	require.Equal(t, len(lines), b.number(`document.querySelectorAll("button.act").length`))
	for _, key := range [][2]string{{"s", "step"}, {"n", "next"}, {"u", "until counterexample"}, {"p", "until spurious"},
		{"b", "back"}, {"f", "forward"}, {kb.ArrowLeft, "back"}, {kb.ArrowRight, "forward"}, {kb.ArrowRight, "step"},
		{"d", "diff"}, {"t", "trace"}, {"i", "stats"}, {kb.Home, "goto 0"}, {kb.End, "goto "},
		{"r", "run"}, {"v", "report"}} {
		if key[0] == kb.End {
			key[1] += b.text(`document.getElementById("time").max`)
		}
		does(key[1], func() { b.press(key[0]) })
	}
	b.run(`URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return "#"; }`)
	for button, begins := range map[string]string{"SVG": "<svg", "DOT": "digraph", "script": "load "} {
		b.run(`window.saved = ""`)
		b.run(fmt.Sprintf(`[...document.querySelectorAll("button")].find((e) => e.textContent === %q && e.checkVisibility()).click()`,
			button))
		b.until(fmt.Sprintf(`window.saved.includes(%q)`, begins))
	}
	b.quiet()
	x.typed("exit")
	require.Zero(t, x.ends())
}

// While a command runs the page says how far it is and shows what there is; stop ends it, and the session is as before.
func webStops(t *testing.T, w *window) {
	dir := t.TempDir()
	var declared, asked strings.Builder
	for i := range 16 {
		fmt.Fprintf(&declared, "\tint b%d = take() != 0;\n", i)
		fmt.Fprintf(&asked, "\tif (b%d)\n\t\ttake();\n", i)
	}
	program := "int take(void);\nint drain(void)\n{\n" + declared.String() + asked.String() + "\treturn 0;\n}\n"
	spec := "Take = ( take -> return {} -> STOP ).\nprocedure take { abstract { take_is, (1), Take }; }\n" +
		"Any = ( take -> Any ).\nprocedure drain { abstract { any, (1), Any }; }\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "many.c"), []byte(program), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "many.spec"), []byte(spec), 0o600))
	x := openWeb(t, dir, "--engine", "loop", "--max-states", "100000000", "many.c", "many.spec")
	for i := range 16 {
		x.typed(fmt.Sprintf("pred add drain b%d == 0", i))
	}
	x.prints("16 predicates now")
	b := w.open(t, x)
	b.until(`document.getElementById("time-text").textContent.startsWith("16 of 16")`)
	for _, stop := range []func(){func() { b.press("x") }, func() { b.clicks("#stop") }} {
		b.press("s") // very many states
		b.until(`/page: step .*[0-9]/.test(document.getElementById("busy").textContent) && !document.getElementById("stop").hidden`)
		b.clicks(`#pane-source tr[data-at="many.c:4"]`)
		b.until(`document.querySelector("#pane-source tr.picked")`)
		b.press(kb.Escape)
		stop()
		b.idle()
		b.until(`document.getElementById("stop").hidden`)
		b.until(`document.getElementById("time-text").textContent.startsWith("16 of 16")`)
	}
	require.Contains(t, x.out.String(), "interrupted")
	b.quiet()
	x.typed("exit")
	require.Zero(t, x.ends())
}

// A session that is clicked, from nothing to a verdict: the script that the button gives is saved by the
// browser, and performed by magus run it has the same moments.
func webClickedSessionReplays(t *testing.T, w *window) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../examples/handshake")))
	x := openWeb(t, dir)
	b := w.open(t, x)
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
	world, out, stderr := testWorld(dir)
	require.Zero(t, cli.Main(t.Context(), []string{"run", file}, world), stderr)
	want := momentsIn(x.out.String())
	require.Greater(t, len(want), 10)
	require.Equal(t, want, momentsIn(out.String()))
}

// The run that violates a claim is shown step by step, and drawn: by threads, by who waits for
// whom; and what is done for ever.
func webShowsRuns(t *testing.T, w *window) {
	for _, test := range []struct {
		name, dir string
		args      []string
		shows     []string // selectors in the pane
	}{
		{"threads", "../../examples/threads", []string{"queue_if.c", "queue.spec"}, []string{"svg .node", "tr.bad"}},
		{"deadlock", "../../examples/philosophers", []string{"--property", "no-deadlock", "left.c", "forks.c", "table.spec"},
			[]string{"svg .node", "p[data-at]"}},
		{"for ever", "../../examples/retry", []string{"client.c", "server.c", "retry.spec"},
			[]string{"tr.round", "svg .node.hot"}},
		{"trace", "../../examples/lock", []string{"lock_bad.c", "lock.spec"}, []string{"tr.bad"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := openWeb(t, test.dir, test.args...)
			b := w.open(t, x)
			b.until(`document.querySelector("#pane-run .note")`)
			x.typed("run")
			b.until(`document.getElementById("verdict").textContent === "violates"`)
			for _, selector := range test.shows {
				b.until(fmt.Sprintf("document.querySelector(%q)", "#pane-run "+selector))
			}
			b.clicks("#pane-run tbody tr[data-at]")
			b.until(`document.querySelector("#pane-source tr.picked.visited")`)
			b.idle()
			if test.name == "for ever" || test.name == "deadlock" {
				b.press(kb.Escape)
				b.until(`!document.querySelector(".picked")`)
				b.clicks("#pane-run svg .node.hot[data-places]")
				b.until(`document.querySelector("#pane-source tr.picked") && document.querySelector("#pane-run svg .node.picked")`)
			}
			b.laidOut()
			b.audit(test.name)
			x.typed("exit")
			x.ends()
			b.quietBut("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET")
		})
	}
}

// Whoever has no mouse reaches boxes, what can be done with them, and the line.
func webByKeyboard(t *testing.T, w *window) {
	x := openWeb(t, "../../examples/lock", "lock.c", "lock.spec")
	b := w.open(t, x)
	b.until(`document.querySelectorAll(".pane").length === 8`)
	tabTo := func(selector string) {
		t.Helper()
		for range 300 {
			b.press(kb.Tab)
			at := b.text(`(() => { const e = document.activeElement, s = getComputedStyle(e.querySelector(":scope.node rect") || e); ` +
				fmt.Sprintf(`return (e === document.body || s.outlineStyle !== "none" || parseFloat(s.strokeWidth) > 3) + " " + `+
					`e.matches(%q) + " " + e.outerHTML.slice(0, 80); })()`, selector))
			require.Regexp(t, "^true ", at, "what has the focus is seen")
			if strings.HasPrefix(at, "true true") {
				return
			}
		}
		require.FailNow(t, "Tab does not reach "+selector)
	}
	tabTo(`button.act[data-line="step"]`)
	b.press(kb.Enter)
	x.prints("page> step")
	b.idle()
	b.until(`document.activeElement.matches('button.act[data-line="step"]')`) // again
	b.press(kb.Enter)
	b.until(`document.getElementById("time-text").textContent.startsWith("2 of 2")`)
	b.idle()
	tabTo("#time")
	b.press(kb.ArrowLeft)
	x.prints("page> goto 1")
	b.until(`document.getElementById("time-text").textContent.startsWith("1 of 2")`)
	b.idle()
	tabTo("#line")
	b.press("until spurious")
	b.press(kb.Enter)
	x.prints("page> until spurious")
	b.press(kb.Escape)
	b.idle()
	tabTo("#pane-specification summary")
	b.press(kb.Enter)
	b.until(`!document.getElementById("pane-specification").open`)
	tabTo("#pane-component-drain .widen")
	b.press(kb.Enter)
	b.until(`document.querySelector("#panes > #pane-component-drain") && document.activeElement.matches(".widen")`)
	tabTo("#pane-component-drain .tabs [data-kind=cfa]")
	b.press(kb.Enter)
	b.until(`document.querySelector("#pane-component-drain svg .node[data-object=cfa]")`)
	tabTo("#pane-component-drain .tabs [data-kind=mp]")
	b.press(kb.Enter)
	b.until(`document.querySelector("#pane-component-drain svg .node[data-object=mp][data-places]")`)
	tabTo(`#pane-component-drain svg .node[data-places]:not([data-places="[]"]):not([data-numbers="[]"])`)
	b.press(kb.Enter)
	b.until(`document.querySelector(".lines tr.picked") && document.querySelector("#pane-component-drain .about button")`)
	tabTo("#pane-component-drain .about button")
	line := b.text(`document.activeElement.title`)
	require.NotEmpty(t, line)
	b.press(kb.Enter)
	x.prints("page> " + line)
	b.idle()
	tabTo(`#pane-component-drain .inner button[title^="pred add drain more"]`)
	b.press(kb.Enter)
	x.prints("page> pred add drain more == 0")
	b.idle()
	b.until(`document.activeElement.matches('[title^="pred drop drain"]')`) // where it was taken
	b.run("location.reload()")                                              // how panes stand is kept
	b.until(`document.querySelector("#panes > #pane-component-drain") && ` +
		`!document.getElementById("pane-specification").open && ` +
		`document.querySelector("#pane-component-drain svg .node[data-object=mp]")`)
	b.idle()
	tabTo(`#pane-component-drain .inner button[title^="pred drop drain"]`)
	b.press(kb.Enter)
	x.prints("page> pred drop drain")
	b.idle()
	b.press("r")
	b.until(`document.getElementById("verdict").textContent === "conforms"`)
	b.idle()
	b.quiet()
	x.typed("exit")
	require.Zero(t, x.ends())
}

// The reasons of a search of threads are drawn, one at a time: its events, and the cycle in red.
func webDrawsReasons(t *testing.T, w *window) {
	x := openWeb(t, "testdata", "--property", "unreach-call", "--order", "refine", "counted.c")
	b := w.open(t, x)
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

// One selection in all panes; predicates, blocks, counterexamples and moments by buttons; commands by the
// line; drawings compared with another moment: all of them commands that the terminal shows.
func webActs(t *testing.T, w *window) {
	x := openWeb(t, "../../examples/handshake", "client.c", "server.c", "lib.spec", "p03.spec")
	b := w.open(t, x)
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
func webBranches(t *testing.T, w *window) {
	x := openWeb(t, "../../examples/lock", "lock.c", "lock.spec")
	b := w.open(t, x)
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
func webCounters(t *testing.T, w *window) {
	x := openWeb(t, "../../examples/many", "readers_bad.c", "readers.spec")
	b := w.open(t, x)
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

// manyMoments is a session of a thousand moments.
func manyMoments(t *testing.T) *webShell {
	x := openWeb(t, "../../examples/lock", "lock.c", "lock.spec")
	x.typed("step")
	for range 500 {
		x.typed("pred add more == 0")
		x.typed("pred drop more == 0")
	}
	x.typed("echo all done")
	x.prints("all done")
	return x
}

// A session of a thousand moments, from the page: what a command costs then, and a reload, stay within what a
// person waits for.
func webOfManyMoments(t *testing.T, w *window) {
	x := manyMoments(t)
	b := w.open(t, x)
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

// manyStates is a session with an abstraction of more than 20,000 states.
func manyStates(t *testing.T) *webShell {
	const flags = 11
	x := asked(t, flags, 2*flags)
	for i := range flags {
		x.typed(fmt.Sprintf("pred add f%d == 0", i))
	}
	x.typed("until proved")
	x.typed("echo all done")
	x.prints("all done")
	return x
}

// asked is a session of a program that has so many flags and asks so many times for one.
func asked(t *testing.T, flags, times int) *webShell {
	dir := t.TempDir()
	var c strings.Builder
	c.WriteString("extern void tick(void), tock(void);\nint __VERIFIER_nondet_int(void);\nvoid many(void)\n{\n")
	for i := range flags {
		fmt.Fprintf(&c, "\tint f%d = __VERIFIER_nondet_int();\n", i)
	}
	for i := range times {
		fmt.Fprintf(&c, "\tif (f%d == 0)\n\t\ttick();\n\telse\n\t\ttock();\n", i%flags)
	}
	c.WriteString("}\n")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "many.c"), []byte(c.String()), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "many.spec"), []byte("Tick = ( tick -> return {} -> STOP ).\n"+
		"procedure tick { abstract { (1), Tick }; }\nTock = ( tock -> return {} -> STOP ).\n"+
		"procedure tock { abstract { (1), Tock }; }\nAny = ( tick -> Any | tock -> Any | return {} -> STOP ).\n"+
		"procedure many { abstract { any, (1), Any }; }\n"), 0o600))
	return openWeb(t, dir, "--engine", "loop", "--max-states", "100000", "many.c", "many.spec")
}

// An abstraction of more than 20,000 states is drawn folded.
func webOfManyStates(t *testing.T, w *window) {
	x := manyStates(t)
	b := w.open(t, x)
	b.until(`document.querySelector("#pane-component-many svg .node")`)
	states := b.text(`document.querySelector("#pane-component-many p").textContent.match(/MP states (\d+)/)[1]`)
	require.Greater(t, len(states), 4, states)
	require.Less(t, b.number(`document.querySelectorAll("#pane-component-many svg .node").length`), 100)
	b.quiet()
	x.typed("exit")
	require.Zero(t, x.ends())
}

// The tour leads through each example, in twelve steps, to a verdict.
func webTour(t *testing.T, w *window) {
	for name, want := range map[string]string{"lock": "conforms", "lock-bad": "violates", "mutex": "conforms",
		"handshake": "conforms"} {
		t.Run(name, func(t *testing.T) {
			x := openWeb(t, t.TempDir(), "--example", name)
			b := w.open(t, x)
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

// until waits until something is true on the page.
func (b *browser) until(script string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool { // while another page is loaded there is nothing to ask
		ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+script+")"))
		return err == nil && ok
	}, 30*time.Second, 50*time.Millisecond, script)
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

// A search in a model of any number of processes: its sets, a counterexample that no run follows, the zones and the run
// of so and so many processes; and the terminal sees what the page does.
func webProcesses(t *testing.T, w *window) {
	for _, test := range []struct {
		model, want string
		next        bool // there is a counterexample that no run follows
	}{
		{"readers-writers", "safe", true},
		{"missionaries-c1", "unsafe", false},
	} {
		t.Run(test.model, func(t *testing.T) {
			x := openShell(t, "../../examples/param", "param", "step", "--web", test.model+".param")
			b := w.open(t, x)
			b.until(`document.querySelectorAll(".pane").length === 6 && document.querySelector("#pane-sets tbody tr")`)
			b.idle()
			b.press("s")
			x.prints("page> step")
			b.idle()
			b.until(`document.querySelectorAll("#pane-sets td.count.new").length > 2`)
			if test.next {
				b.clicks(`button.act[data-line="next"]`)
				b.until(`document.querySelector("#pane-counterexample th.violates") && document.querySelector("#pane-zones li")`)
				b.idle()
			}
			b.run("location.reload()")
			b.until(`document.querySelector("#pane-sets tbody tr")`)
			if test.next {
				b.clicks("#pane-counterexample th.violates[data-at]")
				b.until(`document.querySelector("#pane-source tr.picked") && document.querySelector("#pane-counterexample th.picked")`)
			}
			b.laidOut()
			b.audit(test.model)
			b.picture("processes-"+test.model, 1600, 1400)
			x.typed("run")
			b.until(fmt.Sprintf(`document.getElementById("verdict").textContent === %q`, test.want))
			b.idle()
			require.Equal(t, test.want == "unsafe", b.is(`!!document.querySelector("#pane-run td.count.new")`))
			b.laidOut()
			b.picture("processes-"+test.want, 1600, 1400)
			require.Empty(t, b.text(`document.getElementById("problem").textContent`))
			b.quiet()
			_, text := x.asks("GET", "/api/picture?object=mp", "")
			require.Contains(t, text, "nothing is drawn")
			status, _ := x.asks("POST", "/api/do", `{"line":"exit"}`)
			require.Equal(t, http.StatusAccepted, status)
			require.Equal(t, map[string]int{"safe": 0, "unsafe": 1}[test.want], x.ends())
		})
	}
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
