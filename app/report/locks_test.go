package report

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A number is a state of a mutex only if it names a thread of the run.
func TestMutexState(t *testing.T) {
	threads := []string{"main", "left", "right"}
	for _, c := range []struct{ value, owner, says string }{
		{"0", "", "free"},
		{"1", "main", "held by main"},
		{"1048577", "left", "held by left"},
		{"2097155", "right", "held by right, 3 times"},
		{"3145729", "", ""}, // of a fourth thread
		{"1048576", "", ""}, // held, and no time
		{"-1", "", ""},
		{"x", "", ""},
	} {
		owner, says := mutexState(c.value, threads)
		require.Equal(t, [2]string{c.owner, c.says}, [2]string{owner, says}, c.value)
	}
}

// Only mutexes are named, what the model keeps in them besides is left out, and nobody is said to wait
// for what nobody else holds.
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
	}}
	nameLocks(x)
	require.Equal(t, []Value{{Name: "a.__state", Value: "0", State: "mutex a: free"},
		{Name: "b.__state", Value: "0", State: "mutex b: free"}}, x.Steps[0].Values)
	require.Empty(t, x.Steps[1].Values[0].State)
	require.Equal(t, "mutex a: held by left", x.Steps[2].Values[0].State)
	require.Equal(t, []string{"left waits for mutex b, held by right"}, x.Waits)
}
