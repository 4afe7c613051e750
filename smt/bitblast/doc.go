// Package bitblast decides conditions over bit-vectors by reduction to SAT:
// every term becomes a circuit over its variables' bits, every gate of the
// circuit a propositional variable with the clauses that define it (Tseitin).
//
// A [Solver] implements [solver.Full] for all operators of package expr, with
// their semantics (wrap-around, SMT-LIB's division by zero). Circuits are
// built once per term and kept; gates are shared structurally, and constants
// are folded. Assumptions are the output literals of their circuits, so that
// one SAT solver and what it has learned serve all queries.
//
// Each Check works on the cone of its query only: the gates that the asserted
// conditions and the assumptions depend on. Its cost does not grow with what
// other queries have built.
//
//	p := expr.NewPool()
//	x := p.Var("x", expr.Int32)
//	s := bitblast.New(p)
//	s.Assert(p.Eq(p.Mul(x, x), p.Int(expr.Int32, 49)))
//	r, _ := s.Check(ctx, p.Lt(x, p.Int(expr.Int32, 0))) // solver.Sat; Value(x) is a root
//
// Before there are circuits, sums and products are looked at as polynomials
// (polynomial.go): an equation that holds, or cannot hold, by its polynomials
// is a constant, and the equations that a query with products assumes are put
// into its other ones (propagate.go). Words are built over the bits that they
// need: what is widened, or divided by a constant, has a small circuit.
// Floating-point operators have circuits of their own (float.go).
//
// Left out: slicing of words beyond sharing of equal gates, abstraction of
// expensive operators (a 64-bit product of unknowns is a circuit of some
// 12,000 gates and may be hard), inequalities of products, sums under
// remainders ((x + 2) % 97 from x % 97).
package bitblast
