package order

import "magus/smt/solver"

// Core chooses from an unsatisfiable conjunction literals (increasing indices)
// that contradict each other and the first asserted literals, by leaving out
// ever smaller pieces. None of them can be left out, unless Decide finds the
// question too hard. It overwrites the model.
//
// Cost: a Decide for each piece tried, of which there are about the size of the
// core times the logarithm of the number of literals.
func (s *Solver) Core(lits []Literal, asserted int) []int {
	kept := make([]int, len(lits)-asserted)
	for i := range kept {
		kept[i] = asserted + i
	}
	trial := make([]Literal, 0, len(lits))
	for piece := len(kept); piece > 0; piece /= 2 {
		for at := 0; at < len(kept); {
			end := min(at+piece, len(kept))
			trial = append(trial[:0], lits[:asserted]...)
			for i, k := range kept {
				if i < at || i >= end {
					trial = append(trial, lits[k])
				}
			}
			if s.Decide(trial) == solver.Unsat {
				kept = append(kept[:at], kept[end:]...)
			} else {
				at = end
			}
		}
	}
	return kept
}
