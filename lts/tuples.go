package lts

// tuples numbers tuples of states in the order they are first seen. It is an open-addressing hash
// table with linear probing over one flat array, so a tuple costs 4·width + about 6 to 12 bytes and
// no allocation of its own.
type tuples struct {
	width int
	flat  []State // tuple k is flat[k*width:(k+1)*width]
	slots []int32 // tuple number + 1, or 0; the length is a power of two, at most 2/3 in use
	count int
}

const initialSlots = 1 << 8

func newTuples(width int) *tuples {
	return &tuples{width: width, slots: make([]int32, initialSlots)}
}

// at returns tuple k; it is valid until the next insert.
func (t *tuples) at(k int32) []State {
	i := int(k) * t.width
	return t.flat[i : i+t.width : i+t.width]
}

// insert returns the number of the tuple and whether it is new.
func (t *tuples) insert(tuple []State) (k int32, isNew bool) {
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

func (t *tuples) equal(k int32, tuple []State) bool {
	for i, s := range t.flat[int(k)*t.width:][:t.width] {
		if s != tuple[i] {
			return false
		}
	}
	return true
}

func (t *tuples) bytes() int64 { return bytesOf(t.flat) + bytesOf(t.slots) }

func (t *tuples) grow() {
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
