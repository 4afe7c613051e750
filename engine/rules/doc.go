// Package rules says which procedures of a program a rule has to be checked from.
//
// A rule is about all runs of a program's code. A run begins in a root: a procedure that nobody in the program calls,
// the program's main, a callback, the start of a thread. What a root calls is looked at with it. Of procedures from
// which no event of the rule can be reached nothing has to be known.
//
//	g := rules.NewGraph(functions, mentions)
//	for _, name := range g.Roots(isEvent) { … }
//
// Left out: which functions a pointer may point to is not known here. A function whose address is taken is a root if
// nobody calls it by name.
package rules
