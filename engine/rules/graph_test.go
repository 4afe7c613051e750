package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/engine/rules"
)

func calls(within, name string) rules.Mention {
	return rules.Mention{Within: within, Name: name, Called: true}
}

func TestLeads(t *testing.T) {
	g := rules.NewGraph([]string{"a", "b", "c", "d"}, []rules.Mention{calls("a", "b"),
		{Within: "b", Name: "ops", Object: true}, {Within: "ops", Name: "c"}, calls("d", "a")})
	require.Equal(t, []string{"b", "c"}, g.Leads("a"))
	require.Empty(t, g.Leads("c"))
	require.False(t, g.Recurs("a"))
	g = rules.NewGraph([]string{"a", "b", "c", "d"}, []rules.Mention{calls("a", "b"), {Within: "b", Called: true},
		{Within: "ops", Name: "c"}, calls("c", "d")})
	require.Equal(t, []string{"b"}, g.Leads("a"))
	require.Equal(t, []string{"b", "c", "d"}, g.Reaches("a"), "through a pointer")
	g = rules.NewGraph([]string{"a", "b", "c"}, []rules.Mention{calls("a", "b"), calls("b", "c"), calls("c", "b")})
	require.False(t, g.Recurs("a"))
	require.True(t, g.Recurs("b"))
}

func TestRoots(t *testing.T) {
	isLock := func(name string) bool { return name == "lock" }
	for name, tt := range map[string]struct {
		procedures                []string
		mentions                  []rules.Mention
		matters, roots, callbacks []string
	}{
		"a chain": {[]string{"a", "b", "c"},
			[]rules.Mention{calls("a", "b"), calls("b", "lock"), calls("c", "a")},
			[]string{"a", "b", "c"}, []string{"c"}, []string{}},
		"what leads to no event": {[]string{"a", "b"},
			[]rules.Mention{calls("a", "b"), calls("a", "lock"), calls("b", "other")},
			[]string{"a"}, []string{"a"}, []string{}},
		"a circle": {[]string{"a", "b"},
			[]rules.Mention{calls("a", "b"), calls("b", "a"), calls("b", "lock")},
			[]string{"a", "b"}, []string{"a"}, []string{}},
		"calls itself": {[]string{"a"},
			[]rules.Mention{calls("a", "a"), calls("a", "lock")},
			[]string{"a"}, []string{"a"}, []string{}},
		"a callback": {[]string{"a", "b"},
			[]rules.Mention{{Within: "a", Name: "b"}, calls("b", "lock")},
			[]string{"a", "b"}, []string{"a"}, []string{"b"}},
		"through a table": {[]string{"take", "use"},
			[]rules.Mention{{Within: "ops", Name: "take"}, {Within: "use", Name: "ops", Object: true}, calls("take", "lock")},
			[]string{"take", "use"}, []string{"use"}, []string{"take"}},
		"a body for the function itself": {[]string{"lock", "a"},
			[]rules.Mention{calls("lock", "raw"), calls("a", "lock")},
			[]string{"a"}, []string{"a"}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			g := rules.NewGraph(tt.procedures, tt.mentions)
			matters := g.Matters(isLock)
			require.Equal(t, tt.matters, matters)
			require.Equal(t, tt.roots, g.Roots(matters))
			require.Equal(t, tt.callbacks, g.Callbacks(matters))
		})
	}
}
