package cegar

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/evidence/verdict"
)

// ring is a claim about n components that hand a token on: each has it once
// before the first has it again. Broken, the last one may keep it for a while.
func ring(n int, broken bool) (c, spec string) {
	var b strings.Builder
	names := make([]string, n)
	for i := range n {
		names[i] = fmt.Sprintf("node%d", i)
		give, take := fmt.Sprintf(`__MAGUS_ACTION__("t%d");`, (i+1)%n), fmt.Sprintf(`__MAGUS_ACTION__("t%d");`, i)
		if i == 0 {
			fmt.Fprintf(&b, "void node0(void) { int have = 1; while (1) { if (have == 1) { %s have = 0; "+
				"%s have = 1; __MAGUS_ACTION__(\"round\"); } else __MAGUS_ACTION__(\"lost\"); } }\n", give, take)
			continue
		}
		keep := ""
		if broken && i == n-1 {
			keep = `if (__VERIFIER_nondet_int()) __MAGUS_ACTION__("kept");`
		}
		fmt.Fprintf(&b, "void node%d(void) { int have = 0; while (1) { if (have == 1) { %s %s have = 0; } "+
			"else { %s have = have + 1; } } }\n", i, keep, give, take)
	}
	spec = fmt.Sprintf("Round = ( t1 -> t%d -> round -> Round ) + {kept}.\n"+
		"program %s { specification rounds, {%s}, Round; }\n",
		n-1, strings.Join(names, ", "), strings.TrimSuffix(strings.Repeat("(1), ", n), ", "))
	return b.String(), spec
}

// TestSearchOrders: whatever the order, the verdict is the same, and so is the
// length of the violation that is reported.
func TestSearchOrders(t *testing.T) {
	for _, broken := range []bool{false, true} {
		for _, opt := range []Options{{}, {Loop: Loop{BreadthPairs: 4}}, {Loop: Loop{Search: BreadthFirst}},
			{Loop: Loop{Search: DepthFirst}}, {Loop: Loop{Search: DepthFirst, Check: true}}} {
			c, spec := ring(8, broken)
			s, err := NewSession(context.Background(), claimOf(t, c, spec), opt)
			require.NoError(t, err)
			o := s.Run(context.Background(), nil)
			s.Close()
			if !broken {
				require.Equal(t, verdict.Conforms, o.Verdict, "%+v", opt)
				continue
			}
			require.Equal(t, verdict.Violates, o.Verdict, "%+v: %v", opt, o.Reason)
			require.Equal(t, []string{"t1", "t7", "kept"}, o.Run.Trace, "%+v", opt)
			require.False(t, o.Run.Longer)
		}
	}
}

// TestDeepViolation: where the abstractions still have a shorter trace that no
// component has, what was found depth first is reported, and said to be perhaps too
// long.
func TestDeepViolation(t *testing.T) {
	claim := claimOf(t, `void a(void) { int n = 0, x = 0;
	while (1) { if (__VERIFIER_nondet_int()) { __MAGUS_ACTION__("up"); n++; } else if (x == 1) __MAGUS_ACTION__("bad"); else { __MAGUS_ACTION__("up"); if (n > 2) __MAGUS_ACTION__("bad"); } } }
void b(void) { while (1) __MAGUS_ACTION__("up"); }
`, "S = (up -> S) + {bad}.\nprogram a, b { specification s, {(1), (1)}, S; }")
	for _, opt := range []Options{{Loop: Loop{Search: DepthFirst}}, {Loop: Loop{Search: BreadthFirst}}} {
		s, err := NewSession(context.Background(), claim, opt)
		require.NoError(t, err)
		o := s.Run(context.Background(), nil)
		s.Close()
		require.Equal(t, verdict.Violates, o.Verdict)
		require.Equal(t, "bad", o.Run.Trace[len(o.Run.Trace)-1])
		if !o.Run.Longer {
			require.Len(t, o.Run.Trace, 5, "%+v", opt)
		}
	}
}
