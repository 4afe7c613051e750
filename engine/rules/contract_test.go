package rules_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/engine/rules"
)

// TestCallees: of which procedures a contract is looked for, callees first.
func TestCallees(t *testing.T) {
	isLock := func(name string) bool { return name == "lock" || name == "unlock" }
	taken := func(within, name string) rules.Mention { return rules.Mention{Within: within, Name: name} }
	for name, tt := range map[string]struct {
		procedures string
		mentions   []rules.Mention
		want       []string
		alone      []string
	}{
		"a chain, callees first": {"root outer inner", []rules.Mention{calls("root", "outer"), calls("outer", "inner"),
			calls("inner", "lock"), calls("inner", "unlock")}, []string{"inner", "outer"}, nil},
		"what leads to no event": {"root other", []rules.Mention{calls("root", "lock"), calls("root", "other"),
			calls("other", "print")}, nil, nil},
		"what nobody calls": {"root", []rules.Mention{calls("root", "lock")}, nil, nil},
		"two that call each other": {"root a b", []rules.Mention{calls("root", "a"), calls("a", "b"), calls("b", "a"),
			calls("b", "lock")}, []string{"a", "b"}, nil},
		"called through a pointer": {"root cb", []rules.Mention{taken("table", "cb"), {Within: "root"}, calls("root", "lock"),
			calls("cb", "lock")}, []string{"cb"}, nil},
		"small": {"root tiny", []rules.Mention{calls("root", "tiny"), calls("tiny", "lock")}, nil, nil},
		"jumps elsewhere": {"root a", []rules.Mention{calls("root", "a"), calls("a", "lock"),
			calls("a", "longjmp")}, nil, nil},
		"calls later": {"root a", []rules.Mention{calls("root", "a"), calls("a", "lock"),
			calls("a", "atexit")}, nil, nil},
		"ends the program": {"root a", []rules.Mention{calls("root", "a"), calls("a", "lock"), calls("a", "exit")},
			[]string{"a"}, []string{"a"}},
		"lets somebody call an event later": {"root a b", []rules.Mention{calls("root", "a"), calls("a", "lock"),
			calls("a", "print"), taken("a", "b"), calls("b", "lock")}, []string{"b"}, nil},
		"starts a thread": {"root a b", []rules.Mention{calls("root", "a"), calls("a", "lock"),
			{Within: "a", Name: "b", To: "start"}, calls("b", "lock")}, []string{"b", "a"}, nil},
		"unknown code": {"root a b", []rules.Mention{calls("root", "a"), calls("a", "b"), calls("a", "lock"),
			calls("b", "unknown"),
			calls("b", "lock")}, []string{"b", "a"}, []string{"b", "a"}},
		"a call through a pointer": {"root a", []rules.Mention{calls("root", "a"), calls("a", "lock"),
			{Within: "a", Called: true}},
			[]string{"a"}, []string{"a"}},
		"hands out the event itself": {"root a", []rules.Mention{calls("root", "a"), calls("a", "lock"),
			taken("a", "lock")}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := rules.NewGraph(strings.Fields(tt.procedures), tt.mentions)
			f := rules.Facts{IsEvent: isLock, Later: func(name string) bool { return name == "atexit" || name == "start" },
				OnlyStarts: func(name string) bool { return name == "start" }, CallsBack: func(name string) bool {
					return name == "unknown" || name == "exit"
				}, Size: func(name string) int {
					if name == "tiny" {
						return 1
					}
					return 10
				}}
			all, alone := g.Callees(f, 5)
			require.Equal(t, tt.want, all)
			require.Equal(t, tt.alone, alone)
		})
	}
}

// TestKnows: from which procedures code that nobody described may get to know a function that leads to an
// event, and which variables others may change that it may know.
func TestKnows(t *testing.T) {
	mention := func(within, name, to string) rules.Mention { return rules.Mention{Within: within, Name: name, To: to} }
	g := rules.NewGraph(strings.Fields("direct table starts calls opens quiet cb locks hands helper"), []rules.Mention{
		mention("direct", "locks", "register"), calls("direct", "register"),
		{Within: "table", Name: "ops", Object: true}, mention("ops", "locks", ""),
		mention("starts", "locks", "start"), calls("starts", "start"),
		calls("calls", "direct"),
		calls("opens", "unknown"), mention("quiet", "hands", ""), mention("quiet", "cb", "unknown"),
		calls("hands", "helper"), mention("hands", "locks", ""),
		calls("cb", "helper"), {Within: "helper", Name: "level", Object: true},
		calls("locks", "lock"), {Within: "locks", Name: "own", Object: true}})
	f := rules.Facts{IsEvent: func(name string) bool { return name == "lock" }, Size: func(string) int { return 1 },
		OnlyStarts: func(name string) bool { return name == "start" },
		CallsBack:  func(name string) bool { return name == "unknown" }}
	for name, knows := range map[string]bool{"direct": true, "table": true, "starts": false, "calls": true, "opens": true,
		"cb": false, "locks": false, "quiet": true} {
		require.Equal(t, knows, g.Knows(f, name), name)
	}
	variables, procedures := g.CalledBack(f)
	require.Equal(t, []string{"level"}, variables)
	require.Equal(t, []string{"cb", "helper"}, procedures)
}
