package lts

// setObserver observes a nondeterministic spec by sets of its states, interned as they are met. They
// are closed under τ, unless it is observed, and under simulation, if that is known. A violation is an
// empty set. Steps are remembered per set and action.
type setObserver struct {
	spec    *LTS
	words   int      // length of a set
	flat    []uint64 // set k is flat[k*words:(k+1)*words]
	slots   []int32  // open addressing, set number + 1 or 0, at most 2/3 in use
	sets    int
	rows    [][]int32  // rows[k][observed action's index]: next set, empty or unknown
	steps   int        // length of all rows
	index   []int32    // by action: its index in rows[k]
	strong  bool       // τ is observed; its index is the last
	below   *bitMatrix // by spec state: what it simulates; nil if that is not known
	scratch bitset
	stack   []State
	one     [1]int32
}

// Values in setObserver.rows that are not a set.
const (
	notComputed = 0
	emptySet    = -1
)

func newSetObserver(spec *LTS, strong bool, below *bitMatrix) *setObserver {
	o := &setObserver{spec: spec, strong: strong, below: below, scratch: newBitset(spec.NumStates()), slots: make([]int32, initialSlots)}
	o.words = len(o.scratch)
	last := Tau
	if n := len(spec.alphabet); n > 0 {
		last = spec.alphabet[n-1]
	}
	o.index = make([]int32, last+1)
	for i, a := range spec.alphabet {
		o.index[a] = int32(i)
	}
	o.index[Tau] = int32(len(spec.alphabet))
	return o
}

func (o *setObserver) start() ([]int32, bool) {
	o.reach(o.spec.init)
	o.one[0] = o.internScratch()
	return o.one[:], false
}

func (o *setObserver) step(set int32, a Action) ([]int32, bool) {
	if o.rows[set] == nil {
		n := len(o.spec.alphabet)
		if o.strong {
			n++
		}
		o.rows[set] = make([]int32, n)
		o.steps += n
	}
	next := &o.rows[set][o.index[a]]
	if *next == notComputed {
		*next = emptySet
		o.at(set).each(func(s uint32) {
			for _, e := range o.spec.OutBy(s, a) {
				o.reach(e.To)
			}
		})
		if !o.scratch.empty() {
			*next = o.internScratch() + 1
		}
	}
	if *next == emptySet {
		return nil, true
	}
	o.one[0] = *next - 1
	return o.one[:], false
}

// reach adds s, and what τ reaches from it, to the scratch set; or all that s simulates, which what τ
// reaches is part of.
func (o *setObserver) reach(s State) {
	switch {
	case o.scratch.has(s):
		return
	case o.below != nil:
		o.scratch.unite(o.below.row(s))
		return
	case o.strong:
		o.scratch.add(s)
		return
	}
	o.scratch.add(s)
	o.stack = append(o.stack, s)
	for len(o.stack) > 0 {
		last := len(o.stack) - 1
		t := o.stack[last]
		o.stack = o.stack[:last]
		for _, e := range o.spec.OutBy(t, Tau) {
			if !o.scratch.has(e.To) {
				o.scratch.add(e.To)
				o.stack = append(o.stack, e.To)
			}
		}
	}
}

// internScratch returns the number of the scratch set and empties it.
func (o *setObserver) internScratch() int32 {
	defer clear(o.scratch)
	mask := uint64(len(o.slots) - 1)
	i := o.scratch.hash() & mask
	for ; o.slots[i] != 0; i = (i + 1) & mask {
		if k := o.slots[i] - 1; o.at(k).equal(o.scratch) {
			return k
		}
	}
	k := int32(o.sets)
	o.sets++
	o.flat = append(o.flat, o.scratch...)
	o.rows = append(o.rows, nil)
	o.slots[i] = k + 1
	if 3*o.sets > 2*len(o.slots) {
		o.grow()
	}
	return k
}

func (o *setObserver) grow() {
	o.slots = make([]int32, 2*len(o.slots))
	mask := uint64(len(o.slots) - 1)
	for k := range int32(o.sets) {
		i := o.at(k).hash() & mask
		for o.slots[i] != 0 {
			i = (i + 1) & mask
		}
		o.slots[i] = k + 1
	}
}

// bytes is the memory of the sets and of the remembered steps.
func (o *setObserver) bytes() int64 {
	return bytesOf(o.flat) + bytesOf(o.slots) + bytesOf(o.rows) + 4*int64(o.steps)
}

func (o *setObserver) at(set int32) bitset {
	i := int(set) * o.words
	return bitset(o.flat[i : i+o.words])
}

func (o *setObserver) subset(a, b int32) bool { return o.at(a).subsetOf(o.at(b)) }
func (o *setObserver) count() int             { return o.sets }

func (o *setObserver) intersects(set int32, states bitset) bool { return o.at(set).intersects(states) }
