package monitor

import "slices"

// Forbidden is where an action leads that is not allowed.
const Forbidden = -1

// A Monitor says of each state and observed action what comes next: a deterministic automaton over names of
// actions, all states of which accept. It is immutable.
type Monitor struct {
	actions map[string]int
	next    [][]int // by state, by action
	init    int
}

// New is the monitor over some actions. next says by state where each action leads, by its number, and is
// Forbidden where it must not happen; init is the first state.
func New(actions []string, next [][]int, init int) *Monitor {
	m := &Monitor{actions: map[string]int{}, next: next, init: init}
	for i, a := range actions {
		m.actions[a] = i
	}
	return m
}

// Observes reports whether an action is one that the monitor is about.
func (m *Monitor) Observes(action string) bool {
	_, ok := m.actions[action]
	return ok
}

// A way is what some states do with an action.
type way struct {
	to   int // or Forbidden
	from []int
}

// ways are by what they lead to, that of the most states last.
func (m *Monitor) ways(action string) []way {
	var all []way
	for s, next := range m.next {
		to := next[m.actions[action]]
		i := slices.IndexFunc(all, func(x way) bool { return x.to == to })
		if i < 0 {
			i = len(all)
			all = append(all, way{to: to})
		}
		all[i].from = append(all[i].from, s)
	}
	slices.SortStableFunc(all, func(a, b way) int { return len(a.from) - len(b.from) })
	return all
}
