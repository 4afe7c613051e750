// Package ltl is linear temporal logic: formulas over numbered propositions, the Büchi automata of what they allow, and
// what they say of ultimately periodic words.
//
// A [Pool] makes formulas in negation normal form. [Pool.Automaton] translates one: a word is accepted exactly if the
// formula holds of it. [Holds] evaluates a formula on a stem and a loop, with nothing of the translation, so that each
// can be held against the other, and a violation that was found be confirmed.
//
// For [](p0 -> <>p1) the automaton has two states: nothing is owed, and p1 is owed.
//
// Left out: what propositions mean (package specs), and the search for words (package engine/liveness).
package ltl
