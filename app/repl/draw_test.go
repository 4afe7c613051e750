package repl

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/draw"
	"magus/internal/graph/dottest"
	"magus/internal/sample"
)

// drawnExamples are examples of each kind: that hold, that do not, of one component
// and of several, with pointers, with copies.
var drawnExamples = []struct {
	dir   string
	files string
}{
	{"figure2", "figure2.c figure2.spec"},
	{"lock", "lock.c lock.spec"},
	{"lock", "lock_bad.c lock.spec"},
	{"driver", "dispatch_bad.c driver.h driver.spec"},
	{"mutex", "mutex_lock.c mutex.h mutex.spec"},
	{"pointers", "disk.c disk.spec"},
	{"pipeline", "producer_bad.c consumer.c pipeline.h strict.spec"},
	{"recursion", "walk.c walk.spec"},
	{"many", "readers_bad.c readers.h readers.spec"},
	{"filter", "filter_bad.c filter.h source.c sink.c filter.spec"},
	{"socket", "sys_socket.c socket.h socket.spec"},
	{"link", "link_bad.c link.h link.spec"},
	{"handshake", "client.c server.c lib.spec p03.spec"},
}

// drawings performs all phases, and draws every object behind each; equal texts are
// given once.
func drawings(t *testing.T, dir, files string) (texts []string) {
	t.Helper()
	m := example(t, dir, strings.Fields(files)...)
	sh := New(m.host())
	defer sh.Close()
	var named []string
	for _, f := range strings.Fields(files) {
		if !strings.HasSuffix(f, ".h") {
			named = append(named, f)
		}
	}
	m.do(sh, "load "+strings.Join(named, " "))
	require.NotNil(t, sh.session, m.err.String())
	seen := map[string]bool{}
	for state := range 400 {
		objects := []string{"product", "spec"}
		if dir == "handshake" && sample.Thinned(state, 3) {
			objects = nil // one of its drawings takes as long as all of another example
		}
		for _, c := range sh.session.View().Components {
			for _, o := range []string{"cfa", "mp", "ma", "points"} {
				objects = append(objects, o+" "+c.Name)
			}
		}
		for _, o := range objects {
			for _, flags := range []string{"", " --trace-only", " --all --unfold"} {
				if flags == " --all --unfold" && dir == "handshake" {
					continue // thousands of states behind each phase
				}
				c := &call{Shell: sh, words: []word{{text: "dot"}}, args: strings.Fields(o + flags)}
				d, _, err := c.dot(context.Background())
				if err != nil {
					continue // it is not built yet, or has no counterexample
				}
				text := d.String()
				if seen[text] || len(text) > 1<<18 {
					continue
				}
				seen[text] = true
				texts = append(texts, text)
				if flags == "" {
					svg, err := d.SVG(context.Background())
					require.NoError(t, err)
					wellFormed(t, string(svg))
				}
			}
		}
		if strings.Contains(m.do(sh, "step"), "finished") || sh.session.View().Outcome != nil {
			break
		}
	}
	require.NotEmpty(t, texts)
	return texts
}

// Small programs are small drawings, and the blocks of larger ones fit on a page; of what
// does not, a page is drawn.
func TestDrawingsFitAPage(t *testing.T) {
	sample.Long(t)
	for _, e := range []struct {
		dir, files string
		objects    []string
		boxes      int
	}{
		{"handshake", "client.c server.c lib.spec p03.spec", []string{"cfa client", "cfa server", "mp client",
			"mp server"}, draw.DefaultLimit},
		{"lock", "lock.c lock.spec", []string{"cfa", "mp", "ma", "product", "spec"}, 30},
		{"figure2", "figure2.c figure2.spec", []string{"cfa", "mp", "ma", "product", "spec"}, 12},
		{"handshake", "client.c server.c lib.spec p03.spec", []string{"ma client", "ma server"}, 39},
	} {
		m := example(t, e.dir, strings.Fields(e.files)...)
		sh := New(m.host())
		defer sh.Close()
		m.do(sh, "set action-abstraction on", "load "+e.files, "run")
		for _, o := range e.objects {
			text := m.do(sh, "dot "+o)
			if e.boxes < draw.DefaultLimit {
				require.NotContains(t, text, "the drawing is an overview", "all of it is drawn")
			}
			text, _, _ = strings.Cut(text, "the drawing is an overview")
			g, err := dottest.Parse(text)
			require.NoError(t, err, "%s: %s", o, text)
			require.LessOrEqual(t, len(g.Nodes), e.boxes+1, "%s %s, and the arrow from nowhere", e.dir, o)
			m.do(sh, "draw "+o+" x.svg")
			size := regexp.MustCompile(`^<svg [^>]*width="(\d+)" height="(\d+)"`).FindStringSubmatch(m.files["x.svg"])
			require.NotNil(t, size)
			width, err := strconv.Atoi(size[1])
			require.NoError(t, err)
			require.LessOrEqual(t, width, 2800, "%s %s", e.dir, o)
			height, err := strconv.Atoi(size[2])
			require.NoError(t, err)
			require.LessOrEqual(t, height, 3130, "%s %s", e.dir, o)
		}
	}
}

func wellFormed(t *testing.T, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else {
			require.NoError(t, err)
		}
	}
}

// What is drawn of the examples, in every state of their checks, is DOT; Graphviz lays
// out what fits on a page.
func TestDrawingsAreDOT(t *testing.T) {
	program, missing := exec.LookPath("dot")
	for i, e := range drawnExamples {
		if sample.LeftOut(i, 8) {
			continue
		}
		t.Run(e.dir+" "+e.files, func(t *testing.T) {
			t.Parallel()
			var page strings.Builder
			pages := 0
			for _, text := range drawings(t, e.dir, e.files) {
				g, err := dottest.Parse(text)
				require.NoError(t, err, text)
				require.Zero(t, g.Clusters, "Graphviz gives up on some drawings with clusters")
				if len(g.Nodes) <= 45 && len(g.Edges) <= 80 {
					page.WriteString(text)
					pages++
				}
			}
			if missing != nil {
				t.Skip("Graphviz is not installed; the text was read by our own parser only")
			}
			cmd := exec.Command(program, "-Tplain")
			cmd.Stdin = strings.NewReader(page.String())
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			require.Equal(t, pages, strings.Count("\n"+string(out), "\nstop"))
		})
	}
}
