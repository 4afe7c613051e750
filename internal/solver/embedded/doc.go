// Package embedded is the decision procedure that needs nothing installed and
// the default of magus.
//
// It takes a query apart into literals. Comparisons without arithmetic go to
// package order, which decides a million small queries a second; if other
// literals are left, and order has not refuted the query already, package
// bitblast decides the whole query. Both are exact, so the answer does not
// depend on the way taken.
//
//	p := expr.NewPool()
//	x := p.Var("x", expr.Int32)
//	s := embedded.New(p)
//	r, err := s.Check(ctx, p.Lt(x, p.Int(expr.Int32, 5)))
package embedded
