// Package monitor has automata with threads keep to a specification: what is asked
// becomes whether an error can happen.
//
// A [Monitor] is a deterministic specification. [Monitor.Weave] gives an automaton a
// variable that holds the monitor's state, and has each action step it, in one section
// with the action:
//
//	3: act leave -> 4          3: atomic { -> 7
//	                           7: act leave -> 8
//	                           8: if (state == 1) -> 9 else 11
//	                           9: state = 0 -> 10
//	                          10: } -> 4
//	                          11: act error -> 10
//
// The automaton performs the action error just if some run of it has a trace that the
// specification does not have. Whoever knows threads can look for that, under each memory
// model: the section is no fence, for it is no access of the program.
//
// What the threads must not refuse becomes whether they can all stand ([Must]).
//
// Leaves out: whether anything happens at all, and whether threads go on for ever.
package monitor
