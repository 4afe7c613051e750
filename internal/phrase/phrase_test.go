package phrase

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPhrases(t *testing.T) {
	require.Equal(t, "1 state", Plural(1, "state"))
	require.Equal(t, "0 states", Plural(0, "state"))
	require.Equal(t, "a, b", Few([]string{"a", "b"}, 2))
	require.Equal(t, "a, b and 1 more", Few([]string{"a", "b", "c"}, 2))
	require.Equal(t, "a or b", Or([]string{"a", "b"}, 2))
	require.Equal(t, "a or b or one of 2 more", Or([]string{"a", "b", "c", "d"}, 2))
	require.Equal(t, "a or b or c", Or([]string{"a", "b", "c"}, 2))
	require.Equal(t, "é234", Clip("é234", 4))
	require.Equal(t, "é...", Clip("é2345", 4))
}

func TestNearest(t *testing.T) {
	names := []string{"step", "stats", "state", "back", "break", "history"}
	for text, want := range map[string][]string{
		"stpe": {"step"}, "stp": {"step"}, "histroy": {"history"}, "bak": {"back"}, "xyz": nil,
		"sta": {"stats", "state"}, "": nil,
	} {
		require.Equal(t, want, Nearest(text, names), text)
	}
	require.Equal(t, "; did you mean stats or state?", Suggest("sta", names))
	require.Empty(t, Suggest("xyz", names))
	require.Equal(t, "; did you mean back?", Misspelt("bakc", names))
	require.Empty(t, Misspelt("sta", []string{"status", "station"}), "a beginning is no misspelling")
	require.Equal(t, "; did you mean back?", Instead("bakc", names))
	require.Equal(t, "; there are status, station", Instead("nothing", []string{"status", "station"}))
	require.Equal(t, "; there is status", Instead("nothing", []string{"status"}))
	require.Equal(t, "; there are none", Instead("nothing", nil))
	require.Equal(t, "; choose one with --entry: status", Choose("nothing", []string{"status"}, "--entry"))
	require.Equal(t, "; did you mean status?", Choose("statsu", []string{"status"}, "--entry"))
	require.Empty(t, Suggest("a", []string{"a1", "a2", "a3", "a4", "a5", "a6", "a7"}))
}
