package expr

// Conjunctions and disjunctions in canonical form.
//
// Idea: operands are flattened, sorted and counted once, and of the bounds of one term (x < 5, !(x < 3)) only the
// strongest of each side stays in a conjunction, the weakest in a disjunction. What contradicts another operand ends
// the conjunction, what covers the rest with it the disjunction.
//
// Deviations: x < 5 && !(x < 4) stays, which is x == 4. Cost: that of sorting.

import (
	"cmp"
	"slices"
)

// Land is the conjunction of its operands; of none, true.
func (p *words) Land(as ...*Expr) *Expr { return p.junction(Land, as) }

// Lor is the disjunction of its operands; of none, false.
func (p *words) Lor(as ...*Expr) *Expr { return p.junction(Lor, as) }

func (p *words) junction(op Op, as []*Expr) *Expr {
	unit := p.Bool(op == Land)
	flat := make([]*Expr, 0, len(as))
	bounds := 0
	for _, a := range as {
		switch {
		case a == unit:
		case a.op == Const:
			return a
		case a.op == op:
			flat = append(flat, a.args...)
			bounds += len(a.args)
		default:
			flat = append(flat, a)
			bounds++
		}
	}
	slices.SortFunc(flat, func(a, b *Expr) int { return cmp.Compare(a.id, b.id) })
	flat = slices.Compact(flat)
	for _, a := range flat {
		if a.op == Not {
			if _, both := slices.BinarySearchFunc(flat, a.args[0], func(x, y *Expr) int {
				return cmp.Compare(x.id, y.id)
			}); both {
				return p.Not(unit)
			}
		}
	}
	flat, decided := withoutWeaker(op, flat)
	switch {
	case decided:
		return p.Not(unit)
	case len(flat) == 0:
		return unit
	case len(flat) == 1:
		return flat[0]
	}
	return p.mk(op, Bool, flat...)
}

// A limit is an operand that bounds a term by a constant: x < value, or its negation.
type limit struct {
	of      *Expr // x
	negated bool
	value   uint64
	at      int // among the operands
}

// limitOf is the limit that an operand is; ok is false if it is none.
func limitOf(a *Expr, at int) (l limit, ok bool) {
	atom := a
	if a.op == Not {
		atom = a.args[0]
	}
	if atom.op != Lt || atom.args[1].op != Const || atom.args[0].typ.IsFloat() {
		return limit{}, false
	}
	return limit{atom.args[0], a.op == Not, atom.args[1].val, at}, true
}

// withoutWeaker leaves out each limit of a conjunction that another one implies, or of a disjunction that implies
// another one. decided says that two of them have no value in common, or all values together.
func withoutWeaker(op Op, flat []*Expr) (left []*Expr, decided bool) {
	var limits []limit
	for i, a := range flat {
		if l, ok := limitOf(a, i); ok {
			limits = append(limits, l)
		}
	}
	if len(limits) < 2 {
		return flat, false
	}
	slices.SortStableFunc(limits, func(a, b limit) int { return cmp.Compare(a.of.id, b.of.id) })
	drop := make([]bool, len(flat))
	for i := 0; i < len(limits); {
		j := i + 1
		for j < len(limits) && limits[j].of == limits[i].of {
			j++
		}
		if strongest(op, limits[i:j], drop) {
			return nil, true
		}
		i = j
	}
	kept := flat[:0]
	for i, a := range flat {
		if !drop[i] {
			kept = append(kept, a)
		}
	}
	return kept, false
}

// strongest drops all limits of one term but the strongest of each side, and says whether those two decide the whole.
func strongest(op Op, limits []limit, drop []bool) bool {
	var above, below *limit // !(x < value), x < value
	t := limits[0].of.typ
	for i := range limits {
		l, side := &limits[i], &below
		if l.negated {
			side = &above
		}
		if *side == nil {
			*side = l
			continue
		}
		weaker := l
		if less := t.Less(l.value, (*side).value); less == (op == Land != l.negated) {
			weaker, *side = *side, l
		}
		drop[weaker.at] = true
	}
	switch {
	case above == nil || below == nil:
		return false
	case op == Land:
		return !t.Less(above.value, below.value)
	}
	return !t.Less(below.value, above.value)
}
