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

// Only mutexes and conditions are named, what the model keeps in them besides is left out.
func TestNameLocks(t *testing.T) {
	step := func(who, source string, values ...Value) Step {
		return Step{Component: who, Source: source, Values: values}
	}
	x := &Counterexample{Trace: []string{"deadlock"}, Running: []string{"main", "left", "right"}, Steps: []Step{
		step("main", "pthread_mutex_t a, b;", Value{Name: "a.__state", Value: "0"}, Value{Name: "a.__more[0]", Value: "0"},
			Value{Name: "b.__state", Value: "0"}),
		step("main", "sem_init(&s, 0, 1);", Value{Name: "s.__state", Value: "1"}),
		step("left", "pthread_mutex_lock(&a);", Value{Name: "a.__state", Value: "1048577"}),
		step("right", "pthread_mutex_lock(&b);", Value{Name: "b.__state", Value: "2097153"}),
		step("left", "pthread_mutex_lock(&b);"),
		step("right", "pthread_mutex_lock(&b);"),
		step("main", "pthread_cond_signal(&c);", Value{Name: "c.__state", Value: "2"}),
		step("left", "pthread_cond_wait(&d, &a);", Value{Name: "d.__state", Value: "2"}),
	}}
	nameLocks(x, x.Running)
	require.Equal(t, []Value{{Name: "a.__state", Value: "0", State: "mutex a: free"},
		{Name: "b.__state", Value: "0", State: "mutex b: free"}}, x.Steps[0].Values)
	require.Empty(t, x.Steps[1].Values[0].State)
	require.Equal(t, "mutex a: held by left", x.Steps[2].Values[0].State)
	require.Equal(t, "condition c: left waits", x.Steps[6].Values[0].State)
	require.Empty(t, x.Steps[7].Values[0].State, "it may be the mutex")
}
