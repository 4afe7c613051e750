// Package cells follows one arbitrary element of each large array, or two, or one arbitrary object of those that are
// allocated beyond the limit, for proofs.
//
// Elements of large arrays are no variables: an automaton reads any value there ([cfa.Access]). [Chosen] makes
// an automaton in which one element of each array is a variable, and which of them is any index:
//
//	one, err := cells.Chosen(ctx, automaton, cells.Shared)
//	// without errors in one, there are none in automaton
//
// SOUNDNESS: chosen.go has the argument. What is written in a way that is not understood gives the element any
// value; what is read elsewhere is any value.
//
// To read it: chosen.go (the argument, statements), place.go (which addresses are elements), values.go (what is
// read twice), heap.go (objects).
//
// Where only the lives of objects are asked for no statement changes: see [Allocation]. Neither does one where a run
// is executed that knows all elements: see [Every].
//
// Left out: threads, arrays of a size that is not constant, arrays that code without a body may change, which
// objects a list has, more than two elements of one array at once.
package cells
