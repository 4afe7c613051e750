package cegar

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/evidence/verdict"
)

const (
	saturates = `int main(void) { int x = 0;
while (__VERIFIER_nondet_int()) { if (x < 5) x++; if (x > 5) __MAGUS_ACTION__("bad"); } return 0; }`
	never = "S = (return {$0 == 0} -> STOP) + {bad}.\nprogram main { specification s, {(1)}, S; }"
	steps = `int main(void) { int i; for (i = 0; i < 6; i++); if (i == LIMIT) __MAGUS_ACTION__("bad"); return 0; }`
)

// TestEnginesAlone: each engine that is asked for decides alone what its methods can, is never wrong, says
// of no other method that it had a share, and takes equal steps with equal input.
func TestEnginesAlone(t *testing.T) {
	for _, c := range []struct {
		name, c string
		wants   map[Engine]verdict.Verdict
	}{
		{"a loop without a bound", saturates, map[Engine]verdict.Verdict{
			AutoEngine: verdict.Conforms, LoopEngine: verdict.Conforms, InductionEngine: verdict.Conforms,
			KInductionEngine: verdict.Conforms, PropertyDirectedEngine: verdict.Conforms, IntervalsEngine: verdict.Conforms}},
		{"a violation", "#define LIMIT 6\n" + steps, map[Engine]verdict.Verdict{
			AutoEngine: verdict.Violates, LoopEngine: verdict.Violates, BoundedEngine: verdict.Violates,
			InductionEngine: verdict.Violates, KInductionEngine: verdict.Unknown, PropertyDirectedEngine: verdict.Unknown,
			IntervalsEngine: verdict.Unknown}},
		{"all runs end", "#define LIMIT 7\n" + steps, map[Engine]verdict.Verdict{
			AutoEngine: verdict.Conforms, LoopEngine: verdict.Conforms, BoundedEngine: verdict.Conforms,
			InductionEngine: verdict.Conforms, KInductionEngine: verdict.Conforms, PropertyDirectedEngine: verdict.Conforms}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for engine, want := range c.wants {
				var events [2][]string
				for i := range events {
					s, err := NewSession(t.Context(), claimOf(t, c.c, never), Options{Loop: Loop{Engine: engine, Check: i == 0}})
					require.NoError(t, err)
					o := s.Run(t.Context(), func(e Event) { events[i] = append(events[i], text(e)) })
					require.Equal(t, want, o.Verdict, "%s: %v", engine.Name(), o.Reason)
					alone(t, engine, o)
					s.Close()
				}
				require.Equal(t, events[0], events[1], engine.Name())
			}
		})
	}
}

// alone requires that an outcome tells of the methods of an engine only, and which of them has decided.
func alone(t *testing.T, e Engine, o *verdict.Outcome) {
	all := map[Engine][]string{
		AutoEngine: {"loop", "bounded", "kinduction", "pdr"}, LoopEngine: {"loop"}, BoundedEngine: {"bounded"},
		InductionEngine: {"bounded", "kinduction", "pdr"}, KInductionEngine: {"kinduction"},
		PropertyDirectedEngine: {"pdr"}, IntervalsEngine: {"intervals"},
	}[e]
	var answered []string
	for _, m := range o.Methods {
		require.True(t, slices.Contains(all, m.Method), "%s has %s", e.Name(), m.Method)
		if m.Result == "answered" {
			answered = append(answered, m.Method)
			require.Positive(t, m.Shares)
		}
	}
	require.Len(t, o.Methods, len(all), e.Name())
	if o.Verdict == verdict.Unknown {
		require.Empty(t, answered, e.Name())
	} else {
		require.Len(t, answered, 1, "%s: %v", e.Name(), o.Methods)
	}
}

func TestEngineNames(t *testing.T) {
	require.Equal(t, []string{"auto", "loop", "bounded", "kinduction", "kinduction-alone", "pdr",
		"intervals", "summaries"}, EngineNames())
	for _, name := range EngineNames() {
		require.Equal(t, name, EngineOf(name).Name())
	}
	require.Equal(t, AutoEngine, EngineOf(""))
}
