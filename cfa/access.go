package cfa

// Statements on memory: what the lowering writes where it is not yet known
// which cells are meant. They are resolved (resolve.go) once the automaton is
// complete and its pointers are known; no automaton that is given out has any.

import (
	"magus/internal/expr"

	"modernc.org/cc/v4"
)

// A ref is an address with its structure, and what is accessed there.
type ref struct {
	base *expr.Expr
	off  int64
	idx  []index
	e    extent // from the address on
	t    ctype
	size int64
	n    cc.Node
}

type (
	// loadStmt gives lhs what stands there. Without lhs only the pointer is
	// used.
	loadStmt struct {
		lhs  *expr.Expr
		from ref
	}
	// storeStmt stores val, or any value if it is nil. A lazy one is only for
	// cells that are accessed otherwise.
	storeStmt struct {
		to             ref
		val            *expr.Expr
		nondet, approx string
		lazy           bool
	}
	// copyStmt copies size bytes. What the source does not have is any value.
	copyStmt struct {
		to, from ref
		size     int64 // negative: not known
		partly   bool  // the source may be shorter
		// between holds the values on the way, where either place has to be
		// searched for.
		between *transit
	}
	// fillStmt gives a value to all of size bytes: every byte that of val, or
	// any value; not to the extents of except.
	fillStmt struct {
		to             ref
		size           int64 // negative: to the end of the block
		val            *expr.Expr
		nondet, approx string
		except         []extent
	}
	// allocStmt gives lhs the address of new memory, or NULL.
	allocStmt struct {
		lhs  *expr.Expr
		site *site
	}
	// freeStmt ends the life of what addr points to.
	freeStmt struct {
		addr *expr.Expr
		name string
	}
	// unknownCall gives any value to its result and to what has escaped. Its
	// arguments escape, and so does what the places in passed hold.
	unknownCall struct {
		lhs          *expr.Expr
		name, approx string
		args         []*expr.Expr
		passed       []ref
		own          *block // what the result points to, if that is new
	}
	// reachStmt stands where an indirect call's targets are not known yet.
	reachStmt struct {
		key  string
		addr *expr.Expr
	}
	// startStmt gives a static object its values at the start.
	startStmt struct{ b *block }
)

func (loadStmt) stmt()    {}
func (storeStmt) stmt()   {}
func (copyStmt) stmt()    {}
func (fillStmt) stmt()    {}
func (allocStmt) stmt()   {}
func (freeStmt) stmt()    {}
func (unknownCall) stmt() {}
func (reachStmt) stmt()   {}
func (startStmt) stmt()   {}

func (loadStmt) String() string    { return "load" }
func (storeStmt) String() string   { return "store" }
func (copyStmt) String() string    { return "copy" }
func (fillStmt) String() string    { return "fill" }
func (allocStmt) String() string   { return "allocate" }
func (freeStmt) String() string    { return "free" }
func (unknownCall) String() string { return "unknown call" }
func (reachStmt) String() string   { return "indirect call" }
func (startStmt) String() string   { return "start" }

// A transit holds what a copy carries, leaf by leaf.
type transit struct {
	layout
	frame int
}

// A site is a place that allocates memory, in one instance.
type site struct {
	name   string
	size   int64 // in bytes; negative: not known
	typ    cc.Type
	null   bool // may fail
	decl   Var
	fill   *expr.Expr // every byte, or nil: any value
	blocks []*block
	rest   *block     // stands for all further ones, if there may be any
	count  *expr.Expr // how many there are
}
