package lts

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Idea: the subset construction. A state is the set of states that m can be in after a trace, closed
// under τ. The transitions that leave a set are those of its members, sorted by action, so that
// only actions are looked at that something can do.
//
// Source: Rabin, Scott, "Finite automata and their decision problems" (IBM Journal 1959).
//
// Cost: for every set the transitions of its members and the τ transitions from where they lead. There may
// be 2^n sets for n states. Memory: 4 bytes an element of a set, and 16 to 32 a set.

// lookEvery is how many members of a set are followed between two looks at the context.
const lookEvery = 1 << 14

// Determinize returns the deterministic LTS without τ that has the weak traces of m: its states are
// the sets of states that m can be in after a trace, numbered breadth first, and a state is an ERROR
// state if its set has one. The alphabet is m's. Names are those of sets. The error says that ctx
// ended or, being a *[LimitError], that lim was reached.
func Determinize(ctx context.Context, m *LTS, lim Limits) (*LTS, error) {
	b := NewBuilder(m.actions)
	b.Alphabet(m.alphabet...)
	known, reach := newSets[uint32](), newWeakReach(m)
	reach.add(m.init)
	known.intern(reach.states)
	reach.clear()
	var out []Edge
	for k := uint32(0); int(k) < known.count(); k++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if why := lim.exceeded(known.count(), known.bytes()+b.bytes(), "states when made deterministic"); why != "" {
			return nil, &LimitError{why}
		}
		out = out[:0]
		for i, s := range known.at(k) {
			if i%lookEvery == lookEvery-1 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if m.IsError(s) {
				b.SetError(k)
			}
			out = append(out, m.visible(s)...)
		}
		slices.SortFunc(out, Edge.Compare)
		for i := 0; i < len(out); {
			a := out[i].Action
			for ; i < len(out) && out[i].Action == a; i++ {
				if i%lookEvery == lookEvery-1 && ctx.Err() != nil {
					return nil, ctx.Err()
				}
				reach.add(out[i].To)
			}
			b.AddEdge(k, a, known.intern(reach.states))
			reach.clear()
		}
	}
	b.AddStates(known.count())
	d := b.Build()
	if m.name != nil {
		d.name = func(s State) string { return setName(m, known.at(s)) }
	}
	return d, nil
}

// visible returns the transitions that leave s with a visible action.
func (m *LTS) visible(s State) []Edge {
	out := m.Out(s)
	first, _ := slices.BinarySearchFunc(out, Tau+1, func(e Edge, a Action) int { return cmp.Compare(e.Action, a) })
	return out[first:]
}

func setName(m *LTS, set []State) string {
	names := make([]string, len(set))
	for i, s := range set {
		names[i] = m.StateName(s)
	}
	return "{" + strings.Join(names, ",") + "}"
}
