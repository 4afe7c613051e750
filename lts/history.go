package lts

// history says how a partition came to be. Block 0 is all states, born at time 0; every other block was
// part of a parent with a smaller number before it was born. The parts that were left kept the number.
type history struct {
	of     []uint32 // by state: its block in the end
	parent []uint32 // by block
	born   []uint32 // by block; ascending
}

// at returns the block of a state at a time.
// Cost: logarithmic, because the largest part of a block keeps its number.
func (h *history) at(time uint32, s State) uint32 {
	b := h.of[s]
	for h.born[b] > time {
		b = h.parent[b]
	}
	return b
}

// apart returns the first time at which two states are in different blocks; in the end they must be.
func (h *history) apart(s, t State) (time uint32) {
	b, c := h.of[s], h.of[t]
	for b != c {
		if b < c {
			b, c = c, b
		}
		time = h.born[b]
		b = h.parent[b]
	}
	return time
}
