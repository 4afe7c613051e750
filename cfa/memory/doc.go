// Package memory is the model of memory: accesses through pointers become
// assignments of variables and branches, which is all that the rest of magus
// sees. It knows no C: types are its own ([Type]), code comes as an automaton
// that is being built ([cfa.Builder]).
//
// # Objects and cells
//
// Whatever has an address is an [Object] at a constant address, so a pointer is a
// number and p == &x a comparison with a constant. The scalar parts of an object
// are leaves; a leaf that is accessed is a cell, an ordinary variable of the
// automaton: s.f, a[2], malloc@12:5#1.next. A variable whose address nobody
// takes is no matter of this package.
//
// An access of one cell is an access of its variable. Every other access is a
// statement of this package ([Load], [Store], [Copy], [Fill], …), until it is
// known which cells there are and which of them it may mean. Then it becomes a
// sequence of branches over them:
//
//	p->f = 1;                        0: if (p == &a) -> 1 else 2
//	                                 1: a.f = 1 -> 5
//	                                 2: if (p == &b) -> 3 else 4
//	                                 3: b.f = 1 -> 5
//	                                 4: halt // invalid pointer
//
// # The way of an automaton
//
//	m := memory.New(code, memory.Options{})          // code is a *cfa.Builder
//	a := m.NewObject("a", typ, 8, decl)              // … and whoever lowers writes
//	code.Emit(memory.Store{To: ref, Val: one}, pos)  //   code with accesses
//	an := m.NewAnalysis()                            // pointers, and the cells needed:
//	for more := true; more; more, err = an.Next(ctx) // …, again until nothing changes
//	start = an.Resolve(start)                        // scalar statements only
//	auto, err := code.Build(start)
//
// To read it:
//
//   - layout.go, object.go, external.go: objects, cells, pointers from outside
//   - statement.go: what a lowering writes
//   - pointers.go, terms.go, provenance.go: what pointers may point to, by package
//     pointsto
//   - demand.go, search.go, summary.go: which cells are needed, where an access goes
//   - resolve.go with access.go, copy.go, heap.go and overlap.go: what becomes of it
//   - check.go, life.go, dangling.go: whether pointers are valid
//   - lost.go: memory that is never freed
//   - effects.go, body.go, escape.go, alias.go, callback.go: what code may write
//   - recorder.go: accesses of memory without variables
//
// # What may be written
//
// effects.go says what a piece of code may write: a statement, and a call of a
// routine without a body; body.go says it of a routine that is given by an abstraction
// and has a body. Their law: what a run of the code stores to is in the answer; where
// that is not known, the answer is anything.
//
// # What is left out
//
// SOUNDNESS: memory that is not modelled never behaves as if it were not there.
// Arrays of more than Options.ArrayLimit elements and allocations beyond
// Options.HeapLimit are summarised: a load gives any value, marked by
// Assign.Approx, and with its address, so that one run can tell which values to
// believe (recorder.go). Memory that code from outside may know of takes any value where
// such code runs. What no test of a pointer admits ends the run only if the
// analysis knows everything that the pointer may point to.
//
// Assumed, and listed in the automaton's warnings: pointers that are dereferenced
// are valid, indices are within their arrays, and pointers from outside point to
// objects of their own (external.go).
package memory
