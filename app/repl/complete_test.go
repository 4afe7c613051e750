package repl

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/sample"
)

// TestCandidatesAreUnderstood: what completion offers at any place of any command, the command
// understands there: it says neither that there is no such thing nor how it is written, unless more is to follow.
func TestCandidatesAreUnderstood(t *testing.T) {
	// files, or not of the session
	elsewhere := []string{"load", "save", "restore", "include", "lts", "cd", "ls", "help", "exit", "draw", "check", "run"}
	tried := 0
	for _, files := range [][]string{
		{"handshake", "client.c", "server.c", "lib.spec", "p03.spec"},
		{"figure2", "figure2.c", "figure2.spec"},
	} {
		for i, c := range Commands() {
			if len(c.kinds) == 0 || slices.Contains(elsewhere, c.Name) {
				continue
			}
			if sample.Thinned(i, 2) {
				continue
			}
			m := example(t, files[0], files[1:]...)
			sh := New(m.host())
			m.do(sh, "load "+strings.Join(files[1:], " "), "set action-abstraction on", "reload",
				"until counterexample", "break iteration 3", "watch 1 1 > 0")
			w := &offered{t: t, m: m, sh: sh}
			w.follow(c.Name+" ", 4)
			tried += w.tried
			sh.Close()
		}
	}
	if sample.Whole() {
		require.Greater(t, tried, 80)
	}
}

// offered walks what completion offers.
type offered struct {
	t     *testing.T
	m     *memory
	sh    *Shell
	tried int
}

var (
	notThere = regexp.MustCompile(
		`^no (component|object|filter|condition|event|option|claim|move|phase|definition|location|state|block|flag|moment|action|variable|breakpoint|watch) `)
	notWritten = regexp.MustCompile(`^(which|no event)|is not complete|is missing`)
	// that completion does not know
	wantsMore = regexp.MustCompile(`(^| )(iteration|--around|random|reason|trace|drop|drop [a-z]+|assume ` +
		`[a-z]+|with|==|!=|<|<=|>|>=)$`)
)

// follow tries some of what is offered behind a text, and behind that, up to so many words.
func (w *offered) follow(text string, most int) {
	all, last := w.sh.Complete(text)
	require.Empty(w.t, last)
	if most == 0 {
		return
	}
	for i, candidate := range all {
		if i > 1 && i < len(all)-1 {
			continue
		}
		line := text + candidate
		if more, _ := w.sh.Complete(line + " "); len(more) == 0 && !wantsMore.MatchString(line) {
			w.tried++
			got := w.m.do(w.sh, line)
			require.NotRegexp(w.t, notThere, got, line)
			require.NotRegexp(w.t, notWritten, got, line)
			require.NotContains(w.t, got, "expected "+strings.Fields(line)[0]+" ", line)
		}
		w.follow(line+" ", most-1)
	}
}
