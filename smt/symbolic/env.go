package symbolic

import (
	"cmp"
	"slices"

	"magus/internal/bitset"
	"magus/smt/expr"
)

// chunkSize is how many variables' values are copied when one of them changes.
const chunkSize = 16

type chunk [chunkSize]*expr.Expr

// An Env has a term for every variable, by its number; nil stands for the initial value. An Env is not
// changed once others have it; two that come from one share what they did not change.
type Env []*chunk

// New has the initial values of so many variables.
func New(vars int) Env { return make(Env, (vars+chunkSize-1)/chunkSize) }

// Get is the value of variable v.
func (e Env) Get(v int) *expr.Expr {
	if c := e[v/chunkSize]; c != nil {
		return c[v%chunkSize]
	}
	return nil
}

// With is e with other values of some variables.
func (e Env) With(vars []int, terms []*expr.Expr) Env {
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

// Merge has the values of e where cond holds and else those of f, of the variables that are live, or also
// needed if that is asked. Initial has the variables: what one is without a term.
func (e Env) Merge(pool *expr.Pool, cond *expr.Expr, f Env, initial []*expr.Expr, live bitset.Set[int],
	also func(v int) bool) Env {
	m := slices.Clone(e)
	for i := range m {
		if e[i] == f[i] {
			continue
		}
		c := new(chunk)
		for k := range c {
			v := i*chunkSize + k
			if v >= len(initial) || !live.Has(v) && (also == nil || !also(v)) {
				continue
			}
			x, y := e.Get(v), f.Get(v)
			if x != y {
				x = pool.Ite(cond, cmp.Or(x, initial[v]), cmp.Or(y, initial[v]))
			}
			c[k] = x
		}
		m[i] = c
	}
	return m
}

// Given is e where cond holds: a value that was chosen by cond, or by its negation, where runs met is the one that
// was chosen. Conditions that were chosen stay as they are: they are no such terms. So what was constant on
// each side of a choice is constant again behind a branch on the same choice.
func (e Env) Given(cond *expr.Expr) Env {
	choice, holds := cond, 1
	if cond.Op() == expr.Not {
		choice, holds = cond.Args()[0], 2
	}
	var m Env // nil: nothing changes
	for i, c := range e {
		if c == nil {
			continue
		}
		for k, x := range c {
			if x == nil || x.Op() != expr.Ite || x.Args()[0] != choice {
				continue
			}
			if m == nil {
				m = slices.Clone(e)
			}
			if m[i] == c {
				m[i] = new(chunk)
				*m[i] = *c
			}
			m[i][k] = x.Args()[holds]
		}
	}
	if m == nil {
		return e
	}
	return m
}
