// Package draw makes pictures of what a check works on: automata, abstractions,
// specifications, what pointers may point to.
//
// A [Picture] is made from one object and can be written as often as wanted, as a
// whole or in part ([Selection]); what a counterexample goes through is red:
//
//	p := draw.LTS("product", product, path)
//	text, note, err := p.Dot(draw.Selection{Limit: 60})
//
// The text is DOT, the language of Graphviz; [Graphviz] lets that program make a
// picture of another [Format].
//
// Left out: how DOT is written, which is internal/graph, and building what is
// drawn.
package draw
