package cli_test

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// How long the page takes until there is something to see, what a command costs in a long session, and how often a
// second a drawing of more than 500 boxes is shown while it is moved: figures of this machine, asked for by
// MAGUS_WEB_FIGURES.
func TestWebFigures(t *testing.T) {
	if os.Getenv("MAGUS_WEB_FIGURES") == "" {
		t.Skip("MAGUS_WEB_FIGURES is not set")
	}
	w := openWindow(t)
	for _, of := range []struct {
		name string
		open func(*testing.T) *webShell
	}{
		{"a client and a server, 59 moments", func(t *testing.T) *webShell {
			x := openWeb(t, "../../examples/handshake", "client.c", "server.c", "lib.spec", "p03.spec")
			x.typed("run")
			return x
		}},
		{"1,000 moments", manyMoments},
		{"30,719 states", manyStates},
		{"560 boxes", func(t *testing.T) *webShell { return asked(t, 1, 185) }},
	} {
		x := of.open(t)
		x.typed("echo ready")
		x.prints("ready\n")
		for range 2 { // the second one finds the scripts compiled
			b := w.open(t, x)
			_, err := chromedp.Call(b.ctx, performance.Enable, performance.EnableParams{TimeDomain: "threadTicks"})
			require.NoError(t, err)
			b.until(`document.querySelector(".pane .sheet svg .node")`)
			t.Logf("%s: first paint %s ms, code and panes %s ms, first drawing %s ms, of which the page worked %.0f ms", of.name,
				b.text(`Math.round(performance.getEntriesByName("first-contentful-paint")[0].startTime)`),
				b.text(`Math.round(performance.getEntriesByName("panes")[0].startTime)`),
				b.text(`Math.round(performance.getEntriesByName("drawing")[0].startTime)`), b.worked())
		}
		b := w.open(t, x)
		_, err := chromedp.Call(b.ctx, performance.Enable, performance.EnableParams{TimeDomain: "threadTicks"})
		require.NoError(t, err)
		b.until(`document.querySelector(".pane .sheet svg .node")`)
		for _, key := range []string{"s", "b", "f", "i"} {
			b.idle()
			begun, busy := time.Now(), b.worked()
			b.press(key)
			b.idle()
			t.Logf("%s: key %s took %v until the page is idle, of which it worked %.0f ms", of.name, key,
				time.Since(begun).Round(time.Millisecond), b.worked()-busy)
		}
		if of.name == "560 boxes" {
			b.pans("many")
		}
		x.typed("exit")
		x.ends()
	}
}

// worked is for how many milliseconds of a processor the page has worked: what else the machine does is left out.
func (b *browser) worked() float64 {
	b.t.Helper()
	all, err := chromedp.Call(b.ctx, performance.GetMetrics, cdp.Empty{})
	require.NoError(b.t, err)
	for _, m := range all.Metrics {
		if m.Name == "TaskDuration" {
			return 1000 * m.Value
		}
	}
	require.FailNow(b.t, "no figure")
	return 0
}

// pans moves a drawing of more than 500 boxes to and fro for some seconds, as the pointer does.
func (b *browser) pans(component string) {
	pane := "#pane-component-" + component
	b.clicks(pane + " .tabs [data-kind=cfa]")
	for i := range 2 {
		b.run(fmt.Sprintf("document.querySelectorAll(%q)[%d].click()", pane+" .tools input", i))
	}
	b.until(fmt.Sprintf(`document.querySelectorAll(%q).length >= 500`, pane+" svg .node"))
	b.run(`(() => { const s = document.querySelector("` + pane + ` .sheet"); const at = []; s.scrollIntoView(); ` +
		`const e = (name, x, y) => s.dispatchEvent(new PointerEvent(name, {button: 0, buttons: 1, clientX: x, clientY: y})); ` +
		`e("pointerdown", 900, 600); const from = performance.now(); ` +
		`const frame = (now) => { at.push(now); const d = now - from, k = at.length % 400; ` +
		`e("pointermove", 900 - Math.min(k, 400 - k) * 4, 600 - Math.min(k, 400 - k) * 2); ` +
		`if (d < 5000) requestAnimationFrame(frame); else { const gaps = at.slice(1).map((x, i) => x - at[i]).sort((a, b) => a - b); ` +
		`window.frames_ = Math.round(1000 * (at.length - 1) / (at[at.length - 1] - at[0])) + " frames a second, of which 95% came within " + ` +
		`gaps[Math.floor(gaps.length * 0.95)].toFixed(1) + " ms"; } }; requestAnimationFrame(frame); })()`)
	busy := b.worked()
	b.until("window.frames_")
	b.t.Logf("%d boxes: %s; the page worked %.0f ms of 5 s", b.number(`document.querySelectorAll("`+pane+` svg .node").length`),
		b.text("window.frames_"), b.worked()-busy)
}

// A look is a session at a moment, as the page shows it.
type look struct {
	name, dir string
	args      []string
	lines     []string // typed at the terminal
	script    string   // of the page
}

// looks are sessions of each kind.
func looks() []look {
	handshake := []string{"client.c", "server.c", "lib.spec", "p03.spec"}
	return []look{
		{"spurious", "../../examples/lock", []string{"lock.c", "lock.spec"}, []string{"until spurious"},
			`document.querySelector('tr[data-at="lock.c:29"]').click()`},
		{"violates", "../../examples/lock", []string{"lock_bad.c", "lock.spec"}, []string{"run"}, ""},
		{"begun", "../../examples/handshake", handshake, nil, ""},
		{"components", "../../examples/handshake", handshake, []string{"until refine predicates", "until spurious"}, ""},
		{"proved", "../../examples/handshake", handshake, []string{"run", "report"},
			`document.querySelector("#pane-product summary").click()`},
		{"wide", "../../examples/handshake", handshake, []string{"until refine predicates", "until spurious"},
			`document.querySelector("#pane-component-client .widen").click()`},
		{"unknown", "../../examples/limits", []string{"--property", "unreach-call", "wide.c"}, []string{"run"}, ""},
		{"branches", "../../examples/lock", []string{"lock.c", "lock.spec"}, []string{"until spurious", "run", "goto 3",
			"pred add more == 0", "step"}, `(() => { const e = document.querySelector("#pane-branches select"); ` +
			`e.value = "mp drain"; e.dispatchEvent(new Event("change")); })()`},
		{"threads", "../../examples/threads", []string{"queue_if.c", "queue.spec"}, []string{"run"}, ""},
		{"deadlock", "../../examples/philosophers", []string{"--property", "no-deadlock", "left.c", "forks.c",
			"table.spec"}, []string{"run"}, ""},
		{"for-ever", "../../examples/retry", []string{"client.c", "server.c", "retry.spec"}, []string{"run"},
			`document.querySelector("#pane-run tbody tr[data-at]").click()`},
		{"scheduler", "testdata", []string{"--property", "unreach-call", "tokens.c"}, []string{"until counterexample"}, ""},
		{"any-number", "../../examples/many", []string{"readers_bad.c", "readers.spec"}, []string{"until counterexample"}, ""},
		{"tour", "../../examples/lock", []string{"--example", "lock"}, nil,
			`document.getElementById("tour-next").click()`},
		{"keys", "../../examples/lock", nil, nil, `document.getElementById("keys-button").click()`},
	}
}

// seen opens the page of a session and brings it to its moment.
func (l look) seen(t *testing.T, w *window) *browser {
	t.Helper()
	x := openWeb(t, l.dir, l.args...)
	for _, line := range l.lines {
		x.typed(line)
	}
	x.typed("echo done")
	x.prints("done")
	b := w.open(t, x)
	if l.args != nil {
		b.until(`document.querySelector(".pane .sheet svg") || document.getElementById("pane-threads")`)
	}
	if l.script != "" {
		b.run(l.script)
	}
	t.Cleanup(func() {
		x.typed("exit")
		x.ends()
	})
	return b
}

// What the pages look like, for those who look at them, wide and narrow, light and dark: MAGUS_WEB_LOOKS names the
// folder, MAGUS_WEB_ONLY one of them.
func TestWebLooks(t *testing.T) {
	folder := os.Getenv("MAGUS_WEB_LOOKS")
	if folder == "" {
		t.Skip("MAGUS_WEB_LOOKS names no folder")
	}
	w := openWindow(t)
	for _, l := range looks() {
		if only := os.Getenv("MAGUS_WEB_ONLY"); only != "" && only != l.name {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			b := l.seen(t, w)
			for _, width := range []int64{1600, 1100} {
				for _, theme := range []string{"light", "dark"} {
					b.shoot(filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", l.name, width, theme)), width, 0, theme)
				}
			}
		})
	}
}

// The pictures of docs/web.md: MAGUS_WEB_PICTURES names the folder that they are written to.
func TestWebPictures(t *testing.T) {
	folder := os.Getenv("MAGUS_WEB_PICTURES")
	if folder == "" {
		t.Skip("MAGUS_WEB_PICTURES names no folder")
	}
	w := openWindow(t)
	for _, picture := range []struct {
		of, name      string
		width, height int64
		theme         string
	}{
		{"spurious", "web-spurious", 1300, 900, "light"},
		{"components", "web-components", 1600, 1200, "light"},
		{"for-ever", "web-run", 1300, 1000, "dark"},
		{"tour", "web-tour", 1100, 800, "light"},
	} {
		for _, l := range looks() {
			if l.name == picture.of {
				l.seen(t, w).shoot(filepath.Join(folder, picture.name+".png"), picture.width, picture.height, picture.theme)
			}
		}
	}
}

// shoot writes a picture of the page; of all of it if no height is given.
func (b *browser) shoot(name string, width, height int64, theme string) {
	b.t.Helper()
	whole := height == 0
	if whole {
		height = 1000
	}
	b.run(fmt.Sprintf("document.documentElement.dataset.theme = %q", theme))
	resize := func() {
		_, err := chromedp.Run(b.ctx, chromedp.EmulateViewport(width, height))
		require.NoError(b.t, err)
		time.Sleep(time.Second)
	}
	resize()
	if whole {
		height = min(4000, int64(b.number("document.documentElement.scrollHeight")))
		resize()
	}
	raw, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(name, fewColours(b.t, raw), 0o666))
}

// fewColours is a picture in the 256 colours that it has most often, which makes it much smaller.
func fewColours(t *testing.T, raw []byte) []byte {
	t.Helper()
	from, err := png.Decode(bytes.NewReader(raw))
	require.NoError(t, err)
	often := map[color.Color]int{}
	size := from.Bounds()
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			often[color.RGBAModel.Convert(from.At(x, y))]++
		}
	}
	all := slices.SortedFunc(maps.Keys(often), func(a, b color.Color) int {
		return cmp.Or(cmp.Compare(often[b], often[a]), cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	to := image.NewPaletted(size, all[:min(256, len(all))])
	draw.Draw(to, size, from, size.Min, draw.Src)
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	require.NoError(t, encoder.Encode(&out, to))
	return out.Bytes()
}
