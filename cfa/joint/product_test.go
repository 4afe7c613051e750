package joint_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/cfa/joint"
	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/smt/expr"
)

const header = `void __MAGUS_SEND__(const char *, int); int __MAGUS_RECEIVE__(const char *); int any(void);
void __MAGUS_ACTION__(const char *);
`

// together is the product of procedures of a text, with a cell of values below 3 of the channel a.
func together(t *testing.T, text, deadlock string, procedures ...string) *cfa.CFA {
	t.Helper()
	program, err := source.Parse(t.Context(), []source.Source{{Name: "a.c", Text: []byte(header + text)}},
		source.Options{})
	require.NoError(t, err)
	pool := expr.NewPool()
	var parts []joint.Part
	for i, name := range procedures {
		c, err := lower.Lower(t.Context(), program, name, expr.NewPool(), lower.Options{InitGlobals: true})
		require.NoError(t, err)
		c, _ = joint.Import(c, pool, func(v cfa.Var) string { return fmt.Sprintf("%s.%s", name, v.Expr.Name()) })
		parts = append(parts, joint.Part{Name: name, Group: i, Auto: c})
	}
	carried := pool.Var("message a", expr.Int32)
	out, err := joint.Product(t.Context(), parts,
		joint.Question{Deadlock: deadlock, Channels: map[string]joint.Channel{"a": {
			Carried: []*expr.Expr{carried}, Paths: []string{""},
			Cells: []joint.Cell{{Action: "small", Cond: pool.Lt(carried, pool.Int(expr.Int32, 3))},
				{Action: "large"}}}}})
	require.NoError(t, err)
	require.Empty(t, out.Check())
	return out
}

// actions are those that locations of an automaton perform.
func actions(c *cfa.CFA) map[string]int {
	n := map[string]int{}
	for _, l := range c.Locs {
		if a, ok := l.Stmt.(cfa.Act); ok {
			n[a.Action]++
		}
	}
	return n
}

// What is sent is assigned to what is received, behind an action by its value.
func TestExchange(t *testing.T) {
	out := together(t, `void s(void) { int v = any(); __MAGUS_SEND__("a", v); } void r(void) { `+
		`int x = __MAGUS_RECEIVE__("a"); if (x == 1) __MAGUS_ACTION__("one"); }`,
		"", "s", "r")
	require.Equal(t, map[string]int{"small": 1, "large": 1, "one": 1}, actions(out))
	require.Equal(t, []string{"large", "one", "small"}, out.Actions)
	gets := 0
	for l, x := range out.Joint.Exchanges {
		require.Equal(t, []int{0, 1}, x.Parts)
		a, ok := out.Locs[out.Locs[l].Succ[0]].Stmt.(cfa.Assign)
		if require.True(t, ok); a.RHS == x.Values[0] {
			gets++
		}
	}
	require.Equal(t, 2, gets)
}

// Components that wait for each other for ever perform the action asked for; one that waits for a loop of the
// other does not.
func TestStuck(t *testing.T) {
	const text = `void s(void) { __MAGUS_ACTION__("x"); __MAGUS_ACTION__("y"); } void r(void) { __MAGUS_ACTION__("y"); __MAGUS_ACTION__("x"); }
void loops(void) { for (;;) { int v = any(); if (v) __MAGUS_ACTION__("x"); } } void one(void) { __MAGUS_ACTION__("x"); }`
	require.Equal(t, 1, actions(together(t, text, "stuck", "s", "r"))["stuck"])
	require.Zero(t, actions(together(t, text, "", "s", "r"))["stuck"])
	require.Equal(t, 1, actions(together(t, text, "stuck", "loops", "one"))["stuck"]) // behind the end of one
	require.Zero(t, actions(together(t, text, "stuck", "one", "one"))["stuck"])
}

// A loop of one component without actions does not keep others from theirs.
func TestLoopsLetOthersGo(t *testing.T) {
	const text = `void spins(void) { int i = 0; for (;;) i++; } void acts(void) { __MAGUS_ACTION__("x"); }`
	require.Equal(t, 1, actions(together(t, text, "", "spins", "acts"))["x"])
	require.Equal(t, 1, actions(together(t, text, "", "acts", "spins"))["x"])
}
