package bounded

import (
	"slices"

	"magus/internal/bitset"
	"magus/smt/expr"
)

// chunkSize is how many variables' values are copied when one of them changes.
const chunkSize = 16

type chunk [chunkSize]*expr.Expr

// An env has a term for every variable, by its number: its value over initial values
// and choices. nil stands for the initial value. An env is not changed once others
// have it; two that come from one share what they did not change.
type env []*chunk

// get is the value of variable v.
func (e env) get(v int) *expr.Expr {
	if c := e[v/chunkSize]; c != nil {
		return c[v%chunkSize]
	}
	return nil
}

// with is e with other values of some variables.
func (e env) with(vars []int, terms []*expr.Expr) env {
	if len(vars) == 0 {
		return e
	}
	e = slices.Clone(e)
	for i, v := range vars {
		c := new(chunk)
		if old := e[v/chunkSize]; old != nil {
			*c = *old
		}
		c[v%chunkSize] = terms[i]
		e[v/chunkSize] = c
	}
	return e
}

// merge has the values of a where cond holds and else those of b, of the variables that
// are live.
func (u *unrolling) merge(cond *expr.Expr, a, b env, live bitset.Set[int]) env {
	m := slices.Clone(a)
	for i := range m {
		if a[i] == b[i] {
			continue
		}
		c := new(chunk)
		for k := range c {
			v := i*chunkSize + k
			if v >= len(u.vars) || !live.Has(v) {
				continue
			}
			x, y := a.get(v), b.get(v)
			if x == y {
				c[k] = x
				continue
			}
			if x == nil {
				x = u.vars[v]
			}
			if y == nil {
				y = u.vars[v]
			}
			c[k] = u.pool.Ite(cond, x, y)
		}
		m[i] = c
	}
	return m
}
