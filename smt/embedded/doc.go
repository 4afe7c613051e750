// Package embedded is the decision procedure that needs nothing installed and
// the default of magus.
//
// It takes a query apart into literals. Comparisons go to package order, which
// decides a million small queries a second; terms with operators in them count
// as variables there, which loses what the operators mean but nothing else. If
// order refutes the query, or its model happens to satisfy what was lost, that
// is the answer; otherwise package bitblast decides the whole query, after package
// boxes has tried to where there is floating-point arithmetic. The
// answer does not depend on the way taken.
//
//	p := expr.NewPool()
//	x := p.Var("x", expr.Int32)
//	s := embedded.New(p)
//	r, err := s.Check(ctx, p.Lt(x, p.Int(expr.Int32, 5)))
package embedded
