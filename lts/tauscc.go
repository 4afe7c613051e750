package lts

// Idea: the strongly connected components of the τ transitions, by Tarjan's algorithm ("Depth-first
// search and linear graph algorithms", SIAM J. Comput. 1972) with an explicit stack. A component gets
// its number when it is complete, so every τ transition leads to a component of the same or a lower
// number; whoever handles components in ascending order has handled all τ successors.
//
// Cost: linear in states and τ transitions; 16 bytes a state.

// tauComponents is a partition of the states by mutual reachability over τ.
type tauComponents struct {
	of        []uint32 // by state: its component
	count     int
	divergent bitset // the components with a τ cycle, self-loops included
}

// tarjan is the state of one computation of tauComponents.
type tarjan struct {
	m       *LTS
	result  tauComponents
	low     []uint32 // by state: 0 while it is new, else the least index met from it, counting from 1
	stack   []State  // the states without a component
	calls   []tauCall
	visited uint32
}

// tauCall is a state whose τ transitions from index next on are still to be followed.
type tauCall struct {
	s     State
	next  uint32 // index in m.edges
	index uint32
}

const noComponent = ^uint32(0)

func newTauComponents(m *LTS) tauComponents {
	n := m.NumStates()
	t := &tarjan{m: m, low: make([]uint32, n)}
	t.result.of = make([]uint32, n)
	for s := range t.result.of {
		t.result.of[s] = noComponent
	}
	t.result.divergent = newBitset(n)
	for s := range State(n) {
		if t.low[s] == 0 {
			t.explore(s)
		}
	}
	return t.result
}

func (t *tarjan) explore(root State) {
	t.enter(root)
	for len(t.calls) > 0 {
		c := &t.calls[len(t.calls)-1]
		if c.next < t.m.offsets[c.s+1] && t.m.edges[c.next].Action == Tau {
			to := t.m.edges[c.next].To
			c.next++
			switch {
			case t.low[to] == 0:
				t.enter(to)
			case t.result.of[to] == noComponent:
				t.low[c.s] = min(t.low[c.s], t.low[to])
			}
			continue
		}
		done := *c
		t.calls = t.calls[:len(t.calls)-1]
		if t.low[done.s] == done.index {
			t.complete(done.s)
		}
		if len(t.calls) > 0 {
			caller := t.calls[len(t.calls)-1].s
			if t.result.of[done.s] == noComponent {
				t.low[caller] = min(t.low[caller], t.low[done.s])
			}
		}
	}
}

func (t *tarjan) enter(s State) {
	t.visited++
	t.low[s] = t.visited
	t.stack = append(t.stack, s)
	t.calls = append(t.calls, tauCall{s, t.m.offsets[s], t.visited})
}

// complete makes a component of root and what is above it on the stack.
func (t *tarjan) complete(root State) {
	c := uint32(t.result.count)
	t.result.count++
	if t.stack[len(t.stack)-1] != root || t.hasTauLoop(root) {
		t.result.divergent.add(c)
	}
	for {
		s := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.result.of[s] = c
		if s == root {
			return
		}
	}
}

func (t *tarjan) hasTauLoop(s State) bool {
	for _, e := range t.m.Out(s) {
		if e.Action != Tau {
			return false
		}
		if e.To == s {
			return true
		}
	}
	return false
}
