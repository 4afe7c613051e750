package lts

import (
	"slices"
	"strings"
)

// Compose returns the reachable part of M_1 ‖ … ‖ M_n (papers/003, definition 5), with states
// numbered breadth first. Components synchronise on the actions they share; τ is never shared. The
// alphabet is the union. A state is an ERROR state if one of its components is. Names are tuples.
// It panics if there is no component or if they have different Actions tables.
func Compose(ms ...*LTS) *LTS {
	p, err := newProduct(ms)
	if err != nil {
		panic(err)
	}
	ms = slices.Clone(ms)
	b := NewBuilder(ms[0].actions)
	for _, m := range ms {
		b.Alphabet(m.alphabet...)
	}
	seen := newTuples(len(ms))
	seen.insert(p.initial())
	b.AddStates(1)
	at := make([]State, len(ms))
	for k := int32(0); int(k) < seen.count; k++ {
		copy(at, seen.at(k))
		for i, m := range ms {
			if m.IsError(at[i]) {
				b.SetError(State(k))
			}
		}
		p.successors(at, func(a Action, next []State) bool {
			to, isNew := seen.insert(next)
			if isNew {
				b.AddStates(1)
			}
			b.AddEdge(State(k), a, State(to))
			return true
		})
	}
	m := b.Build()
	m.name = func(s State) string { return tupleName(ms, seen.at(int32(s))) }
	return m
}

func tupleName(ms []*LTS, at []State) string {
	if len(ms) == 1 {
		return ms[0].StateName(at[0])
	}
	names := make([]string, len(ms))
	for i, m := range ms {
		names[i] = m.StateName(at[i])
	}
	return "(" + strings.Join(names, ",") + ")"
}
