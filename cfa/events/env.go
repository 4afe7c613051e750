package events

import (
	"magus/internal/bitset"
	"magus/smt/expr"
	"magus/smt/symbolic"
)

// mergeEnvs has the values of a where cond holds and else those of b, of the variables that are live, or whose
// owner may write what it knows of them.
func (u *unroller) mergeEnvs(cond *expr.Expr, a, b symbolic.Env, live bitset.Set[int]) symbolic.Env {
	return a.Merge(u.pool, cond, b,
		func(v int) bool { return v < len(u.c.Vars) && (live.Has(v) || u.owned(v)) }, u.initial)
}

// initial is the variable itself.
func (u *unroller) initial(v int) *expr.Expr { return u.c.Vars[v].Expr }

// orSelf is a value, or the variable itself where it has none.
func (u *unroller) orSelf(v int, x *expr.Expr) *expr.Expr {
	if x == nil {
		return u.initial(v)
	}
	return x
}
