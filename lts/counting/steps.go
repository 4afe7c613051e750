package counting

import "magus/lts"

// stepper enumerates the steps from markings of some LTSs side by side.
type stepper struct {
	ltss   []*lts.LTS
	shared map[lts.Action][]int // owners of actions, as they are asked for
	moves  []move               // of the step that is being put together
}

func newStepper(ltss []*lts.LTS) *stepper {
	return &stepper{ltss: ltss, shared: map[lts.Action][]int{}}
}

// from calls emit for each step from m, in the order of the LTSs, their states and transitions; it must
// not keep the moves. The result is false if emit stopped it by returning false.
func (s *stepper) from(m Marking, emit func(a lts.Action, moves []move) bool) bool {
	for i, l := range s.ltss {
		for st, n := range m[i] {
			if n == 0 {
				continue
			}
			for _, e := range l.Out(lts.State(st)) {
				if !s.begin(m, i, lts.State(st), e, emit) {
					return false
				}
			}
		}
	}
	return true
}

// begin emits the steps that begin with a transition of LTS i, unless another LTS's transition begins them.
func (s *stepper) begin(m Marking, i int, from lts.State, e lts.Edge, emit func(lts.Action, []move) bool) bool {
	s.moves = append(s.moves[:0], move{i, from, e.To})
	if e.Action == lts.Tau {
		return emit(e.Action, s.moves)
	}
	owners := s.owners(e.Action)
	if owners[0] != i {
		return true
	}
	return s.join(m, e.Action, owners[1:], emit)
}

// owners are the LTSs that have an action in their alphabets.
func (s *stepper) owners(a lts.Action) []int {
	owners, known := s.shared[a]
	if !known {
		for i, m := range s.ltss {
			if m.HasAction(a) {
				owners = append(owners, i)
			}
		}
		s.shared[a] = owners
	}
	return owners
}

// join lets one copy of each of the owners take part.
func (s *stepper) join(m Marking, a lts.Action, owners []int, emit func(lts.Action, []move) bool) bool {
	if len(owners) == 0 {
		return emit(a, s.moves)
	}
	i, so := owners[0], len(s.moves)
	for st, n := range m[i] {
		if n == 0 {
			continue
		}
		for _, e := range s.ltss[i].OutBy(lts.State(st), a) {
			s.moves = append(s.moves[:so], move{i, lts.State(st), e.To})
			if !s.join(m, a, owners[1:], emit) {
				return false
			}
		}
	}
	return true
}
