package component

import (
	"slices"

	"magus/smt/expr"
)

// An Execution prescribes what a component does along a path of its graph: the
// edges, and every value that is not computed.
type Execution struct {
	Edges   []int32     // from Init, of the graph that the program has ([Graph.Base])
	Init    []Binding   // initial values that matter, in order of age
	Step    [][]Binding // per edge, the values chosen in it
	Repeats []Repeat    // rounds that Edges leaves out, in their order
}

// BeforeLast is the execution without its last edge.
func (x *Execution) BeforeLast() *Execution {
	n := len(x.Edges) - 1
	return &Execution{Edges: x.Edges[:n], Init: x.Init, Step: x.Step[:n], Repeats: x.Repeats}
}

// Without is the execution without some of its edges, which lead back to where they start.
func (x *Execution) Without(skipped func(edge int32) bool) *Execution {
	if !slices.ContainsFunc(x.Edges, skipped) {
		return x
	}
	left := &Execution{Init: x.Init, Repeats: slices.Clone(x.Repeats)}
	for i, e := range x.Edges {
		if !skipped(e) {
			left.Edges, left.Step = append(left.Edges, e), append(left.Step, x.Step[i])
			continue
		}
		for k, r := range x.Repeats {
			if r.At > i {
				left.Repeats[k].At--
			}
		}
	}
	return left
}

// Apply changes values as an edge does, with the values that were chosen in it, and gives the new ones in the order of
// the edge's updates.
func (e *Edge) Apply(values map[*expr.Expr]uint64, chosen []Binding) []Binding {
	open := map[*expr.Expr]uint64{}
	for _, b := range chosen {
		open[b.Var] = b.Value
	}
	var changed []Binding
	for _, u := range e.Update {
		v, ok := open[u.Var]
		if !ok {
			v = expr.Eval(u.Term, func(v *expr.Expr) uint64 { return values[v] })
		}
		changed = append(changed, Binding{u.Var, v})
	}
	for _, b := range changed {
		values[b.Var] = b.Value
	}
	return changed
}

// A Repeat is a way through a loop that a path takes many times: it stands for all the edges of all these rounds.
type Repeat struct {
	At    int     // it comes before this edge of the path
	Cycle []int32 // the edges of one round
	Times uint64  // rounds
	// Whole is all rounds as one edge, which nobody has to believe: whoever executes the path takes round by round.
	Whole Edge
	// Chosen are, of an execution, the values chosen by each edge of the cycle, the same in all rounds, and Fresh those of
	// Whole's fresh variables.
	Chosen [][]Binding
	Fresh  []Binding
}

// A Binding is a variable with a value.
type Binding struct {
	Var   *expr.Expr
	Value uint64
}
