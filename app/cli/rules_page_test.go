package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/internal/golden"
)

// rulesPage writes the page of a check of the example, whose clock stands still.
func rulesPage(t *testing.T, dir string, flags ...string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "page.html")
	w, _, stderr := testWorld(dir)
	w.Now = func() time.Time { return time.Time{} }
	w.Work = func() time.Duration { return 0 }
	w.PeakMemory = func() uint64 { return 1 << 20 }
	args := append([]string{"rules", "check", "--quiet", "--report", file}, flags...)
	status := cli.Main(t.Context(), append(args, "pool.c", "queue.c", "journal.c", "peer.c"), w)
	require.Contains(t, []int{0, 1, 3}, status, stderr.String())
	require.Empty(t, stderr.String())
	return file
}

// TestRulesPage: the page of a project is whole by itself, the same every time, and shows what is new, what is
// known, what is allowed and what is undecided.
func TestRulesPage(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same with the race detector")
	}
	dir := copied(t, "rules")
	read := func(flags ...string) string {
		text, err := os.ReadFile(rulesPage(t, dir, flags...))
		require.NoError(t, err)
		checkWhole(t, string(text))
		checkAccessible(t, string(text))
		return string(text)
	}
	text := read()
	require.Equal(t, text, read())
	require.Less(t, len(text), 100_000)
	const shown = "../../docs/reports/rules.html"
	golden.Rewrite(t, shown, text)
	want, err := os.ReadFile(shown)
	require.NoError(t, err)
	require.True(t, string(want) == text, "%s: go test ./app/cli -run RulesPage -update rewrites it", shown)
	for _, want := range []string{
		`<span class="badge violates">2 new findings</span></h1>`,
		`<span>7 rules, 4 files</span> <span>29 of 31 roots kept</span>`,
		`<a class="violates" href="#finding-1">✗ 1</a> <span class="conforms">✓ 1</span>`,
		`<tr data-at="queue.c:28" class="visited here"><td class="mark">✗</td><td>28</td>`,
		`<tr class="bad " data-at="peer.c:25">`, "p points to an object of its own, or is NULL",
	} {
		require.Contains(t, text, want)
	}
	require.Less(t, strings.Index(text, "<th scope=\"row\">peer.c"), strings.Index(text, "<th scope=\"row\">journal.c"),
		"what there is to look at stands first")
	require.NotContains(t, text, "<td>libc_status</td><td><code>if (connect(",
		"what a function of the library gives is seen at its call")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "known.txt"),
		[]byte("# magus baseline 1\npthread-mutex queue.c queue_put end after lock\nfile gone.c f close\n"), 0o666))
	mend(t, filepath.Join(dir, "peer.c"), "sizeof to) < 0)\n		return -1;",
		"sizeof to) < 0)\n		return -1; // magus: allow descriptor: <b>the caller ends</b>")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "list.c"), []byte("#include <stdlib.h>\n"+
		"static struct n { struct n *next; } *head;\n"+
		"void add(struct n *p) { p->next = head; head = p; }\n"+
		"void drop(void) { while (head) { struct n *p = head; head = p->next; free(p); } }\n"), 0o666))
	text = read("--baseline", "known.txt", "--rule", "pthread-mutex", "--rule", "descriptor", "--rule", "memory",
		"--rule", "file", "list.c")
	for _, want := range []string{
		`<span class="badge unknown">nothing new, 1 root undecided</span></h1>`, `2 findings: 0 new, 1 known, 1 allowed`,
		`class="claim finding is-known"`, `Allowed: &lt;b&gt;the caller ends&lt;/b&gt;.`,
		`known.txt:3: not found any more: file gone.c f close`,
		`<a class="unknown" href="#undecided-1">? 1</a>`, "depends on a value that is not modelled",
	} {
		require.Contains(t, text, want)
	}
	require.Less(t, strings.Index(text, "is-known"), strings.Index(text, "is-allowed"))
	text = read("--rule", "socket-order")
	require.Contains(t, text, `<span class="badge conforms">all rules kept</span></h1>`)
	require.NotContains(t, text, `id="findings"`)
}

// The page in a browser asks for nothing, and a place that is picked is seen in the source.
func TestRulesPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a page is the same without the race detector")
	}
	b := open(t, lookBrowser(t), rulesPage(t, copied(t, "rules")))
	require.True(t, b.is(`document.querySelector("table.matrix").innerText.includes("pthread-mutex")`))
	require.True(t, b.is(`document.querySelectorAll("table.chart tr.faint").length > 0`))
	require.True(t, b.is(`getComputedStyle(document.querySelector("table.chart tr.faint:not(.bad)")).display == "none"`))
	b.run(`document.querySelector(".faint-too").click()`)
	require.True(t, b.is(`getComputedStyle(document.querySelector("table.chart tr.faint:not(.bad)")).display != "none"`))
	b.run(`document.querySelector(".finding h3 a.at").click()`)
	require.True(t, b.is(`document.querySelector("#sources .picked").dataset.at == "peer.c:25"`))
	b.auditPage("rules")
	b.quiet()
}
