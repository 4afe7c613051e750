package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/engine/portfolio"
	"magus/internal/sample"
	"magus/param"
	"magus/param/cert"
	"magus/param/engine"
)

// mostShares ends the search of a method that would not.
const mostShares = 30

// alone drives a method over shares of a size and gives its events, and its result; nil if it has none.
func alone(t *testing.T, m engine.Method, share portfolio.Effort) (events []string, o *engine.Result) {
	for range mostShares {
		e := m.Advance(t.Context(), share)
		events = append(events, fmt.Sprintf("%d %v", e.Spent(), e))
		switch end := e.(type) {
		case portfolio.Ended[*engine.Result]:
			again := m.Advance(t.Context(), share)
			require.Equal(t, portfolio.Ended[*engine.Result]{Outcome: end.Outcome}, again)
			return events, end.Outcome
		case portfolio.GaveUp[*engine.Result]:
			again := m.Advance(t.Context(), share)
			require.Equal(t, portfolio.GaveUp[*engine.Result]{Why: end.Why}, again)
			return events, nil
		}
	}
	return events, nil
}

// TestMethodsAlone: each method that fits an example is never wrong about it alone, has evidence, and gives equal
// events for equal shares. Each has an answer somewhere.
func TestMethodsAlone(t *testing.T) {
	sample.Long(t)
	files, err := filepath.Glob("../../examples/param/*.param")
	require.NoError(t, err)
	answers := map[string]int{}
	for i, f := range files {
		if sample.Thinned(i, 2) {
			continue
		}
		sys := load(t, filepath.Base(f))
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		want, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# want: "), "\n")
		for _, name := range engine.Names()[1:] {
			m, err := engine.NewMethod(name, sys, 0)
			if err != nil {
				_, err = engine.New(sys, 0, engine.Options{Engine: name})
				require.Error(t, err)
				continue
			}
			require.Equal(t, name, m.Name())
			what := filepath.Base(f) + " by " + name
			events, o := alone(t, m, 300)
			if i%3 == 0 {
				again, err := engine.NewMethod(name, sys, 0)
				require.NoError(t, err)
				equal, _ := alone(t, again, 300)
				require.Equal(t, events, equal, what)
			}
			if o == nil {
				continue
			}
			answers[name]++
			require.Equal(t, want, o.String(), what)
			if o.Proof != nil {
				require.NoError(t, cert.Check(t.Context(), sys.Model, 0, o.Proof), what)
			} else {
				require.NotNil(t, o.Run, what)
			}
		}
	}
	for _, name := range []string{"forward", "dbm", "linear"} {
		require.True(t, !sample.Whole() || answers[name] > 0, "%s: %v", name, answers)
	}
}

// exact is a model in which more processes can do all that fewer can.
const exact = `
	states idle, busy;
	shared tokens: nat;
	rule take: idle -> busy : tokens >= 1, tokens' = tokens - 1;
	rule give: busy -> idle : tokens' = tokens + 1;
	rule new: -> idle;
	init idle >= 0, busy = 0, tokens = 1;
	bad busy >= 2;
`

// TestExactMethodsAlone: backward and forward coverability, each alone, prove a model for which they are exact.
func TestExactMethodsAlone(t *testing.T) {
	m, err := param.Parse("exact.param", []byte(exact))
	require.NoError(t, err)
	sys, err := param.Compile(t.Context(), m)
	require.NoError(t, err)
	for _, name := range []string{"cover", "limits"} {
		method, err := engine.NewMethod(name, sys, 0)
		require.NoError(t, err, name)
		_, o := alone(t, method, 300)
		require.NotNil(t, o, name)
		require.Equal(t, engine.Safe, o.Answer, name)
		require.NoError(t, cert.Check(t.Context(), m, 0, o.Proof), name)
	}
	_, err = engine.NewMethod("magic", sys, 0)
	require.ErrorContains(t, err, "there is no method magic; there are forward, cover, limits, dbm, linear")
}

// TestChosenEngine: a session with one engine has that method alone, and tells what it was given.
func TestChosenEngine(t *testing.T) {
	sys := load(t, "readers-writers.param")
	for _, name := range []string{"forward", "dbm", "linear"} {
		o := check(t, sys, engine.Options{Engine: name})
		require.Len(t, o.Methods, 1, name)
		row := o.Methods[0]
		require.Equal(t, name, row.Name)
		require.Positive(t, row.Shares)
		if name == "forward" {
			require.Equal(t, engine.Unknown, o.Answer)
			require.Equal(t, portfolio.Failed, row.State)
		} else {
			require.Equal(t, engine.Safe, o.Answer)
			require.Equal(t, portfolio.Answered, row.State)
		}
	}
	o := check(t, sys, engine.Options{})
	require.Len(t, o.Methods, 3)
}
