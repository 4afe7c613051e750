package sat

// A varHeap gives a cone's variables in the order in which they are to be decided, the most active
// first, ties by number. Those that no conflict has touched are not active at all: they come last, as
// they stand in the cone, and so only the others are in a binary heap. It knows where each of these
// is, so that activities may grow.
type varHeap struct {
	act  []float64 // by variable
	heap []Var
	pos  []int32 // by variable; negative: not in the heap, and -2-i: was number i of those without activity
	calm []Var   // variables of the cone without activity, by number
	next int     // of these, the first that may be unassigned
}

func (h *varHeap) grow() {
	h.act = append(h.act, 0)
	h.pos = append(h.pos, -1)
}

func (h *varHeap) before(a, b Var) bool {
	return h.act[a] > h.act[b] || h.act[a] == h.act[b] && a < b
}

func (h *varHeap) up(i int) {
	v := h.heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !h.before(v, h.heap[parent]) {
			break
		}
		h.heap[i] = h.heap[parent]
		h.pos[h.heap[i]] = int32(i)
		i = parent
	}
	h.heap[i] = v
	h.pos[v] = int32(i)
}

func (h *varHeap) down(i int) {
	v := h.heap[i]
	for {
		child := 2*i + 1
		if child >= len(h.heap) {
			break
		}
		if child+1 < len(h.heap) && h.before(h.heap[child+1], h.heap[child]) {
			child++
		}
		if !h.before(h.heap[child], v) {
			break
		}
		h.heap[i] = h.heap[child]
		h.pos[h.heap[i]] = int32(i)
		i = child
	}
	h.heap[i] = v
	h.pos[v] = int32(i)
}

// push has v, which lost its value, be decided again.
func (h *varHeap) push(v Var) {
	switch at := int(h.pos[v]); {
	case at >= 0:
		return
	case h.act[v] == 0 && at < -1: // it may also have lost its activity, by rescaling
		h.next = min(h.next, -2-at)
		return
	}
	h.heap = append(h.heap, v)
	h.up(len(h.heap) - 1)
}

// pop gives the next variable, and false if there is none.
func (h *varHeap) pop() (Var, bool) {
	if len(h.heap) > 0 {
		return h.top(), true
	}
	if h.next == len(h.calm) {
		return 0, false
	}
	h.next++
	return h.calm[h.next-1], true
}

// top takes the top of the heap.
func (h *varHeap) top() Var {
	v := h.heap[0]
	last := h.heap[len(h.heap)-1]
	h.heap = h.heap[:len(h.heap)-1]
	h.pos[v] = -1
	if len(h.heap) > 0 {
		h.heap[0] = last
		h.down(0)
	}
	return v
}

// reset makes vars, sorted by number, the contents.
func (h *varHeap) reset(vars []Var) {
	for _, v := range h.heap {
		h.pos[v] = -1
	}
	h.heap, h.calm, h.next = h.heap[:0], h.calm[:0], 0
	for _, v := range vars {
		if h.act[v] == 0 {
			h.pos[v] = int32(-2 - len(h.calm))
			h.calm = append(h.calm, v)
		} else if h.pos[v] < 0 {
			h.pos[v] = int32(len(h.heap))
			h.heap = append(h.heap, v)
		}
	}
	for i := len(h.heap)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

// grown restores the order after v's activity has grown.
func (h *varHeap) grown(v Var) {
	if i := h.pos[v]; i >= 0 {
		h.up(int(i))
	}
}
