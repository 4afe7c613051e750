package predabs

import (
	"slices"

	"magus/smt/expr"
)

// An atom is a condition without Boolean structure: a comparison, or a
// variable of type Bool. Atoms are numbered in the order in which they are
// met; the numbers stay for the life of a component.
type atom = int32

// atoms is the table of a component's atoms.
type atoms struct {
	pool  *expr.Pool
	terms []*expr.Expr
	vars  [][]*expr.Expr
	index map[*expr.Expr]atom
}

func newAtoms(p *expr.Pool) *atoms { return &atoms{pool: p, index: map[*expr.Expr]atom{}} }

// of is the number of an atomic condition.
func (t *atoms) of(e *expr.Expr) atom {
	if a, ok := t.index[e]; ok {
		return a
	}
	a := atom(len(t.terms))
	t.terms = append(t.terms, e)
	t.vars = append(t.vars, expr.Vars(e))
	t.index[e] = a
	return a
}

// find is the number of an atomic condition that is in the table.
func (t *atoms) find(e *expr.Expr) (a atom, negated, ok bool) {
	if e.Op() == expr.Not {
		e, negated = e.Args()[0], true
	}
	a, ok = t.index[e]
	return a, negated, ok
}

// leaves are the atomic conditions in the Boolean structure of f, in order of
// their terms, each once.
func leaves(f *expr.Expr) []*expr.Expr {
	var ls []*expr.Expr
	seen := map[*expr.Expr]bool{}
	var walk func(e *expr.Expr)
	walk = func(e *expr.Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		switch {
		case e.Op() == expr.Not || e.Op() == expr.Land || e.Op() == expr.Lor,
			e.Op() == expr.Eq && e.Args()[0].Type().IsBool():
			for _, a := range e.Args() {
				walk(a)
			}
		case e.Op() != expr.Const:
			ls = append(ls, e)
		}
	}
	walk(f)
	slices.SortFunc(ls, func(a, b *expr.Expr) int { return a.ID() - b.ID() })
	return ls
}

// literal is the atom or its negation.
func (t *atoms) literal(a atom, holds bool) *expr.Expr {
	if holds {
		return t.terms[a]
	}
	return t.pool.Not(t.terms[a])
}

// group is the term that an atom constrains, if the atom compares a term with
// a constant: atoms with one term exclude each other and form one many-valued
// predicate. Other atoms are groups of their own.
func group(e *expr.Expr) *expr.Expr {
	if (e.Op() == expr.Eq || e.Op() == expr.Lt) && e.Args()[1].IsConst() {
		return e.Args()[0]
	}
	return e
}
