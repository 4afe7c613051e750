package web

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/report"
)

// A run has a lane for each component, says where what is repeated begins, and which steps nothing
// depends on.
func TestRunOf(t *testing.T) {
	require.Empty(t, runOf(nil).Lanes)
	r := runOf(&report.Counterexample{
		Round: &report.Round{Before: []string{"ask"}, Actions: []string{"wait"}, First: 1},
		Steps: []report.Step{
			{Component: "client", With: []string{"server"}, Action: "ask", Source: "ask();",
				Place: &report.Place{File: "c.c", Line: 3}},
			{Component: "server", Action: "wait", Statement: "wait()"},
			{Component: "client", Statement: "x = 1", Values: []report.Value{{Name: "x", Value: "1", Idle: true}}},
			{Component: "client", Statement: "y = 2", Values: []report.Value{{Name: "y", Value: "2", Chosen: "input"}}},
		},
	})
	require.Equal(t, report.LaneNames{"client", "server"}, r.Lanes)
	require.Contains(t, r.Wrong, "then for ever wait")
	require.Equal(t, RunStep{Number: 1, With: []int{1}, Place: &Place{"c.c", 3}, Text: "ask();", Action: "ask"},
		r.Steps[0])
	for i, want := range []struct{ round, faint bool }{{}, {round: true}, {faint: true}, {}} {
		require.Equal(t, want.round, r.Steps[i].Round, i)
		require.Equal(t, want.faint, r.Steps[i].Faint, i)
	}
	require.Equal(t, []string{"y = 2 (chosen: input)"}, r.Steps[3].Values)
	require.False(t, r.Waits)
}

// There is no drawing of a run before one is found, nor of what it has not.
func TestRunDrawings(t *testing.T) {
	x := serve(t, "lock-bad")
	asks := func(object string) string {
		status, text := x.asks("GET", "/api/picture?object="+object, "")
		require.Equal(t, http.StatusOK, status)
		return text
	}
	require.Contains(t, asks("threads"), "there is no violation so far")
	x.does("run")
	require.Contains(t, asks("threads"), "there is nothing to draw of the run")
	require.Contains(t, asks("waits"), "there is nothing to draw of the run")
	now, _, _ := x.shared.last()
	require.True(t, now.Run.Steps[len(now.Run.Steps)-1].Refused)
}
