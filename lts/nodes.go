package lts

import "unsafe"

// node is a pair of an impl tuple and what is known of spec, met by a search.
type node struct {
	key      uint64 // the tuple, and the spec state where that is part of keys
	spec     int32  // what is known of spec, in the observer's numbering
	parent   int32  // the node it was met from; none for the first
	action   Action // the action that led here from parent
	observed uint32 // cost: observed actions from the start
	steps    uint32 // cost: all actions from the start
	next     int32  // the next node in the list of its key; none; or dominated
}

// Values of node.next that are not a node.
const (
	none      = -1
	dominated = -2 // removed from its list: a better node is there
)

func (n *node) cheaperOrEqual(m *node) bool {
	return n.observed < m.observed || n.observed == m.observed && n.steps <= m.steps
}

// nodes stores nodes in the order they are added, and finds the list of undominated nodes of a key.
// The lists are found by open addressing with linear probing. A search spends its time waiting for
// memory, so a look-up that succeeds touches one slot and one node: nodes are half a cache line,
// contain the key, and never move; a slot contains 32 bits of the key's hash.
// Memory: 32 bytes a node and 12 to 24 bytes a key.
type nodes struct {
	pages []*nodePage
	count int
	slots []uint64 // 0, or the key's tag and the first node of its list plus 1
	keys  int      // invariant: at most two thirds of the slots are in use
}

const (
	pageBits = 10
	pageSize = 1 << pageBits
)

type nodePage [pageSize]node

func newNodes() *nodes { return &nodes{slots: make([]uint64, initialSlots)} }

// at returns node id; the pointer stays valid.
func (t *nodes) at(id int32) *node {
	return &t.pages[uint32(id)>>pageBits][uint32(id)%pageSize]
}

// add stores a node without putting it in a list.
func (t *nodes) add(n node) int32 {
	if t.count%pageSize == 0 {
		t.pages = append(t.pages, new(nodePage))
	}
	id := int32(t.count)
	t.count++
	*t.at(id) = n
	return id
}

func (t *nodes) bytes() int64 {
	return int64(len(t.pages))*int64(unsafe.Sizeof(nodePage{})) + bytesOf(t.pages) + bytesOf(t.slots)
}

func tagOf(key uint64) uint32 { return uint32(mix(key) >> 32) }

// find returns the slot of key's list, or the empty slot where it belongs, and the first node or none.
func (t *nodes) find(key uint64) (slot int, head int32) {
	tag := tagOf(key)
	mask := uint32(len(t.slots) - 1)
	for i := tag & mask; ; i = (i + 1) & mask {
		v := t.slots[i]
		if v == 0 {
			return int(i), none
		}
		if uint32(v>>32) == tag {
			head := int32(uint32(v)) - 1
			if n := t.at(head); n.key == key {
				if n.next == dominated {
					head = none // the list has become empty
				}
				return int(i), head
			}
		}
	}
}

// setHead makes head the first node of key's list, which find said is at slot.
func (t *nodes) setHead(slot int, key uint64, head int32) {
	isNew := t.slots[slot] == 0
	t.slots[slot] = uint64(tagOf(key))<<32 | uint64(head+1)
	if isNew {
		t.keys++
		if 3*t.keys > 2*len(t.slots) {
			t.grow()
		}
	}
}

func (t *nodes) grow() {
	old := t.slots
	t.slots = make([]uint64, 2*len(old))
	mask := uint32(len(t.slots) - 1)
	for _, v := range old {
		if v == 0 {
			continue
		}
		i := uint32(v>>32) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = v
	}
}
