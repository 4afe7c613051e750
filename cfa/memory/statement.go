package memory

// Statements on memory: what a lowering writes where it is not yet known which
// cells are meant. Resolution (resolve.go) replaces them once the automaton is
// complete and its pointers are known.

import (
	"magus/cfa"
	"magus/smt/expr"
)

// An Address is an address with what is known of its structure.
type Address struct {
	Base *expr.Expr
	Off  int64 // in bytes
	Idx  []Index
	// Pointee is the type of what Base points to, if that is known.
	Pointee *Type
}

// An Index is a number of elements that is not constant.
type Index struct {
	I      *expr.Expr
	Stride int64 // in bytes
	N      int64 // the length of the array; 0: not known
}

// A Ref is an address with what is accessed there.
type Ref struct {
	Address
	Extent Extent // from the address on
	Scalar Scalar // meaningless for aggregates
	Size   int64  // in bytes
	Loose  bool   // it may stand at any byte, whatever its type

	found *expr.Expr // what the base has been found to be, along the tests of a tree
}

// foundAt is the reference where a hit was found.
func (r Ref) foundAt(h hit) Ref {
	if h.base != nil {
		r.Base = h.base
	}
	return r
}

// The statements on memory.
type (
	// Load gives LHS what stands there. Without LHS only the pointer is used.
	Load struct {
		cfa.Draft
		LHS  *expr.Expr
		From Ref
		Text string // what is read, as in the source
	}
	// Store stores Val, or any value if it is nil. An Init is only for cells
	// that are accessed otherwise, and may be to an object that is constant.
	Store struct {
		cfa.Draft
		To             Ref
		Val            *expr.Expr
		Nondet, Approx string // as in cfa.Assign
		Init           bool
	}
	// Copy copies Size bytes. What the source does not have is any value.
	Copy struct {
		cfa.Draft
		To, From Ref
		Size     int64      // negative: not known
		Length   *expr.Expr // then, how many bytes; nil: nobody can say
		Partly   bool       // the source may be shorter
		Apart    bool       // the source and the target must not overlap, unless they are the same
	}
	// Fill gives a value to all of Size bytes: every byte that of Val, or any
	// value; not to the extents of Except.
	Fill struct {
		cfa.Draft
		To             Ref
		Size           int64      // negative: to the end of the object
		Length         *expr.Expr // then, how many bytes at most; nil: nobody can say
		Val            *expr.Expr
		Nondet, Approx string // as in cfa.Assign
		Except         []Extent
		Init           bool // may be to an object that is constant
	}
	// Touch uses a pointer to Size bytes. Where pointers are not checked it does
	// nothing.
	Touch struct {
		cfa.Draft
		At     Ref
		Size   int64      // negative: not known
		Length *expr.Expr // then, how many bytes
		Store  bool       // they are written
		Maybe  bool       // not all of them may be used
		Out    bool       // the addresses among them are known outside from then on
	}
	// Measure gives LHS the length of the text that begins at At, at most Limit.
	Measure struct {
		cfa.Draft
		LHS    *expr.Expr
		At     Ref
		Limit  *expr.Expr // or nil
		Strict bool       // it is an error that the text does not end in its object; else perhaps
	}
	// ScanText says what decimal numbers the text that begins at At begins with.
	ScanText struct {
		cfa.Draft
		At     Ref
		Says   []Said
		Approx string // what is not modelled, where the text does not say it
	}
	// Undecided may perform the action error where pointers are checked: What is
	// not known.
	Undecided struct {
		cfa.Draft
		What string
	}
	// Exists begins or ends the life of an object of an inner block: of Object, or
	// of that of Var, if there is one.
	Exists struct {
		cfa.Draft
		Var    *expr.Expr
		Object *Object
		Begins bool
		// Declares says that it begins at its declaration, and not by a jump behind it.
		Declares bool
	}
	// Arguments gives the array that argv points to its values.
	Arguments struct {
		cfa.Draft
		Object *Object
	}
	// ErrnoCall is a call of a function of that name that may change errno.
	ErrnoCall struct {
		cfa.Draft
		Name string
	}
	// Alloc gives LHS the address of new memory, or NULL.
	Alloc struct {
		cfa.Draft
		LHS  *expr.Expr
		Site *Site
	}
	// Free ends the life of what Addr points to, Unless realloc has left it where it is; of a Handle it is not
	// checked whether there is one.
	Free struct {
		cfa.Draft
		Addr   *expr.Expr
		Unless *expr.Expr
		Handle bool
	}
	// Leaks performs the action error if memory is still allocated. Where there is a Caller, it may find memory by
	// what the procedure returns: Result, or what stands in Object.
	Leaks struct {
		cfa.Draft
		Caller bool
		Result *expr.Expr // or nil
		Object *Object    // or nil
	}
	// Finds says in Into whether somebody finds Value when the component's procedure has returned: it is Result, or
	// what a variable holds that outlives the procedure.
	Finds struct {
		cfa.Draft
		Value, Into *expr.Expr
		Result      *expr.Expr // or nil
	}
	// UnknownCall is a call of a routine without a body: it gives any value to
	// its result and to what has escaped. Its arguments escape, and so does
	// what stands at the references in Passed.
	UnknownCall struct {
		cfa.Draft
		LHS          *expr.Expr
		Name, Approx string
		Args         []*expr.Expr
		Numbers      bool // some argument is a number that may be computed from addresses
		Passed       []Ref
		// Called are functions that the call calls; nobody else learns of them.
		Called []*expr.Expr
		Own    *Object // what the result points to, if that is new
		All    bool    // it may reach all static storage too
		// Site is where it may call functions of the program, "" if it does not. Those in Calls
		// are called beside it.
		Site  string
		Calls []*Object
		Leaf  bool // a function of the C library that calls nothing, whatever it can reach
		// Text says that it is one that writes a text: no violation rests on characters that it may leave as they were.
		Text bool
		// Forgets says that it is one that keeps no pointer that it is given.
		Forgets bool
		// Foreign is where a call of code that nobody described is one, or nil: else it is
		// not known what is called.
		Foreign *expr.Expr
		// Framed says that it is known what the call writes, and statements behind it do: nothing else does it write.
		Framed bool
	}
	// IndirectCall stands before the tests of an indirect call.
	IndirectCall struct {
		cfa.Draft
		Addr *expr.Expr
		Key  string // tells one such call from another
	}
	// Start gives a global object its values at the start.
	Start struct {
		cfa.Draft
		Object *Object
	}
)

// String is "load".
func (Load) String() string { return "load" }

// String is "store".
func (Store) String() string { return "store" }

// String is "copy".
func (Copy) String() string { return "copy" }

// String is "fill".
func (Fill) String() string { return "fill" }

// String is "touch".
func (Touch) String() string { return "touch" }

// String is "measure".
func (Measure) String() string { return "measure" }

// String is "scan text".
func (ScanText) String() string { return "scan text" }

// String is "undecided".
func (Undecided) String() string { return "undecided" }

// String is "exists".
func (Exists) String() string { return "exists" }

// String is "arguments".
func (Arguments) String() string { return "arguments" }

// String is "errno".
func (ErrnoCall) String() string { return "errno" }

// String is "leaks".
func (Leaks) String() string { return "leaks" }
func (Finds) String() string { return "finds" }

// String is "allocate".
func (Alloc) String() string { return "allocate" }

// String is "free".
func (Free) String() string { return "free" }

// String is "unknown call".
func (UnknownCall) String() string { return "unknown call" }

// String is "indirect call".
func (IndirectCall) String() string { return "indirect call" }

// String is "start".
func (Start) String() string { return "start" }

// refs are what the statement at a location accesses.
func (m *Model) refs(at cfa.Loc) []Ref {
	switch s := m.code.At(at).Stmt.(type) {
	case Load:
		return []Ref{s.From}
	case Store:
		return []Ref{s.To}
	case Copy:
		return []Ref{s.To, s.From}
	case Fill:
		return []Ref{s.To}
	case Touch:
		return []Ref{s.At}
	case Measure:
		return []Ref{s.At}
	case ScanText:
		return []Ref{s.At}
	case UnknownCall:
		return s.Passed
	case cfa.Call:
		return m.passed[at]
	}
	return nil
}
