package findings

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A line says the same finding when it is read again, whatever its words are.
func TestLinesAreReadAsTheyWereWritten(t *testing.T) {
	for _, word := range []string{"a", "a b", `"a`, "#a", "", "a\tb", "after", "\xff", "a\nb", "\u00a0", "`", "\\"} {
		for _, e := range []entry{
			{rule: word, file: "a.c", procedure: "f", event: "end"},
			{rule: "r", file: word, procedure: word, event: word, before: []string{"lock", word}},
			{rule: "r", file: "a.c", procedure: "f", event: "end", before: []string{word}, longer: true},
		} {
			again, err := parse(e.String())
			require.NoError(t, err, "%q", word)
			require.Equal(t, e, again, "%q", word)
		}
	}
}

// FuzzBaseline: whatever the text, it is read or the message names a line, and what was read says the same when
// it is written.
func FuzzBaseline(f *testing.F) {
	f.Add(Title + remarks + "file src/a.c f end after open read\nr \"a b.c\" g lock after ... x\n")
	f.Add("# magus baseline 2\n")
	f.Fuzz(func(t *testing.T, text string) {
		b := NewBaseline("known.txt", "/p", "/p")
		if err := b.Read([]byte(text)); err != nil {
			require.Regexp(t, `^known\.txt:[1-9][0-9]*: `, err.Error())
			return
		}
		for line, n := range b.entries {
			require.Positive(t, n)
			require.NotContains(t, line, "\n")
			e, err := parse(line)
			require.NoError(t, err)
			require.Equal(t, line, e.String())
			require.LessOrEqual(t, b.numbers[line], strings.Count(text, "\n")+1)
		}
	})
}
