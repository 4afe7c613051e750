package lts

import (
	"context"
	"errors"
	"math"
	"slices"

	"magus/internal/bitset"
)

// Restrict returns m without the transitions of the given actions, which leave the alphabet too, so
// that a composition does not synchronise on them. Tau is not restricted. States keep their numbers.
func Restrict(m *LTS, actions []Action) *LTS {
	gone := slices.Sorted(slices.Values(actions))
	isGone := func(a Action) bool {
		_, found := slices.BinarySearch(gone, a)
		return found && a != Tau
	}
	b := NewBuilder(m.actions)
	b.AddStates(m.NumStates())
	b.SetInit(m.init)
	b.Alphabet(slices.DeleteFunc(slices.Clone(m.alphabet), isGone)...)
	for s := range State(m.NumStates()) {
		for _, e := range m.Out(s) {
			if !isGone(e.Action) {
				b.AddEdge(s, e.Action, e.To)
			}
		}
	}
	r := b.Build()
	r.errors, r.name = m.errors, m.name
	return r
}

// TauClosure returns m with weak transitions: s -a-> t exactly if m has s -τ*-> -a-> -τ*-> t, and
// s -τ-> t exactly if m has s -τ*-> t, t = s included. States keep their numbers, names and ERROR
// marks. The error is ctx's. Cost and size: up to the square of the states for each action.
func TauClosure(ctx context.Context, m *LTS) (*LTS, error) { return tauClosure(ctx, m, math.MaxInt) }

var errTooManyWeak = errors.New("lts: too many weak transitions")

// tauClosure is TauClosure with an error if ctx ends or there are more than limit transitions.
func tauClosure(ctx context.Context, m *LTS, limit int) (*LTS, error) {
	b := NewBuilder(m.actions)
	b.AddStates(m.NumStates())
	b.SetInit(m.init)
	b.Alphabet(m.alphabet...)
	reach, after := newWeakReach(m), newWeakReach(m)
	for s := range State(m.NumStates()) {
		reach.add(s)
		for _, t := range reach.states {
			b.AddEdge(s, Tau, t)
		}
		for i := 0; i < len(m.alphabet); i++ {
			a := m.alphabet[i]
			for _, t := range reach.states {
				for _, e := range m.OutBy(t, a) {
					after.add(e.To)
				}
			}
			for _, t := range after.states {
				b.AddEdge(s, a, t)
			}
			after.clear()
		}
		reach.clear()
		if len(b.edges) > limit {
			return nil, errTooManyWeak
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	r := b.Build()
	r.errors, r.name = m.errors, m.name
	return r, nil
}

// weakReach is a set of states that is closed under τ transitions.
type weakReach struct {
	m      *LTS
	has    bitset.Set[State]
	states []State // in the order of their discovery
}

func newWeakReach(m *LTS) *weakReach { return &weakReach{m: m, has: bitset.New[State](m.NumStates())} }

// add adds s and what τ reaches from it.
func (w *weakReach) add(s State) {
	from := len(w.states)
	w.put(s)
	for ; from < len(w.states); from++ {
		for _, e := range w.m.Out(w.states[from]) {
			if e.Action != Tau {
				break
			}
			w.put(e.To)
		}
	}
}

func (w *weakReach) put(s State) {
	if w.has.Add(s) {
		w.states = append(w.states, s)
	}
}

func (w *weakReach) clear() {
	w.has.Forget(w.states)
	w.states = w.states[:0]
}

// Deadlock returns a shortest path, τ steps included, from the initial state to a state that no
// transition leaves and that is no ERROR state, and whether there is one.
func Deadlock(m *LTS) (path []Edge, found bool) {
	return shortestPath(m, m.init, func(s State) bool { return len(m.Out(s)) == 0 && !m.IsError(s) }, false)
}

// PathTo returns a shortest path, τ steps included, from the initial state to a state that is a goal, with that
// state, and whether there is one.
func PathTo(m *LTS, goal func(State) bool) (path []Edge, end State, found bool) {
	path, found = shortestPath(m, m.init, goal, false)
	end = m.init
	if len(path) > 0 {
		end = path[len(path)-1].To
	}
	return path, end, found
}

// Livelock returns a shortest path, τ steps included, from the initial state to a state on a cycle of
// τ transitions, a shortest such cycle from there, and whether there is one.
func Livelock(m *LTS) (path, cycle []Edge, found bool) {
	c := NewTauComponents(m)
	isLive := func(s State) bool { return c.Divergent.Has(c.Of[s]) }
	path, found = shortestPath(m, m.init, isLive, false)
	if !found {
		return nil, nil, false
	}
	at := m.init
	if len(path) > 0 {
		at = path[len(path)-1].To
	}
	for _, e := range m.OutBy(at, Tau) {
		back, ok := shortestPath(m, e.To, func(s State) bool { return s == at }, true)
		if ok && (cycle == nil || 1+len(back) < len(cycle)) {
			cycle = append([]Edge{e}, back...)
		}
	}
	return path, cycle, true
}

// shortestPath searches breadth first for a state that is a goal; on τ transitions alone if onlyTau.
// Ties go by the order of transitions. Cost: linear.
func shortestPath(m *LTS, from State, goal func(State) bool, onlyTau bool) (path []Edge, found bool) {
	if goal(from) {
		return nil, true
	}
	const unseen = ^uint32(0)
	parent := make([]State, m.NumStates())
	via := make([]uint32, m.NumStates()) // index of the edge a state was found by
	for s := range via {
		via[s] = unseen
	}
	queue := []State{from}
	via[from] = 0
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		for j := m.offsets[s]; j < m.offsets[s+1]; j++ {
			e := m.edges[j]
			if onlyTau && e.Action != Tau {
				break
			}
			if via[e.To] != unseen {
				continue
			}
			via[e.To], parent[e.To] = j, s
			if goal(e.To) {
				for at := e.To; at != from; at = parent[at] {
					path = append(path, m.edges[via[at]])
				}
				slices.Reverse(path)
				return path, true
			}
			queue = append(queue, e.To)
		}
	}
	return nil, false
}
