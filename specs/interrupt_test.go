package specs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/internal/countdown"
	"magus/lts"
)

// processes is the parallel composition of n processes of two states: 2^n states.
func processes(n int) string {
	var b strings.Builder
	var names []string
	for i := range n {
		fmt.Fprintf(&b, "P%d = ( a%d -> b%d -> P%d ).\n", i, i, i, i)
		names = append(names, fmt.Sprint("P", i))
	}
	return b.String() + "S = ( " + strings.Join(names, " || ") + " ).\n"
}

// copies are n processes each of which has two copies of the one before: more than 2^n states.
func copies(n int) string {
	var b strings.Builder
	b.WriteString("S0 = ( a -> S0 | b -> STOP ).\n")
	for i := range n {
		fmt.Fprintf(&b, "B%[1]d = ( x -> S%[1]d ) /{ p%[1]d/a }.\nC%[1]d = ( y -> S%[1]d ) /{ q%[1]d/a }.\n"+
			"S%[2]d = ( l -> B%[1]d | r -> C%[1]d ).\n", i, i+1)
	}
	return b.String()
}

// TestInterrupted: reading a long text and building a large process look at their context often, and
// end with it.
func TestInterrupted(t *testing.T) {
	nested := "S = " + strings.Repeat("( a -> b -> STOP | c -> ", 900) + "STOP" + strings.Repeat(" )", 900) + ".\n"
	var states strings.Builder
	states.WriteString("S = ( a -> S1 )")
	for i := range 5000 {
		fmt.Fprintf(&states, ",\nS%d = ( a -> S%d | b -> S )", i+1, (i+1)%5000+1)
	}
	var chain strings.Builder
	chain.WriteString("des (0, 20000, 20001)\n")
	for i := range 20000 {
		fmt.Fprintf(&chain, "(%d, a, %d)\n", i, i+1)
	}
	parse := func(text string) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			_, err := Parse(ctx, []Source{{Name: "t.spec", Text: []byte(text)}}, nil)
			return err
		}
	}
	build := func(text, name string) func(ctx context.Context) error {
		f, err := Parse(t.Context(), []Source{{Name: "t.spec", Text: []byte(text)}}, nil)
		require.NoError(t, err)
		return func(ctx context.Context) error {
			_, err := f.LTS(ctx, name, lts.NewActions())
			return err
		}
	}
	imported := func(ctx context.Context) error {
		_, err := Parse(ctx, []Source{{Name: "t.spec", Text: []byte(`S = import "p.aut".` + "\n")}},
			func(string) ([]byte, error) { return []byte(chain.String()), nil })
		return err
	}
	for name, test := range map[string]struct {
		do    func(context.Context) error
		looks int64 // at least
	}{
		"nested":      {parse(nested), 10},
		"states":      {parse(states.String() + ".\n"), 60},
		"imported":    {imported, 5},
		"build":       {build(states.String()+".\n", "S"), 5000},
		"composition": {build(processes(12), "S"), 1},
		"copies":      {build(copies(8), "S8"), 30},
	} {
		t.Run(name, func(t *testing.T) {
			whole := countdown.Count(t.Context())
			require.NoError(t, test.do(whole))
			looks := whole.Seen()
			require.GreaterOrEqual(t, looks, test.looks)
			for _, n := range []int64{0, 1, looks/2 - 1, looks - 1} {
				e := countdown.Looks(t.Context(), max(n, 0))
				require.ErrorIs(t, test.do(e), context.Canceled, "look %d of %d", n, looks)
				require.Less(t, e.Seen(), n+21, "it goes on")
			}
		})
	}
	for name, text := range map[string]string{"S": processes(40), "S40": copies(40)} { // without an end
		err := build(text, name)(countdown.Looks(t.Context(), 2))
		require.ErrorIs(t, err, context.Canceled)
	}
}
