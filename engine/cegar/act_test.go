package cegar

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/evidence/verdict"
)

func figure2(t *testing.T, spec string, opt Options) *Session {
	t.Helper()
	s, err := NewSession(context.Background(), example(t, "figure2", []string{"figure2.c"}, []string{spec}), opt)
	require.NoError(t, err)
	return s
}

// stepTo performs phases until the next one is p.
func stepTo(t *testing.T, s *Session, p Phase) {
	t.Helper()
	for s.Next() != p {
		require.NotEqual(t, Finished, s.Next())
		s.Step(context.Background())
	}
}

// TestAddPredicates: with the two predicates of the paper from the beginning,
// which are one of several values, figure 2 needs no refinement.
func TestAddPredicates(t *testing.T) {
	ctx := context.Background()
	s := figure2(t, "figure2.spec", Options{})
	for _, text := range []string{"y < 10", "y > 5"} {
		_, err := s.AddPredicates(0, "", text)
		require.NoError(t, err)
	}
	v := s.View()
	require.Len(t, v.Components[0].Chosen, 1)
	for s.Next() != Finished {
		_, refined := s.Step(ctx).(DataRefined)
		require.False(t, refined && !s.View().Proved)
	}
	require.Equal(t, verdict.Conforms, s.outcome.Verdict)
	_, err := s.AddPredicates(0, "", "x == 1")
	require.ErrorContains(t, err, "has ended")
}

func TestAddPredicatesErrors(t *testing.T) {
	s := figure2(t, "figure2.spec", Options{})
	for text, want := range map[string]string{
		"y <":    "expression:1:4",
		"z == 1": "no variable z",
		"1 == 1": "says nothing",
	} {
		_, err := s.AddPredicates(0, "", text)
		require.ErrorContains(t, err, want, text)
	}
	_, err := s.AddPredicates(0, "other", "x == 1")
	require.ErrorContains(t, err, "no instance of a procedure other")
	require.ErrorContains(t, s.DropPredicate(0, 0), "does not use candidate 0")
	require.ErrorContains(t, s.Minimize("best"), "no strategy")
	_, err = s.Split(context.Background(), 0, 0, "a")
	require.ErrorContains(t, err, "level two is off")
	_, _, err = s.Counterexamples(context.Background(), 5)
	require.ErrorContains(t, err, "no counterexample")
	_, err = s.Eval(0, 0, "x")
	require.ErrorContains(t, err, "no counterexample was replayed")
}

// TestDropPredicate: a predicate that the proof needs is found again.
func TestDropPredicate(t *testing.T) {
	ctx := context.Background()
	s := figure2(t, "figure2.spec", Options{Loop: Loop{Strategy: "none"}})
	stepTo(t, s, RefineData)
	s.Step(ctx)
	set := s.View().Components[0].Chosen
	require.NotEmpty(t, set)
	require.NoError(t, s.DropPredicate(0, set[0]))
	require.Equal(t, AbstractData, s.Next())
	require.NoError(t, s.Minimize("exact"))
	require.Equal(t, "exact", s.View().Strategy)
	require.Equal(t, verdict.Conforms, s.Run(ctx, nil).Verdict)
}

// TestMinimizeWhileReducing: a strategy that looks for no smallest set ends the
// search for one, and the verdict stands.
func TestMinimizeWhileReducing(t *testing.T) {
	s := figure2(t, "figure2.spec", Options{})
	for !s.View().Proved {
		s.Step(context.Background())
	}
	require.Equal(t, RefineData, s.Next())
	require.NoError(t, s.Minimize("greedy"))
	o := s.Run(context.Background(), nil)
	require.Equal(t, verdict.Conforms, o.Verdict)
	require.False(t, o.Loop.Smallest)
}

// TestSplit: a block split by hand is a refinement like any other; the verdict
// does not change.
func TestSplit(t *testing.T) {
	ctx := context.Background()
	claim := example(t, "handshake", []string{"client.c", "server.c"}, []string{"lib.spec", "p02.spec"})
	s, err := NewSession(ctx, claim, Options{Loop: Loop{ReduceIterations: 1}})
	require.NoError(t, err)
	_, err = s.Split(ctx, 0, 0, "a")
	require.ErrorContains(t, err, "not built yet")
	stepTo(t, s, RefineEvents)
	v := s.View().Components[s.first()]
	split := 0
	for b := range v.MA.NumBlocks() {
		for _, a := range v.MP.LTS.Alphabet() {
			if e, err := s.Split(ctx, s.first(), b, s.actions.Name(a)); err == nil {
				split++
				require.Greater(t, e.(EventsRefined).Blocks, v.MA.NumBlocks())
			}
		}
	}
	require.Positive(t, split)
	require.Empty(t, s.comps[s.first()].ma.Check())
	_, err = s.Split(ctx, 0, 99, "a")
	require.ErrorContains(t, err, "no block 99")
	_, err = s.Split(ctx, 0, 0, "nix")
	require.ErrorContains(t, err, "no action nix")
	require.Equal(t, Verify, s.Next())
	require.Equal(t, verdict.Conforms, s.Run(ctx, nil).Verdict)
}

// TestSelectCounterexample: of the counterexamples of one length the other one is refuted
// first, and the verdict stays.
func TestSelectCounterexample(t *testing.T) {
	ctx := context.Background()
	s := figure2(t, "figure2.spec", Options{})
	stepTo(t, s, ValidateMP)
	traces, complete, err := s.Counterexamples(ctx, 10)
	require.NoError(t, err)
	require.True(t, complete)
	require.Equal(t, [][]string{{"a", "return{other}"}, {"b", "return{$0 == 0}"}, {"b", "return{other}"}}[:1], traces[:1])
	require.Contains(t, traces, s.actions.Names(s.trace))
	last := len(traces) - 1
	require.NotEqual(t, traces[last], s.actions.Names(s.trace))
	e, err := s.SelectCounterexample(ctx, 10, last)
	require.NoError(t, err)
	require.Equal(t, traces[last], e.(Verified).Trace)
	require.Equal(t, ValidateMP, s.Next())
	_, err = s.SelectCounterexample(ctx, 10, 99)
	require.Error(t, err)
	require.Equal(t, verdict.Conforms, s.Run(ctx, nil).Verdict)
}

// TestAssuming: under an assumption the violation is gone, and the outcome says
// what it rests on.
func TestAssuming(t *testing.T) {
	ctx := context.Background()
	claim := example(t, "lock", []string{"lock_bad.c"}, []string{"lock.spec"})
	violated, err := NewSession(ctx, claim, Options{})
	require.NoError(t, err)
	require.Equal(t, verdict.Violates, violated.Run(ctx, nil).Verdict)

	under, err := claim.Assuming(0, "$1 <= 0")
	require.NoError(t, err)
	s, err := NewSession(ctx, under, Options{})
	require.NoError(t, err)
	o := s.Run(ctx, nil)
	require.NotEqual(t, violated.outcome.Assumptions, o.Assumptions)
	require.Contains(t, o.Assumptions[len(o.Assumptions)-1].Text, "drain starts where $1 <= 0 (assumed by hand)")
	require.Empty(t, claim.Assumed)

	_, err = claim.Assuming(3, "1")
	require.ErrorContains(t, err, "no component 4")
	_, err = claim.Assuming(0, "$1 <=")
	require.ErrorContains(t, err, "assumption:1:")
}

// TestEval: expressions have the values that the replayed run shows.
func TestEval(t *testing.T) {
	ctx := context.Background()
	s := figure2(t, "forgets.spec", Options{})
	require.Equal(t, verdict.Violates, s.Run(ctx, nil).Verdict)
	steps := len(s.View().Replayed.Runs[0].Script.Steps)
	value, err := s.Eval(0, steps-1, "y + 1")
	require.NoError(t, err)
	require.Equal(t, "9", value)
	value, err = s.Eval(0, steps-1, "x == 0")
	require.NoError(t, err)
	require.Equal(t, "0", value, "the run goes through do_b")
	_, err = s.Eval(0, steps+1, "y")
	require.ErrorContains(t, err, "no step")
	_, err = s.Eval(0, 0, "nix")
	require.ErrorContains(t, err, "no variable nix")
}
