package lts

import "math/bits"

// keyer turns a tuple of states, with or without a spec state, into one number and back. If the
// states fit, they are packed into 64 bits; if not, the tuples are interned and numbered.
type keyer struct {
	shifts    []uint8  // by component: where its state starts; nil if the tuples are interned
	masks     []uint64 // by component
	interned  *tuples[State]
	specShift uint8
}

// numberBits is the length of a number given by tuples.
const numberBits = 31

// newKeyer returns a keyer for the states of the components and of spec; spec is nil if spec states are
// no part of the keys.
func newKeyer(components []*LTS, spec *LTS) *keyer {
	k := &keyer{}
	at := 0
	for _, m := range components {
		n := stateBits(m)
		k.shifts = append(k.shifts, uint8(at))
		k.masks = append(k.masks, 1<<n-1)
		at += n
	}
	specBits := 0
	if spec != nil {
		specBits = stateBits(spec)
	}
	if at+specBits > 64 {
		return newInterningKeyer(len(components))
	}
	k.specShift = uint8(at)
	return k
}

// newInterningKeyer returns a keyer that interns the tuples, of any number of states.
func newInterningKeyer(components int) *keyer {
	return &keyer{interned: newTuples[State](components), specShift: numberBits}
}

// stateBits is how many bits m's state numbers need.
func stateBits(m *LTS) int { return bits.Len(uint(m.NumStates() - 1)) }

// key returns the key of tuple q and a spec state, which is 0 if it is no part of keys.
func (k *keyer) key(q []State, spec int32) uint64 {
	key := uint64(spec) << k.specShift
	if k.interned != nil {
		number, _ := k.interned.insert(q)
		return key | uint64(number)
	}
	for i, s := range q {
		key |= uint64(s) << k.shifts[i]
	}
	return key
}

// tuple writes the tuple of a key to q.
func (k *keyer) tuple(key uint64, q []State) {
	if k.interned != nil {
		copy(q, k.interned.at(int32(key&(1<<numberBits-1))))
		return
	}
	for i := range q {
		q[i] = State(key >> k.shifts[i] & k.masks[i])
	}
}

// bytes is the memory of the interned tuples.
func (k *keyer) bytes() int64 {
	if k.interned == nil {
		return 0
	}
	return k.interned.bytes()
}

// clone returns the tuple of a key in a slice of its own.
func (k *keyer) clone(key uint64, n int) []State {
	q := make([]State, n)
	k.tuple(key, q)
	return q
}
