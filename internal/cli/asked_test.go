package cli

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"magus/cfa"
)

// TestSettings: every flag that says what is asked is part of the question, but
// for those whose effect shows in the files that were read or in the claims.
func TestSettings(t *testing.T) {
	elsewhere := []string{"procedure", "specification", "compile-commands", "include", "host-headers"}
	values := map[string]string{"property": "unreach-call", "data-model": "ILP32", "array-limit": "3", "heap-limit": "7", "strict-calls": "true", "check-pointers": "true", "host-headers": "true"}
	flags := func() (*checkFlags, *pflag.FlagSet) {
		f, c := newCheckFlags(), &cobra.Command{}
		f.registerQuestion(c)
		return f, c.Flags()
	}
	settings := func(f *checkFlags) []string {
		model := cfa.LP64
		if f.dataModel.value == "ILP32" {
			model = cfa.ILP32
		}
		var all []string
		for _, fact := range f.facts([]cfa.Source{{Name: "a.c"}}, model) {
			all = append(all, fact.Name+"="+fact.Value)
		}
		return all
	}
	f, fs := flags()
	plain, n := settings(f), 0
	fs.VisitAll(func(flag *pflag.Flag) {
		value := values[flag.Name]
		if value == "" {
			value = "x"
		}
		f, fs := flags()
		require.NoError(t, fs.Set(flag.Name, value), flag.Name)
		n++
		if slices.Contains(elsewhere, flag.Name) {
			require.Equal(t, plain, settings(f), flag.Name)
		} else {
			require.NotEqual(t, plain, settings(f), flag.Name)
		}
	})
	require.Greater(t, n, len(elsewhere))
	unit := f.facts([]cfa.Source{{Name: "a.c", Defines: []string{"X"}, Includes: []string{"first.h"}, Std: "c99"}}, cfa.LP64)
	require.Equal(t, "-DX first.h c99", unit[1].Value)
}
