package lower

// Stores to bit-fields that other threads may see.
//
// Idea: where there are threads, a store to a bit-field reads its neighbours in one piece, and then writes them and
// the bit-field in one piece, as the machine does: what another thread has written to a neighbour in between is lost.
// Neither piece is an atomic operation. Where data races are asked for, the neighbours are all of the memory location.
//
// Cost: a read and a write more for each neighbour.

import (
	"magus/cfa"
	"magus/cfa/source"

	"modernc.org/cc/v4"
)

// neighbours are the lvalues that a store to one reads and writes besides.
func (l *accesses) neighbours(p lvalue) []lvalue {
	if p.field == nil || !l.threading.concurrent() {
		return nil
	}
	with := l.prog.Layouts.StoredWith(p.field)
	if l.opt.Races {
		with = source.Location(p.field)
	}
	var all []lvalue
	for _, f := range with {
		if f != p.field {
			all = append(all, l.neighbour(p, f))
		}
	}
	return all
}

// neighbour is another bit-field of the record that a bit-field is in.
func (l *accesses) neighbour(p lvalue, f *cc.Field) lvalue {
	at := 8*p.Off + p.bits + l.prog.Layouts.Offset(f) - l.prog.Layouts.Offset(p.field)
	p.Off, p.bits = (at-at&7)/8, at&7
	p.typ, p.t, p.field = f.Type(), l.bitField(f), f
	return p
}

// writeAmong stores a value in an lvalue that is stored to together with its neighbours.
func (l *accesses) writeAmong(p lvalue, v value, around []lvalue, n cc.Node, pos cfa.Pos) {
	before := make([]value, len(around))
	l.inOneAccess(pos, func() {
		for i, q := range around {
			before[i] = l.read(q, n)
		}
	})
	l.inOneAccess(pos, func() {
		l.put(p, v, n, pos)
		for i, q := range around {
			l.put(q, before[i], n, pos)
		}
	})
}

// inOneAccess writes what do does as one access, which is not atomic.
func (l *accesses) inOneAccess(pos cfa.Pos, do func()) {
	if l.Dead() {
		return
	}
	l.Emit(cfa.Atomic{Begin: true, Plain: true}, pos)
	if do(); !l.Dead() {
		l.Emit(cfa.Atomic{}, pos)
	}
}
