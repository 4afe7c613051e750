package cegar

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/component"
)

// TestTooLargeToUnroll: what is known of each variable at each control point would not fit into memory, where
// both are very many; then the loop goes on alone, unless the bounded search is asked for.
func TestTooLargeToUnroll(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a large automaton")
	}
	program := func(n int) string {
		var b strings.Builder
		b.WriteString("int main(void) {\n")
		for i := range n {
			fmt.Fprintf(&b, "int v%d = __VERIFIER_nondet_int();\n", i)
		}
		return b.String() + "return v0; }\n"
	}
	claims := map[int]*component.Claim{}
	for _, n := range []int{100, 47_000} {
		claims[n] = claimOf(t, program(n), "S = (return {$0 == $0} -> STOP).\nprogram main { specification s, {(1)}, S; }")
	}
	for _, c := range []struct {
		n      int
		engine Engine
		asked  bool
	}{{100, AutoEngine, true}, {47_000, AutoEngine, false}, {47_000, BoundedEngine, true}} {
		if testing.Short() && c.n > 100 && c.asked {
			continue
		}
		claim := claims[c.n]
		s, err := NewSession(context.Background(), claim, Options{Loop: Loop{Engine: c.engine}})
		require.NoError(t, err)
		require.Equal(t, c.asked, s.askable(), "%d variables, %v", c.n, c.engine)
		s.Close()
	}
}
