package cegar

import (
	"context"
	"math/rand"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa/interp"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/lts"
)

// TestWalksAreTraces: what the interpreter does at random is a trace of MP_i
// and of MA_i, after every phase of the loop that made them.
func TestWalksAreTraces(t *testing.T) {
	for _, c := range []struct {
		dir     string
		c, spec []string
	}{
		{"handshake", []string{"server.c"}, []string{"lib.spec", "s2.spec"}},
		{"handshake", []string{"client.c", "server.c"}, []string{"lib.spec", "p01.spec"}},
		{"figure2", []string{"figure2.c"}, []string{"figure2.spec"}},
	} {
		for _, blocks := range []Switch{Off, On} {
			ctx := context.Background()
			s, err := NewSession(ctx, example(t, c.dir, c.c, c.spec),
				Options{Loop: Loop{ActionAbstraction: On, LargeBlocks: blocks}})
			require.NoError(t, err)
			visible := 0
			for step := 0; s.Next() != Finished; step++ {
				phase := s.Next()
				s.Step(ctx)
				if phase == AbstractEvents || phase == RefineEvents {
					visible += walk(t, s, uint64(step), 5)
				}
			}
			require.Positive(t, visible, "some walks perform actions")
		}
	}
}

func walk(t *testing.T, s *Session, seed uint64, walks int) (visible int) {
	for i, c := range s.comps {
		m := interp.New(c.CFA)
		for w := range uint64(walks) {
			run, err := m.Walk(context.Background(), rand.New(rand.NewSource(int64(seed*1000+w))), 400, witness.Env(c.Component))
			require.NoError(t, err)
			var trace []lts.Action
			for _, name := range run.Trace {
				a, ok := s.actions.Lookup(name)
				require.True(t, ok, name)
				trace = append(trace, a)
			}
			visible += len(trace)
			_, ok := lts.Member(c.mp.LTS, trace)
			require.True(t, ok, "component %d: MP has no trace %q", i, run.Trace)
			_, ok = lts.Member(c.ma.Quotient(), trace)
			require.True(t, ok, "component %d: MA has no trace %q", i, run.Trace)
		}
	}
	return visible
}

// TestStepsAreDeterministic: two sessions, one of them sequential, tell the
// same events in the same order.
func TestStepsAreDeterministic(t *testing.T) {
	events := func(sequential bool) (lines []string) {
		ctx := context.Background()
		s, err := NewSession(ctx, example(t, "handshake", []string{"client.c", "server.c"},
			[]string{"lib.spec", "p01.spec"}), Options{Loop: Loop{Sequential: sequential}})
		require.NoError(t, err)
		s.Run(ctx, func(e Event) { lines = append(lines, e.Phase().String()+": "+e.String()) })
		return lines
	}
	require.Equal(t, events(true), events(false))
	require.Equal(t, events(false), events(false))
}

// TestStopKeepsTheVerdict: a context that ends makes the outcome unknown with
// the cause as its reason, and a later Step says the same.
func TestStopKeepsTheVerdict(t *testing.T) {
	s, err := NewSession(context.Background(),
		example(t, "handshake", []string{"server.c"}, []string{"lib.spec", "s2.spec"}), Options{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancelCause(context.Background())
	s.Step(ctx)
	cancel(os.ErrDeadlineExceeded)
	end, ok := s.Step(ctx).(Ended)
	require.True(t, ok)
	require.Equal(t, verdict.Unknown, end.Outcome.Verdict)
	require.Equal(t, os.ErrDeadlineExceeded.Error(), end.Outcome.Reason.Text)
	require.Equal(t, verdict.Interrupted, end.Outcome.Reason.Kind)
	require.Equal(t, end, s.Step(context.Background()))
}
