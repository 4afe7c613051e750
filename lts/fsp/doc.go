// Package fsp reads FSP, the notation of finite state processes of
//
//	Magee, Kramer: Concurrency: State Models and Java Programs (Wiley, 2nd ed. 2006), appendix B,
//
// and builds the labelled transition systems that its processes stand for.
//
//	const N = 2
//	BUFFER = COUNT[0],
//	COUNT[i:0..N] = ( when (i < N) in -> COUNT[i+1] | when (i > 0) out -> COUNT[i-1] ).
//	||PAIR = (a:BUFFER || b:BUFFER)/{a.out/b.in}.
//
// A file is read once and its processes are built by name, with arguments if wanted:
//
//	file, err := fsp.Parse("buffer.lts", text)
//	m, err := file.LTS(ctx, "PAIR", actions, lts.Limits{})
//
// An index is part of a name: in[3] and in.3 are one action, in.3.
//
// What is decided where the book leaves it open, or differs from it:
//
//   - The alphabet of a process has the actions of all local processes that are declared, for all values of
//     their indices, reachable or not; an action behind a guard that is false is not in it.
//
//   - A local process with indices that are declared for no such value is ERROR. That is a warning.
//
//   - Relabelling and hiding reach all actions that begin with the labels given, a relabels a.1 too.
//
//   - END is a state that nothing leaves, as STOP, in what is built. Before, it is told apart: P;Q.
//
//   - A composition with a component in ERROR is in ERROR, and nothing happens there.
//
//   - A property that is composed of processes is made deterministic first, one that is not has to be.
//
//   - minimal is minimisation under weak bisimulation, deterministic under weak traces.
//
//   - Assertions and fluents are read when they are asked for ([File.Asserts]); package assertion decides them.
//
//   - ltl_property and constraint are processes made of formulas (property.go).
//
// Left out: parameters of assertions, indices of ltl_property and constraint. Menus and animations, which say how to
// show something, are passed over without one. Composite processes within sequential compositions and imports are
// errors.
package fsp
