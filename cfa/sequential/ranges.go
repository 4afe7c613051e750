package sequential

// Large arrays of which only the range of their elements is known, for proofs.
//
// Idea: elements of large arrays are no variables: a read gives any value ([cfa.Access]). Often a
// proof needs to know no more of them than that they are within some range, whichever element it is.
// So each read from such an array gives a value of the range, and each store that may be to it, of
// whatever thread, is an error unless it keeps the range. An automaton without errors then shows
// both: that the range is kept, and that the program has no error. For take a run of the program, up
// to the first store that leaves the range: all that it has read from the array is within it, so the
// automaton has this run too, and performs an error there. As it has none there is no such store, and
// it has all runs. What the range is, and where it comes from, does not matter.
//
// LAW: the array begins within its range, all that changes it is a statement with an Access
// (docs/threads.md has the cases), and accesses are in one order: memory is sequentially consistent.
//
// Source: ours; it is assume-guarantee reasoning along the run (Misra, Chandy 1981), on arrays that
// are smashed into one cell (Blanchet et al., PLDI 2003, section 6.1.2).
//
// Cost: linear in the automaton and the ranges.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// A Range says of all scalars of Size bytes of a piece of memory without variables that they are from
// Low to High, as numbers with a sign if Signed. It is no abstract value (those are engine/invariants'): nothing
// is computed with it, and the automaton shows whether it is kept.
type Range struct {
	First, Last uint64 // the addresses of its bytes
	Size        int64
	Signed      bool
	Low, High   int64
}

// ErrRange says that a range is none of the automaton's memory.
var ErrRange = errors.New("no memory that can be confined to a range")

// RangesOf are those of memory without variables that may be confined, in the order of addresses, as
// ranges without values.
func RangesOf(c *cfa.CFA) []Range {
	met := map[Range]bool{}
	var all []Range
	for l := range c.Locs {
		a, ok := c.Locs[l].Stmt.(cfa.Assign)
		if !ok || a.Memory == nil || a.Memory.Kind != cfa.Read {
			continue
		}
		for i := range a.Memory.Areas {
			r := Range{First: a.Memory.Areas[i].First, Last: a.Memory.Areas[i].Last, Size: a.Memory.Size}
			if !met[r] && r.about(c) {
				all = append(all, r)
			}
			met[r] = true
		}
	}
	slices.SortFunc(all, func(a, b Range) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last), cmp.Compare(a.Size, b.Size))
	})
	return all
}

// about reports whether a range is about memory of the automaton that changes by statements only.
func (r *Range) about(c *cfa.CFA) bool {
	if !slices.Contains([]int64{1, 2, 4, 8}, r.Size) || r.Last < r.First || r.First%uint64(r.Size) != 0 ||
		r.Last-r.First < uint64(r.Size-1) || r.Last+1 == 0 {
		return false
	}
	if slices.ContainsFunc(c.Unrecorded, func(u cfa.Area) bool { return u.First <= r.Last && r.First <= u.Last }) {
		return false
	}
	found := false
	for l := range c.Locs {
		a, ok := c.Locs[l].Stmt.(cfa.Assign)
		if !ok || a.Memory == nil || a.Memory.Kind != cfa.Read {
			continue
		}
		for i := range a.Memory.Areas {
			if area := &a.Memory.Areas[i]; r.is(area) {
				if found = true; !area.Static || area.Scattered || !area.Zero {
					return false
				}
			}
		}
	}
	return found
}

func (r *Range) is(a *cfa.Area) bool { return a.First == r.First && a.Last == r.Last }

// typ is that of the elements.
func (r *Range) typ() expr.Type { return expr.Type{Width: uint8(8 * r.Size), Signed: r.Signed} }

// InRanges is an automaton whose reads give values of ranges, with an error where a store leaves
// them. Without errors and cuts that are reached there, the automaton has none. The error is
// ErrRange, if a range is none of the automaton's memory, or not what the memory begins with.
func InRanges(c *cfa.CFA, ranges []Range) (*cfa.CFA, error) {
	x := &ranged{c: c, pool: c.Pool, ranges: ranges}
	for i := range ranges {
		if r := &ranges[i]; !r.about(c) || !x.begins(r) {
			return nil, ErrRange
		}
	}
	x.out = *c
	x.out.Locs, x.out.Vars, x.out.Errors = slices.Clone(c.Locs), slices.Clone(c.Vars), true
	for l := range c.Locs {
		a, ok := c.Locs[l].Stmt.(cfa.Assign)
		switch {
		case !ok || a.Memory == nil:
		case a.Memory.Kind == cfa.Read:
			x.read(cfa.Loc(l), a)
		default:
			x.write(cfa.Loc(l), a)
		}
	}
	return &x.out, nil
}

type ranged struct {
	c      *cfa.CFA
	pool   *expr.Pool
	ranges []Range
	out    cfa.CFA
}

// begins reports whether all that the memory of a range begins with is within it.
func (x *ranged) begins(r *Range) bool {
	within := func(v *expr.Expr) bool { return v != nil && v.IsConst() && x.within(r, v) == x.pool.True() }
	for l := range x.c.Locs {
		a, ok := x.c.Locs[l].Stmt.(cfa.Assign)
		if !ok || a.Memory == nil || a.Memory.Kind != cfa.Read {
			continue
		}
		for i := range a.Memory.Areas {
			area := &a.Memory.Areas[i]
			if !r.is(area) {
				continue
			}
			if !within(x.pool.Const(r.typ(), 0)) { // what no part speaks of
				return false
			}
			for _, p := range area.Initial {
				if p.At > r.Last || p.At+uint64(p.Size)-1 < r.First {
					continue
				}
				if p.Size != r.Size || p.At%uint64(r.Size) != 0 || p.Value == nil ||
					int64(p.Value.Type().Width) != 8*r.Size || !within(p.Value) {
					return false
				}
			}
		}
	}
	return true
}

// within is the condition that a value is in the range.
func (x *ranged) within(r *Range, v *expr.Expr) *expr.Expr {
	t := r.typ()
	v = x.pool.Cast(t, v)
	return x.pool.Land(x.pool.Le(x.pool.Int(t, r.Low), v), x.pool.Le(v, x.pool.Int(t, r.High)))
}

// emit adds a location like another one.
func (x *ranged) emit(like cfa.Loc, s cfa.Stmt, succ ...cfa.Loc) cfa.Loc {
	l := x.c.Locs[like]
	x.out.Locs = append(x.out.Locs, cfa.Location{Stmt: s, Succ: succ, Pos: l.Pos, Frame: l.Frame})
	return cfa.Loc(len(x.out.Locs) - 1)
}

// fresh is a variable for what is read at a location.
func (x *ranged) fresh(l cfa.Loc, t expr.Type) *expr.Expr {
	name := fmt.Sprintf("__magus_element%d", l)
	v := x.pool.Var(name, t)
	x.out.Vars = append(x.out.Vars, cfa.Var{Expr: v, Name: name, Kind: cfa.Temp, Frame: 0})
	return v
}

// read gives any value, and where an element of a range is read, one of the range.
func (x *ranged) read(l cfa.Loc, a cfa.Assign) {
	m := a.Memory
	plain := cfa.Assign{LHS: a.LHS, Nondet: "memory"}
	value := (*expr.Expr)(nil)
	at := x.out.Locs[l]
	for i := range x.ranges {
		r := &x.ranges[i]
		if r.Size != m.Size || int64(a.LHS.Type().Width) != 8*r.Size ||
			!slices.ContainsFunc(m.Areas, func(a cfa.Area) bool { return r.is(&a) }) {
			continue
		}
		if value == nil {
			value = x.fresh(l, a.LHS.Type())
			plain.LHS = value
		}
	}
	if value == nil {
		at.Stmt = plain
		x.out.Locs[l] = at
		return
	}
	rhs := value
	for i := range x.ranges {
		r := &x.ranges[i]
		if r.Size == m.Size && slices.ContainsFunc(m.Areas, func(a cfa.Area) bool { return r.is(&a) }) {
			least := x.pool.Cast(a.LHS.Type(), x.pool.Int(r.typ(), r.Low))
			rhs = x.pool.Ite(x.pool.Land(x.inside(r, m.Addr), x.pool.Not(x.within(r, value))), least, rhs)
		}
	}
	next := x.emit(l, cfa.Assign{LHS: a.LHS, RHS: rhs}, at.Succ...)
	at.Stmt, at.Succ = plain, []cfa.Loc{next}
	x.out.Locs[l] = at
}

// inside is the condition that an address is that of an element of the range.
func (x *ranged) inside(r *Range, addr *expr.Expr) *expr.Expr {
	t := addr.Type()
	off := x.pool.Sub(addr, x.pool.Const(t, r.First))
	return x.pool.Land(x.pool.Le(off, x.pool.Const(t, r.Last-r.First+1-uint64(r.Size))), x.aligned(addr, r))
}

// aligned is the condition that a number of bytes is one of whole elements.
func (x *ranged) aligned(n *expr.Expr, r *Range) *expr.Expr {
	t := n.Type()
	return x.pool.Eq(x.pool.And(n, x.pool.Const(t, uint64(r.Size-1))), x.pool.Const(t, 0))
}

// write is an error unless all ranges are kept.
func (x *ranged) write(l cfa.Loc, a cfa.Assign) {
	kept := x.pool.True()
	for i := range x.ranges {
		r := &x.ranges[i]
		kept = x.pool.Land(kept, x.pool.Lor(x.beside(r, a.Memory), x.keeps(r, a)))
	}
	at := x.out.Locs[l]
	if kept == x.pool.True() {
		at.Stmt = cfa.Goto{}
		x.out.Locs[l] = at
		return
	}
	halt := x.emit(l, cfa.Halt{Reason: "an element out of its range", Ends: true})
	leaves := x.emit(l, cfa.Act{Action: cfa.ErrorAction}, halt)
	at.Stmt, at.Succ = cfa.Branch{Cond: kept}, []cfa.Loc{at.Succ[0], leaves}
	x.out.Locs[l] = at
}

// beside is the condition that an access is of nothing in the range.
func (x *ranged) beside(r *Range, m *cfa.Access) *expr.Expr {
	p := x.pool
	if m.Addr == nil {
		return p.False()
	}
	t := m.Addr.Type()
	behind := p.Lt(p.Const(t, r.Last), m.Addr)
	size := m.Length
	switch {
	case size != nil:
		size = p.Cast(t, size)
	case m.Size > 0:
		size = p.Int(t, m.Size)
	default: // without end
		return behind
	}
	last := p.Sub(p.Add(m.Addr, size), p.Const(t, 1))
	before := p.Land(p.Le(m.Addr, last), p.Lt(last, p.Const(t, r.First)))
	return p.Lor(behind, before, p.Eq(size, p.Const(t, 0)))
}

// keeps is the condition that whole elements get values of the range.
func (x *ranged) keeps(r *Range, a cfa.Assign) *expr.Expr {
	m, p := a.Memory, x.pool
	if a.RHS == nil || m.Addr == nil {
		return p.False()
	}
	switch m.Kind {
	case cfa.Write:
		if m.Size != r.Size || m.Length != nil || int64(a.RHS.Type().Width) != 8*r.Size {
			return p.False()
		}
		return p.Land(x.aligned(m.Addr, r), x.within(r, a.RHS))
	case cfa.Fill:
		size := m.Length
		if size == nil && m.Size > 0 {
			size = p.Int(m.Addr.Type(), m.Size)
		}
		if size == nil || a.RHS.Type().Width != 8 {
			return p.False()
		}
		t := expr.Type{Width: uint8(8 * r.Size)}
		every := p.Const(t, 0)
		for i := range uint64(r.Size) {
			every = p.Or(every, p.Mul(p.Cast(t, p.Cast(expr.Uint8, a.RHS)), p.Const(t, 1<<(8*i))))
		}
		return p.Land(x.aligned(m.Addr, r), x.aligned(size, r), x.within(r, every))
	}
	return p.False()
}
