package cegar

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStanding: a counterexample is shown as one as long as the abstractions that
// have it are the present ones.
func TestStanding(t *testing.T) {
	s := figure2(t, "figure2.spec", Options{})
	seen := map[Phase][]Standing{}
	for s.Next() != Finished {
		e := s.Step(context.Background())
		v := s.View()
		seen[e.Phase()] = append(seen[e.Phase()], v.Standing)
		require.Equal(t, v.Standing.Shown(), v.Counterexample() != nil)
		for _, c := range v.Components {
			require.True(t, v.Standing.Shown() || c.Path == nil, "a path of a counterexample that is past")
		}
	}
	require.Equal(t, map[Phase][]Standing{
		AbstractData: {"", Past},
		Verify:       {Open, Past},
		ValidateMP:   {Open},
		ValidateC:    {Refuted},
		RefineData:   {Past},
		Finished:     {Past},
	}, seen)
}

// TestStandingAfterActs: what people change makes the counterexample one of
// abstractions that are no more; another one that they choose is open.
func TestStandingAfterActs(t *testing.T) {
	s := figure2(t, "figure2.spec", Options{})
	for s.Next() != ValidateMP {
		s.Step(context.Background())
	}
	_, err := s.SelectCounterexample(context.Background(), 5, 0)
	require.NoError(t, err)
	require.Equal(t, Open, s.View().Standing)
	_, err = s.AddPredicates(0, "", "y < 10")
	require.NoError(t, err)
	require.Equal(t, Past, s.View().Standing)
	v := s.View()
	require.Nil(t, v.Counterexample())
	require.NotNil(t, v.Trace)
}
