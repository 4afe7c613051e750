package cfa_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/smt/expr"
)

// What builds an automaton with too many locations may go on for a while: branches of what is not there any more have
// two ends as well, which can be joined.
func TestBeyondLimit(t *testing.T) {
	pool := expr.NewPool()
	b := cfa.NewBuilder(pool)
	b.Limit(3)
	head := b.Meet(cfa.Pos{})
	x := pool.Var("x", expr.Int32)
	for range 10 {
		yes, no := b.Branch(pool.Eq(x, pool.Const(expr.Int32, 1)), cfa.Pos{})
		b.Continue(yes)
		b.Emit(cfa.Goto{}, cfa.Pos{})
		b.Patch(b.Ends(), head)
		b.Patch(no, head)
		b.Continue(no)
		b.Spawn(cfa.Spawn{}, cfa.Pos{})
	}
	var limit *cfa.UnsupportedError
	require.ErrorAs(t, b.Err(), &limit)
	require.Contains(t, limit.Error(), "more than 3 control locations")
}
