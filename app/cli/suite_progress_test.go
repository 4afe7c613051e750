package cli

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/suite"
)

// The line of a suite tells what is done, and guesses only from claims that were checked.
func TestSuiteProgressLine(t *testing.T) {
	p := &suiteProgress{jobs: 2, total: 40, verdicts: map[string]int{}}
	now := 0.0
	p.now = func() float64 { return now }
	require.Equal(t, "[                ] 0/40, 0 running; 0 s", p.line(0))
	for range 10 {
		p.finish(p.begin(), &suite.Result{Verdict: "conforms", Kept: true})
	}
	p.finish(p.begin(), &suite.Result{PassedOver: true})
	require.Equal(t, "[====            ] 11/40, 0 running: 10 conforms; 1 s", p.line(1))
	for range 2 {
		p.finish(p.begin(), &suite.Result{Verdict: "violates", Seconds: 4})
	}
	began := p.begin()
	require.NotContains(t, p.line(9), "left", "two are too few")
	p.finish(began, &suite.Result{Verdict: "unknown", Seconds: 10, Failure: "expected conforms, got unknown"})
	now = 18
	p.begin()
	// 26 are left, 6 s each, two at a time.
	require.Equal(t, "[=====           ] 14/40, 1 running: 10 conforms, 2 violates, 1 unknown; "+
		"1 not as expected; 18 s, about 78 s left", p.line(18))
	p.done = 40
	require.NotContains(t, p.line(90), "left")

	var none *suiteProgress // where there is no terminal
	none.finish(none.begin(), &suite.Result{})
	none.end()
	printed := false
	none.print(func() { printed = true })
	require.True(t, printed)
}

// The guess is near what is known to come, where claims are alike and where their times vary, and it
// does not promise an end for one that takes much longer than the others.
func TestSuiteProgressGuess(t *testing.T) {
	// run tells the guess, after each claim, and how long it then takes.
	run := func(jobs int, times []float64, told func(done int, guess, takes float64)) {
		now := 0.0
		p := &suiteProgress{jobs: jobs, total: len(times), verdicts: map[string]int{}, now: func() float64 { return now }}
		type claim struct{ began, ends, takes float64 }
		var running []claim
		begin := func() {
			if len(times) > 0 {
				running = append(running, claim{p.begin(), now + times[0], times[0]})
				times = times[1:]
			}
		}
		for range jobs {
			begin()
		}
		type moment struct {
			done      int
			guess, at float64
		}
		var moments []moment
		for len(running) > 0 {
			first := slices.MinFunc(running, func(a, b claim) int { return cmp.Compare(a.ends, b.ends) })
			if p.checked >= leastChecked { // half way to it
				now += (first.ends - now) / 2
				moments = append(moments, moment{p.done, p.left(now), now})
			}
			now = first.ends
			i := slices.Index(running, first)
			running = slices.Delete(running, i, i+1)
			p.finish(first.began, &suite.Result{Seconds: first.takes})
			begin()
		}
		for _, m := range moments {
			told(m.done, m.guess, now-m.at)
		}
	}
	alike := slices.Repeat([]float64{6, 6.001, 6.002, 6.003}, 10)
	for _, jobs := range []int{1, 2, 7} {
		run(jobs, slices.Clone(alike), func(done int, guess, takes float64) {
			require.InDelta(t, takes, guess, 6, "%d at a time, behind %d", jobs, done)
		})
	}
	r := rand.New(rand.NewPCG(1, 1))
	var vary []float64
	for range 200 {
		vary = append(vary, math.Exp(2*r.Float64()))
	}
	run(4, vary, func(done int, guess, takes float64) {
		if done > 20 && done < 180 {
			require.InEpsilon(t, takes, guess, 0.25, "behind %d", done)
		}
	})
	run(2, append(slices.Repeat([]float64{1, 1.5}, 10), 600), func(done int, guess, takes float64) {
		if done == 20 { // only the long one is left: it has had half
			require.InEpsilon(t, takes, guess, 0.1)
		}
	})
}

func TestAbout(t *testing.T) {
	for seconds, want := range map[float64]string{0.2: "1 s", 59.6: "60 s", 100: "2 min", 3600: "60 min",
		7200: "2 hours"} {
		require.Equal(t, want, about(seconds))
	}
}
