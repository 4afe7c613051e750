package specs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/lts"
	"magus/specs"
)

// Names of values become conditions; the name of what is read after Rigid is the process's.
func TestRigid(t *testing.T) {
	for _, c := range []struct{ name, text, want, err string }{
		{"one way round", "A = ( a(x) -> b(x) -> A ).", `alphabet {a, a($1 != x), a($1 == x), b, b($1 != x), b($1 == x)}
init 0:A
0:A -a($1 != x)-> 2
0:A -a($1 == x)-> 1
1 -b($1 == x)-> 0:A
2 -b($1 != x)-> 0:A
`, ""},
		{"over definitions", "A = ( a(x) -> B ), B = ( b(x) -> A | t -> B ).",
			`alphabet {a, a($1 != x), a($1 == x), b, b($1 != x), b($1 == x), t}
init 0:A
0:A -a($1 != x)-> 2:B'
0:A -a($1 == x)-> 1:B
1:B -b($1 == x)-> 0:A
1:B -t-> 1:B
2:B' -b($1 != x)-> 0:A
2:B' -t-> 2:B'
`, ""},
		{"over processes", "A = ( a(x) -> B ). B = ( b(x) -> A ).",
			`alphabet {a, a($1 != x), a($1 == x), b, b($1 != x), b($1 == x)}
init 0:A
0:A -a($1 != x)-> 2:B'
0:A -a($1 == x)-> 1:B
1:B -b($1 == x)-> 0:A
2:B' -b($1 != x)-> 0:A
`, ""},
		{"without a value on some way", "A = ( a(x) -> B | t -> B ), B = ( b(x) -> STOP ).",
			`alphabet {a, a($1 != x), a($1 == x), b, b($1 != x), b($1 == x), t}
init 0:A
0:A -a($1 != x)-> 1:B
0:A -a($1 == x)-> 1:B
0:A -t-> 1:B
1:B -b($1 != x)-> 2:STOP
1:B -b($1 == x)-> 2:STOP
`, ""},
		{"a constant", "A = ( a(NINE) -> A ).", "alphabet {a($1 == NINE)}\ninit 0:A\n0:A -a($1 == NINE)-> 0:A\n", ""},
		{"in a set", "A = ( {a(x), t} -> A ).", "", "x gets no value in a set of actions"},
		{"hidden", "A = ( a(x) -> A ) \\ {t}.", "", "not hidden or renamed"},
		{"composed", "||A = ( B || B ). B = ( a(1) -> B ).", "", "not composed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := specs.Parse(t.Context(), []specs.Source{{Name: "a.spec", Text: []byte(c.text)}}, nil)
			require.NoError(t, err)
			out, _, err := f.Rigid("A", func(name string) bool { return name == "NINE" })
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			m, err := out.LTS(t.Context(), "A", lts.NewActions())
			require.NoError(t, err)
			require.Equal(t, c.want, m.String())
		})
	}
}
