package report

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An action of two components is an event of each, with an arrow between them; what is not allowed says so.
func TestByLaneOfComponents(t *testing.T) {
	at := func(line int) *Place { return &Place{File: "c.c", Line: line} }
	put := func() Step {
		return Step{Component: "left", With: []string{"right"}, Place: at(3), Source: "put();", Action: "item",
			Others: []Other{{Component: "right", Place: at(7), Source: "get();"}}}
	}
	x := &Counterexample{Steps: []Step{
		{Component: "left", Place: at(2), Source: "if (x)", Branch: "true"},
		put(),
		{Component: "right", Place: at(7), Source: "get();", Values: []Value{{Name: "got", Value: "1"}}},
		put(),
		{Component: "right", Place: at(8), Source: "fail();", Action: "fail", Forbidden: true},
	}}
	l := x.ByLane()
	require.Equal(t, LaneNames{"left", "right"}, l.Names)
	var texts [][]string
	for _, e := range l.Events {
		texts = append(texts, e.Text)
	}
	require.Equal(t, [][]string{{"2: if (x)", "  true"}, {"3: put();"}, {"7: get();", "  got = 1"}, {"3: put();"}, {"7: get();"},
		{"8: fail();", "  fail is not allowed"}}, texts)
	require.Equal(t, []LaneArrow{{From: 1, To: 2, Why: "item", Together: true},
		{From: 3, To: 4, Why: "item", Together: true}}, l.Arrows, "and none that says that right is created")
	require.True(t, l.Events[5].Bad)
	require.False(t, l.Events[4].Bad)
}

// A mutex that is free at first orders nothing, one that is given back does; who reads a value twice is told once.
func TestByLaneOfThreads(t *testing.T) {
	step := func(who string, line int, v ...Value) Step {
		return Step{Component: who, Place: &Place{File: "t.c", Line: line}, Source: "s", Values: v}
	}
	read := Value{Name: "x", Value: "1", Writer: "a, line 1"}
	lock := func(by string) Value {
		state := "mutex m: free"
		if by != "" {
			state = "mutex m: held by " + by
		}
		return Value{Name: "m", State: state}
	}
	x := &Counterexample{Running: []string{"a", "b"}, Steps: []Step{
		step("a", 1, Value{Name: "x", Value: "1"}, lock("")),
		step("b", 2, lock("b"), read),
		step("b", 3, lock(""), read),
		step("a", 4, lock("a")),
	}}
	require.Equal(t, []LaneArrow{{From: 0, To: 1, Why: "x", Order: true}, {From: 0, To: 2, Why: "x", Order: true, Again: true},
		{From: 2, To: 3, Why: "mutex m", Order: true}}, x.ByLane().Arrows)
}

// Of a long run the last events are kept, and arrows to those before are left out.
func TestByLaneOfLongRuns(t *testing.T) {
	x := &Counterexample{}
	for i := range 2 * mostEvents {
		x.Steps = append(x.Steps, Step{Component: []string{"a", "b"}[i%2], Place: &Place{File: "t.c", Line: i + 1},
			Values: []Value{{Name: "x", Writer: "a, line 1"}}})
	}
	l := x.ByLane()
	require.Len(t, l.Events, mostEvents)
	require.Equal(t, mostEvents, l.Left)
	require.Empty(t, l.Arrows)
}
