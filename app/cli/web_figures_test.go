package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
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

// Pictures of the page, for those who look at it and for docs/web.md: MAGUS_WEB_PICTURES names the folder.
func TestWebPictures(t *testing.T) {
	folder := os.Getenv("MAGUS_WEB_PICTURES")
	if folder == "" {
		t.Skip("MAGUS_WEB_PICTURES names no folder")
	}
	w := openWindow(t)
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
		b := w.open(t, x)
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
