// Package bounded represents bounded model checking of one component: all its runs up to
// a depth as one formula, and the depth grows.
//
// A [Search] unrolls the control graph of a component together with the specification.
// [Search.Deepen] goes on for a while, and finds a path on which the component performs
// what the specification does not allow, if there is one within the depth.
//
//	s, err := bounded.New(ctx, component.NewGraph(c), spec) // the specification, deterministic and without τ
//	a, err := s.Deepen(ctx, 1_000_000, 0)
//	if a.Path != nil {
//		fmt.Println(a.Path) // edges of the graph, from Init
//	}
//
// The component can take a path as far as its graph tells; who reports the path executes it
// first (package witness). Where it has too many rounds of a loop to be written out (loop
// acceleration), Answer.Repeats says how many.
//
// Where no run goes on, all runs are searched, which is a proof. [Search.Order] and the
// depth are all that its checker needs.
//
// An [Induction] looks for a proof about runs that do not end, over the same layers. It tries
// invariants (candidates.go), and finds others from what they have to exclude: goals
// (induction.go) and the clauses of property-directed reachability (property_directed.go).
//
//	induction, err := bounded.NewInduction(ctx, graph, spec, bounds)
//	proof, over, err := induction.Prove(ctx, 1_000_000)
//
// To read it: flow.go and unroll.go (layers), search.go, acceleration.go with cycles.go and fold.go,
// induction.go with the files named above, method.go (shares of effort).
//
// Left out: components side by side.
package bounded
