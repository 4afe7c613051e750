package monitor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/cfa/monitor"
	"magus/smt/expr"
)

// turns allows a and b in turns, and knows c, which it never allows.
func turns() *monitor.Monitor {
	return monitor.New([]string{"a", "b", "c"}, [][]int{{1, monitor.Forbidden, monitor.Forbidden},
		{monitor.Forbidden, 0, monitor.Forbidden}}, 0)
}

// line is an automaton that performs actions one after another and returns.
func line(actions ...string) *cfa.CFA {
	c := &cfa.CFA{Name: "f", Pool: expr.NewPool(), Ret: expr.Bool, Frames: []cfa.Frame{{Proc: "f", Parent: -1}}}
	pos := cfa.Pos{File: "f.c", Line: 1, Col: 1}
	for i, a := range actions {
		c.Locs = append(c.Locs, cfa.Location{Stmt: cfa.Act{Action: a}, Succ: []cfa.Loc{cfa.Loc(i + 1)}, Pos: pos})
	}
	c.Locs = append(c.Locs, cfa.Location{Stmt: cfa.Return{}, Pos: pos})
	return c
}

// trace is what a woven automaton performs.
func trace(t *testing.T, c *cfa.CFA) []string {
	t.Helper()
	m := interp.New(c)
	s := m.InitialThreads(func(*expr.Expr) uint64 { return 7 })
	var all []string
	for !s.Ended() {
		require.Empty(t, s.Waits(0))
		next, r := m.StepThread(s, 0, nil)
		if a, ok := r.Event.(interp.Acted); ok {
			all = append(all, a.Action)
		}
		s = next
	}
	return all
}

func TestWeave(t *testing.T) {
	for _, test := range []struct {
		name          string
		actions, want []string
	}{
		{"allowed", []string{"a", "b", "a"}, []string{"a", "b", "a"}},
		{"not at first", []string{"b", "a"}, []string{"b", cfa.ErrorAction, "a"}},
		{"not twice", []string{"a", "a"}, []string{"a", "a", cfa.ErrorAction}},
		{"never", []string{"a", "c"}, []string{"a", "c", cfa.ErrorAction}},
		{"of others", []string{"x", "a", "x"}, []string{"x", "a", "x"}},
		{"error that is not observed", []string{cfa.ErrorAction, "a"}, []string{"a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := line(test.actions...)
			before := c.String()
			woven := turns().Weave(c, monitor.Observed{})
			require.Empty(t, woven.Check())
			require.Equal(t, test.want, trace(t, woven))
			require.Equal(t, before, c.String())
		})
	}
}

func TestWeaveErrors(t *testing.T) {
	m := monitor.New([]string{cfa.ErrorAction}, [][]int{{1}, {monitor.Forbidden}}, 0)
	woven := m.Weave(line(cfa.ErrorAction, cfa.ErrorAction), monitor.Observed{})
	require.Equal(t, []string{monitor.ProgramError, monitor.ProgramError, cfa.ErrorAction}, trace(t, woven))
}

func TestWeaveReturns(t *testing.T) {
	m := monitor.New([]string{"a", "back"}, [][]int{{1, monitor.Forbidden}, {monitor.Forbidden, 1}}, 0)
	c := line("a")
	woven := m.Weave(c, monitor.Observed{Returns: map[cfa.Loc][]monitor.Return{1: {{When: c.Pool.False(),
		Action: "other"}, {Action: "back"}}}})
	require.Empty(t, woven.Check())
	require.Equal(t, []string{"a", "back"}, trace(t, woven))
}

func TestWeaveCalls(t *testing.T) {
	m := turns()
	c := line("a", "x", "a")
	c.Locs[1].Stmt = cfa.Call{Callee: "f", Ret: expr.Bool}
	call := &monitor.Call{Choices: []monitor.Choice{{Guard: c.Pool.False(), Edges: [][]monitor.Edge{{{Action: "c"}}}},
		{Guard: c.Pool.True(), Edges: [][]monitor.Edge{{{Action: "b", To: 1}}, {{Returns: true, To: 2}}, nil}}}}
	woven := m.Weave(c, monitor.Observed{Calls: map[cfa.Loc]*monitor.Call{1: call}})
	require.Empty(t, woven.Check())
	require.Equal(t, []string{"a", "b", "a"}, trace(t, woven))
}

func TestWeaveStart(t *testing.T) {
	c := line("c")
	for start, want := range map[*expr.Expr][]string{nil: {"c", cfa.ErrorAction}, c.Pool.True(): {"c", cfa.ErrorAction},
		c.Pool.False(): nil} {
		woven := turns().Weave(c, monitor.Observed{Start: start})
		require.Equal(t, want, performed(t, woven))
	}
}

// performed is what some run of a woven automaton performs, sorted.
func performed(t *testing.T, c *cfa.CFA) []string {
	t.Helper()
	return interleave(t, c, 2).Actions
}

// What is added says from which place of the source it is, belongs to the same instance, and decides no condition.
func TestWovenPlaces(t *testing.T) {
	c := line("a", "b")
	c.Frames = append(c.Frames, cfa.Frame{Proc: "g"})
	c.Locs[1].Frame, c.Locs[1].Pos.Line = 1, 2
	c.Locs[1].Decides = [2]cfa.Decision{cfa.HoldsThere, cfa.FailsThere}
	c.Sight.Origin = []int32{5, 6, 7}
	woven := turns().Weave(c, monitor.Observed{})
	require.Len(t, woven.Sight.Origin, len(woven.Locs))
	acts := map[string]cfa.Location{}
	for l, at := range woven.Locs {
		require.Equal(t, [2]cfa.Decision{}, at.Decides)
		if a, ok := at.Stmt.(cfa.Act); ok {
			acts[a.Action] = at
			require.Equal(t, map[string]int32{"a": 5, "b": 6, cfa.ErrorAction: woven.Sight.Origin[l]}[a.Action],
				woven.Sight.Origin[l])
		}
	}
	require.Equal(t, c.Locs[0].Pos, acts["a"].Pos)
	require.Equal(t, c.Locs[1].Pos, acts["b"].Pos)
	require.Equal(t, 1, acts["b"].Frame)
}

// Variables that were added are told from those of the program.
func TestOwns(t *testing.T) {
	c := line("a")
	mine := c.Pool.Var("specification", expr.Int32)
	c.Vars = append(c.Vars, cfa.Var{Expr: mine, Name: "specification", Frame: -1})
	woven := turns().Weave(c, monitor.Observed{})
	require.Len(t, woven.Vars, 2)
	require.False(t, monitor.Owns(woven.Vars[0].Expr))
	require.True(t, monitor.Owns(woven.Vars[1].Expr))
}

// So many sets are wanted, and no more: of each state the smallest ones with an action of each set that is enough.
func TestMostWanted(t *testing.T) {
	sets := [][]string{{"a", "b"}, {"b", "c"}, {"d", "e"}} // b with d or e, a and c with d or e: 4
	for _, test := range []struct {
		enough [][][]string
		most   int
		is     bool
	}{
		{[][][]string{sets}, 4, true},
		{[][][]string{sets}, 3, false},
		{[][][]string{sets, sets}, 8, true},
		{[][][]string{sets, sets}, 7, false},
		{[][][]string{{{"a", "b"}, {"a"}, {"a", "c"}}}, 2, true},
		{[][][]string{{{}}}, 0, true},
		{[][][]string{nil}, 0, false},
	} {
		require.Equal(t, test.is, monitor.NewMust(test.enough, test.most) != nil, "%v %d", test.enough, test.most)
	}
}
