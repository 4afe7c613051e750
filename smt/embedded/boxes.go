package embedded

// Floating-point arithmetic is given to package boxes before circuits are built.
//
// How many boxes it may look at is doubled when it decides and halved when it does not: a
// query of a kind that it cannot decide costs a few boxes.

import (
	"context"

	"magus/smt/boxes"
	"magus/smt/expr"
	"magus/smt/solver"
)

const (
	leastBoxes = 4
	mostBoxes  = 1 << 14
)

// byBoxes decides a query by boxes; Unknown where it does not.
func (s *embedded) byBoxes(ctx context.Context, assumptions []*expr.Expr) solver.Result {
	if !s.pool.HasFloats() {
		return solver.Unknown
	}
	conditions := append(append([]*expr.Expr{}, s.asserted...), assumptions...)
	computes := false
	expr.Walk(func(e *expr.Expr) { computes = computes || boxes.Computes(e) }, conditions...)
	if !computes {
		return solver.Unknown
	}
	if s.boxes == 0 {
		s.boxes = mostBoxes
	}
	a := boxes.Decide(ctx, conditions, s.boxes)
	s.boxWork += a.Work
	switch a.Result {
	case solver.Sat:
		s.model = values(a.Model)
	case solver.Unsat:
		s.how, s.core = byBoxes, s.core[:0]
		for _, i := range a.Core {
			if i >= len(s.asserted) {
				s.core = append(s.core, i-len(s.asserted))
			}
		}
	default:
		s.boxes = max(s.boxes/2, leastBoxes)
		return solver.Unknown
	}
	s.boxes = min(2*s.boxes, mostBoxes)
	return a.Result
}

// values are a model.
type values map[*expr.Expr]uint64

func (m values) Value(v *expr.Expr) uint64 { return m[v] }
