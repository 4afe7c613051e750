// Package draw makes pictures of what a check works on: automata, abstractions,
// specifications, what pointers may point to.
//
// A [Picture] is made from one object and can be written as often as wanted, as a
// whole or in part ([Selection]); what a counterexample goes through is red:
//
//	p := draw.LTS("product", product, path)
//	d, note, err := p.Drawing(ctx, draw.Selection{Limit: 40}) // d.String() is DOT text
//
// A picture is folded to the points where something is decided or performed, and boxes
// say only what is new behind those that lead to them.
//
// Left out: how DOT and SVG are written, which is internal/graph, and building what is
// drawn.
package draw
