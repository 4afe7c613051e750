// Package solver says what magus asks of a decision procedure for conditions
// over bit-vectors: one small interface, [Solver], and capabilities beside it,
// [Modeler] and [Corer]. The procedures are in the packages below: order
// (comparisons without arithmetic), bitblast (everything, by reduction to
// SAT), embedded (the two together, the default) and smtlib (an outside SMT
// solver as a child process).
//
// What is built on the interface alone is here: [Enumerate], the projected
// enumeration that predicate abstraction uses. Package solvertest holds the laws of
// the interfaces as tests for any procedure.
//
//	p := expr.NewPool()
//	x := p.Var("x", expr.Int32)
//	s := embedded.New(p)
//	s.Assert(p.Lt(x, p.Int(expr.Int32, 5)))
//	terms := []*expr.Expr{p.Eq(x, p.Int(expr.Int32, 4)), p.Lt(x, p.Int(expr.Int32, 9))}
//	err := solver.Enumerate(ctx, s, terms, nil, func(values []bool) bool {
//		fmt.Println(values) // [false true], then [true true]
//		return true
//	})
//
// Left out: theories other than bit-vectors, optimisation, interpolation.
package solver
