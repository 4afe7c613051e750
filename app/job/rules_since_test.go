package job

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPassedOver(t *testing.T) {
	root := func(slice string, reached ...string) slicedRoot { return slicedRoot{slice, reached} }
	for _, c := range []struct {
		name      string
		now, then map[string]slicedRoot
		over      []string
	}{
		{"all is the same", map[string]slicedRoot{"a": root("1", "a"), "b": root("2", "b")},
			map[string]slicedRoot{"a": root("1", "a"), "b": root("2", "b")}, []string{"a", "b"}},
		{"one is another", map[string]slicedRoot{"a": root("1", "a"), "b": root("3", "b")},
			map[string]slicedRoot{"a": root("1", "a"), "b": root("2", "b")}, []string{"a"}},
		{"one was no root", map[string]slicedRoot{"a": root("1", "a"), "b": root("2", "b")},
			map[string]slicedRoot{"a": root("1", "a")}, []string{"a"}},
		{"what led to the callback does not any more", map[string]slicedRoot{"a": root("3", "a"), "back": root("2", "back")},
			map[string]slicedRoot{"a": root("1", "a", "back"), "back": root("2", "back")}, nil},
		{"what led to the callback is gone", map[string]slicedRoot{"back": root("2", "back")},
			map[string]slicedRoot{"a": root("1", "a", "back"), "back": root("2", "back")}, nil},
		{"one that led to the callback is another, so the other one is checked, too",
			map[string]slicedRoot{"a": root("3", "a"), "b": root("1", "b", "back"), "back": root("2", "back"),
				"c": root("4", "c")},
			map[string]slicedRoot{"a": root("1", "a", "back"), "b": root("1", "b", "back"), "back": root("2", "back"),
				"c": root("4", "c")},
			[]string{"c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			over := map[string]bool{}
			for _, entry := range c.over {
				over[entry] = true
			}
			require.Equal(t, over, passedOver(c.now, c.then))
		})
	}
}
