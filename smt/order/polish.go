package order

// Readable models.
//
// The least solution is full of least ints. Since models end up in
// counterexamples that people read, values below zero are raised towards it:
// greater classes first, each as far as its upper bound and the classes above
// it allow, around the values it must differ from. Every step keeps the model
// a model. Cost: linear, and only when a value is asked for.

// polish raises the values of the last model towards zero.
func (s *Solver) polish() {
	for i := len(s.order) - 1; i >= 0; i-- {
		x := s.order[i]
		zero, limit := s.zero[x], s.hi[x]
		if s.value[x] >= zero {
			continue
		}
		for k := s.out[x]; k >= 0; k = s.edges[k].next {
			e := &s.edges[k]
			top := s.value[e.y]
			if e.strict {
				top--
			}
			limit = min(limit, top)
		}
		s.value[x] = s.near(x, zero, limit)
	}
}

// near is a value for class x between its present one and limit, close to
// zero: 1 if only 0 itself is taken, otherwise the greatest not above it.
func (s *Solver) near(x int32, zero, limit uint64) uint64 {
	v := min(zero, limit)
	if v == zero && limit > zero && s.taken(x, v) && !s.taken(x, v+1) {
		return v + 1
	}
	for v > s.value[x] && s.taken(x, v) {
		v--
	}
	return v
}

// taken reports whether class x must differ from v.
func (s *Solver) taken(x int32, v uint64) bool {
	for i := s.unlike[x]; i >= 0; i = s.consts[i].next {
		if s.consts[i].c == v {
			return true
		}
	}
	for i := s.apart[x]; i >= 0; i = s.peers[i].next {
		if s.value[s.peers[i].y] == v {
			return true
		}
	}
	return false
}
