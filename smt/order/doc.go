// Package order decides conjunctions of comparisons without arithmetic: x == c,
// x == y, x < c, x < y and their negations, where x and y are variables and c
// is a constant of their type. Variables of type Bool, as conditions or
// compared with each other, belong to it as well.
//
// It is exact: bounds are those of the types, so that no x lies below the
// least int, and disequalities are treated as such. What lies outside, any
// term with an operator in it (x+1, a cast), is told apart by [Solver.Literal].
// A conjunction whose disequalities need too many case distinctions is answered
// Unknown, and the caller asks another procedure.
//
//	p := expr.NewPool()
//	x, y := p.Var("x", expr.Uint8), p.Var("y", expr.Uint8)
//	s := order.New()
//	a, _ := s.Literal(p.Lt(x, y), false)
//	b, _ := s.Literal(p.Eq(y, p.Int(expr.Uint8, 0)), false) // nothing is below 0
//	s.Decide([]order.Literal{a, b})                       // solver.Unsat
//
// It is made for queries of a few dozen literals: deciding one allocates
// nothing once the slices have grown.
package order
