package sat

import "math"

// The clause store: all clauses lie one after the other in one slice, so that
// propagation walks memory in order and the garbage collector sees one object.
//
// A clause is header words and then its literals:
//
//	[size] [lbd<<2 | deleted<<1 | learned] [activity, a float32] [lit]*size
//
// A cref is the offset of the first header word.

// A cref refers to a clause.
type cref uint32

const (
	crefNone cref = math.MaxUint32
	// binaryMark is set in watches of clauses of two literals; their blocker
	// is the other literal, so that the clause itself is not read.
	binaryMark cref = 1 << 31
	headWords       = 3
)

const (
	flagLearned = 1
	flagDeleted = 2
	lbdShift    = 2
)

type arena struct {
	mem    []uint32
	wasted int // words of deleted clauses
}

func (a *arena) alloc(lits []Lit, learned bool, lbd int) cref {
	c := cref(len(a.mem))
	if len(a.mem)+headWords+len(lits) >= int(binaryMark) {
		panic("sat: clause store is full")
	}
	flags := uint32(lbd) << lbdShift
	if learned {
		flags |= flagLearned
	}
	a.mem = append(a.mem, uint32(len(lits)), flags, 0)
	for _, l := range lits {
		a.mem = append(a.mem, uint32(l))
	}
	return c
}

func (a *arena) size(c cref) int     { return int(a.mem[c]) }
func (a *arena) learned(c cref) bool { return a.mem[c+1]&flagLearned != 0 }
func (a *arena) deleted(c cref) bool { return a.mem[c+1]&flagDeleted != 0 }
func (a *arena) lbd(c cref) int      { return int(a.mem[c+1] >> lbdShift) }

func (a *arena) setLBD(c cref, lbd int) {
	a.mem[c+1] = a.mem[c+1]&(1<<lbdShift-1) | uint32(lbd)<<lbdShift
}

func (a *arena) activity(c cref) float32       { return math.Float32frombits(a.mem[c+2]) }
func (a *arena) setActivity(c cref, f float32) { a.mem[c+2] = math.Float32bits(f) }

// lits are the literals' words; they alias the store.
func (a *arena) lits(c cref) []uint32 {
	return a.mem[c+headWords : c+headWords+cref(a.mem[c])]
}

// copyLits appends the literals to out.
func (a *arena) copyLits(out []Lit, c cref) []Lit {
	for _, l := range a.lits(c) {
		out = append(out, Lit(l))
	}
	return out
}

func (a *arena) free(c cref) {
	a.mem[c+1] |= flagDeleted
	a.wasted += headWords + a.size(c)
}

// move copies clause c into b.
func (a *arena) move(c cref, b *arena) cref {
	d := cref(len(b.mem))
	b.mem = append(b.mem, a.mem[c:int(c)+headWords+a.size(c)]...)
	return d
}
