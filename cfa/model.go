package cfa

import "magus/smt/expr"

// A DataModel gives the widths of C's types.
type DataModel int

// The data models: LP64 has long and pointers of 64 bits, ILP32 of 32. The
// other types are the same: char 8 bits and signed, short 16, int 32, long
// long 64.
const (
	LP64 DataModel = iota
	ILP32
)

// String is the model's name.
func (m DataModel) String() string {
	if m == ILP32 {
		return "ILP32"
	}
	return "LP64"
}

// Pointer is the type of addresses: numbers without a sign.
func (m DataModel) Pointer() expr.Type {
	if m == ILP32 {
		return expr.Uint32
	}
	return expr.Uint64
}
