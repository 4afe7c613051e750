package lts

// tuples numbers tuples of numbers, all of one length, in the order they are first seen. It is an
// open-addressing hash table with linear probing over one flat array, so a tuple costs its numbers and
// about 6 to 12 bytes, and no allocation of its own.
type tuples[T uint32 | uint64] struct {
	width int
	flat  []T     // tuple k is flat[k*width:(k+1)*width]
	slots []int32 // tuple number + 1, or 0; the length is a power of two, at most 2/3 in use
	count int
}

const initialSlots = 1 << 8

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
	mask := uint64(len(t.slots) - 1)
	i := hashNumbers(tuple) & mask
	for ; t.slots[i] != 0; i = (i + 1) & mask {
		k := t.slots[i] - 1
		if t.equal(k, tuple) {
			return k, false
		}
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

func (t *tuples[T]) equal(k int32, tuple []T) bool {
	for i, s := range t.flat[int(k)*t.width:][:t.width] {
		if s != tuple[i] {
			return false
		}
	}
	return true
}

func (t *tuples[T]) bytes() int64 { return bytesOf(t.flat) + bytesOf(t.slots) }

func (t *tuples[T]) grow() {
	t.slots = make([]int32, 2*len(t.slots))
	mask := uint64(len(t.slots) - 1)
	for k := range int32(t.count) {
		i := hashNumbers(t.at(k)) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = k + 1
	}
}
