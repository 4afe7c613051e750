package cli_test

import (
	"context"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/app/cli"
	"magus/app/job"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/golden"
)

// hasty is an engine whose sessions have no time left after some steps: a time-out that is the same each time.
type hasty struct {
	job.Magus
	steps int
}

func (e hasty) Load(ctx context.Context, in magus.Input) (job.Project, error) {
	p, err := e.Magus.Load(ctx, in)
	return hastyProject{p, e.steps}, err
}

type hastyProject struct {
	job.Project
	steps int
}

func (p hastyProject) NewSession(ctx context.Context, c *magus.Claim, o magus.Options) (job.Session, error) {
	s, err := p.Project.NewSession(ctx, c, o)
	if err != nil {
		return nil, err
	}
	return &hastySession{s, s.(job.Viewed), p.steps}, nil
}

type hastySession struct {
	job.Session
	job.Viewed
	left int
}

func (s *hastySession) Step(ctx context.Context) cegar.Event {
	if s.left--; s.left < 0 {
		over, cancel := context.WithCancelCause(ctx)
		cancel(verdict.Because(verdict.Time, "--timeout 30s"))
		ctx = over
	}
	return s.Session.Step(ctx)
}

// drawing is a drawing of a page; they have tests of their own.
var drawing = regexp.MustCompile(`(?s)<svg.*?</svg>|<template id="packed">.*?</template>`)

// The pages of docs/reports are those of the examples, but for drawings byte by byte; `go test ./app/cli -run
// ExampleReports -update` writes them. In the handshake the client asks whether a certificate was requested
// where it should ask whether it has sent one.
func TestExampleReports(t *testing.T) {
	const root = "../../examples"
	handshake := []string{"client.c", "server.c", "lib.spec", "p03.spec"}
	tests := []struct {
		name, dir, bug string
		engine         job.Engine
		args           []string
		status         int
	}{
		{"violates", "handshake", "client.c", nil, handshake, 1},
		{"flash", "../docs/flash", "", nil, []string{"store.c", "flash.spec"}, 1},
		{"conforms", "lock", "", nil, []string{"lock.c", "lock.spec"}, 0},
		{"time-out", "lock", "", hasty{steps: 16}, []string{"lock.c", "lock.spec"}, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if testing.Short() && test.dir == "handshake" {
				t.Skip("takes long with the race detector")
			}
			out := filepath.Join(t.TempDir(), "page.html")
			dir := t.TempDir()
			copyDir(t, filepath.Join(root, test.dir), dir)
			if test.bug != "" {
				text, err := os.ReadFile(filepath.Join(dir, test.bug))
				require.NoError(t, err)
				wrong := strings.Replace(string(text), "else if (certified)", "else if (requested)", 1)
				require.NotEqual(t, string(text), wrong)
				require.NoError(t, os.WriteFile(filepath.Join(dir, test.bug), []byte(wrong), 0o666))
			}
			w, _, stderr := testWorld(dir)
			w.Now = func() time.Time { return time.Time{} }
			w.Work = func() time.Duration { return 0 }
			w.PeakMemory = func() uint64 { return 1 << 20 }
			if test.engine != nil {
				w.Engine = test.engine
			}
			require.Equal(t, test.status,
				cli.Main(t.Context(), append([]string{"check", "-q", "--report", out}, test.args...), w), stderr)
			got, err := os.ReadFile(out)
			require.NoError(t, err)
			checkWhole(t, string(got))
			checkAccessible(t, string(got))
			file := filepath.Join("../../docs/reports", test.name+".html")
			golden.Rewrite(t, file, string(got))
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.True(t, drawing.ReplaceAllString(string(want), "") == drawing.ReplaceAllString(string(got), ""),
				"%s: go test ./app/cli -run ExampleReports -update rewrites it", file)
		})
	}
}

// The page of a suite is whole, has no script, and those who hear it find their way.
func TestSuitePage(t *testing.T) {
	out := filepath.Join(t.TempDir(), "page.html")
	w, _, stderr := testWorld("../..")
	w.Now = func() time.Time { return time.Time{} }
	require.Equal(t, 1, cli.Main(t.Context(), []string{"suite", "-q", "--report", out, "docs/suite/lock.toml"}, w), stderr)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	page := string(text)
	require.NotRegexp(t, `(src|href)="?https?:|<(link|img|iframe|object|embed|script)\b`, page)
	require.Contains(t, page, "2 of 3 claims as expected")
	require.Contains(t, page, `<strong class="violates">not as expected:</strong>`)
	checkAccessible(t, page)
}

// So is the page of a model, and what stands in the model stays text.
func TestParamPage(t *testing.T) {
	dir := t.TempDir()
	copyDir(t, "../../examples/param", dir)
	models, err := filepath.Glob(filepath.Join(dir, "*.param"))
	require.NoError(t, err)
	require.NotEmpty(t, models)
	for _, file := range models[:2] {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, append(text, "# <script>alert(1)</script>\n"...), 0o666))
		out := filepath.Join(t.TempDir(), "page.html")
		w, stdout, stderr := testWorld(dir)
		require.Contains(t, []int{0, 1},
			cli.Main(t.Context(), []string{"param", "check", "--report", out, filepath.Base(file)}, w), stderr)
		raw, err := os.ReadFile(out)
		require.NoError(t, err)
		require.NotRegexp(t, `(src|href)="?https?:|<(link|img|iframe|object|embed|script)\b`, string(raw))
		require.Contains(t, html.UnescapeString(string(raw)), stdout.String())
		checkAccessible(t, string(raw))
	}
}

// A tag of a page, with its attributes.
var tag = regexp.MustCompile(`<(/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*/?>`)
var attribute = regexp.MustCompile(`([a-zA-Z-]+)(?:="([^"]*)")?`)

// checkAccessible requires what those need who do not see a page, or have no mouse: a language, a title, one
// main part, headings without gaps, names of everything that can be used or is a landmark or a picture, heads
// of tables, and references that lead somewhere.
func checkAccessible(t *testing.T, page string) {
	t.Helper()
	page = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>`).ReplaceAllString(page, "")
	require.Contains(t, page, `<html lang="en">`)
	require.Regexp(t, `<title>[^<]+</title>`, page)
	require.Equal(t, 1, strings.Count(page, "<main"))
	require.Equal(t, 1, strings.Count(page, "<h1"))
	ids, refs := map[string]bool{}, []string{}
	named := []string{"a", "button", "summary", "h1", "h2", "h3", "h4", "label", "figcaption", "caption", "output"}
	level := 0
	landmarks := map[string]bool{}
	landmark := func(name string) {
		require.False(t, name != "" && landmarks[name], "two parts are called %s", name)
		landmarks[name] = true
	}
	for _, m := range tag.FindAllStringSubmatchIndex(page, -1) {
		if m[3] > m[2] { // an end
			continue
		}
		name, whole, rest := page[m[4]:m[5]], page[m[0]:m[1]], page[m[1]:]
		has := map[string]string{}
		for _, a := range attribute.FindAllStringSubmatch(page[m[6]:m[7]], -1) {
			has[a[1]] = a[2]
		}
		if id := has["id"]; id != "" {
			require.False(t, ids[id], "id %s twice", id)
			ids[id] = true
		}
		refs = append(refs, strings.Fields(has["aria-labelledby"])...)
		if target, inside := strings.CutPrefix(has["href"], "#"); inside && target != "" && !strings.Contains(target, "=") {
			refs = append(refs, target)
		}
		if slices.Contains(named, name) && has["aria-label"] == "" {
			end := strings.Index(rest, "</"+name+">")
			require.GreaterOrEqual(t, end, 0, whole)
			inner := tag.ReplaceAllString(rest[:end], "")
			require.True(t, strings.TrimSpace(inner) != "" || strings.Contains(rest[:end], "aria-label"),
				"%s says nothing", whole)
		}
		switch name {
		case "input", "select":
			require.True(t, has["aria-label"] != "" ||
				strings.LastIndex(page[:m[0]], "<label") > strings.LastIndex(page[:m[0]], "</label>"), whole)
		case "section", "nav":
			landmark(has["aria-label"])
			require.NotEmpty(t, has["aria-label"]+has["aria-labelledby"], whole)
		case "svg":
			require.Equal(t, "img", has["role"], whole)
			require.NotEmpty(t, has["aria-label"], whole)
		case "th":
			require.Contains(t, []string{"col", "row"}, has["scope"], whole)
		case "h1", "h2", "h3", "h4":
			n := int(name[1] - '0')
			require.LessOrEqual(t, n, level+1, "%s behind a heading of level %d", whole, level)
			level = n
		}
		if has["role"] == "region" || has["tabindex"] != "" {
			require.NotEmpty(t, has["aria-label"], "%s can be come to and has no name", whole)
			landmark(has["aria-label"])
		}
		tab, _ := strconv.Atoi(has["tabindex"])
		require.LessOrEqual(t, tab, 0, "%s changes the order of the keys", whole)
	}
	for _, ref := range refs {
		require.True(t, ids[ref], "nothing is called %s", ref)
	}
}

// What the checks are for is found.
func TestPagesThatAreNotAccessible(t *testing.T) {
	good := `<html lang="en"><title>t</title><h1>x</h1><main><h2 id="a">y</h2><section ` +
		`aria-labelledby="a"><button>b</button></section></main>`
	checkAccessible(t, good)
	require.True(t, refuses(func(t *testing.T) {
		checkAccessible(t, strings.Replace(good, "<main>",
			`<main><section aria-label="part"></section><section aria-label="part"></section>`, 1))
	}))
	for from, to := range map[string]string{
		`<button>b</button>`:  `<button></button>`,
		`aria-labelledby="a"`: `aria-labelledby="b"`,
		`<h2 id="a">y</h2>`:   `<h3 id="a">y</h3>`,
		` lang="en"`:          ``,
		`<main>`:              `<main><svg role="img"></svg>`,
		`<h1>x</h1>`:          `<h1>x</h1><table><th>head</th></table>`,
		`<section `:           `<input type="range"><section `,
	} {
		require.Contains(t, good, from)
		require.True(t, refuses(func(t *testing.T) { checkAccessible(t, strings.Replace(good, from, to, 1)) }), to)
	}
}

// refuses reports whether a check fails.
func refuses(check func(*testing.T)) bool {
	failed := make(chan bool)
	go func() {
		inner := &testing.T{}
		defer func() { failed <- inner.Failed() }()
		check(inner)
	}()
	return <-failed
}

// Text has the contrast of WCAG's level AA on everything that it stands on, in both themes, and lines of
// drawings that of graphics.
func TestContrast(t *testing.T) {
	css, err := os.ReadFile("../page/page.css")
	require.NoError(t, err)
	for i, line := range strings.Split(string(css), "\n")[:2] {
		color := map[string]string{}
		for _, m := range regexp.MustCompile(`--(\w+): (#[0-9a-f]{6})`).FindAllStringSubmatch(line, -1) {
			color[m[1]] = m[2]
		}
		require.GreaterOrEqual(t, len(color), 10, "theme %d", i)
		for _, on := range []string{"back", "panel", "pick"} {
			for _, text := range []string{"front", "soft", "good", "bad", "open", "new", "hot"} {
				require.GreaterOrEqual(t, contrast(t, color[text], color[on]), 4.5, "theme %d: %s on %s", i, text, on)
			}
		}
		for _, on := range []string{"back", "panel"} {
			require.GreaterOrEqual(t, contrast(t, color["edge"], color[on]), 3.0, "theme %d: edge on %s", i, on)
		}
	}
	require.InDelta(t, 21, contrast(t, "#000000", "#ffffff"), 0.01)
}

// contrast is the ratio of WCAG 2.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(color string) float64 {
		sum := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
			require.NoError(t, err)
			c := float64(n) / 255
			if c <= 0.04045 {
				sum += weight * c / 12.92
			} else {
				sum += weight * math.Pow((c+0.055)/1.055, 2.4)
			}
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
