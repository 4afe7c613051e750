package cfa

// A Warning is an assumption that the verdict relies on, or a remark.
type Warning struct {
	Pos  Pos
	Text string
	Kind Kind // of an assumption; "" for a remark
}

// A Kind says of what kind an assumption is.
type Kind string

// The kinds of assumptions.
const (
	AboutRoutine     Kind = "routine"     // what a routine does that nothing describes
	AboutLibrary     Kind = "library"     // what a function of the C library does
	AboutAbstraction Kind = "abstraction" // a routine does what its abstraction says
	AboutIntrinsic   Kind = "intrinsic"   // the body of an intrinsic is not looked at
	AboutPointers    Kind = "pointers"    // pointers are valid, or point to objects of their own
	AboutMemory      Kind = "memory"      // what memory holds that is not modelled
	AboutLayout      Kind = "layout"      // one layout of memory is looked at
	AboutExterns     Kind = "externs"     // objects that other code defines
	AboutOrder       Kind = "order"       // of evaluation
	AboutVolatile    Kind = "volatile"    // objects change only where the program changes them
	AboutFloats      Kind = "floats"      // what floating point is that is not modelled
	AboutThreads     Kind = "threads"     // how threads run
	AboutOverflow    Kind = "overflow"    // no signed operation overflows
	AboutText        Kind = "text"        // how the sources are read
	ByHand           Kind = "by-hand"     // given by the user
)
