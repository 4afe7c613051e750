package threads_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/engine/portfolio"
	"magus/engine/threads"
)

// TestSearchAlone: a search that is driven by shares comes to the answer of one that steps, whatever the
// shares, and equal searches give equal events for equal shares. Steps that are put off lose nothing.
func TestSearchAlone(t *testing.T) {
	const head = "#include <pthread.h>\nextern void reach_error(void); int x;\nvoid *f(void *p) { " +
		"for (int i = 0; i < 4; i++) x = x + 1; return 0; }\n"
	for want, main := range map[threads.Answer]string{
		threads.Safe: "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); " +
			"if (x > 4) reach_error(); return 0; }",
		threads.Unsafe: "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; " +
			"pthread_join(t, 0); if (x == 3) reach_error(); return 0; }",
		threads.Unknown: "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int n = 0; " +
			"while (x < 4) n++; if (n < 0) reach_error(); return 0; }",
	} {
		auto := automaton(t, head+main)
		for _, o := range []threads.Options{{Unwind: 4}, {Unwind: 4, Slice: true}} {
			for _, first := range []portfolio.Effort{1, 300, portfolio.Unlimited} {
				events, answer := shared(t, threads.New(auto, o), first)
				require.Equal(t, want, answer)
				again, _ := shared(t, threads.New(auto, o), first)
				require.Equal(t, events, again)
			}
		}
	}
}

// shared gives a search shares that grow, and says what it did with them.
func shared(t *testing.T, s *threads.Search, share portfolio.Effort) (events []string, a threads.Answer) {
	for range 1000 {
		e := s.Advance(t.Context(), share)
		events = append(events, fmt.Sprintf("%d %v", e.Spent(), e))
		switch e := e.(type) {
		case portfolio.Worked[threads.Result]:
			share += share/2 + 1
		case portfolio.GaveUp[threads.Result]:
			require.Equal(t, portfolio.GaveUp[threads.Result]{Why: e.Why}, s.Advance(t.Context(), share))
			return events, threads.Unknown
		case portfolio.Ended[threads.Result]:
			require.Equal(t, portfolio.Ended[threads.Result]{Outcome: e.Outcome}, s.Advance(t.Context(), share))
			return events, e.Outcome.Answer
		}
	}
	require.Fail(t, "the search has no end")
	return nil, 0
}
