package cfa

// A Modelling says how calls and memory of C become an automaton. Every room between the table of options and the
// code that reads it hands it on as it is. The zero value is the default.
type Modelling struct {
	// StrictCalls makes a call of an unknown function an error.
	StrictCalls bool
	// CheckPointers makes the use of an invalid pointer, and an index out of bounds, perform the action "error".
	// Otherwise the run ends there, which is an assumption that is listed.
	CheckPointers bool
	// CheckLeaks makes memory that is still allocated when the component returns, or exits, perform the action
	// "error".
	CheckLeaks bool
	// CheckFloat has what arithmetic on floating point performs the action "error" for.
	CheckFloat FloatFaults
	// KeepExterns says that routines without a body change neither objects that other code defines nor errno,
	// unless they are given their addresses.
	KeepExterns bool
	// Allocates says that the allocation of memory never fails, which is told.
	Allocates bool
	// PointerObjects lets a pointer that nothing was stored to point to an object of its own, of the type that it
	// is declared to point to and with any contents: local ones without an initialiser, those in allocated memory,
	// and static ones that no procedure stores to. Otherwise it is no valid pointer before something is stored to
	// it.
	PointerObjects bool
	// OutsideUnknown leaves what pointers from outside lead to without objects of its own: what is read there is any
	// value, and such pointers may be equal to each other, and lead to what has escaped. Code without a body may
	// change all that such pointers lead to. A proof then holds however the caller's pointers meet, and whatever
	// it has made known.
	OutsideUnknown bool
	// ArrayLimit is the number of elements up to which the elements of an array are told apart where the index is
	// not constant; 0: the default of package memory.
	ArrayLimit int
	// HeapLimit is the number of objects told apart of those that one call of malloc allocates; 0: the default of
	// package memory, negative: none.
	HeapLimit int
	// AnyAllocation has a call of malloc that control can pass several times give out one object that is told apart at
	// any of these times, and again once it was freed; HeapLimit does not count there. Whether other objects are lost,
	// or used once they are freed, is not asked: what holds of the object holds of each.
	AnyAllocation bool
	// TargetLimit is the number of targets of a pointer up to which all of them are told apart; 0: 32, or
	// ArrayLimit if that is more.
	TargetLimit int
	// SharedBodies lets the body of a procedure stand once, whichever calls lead there: see [Body].
	SharedBodies bool
	// SignedOverflow is what a signed operation does that overflows.
	SignedOverflow Overflow
	// Recursion is the number of recursive calls, within each other, that are followed. An engine that is asked
	// with 0 follows as many as it takes.
	Recursion int
}

// An Overflow is what a signed operation does that overflows.
type Overflow int

// Overflows. That it wraps around is the default.
const (
	OverflowWraps   Overflow = iota
	OverflowEnds             // the run ends there, which is an assumption that is listed
	OverflowIsError          // the run performs the action "error" and ends
)
