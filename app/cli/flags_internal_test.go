package cli

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"magus/app/options"
)

// Every flag of check is a row of the table of options, with its help and its default;
// only the flag of the help, which cobra adds, is none.
func TestFlagsOfCheckAreOptions(t *testing.T) {
	c := newCheck(&World{}, new(int))
	c.InitDefaultHelpFlag()
	n := 0
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		n++
		r := options.Standard().Lookup(options.Check, f.Name)
		require.NotNil(t, r, f.Name)
		require.Equal(t, r.Help, f.Usage, f.Name)
		require.Equal(t, r.Short, f.Shorthand, f.Name)
		require.Equal(t, r.Default, f.DefValue, f.Name)
	})
	require.Len(t, options.Standard().For(options.Check).Rows(), n)
}
