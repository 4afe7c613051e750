package cfa

import (
	"fmt"

	"magus/smt/expr"
)

// An Access is what an assignment does to memory that has no variables: elements
// of large arrays, texts of unknown length, memory that nobody described.
//
// A read gives the assigned variable any value, so that abstractions need not look
// at an Access. One run knows more: a value that agrees with all that it has read
// and written at these addresses before is one that the program may read, and a
// violation may rest on it. Any other value is not modelled, as Assign.Approx says.
//
// A write puts the value that the variable takes there; a Fill, that value into
// every byte; one that Forgets, values that nobody knows.
type Access struct {
	Kind AccessKind
	// Addr is the address of the first byte; nil in a Forget of all memory.
	Addr *expr.Expr
	// Size is the number of bytes, or Length is; without both there is no end.
	Size   int64
	Length *expr.Expr
	// Areas are where a read may be: elsewhere its value is not modelled. Those of a write, if there are any, are all
	// that it may change.
	Areas []Area
}

// An AccessKind says what an access does.
type AccessKind uint8

// The kinds of accesses.
const (
	Read AccessKind = iota
	Write
	Fill
	Forget
	// Give gives out the address of an object of Size bytes, which has no variables; 0 where they are not known. Automata
	// for proofs only have it.
	Give
)

// An Area is a range of addresses without variables.
type Area struct {
	First, Last uint64
	// Scattered says that its objects are not known: two of them have no bytes in
	// common, so that two accesses are of the same bytes or of different ones.
	Scattered bool
	// Initial are the values that parts of it begin with. What no part speaks of
	// begins with 0 if Zero is set, and with any value else.
	Initial []InitialPart
	Zero    bool
	// Static says that this is what it holds when the program begins, and that it is there as long as the program.
	Static bool
}

// An InitialPart is the value that a few bytes of an Area begin with; nil is one
// that is not modelled.
type InitialPart struct {
	At    uint64
	Size  int64 // in bytes
	Value *expr.Expr
}

// AreaAt is the area that has all of size bytes at an address; nil if there is none,
// or if a scalar of this size does not lie there.
func (a *Access) AreaAt(addr uint64, size int64) *Area {
	if addr%uint64(size) != 0 {
		return nil
	}
	for i := range a.Areas {
		if r := &a.Areas[i]; r.First <= addr && addr <= r.Last && uint64(size-1) <= r.Last-addr {
			return r
		}
	}
	return nil
}

// String is "at a", followed by what it does.
func (a *Access) String() string {
	where := "anywhere"
	if a.Addr != nil {
		where = fmt.Sprintf("at %v", a.Addr)
	}
	return [...]string{"reads", "writes", "fills", "forgets", "gives out"}[a.Kind] + " " + where
}
