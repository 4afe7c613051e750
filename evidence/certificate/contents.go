package certificate

// Memory without variables, byte by byte.
//
// Idea: a run may rest on a value that it reads there only if the program would
// read it. Each byte that the run has read or written is kept with the access that
// it belongs to; a byte that it has not may be what the memory begins with.
//
// Source: docs/semantics.md. It is written from that and not from cfa/interp.
// Cost: linear in the bytes accessed.

import (
	"magus/cfa"
	"magus/smt/expr"
)

// contents are what is known of memory without variables.
type contents struct {
	known map[uint64]knownByte
	// lost are ranges whose contents nobody knows, with the number of accesses
	// before; a byte accessed later is known again.
	lost  []lostRange
	count int
}

type knownByte struct {
	value, start, size uint64
	tainted, filled    bool
	when               int
}

type lostRange struct {
	first, size uint64 // size 0: no end
	filled      bool   // with value
	value       byte
	when        int
}

func newContents() contents { return contents{known: map[uint64]knownByte{}} }

// A touch is an access with its address.
type touch struct {
	*cfa.Access
	addr, size uint64
	unsure     bool // the address is not modelled
}

// touch is where an access is, before its assignment is made.
func (x *execution) touch(a *cfa.Access, isTainted func(*expr.Expr) bool) *touch {
	t := &touch{Access: a, size: uint64(a.Size)}
	value := func(v *expr.Expr) uint64 { return x.values[v] }
	if a.Addr != nil {
		t.addr = expr.Eval(a.Addr, value)
		t.unsure = anyTainted(a.Addr, isTainted)
	}
	if a.Length != nil {
		t.size = expr.Eval(a.Length, value)
		t.unsure = t.unsure || anyTainted(a.Length, isTainted)
	}
	return t
}

func anyTainted(e *expr.Expr, isTainted func(*expr.Expr) bool) bool {
	for _, v := range expr.Vars(e) {
		if isTainted(v) {
			return true
		}
	}
	return false
}

// apply makes an access whose value is given, and tells whether the value is tainted.
func (b *contents) apply(t *touch, value uint64, tainted bool) bool {
	b.count++
	if t.Length != nil && t.size == 0 && !t.unsure {
		return tainted
	}
	switch {
	case t.Kind == cfa.Read && t.unsure:
		return true
	case t.Kind == cfa.Read:
		tainted = !b.agrees(t, value)
	case t.unsure || t.Kind == cfa.Forget && t.Addr == nil || t.Kind == cfa.Fill && tainted:
		b.lost = append(b.lost, lostRange{when: b.count})
		return tainted
	case t.Kind == cfa.Forget:
		b.lost = append(b.lost, lostRange{first: t.addr, size: t.size, when: b.count})
		return tainted
	case t.Kind == cfa.Fill:
		b.lost = append(b.lost, lostRange{first: t.addr, size: t.size, filled: true, value: byte(value), when: b.count})
		return tainted
	}
	for i := range t.size {
		b.known[t.addr+i] = knownByte{value >> (8 * i) & 0xff, t.addr, t.size, tainted, false, b.count}
	}
	return tainted
}

// agrees reports whether the program may read a value.
func (b *contents) agrees(t *touch, value uint64) bool {
	area := t.AreaAt(t.addr, t.Size)
	if area == nil {
		return false
	}
	for i := range t.size {
		k, isKnown := b.at(t.addr + i)
		switch {
		case isKnown && (k.tainted || k.value != value>>(8*i)&0xff):
			return false
		case isKnown && area.Scattered && !k.filled && (k.start != t.addr || k.size != t.size):
			return false
		case !isKnown && !begins(area, t.addr+i, value>>(8*i)&0xff):
			return false
		}
	}
	return true
}

// at is what is known of a byte.
func (b *contents) at(addr uint64) (knownByte, bool) {
	k, ok := b.known[addr]
	for _, l := range b.lost {
		if l.when > k.when && addr >= l.first && (l.size == 0 || addr-l.first < l.size) {
			k, ok = knownByte{value: uint64(l.value), tainted: !l.filled, filled: l.filled, when: l.when}, true
		}
	}
	return k, ok
}

// begins reports whether a byte of an area may begin with a value.
func begins(area *cfa.Area, addr, value uint64) bool {
	for _, p := range area.Initial {
		if addr >= p.At && addr-p.At < uint64(p.Size) {
			return p.Value != nil && p.Value.IsConst() && p.Value.Value()>>(8*(addr-p.At))&0xff == value
		}
	}
	return !area.Zero || value == 0
}
