// Package interp executes a control-flow automaton on concrete values.
//
// It serves two purposes: a counterexample is replayed by it before a
// violation is reported, and tests use it as the oracle that tells what a
// component does. For that reason it shares nothing with predicate
// abstraction but the terms and the automaton, and evaluates terms by its own
// code.
//
// A [Machine] is made from one [cfa.CFA]; a [State] is a location with a value
// for every variable. [Machine.Step] executes one statement; what the
// automaton leaves open (an assignment of any value, the result of a call) is
// decided by [Choices]. On top of it stand
//
//   - [Machine.Replay]: follow a [Script], or say where the machine leaves it; many
//     rounds of a loop may be one of its steps, and each of them is executed;
//   - [ReplayProgram]: follow one script for each component of a program and
//     check that together they perform a given sequence of joint actions;
//   - [Machine.Walk]: a random run;
//   - [Machine.Explore]: all runs over small domains, as a graph;
//   - [Machine.Only]: the only run, as long as what it does is determined, with all bytes of memory.
//
// A script for the component
//
//	0: x = any value     1: if (x == 7)     2: error     3: return
//
// and its replay:
//
//	m := interp.New(c)
//	run, err := m.Replay(ctx, interp.Script{Steps: []interp.ScriptStep{
//		{Loc: 0, Choices: []interp.Binding{{Var: x, Value: 7}}},
//		{Loc: 1},
//		{Loc: 2, Actions: []string{"error"}},
//	}})
//	// run.Trace is [error]
//
// What routines given by procedure abstractions do, and which action a return
// is, the automaton does not say. An [Env] says it; without one, a script is
// believed on both.
//
// Values that the front end did not model exactly (floating point) are
// tainted. Taint follows assignments; a decision that depends on it is
// reported as a [Taint], and a violation that rests on one must not be
// believed. Dependence is taken by mention: an expression in which a tainted
// variable occurs depends on it.
//
// An automaton with threads is executed by [Machine.StepThread], step by step of a thread
// that is chosen; [Machine.ReplayThreads] follows a script, [Machine.Interleave] goes through all
// interleavings.
//
// Left out: time, memory (but for [Only]), more than one process at a time in a machine
// (components interleave in [ReplayProgram] only through their actions), and
// what C calls undefined behaviour, which the front end has already resolved.
package interp
