package lsp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/options"
)

// TestMadeUpOption: an option that is a row of the table is one of the comments that say how a file is checked.
func TestMadeUpOption(t *testing.T) {
	table := append(options.Standard(), options.Option{Name: "made-up", Kind: options.Choice,
		Values: []string{"two", "three"}, Default: "two", Help: "what nobody had before", In: options.Shell,
		At: func(*options.Options) any { return new(string) }})
	g, ok := arguments(table, "dir", []string{"--made-up", "three", "a.c", "a.spec"})
	require.True(t, ok)
	_, err := g.settings(table)
	require.NoError(t, err)
	require.Contains(t, g.key(), "made-up")
	_, err = g.settings(options.Standard())
	require.ErrorContains(t, err, "no option made-up")
	_, ok = arguments(options.Standard(), "dir", []string{"--made-up", "three", "a.c", "a.spec"})
	require.False(t, ok)
}
