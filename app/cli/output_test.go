package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\n":                  "a\tb\n",
		"π ≤ τ":                   "π ≤ τ",
		"\x1b[31mred\x1b]0;x\x07": `\u001b[31mred\u001b]0;x\u0007`,
		"\u009b31m\x7f":           `\u009b31m\u007f`,
		"gone\rover":              `gone\u000dover`,
		"if (a) \u202e}":          `if (a) \u202e}`,
		"\x9b31m":                 `\x9b31m`,
		"cut \xe2\x89":            `cut \xe2\x89`,
	} {
		var b bytes.Buffer
		o := &output{w: &b}
		_, err := o.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, o.close())
		require.Equal(t, want, b.String())
	}
}

// However a text is cut into writes, nothing that is there is lost, nothing
// passes that a terminal obeys, and JSON stays the same document.
func TestOutput(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.OneOf(rapid.SampledFrom([]byte("\x1b\x9b\xc2\xe2\x80\xae\x89\xa4\n\tab")),
			rapid.Byte())).Draw(t, "text")
		var b bytes.Buffer
		o := &output{w: &b}
		for rest := text; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			got, err := o.Write(rest[:n])
			require.NoError(t, err)
			require.Equal(t, n, got)
			rest = rest[n:]
		}
		require.NoError(t, o.close())
		require.Equal(t, string(visible(text)), b.String())
		require.True(t, utf8.Valid(b.Bytes()))
		require.False(t, strings.ContainsFunc(b.String(),
			func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }))

		doc, err := json.Marshal(map[string]string{"text": string(text)})
		require.NoError(t, err)
		var before, after any
		require.NoError(t, json.Unmarshal(doc, &before))
		require.NoError(t, json.Unmarshal(visible(doc), &after))
		require.Equal(t, before, after)
	})
}

type brokenPipe struct{ written int }

var errBroken = errors.New("broken")

func (p *brokenPipe) Write(b []byte) (int, error) {
	p.written++
	return 0, errBroken
}

// The first error is kept, also where a command does not look at it.
func TestOutputKeepsTheError(t *testing.T) {
	p := &brokenPipe{}
	o := &output{w: p}
	for range 3 {
		_, err := o.Write([]byte("x"))
		require.ErrorIs(t, err, errBroken)
	}
	require.ErrorIs(t, o.close(), errBroken)
	require.Equal(t, 1, p.written)
}
