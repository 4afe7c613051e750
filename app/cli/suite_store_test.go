package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/input"
	"magus/app/report"
)

// Whatever a line of a journal or a file of the cache says, it is a record that was sealed so, or none.
func FuzzRecord(f *testing.F) {
	r := record{Key: "k", Read: []digest{{"a.c", "01", input.Standing{Kind: "file", At: "a.c", Folder: "."}}},
		Missed: []input.Missed{{Path: "b.h", Standing: input.Standing{Kind: "nothing"}}},
		Claim:  report.Claim{Verdict: "conforms"}}
	f.Add(sealed(r))
	f.Add([]byte("00 {}\n"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, line []byte) {
		got, ok := unsealed(line)
		if !ok {
			return
		}
		again, ok := unsealed(sealed(got))
		require.True(t, ok)
		require.Equal(t, got, again)
		require.False(t, got.current(input.Dir(t.TempDir())) && len(got.Read) > 0, "a folder without files has none of them")
	})
}
