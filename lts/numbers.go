package lts

// numbers numbers tuples of states in the order in which they are first seen. Tuples that fit are packed into
// 64 bits (keys.go) and found by a hash table. Once a good part of all tuples was seen, a table of all of
// them takes its place, which says of each its number.
//
// Memory: a state takes 8 bytes and those of the table, which are 6 to 12, or 4 for each tuple that there might be.
type numbers struct {
	keys   *keyer
	hashed *tuples[uint64] // packed tuples; nil if there is a table, or they are not packed
	packed pages[uint64]   // by number, if there is a table
	table  []State         // by packed tuple: number + 1
	bits   uint8           // of packed tuples
}

// A table has up to 2^tableBits places, and is made when one in tablePart of them would be in use.
const (
	tableBits = 28
	tablePart = 8
)

func newNumbers(ms []*LTS) numbers {
	n := numbers{keys: newKeyer(ms, nil)}
	if n.keys.interned == nil {
		n.bits, n.hashed = n.keys.specShift, newTuples[uint64](1)
	}
	return n
}

// insert returns the number of a tuple.
func (n *numbers) insert(q []State) State {
	key := n.keys.key(q, 0)
	switch {
	case n.keys.interned != nil:
		return State(key)
	case n.hashed != nil:
		k, isNew := n.hashed.insert([]uint64{key})
		if isNew && n.bits <= tableBits && tablePart*n.hashed.count >= 1<<n.bits {
			n.tabulate()
		}
		return State(k)
	case n.table[key] == 0:
		n.packed.add(key)
		n.table[key] = State(n.packed.count)
	}
	return n.table[key] - 1
}

// tabulate puts a table in the place of the hash table.
func (n *numbers) tabulate() {
	n.table = make([]State, 1<<n.bits)
	for _, key := range n.hashed.flat {
		n.packed.add(key)
		n.table[key] = State(n.packed.count)
	}
	n.hashed = nil
}

// tuple writes the tuple of a number to q.
func (n *numbers) tuple(s State, q []State) {
	switch {
	case n.keys.interned != nil:
		n.keys.tuple(uint64(s), q)
	case n.hashed != nil:
		n.keys.tuple(n.hashed.at(int32(s))[0], q)
	default:
		n.keys.tuple(n.packed.at(int(s)), q)
	}
}

func (n *numbers) count() int {
	switch {
	case n.keys.interned != nil:
		return n.keys.interned.count
	case n.hashed != nil:
		return n.hashed.count
	}
	return n.packed.count
}

func (n *numbers) bytes() int64 {
	bytes := n.keys.bytes() + n.packed.bytes() + bytesOf(n.table)
	if n.hashed != nil {
		bytes += n.hashed.bytes()
	}
	return bytes
}
