package events

import (
	"magus/internal/bitset"
	"magus/smt/expr"
	"magus/smt/symbolic"
)

// mergeEnvs has the values of a where cond holds and else those of b, of the variables that are live, or whose
// owner may write what it knows of them.
func (u *unroller) mergeEnvs(cond *expr.Expr, a, b symbolic.Env, live bitset.Set[int]) symbolic.Env {
	return a.Merge(u.pool, cond, b, u.vars, live, u.owned)
}

// orSelf is a value, or the variable itself where it has none.
func (u *unroller) orSelf(v int, x *expr.Expr) *expr.Expr {
	if x == nil {
		return u.vars[v]
	}
	return x
}
