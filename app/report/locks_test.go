package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/evidence/verdict"
)

// States name threads by their numbers in the program, and not by the order in which they begin.
func TestThreadsOf(t *testing.T) {
	threads := threadsOf(&verdict.Run{Components: []string{"main", "second", "first"}, Threads: []int{0, 3, 1}})
	require.Equal(t, []string{"main", "first", "", "second"}, threads)
	require.Equal(t, "held by second", mutexState("3145729", threads))
	require.Empty(t, mutexState("2097153", threads), "it does not run")
	require.Equal(t, "first, second wait", conditionState("10", threads))
	require.Empty(t, conditionState("4", threads))
}

// A number is a state of a mutex only if it names a thread of the run.
func TestMutexState(t *testing.T) {
	threads := []string{"main", "left", "right"}
	for _, c := range []struct{ value, says string }{
		{"0", "free"},
		{"1", "held by main"},
		{"1048577", "held by left"},
		{"2097155", "held by right, 3 times"},
		{"3145729", ""}, // of a fourth thread
		{"1048576", ""}, // held, and no time
		{"-1", ""},
		{"x", ""},
	} {
		require.Equal(t, c.says, mutexState(c.value, threads), c.value)
	}
}

// A number is a state of a condition only if it names threads of the run.
func TestConditionState(t *testing.T) {
	threads := []string{"main", "left", "right"}
	for value, says := range map[string]string{"0": "nobody waits", "2": "left waits", "6": "left, right wait",
		"8": "", "-1": "", "x": ""} {
		require.Equal(t, says, conditionState(value, threads), value)
	}
}

// Only mutexes and conditions are named, what the model keeps in a mutex besides is left out.
func TestNameLocks(t *testing.T) {
	step := func(values ...Value) Step { return Step{Values: values} }
	x := &Counterexample{Running: []string{"main", "left", "right"}, Steps: []Step{
		step(Value{Name: "a.__held", Value: "0"}, Value{Name: "a.__rest[0]", Value: "0"},
			Value{Name: "s[1].b.__held", Value: "0"}),
		step(Value{Name: "l.__state", Value: "1"}),
		step(Value{Name: "a.__held", Value: "1048577"}),
		step(Value{Name: "c.__waiting", Value: "2"}),
	}}
	nameLocks(x, x.Running)
	require.Equal(t, []Value{{Name: "a.__held", Value: "0", State: "mutex a: free"},
		{Name: "s[1].b.__held", Value: "0", State: "mutex s[1].b: free"}}, x.Steps[0].Values)
	require.Empty(t, x.Steps[1].Values[0].State)
	require.Equal(t, "mutex a: held by left", x.Steps[2].Values[0].State)
	require.Equal(t, "condition c: left waits", x.Steps[3].Values[0].State)
}
