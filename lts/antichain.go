package lts

import (
	"cmp"
	"slices"
)

// Pair is a pair met by a containment search: a tuple of states of the components, and the set of
// states spec can be in when they are there.
type Pair struct {
	Impl []State // one state a component, in the order of the impl list
	Spec []State // ascending, not empty; if spec is nondeterministic, closed under τ and Simulations.Spec
	// Of, if not nil, are the components whose steps need to be looked at, in ascending order: a
	// persistent set, of which a step leads to what a later pair of the antichain stands for.
	Of []int32
}

// antichain returns the pairs that no other pair dominates, in the order in which they were met, or with
// persistent sets such that those that a pair leads on to come later.
// After a search that holds they are a proof of it: one of them has the initial tuple and a subset
// of spec's τ-closed initial states; and every step of the tuple of one of them leads to the tuple
// of one whose set is a subset of what spec's set becomes by that step. Where simulations are known,
// the tuple may be one that simulates the one that the step leads to, the states of the set need only be
// simulated, and there need be no pair where the step leads to a state that one of spec's simulates.
//
// If spec has an ERROR state, every state that spec can be in is followed on its own, in a pair of
// its own, so that the set at a tuple is the union of the sets of that tuple's pairs.
//
// With persistent sets the steps of a pair are those of its persistent set, if it has one.
// Pairs with one set share it. The result is nil if the context has ended.
func (s *search) antichain() []Pair {
	pairs, sets := []Pair{}, map[int32][]State{}
	at := make([]State, len(s.product.components))
	for _, id := range s.inOrder() {
		n := s.nodes.at(id)
		if n.next == dominated {
			continue
		}
		if s.interrupted() {
			return nil
		}
		s.keys.tuple(n.key, at)
		if sets[n.spec] == nil {
			sets[n.spec] = s.observer.states(n.spec)
		}
		pairs = append(pairs, Pair{Impl: append([]State{}, at...), Spec: sets[n.spec], Of: s.onward.sets[id]})
	}
	return pairs
}

// inOrder are all nodes in the order of the antichain.
func (s *search) inOrder() []int32 {
	ids := make([]int32, s.nodes.count)
	for id := range ids {
		ids[id] = int32(id)
	}
	if s.persistence != nil {
		rank := s.onward.ranks()
		slices.SortFunc(ids, func(a, b int32) int { return cmp.Or(cmp.Compare(rank[a], rank[b]), cmp.Compare(a, b)) })
	}
	return ids
}

func (o *stateObserver) states(s int32) []State { return []State{State(s)} }

func (o *errorObserver) states(s int32) []State { return []State{State(s)} }

func (o *setObserver) states(set int32) []State {
	var states []State
	o.sets.each(set, func(s State) { states = append(states, s) })
	return states
}
