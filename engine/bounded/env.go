package bounded

import (
	"magus/internal/bitset"
	"magus/smt/expr"
	"magus/smt/symbolic"
)

// merge has the values of a where cond holds and else those of b, of the variables that
// are live.
func (u *unrolling) merge(cond *expr.Expr, a, b symbolic.Env, live bitset.Set[int]) symbolic.Env {
	return a.Merge(u.pool, cond, b, u.vars, live, nil)
}
