package interp

// The only run of an automaton.
//
// Idea: a program without inputs has one run, and to execute it is to know all of them. A variable is determined
// where all runs that come here by the same statements have the same value in it: what is computed from determined
// values is determined, and any value is not. As long as each branch is decided by determined values there is one
// way for all runs. A branch that is not may have a side on which runs end at once, as where an assumption fails:
// nothing happens there, and all others go on alike. Memory without variables is followed byte by byte: what was
// written there is determined if its address and its value are.
//
// LAW: all that changes such memory is a statement with an Access, as in package cells. So the automaton is one that
// records them (lower.Options.Recorded), where it reads any; what [cfa.CFA.Unrecorded] has is never determined.
//
// Source: constant propagation along one path, that is concrete execution (King: Symbolic Execution and Program
// Testing, CACM 19(7), 1976, section 2). Cost: linear in the steps; a page of memory for each 256 bytes written.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/smt/expr"
)

// An Only is the only run of an automaton, as far as there is one. It is used by one goroutine at a time.
type Only struct {
	m      *Machine
	loc    cfa.Loc
	end    OnlyEnd
	vals   []uint64
	known  []bool
	taken  [][2]bool // by location: the successors that were taken
	bytes  bytes
	whole  map[*cfa.Area]bool
	steps  int64
	picked uint64 // a value that was just found out
	// Watch, if it is not nil, sees each statement once it was executed: where it stands and the number of the
	// successor to which the run goes.
	Watch func(at cfa.Loc, successor int)
}

// An OnlyEnd is where the only run is.
type OnlyEnd int

// The ends of the only run; GoesOn is the zero value.
const (
	GoesOn     OnlyEnd = iota
	Over               // it returns, or ends otherwise
	Errs               // it performs the action error
	CutOff             // it comes to a call that is not followed, or to what is not modelled
	NotDecided         // what is next depends on a value that is not determined
)

// Only is the only run at its beginning, where nothing is determined. The automaton has no threads.
func (m *Machine) Only() *Only {
	return &Only{m: m, loc: m.cfa.Entry, vals: make([]uint64, len(m.vars)), known: make([]bool, len(m.vars)),
		taken: make([][2]bool, len(m.locs)), bytes: bytes{pages: map[uint64]*page{}}, whole: map[*cfa.Area]bool{}}
}

// Steps is how many statements were executed.
func (o *Only) Steps() int64 { return o.steps }

// Value is what a variable of the automaton has; 0 where it is not determined.
func (o *Only) Value(v *expr.Expr) uint64 { return o.vals[o.m.index[v]] }

// At is the location of the statement that is next, or at which the run is at its end.
func (o *Only) At() cfa.Loc { return o.loc }

// Took reports whether the run has gone from a location to its successor of that number; of one without
// successors, whether it has come there.
func (o *Only) Took(l cfa.Loc, successor int) bool { return o.taken[l][successor] }

// Advance executes so many statements more, or fewer if there is an end. The error is that of ctx.
func (o *Only) Advance(ctx context.Context, steps int64) (OnlyEnd, error) {
	for last := o.steps + steps; o.end == GoesOn && o.steps < last; {
		if o.steps%4096 == 0 && ctx.Err() != nil {
			return o.end, context.Cause(ctx)
		}
		o.step()
	}
	return o.end, nil
}

// step executes the statement at the current location.
func (o *Only) step() {
	p, next := &o.m.locs[o.loc], 0
	switch s := p.stmt.(type) {
	case cfa.Goto:
	case cfa.Assign:
		o.assign(&s, p)
	case cfa.Branch:
		switch {
		case o.determined(p.val):
			if p.val.eval(o.vals) == 0 {
				next = 1
			}
		case o.halts(p.succ[1]):
		case o.halts(p.succ[0]):
			next = 1
		default:
			o.end = NotDecided
			return
		}
	case cfa.Act:
		switch s.Action {
		case cfa.ErrorAction:
			o.end = Errs
			return
		case o.m.cfa.Cut, o.m.cfa.Skip:
			o.end = CutOff
			return
		}
	case cfa.Return, cfa.Halt:
		o.end = Over
	default: // what a call comes to is not the automaton's matter
		o.end = NotDecided
		return
	}
	o.taken[o.loc][next] = true
	o.steps++
	if o.Watch != nil {
		o.Watch(o.loc, next)
	}
	if o.end == GoesOn {
		o.loc = p.succ[next]
	}
}

// halts reports whether a run ends at a location, or behind statements that do nothing.
func (o *Only) halts(at cfa.Loc) bool {
	for range o.m.locs {
		switch p := &o.m.locs[at]; p.stmt.(type) {
		case cfa.Halt:
			return true
		case cfa.Goto:
			at = p.succ[0]
		default:
			return false
		}
	}
	return false
}

// determined reports whether all variables of a term are.
func (o *Only) determined(c *code) bool {
	for _, v := range c.vars {
		if !o.known[v] {
			return false
		}
	}
	return true
}

// assign gives a variable its value, and memory without variables what is written there.
func (o *Only) assign(s *cfa.Assign, p *laidOut) {
	known := false
	switch {
	case p.val != nil:
		if known = s.Approx == "" && o.determined(p.val); known {
			o.picked = p.val.eval(o.vals)
		}
	case p.when != nil && p.value != nil && o.determined(p.when) && o.determined(p.value) && p.when.eval(o.vals) != 0:
		known, o.picked = true, p.value.eval(o.vals)
	case s.Memory != nil && s.Memory.Kind == cfa.Read:
		known = o.read(s.Memory, p)
	}
	if o.known[p.lhs] = known; !known {
		o.picked = 0
	}
	o.vals[p.lhs] = cut(s.LHS.Type(), o.picked)
	if s.Memory != nil {
		o.write(s.Memory, p)
	}
}

// read finds out what is read, and reports whether that is determined.
func (o *Only) read(m *cfa.Access, p *laidOut) bool {
	if p.addr == nil || m.Size < 1 || m.Size > 8 || !o.determined(p.addr) {
		return false
	}
	addr := p.addr.eval(o.vals)
	area := m.AreaAt(addr, m.Size)
	if area == nil || !o.isWhole(area) {
		return false
	}
	o.picked = 0
	for i := range uint64(m.Size) {
		b, known := o.bytes.at(addr + i)
		if !known {
			if b, known = o.initial(area, addr+i); !known {
				return false
			}
		}
		o.picked |= uint64(b) << (8 * i)
	}
	return true
}

// initial is what a byte of an area begins with, if nobody has changed it.
func (o *Only) initial(area *cfa.Area, addr uint64) (value byte, known bool) {
	if !o.bytes.untouched(addr) {
		return 0, false
	}
	for _, part := range area.Initial {
		if at := addr - part.At; addr >= part.At && at < uint64(part.Size) {
			if part.Value == nil || !part.Value.IsConst() {
				return 0, false
			}
			return byte(part.Value.Value() >> (8 * at)), true
		}
	}
	return 0, area.Zero
}

// isWhole reports whether an area is all of an object, which changes by statements only.
func (o *Only) isWhole(a *cfa.Area) bool {
	is, asked := o.whole[a]
	if !asked {
		is = !a.Scattered && a.First <= a.Last &&
			!slices.ContainsFunc(o.m.cfa.Unrecorded, func(u cfa.Area) bool {
				return u.First <= a.Last && a.First <= u.Last
			}) &&
			slices.ContainsFunc(o.m.cfa.Objects, func(b cfa.Object) bool {
				return !b.Function && b.Base == a.First && b.Size == a.Last-a.First+1
			})
		o.whole[a] = is
	}
	return is
}

// write changes memory as a statement says, whose variable has its value.
func (o *Only) write(m *cfa.Access, p *laidOut) {
	if m.Kind == cfa.Read || m.Kind == cfa.Give {
		return
	}
	if p.addr == nil || !o.determined(p.addr) || p.length != nil && !o.determined(p.length) {
		o.bytes.forgetAll()
		return
	}
	addr, size := p.addr.eval(o.vals), uint64(m.Size)
	if p.length != nil {
		if size = p.length.eval(o.vals); size == 0 {
			return
		}
	}
	if size == 0 || size > maxFilled {
		o.bytes.forgetAll()
		return
	}
	known := m.Kind != cfa.Forget && o.known[p.lhs]
	for i := range size {
		at := i
		if m.Kind == cfa.Fill {
			at = 0
		}
		o.bytes.set(addr+i, byte(o.vals[p.lhs]>>(8*at)), known && at < 8)
	}
}

// maxFilled is the number of bytes that one statement changes at most, beyond which all memory is not determined.
const maxFilled = 1 << 22

// bytes are what is known of memory without variables.
type bytes struct {
	pages map[uint64]*page
	// forgotten says that any byte may have changed before pages was made.
	forgotten bool
}

const pageSize = 256

// A page is so many bytes of memory.
type page struct {
	values  [pageSize]byte
	changed [pageSize]bool
	known   [pageSize]bool
}

func (b *bytes) forgetAll() { b.pages, b.forgotten = map[uint64]*page{}, true }

// at is the byte that was written at an address, if that is known.
func (b *bytes) at(addr uint64) (byte, bool) {
	p := b.pages[addr/pageSize]
	if p == nil {
		return 0, false
	}
	return p.values[addr%pageSize], p.known[addr%pageSize]
}

// untouched reports whether nobody has changed a byte.
func (b *bytes) untouched(addr uint64) bool {
	p := b.pages[addr/pageSize]
	return !b.forgotten && (p == nil || !p.changed[addr%pageSize])
}

func (b *bytes) set(addr uint64, value byte, known bool) {
	p := b.pages[addr/pageSize]
	if p == nil {
		p = &page{}
		b.pages[addr/pageSize] = p
	}
	i := addr % pageSize
	p.values[i], p.changed[i], p.known[i] = value, true, known
}
