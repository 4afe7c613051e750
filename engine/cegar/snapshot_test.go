package cegar

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/countdown"
	"magus/internal/sample"
)

// anElement is the name of the longest session.
const anElement = "an element of an array"

var sessions = []struct {
	name    string
	dir     string
	c, spec []string
	opt     Options
}{
	{"program", "handshake", []string{"client.c", "server.c"}, []string{"lib.spec", "p01.spec"},
		Options{Loop: Loop{ReduceIterations: 8}}},
	{"procedure", "handshake", []string{"server.c"}, []string{"lib.spec", "s2.spec"},
		Options{Loop: Loop{ReduceIterations: 1}}},
	{"both levels", "handshake", []string{"server.c"}, []string{"lib.spec", "s2.spec"},
		Options{Loop: Loop{ActionAbstraction: On, ReduceIterations: 1}}},
	{"greedy", "figure2", []string{"figure2.c"}, []string{"figure2.spec"}, Options{Loop: Loop{Strategy: "greedy"}}},
	{"recursion", "recursion", []string{"parity.c"}, []string{"parity.spec"}, Options{}},
	{"bounded search", "handshake", []string{"server.c"}, []string{"lib.spec", "s2.spec"},
		Options{Loop: Loop{ReduceIterations: 1, FirstShare: 1}}},
	{"bounded search alone", "figure2", []string{"figure2.c"}, []string{"forgets.spec"},
		Options{Loop: Loop{Engine: BoundedEngine}}},
	{"bounded search with recursion", "recursion", []string{"parity.c"}, []string{"parity.spec"},
		Options{Loop: Loop{Engine: BoundedEngine, Bound: 4}}},
	{"property-directed reachability alone", "../engine/cegar/testdata/inside", []string{"counter.c"},
		[]string{"counter.spec"}, Options{Loop: Loop{Engine: PropertyDirectedEngine}}},
	{"a body", "../engine/cegar/testdata/inside", []string{"counter.c"}, []string{"counter.spec"}, Options{}},
	{"a body in the bounded search", "../engine/cegar/testdata/inside", []string{"counter.c"},
		[]string{"counter.spec"}, Options{Loop: Loop{Engine: BoundedEngine}}},
	{anElement, "../engine/cegar/testdata/arrays", []string{"maximum.c"}, nil,
		Options{Loop: Loop{FirstShare: 1}}},
	{"summaries alone", "recursion", []string{"parity.c"}, []string{"parity.spec"},
		Options{Loop: Loop{Engine: SummariesEngine}}},
	{"bodies that stand once", "recursion", []string{"parity.c"}, []string{"parity.spec"},
		Options{Loop: Loop{Calls: CallsSummaries}}},
	{"violation", "figure2", []string{"figure2.c"}, []string{"forgets.spec"}, Options{}},
}

// TestStepAgain: going back any number of steps and on again gives the same
// events, up to the same outcome, wherever it is done.
func TestStepAgain(t *testing.T) {
	sample.Long(t)
	for _, c := range sessions {
		if testing.Short() && c.name == anElement {
			continue // it takes as long as all others
		}
		t.Run(c.name, func(t *testing.T) {
			ctx := context.Background()
			plain, err := NewSession(ctx, example(t, c.dir, c.c, c.spec), c.opt)
			require.NoError(t, err)
			var want []Event
			plain.Run(ctx, func(e Event) { want = append(want, e) })

			s, err := NewSession(ctx, example(t, c.dir, c.c, c.spec), c.opt)
			require.NoError(t, err)
			var snaps []*Snapshot
			var first []string
			for i := range want {
				snaps = append(snaps, s.Snapshot())
				e := s.Step(ctx)
				first = append(first, text(e))
				require.Equal(t, untested(want[i]), untested(e))
			}
			for _, from := range []int{len(want) - 1, len(want) / 2, 0, len(want) / 3} {
				s.Restore(snaps[from])
				for i := from; i < len(want); i++ {
					require.Equal(t, first[i], text(s.Step(ctx)), "step %d after going back to %d", i, from)
				}
			}
			require.Equal(t, want[len(want)-1].(Ended).Outcome.Loop.Components, s.outcome.Loop.Components)
			require.Equal(t, plain.outcome.Run, s.outcome.Run)
		})
	}
}

func text(e Event) string { return e.Phase().String() + ": " + e.String() }

// untested is the event without the number of elimination tests: a copy of a
// pseudo-Boolean solver may try other sets first.
func untested(e Event) string {
	if d, ok := e.(DataRefined); ok {
		d.Tests = 0
		e = d
	}
	return text(e)
}

// TestTryAgain: a step that is interrupted, at the first, a middle or the last look
// at its context, leaves the session as it was; the same step then gives the event
// that it gives without.
func TestTryAgain(t *testing.T) {
	sample.Long(t)
	phases := map[Phase]bool{}
	for _, c := range sessions {
		if testing.Short() && c.name == anElement {
			continue // it takes as long as all others
		}
		t.Run(c.name, func(t *testing.T) {
			ctx := context.Background()
			plain, err := NewSession(ctx, example(t, c.dir, c.c, c.spec), c.opt)
			require.NoError(t, err)
			s, err := NewSession(ctx, example(t, c.dir, c.c, c.spec), c.opt)
			require.NoError(t, err)
			interrupted := map[Phase]int{}
			for s.Next() != Finished {
				phase := s.Next()
				before, counted := plain.View().Stats, countdown.Count(ctx)
				want := plain.Step(counted)
				last := counted.Seen() - 1
				var got Event
				// What was found out before an interruption need not be found out
				// again, so the last look of a step comes first.
				for _, n := range slices.Compact([]int64{last, last / 2, 0}) {
					if got != nil {
						break
					}
					if got, err = s.Try(countdown.Looks(ctx, n)); err != nil {
						require.ErrorIs(t, err, context.Canceled, "%v, look %d of %d", phase, n, last)
						require.Equal(t, phase, s.Next())
						require.Equal(t, before, s.View().Stats)
						interrupted[phase]++
					}
				}
				if got == nil {
					got, err = s.Try(ctx)
					require.NoError(t, err)
				}
				require.Equal(t, untested(want), untested(got))
			}
			for phase, n := range interrupted {
				require.Positive(t, n, phase)
				phases[phase] = true
			}
			require.Equal(t, plain.outcome.Verdict, s.outcome.Verdict)
		})
	}
	if !testing.Short() {
		require.Len(t, phases, int(Finished), "every phase")
	}
}
