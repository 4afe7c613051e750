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

// A LongDouble is the format of long double, which processors and their ABIs choose.
type LongDouble int

// The formats of long double: the 80 bits of the x87, on x86; that of double, on 32-bit ARM and Windows, say; and
// quad, binary128 of IEEE 754, on 64-bit ARM and RISC-V, say.
const (
	X87 LongDouble = iota
	AsDouble
	Quad
)

// LongDoubles are the formats.
func LongDoubles() []LongDouble { return []LongDouble{X87, AsDouble, Quad} }

// String is the format's name.
func (d LongDouble) String() string { return [...]string{"x87", "double", "quad"}[d] }

// LongDoubleSize is the size of long double in bytes.
func (m DataModel) LongDoubleSize(d LongDouble) int64 {
	switch {
	case d == AsDouble:
		return 8
	case d == X87 && m == ILP32:
		return 12
	}
	return 16
}
