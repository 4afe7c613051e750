package page

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/report"
)

// A run of threads has a box for each line that one is at, and arrows for what is before what.
func TestLanes(t *testing.T) {
	step := func(who string, line int, source string, values ...report.Value) report.Step {
		return report.Step{Component: who, Place: &report.Place{File: "t.c", Line: line}, Source: source, Values: values}
	}
	free, held := report.Value{Name: "m.__held", Value: "0", State: "mutex m: free"},
		report.Value{Name: "m.__held", Value: "1", State: "mutex m: held by b"}
	mine := report.Value{Name: "m.__held", Value: "1", State: "mutex m: held by main"}
	join := step("main", 9, "join(b);")
	join.Statement = "join b"
	x := &report.Counterexample{Trace: []string{"deadlock"}, Running: []string{"main", "b"},
		Standing: []report.Stand{{Component: "main", Object: "mutex m", Holders: []string{"b"}}}, Steps: []report.Step{
			step("main", 1, "x = <1>;", report.Value{Name: "x", Value: "1"}),
			step("main", 2, "lock(&m);", mine),
			step("main", 2, "unlock(&m);", free),
			step("main", 3, "create(b);"),
			step("b", 3, "create(b);"),
			step("b", 4, "t = x;", report.Value{Name: "x", Value: "1", Writer: "main, line 1"}),
			step("b", 5, "lock(&m);", held),
			join,
			{Component: "main", With: []string{"b"}, Action: "deadlock", Forbidden: true},
		}}
	svg := string(Threads(x))
	require.Equal(t, 7, strings.Count(svg, "<rect"), svg)
	for _, why := range []string{"creates", "x", "mutex m", "has ended", "waits for mutex m"} {
		require.Equal(t, 1, strings.Count(svg, "<title>"+why+"</title>"), why)
	}
	require.Equal(t, 2, strings.Count(svg, `class="node hot"`), "both stand in the deadlock")
	require.NotContains(t, svg, "<1>")
	require.Equal(t, svg, string(Threads(x)))
	x.Steps[0].With = []string{"b"}
	require.Empty(t, Threads(x), "components that act together have no lanes")
}
