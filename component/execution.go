package component

import "magus/internal/expr"

// An Execution prescribes what a component does along a path of its graph: the
// edges, and every value that is not computed.
type Execution struct {
	Edges []int32     // from Init, of the graph that the program has ([Graph.Base])
	Init  []Binding   // initial values that matter, in order of age
	Step  [][]Binding // per edge, the values chosen in it
}

// A Binding is a variable with a value.
type Binding struct {
	Var   *expr.Expr
	Value uint64
}
