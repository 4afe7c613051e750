// Package order decides whether the accesses of threads to shared memory can be put in one order:
// event order graphs, their closure under what a read from a write implies, and reasons.
//
// A [Graph] is what never changes: nodes, edges between them that hold in every execution, and which
// cells a node reads and writes. A [Closure] adds what one execution does: writes that happen, links
// from a write to the read that sees its value, edges that hold under a condition. Each comes with a
// literal, and an infeasible set of them with a reason: literals that cannot hold together.
//
//	g := order.New(3)                   // 0: x = 0, then 1: x = 1; 2 reads x
//	w0, w1 := g.Write(0, x), g.Write(1, x)
//	r := g.Read(2, x)
//	g.Edge(0, 1)
//	g.Edge(1, 2)
//	c := order.NewClosure(g)
//	c.Execute(w0, order.Always)
//	c.Execute(w1, order.Always)
//	c.Link(w0, r, 7)
//	reason, _ := c.Close(ctx)           // [7]: x = 1 is between them
//
// A node is one access, or a section: all that it reads and writes happens at once, its reads before
// its writes.
//
// SOUNDNESS: no execution satisfies all literals of a reason. COMPLETENESS: what [Closure.Complete]
// accepts has an order, which [Closure.Linear] gives.
//
// Source: Yin, Dong, Liu, Wang, "Scheduling Constraint Based Abstraction Refinement for
// Multi-Threaded Program Verification" (2017), sections 4 and 5.
//
// Left out: values, programs, and memory models other than sequential consistency.
package order
