package cegar

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStatus: a counterexample is shown as one as long as the abstractions that
// have it are the present ones.
func TestStatus(t *testing.T) {
	s := figure2(t, "figure2.spec", Options{})
	seen := map[Phase][]Status{}
	for s.Next() != Finished {
		e := s.Step(context.Background())
		v := s.View()
		seen[e.Phase()] = append(seen[e.Phase()], v.Status)
		require.Equal(t, v.Status.Shown(), v.Counterexample() != nil)
		for _, c := range v.Components {
			require.True(t, v.Status.Shown() || c.Path == nil, "a path of a counterexample that is past")
		}
	}
	require.Equal(t, map[Phase][]Status{
		AbstractData: {"", Past},
		Verify:       {Open, Past},
		ValidateMP:   {Open},
		ValidateC:    {Refuted},
		RefineData:   {Past},
		Finished:     {Past},
	}, seen)
}

// TestStatusAfterActs: what people change makes the counterexample one of
// abstractions that are no more; another one that they choose is open.
func TestStatusAfterActs(t *testing.T) {
	s := figure2(t, "figure2.spec", Options{})
	for s.Next() != ValidateMP {
		s.Step(context.Background())
	}
	_, err := s.SelectCounterexample(context.Background(), 5, 0)
	require.NoError(t, err)
	require.Equal(t, Open, s.View().Status)
	_, err = s.AddPredicates(0, "", "y < 10")
	require.NoError(t, err)
	require.Equal(t, Past, s.View().Status)
	v := s.View()
	require.Nil(t, v.Counterexample())
	require.NotNil(t, v.Trace)
}
