package minimize

import "context"

// none adds what a path needs and removes nothing.
type none struct {
	cumulative
}

// None returns the strategy without minimization, the plain MAGIC of Chaki et
// al., "Efficient Verification of Sequential and Concurrent C Programs" (2004):
// to the set of the last call it adds, for each path that survives, the
// shortest beginning of the candidates in the order of the hints that
// eliminates the path along with it. Nothing is ever removed.
//
// Cost: log2(n) tests for each new path.
func None() Strategy { return &none{} }

// Minimize returns a set that eliminates every path.
func (n *none) Minimize(ctx context.Context, p Problem) (Result, error) {
	var r Result
	if err := n.suffice(ctx, p, &r.Stats); err != nil {
		return r, err
	}
	r.Set = n.set
	return r, nil
}
