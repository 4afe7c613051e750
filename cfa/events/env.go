package events

import (
	"slices"

	"magus/internal/bitset"
	"magus/smt/expr"
)

// chunkSize is how many variables' values are copied when one of them changes.
const chunkSize = 16

type chunk [chunkSize]*expr.Expr

// An env has a term for every variable, by its number; nil stands for the variable itself. An env is
// not changed once others have it; two that come from one share what they did not change.
type env []*chunk

func (e env) get(v int) *expr.Expr {
	if c := e[v/chunkSize]; c != nil {
		return c[v%chunkSize]
	}
	return nil
}

// with is e with another value of a variable.
func (e env) with(v int, term *expr.Expr) env {
	e = slices.Clone(e)
	c := new(chunk)
	if old := e[v/chunkSize]; old != nil {
		*c = *old
	}
	c[v%chunkSize] = term
	e[v/chunkSize] = c
	return e
}

// mergeEnvs has the values of a where cond holds and else those of b, of the variables that are live, or whose
// owner may write what it knows of them.
func (u *unroller) mergeEnvs(cond *expr.Expr, a, b env, live bitset.Set[int]) env {
	m := slices.Clone(a)
	for i := range m {
		if a[i] == b[i] {
			continue
		}
		c := new(chunk)
		for k := range c {
			v := i*chunkSize + k
			if v >= len(u.c.Vars) || !live.Has(v) && !u.owned(v) {
				continue
			}
			x, y := a.get(v), b.get(v)
			if x != y {
				x = u.pool.Ite(cond, u.orSelf(v, x), u.orSelf(v, y))
			}
			c[k] = x
		}
		m[i] = c
	}
	return m
}

// orSelf is a value, or the variable itself where it has none.
func (u *unroller) orSelf(v int, x *expr.Expr) *expr.Expr {
	if x == nil {
		return u.c.Vars[v].Expr
	}
	return x
}
