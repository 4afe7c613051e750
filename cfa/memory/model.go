package memory

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// The limits of the memory model if the options name none.
const (
	DefaultArrayLimit  = 24
	DefaultHeapLimit   = 3
	defaultTargetLimit = 32
)

// Options say how memory is modelled. The zero value is the default.
type Options struct {
	cfa.Modelling
	Data cfa.DataModel
	// Threads says that several threads access the memory: the order of the code is not
	// that in which it runs.
	Threads bool
	// Weak says that threads do not see all writes in one order.
	Weak bool
	// Races says that each access is to show, also where it gives no value that anything uses.
	Races bool
	// Recorded says that no violation rests on memory without variables: what gives it any value is recorded.
	Recorded bool
	// Mirrored says, with Recorded, that what variables of objects hold is recorded too: whoever follows one run knows
	// all bytes of an object then.
	Mirrored bool
	// Shapes says that no violation rests on pointers in memory that is not modelled, or in elements of an array from
	// outside: a list that is a circle may come from there, or an array that holds a pointer twice, and nobody means such.
	Shapes bool
	// Own says that no violation rests on what pointers from outside point to: each is NULL or points to an object of its
	// own.
	Own bool
	// Finds says that it is asked who finds something at the end: what is freed holds nothing.
	Finds bool
	// Uses makes the use of memory that was freed perform the action error, where pointers are not checked.
	Uses bool
}

// A Model is the memory of one component while its automaton is written: the objects, and
// what is noted of the code that accesses them.
type Model struct {
	*addressSpace
	*external
	*routines

	numbers     map[*expr.Expr]bool // pointer variables that were made of numbers
	exposures   []exposure          // addresses that become numbers
	relations   []relation          // of pointers
	returned    map[cfa.Loc]*Type   // what pointers point to that calls return
	allocations map[string]int      // objects of each call of malloc
	passed      map[cfa.Loc][]Ref   // structures that a Call is given
	numbered    map[cfa.Loc]bool    // the Calls that are given numbers
	errno       *Global
	flags       map[int]*expr.Expr // of lives, by frame
	stacks      map[int]bool       // frames that have memory of alloca
	lived       map[*expr.Expr]codeRange
	left        map[*expr.Expr][]cfa.Loc // where lives are left, see LeaveLife
	unrecorded  unrecorded
	zeroes      []*expr.Expr // variables that start with 0
	rigid       *expr.Expr   // nil: there is none, see SetRigid
}

// New is an empty memory for the automaton that code builds.
func New(code *cfa.Builder, opt Options) *Model {
	space := newAddressSpace(code, opt)
	return &Model{addressSpace: space, external: newExternal(space), routines: newRoutines(code),
		numbers: map[*expr.Expr]bool{}, allocations: map[string]int{}, passed: map[cfa.Loc][]Ref{},
		numbered: map[cfa.Loc]bool{}, returned: map[cfa.Loc]*Type{}, flags: map[int]*expr.Expr{},
		stacks: map[int]bool{}, lived: map[*expr.Expr]codeRange{}, left: map[*expr.Expr][]cfa.Loc{}}
}

func (m *addressing) arrayLimit() int64 {
	if m.opt.ArrayLimit > 0 {
		return int64(m.opt.ArrayLimit)
	}
	return DefaultArrayLimit
}

func (m *addressing) heapLimit() int {
	switch {
	case m.opt.HeapLimit > 0:
		return min(m.opt.HeapLimit, 200)
	case m.opt.HeapLimit < 0:
		return 0
	}
	return DefaultHeapLimit
}

func (m *addressing) targetLimit() int {
	if m.opt.TargetLimit > 0 {
		return m.opt.TargetLimit
	}
	return max(defaultTargetLimit, m.opt.ArrayLimit)
}

// MarkNumber notes that a pointer variable takes a number, which may be any address.
func (m *Model) MarkNumber(v *expr.Expr) { m.numbers[v] = true }

// Exposes notes that an address becomes a number, from the next location on, and
// reports whether the term may be an address at all.
func (m *Model) Exposes(address *expr.Expr) bool {
	if b, _ := m.ObjectOf(address); b == nil && address.IsConst() {
		return false
	}
	m.exposures = append(m.exposures, exposure{cfa.Loc(m.code.Len()), address})
	return true
}

// Renames reports whether no address becomes a number.
func (m *Model) Renames() bool { return len(m.exposures) == 0 }

// Passes notes the structures that a Call is given, and whether it is given numbers
// that may be computed from addresses.
func (m *Model) Passes(call cfa.Loc, structures []Ref, numbers bool) {
	m.passed[call] = structures
	m.numbered[call] = numbers
}

// used reports whether there is more than variables.
func (m *Model) used() bool {
	return len(m.objects) > 0 || slices.ContainsFunc(m.code.Since(0), func(loc cfa.Location) bool {
		switch loc.Stmt.(type) {
		case Load, Store, Copy, Fill, Touch, Measure, ScanText, Alloc, IndirectCall:
			return true
		}
		return false
	})
}
