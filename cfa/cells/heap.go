package cells

// One arbitrary object of those that are allocated beyond the limit, exactly.
//
// Idea: objects that calls of malloc give out beyond --heap-limit are memory without variables, at addresses that
// are any value. One of them is followed: its scalars become cells, as those of an element are. Its address is any
// one, which never changes, and it is given out at any time, also once more: it may have been freed. There is a
// flag as well, which says that the followed object was read last of those beyond the limit, and errors without it
// end the run (chosen.go has the argument; the object is the one read last).
//
// A pointer that is read from another object may be anything, and lead to the middle of something. Hence a law
// besides: a pointer that is read from such an object, or from an array of which an element is followed, is NULL,
// or leads to the beginning of what was allocated. Reads of other objects and elements assume it, and a read of
// the followed one that does not keep it is an error. For take a run, and the first read that does not keep the
// law: where what is read there is followed, all reads before keep it, so the automaton has the run up to there,
// and the error. If no automaton has an error then no run breaks the law, and the automata have all runs. An
// access of the followed object before it is given out is one by a pointer that is not valid, which ends a run.
//
// LAW: objects beyond the limit are at multiples of the same power of two, which is at least their size, in a part
// of the addresses where nothing else is. A run with other addresses is one with these by other names for them,
// where no address becomes a number (CFA.Renames).
//
// Source: recency and one representative of an allocation site: Balakrishnan, Reps, SAS 2006; assume-guarantee along
// the run as of package sequential's ranges. Deviations: the object is any, not the last.
//
// Cost: linear in the automaton.

import (
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// A heap is memory beyond the limit, of which one object is followed.
type heap struct {
	first, behind uint64 // addresses of its objects
	step          uint64 // what they are multiples of
	pointer       expr.Type
	address       *expr.Expr // of the followed object
	given         *expr.Expr // it was given out
	flag          *expr.Expr
	cells         []cell
}

const (
	minStep = 16
	maxStep = 1 << 10 // larger objects are not followed
)

// findHeap finds the objects beyond the limit; nil if there are none that can be followed.
func (x *chosen) findHeap() {
	if !x.c.Renames {
		return
	}
	h := &heap{step: minStep}
	gives := false
	for l := range x.c.Locs {
		a, ok := x.c.Locs[l].Stmt.(cfa.Assign)
		if !ok || a.Memory == nil {
			continue
		}
		if a.Memory.Kind == cfa.Give && a.Memory.Size > 0 && a.Memory.Size <= maxStep {
			gives = true
			for h.step < uint64(a.Memory.Size) {
				h.step *= 2
			}
			h.pointer = a.LHS.Type()
		}
		for _, r := range a.Memory.Areas {
			if r.Scattered {
				h.behind = (r.Last + 1) / maxStep * maxStep
				h.first = h.behind / 2 / maxStep * maxStep
			}
		}
	}
	if !gives || h.behind == 0 {
		return
	}
	x.heap = h
	for l := range x.c.Locs {
		if a, ok := x.c.Locs[l].Stmt.(cfa.Assign); ok && a.Memory != nil && a.Memory.Kind == cfa.Read && scattered(a.Memory) {
			if p, ok := h.placeOf(a.Memory); ok && int64(a.LHS.Type().Width) == 8*a.Memory.Size {
				h.add(cell{p.offset, a.Memory.Size, a.LHS})
			}
		}
	}
	if len(h.cells) == 0 {
		x.heap = nil
	}
}

// add adds a cell, unless there is one that it overlaps.
func (h *heap) add(c cell) {
	for _, o := range h.cells {
		if c.offset < o.offset+uint64(o.size) && o.offset < c.offset+uint64(c.size) {
			return
		}
	}
	h.cells = append(h.cells, c)
}

func scattered(m *cfa.Access) bool {
	return slices.ContainsFunc(m.Areas, func(a cfa.Area) bool { return a.Scattered })
}

// placeOf takes an address apart into that of an object and an offset.
func (h *heap) placeOf(m *cfa.Access) (place, bool) {
	s, ok := linear(m.Addr)
	offset := s.constant & m.Addr.Type().Mask()
	if !ok || s.term == nil || s.factor != 1 || s.term.Type() != m.Addr.Type() || offset >= h.step ||
		offset+uint64(m.Size) > h.step {
		return place{}, false
	}
	return place{index: s.term, offset: offset}, true
}

// declareHeap makes the variables.
func (x *chosen) declareHeap() {
	h := x.heap
	h.address, h.given = x.variable("__magus_object", h.pointer), x.variable("__magus_object_given", expr.Uint8)
	h.flag = x.variable("__magus_object_read_last", expr.Uint8)
	for k := range h.cells {
		c := &h.cells[k]
		c.v = x.variable("__magus_object_cell_"+x.pool.Const(expr.Uint64, c.offset).String(), c.v.Type())
	}
}

// isObject says of a pointer whether it may be to the beginning of an object beyond the limit.
func (x *chosen) isObject(v *expr.Expr) *expr.Expr {
	h, p, t := x.heap, x.pool, v.Type()
	return p.Land(p.Le(p.Const(t, h.first), v), p.Lt(v, p.Const(t, h.behind)),
		p.Eq(p.And(v, p.Const(t, h.step-1)), p.Const(t, 0)))
}

// lawful says that a pointer is NULL, or to the beginning of allocated memory.
func (x *chosen) lawful(v *expr.Expr) *expr.Expr {
	p, t := x.pool, v.Type()
	some := []*expr.Expr{p.Eq(v, p.Const(t, 0)),
		x.isObject(v)}
	for _, o := range x.c.Objects {
		if o.Heap {
			some = append(some, p.Eq(v, p.Const(t, o.Base)))
		}
	}
	return p.Lor(some...)
}

func (x *chosen) isSet(flag *expr.Expr) *expr.Expr {
	return x.pool.Not(x.pool.Eq(flag, x.pool.Const(flag.Type(), 0)))
}

// set gives a flag a value.
func (x *chosen) set(l cfa.Loc, flag *expr.Expr, v uint64, next cfa.Loc) cfa.Loc {
	return x.emit(l, cfa.Assign{LHS: flag, RHS: x.pool.Const(flag.Type(), v)}, next)
}

// give gives out an object beyond the limit.
func (x *chosen) give(l cfa.Loc, a cfa.Assign) {
	next := x.c.Locs[l].Succ[0]
	anything := cfa.Assign{LHS: a.LHS, Nondet: "malloc"}
	if x.heap == nil || a.Memory.Size <= 0 || a.Memory.Size > maxStep {
		x.out.Locs[l].Stmt = anything
		return
	}
	h := x.heap
	halt := x.emit(l, cfa.Halt{Reason: "no such address"})
	other := x.branch(l, x.pool.Eq(a.LHS, h.address), halt, next)
	other = x.emit(l, anything, x.branch(l, x.isObject(a.LHS), other, halt))
	this := x.emit(l, cfa.Assign{LHS: a.LHS, RHS: h.address}, x.set(l, h.given, 1, next))
	for _, c := range h.cells {
		this = x.emit(l, cfa.Assign{LHS: c.v, Nondet: "uninitialised"}, this)
	}
	either := x.branch(l, x.pool.Eq(a.LHS, x.pool.Const(a.LHS.Type(), 0)), this, other)
	either = x.emit(l, cfa.Assign{LHS: a.LHS, Nondet: "malloc"}, either) // which of the two
	x.put(l, either)
}

// exists goes on only where the followed object was given out.
func (x *chosen) exists(l, next cfa.Loc) cfa.Loc {
	x.out.Warnings = append(x.out.Warnings, cfa.Warning{Pos: x.c.Locs[l].Pos, Kind: cfa.AboutPointers,
		Text: "pointers that are dereferenced are valid, and indices within their arrays"})
	return x.branch(l, x.isSet(x.heap.given), next, x.emit(l, cfa.Halt{Reason: cfa.InvalidPointer}))
}

// law is what follows a read of what is followed, and a read of something else, where an object is followed:
// pointers keep the law.
func (x *chosen) law(l cfa.Loc, a cfa.Assign, next cfa.Loc) (own, other cfa.Loc) {
	if x.heap == nil || a.LHS.Type() != x.heap.pointer {
		return next, next
	}
	x.out.Errors = true
	bad := x.emit(l, cfa.Act{Action: cfa.ErrorAction},
		x.emit(l, cfa.Halt{Reason: "a pointer that breaks the law", Ends: true}))
	halt := x.emit(l, cfa.Halt{Reason: "a pointer that breaks the law"})
	return x.branch(l, x.lawful(a.LHS), next, bad), x.branch(l, x.lawful(a.LHS), next, halt)
}

// readHeap is a read of memory beyond the limit.
func (x *chosen) readHeap(l cfa.Loc, a cfa.Assign) {
	h, next := x.heap, x.c.Locs[l].Succ[0]
	anything := cfa.Assign{LHS: a.LHS, Nondet: "memory"}
	p, ok := h.placeOf(a.Memory)
	if !ok {
		x.out.Locs[l].Stmt = anything
		return
	}
	i := slices.IndexFunc(h.cells, func(c cell) bool { return c.offset == p.offset && c.size == a.Memory.Size })
	here, there := x.law(l, a, next)
	exact := anything
	if i >= 0 {
		exact = cfa.Assign{LHS: a.LHS, RHS: x.pool.As(a.LHS.Type(), h.cells[i].v)}
	}
	here = x.exists(l, x.set(l, h.flag, 1, x.emit(l, exact, here)))
	there = x.set(l, h.flag, 0, x.emit(l, anything, there))
	beside := x.emit(l, anything, next)
	x.put(l, x.branch(l, x.pool.Eq(p.index, h.address), here, x.branch(l, x.isObject(p.index), there, beside)))
}

// changeHeap changes the cells of the followed object.
func (x *chosen) changeHeap(l cfa.Loc, a cfa.Assign, next cfa.Loc) cfa.Loc {
	h, m, p := x.heap, a.Memory, x.pool
	if len(m.Areas) > 0 || m.Addr != nil && m.Addr.IsConst() && m.Addr.Value() >= h.behind {
		return next
	}
	lost := next
	for _, c := range h.cells {
		lost = x.emit(l, cfa.Assign{LHS: c.v, Nondet: "memory"}, lost)
	}
	if m.Addr == nil || m.Length == nil && m.Size == 0 {
		return lost
	}
	t := m.Addr.Type()
	length := p.Int(t, m.Size)
	if m.Length != nil {
		length = p.Cast(t, m.Length)
	}
	near := x.branch(l, p.Lt(p.Sub(m.Addr, h.address), p.Const(t, h.step)), lost,
		x.branch(l, p.Lt(p.Sub(h.address, m.Addr), length), lost, next))
	if m.Kind != cfa.Write {
		return near
	}
	at, ok := h.placeOf(m)
	if !ok {
		return near
	}
	hit := next
	for _, c := range h.cells {
		if at.offset+uint64(m.Size) <= c.offset || c.offset+uint64(c.size) <= at.offset {
			continue
		}
		to := cfa.Assign{LHS: c.v, Nondet: "memory"}
		if a.RHS != nil && at.offset == c.offset && m.Size == c.size {
			to = cfa.Assign{LHS: c.v, RHS: p.As(c.v.Type(), a.RHS)}
		}
		hit = x.emit(l, to, hit)
	}
	return x.branch(l, p.Eq(at.index, h.address), x.exists(l, hit), x.branch(l, x.isObject(at.index), next, near))
}

// beginHeap says where the followed object is.
func (x *chosen) beginHeap(like, next, halt cfa.Loc) cfa.Loc {
	h := x.heap
	next = x.set(like, h.given, 0, x.set(like, h.flag, 1, next))
	return x.branch(like, x.isObject(h.address), next, halt)
}
