package engine

import (
	"magus/param"
	"magus/param/linear"
)

// Most atoms and updates name few of the dimensions. These are the same cases without the zeros.

type coefficient struct {
	dim int
	k   int64
}

// A sparse is Σ k·x[dim] + constant.
type sparse struct {
	terms    []coefficient
	constant int64
}

func (s *sparse) value(x []int64) int64 {
	n := s.constant
	for _, t := range s.terms {
		n += t.k * x[t.dim]
	}
	return n
}

func sparseOf(coef []int64, constant int64) sparse {
	s := sparse{constant: constant}
	for i, k := range coef {
		if k != 0 {
			s.terms = append(s.terms, coefficient{i, k})
		}
	}
	return s
}

// A sparseCase is a case: guard[i] ≤ 0 is its guard, and dimension moves[i] becomes update[i].
type sparseCase struct {
	*param.Case
	guard, update []sparse
}

func sparseCases(sys *param.System) []sparseCase {
	cases := make([]sparseCase, len(sys.Cases))
	for i := range sys.Cases {
		c := &sys.Cases[i]
		cases[i].Case = c
		cases[i].guard = sparseAtoms(c.Guard.Atoms)
		for _, d := range c.Moves {
			cases[i].update = append(cases[i].update, sparseOf(c.Update[d].Coef, c.Update[d].Const))
		}
	}
	return cases
}

// sparseAtoms are sums that are ≤ 0 where the atoms hold.
func sparseAtoms(atoms []linear.Atom) []sparse {
	out := make([]sparse, len(atoms))
	for i, a := range atoms {
		out[i] = sparseOf(a.Coef, -a.Bound)
	}
	return out
}

func allHold(sums []sparse, x []int64) bool {
	for i := range sums {
		if sums[i].value(x) > 0 {
			return false
		}
	}
	return true
}
