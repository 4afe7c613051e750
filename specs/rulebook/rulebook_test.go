package rulebook_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/specs"
	"magus/specs/rulebook"
)

func TestEntries(t *testing.T) {
	for _, e := range rulebook.Entries() {
		t.Run(e.Name, func(t *testing.T) {
			rule, _ := e.Rule()
			require.Equal(t, e.Name, rule.Name)
			require.NotEmpty(t, e.Summary())
			require.Contains(t, e.Explanation(), "Source: ", "where the rule comes from")
			for _, s := range rule.States {
				require.NotEqual(t, "", s.Name)
				for _, event := range rule.EventNames() {
					require.True(t, says(s, event), "the state %s does not say what follows from %s", s.Name, event)
				}
			}
		})
	}
}

// says reports whether a state says what follows from an event.
func says(s *specs.RuleState, event string) bool {
	for _, m := range s.Moves {
		if m.Event == event {
			return true
		}
	}
	return false
}

func TestEntriesReadBack(t *testing.T) {
	for _, e := range rulebook.Entries() {
		first, err := specs.Parse(context.Background(), []specs.Source{{Name: "a.spec", Text: []byte(e.Text)}}, nil)
		require.NoError(t, err)
		again, err := specs.Parse(context.Background(), []specs.Source{{Name: "a.spec", Text: []byte(first.String())}}, nil)
		require.NoError(t, err, e.Name)
		require.Equal(t, first.String(), again.String())
		require.False(t, strings.Contains(first.String(), "%!"))
	}
}
