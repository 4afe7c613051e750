// Package dottest reads DOT text, so that tests can say that what is drawn is DOT, and
// what it draws, where Graphviz is not installed.
//
//	g, err := dottest.Parse(text)
//	g.Nodes["n1"]["label"]
//
// Left out: ports, subgraphs as ends of edges, defaults of attributes; HTML as text.
package dottest
