package memory

import (
	"magus/cfa"
	"magus/smt/expr"
)

// An addressSpace has the objects of memory and their cells: it makes them, finds them by
// address, and says what a part of an object holds. It knows no statement on memory and no
// pointer that leads to it.
type addressSpace struct {
	*addressing
	code *cfa.Builder // gets the variables of cells

	objects []*Object // by address
	globals []*Global // in the order in which they were met
	cells   map[*expr.Expr]Cell
	// addressed are the variables whose address is taken anywhere, and all
	// cells: a store through a pointer may change them.
	addressed map[*expr.Expr]bool
	pointers  map[*expr.Expr]bool // the variables of a pointer type
}

func newAddressSpace(code *cfa.Builder, opt Options) *addressSpace {
	return &addressSpace{addressing: newAddressing(code.Pool, opt), code: code, cells: map[*expr.Expr]Cell{},
		addressed: map[*expr.Expr]bool{}, pointers: map[*expr.Expr]bool{}}
}

// AddGlobal enters an object of static storage duration.
func (s *addressSpace) AddGlobal(g *Global) { s.globals = append(s.globals, g) }

// MarkPointer notes whether a variable has a pointer type.
func (s *addressSpace) MarkPointer(v *expr.Expr, is bool) { s.pointers[v] = is }

// IsPointer reports whether a variable has a pointer type.
func (s *addressSpace) IsPointer(v *expr.Expr) bool { return s.pointers[v] }

// MarkAddressed notes whether the address of a variable is taken anywhere.
func (s *addressSpace) MarkAddressed(v *expr.Expr, is bool) { s.addressed[v] = is }
