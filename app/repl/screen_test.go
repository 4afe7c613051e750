package repl

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// typing is a shell at a terminal of a size, of which keys types lines.
func typing(t *testing.T, columns, rows int) (m *memory, keys func(lines ...string) string) {
	t.Helper()
	m = example(t, "lock", "lock.c", "lock.spec")
	h := m.host()
	h.Text.Width, h.Height = columns, func() int { return rows }
	h.Interrupt = func(func()) func() { return func() {} }
	sh := New(h)
	t.Cleanup(sh.Close)
	return m, func(lines ...string) string {
		m.out.Reset()
		m.err.Reset()
		sh.Interact(t.Context(), Pipe(strings.NewReader(strings.Join(lines, "\n"))), Mode{Prompt: true})
		return m.out.String() + m.err.String()
	}
}

// At a terminal a list stops at the end of the screen; more, and an empty line behind it, show the rest; what goes
// into a file or through a filter is whole.
func TestScreenful(t *testing.T) {
	m, keys := typing(t, usualWidth+1, 12)
	whole := m.do(New(m.host()), "help")
	shown := keys("help")
	require.Equal(t, 11, strings.Count(shown, "\n"))
	require.Contains(t, shown, " more: more, or an empty line, shows them\n")
	require.True(t, strings.HasPrefix(whole, shown[:strings.Index(shown, "-- ")]))
	var all strings.Builder
	for text := shown; ; text = keys("more") {
		part, _, more := strings.Cut(text, "-- ")
		all.WriteString(part)
		if !more {
			break
		}
	}
	require.Equal(t, whole, all.String())
	require.Contains(t, keys("more"), "there is no more to see of what was printed last")
	require.Equal(t, 3, strings.Count(keys("help", "", "", "pwd"), " more: more"))
	require.NotContains(t, keys("help | tail 30"), "-- ")
	require.NotContains(t, keys("pwd"), "-- ")
}

// Help and complaints fit on a screen of 40 columns; examples are lines as they are typed.
func TestNarrow(t *testing.T) {
	_, keys := typing(t, 40, 0)
	for _, c := range Commands() {
		text, _, _ := strings.Cut(keys("help "+c.Name), "\nExamples:\n")
		for line := range strings.Lines(text) {
			require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 40, c.Name+": "+line)
		}
	}
	for line := range strings.Lines(keys("help", "show", "show relation", "break nonsense", "nonsense",
		"load nothing.c", "set nonsense", "1", "load lock.c")) {
		require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 40, line)
	}
}

func TestReflowed(t *testing.T) {
	const text = "a b c\nd e\n\n  one    first and\n         second\n  three-letters  x\n"
	require.Equal(t, "a b c d e\n\n  one    first and second\n  three-letters  x\n", reflowed(text, 80))
	require.Equal(t, "a b c d\ne\n\n  one\n    first\n    and\n    second\n  three-letters\n    x\n", reflowed(text, 8))
}

// The lines of a list are broken at blanks, and no word is lost.
func TestBroken(t *testing.T) {
	require.Equal(t, "short\n", broken("short\n", 40))
	require.Equal(t, "a line without a screen\n", broken("a line without a screen\n", 0))
	for _, line := range []string{
		"*  0  state == 1, state == 2, state == 3, … (15 in all) branch  handshake/client.c:107\n",
		"   9  107   if (state == 1)   -> 24, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21\n",
		strings.Repeat("long", 40) + " word\n",
	} {
		for width := leastWidth; width < 100; width++ {
			all := broken(line, width)
			for l := range strings.Lines(all) {
				require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(l, "\n")), width)
			}
			words := func(text string) string { return strings.Join(strings.Fields(text), "") }
			require.Equal(t, words(line), words(all))
			if first, _, more := strings.Cut(strings.TrimSuffix(all, "\n"), "\n"); more {
				require.True(t, strings.HasPrefix(line, first))
			}
		}
	}
}
