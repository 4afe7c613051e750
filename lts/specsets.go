package lts

import "magus/internal/bitset"

// setObserver observes a nondeterministic spec by sets of its states, interned as they are met. They
// are closed under τ, unless it is observed, and under simulation, if that is known. A violation is an
// empty set. Steps are remembered per set and action.
type setObserver struct {
	spec      *LTS
	sets      *stateSets
	rows      [][]int32  // rows[k][observed action's index]: next set, empty or unknown
	steps     int        // length of all rows
	index     []int32    // by action: its index in rows[k]
	strong    bool       // τ is observed; its index is the last
	simulated *bitMatrix // by spec state: what it simulates; nil if that is not known
	scratch   bitset.Set[State]
	members   []State // of scratch, if sets are lists
	stack     []State
	one       [1]int32
}

// Values in setObserver.rows that are not a set.
const (
	notComputed = 0
	emptySet    = -1
)

// maxBits is up to how many states sets are arrays of bits; those of larger LTSs have few members as a
// rule, unless they are closed under simulation.
const maxBits = 1 << 13

func newSetObserver(spec *LTS, strong bool, simulated *bitMatrix) *setObserver {
	n := spec.NumStates()
	o := &setObserver{spec: spec, strong: strong, simulated: simulated, scratch: bitset.New[State](n)}
	o.sets = newStateSets(n, n > maxBits && simulated == nil)
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
		o.sets.each(set, func(s State) {
			for _, e := range o.spec.OutBy(s, a) {
				o.reach(e.To)
			}
		})
		if len(o.members) > 0 || !o.scratch.Empty() {
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
	case o.scratch.Has(s):
		return
	case o.simulated != nil:
		o.scratch.Unite(o.simulated.row(s))
		return
	case o.strong:
		o.add(s)
		return
	}
	o.add(s)
	o.stack = append(o.stack, s)
	for len(o.stack) > 0 {
		last := len(o.stack) - 1
		t := o.stack[last]
		o.stack = o.stack[:last]
		for _, e := range o.spec.OutBy(t, Tau) {
			if !o.scratch.Has(e.To) {
				o.add(e.To)
				o.stack = append(o.stack, e.To)
			}
		}
	}
}

// add adds s to the scratch set.
func (o *setObserver) add(s State) {
	o.scratch.Add(s)
	if o.sets.lists != nil {
		o.members = append(o.members, s)
	}
}

// internScratch returns the number of the scratch set and empties it.
func (o *setObserver) internScratch() int32 {
	var k int32
	if o.sets.lists == nil {
		k = o.sets.insertBits(o.scratch)
		clear(o.scratch)
	} else {
		k = o.sets.insertList(o.members)
		o.scratch.Forget(o.members)
		o.members = o.members[:0]
	}
	if int(k) == len(o.rows) {
		o.rows = append(o.rows, nil)
	}
	return k
}

// bytes is the memory of the sets and of the remembered steps.
func (o *setObserver) bytes() int64 {
	return o.sets.bytes() + bytesOf(o.rows) + 4*int64(o.steps)
}

func (o *setObserver) subset(a, b int32) bool { return o.sets.subset(a, b) }
func (o *setObserver) count() int             { return o.sets.count() }

func (o *setObserver) intersects(set int32, states bitset.Set[State]) bool {
	return o.sets.intersects(set, states)
}
