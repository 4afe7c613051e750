package interp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/interp"
)

// chain is a component that performs the actions in a row, an internal step
// before each, and returns.
func chain(actions ...string) (*interp.Machine, interp.Script) {
	b := newBuilder()
	var s interp.Script
	step := func(acts ...string) {
		s.Steps = append(s.Steps, interp.ScriptStep{Loc: cfa.Loc(len(b.c.Locs)), Actions: acts})
	}
	for _, a := range actions {
		step()
		b.add(cfa.Goto{})
		step(a)
		b.act(a)
	}
	step()
	b.add(cfa.Return{})
	return b.machine(), s
}

func TestReplayProgram(t *testing.T) {
	m1, s1 := chain("send", "own")
	m2, s2 := chain("send", "other")
	run, err := interp.ReplayProgram(ctx(), []*interp.Machine{m1, m2}, []interp.Script{s1, s2},
		[]interp.Joint{{"send", []int{0, 1}}, {"other", []int{1}}, {"own", []int{0}}},
		[][]string{{"own", "send"}, {"other", "send"}}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"send", "other", "own"}, run.Trace)
	require.Equal(t, []interp.ProgramStep{
		{"", []int{0}, []int{0}},
		{"", []int{1}, []int{0}},
		{"send", []int{0, 1}, []int{1, 1}},
		{"", []int{1}, []int{2}},
		{"other", []int{1}, []int{3}},
		{"", []int{0}, []int{2}},
		{"own", []int{0}, []int{3}},
		{"", []int{0}, []int{4}},
		{"", []int{1}, []int{4}},
	}, run.Steps)
	for _, s := range run.Steps {
		for i, c := range s.Components {
			require.Equal(t, s.Action, run.Runs[c].Steps[s.Steps[i]].Action)
		}
	}
}

func TestReplayProgramErrors(t *testing.T) {
	m1, s1 := chain("send", "own")
	m2, s2 := chain("send")
	for name, c := range map[string]struct {
		schedule []interp.Joint
		alphabet []string // of component 2
		why      string
	}{
		"not together": {[]interp.Joint{{"send", []int{0}}}, []string{"send"},
			`action 1, component 2: takes no part in "send", which its alphabet has`},
		"not in alphabet": {[]interp.Joint{{"send", []int{0, 1}}}, nil,
			`action 1, component 2: takes part in "send", which its alphabet does not have`},
		"another action": {[]interp.Joint{{"own", []int{0}}}, []string{"send"},
			`action 1, component 1: performs "send", not "own"`},
		"blocked": {[]interp.Joint{{"send", []int{0, 1}}, {"own", []int{0}}}, []string{"send", "own"},
			`action 2, component 2: takes no part in "own"`},
		"ends": {[]interp.Joint{{"send", []int{0, 1}}, {"own", []int{0, 1}}},
			[]string{"send", "own"}, `action 2, component 2: ends without performing "own"`},
		"more than schedule": {[]interp.Joint{{"send", []int{0, 1}}}, []string{"send"},
			`action 2, component 1: performs "own" after the schedule's end`},
		"nobody": {[]interp.Joint{{"x", nil}}, []string{"send"}, `"x" is performed by components []`},
		"no such component": {[]interp.Joint{{"send", []int{0, 1, 2}}}, []string{"send"},
			`performed by components [0 1 2] of 2`},
		"no name": {[]interp.Joint{{"", []int{0}}}, []string{"send"}, "without a name"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := interp.ReplayProgram(ctx(), []*interp.Machine{m1, m2}, []interp.Script{s1, s2}, c.schedule,
				[][]string{{"own", "send"}, c.alphabet}, nil)
			var s *interp.ScheduleError
			require.ErrorAs(t, err, &s)
			require.ErrorContains(t, err, c.why)
		})
	}
	s2.Steps[0].Loc = 1
	_, err := interp.ReplayProgram(ctx(), []*interp.Machine{m1, m2}, []interp.Script{s1, s2}, nil,
		[][]string{nil, nil}, nil)
	var d *interp.Divergence
	require.ErrorAs(t, err, &d)
	require.ErrorContains(t, err, "component 2: step 0")
}

// TestReplayCopies: of the copies of one component exactly one takes part in an
// action that their alphabet has.
func TestReplayCopies(t *testing.T) {
	m1, s1 := chain("send")
	m2, s2 := chain("send")
	m3, s3 := chain("send", "send")
	for name, c := range map[string]struct {
		schedule []interp.Joint
		why      string // "" if it is one
	}{
		"one after the other": {[]interp.Joint{{"send", []int{0, 2}}, {"send", []int{1, 2}}}, ""},
		"the other way round": {[]interp.Joint{{"send", []int{1, 2}}, {"send", []int{0, 2}}}, ""},
		"both": {[]interp.Joint{{"send", []int{0, 1, 2}}},
			`component 1: takes part in "send", and so does another copy`},
		"none": {[]interp.Joint{{"send", []int{2}}},
			`component 1: takes no part in "send", which its alphabet has`},
		"one twice": {[]interp.Joint{{"send", []int{0, 2}}, {"send", []int{0, 2}}},
			`action 2, component 1: ends without performing "send"`},
		"without the other": {[]interp.Joint{{"send", []int{0}}}, `component 3: takes no part in "send"`},
	} {
		t.Run(name, func(t *testing.T) {
			run, err := interp.ReplayProgram(ctx(), []*interp.Machine{m1, m2, m3}, []interp.Script{s1, s2, s3}, c.schedule,
				[][]string{{"send"}, {"send"}, {"send"}}, []int{0, 0, 1})
			if c.why == "" {
				require.NoError(t, err)
				require.Equal(t, []string{"send", "send"}, run.Trace)
				return
			}
			var s *interp.ScheduleError
			require.ErrorAs(t, err, &s)
			require.ErrorContains(t, err, c.why)
		})
	}
}
