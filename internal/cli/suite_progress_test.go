package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/suite"
)

// The line of a suite tells what is done, and guesses only from claims that were checked.
func TestSuiteProgressLine(t *testing.T) {
	p := &suiteProgress{jobs: 2, total: 40, verdicts: map[string]int{}}
	require.Equal(t, "[                ] 0/40, 0 running; 0 s", p.line(0))
	for range 10 {
		p.begin()
		p.finish(&suite.Result{Verdict: "conforms", Kept: true})
	}
	p.begin()
	p.finish(&suite.Result{PassedOver: true})
	require.Equal(t, "[====            ] 11/40, 0 running: 10 conforms; 1 s", p.line(1))
	for range 2 {
		p.begin()
		p.finish(&suite.Result{Verdict: "violates", Seconds: 4})
	}
	p.begin()
	require.NotContains(t, p.line(9), "left", "two are too few")
	p.finish(&suite.Result{Verdict: "unknown", Seconds: 10, Failure: "expected conforms, got unknown"})
	p.begin()
	// 26 are left, 6 s each, two at a time.
	require.Equal(t, "[=====           ] 14/40, 1 running: 10 conforms, 2 violates, 1 unknown; 1 not as expected; 18 s, about 78 s left", p.line(18))
	p.done = 40
	require.NotContains(t, p.line(90), "left")

	var none *suiteProgress // where there is no terminal
	none.begin()
	none.finish(&suite.Result{})
	none.end()
	printed := false
	none.print(func() { printed = true })
	require.True(t, printed)
}

func TestAbout(t *testing.T) {
	for seconds, want := range map[float64]string{0.2: "1 s", 59.6: "60 s", 100: "2 min", 3600: "60 min", 7200: "2 hours"} {
		require.Equal(t, want, about(seconds))
	}
}
