// Package symbolic holds what variables are on a symbolic run: a term for each of them, over the values
// that the run began with and those that were chosen on it.
//
//	e := symbolic.New(len(vars))                       // each has its initial value
//	e = e.With([]int{0}, []*expr.Expr{pool.Int(t, 3)}) // but the first one is 3
//	e.Get(0)                                           // 3
//
// Left out: which variables there are, and when runs meet.
package symbolic
