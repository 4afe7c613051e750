package job

import (
	"slices"
	"testing"

	"magus/app/input"
	"magus/app/options"
	"magus/cfa/source"

	"github.com/stretchr/testify/require"
)

// Every option that says what is asked is part of the question, but for those
// whose effect shows in the files that were read or in the claims.
func TestSettings(t *testing.T) {
	elsewhere := []string{"procedure", "specification", "compile-commands", "output", "include", "headers",
		"host-headers", "solver", "timeout", "memory-limit"}
	settingsOf := func(o *options.Options) []string {
		p := &input.Program{C: []source.Source{{Name: "a.c"}}}
		if m := o.Reading().Model; m != nil {
			p.Options.Model = *m
		}
		if long := o.Reading().LongDouble; long != nil {
			p.Options.LongDouble = *long
		}
		var all []string
		for _, fact := range settings(options.Standard(), o, p) {
			all = append(all, fact.Name+"="+fact.Value)
		}
		return all
	}
	values := map[options.Kind]string{options.Bool: "true", options.Text: "x", options.List: "x",
		options.Count: "7", options.Duration: "1m", options.Size: "1GiB"}
	plain, n := settingsOf(options.Defaults()), 0
	s := options.Standard().For(options.Verify)
	for _, r := range s.Rows() {
		value := values[r.Kind]
		if r.Kind == options.Choice {
			value = r.Values[len(r.Values)-1]
		}
		o := options.Defaults()
		require.NoError(t, r.Of(o).Set(value), r.Name)
		n++
		if slices.Contains(elsewhere, r.Name) {
			require.Equal(t, plain, settingsOf(o), r.Name)
		} else {
			require.NotEqual(t, plain, settingsOf(o), r.Name)
		}
	}
	require.Greater(t, n, len(elsewhere))
	unit := settings(options.Standard(), options.Defaults(),
		&input.Program{C: []source.Source{{Name: "a.c", Defines: []string{"X"}, Includes: []string{"first.h"}, Std: "c99"}}})
	require.Equal(t, "-DX first.h c99", unit[1].Value)
}
