package threaded

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
	"magus/engine/cegar"
	"magus/engine/portfolio"
	"magus/engine/threads"
	"magus/evidence/verdict"
	"magus/internal/sample"
)

// Programs that a few methods decide.
const (
	threadHead = "#include <pthread.h>\nextern void reach_error(void); int x, y; " +
		"pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
	fewSteps = threadHead + `
void *f(void *p) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); y = x; pthread_join(t, 0); if (y > 1) reach_error(); return 0; }`
	wrongSteps = threadHead + `
void *f(void *p) { for (int i = 0; i < 3; i++) x = x + 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); if (x == 3) reach_error(); return 0; }`
	endless = threadHead + `
void *f(void *p) { while (1) { pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m); } return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
	while (1) { pthread_mutex_lock(&m); if (x) reach_error(); pthread_mutex_unlock(&m); } }`
	anyNumber = threadHead + `
void *f(void *p) { pthread_mutex_lock(&m); x = 1; if (x != 1) reach_error(); x = 0; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }`
)

// driven gives a method shares until it is over, or has had some, and says what it did.
func driven(t *testing.T, m Method, share portfolio.Effort) (events []string, f *Finding) {
	t.Helper()
	for range 60 {
		e := m.Advance(context.Background(), share)
		events = append(events, fmt.Sprintf("%d %v", e.Spent(), e))
		switch e := e.(type) {
		case ended:
			return events, e.Outcome
		case gaveUp:
			var quiet *noAnswer
			require.ErrorAs(t, e.Why, &quiet)
			return events, nil
		}
	}
	return events, nil
}

// TestMethodsAlone: each method alone is never wrong, decides what is said here, and gives equal events for
// equal shares.
func TestMethodsAlone(t *testing.T) {
	sample.Long(t)
	for i, c := range []struct {
		name, text string
		truth      verdict.Verdict
		decide     []string
	}{
		{"few steps", fewSteps, verdict.Conforms, []string{"search", "slice", "product-auto", "product-loop",
			"product-kinduction",
			"product-pdr"}},
		{"an error", wrongSteps, verdict.Violates, []string{"search", "runs"}},
		{"loops without end", endless, verdict.Conforms, []string{"product-auto", "product-loop", "product-kinduction",
			"product-pdr"}},
		{"threads without end", anyNumber, verdict.Conforms, []string{"modular-auto", "modular-loop", "modular-kinduction",
			"locations-kinduction", "moves-kinduction"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, name := range Names()[1:] {
				if strings.HasPrefix(name, standingOf) { // of another question
					continue
				}
				share, decides := portfolio.Effort(1<<12), slices.Contains(c.decide, name)
				if slices.Contains(pairNames(), name) {
					if share = 12; !decides && (testing.Short() || i > 0) {
						continue
					}
				}
				all := make([][]string, 2)
				if testing.Short() || !decides || i > 0 && i < 3 {
					all = all[:1]
				}
				for k := range all {
					s, err := New(context.Background(), claim(t, c.text), Options{Threads: Threads{Method: name}})
					require.NoError(t, err)
					require.Len(t, s.methods, 1)
					require.Equal(t, name, s.methods[0].Name())
					var f *Finding
					all[k], f = driven(t, s.methods[0], share)
					if f != nil {
						require.Equal(t, c.truth, f.Verdict, name)
					}
					require.True(t, f != nil || !decides, "%s: %v", name, all[k])
					s.Close()
				}
				require.Equal(t, all[0], all[len(all)-1], name)
			}
		})
	}
}

// TestEnginesAlone: a session with one method comes to its verdict, with a certificate that holds, and tells
// of no other.
func TestEnginesAlone(t *testing.T) {
	for name, text := range map[string]string{"search": wrongSteps, "runs": wrongSteps, "slice": fewSteps,
		"product-kinduction": endless, "modular-auto": anyNumber} {
		c, opt := claim(t, text), Options{Threads: Threads{Method: name}}
		s, err := New(context.Background(), c, opt)
		require.NoError(t, err)
		for s.Next() != cegar.Finished {
			s.Step(context.Background())
		}
		require.NotEqual(t, verdict.Unknown, s.outcome.Verdict, "%s: %v", name, s.outcome.Reason)
		require.Len(t, s.outcome.Methods, 1)
		require.Equal(t, name, s.outcome.Methods[0].Method)
		require.Equal(t, "answered", s.outcome.Methods[0].Result)
		require.Positive(t, s.outcome.Methods[0].Effort)
		s.Close()
		cert := certified(t, c, opt)
		require.False(t, refuses(t, c, Options{}, cert), name)
	}
}

// TestEqualSessions: two sessions take equal steps and share the effort equally.
func TestEqualSessions(t *testing.T) {
	for _, text := range []string{fewSteps, wrongSteps, endless, anyNumber} {
		var events [2][]string
		var shares [2][]verdict.Share
		for i := range events {
			s, err := New(context.Background(), claim(t, text), Options{})
			require.NoError(t, err)
			for s.Next() != cegar.Finished {
				events[i] = append(events[i], s.Step(context.Background()).String())
			}
			shares[i] = s.outcome.Methods
			s.Close()
		}
		require.Equal(t, events[0], events[1])
		require.Equal(t, shares[0], shares[1])
		require.Len(t, shares[0], 11)
	}
}

// TestInterruptedPair: a pair that is interrupted makes its steps once more, and comes to its proof.
func TestInterruptedPair(t *testing.T) {
	s, err := New(context.Background(), claim(t, endless), Options{Threads: Threads{Method: "product-kinduction"}})
	require.NoError(t, err)
	defer s.Close()
	m := s.methods[0]
	_, goesOn := m.Advance(context.Background(), 1).(worked)
	require.True(t, goesOn)
	over, cancel := context.WithCancel(context.Background())
	cancel()
	_, goesOn = m.Advance(over, 1).(worked)
	require.True(t, goesOn)
	_, f := driven(t, m, 1)
	require.NotNil(t, f)
	require.Equal(t, verdict.Conforms, f.Verdict)
}

// TestOtherEngines: a name that is none for a question is an error that lists those that are.
func TestOtherEngines(t *testing.T) {
	_, err := New(context.Background(), claim(t, fewSteps), Options{Threads: Threads{Method: "loop"}})
	var wrong *component.InputError
	require.ErrorAs(t, err, &wrong)
	require.ErrorContains(t, err, "engine loop is not for this question about threads; "+
		"there are auto, search, slice, runs, ranges-auto")
	c := claim(t, fewSteps)
	c.Question = component.NoRace
	_, err = New(context.Background(), c, Options{Threads: Threads{Method: "runs"}})
	require.ErrorContains(t, err, "there are auto, search")
	require.NotContains(t, err.Error(), "product")
	_, err = New(context.Background(), claim(t, fewSteps), Options{Threads: Threads{Method: "modular-auto", Limit: 2}})
	require.ErrorContains(t, err, "engine modular-auto is not")
	require.Contains(t, Names(), threads.SearchMethod)
}
