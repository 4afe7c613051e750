package cegar

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/evidence/verdict"
	"magus/internal/sample"
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

// TestEnginesOfBodiesAndElements: contracts, summaries and proofs about one element decide alone, and say of
// themselves only that they had shares.
func TestEnginesOfBodiesAndElements(t *testing.T) {
	sample.Long(t)
	const (
		twice = `static int twice(int x) { return 2 * x; }
int main(void) { int x = __VERIFIER_nondet_int(); if (twice(x) != x + x) reach_error(); return 0; }`
		count = `static unsigned count(unsigned n) { if (n == 0) return 0; return 1 + count(n - 1); }
int main(void) { unsigned n = __VERIFIER_nondet_uint(); if (count(n) != n) reach_error(); return 0; }`
		filled = `int a[1000]; int main(void) { for (int i = 0; i < 1000; i++) a[i] = 7;
for (int i = 0; i < 1000; i++) if (a[i] != 7) reach_error(); return 0; }`
		// one round of each loop is a run in which what is read may be any value
		length = `void *malloc(unsigned long);
int main(void) { int n = __VERIFIER_nondet_int(); if (n <= 0) return 0; int *a = malloc(n * sizeof *a); if (!a) return 0;
for (int i = 0; i < n; i++) a[i] = 7; for (int i = 0; i < n; i++) if (a[i] != 7) reach_error(); return 0; }`
		opposite = `int a[1000], b[1000]; int main(void) {
for (int i = 0; i < 1000; i++) { int x = __VERIFIER_nondet_int(); a[i] = x; b[i] = -x; }
for (int i = 0; i < 1000; i++) if (a[i] + b[i] != 0) reach_error(); return 0; }`
		less = `int a[1000], b[1000]; int main(void) { for (int i = 0; i < 1000; i++) {
int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (x >= y) return 0; a[i] = x; b[i] = y; }
for (int i = 0; i < 1000; i++) if (a[i] >= b[i]) reach_error(); return 0; }`
		even = `int a[2000]; int main(void) { for (int i = 0; i < 1000; i++) { a[2 * i] = 7; a[2 * i + 1] = 7; }
for (int i = 0; i < 2000; i++) if (a[i] != 7) reach_error(); return 0; }`
	)
	for _, c := range []struct {
		name, c string
		engine  Engine
		want    verdict.Verdict
		by      string
	}{
		{"contracts of a procedure that calls itself", count, ContractsEngine, verdict.Conforms, ContractsMethod},
		{"contracts of one that does not", twice, ContractsEngine, verdict.Conforms, ContractsMethod},
		{"summaries of one that does not", twice, SummariesEngine, verdict.Conforms, SummariesMethod},
		{"an element of an array", filled, CellsEngine, verdict.Conforms, CellsMethod},
		{"elements of two arrays made of one input", opposite, CellsEngine, verdict.Conforms, CellsMethod},
		{"elements of two arrays whose inputs are compared", less, CellsEngine, verdict.Conforms, CellsMethod},
		{"two elements a round", even, CellsEngine, verdict.Conforms, CellsMethod},
		{"an element of an array of any length", length, AutoEngine, verdict.Conforms, CellsMethod},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := NewSession(t.Context(), errorClaim(t, c.c), Options{Loop: Loop{Engine: c.engine}})
			require.NoError(t, err)
			defer s.Close()
			o := s.Run(t.Context(), nil)
			require.Equal(t, c.want, o.Verdict, "%v", o.Reason)
			require.Equal(t, c.by == ContractsMethod, o.Loop.Contracts)
			require.Equal(t, c.by == SummariesMethod, o.Loop.Summaries)
			for _, m := range o.Methods {
				if c.engine == AutoEngine && m.Result != "answered" {
					continue
				}
				require.Equal(t, c.by, m.Method, "%v", o.Methods)
				require.Equal(t, "answered", m.Result)
				require.Positive(t, m.Effort)
			}
		})
	}
	s, err := NewSession(t.Context(), errorClaim(t, twice), Options{Loop: Loop{Engine: CellsEngine}})
	require.NoError(t, err)
	defer s.Close()
	require.Contains(t, s.Run(t.Context(), nil).Reason.Text, "reads memory without variables")
}

func TestEngineNames(t *testing.T) {
	require.Equal(t, []string{"auto", "loop", "bounded", "kinduction", "kinduction-alone", "pdr",
		"intervals", "summaries", "contracts", "cells", "execution"}, EngineNames())
	for _, name := range EngineNames() {
		require.Equal(t, name, EngineOf(name).Name())
	}
	require.Equal(t, AutoEngine, EngineOf(""))
}
