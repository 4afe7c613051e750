package specs

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is printed of rules that name members of structures, and functions that never return, reads back.
func TestRuleReadsBack(t *testing.T) {
	text, err := os.ReadFile("testdata/members.spec")
	require.NoError(t, err)
	first, err := Parse(context.Background(), []Source{{"a.spec", text}}, nil)
	require.NoError(t, err)
	again, err := Parse(context.Background(), []Source{{"a.spec", []byte(first.String())}}, nil)
	require.NoError(t, err, first.String())
	require.Equal(t, first.String(), again.String())
	r := again.Rules[0]
	require.Equal(t, []string{"die", "*_exit", "ops.stop"}, r.Never)
	require.Equal(t, []string{"ops.lock", "*.lock", "dev_*.*lock"}, r.Events[0].Callees)
	require.Equal(t, "ops.unlock", again.Procedures[0].Name)
	require.True(t, r.WatchesMembers())
	for member, is := range map[string]bool{"conn.state": true, "task.stopped": true, "conn.fd": false,
		"ops.lock": false} {
		require.Equal(t, is, r.Assigns(member), member)
	}
	require.Nil(t, r.Events[5].Cond)
}

func TestMatchesCallee(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"*", "lock", true}, {"*", "__builtin_expect", false}, {"__builtin_*", "__builtin_expect", true},
		{"lock", "lock", true}, {"*lock", "spin_lock", true}, {"spin_*", "spin_lock", true}, {"lock", "lock2", false},
		{"ops.lock", "ops.lock", true}, {"*.lock", "ops.lock", true}, {"*.lock", ".lock", true}, {"ops.*", "ops.lock", true},
		{"dev_*.*lock", "dev_ops.unlock", true}, {"dev_*.*lock", "ops.unlock", false},
		{"*lock", "ops.lock", false}, {"*", "ops.lock", false}, {"ops.lock", "lock", false}, {"*.lock", "lock", false},
	} {
		require.Equal(t, test.want, MatchesCallee([]string{test.pattern}, test.name), "%s %s", test.pattern, test.name)
	}
}

// A wrapper stands wherever the function does, and leaves the rule it was made of alone.
func TestWithWrapper(t *testing.T) {
	f, err := Parse(context.Background(), []Source{{"a.spec", []byte(`rule r for m {
		lock: call lock ($1 == m); also: call other; function lock; never *lock;
		A = ( lock -> A ). }`)}}, nil)
	require.NoError(t, err)
	r := f.Rules[0]
	w := r.WithWrapper("lock", "my_lock")
	require.Equal(t, []string{"lock", "my_lock"}, w.Events[0].Callees)
	require.Equal(t, []string{"other"}, w.Events[1].Callees)
	require.Equal(t, []string{"lock", "my_lock"}, w.Functions[0].Callees)
	require.Equal(t, []string{"*lock"}, w.Never, "which has it already")
	require.Equal(t, []string{"lock"}, r.Events[0].Callees)
	require.True(t, r.Names("my_lock"))
	require.False(t, r.Names("unrelated"))
}
