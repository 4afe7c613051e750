// Package invariants finds what holds of data wherever runs pass a control point, on
// machine arithmetic.
//
// [Bounds] interprets a control graph abstractly, over intervals: what it returns holds in every run.
//
//	for _, c := range invariants.Bounds(ctx, graph, order)[node] {
//		fmt.Println(c) // 0 <= j
//	}
//
// A [Hull] is the smallest set that has some points and is given by linear equations, where
// arithmetic wraps around. Who adds points until no further one can be found has equations
// that always hold; package bounded does that with the decision procedure.
//
// Whoever relies on what comes from here proves it: package bounded takes it for candidates.
//
// Left out: relations of variables other than equations, memory without variables.
package invariants
