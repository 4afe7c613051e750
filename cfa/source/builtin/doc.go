// Package builtin knows the functions that are built into compilers: __builtin_clz, __sync_fetch_and_add,
// __c11_atomic_load. One table (builtins.txt) has them all, with what is known of each; docs/builtins.md is made of it.
//
//	row, ok := builtin.Known("__builtin_bswap32")   // row.How is "computed"
//	text := builtin.Declarations()                  // prototypes and macros for the C front end
//
// It is text: what a call means is in package lower. Atomic operations are macros over sections (atomic.go),
// because their types follow those of their arguments.
//
// Left out: built-in functions for one kind of processor, but for a few; whatever else has no row is refused.
package builtin
