package lts

// tuples numbers tuples of numbers, all of one length, in the order they are first seen. It is an
// open-addressing hash table with linear probing over one flat array, so a tuple costs its numbers and
// about 6 to 12 bytes, and no allocation of its own.
//
// A table that grows keeps the old slots beside the new ones, and each insert moves a few tuples, so that no
// insert takes long: moving hundreds of millions at once took longer than a context may be left alone.
type tuples[T uint32 | uint64] struct {
	width  int
	flat   []T     // tuple k is flat[k*width:(k+1)*width]
	slots  []int32 // tuple number + 1, or 0; the length is a power of two, at most 2/3 in use
	count  int
	old    []int32 // the slots before, while some of their tuples are not in slots
	moved  int     // tuples below are in slots
	before int     // how many there were when slots grew
}

const initialSlots = 1 << 8

// movedAtOnce is how many tuples an insert moves. The number of tuples doubles until the next growth, by when
// all have to be moved.
const movedAtOnce = 4

func newTuples[T uint32 | uint64](width int) *tuples[T] {
	return &tuples[T]{width: width, slots: make([]int32, initialSlots)}
}

// at returns tuple k; it is valid until the next insert.
func (t *tuples[T]) at(k int32) []T {
	i := int(k) * t.width
	return t.flat[i : i+t.width : i+t.width]
}

// insert returns the number of the tuple and whether it is new.
func (t *tuples[T]) insert(tuple []T) (k int32, isNew bool) {
	if t.old != nil {
		t.move()
	}
	hash := hashNumbers(tuple)
	k, i := t.find(t.slots, hash, tuple)
	if k < 0 && t.old != nil {
		k, _ = t.find(t.old, hash, tuple)
	}
	if k >= 0 {
		return k, false
	}
	k = int32(t.count)
	t.count++
	t.flat = append(t.flat, tuple...)
	t.slots[i] = k + 1
	if 3*t.count > 2*len(t.slots) {
		t.grow()
	}
	return k, true
}

// lookup returns the number of a tuple, if it is there.
func (t *tuples[T]) lookup(tuple []T) (k int32, ok bool) {
	hash := hashNumbers(tuple)
	k, _ = t.find(t.slots, hash, tuple)
	if k < 0 && t.old != nil {
		k, _ = t.find(t.old, hash, tuple)
	}
	return k, k >= 0
}

// find returns the number of a tuple, or -1 and the slot where it belongs.
func (t *tuples[T]) find(slots []int32, hash uint64, tuple []T) (k int32, slot uint64) {
	mask := uint64(len(slots) - 1)
	i := hash & mask
	for ; slots[i] != 0; i = (i + 1) & mask {
		if k := slots[i] - 1; t.equal(k, tuple) {
			return k, i
		}
	}
	return -1, i
}

func (t *tuples[T]) equal(k int32, tuple []T) bool {
	for i, s := range t.flat[int(k)*t.width:][:t.width] {
		if s != tuple[i] {
			return false
		}
	}
	return true
}

func (t *tuples[T]) bytes() int64 { return bytesOf(t.flat) + bytesOf(t.slots) + bytesOf(t.old) }

// grow doubles the slots. Those before have all been moved by then.
func (t *tuples[T]) grow() {
	t.old, t.slots = t.slots, make([]int32, 2*len(t.slots))
	t.moved, t.before = 0, t.count
}

// move moves the next tuples.
func (t *tuples[T]) move() {
	mask := uint64(len(t.slots) - 1)
	for range movedAtOnce {
		if t.moved == t.before {
			t.old = nil
			return
		}
		i := hashNumbers(t.at(int32(t.moved))) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.moved++
		t.slots[i] = int32(t.moved)
	}
}
