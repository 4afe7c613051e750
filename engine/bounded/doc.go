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
// A path is one that the component can take as far as its graph tells; who reports it
// executes it first (package witness). Where loops go round too often to write that out, Answer.Repeats says how often.
//
// Where no run goes on, all runs are searched, which is a proof. [Search.Order] and the
// depth are all that somebody needs who wants to check it.
//
// An [Induction] looks for a proof about runs that do not end, over the same layers, by invariants that are tried
// and by invariants that are found from what they have to exclude (property_directed.go).
//
//	induction, err := bounded.NewInduction(ctx, graph, spec, bounds)
//	proof, over, err := induction.Prove(ctx, 1_000_000)
//
// Left out: components side by side.
package bounded
