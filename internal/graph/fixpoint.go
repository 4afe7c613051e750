package graph

// Fixed points of data flow.
//
// Idea: [Fixpoint] says only which node is worked out next. The values, how they are joined and where
// they are widened are the caller's: so one loop serves sets of bits, intervals and tables, forward and
// backward, without an allocation per step. [Forward] is for problems whose values flow along edges.
//
// Source: Kildall, "A unified approach to global program optimization" (POPL 1973); the order of work:
// Cooper, Harvey, Kennedy, "Iterative data-flow analysis, revisited" (2004); the split into a lattice and a
// transfer function is that of golang.org/x/tools/internal/flow.
//
// Cost: a visit for each time that a value below a node grows. With the postorder of the edges that values
// come along, loops nested d deep take d+2 passes where functions are as simple as those of live variables.

import "context"

// Fixpoint visits nodes until nothing changes.
//
// A node is due in the beginning if first has it, and whenever visit has said of a node that leads to it
// that its value has changed. Nodes are visited in passes over order, each if it is due when the pass comes
// to it; passes end when no node of order is due. Nodes that are not in order are never visited. The error is the
// context's cause.
//
// Laws: visit(n) works out the value of n anew, from values of nodes that lead to n in g. Values only
// grow, and only finitely often: where they may grow for ever, visit widens them. If in addition the
// functions behind the values are monotone and visit does not widen, the result is the least fixed
// point and does not depend on order.
func Fixpoint(ctx context.Context, g Graph, order, first []int, visit func(n int) (changed bool)) error {
	listed, due := make([]bool, g.NumNodes()), make([]bool, g.NumNodes())
	for _, n := range order {
		listed[n] = true
	}
	left := 0
	put := func(n int) {
		if listed[n] && !due[n] {
			due[n] = true
			left++
		}
	}
	for _, n := range first {
		put(n)
	}
	for left > 0 {
		for _, n := range order {
			if !due[n] {
				continue
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			due[n] = false
			left--
			if visit(n) {
				g.Out(n, put)
			}
		}
	}
	return nil
}

// A Problem is one of data flow: what holds before a node, and what a node makes of it.
//
// Laws: the values are a join-semilattice without infinite ascending chains, where greater means that
// less is known. With x ⊔ y for the value that Merge(x, y) returns:
//
//	x ⊔ x = x    x ⊔ y = y ⊔ x    (x ⊔ y) ⊔ z = x ⊔ (y ⊔ z)    Merge says more ⇔ x ⊔ y ≠ x
//
// Flow is monotone: a greater x gives each successor a greater value, and no fewer successors.
type Problem[V any] interface {
	// Merge returns x ⊔ y and whether that is more than x. It may change x and return it; it must
	// neither change nor keep y.
	Merge(x, y V) (V, bool)
	// Copy returns a value that is equal to y and that Merge may change without changing y.
	Copy(y V) V
	// Flow calls yield for the nodes that n leads to, with what holds before each if x holds before n. It must not change
	// x, but may yield it, and may yield one value for several nodes.
	Flow(n int, x V, yield func(m int, y V))
}

// Forward solves a problem on nodes 0 … nodes-1: the least values with at(entry) ⊒ first and at(m) ⊒ what Flow
// makes of at(n) for every n that leads to m. Nodes to which nothing flows have no value: reached says so. For a
// backward problem Flow follows edges backward. The error is the context's cause.
func Forward[V any](ctx context.Context, nodes int, p Problem[V], entry int,
	first V) (at []V, reached []bool, err error) {
	at, reached = make([]V, nodes), make([]bool, nodes)
	at[entry], reached[entry] = first, true
	waits := make([]bool, nodes)
	work := []int{entry}
	arrive := func(m int, y V) {
		more := true
		if !reached[m] {
			at[m], reached[m] = p.Copy(y), true
		} else {
			at[m], more = p.Merge(at[m], y)
		}
		if more && !waits[m] {
			waits[m] = true
			work = append(work, m)
		}
	}
	for steps := 0; len(work) > 0; steps++ {
		if steps%256 == 0 && ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		n := work[len(work)-1]
		work = work[:len(work)-1]
		waits[n] = false
		p.Flow(n, at[n], arrive)
	}
	return at, reached, nil
}
