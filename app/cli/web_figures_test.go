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

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// How long the page takes until there is something to see, and how often a second a drawing is shown while
// it is moved: figures of this machine, asked for by MAGUS_WEB_FIGURES.
func TestWebFigures(t *testing.T) {
	if os.Getenv("MAGUS_WEB_FIGURES") == "" {
		t.Skip("MAGUS_WEB_FIGURES is not set")
	}
	w := openWindow(t)
	x := openWeb(t, "../../examples/handshake", "client.c", "server.c", "lib.spec", "p03.spec")
	x.typed("run")
	x.typed("echo done")
	x.prints("done")
	begun := time.Now()
	b := w.open(t, x)
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
