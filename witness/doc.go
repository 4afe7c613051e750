// Package witness represents violations as concrete runs.
//
// [Env] lets the interpreter execute a bound component: routines that are known
// by their abstraction do what the specification says, and returns are the
// actions that it observes.
package witness
