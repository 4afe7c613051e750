package cli_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/web"
)

// What a page is told of a search: of each set and of each step of the counterexample what they say of one number in
// its column, and what they say of several beside; of a run the counts.
func TestParamStepsInPages(t *testing.T) {
	shows := func(model string, lines ...string) (p *web.Processes) {
		x := openShell(t, "../../examples/param", "param", "step", "--web", model)
		for _, line := range append(lines, "nonsense") {
			x.typed(line)
		}
		x.prints("no command nonsense")
		_, text := x.asks("GET", "/api/state", "")
		var u web.Update
		require.NoError(t, json.Unmarshal([]byte(text), &u))
		require.Equal(t, model, (*u.Sources)[0].Name)
		x.typed("exit")
		x.ends()
		return u.Processes
	}
	p := shows("readers-writers.param", "next")
	require.Equal(t, []string{"t", "r", "w", "lock", "cnt"}, p.Columns)
	require.Equal(t, 3, p.Locals)
	require.Equal(t, []string{"r <= cnt"}, p.Zones)
	require.Equal(t, []web.ProcessSet{{Number: 0, Mark: "waits", Next: -1, Cells: []string{"", "≥ 1", "≥ 1", "", ""}}}, p.Sets)
	require.Len(t, p.Trace, 5)
	require.Equal(t, web.ProcessStep{Cells: []string{"≥ 2", "", "", "1", ""}}, p.Trace[0])
	require.Equal(t, web.ProcessStep{Rule: "r4", Refused: true, Place: &web.Place{File: "readers-writers.param", Line: 11},
		Cells: []string{"≥ 1", "≥ 1", "", "1", ""}}, p.Trace[3])
	require.Empty(t, p.Run)

	p = shows("missionaries-c1.param", "run")
	require.Len(t, p.Run, 4)
	require.Equal(t, []string{"0", "1", "1", "1", "0", "0", "1", "1", "0", "0"}, p.Run[3].Cells)
	require.Empty(t, p.Sets)
}
