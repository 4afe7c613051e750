package cli_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/report"
	"magus/internal/sample"
)

// pageOf writes the page of a check whose clock stands still.
func pageOf(t *testing.T, dir string, args ...string) (text, file string, doc report.Check) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "page.html")
	w, out, stderr := testWorld(dir)
	w.Now = func() time.Time { return time.Time{} }
	w.PeakMemory = func() uint64 { return 1 << 20 }
	status := cli.Main(t.Context(), append([]string{"check", "--json", "--report", file}, args...), w)
	require.Contains(t, []int{0, 1, 3}, status, stderr.String())
	require.Empty(t, stderr.String())
	require.NoError(t, json.Unmarshal([]byte(out.String()), &doc))
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(raw), file, doc
}

// pages are checks of each verdict.
var pages = []struct {
	name, dir string
	args      []string
	size      int // at most
}{
	{"violates", "../../examples/lock", []string{"lock_bad.c", "lock.spec"}, 300_000},
	{"conforms", "../../examples/lock", []string{"lock.c", "lock.spec"}, 300_000},
	{"components", "../../examples/pipeline", []string{"producer_bad.c", "consumer.c", "link.spec",
		"bounded.spec"}, 300_000},
	{"deadlock", "../../examples/philosophers", []string{"--property", "no-deadlock", "left.c", "forks.c",
		"table.spec"}, 300_000},
	{"unknown", "../../examples/limits", []string{"--property", "unreach-call", "wide.c"}, 300_000},
	{"several claims", "../../examples/handshake", []string{"client.c", "server.c", "lib.spec", "p03.spec",
		"c1.spec"}, 600_000},
}

// A page is whole by itself, the same every time, and says what the report says.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("with the race detector drawings reach their limit of time, and the page is another one")
	}
	for _, test := range pages {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			text, _, doc := pageOf(t, test.dir, test.args...)
			again, _, _ := pageOf(t, test.dir, test.args...)
			require.Equal(t, text, again)
			require.Less(t, len(text), test.size)
			checkWhole(t, text)
			checkAccessible(t, text)
			require.Contains(t, text, `<span class="badge `+doc.Verdict+`">`+doc.Verdict+`</span></h1>`)
			require.Equal(t, len(doc.Claims), strings.Count(text, `<section class="claim"`))
			for _, c := range doc.Claims {
				require.Contains(t, text, c.Name+`: <span class="badge `+c.Verdict+`">`)
				switch x := c.Counterexample; {
				case x == nil:
				case x.Standing != nil:
					require.Equal(t, len(x.Standing), strings.Count(text, `<li data-at=`))
					require.Contains(t, text, "deadlock: plato waits for fork_2 (left.c:16), fork_2 waits for hume (forks.c:22), "+
						"hume waits for fork_1 (left.c:26), fork_1 waits for plato (forks.c:10)")
					require.Equal(t, 1, strings.Count(text, `<figure class="waits"><svg`))
				default:
					require.Contains(t, text, `<strong>not allowed</strong>`)
				}
			}
		})
	}
}

// checkWhole requires that a page asks for nothing from elsewhere, that its policy allows
// its own script only, and that names within it are unique.
func checkWhole(t *testing.T, text string) {
	t.Helper()
	require.NotRegexp(t, `(src|href)="?https?:`, text)
	require.NotRegexp(t, `<(link|img|iframe|object|embed)\b`, text)
	require.NotRegexp(t, `\son[a-z]+=`, strings.ReplaceAll(text, "\n", " ")[:strings.Index(text, "<body>")])
	_, rest, ok := strings.Cut(text, "<script>")
	require.True(t, ok)
	script, rest, ok := strings.Cut(rest, "</script>")
	require.True(t, ok)
	require.NotContains(t, rest, "<script")
	sum := sha256.Sum256([]byte(script))
	require.Contains(t, text, "script-src &#39;sha256-"+
		strings.ReplaceAll(base64.StdEncoding.EncodeToString(sum[:]), "+", "&#43;")+"&#39;")
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(`\sid="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		require.False(t, ids[m[1]], m[1])
		ids[m[1]] = true
	}
}

// Names and texts that want to be more than text stay text.
func TestPageOfHostileInput(t *testing.T) {
	dir := t.TempDir()
	const name = "<script>alert(1)<.c"
	program := "void reach_error(void);\n" +
		"int main(void) { /* </script><script>alert(2)</script> \" onclick=\"alert(3)\" */\n  " +
		"int x = 1; // </td></table><img src=x onerror=alert(4)>\n  reach_error(); }\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(program), 0o600))
	text, _, _ := pageOf(t, dir, "--property", "unreach-call", name)
	checkWhole(t, text)
	for _, bad := range []string{"<script>alert", "<img", `" onclick="`} {
		require.NotContains(t, text, bad)
	}
	require.Contains(t, text, "&lt;script&gt;alert(2)&lt;/script&gt;")
}

// Where drawings take too long, there is a page without them.
func TestPageWithoutTimeForDrawings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	w, _, stderr := testWorld("../../examples/lock")
	w.PageTime = time.Nanosecond
	require.Equal(t, 1, cli.Main(t.Context(), []string{"check", "-q", "--report", file, "lock_bad.c", "lock.spec"}, w))
	require.Contains(t, stderr.String(), "without drawings of the phases of the loop: they take more than 1ns")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	checkWhole(t, string(text))
	require.Contains(t, string(text), `<strong>not allowed</strong>`)
	require.Contains(t, string(text), "Phases of the loop")
	require.NotContains(t, string(text), "MP of ")
}

// What could not begin has a page too.
func TestPageWithoutClaims(t *testing.T) {
	text, _, doc := pageOf(t, "../../examples/lock", "--timeout", "1ns", "lock.c", "lock.spec")
	require.Equal(t, "unknown", doc.Verdict)
	checkWhole(t, text)
	require.Contains(t, text, doc.Reason)
}

// The page in a browser: no request, no message, phases by keys, the address, one
// selection, and the same figures as the document.
func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	browser := lookBrowser(t)
	for _, test := range pages {
		t.Run(test.name, func(t *testing.T) {
			_, file, doc := pageOf(t, test.dir, test.args...)
			b := open(t, browser, file)
			for _, claim := range doc.Claims {
				require.True(t, b.is(fmt.Sprintf("document.body.innerText.includes(%q)", claim.Name)))
			}
			phases := b.number(`document.querySelector(".claim").dataset.count`)
			if phases > 0 {
				b.stepPhases(t, phases, doc.Claims[0])
			}
			if doc.Verdict == "violates" {
				b.pickStep(t)
			}
			b.auditPage(test.name)
			b.quiet()
		})
	}
}

// axe-core finds nothing against the rules of WCAG, in both themes, with all phases and steps; MAGUS_AXE
// names its axe.min.js.
func TestPagesByAxe(t *testing.T) {
	name := os.Getenv("MAGUS_AXE")
	if name == "" {
		t.Skip("MAGUS_AXE names no axe.min.js (npm install axe-core)")
	}
	axe, err := os.ReadFile(name)
	require.NoError(t, err)
	browser := lookBrowser(t)
	files := map[string]string{"rules": rulesPage(t, copied(t, "rules")),
		"suite": filepath.Join(t.TempDir(), "suite.html"), "model": filepath.Join(t.TempDir(), "model.html"),
		"threads": threadsPage(t)}
	for _, test := range pages {
		if test.size < 600_000 { // of which it takes a minute
			_, files[test.name], _ = pageOf(t, test.dir, test.args...)
		}
	}
	w, _, stderr := testWorld("../..")
	require.Equal(t, 1, cli.Main(t.Context(), []string{"suite", "-q", "--report", files["suite"],
		"docs/suite/lock.toml"}, w), stderr)
	require.Equal(t, 0, cli.Main(t.Context(), []string{"param", "check", "--report", files["model"],
		"examples/param/readers-writers.param"}, w), stderr)
	const look = `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}).then((r) =>
		r.violations.map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + " " + n.failureSummary).join(" | ")).join("\n"))`
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			b := open(t, browser, file)
			for _, theme := range []string{"light", "dark"} {
				b.run(fmt.Sprintf("document.documentElement.dataset.theme = %q", theme))
				b.run("(() => {" + string(axe) + "})()")
				out, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](look, chromedp.EvalAwaitPromise))
				require.NoError(t, err)
				require.Empty(t, out, theme)
			}
			b.quiet()
		})
	}
}

// racing has two threads that write the same in loops, one after the other.
const racing = `#include <pthread.h>
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int balance = 0, rounds;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *deposit(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&m);
		balance = 1;
		pthread_mutex_unlock(&m);
	}
	return 0;
}
int main(void)
{
	pthread_t a, b;
	rounds = 1 + (__VERIFIER_nondet_int() & 1);
	pthread_create(&a, 0, deposit, 0);
	pthread_create(&b, 0, deposit, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	if (balance < 1)
		reach_error();
	return 0;
}
`

// threadsPage is the page of a program with threads that has no error.
func threadsPage(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "racing.c"), []byte(racing), 0o600))
	_, file, _ := pageOf(t, dir, "--property", "unreach-call", "racing.c")
	return file
}

// Phases of programs with threads say how far loops were unrolled and what that took, and draw the program.
func TestPageOfThreads(t *testing.T) {
	sample.Long(t)
	file := threadsPage(t)
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	text := string(raw)
	checkWhole(t, text)
	checkAccessible(t, text)
	for _, has := range []string{"1. unroll", "loops unrolled 1 time: no violation",
		"some executions go on: loops are unrolled 2 times", "automaton of main",
		`<tr><th scope="row">threads</th><td>3</td></tr>`, "clauses of the order, at most"} {
		require.True(t, strings.Contains(text, has), has)
	}
	require.False(t, strings.Contains(text, "product 0 states"))
	b := open(t, lookBrowser(t), file)
	const shown = `document.querySelector(".phase:not(.gone) h4").textContent`
	b.press(kb.Home)
	require.Equal(t, "1. unroll", b.text(shown))
	b.press(kb.End)
	require.Contains(t, b.text(shown), "finished")
	b.auditPage("threads")
	b.quiet()
}

// stepPhases goes through all phases by keys.
func (b *browser) stepPhases(t *testing.T, phases int, claim report.Claim) {
	const shown = `Array.from(document.querySelector(".claim").querySelectorAll(".phase:not(.gone)")).map(t ` +
		`=> +t.dataset.phase).join()`
	last := b.text(shown)
	b.press(kb.Home)
	require.Equal(t, "1", b.text(shown))
	require.Contains(t, b.text("location.hash"), "#claim=1&phase=1")
	for range phases - 1 {
		b.press(kb.ArrowRight)
		require.Zero(t, b.number(`document.querySelectorAll(".sheet[data-drawing]:not(.gone):not(.part)").length`),
			"each is drawn")
	}
	require.Zero(t, b.number(`document.querySelectorAll(".note.packed").length`))
	require.Equal(t, last, b.text(shown))
	b.press(kb.ArrowRight)
	require.Equal(t, last, b.text(shown), "behind the last phase is none")
	for i, c := range claim.Components {
		got := b.text(fmt.Sprintf(
			`document.querySelector(".claim .phase:not(.gone)").querySelectorAll("[data-size=mp]")[%d].textContent`, i))
		require.Equal(t, fmt.Sprint(c.MPStates), got)
	}
	require.Equal(t, claim.Verdict,
		b.text(`document.querySelector(".claim .phase:not(.gone) p").firstChild.textContent.trim()`))
	b.press(kb.ArrowLeft)
	require.NotEqual(t, last, b.text(shown))
	b.run(`location.hash = "#claim=1&phase=2"`)
	require.Eventually(t, func() bool { return b.text(shown) == "2" }, time.Minute, 10*time.Millisecond)
	require.Equal(t, 0, b.number(`Array.from(document.querySelectorAll(".claim")[0].querySelectorAll("svg `+
		`[data-phases]")).filter(g => g.classList.contains("gone") === g.dataset.phases.split(" ").some(s `+
		`=> +s.split("-")[0] <= 2 && 2 <= +s.split("-").pop())).length`))
}

// pickStep walks through the run by keys: the line of each step is picked, and seen beside it, with the values there.
func (b *browser) pickStep(t *testing.T) {
	const row = `document.querySelector(".chart tr.picked")`
	const rows = `Array.from(document.querySelectorAll(".claim .chart")[0].querySelectorAll("tbody ` +
		`tr")).filter(r => r.offsetParent)`
	last := b.text(rows + `.pop().dataset.step`)
	require.Equal(t, last, b.text(row+`.dataset.step`), "at first the run stands where it ends")
	b.press("j")
	require.Equal(t, last, b.text(row+`.dataset.step`), "behind the last step is none")
	for range b.number(rows+`.length`) + 1 {
		b.press("k")
		require.Equal(t, "true",
			b.text(`(() => { const line = document.querySelector('.lines tr.picked[data-at="' + `+row+`.dataset.at + '"]');
			if (!line) return `+row+`.dataset.at === "";
			const r = line.getBoundingClientRect(), p = document.getElementById("sources").getBoundingClientRect();
			return r.bottom > p.top && r.top < p.bottom && r.bottom > 0 && r.top < innerHeight; })()`), "the line is seen")
	}
	require.Equal(t, b.text(rows+`[0].dataset.step`), b.text(row+`.dataset.step`))
	b.run(rows + `.pop().click()`)
	require.Contains(t, b.text("location.hash"), "step="+last)
	require.Equal(t, b.number(
		`new Set(Array.from(document.querySelectorAll(".claim")[0].querySelectorAll("code[data-name]")).map(c `+
			`=> c.dataset.name)).size`) > 0,
		b.is(`!document.querySelector(".now").hidden`))
	b.press("/")
	require.True(t, b.is(`document.activeElement.id === "search"`))
	b.run(`(() => { const s = document.getElementById("search"); s.value = "r"; s.dispatchEvent(new Event("input")); })()`)
	require.Contains(t, b.text(`document.getElementById("found").textContent`), "1 of ")
	b.press(kb.Escape)
	require.Empty(t, b.text(`document.getElementById("found").textContent`))
	b.press("f")
	require.True(t, b.is(`document.documentElement.classList.contains("fit")`))
	b.press(kb.End)
	require.Positive(t, b.number(`document.querySelectorAll("svg .node.hot:not(.gone)").length`), "the path is marked")
}

// A browser has one page open.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	messages []string
	requests []string
}

// lookBrowser is the program.
func lookBrowser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium in PATH")
	return ""
}

// open opens a file without a network.
func open(t *testing.T, program, file string) *browser {
	t.Helper()
	b := openAt(t, program, "file://"+file, "file://"+file)
	require.Eventually(t, func() bool {
		return b.is(`!document.getElementById("packed") || !!document.documentElement.dataset.ready`)
	}, time.Minute, 10*time.Millisecond, "packed drawings are unpacked")
	return b
}

// openAt opens an address; requests that do not begin as own says are noted.
func openAt(t *testing.T, program, address, own string) *browser {
	t.Helper()
	return openTab(t, startBrowser(t, program, 1600, 900), address, own)
}

// startBrowser starts a browser, with one empty tab of a size.
func startBrowser(t *testing.T, program string, width, height int) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true), chromedp.WindowSize(width, height))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// openTab opens an address in a tab of a browser: the first one of a browser that was just started, or another one.
func openTab(t *testing.T, ctx context.Context, address, own string) *browser {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx}
	require.NoError(t, chromedp.Listen(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			b.messages = append(b.messages, fmt.Sprint(e.Type, e.Args))
		case *runtime.EventExceptionThrown:
			b.messages = append(b.messages, e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			b.messages = append(b.messages, e.Entry.Text)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, own) {
				b.requests = append(b.requests, e.Request.URL)
			}
		}
	}))
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, runtime.Enable, cdp.Empty{})
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(address)))
	return b
}

// quiet requires that the page said nothing and asked for nothing.
func (b *browser) quiet() {
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Empty(b.t, b.messages)
	require.Empty(b.t, b.requests)
}

func (b *browser) press(key string) {
	require.NoError(b.t, chromedp.Do(b.ctx, chromedp.KeyEvent(key)))
}

func (b *browser) run(script string) { _ = b.text("void (" + script + ")") }

func (b *browser) text(script string) string {
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("String("+script+")"))
	require.NoError(b.t, err, script)
	return out
}

func (b *browser) number(script string) int {
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[int]("Number("+script+")"))
	require.NoError(b.t, err, script)
	return out
}

func (b *browser) is(script string) bool { return b.text(script) == "true" }

// audit requires that a page has no faults for those who use it without a mouse, with a screen reader or with weak
// eyes, in light and in dark.
func (b *browser) audit(name string) {
	b.t.Helper()
	script, err := os.ReadFile("testdata/audit.js")
	require.NoError(b.t, err)
	from := strings.Index(string(script), "(() =>")
	for _, theme := range []string{"light", "dark"} {
		b.run(fmt.Sprintf("document.documentElement.dataset.theme = %q", theme))
		require.Empty(b.t, b.text(strings.TrimSpace(string(script[from:]))), "%s, %s", name, theme)
	}
}

// auditPage is an audit in a wide window and in a narrow one, where nothing reaches beyond the right side.
func (b *browser) auditPage(name string) {
	b.t.Helper()
	for _, width := range []int64{900, 1600} {
		_, err := chromedp.Run(b.ctx, chromedp.EmulateViewport(width, 900))
		require.NoError(b.t, err)
		b.audit(fmt.Sprintf("%s, %d pixels", name, width))
		require.LessOrEqual(b.t, b.number("document.documentElement.scrollWidth"), int(width), name)
	}
}

// The pages of docs/reports have no such faults; nor has a page that has some the audit's leave.
func TestPagesAreAccessible(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	program := lookBrowser(t)
	for _, name := range []string{"conforms", "violates", "time-out", "flash", "rules"} {
		file, err := filepath.Abs("../../docs/reports/" + name + ".html")
		require.NoError(t, err)
		b := open(t, program, file)
		b.auditPage(name)
		b.quiet()
	}
	file := filepath.Join(t.TempDir(), "faults.html")
	require.NoError(t, os.WriteFile(file, []byte(`<!DOCTYPE html><html><head><title></title></head><body><h1>a</h1><h3>b</h3>`+
		`<button id="x"></button><p id="x" style="color: #999; background: #fff">pale</p><input><svg role="img"></svg>`+
		`<span tabindex="3" aria-controls="none">c</span><table><tr><th>d</th></tr></table></body></html>`), 0o600))
	b := openAt(t, program, "file://"+file, "file://"+file)
	script, err := os.ReadFile("testdata/audit.js")
	require.NoError(t, err)
	found := b.text(strings.TrimSpace(string(script[strings.Index(string(script), "(() =>"):])))
	for _, fault := range []string{"no name: button", "no name: input", "a picture without a text", "its own place",
		"not one main part", "no language", "no title", "a level of headings", "twice the id x", "refers to nothing",
		"a head without a scope", "contrast 2.85"} {
		require.Contains(t, found, fault)
	}
}
