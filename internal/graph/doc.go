// Package graph holds the few algorithms on directed graphs that several packages need, and the one
// writer of drawings, as DOT text and as SVG.
//
// A [Graph] is anything with numbered nodes and successors; LTSs, automata and partitions keep their
// own representation and adapt to it with a few lines. Results are slices by node number, and equal
// graphs give equal results.
//
//	g := graph.Func{Nodes: 3, Succ: func(n int, yield func(int)) { yield((n + 1) % 3) }}
//	graph.SCC(g).Count          // 1
//	graph.Reachable(g, 0)       // [true true true]
//
// A [Drawing] collects labelled nodes, edges and clusters and gives DOT text that depends on nothing
// but the calls made, in their order:
//
//	d := graph.NewDrawing("lock")
//	free := d.Node(graph.Node{Label: "Free", Start: true})
//	held := d.Node(graph.Node{Label: "Held"})
//	d.Edge(graph.Edge{From: free, To: held, Label: "lock"})
//	d.String()
//
// [Drawing.SVG] draws it without Graphviz, as package layered says where everything is.
// Left out: weights, undirected graphs, other formats.
package graph
