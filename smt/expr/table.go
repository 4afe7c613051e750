package expr

// Hash-consing: terms that are written alike are one term. The table is open addressing with linear probing over
// the terms themselves, so asking for a term that is there allocates nothing, and all operands take part in the
// comparison, however many there are. Each slot keeps the hash of its term, which is compared first. At most half of
// the slots are taken.
//
// Source: J.-C. Filliâtre, S. Conchon, Type-safe modular hash-consing, ML 2006; terms are never removed here.
// Cost: constant for a term on average, and its operands are looked at twice.

// A table finds terms by their structure. Variables are not in it: they are found by their names.
type table struct {
	slots []slot // their number is 0 or a power of two
	count int
}

type slot struct {
	hash uint64
	term *Expr // nil where the slot is free
}

const leastSlots = 64

// hashOf mixes what a term consists of.
func hashOf(op Op, t Type, val uint64, args []*Expr) uint64 {
	const prime = 0x9E3779B97F4A7C15 // 2^64 by the golden ratio
	h := uint64(op) | uint64(t.Width)<<16 | uint64(t.Exp)<<24
	if t.Signed {
		h |= 1 << 32
	}
	h = (h ^ val*prime) * prime
	for _, a := range args {
		h = (h ^ h>>29 ^ uint64(a.id)) * prime
	}
	return h ^ h>>32
}

// is reports whether e is the term of that structure.
func (e *Expr) is(op Op, t Type, val uint64, args []*Expr) bool {
	if e.op != op || e.typ != t || e.val != val || len(e.args) != len(args) {
		return false
	}
	for i, a := range args {
		if e.args[i] != a {
			return false
		}
	}
	return true
}

// find is the term of that structure, or nil.
func (t *table) find(hash uint64, op Op, typ Type, val uint64, args []*Expr) *Expr {
	if len(t.slots) == 0 {
		return nil
	}
	mask := uint64(len(t.slots) - 1)
	for i := hash & mask; t.slots[i].term != nil; i = (i + 1) & mask {
		if s := &t.slots[i]; s.hash == hash && s.term.is(op, typ, val, args) {
			return s.term
		}
	}
	return nil
}

// add adds a term that is not there.
func (t *table) add(hash uint64, e *Expr) {
	if 2*(t.count+1) > len(t.slots) {
		old := t.slots
		t.slots = make([]slot, max(leastSlots, 2*len(old)))
		for _, s := range old {
			if s.term != nil {
				t.put(s)
			}
		}
	}
	t.put(slot{hash, e})
	t.count++
}

// put puts a slot's content where it is found.
func (t *table) put(s slot) {
	mask := uint64(len(t.slots) - 1)
	i := s.hash & mask
	for t.slots[i].term != nil {
		i = (i + 1) & mask
	}
	t.slots[i] = s
}
