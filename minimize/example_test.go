package minimize_test

import (
	"context"
	"fmt"

	"magus/minimize"
)

// example5 is example 5 of Chaki et al., "Efficient Verification of Sequential
// and Concurrent C Programs" (2004); p1 to p5 are the candidates 0 to 4.
type example5 struct{}

func (example5) NumCandidates() int { return 5 }
func (example5) NumPaths() int      { return 2 }
func (example5) Cost(int) int       { return 1 }

func (example5) Eliminates(_ context.Context, path int, s minimize.Set) (bool, error) {
	if path == 0 {
		return s.Has(0) && s.Has(2) && s.Has(4) || s.Has(1) && s.Has(4), nil
	}
	return s.Has(1) && s.Has(2) || s.Has(3), nil
}

func ExampleMinimizer() {
	r, err := minimize.NewMinimizer(minimize.Options{}).Minimize(context.Background(), example5{})
	fmt.Println(r.Set, r.Proven, err)
	// Output: {1,2,4} true <nil>
}
