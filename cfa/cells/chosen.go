package cells

// One arbitrary element of each array, exactly.
//
// Idea: an element of each large array becomes a variable, its cell. Which one that is, an index says that begins
// with any value and never changes; the arrays may have one in common. A store at that index changes the cell, a
// store elsewhere does not. A load at that index gives the cell, a load elsewhere any value. A proof about this
// automaton is one for each index.
//
// Whatever the index is, the automaton has all runs of the program: a cell is what the element holds, and any value
// is what another one may hold. So a run of the program with an error is excluded where one index excludes it, and
// which index that is may depend on the run. Here it is the one at which the run has read an array last before the
// error. So each array has a flag, which says that the index at which it was read last was the chosen one; it is set
// at first, when nothing was read. Errors with a flag that is not set end the run without an error: another
// index shows the error, that of the last read, with which the automaton has this run too and the flag is set.
//
// With two indices the flags say that each of the last two reads was at one of them: a run with an error has them set
// where the indices are those of its last two reads, which may be one. Each cell follows its own element, so two that
// follow the same one are equal once it was stored to.
//
// LAW: all that changes an array is a statement with an Access of the array, of no place that is known, or one
// that overlaps it (the arrays that CFA.Unrecorded has are left out). A store that is not known to be of an
// element of the array gives a cell that it may overlap any value. Reads that set or clear the flag are only those
// of an element within the array, so that there is an index for each.
//
// Source: Monniaux, Alberti: A simple abstraction of arrays and maps by program translation, SAS 2015; Monniaux,
// Gonnord: Cell morphing, SAS 2016. Deviations: these have invariants for all indices at once, and take what is
// read elsewhere for an instance of them; the choice of the index by the last read is ours, and needs no more than
// the transformed program.
//
// Cost: linear in the automaton and the arrays.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// A Choice says how indices are chosen.
type Choice string

// The choices.
const (
	Shared Choice = "shared" // one index of all arrays
	Apart  Choice = "apart"  // one of each array
	Pair   Choice = "pair"   // two indices of all arrays: of each array two elements are followed, or one twice
	// Object is Shared, and one object is followed of those that are allocated beyond the limit, which is 0.
	Object Choice = "object"
	// Allocation is of each call that allocates one object, given out at any time (cfa.Modelling.AnyAllocation). Nothing
	// is changed in the automaton.
	Allocation Choice = "allocation"
	// Every is no choice: nothing is changed in an automaton that records memory, for one run knows all elements.
	Every Choice = "every"
)

// Choices are those of elements and objects, in the order in which they are worth trying.
func Choices() []Choice { return []Choice{Shared, Pair, Apart, Object, Allocation} }

// Read reports whether an automaton without threads reads elements that are no variables.
func Read(c *cfa.CFA) bool {
	return len(c.Threads) == 0 && slices.ContainsFunc(c.Locs, func(l cfa.Location) bool {
		a, ok := l.Stmt.(cfa.Assign)
		return ok && a.Memory != nil && a.Memory.Kind == cfa.Read
	})
}

// ErrNone says that there is no array of which an element can be followed, or only one array, where indices are
// chosen apart.
var ErrNone = errors.New("no array of which one element can be followed")

// An array is a piece of memory of which one element is followed.
type array struct {
	area   cfa.Area
	stride uint64
	count  uint64    // elements that can be followed: those with indices of the type
	typ    expr.Type // of the index
	index  *expr.Expr
	flag   *expr.Expr // the last read was at a chosen index
	before *expr.Expr // the read before it was, too; nil if there is one index
	twin   *array     // the same array with the other index; nil if there is one index
	cells  []cell
}

// A cell is a scalar of the element that is followed.
type cell struct {
	offset uint64
	size   int64
	v      *expr.Expr
}

// Chosen is an automaton in which one arbitrary element of each array is a variable. Without errors in it, and
// without cuts that are reached there, the automaton that it is given has none. The error is ErrNone, or ctx's.
func Chosen(ctx context.Context, c *cfa.CFA, how Choice) (*cfa.CFA, error) {
	if len(c.Threads) > 0 {
		return nil, ErrNone
	}
	x := &chosen{c: c, pool: c.Pool}
	x.find()
	if how == Object {
		x.findHeap()
	}
	if len(x.arrays) == 0 && x.heap == nil || how == Apart && len(x.arrays) < 2 || how == Object && x.heap == nil {
		return nil, ErrNone
	}
	x.out = *c
	x.out.Locs, x.out.Vars = slices.Clone(c.Locs), slices.Clone(c.Vars)
	x.out.Warnings = slices.Clone(c.Warnings)
	if how == Pair {
		x.pair()
	}
	x.declare(how)
	if x.heap != nil {
		x.declareHeap()
	}
	known, err := available(ctx, c)
	if err != nil {
		return nil, err
	}
	for l := range c.Locs {
		switch s := c.Locs[l].Stmt.(type) {
		case cfa.Assign:
			switch {
			case s.Memory == nil:
			case s.Memory.Kind == cfa.Give:
				x.give(cfa.Loc(l), s)
			case s.Memory.Kind == cfa.Read && x.heap != nil && scattered(s.Memory):
				x.readHeap(cfa.Loc(l), s)
			case s.Memory.Kind == cfa.Read:
				x.read(cfa.Loc(l), s, known[cfa.Loc(l)])
			default:
				x.write(cfa.Loc(l), s)
			}
		case cfa.Act:
			if s.Action == cfa.ErrorAction {
				x.errs(cfa.Loc(l), s)
			}
		}
	}
	x.begin()
	x.inOrder()
	return &x.out, nil
}

type chosen struct {
	c      *cfa.CFA
	pool   *expr.Pool
	arrays []*array
	heap   *heap // nil if no object is followed
	out    cfa.CFA
	like   []cfa.Loc // of what was emitted: what it is made of
}

// find finds the arrays, in the order in which they are read, with the cells that are read.
func (x *chosen) find() {
	for l := range x.c.Locs {
		a, ok := x.c.Locs[l].Stmt.(cfa.Assign)
		if !ok || a.Memory == nil || a.Memory.Kind != cfa.Read || len(a.Memory.Areas) != 1 {
			continue
		}
		m := a.Memory
		r := x.arrayAt(&m.Areas[0])
		if r == nil {
			if !x.followed(&m.Areas[0]) {
				continue
			}
			r = &array{area: m.Areas[0]}
		}
		p, ok := placeOf(x.pool, &r.area, m.Addr, m.Size, r.stride)
		if !ok || int64(a.LHS.Type().Width) != 8*m.Size {
			continue
		}
		if r.stride == 0 {
			r.stride, r.typ = p.stride, p.index.Type()
			r.count = min((r.area.Last-r.area.First+1)/r.stride, most(r.typ))
			if r.count == 0 {
				continue
			}
			x.arrays = append(x.arrays, r)
		}
		r.add(cell{offset: p.offset, size: m.Size, v: a.LHS})
	}
}

// most is the number of indices of a type, from 0 on, or the largest number.
func most(t expr.Type) uint64 {
	bits := t.Width
	if t.Signed {
		bits--
	}
	if bits >= 64 {
		return math.MaxUint64
	}
	return 1 << bits
}

// add adds a cell, unless there is one that it overlaps.
func (r *array) add(c cell) {
	for _, o := range r.cells {
		if c.offset < o.offset+uint64(o.size) && o.offset < c.offset+uint64(c.size) {
			return
		}
	}
	r.cells = append(r.cells, c)
}

// cellAt is the cell of a place; nil if it is none.
func (r *array) cellAt(p place, size int64) *cell {
	i := slices.IndexFunc(r.cells, func(c cell) bool { return c.offset == p.offset && c.size == size })
	if i < 0 {
		return nil
	}
	return &r.cells[i]
}

// arrayAt is the array of an area; nil if it is that of none.
func (x *chosen) arrayAt(a *cfa.Area) *array {
	i := slices.IndexFunc(x.arrays, func(r *array) bool { return r.area.First == a.First && r.area.Last == a.Last })
	if i < 0 {
		return nil
	}
	return x.arrays[i]
}

// followed reports whether an area is all of an object, which changes by statements only.
func (x *chosen) followed(a *cfa.Area) bool {
	return !a.Scattered && a.First <= a.Last &&
		!slices.ContainsFunc(x.c.Unrecorded, func(u cfa.Area) bool { return u.First <= a.Last && a.First <= u.Last }) &&
		slices.ContainsFunc(x.c.Objects, func(o cfa.Object) bool {
			return !o.Function && o.Base == a.First && o.Size == a.Last-a.First+1
		})
}

// pair has each array once more, with the other index.
func (x *chosen) pair() {
	for _, r := range x.arrays {
		twin := *r
		twin.cells = slices.Clone(r.cells)
		r.twin = &twin
		x.arrays = append(x.arrays, r.twin)
	}
}

// declare makes the variables.
func (x *chosen) declare(how Choice) {
	for i, r := range x.arrays {
		name := x.nameOf(r)
		for k := range r.cells {
			c := &r.cells[k]
			c.v = x.variable(fmt.Sprintf("__magus_cell_%s_%d", name, c.offset), c.v.Type())
		}
		if how != Apart {
			if k := slices.IndexFunc(x.arrays[:i], func(o *array) bool {
				return o.typ == r.typ && (o.twin == nil) == (r.twin == nil)
			}); k >= 0 {
				r.index, r.flag, r.before = x.arrays[k].index, x.arrays[k].flag, x.arrays[k].before
				continue
			}
		}
		r.index = x.variable("__magus_index_"+name, r.typ)
		r.flag, r.before = x.flagsOf(i, how)
	}
}

// flagsOf are those of an array that has an index of its own: new ones, but where it is the twin of another one.
func (x *chosen) flagsOf(i int, how Choice) (last, before *expr.Expr) {
	if k := slices.IndexFunc(x.arrays[:i], func(o *array) bool { return o.twin == x.arrays[i] }); k >= 0 {
		return x.arrays[k].flag, x.arrays[k].before
	}
	name := x.nameOf(x.arrays[i])
	last = x.variable("__magus_read_last_"+name, expr.Uint8)
	if how == Pair {
		before = x.variable("__magus_read_before_"+name, expr.Uint8)
	}
	return last, before
}

// nameOf is the name of an array in names of variables.
func (x *chosen) nameOf(r *array) string {
	i := slices.IndexFunc(x.c.Objects, func(o cfa.Object) bool { return o.Base == r.area.First && !o.Function })
	return x.c.Objects[i].Name
}

// variable is a new one.
func (x *chosen) variable(name string, t expr.Type) *expr.Expr {
	for n := 0; ; n++ {
		full := name
		if n > 0 {
			full = fmt.Sprintf("%s#%d", name, n)
		}
		if v, ok := x.pool.TryVar(full, t); ok &&
			!slices.ContainsFunc(x.out.Vars, func(o cfa.Var) bool { return o.Expr == v }) {
			x.out.Vars = append(x.out.Vars, cfa.Var{Expr: v, Name: full, Kind: cfa.Temp})
			return v
		}
	}
}

// emit adds a location like another one.
func (x *chosen) emit(like cfa.Loc, s cfa.Stmt, succ ...cfa.Loc) cfa.Loc {
	l := x.c.Locs[like]
	x.out.Locs = append(x.out.Locs, cfa.Location{Stmt: s, Succ: succ, Pos: l.Pos, Frame: l.Frame})
	x.like = append(x.like, like)
	return cfa.Loc(len(x.out.Locs) - 1)
}

// inOrder numbers what was emitted in the order in which control takes it, and says what it was made of.
func (x *chosen) inOrder() {
	first, end := len(x.c.Locs), len(x.out.Locs)
	number := func(l cfa.Loc) cfa.Loc {
		if int(l) < first {
			return l
		}
		return cfa.Loc(first + end - 1 - int(l))
	}
	for l := range x.out.Locs {
		to := slices.Clone(x.out.Locs[l].Succ)
		for i := range to {
			to[i] = number(to[i])
		}
		x.out.Locs[l].Succ = to
	}
	slices.Reverse(x.out.Locs[first:])
	x.out.Entry = number(x.out.Entry)
	if len(x.c.Sight.Origin) == 0 {
		return
	}
	slices.Reverse(x.like)
	x.out.Sight.Origin = slices.Clone(x.c.Sight.Origin)
	for _, l := range x.like {
		x.out.Sight.Origin = append(x.out.Sight.Origin, x.c.Sight.Origin[l])
	}
}

// branch goes on where a condition says; it is no location if the condition is constant.
func (x *chosen) branch(like cfa.Loc, cond *expr.Expr, yes, no cfa.Loc) cfa.Loc {
	switch {
	case cond.IsTrue() || yes == no:
		return yes
	case cond.IsFalse():
		return no
	case cond.Op() == expr.Not:
		return x.branch(like, cond.Args()[0], no, yes)
	}
	return x.emit(like, cfa.Branch{Cond: cond}, yes, no)
}

// put makes a location begin with what was emitted last.
func (x *chosen) put(l, first cfa.Loc) {
	old := x.c.Locs[l]
	x.out.Locs[l] = cfa.Location{Stmt: cfa.Goto{}, Succ: []cfa.Loc{first}, Pos: old.Pos, Frame: old.Frame}
}

// within says of an index whether it is one of the array.
func (x *chosen) within(like cfa.Loc, r *array, index *expr.Expr, yes, no cfa.Loc) cfa.Loc {
	t, p := index.Type(), x.pool
	if r.count < most(t) {
		yes = x.branch(like, p.Lt(index, p.Const(t, r.count)), yes, no)
	}
	return x.branch(like, p.Le(p.Const(t, 0), index), yes, no)
}

// isChosen says of an index that it is the chosen one.
func (x *chosen) isChosen(r *array, index *expr.Expr) *expr.Expr {
	if index.Type() == r.typ {
		return x.pool.Eq(index, r.index)
	}
	return x.pool.Eq(x.pool.Cast(expr.Uint64, index), x.pool.Cast(expr.Uint64, r.index))
}

// read gives the cell, or any value. value is what is known to stand there, or nil.
func (x *chosen) read(l cfa.Loc, a cfa.Assign, value *expr.Expr) {
	next := x.c.Locs[l].Succ[0]
	anything := cfa.Assign{LHS: a.LHS, Nondet: "memory"}
	var r *array
	if len(a.Memory.Areas) == 1 {
		r = x.arrayAt(&a.Memory.Areas[0])
	}
	if r != nil {
		if p, ok := placeOf(x.pool, &r.area, a.Memory.Addr, a.Memory.Size, r.stride); ok {
			if c := r.cellAt(p, a.Memory.Size); c != nil {
				own, any := x.law(l, a, next)
				other := anything
				if value != nil {
					other = cfa.Assign{LHS: a.LHS, RHS: value}
				}
				in := x.noted(l, r, 0, x.emit(l, other, any))
				for _, o := range []*array{r.twin, r} { // the first one's element is asked for first
					if o == nil {
						continue
					}
					here := cfa.Assign{LHS: a.LHS, RHS: x.pool.As(a.LHS.Type(), o.cellAt(p, a.Memory.Size).v)}
					if value != nil {
						here.RHS = value
					}
					in = x.branch(l, x.isChosen(o, p.index), x.noted(l, r, 1, x.emit(l, here, own)), in)
				}
				x.put(l, x.within(l, r, p.index, in, x.emit(l, anything, next)))
				return
			}
		}
	}
	at := x.out.Locs[l]
	at.Stmt = anything
	x.out.Locs[l] = at
}

// noted notes whether a read was at a chosen index.
func (x *chosen) noted(l cfa.Loc, r *array, chosen uint64, next cfa.Loc) cfa.Loc {
	next = x.set(l, r.flag, chosen, next)
	if r.before != nil {
		next = x.emit(l, cfa.Assign{LHS: r.before, RHS: r.flag}, next)
	}
	return next
}

// write changes the cells that a write leads to.
func (x *chosen) write(l cfa.Loc, a cfa.Assign) {
	next := x.c.Locs[l].Succ[0]
	first := next
	for _, r := range x.arrays {
		first = x.change(l, a, r, first)
	}
	if x.heap != nil {
		first = x.changeHeap(l, a, first)
	}
	x.put(l, first)
}

// change changes the cells of one array.
func (x *chosen) change(l cfa.Loc, a cfa.Assign, r *array, next cfa.Loc) cfa.Loc {
	m := a.Memory
	own := len(m.Areas) == 1 && m.Areas[0].First == r.area.First && m.Areas[0].Last == r.area.Last
	if len(m.Areas) > 0 && !own {
		return next
	}
	if own && m.Kind == cfa.Write {
		if p, ok := placeOf(x.pool, &r.area, m.Addr, m.Size, r.stride); ok {
			return x.store(l, a, r, p, next)
		}
	}
	if m.Addr != nil && m.Addr.IsConst() && m.Length == nil && m.Size > 0 {
		first, last := m.Addr.Value(), m.Addr.Value()+uint64(m.Size)-1
		switch {
		case first == r.area.First && last == r.area.Last:
			return x.whole(l, a, r, next)
		case first <= last && (last < r.area.First || r.area.Last < first):
			return next
		}
	}
	for i := range r.cells {
		next = x.overlap(l, a, r, &r.cells[i], own, next)
	}
	return next
}

// whole is an access of all of an array.
func (x *chosen) whole(l cfa.Loc, a cfa.Assign, r *array, next cfa.Loc) cfa.Loc {
	for _, c := range r.cells {
		to := cfa.Assign{LHS: c.v, Nondet: "memory"}
		if a.Memory.Kind == cfa.Fill && a.RHS != nil && a.RHS.Type().Width == 8 {
			to = cfa.Assign{LHS: c.v, RHS: x.repeated(a.RHS, c.v.Type())}
		}
		next = x.emit(l, to, next)
	}
	return next
}

// store is one to an element of an array, or to none, which nothing excludes here.
func (x *chosen) store(l cfa.Loc, a cfa.Assign, r *array, p place, next cfa.Loc) cfa.Loc {
	hit, lost := next, next
	for i := range r.cells {
		c := &r.cells[i]
		if p.offset+uint64(a.Memory.Size) <= c.offset || c.offset+uint64(c.size) <= p.offset {
			continue
		}
		to := cfa.Assign{LHS: c.v, Nondet: "memory"}
		lost = x.emit(l, to, lost)
		if a.RHS != nil && p.offset == c.offset && a.Memory.Size == c.size {
			to = cfa.Assign{LHS: c.v, RHS: x.pool.As(c.v.Type(), a.RHS)}
		}
		hit = x.emit(l, to, hit)
	}
	if hit == next {
		return next
	}
	return x.branch(l, x.isChosen(r, p.index), hit, x.within(l, r, p.index, next, lost))
}

// overlap is an access that may overlap a cell.
func (x *chosen) overlap(l cfa.Loc, a cfa.Assign, r *array, c *cell, own bool, next cfa.Loc) cfa.Loc {
	m, p := a.Memory, x.pool
	lost := x.emit(l, cfa.Assign{LHS: c.v, Nondet: "memory"}, next)
	if m.Addr == nil {
		return lost
	}
	t := m.Addr.Type()
	length := p.Int(t, m.Size)
	switch {
	case m.Length != nil:
		length = p.Cast(t, m.Length)
	case m.Size == 0:
		return lost
	}
	at := p.Add(p.Const(t, r.area.First+c.offset), p.Mul(p.Cast(t, r.index), p.Const(t, r.stride)))
	before, behind := p.Sub(m.Addr, at), p.Sub(at, m.Addr) // of the cell's first byte
	hit := lost
	if own && m.Kind == cfa.Fill && a.RHS != nil && a.RHS.Type().Width == 8 {
		all := x.emit(l, cfa.Assign{LHS: c.v, RHS: x.repeated(a.RHS, c.v.Type())}, next)
		rest := p.Sub(length, behind) // bytes from the cell on
		hit = x.branch(l, p.Le(p.Int(t, c.size), rest), all, lost)
	}
	// It begins within the cell, or before it and reaches it.
	late := x.branch(l, p.Lt(before, p.Int(t, c.size)), lost, next)
	return x.branch(l, p.Lt(behind, length), hit, late)
}

// repeated is a value all of whose bytes are one.
func (x *chosen) repeated(b *expr.Expr, t expr.Type) *expr.Expr {
	p := x.pool
	wide := p.Cast(expr.Uint64, p.Cast(expr.Uint8, b))
	return p.As(t, p.Mul(wide, p.Const(expr.Uint64, 0x0101010101010101)))
}

// errs lets an error happen only where flags are set.
func (x *chosen) errs(l cfa.Loc, s cfa.Act) {
	first := x.emit(l, s, x.c.Locs[l].Succ...)
	halt := x.emit(l, cfa.Halt{Reason: "another element is read last"})
	for i, r := range x.arrays {
		if slices.ContainsFunc(x.arrays[:i], func(o *array) bool { return o.flag == r.flag }) {
			continue
		}
		first = x.branch(l, x.isSet(r.flag), first, halt)
		if r.before != nil {
			first = x.branch(l, x.isSet(r.before), first, halt)
		}
	}
	if x.heap != nil {
		first = x.branch(l, x.isSet(x.heap.flag), first, halt)
	}
	x.put(l, first)
}

// begin gives indices, flags and cells what they begin with.
func (x *chosen) begin() {
	like, first := x.c.Entry, x.c.Entry
	halt := x.emit(like, cfa.Halt{Reason: "no such element"})
	for i, r := range x.arrays {
		for k := range r.cells {
			if v := x.initial(r, &r.cells[k]); v != nil {
				first = x.emit(like, cfa.Assign{LHS: r.cells[k].v, RHS: v}, first)
			}
		}
		if slices.ContainsFunc(x.arrays[:i], func(o *array) bool { return o.index == r.index }) {
			continue
		}
		first = x.set(like, r.flag, 1, first)
		if r.before != nil {
			first = x.set(like, r.before, 1, first)
		}
		widest := *r
		for _, o := range x.arrays {
			if o.index == r.index {
				widest.count = max(widest.count, o.count)
			}
		}
		first = x.within(like, &widest, r.index, first, halt)
	}
	if x.heap != nil {
		first = x.beginHeap(like, first, halt)
	}
	x.out.Entry = first
}

// maxParts bounds the initialised parts of an array that are told apart.
const maxParts = 64

// initial is what a cell begins with; nil for any value.
func (x *chosen) initial(r *array, c *cell) *expr.Expr {
	if !r.area.Static || !r.area.Zero || len(r.area.Initial) > maxParts {
		return nil
	}
	t := c.v.Type()
	v := x.pool.Const(t, 0)
	for _, part := range r.area.Initial {
		from := part.At - r.area.First
		index, offset := from/r.stride, from%r.stride
		if index >= r.count {
			continue
		}
		if offset+uint64(part.Size) <= c.offset || c.offset+uint64(c.size) <= offset && offset+uint64(part.Size) <= r.stride {
			continue
		}
		if offset != c.offset || part.Size != c.size || part.Value == nil || !part.Value.IsConst() || part.At < r.area.First {
			return nil
		}
		v = x.pool.Ite(x.pool.Eq(r.index, x.pool.Const(r.typ, index)), x.pool.As(t, part.Value), v)
	}
	return v
}
