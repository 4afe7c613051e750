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
	}{
		"a chain, callees first": {"root outer inner", []rules.Mention{calls("root", "outer"), calls("outer", "inner"),
			calls("inner", "lock"), calls("inner", "unlock")}, []string{"inner", "outer"}},
		"what leads to no event": {"root other", []rules.Mention{calls("root", "lock"), calls("root", "other"),
			calls("other", "print")}, nil},
		"what nobody calls": {"root", []rules.Mention{calls("root", "lock")}, nil},
		"two that call each other": {"root a b", []rules.Mention{calls("root", "a"), calls("a", "b"), calls("b", "a"),
			calls("b", "lock")}, []string{"a", "b"}},
		"called through a pointer": {"root cb", []rules.Mention{taken("table", "cb"), {Within: "root"}, calls("root", "lock"),
			calls("cb", "lock")}, []string{"cb"}},
		"small":            {"root tiny", []rules.Mention{calls("root", "tiny"), calls("tiny", "lock")}, nil},
		"jumps elsewhere":  {"root a", []rules.Mention{calls("root", "a"), calls("a", "lock"), calls("a", "longjmp")}, nil},
		"ends the program": {"root a", []rules.Mention{calls("root", "a"), calls("a", "lock"), calls("a", "exit")}, nil},
		"lets somebody call an event later": {"root a b", []rules.Mention{calls("root", "a"), calls("a", "lock"),
			calls("a", "print"), taken("a", "b"), calls("b", "lock")}, []string{"b"}},
		"unknown code": {"root a b", []rules.Mention{calls("root", "a"), calls("a", "b"), calls("a", "lock"), calls("b", "unknown"),
			calls("b", "lock")}, nil},
		"a call through a pointer":   {"root a", []rules.Mention{calls("root", "a"), calls("a", "lock"), {Within: "a", Called: true}}, nil},
		"hands out the event itself": {"root a", []rules.Mention{calls("root", "a"), calls("a", "lock"), taken("a", "lock")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := rules.NewGraph(strings.Fields(tt.procedures), tt.mentions)
			f := rules.Facts{IsEvent: isLock, CallsBack: func(name string) bool {
				return name == "unknown" || name == "exit"
			}, Size: func(name string) int {
				if name == "tiny" {
					return 1
				}
				return 10
			}}
			require.Equal(t, tt.want, g.Callees(f, 5))
		})
	}
}
