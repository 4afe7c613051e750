package interp

// Memory without variables, on one run.
//
// Idea: what a run reads and writes there is recorded, one access after the other.
// A value that is read is one that the program may read if each of its bytes is
// the last that was written or read there, or was neither and the memory may begin
// with it. All other values are tainted: they are the automaton's, but perhaps
// not the program's. Values are not computed from the record, for they are chosen
// for the run; the record only says which to believe.
//
// Source: ours. Cost: a read goes back through the record.

import (
	"magus/cfa"
	"magus/smt/expr"
)

// An access is one that a run has made.
type access struct {
	kind  cfa.AccessKind
	addr  uint64
	size  uint64 // 0: without end
	val   uint64
	taint int32
}

// covers says which byte of the access stands at an address.
func (a *access) covers(addr uint64) (at uint64, ok bool) {
	at = addr - a.addr
	return at, addr >= a.addr && (a.size == 0 || at < a.size)
}

// byteAt is the byte that an access has left at a place in it.
func (a *access) byteAt(at uint64) uint64 {
	if a.kind == cfa.Fill {
		return a.val & 0xff
	}
	return a.val >> (8 * at) & 0xff
}

// remember makes an assignment's access to memory without variables, and gives the
// taint of the value that the variable has, which is taint so far.
func (s *State) remember(stmt cfa.Assign, p *laidOut, taint int32) int32 {
	m := stmt.Memory
	here := int32(s.loc) + 1
	a := access{kind: m.Kind, size: uint64(m.Size), val: s.vals[p.lhs], taint: taint}
	where := int32(0)
	if p.addr != nil {
		a.addr = p.addr.eval(s.vals)
		where = s.origin(p.addr)
	}
	if p.length != nil {
		a.size = p.length.eval(s.vals)
		if a.size == 0 && where == 0 && s.origin(p.length) == 0 {
			return taint
		}
		where = max(where, s.origin(p.length))
	}
	switch {
	case m.Kind == cfa.Read && where != 0:
		return where
	case where != 0:
		a = access{kind: cfa.Forget, taint: where}
	case m.Kind == cfa.Read:
		a.taint = s.believed(m, a, here)
	case m.Kind == cfa.Forget:
		a.taint = here
	}
	value := a.taint
	if s.late && m.Kind != cfa.Read {
		a.taint = here
	}
	s.memory = append(s.memory, a)
	return value
}

// believed is the taint of a value that is read.
func (s *State) believed(m *cfa.Access, read access, here int32) int32 {
	area := m.AreaAt(read.addr, m.Size)
	if area == nil {
		return here
	}
	for i := range read.size {
		if t := s.believedByte(area, read, i, here); t != 0 {
			return t
		}
	}
	return 0
}

func (s *State) believedByte(area *cfa.Area, read access, i uint64, here int32) int32 {
	want := read.byteAt(i)
	for k := len(s.memory) - 1; k >= 0; k-- {
		old := &s.memory[k]
		at, ok := old.covers(read.addr + i)
		switch {
		case !ok:
			continue
		case old.taint != 0:
			return old.taint
		case area.Scattered && old.kind != cfa.Fill && (old.addr != read.addr || old.size != read.size),
			old.byteAt(at) != want:
			return here
		}
		return 0
	}
	for _, part := range area.Initial {
		if at := read.addr + i - part.At; read.addr+i >= part.At && at < uint64(part.Size) {
			if part.Value == nil || expr.Eval(part.Value, func(*expr.Expr) uint64 { return 0 })>>(8*at)&0xff != want {
				return here
			}
			return 0
		}
	}
	if area.Zero && want != 0 {
		return here
	}
	return 0
}
