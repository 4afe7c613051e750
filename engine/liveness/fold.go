package liveness

// Silent steps that leave no choice.
//
// Idea: a state whose only step is silent, certain to be possible, and changes no condition of the formula,
// is as good as the state behind it. Coarse, such steps are taken together with what comes before them:
// wherever a component stands, it has computed what it can. Fine, those in a row are one step, during which
// the component offers nothing.
//
// Law: for runs that go on, the visible actions and the conditions are the same; only how long a component is not ready
// differs.
//
// Cost: linear in the transitions.

import (
	"magus/cfa"
	"magus/lts"
)

// A machine is what a component is composed as. Its states are those of the graph.
type machine struct {
	*behaviour
	out   [][]transition // by state; nil of those that are not met
	inits []transition   // to the first states, with what sets initial values
}

// folded is a graph with silent steps folded.
func folded(g *behaviour, fine bool) *machine {
	m := &machine{behaviour: g, out: make([][]transition, len(g.states))}
	next := make([]*transition, len(g.states)) // behind silent steps without choice; nil: they stay
	for s := range g.states {
		next[s] = m.behind(int32(s))
	}
	whole := func(t transition) transition {
		n := next[t.to]
		if n == nil || fine {
			return t
		}
		return joined(t, *n)
	}
	var todo []int32
	met := make([]bool, len(g.states))
	meet := func(s int32) {
		if !met[s] {
			met[s] = true
			todo = append(todo, s)
		}
	}
	for _, t := range m.first() {
		if n := next[t.to]; n != nil {
			t = joined(t, *n)
		}
		m.inits = append(m.inits, t)
		meet(t.to)
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n := next[s]; n != nil {
			m.out[s] = []transition{*n}
		} else {
			for _, t := range g.out[s] {
				m.out[s] = append(m.out[s], whole(t))
			}
		}
		for _, t := range m.out[s] {
			meet(t.to)
		}
	}
	return m
}

// joined is a transition with the silent one behind it.
func joined(a, b transition) transition {
	a.edges = append(a.edges[:len(a.edges):len(a.edges)], b.edges...)
	a.to, a.certain = b.to, a.certain && b.certain
	return a
}

// first are the ways to the states in which initial values are set.
func (m *machine) first() (all []transition) {
	todo := []transition{{to: 0, certain: true, enabled: true}}
	met := map[int32]bool{}
	for len(todo) > 0 {
		t := todo[0]
		todo = todo[1:]
		if met[t.to] {
			continue
		}
		met[t.to] = true
		if m.started[m.states[t.to].node] {
			all = append(all, t)
			continue
		}
		for _, n := range m.behaviour.out[t.to] {
			todo = append(todo, joined(t, n))
		}
	}
	return all
}

// behind is where silent steps without choice lead from a state; nil if there are none, or they never end.
func (m *machine) behind(s int32) *transition {
	all := transition{action: lts.Tau, to: s, certain: true, enabled: true}
	seen := map[int32]bool{s: true}
	for {
		out := m.behaviour.out[all.to]
		if len(out) != 1 || out[0].action != lts.Tau || !out[0].enabled || m.states[out[0].to].conds != m.states[s].conds ||
			m.states[out[0].to].status == unknown || m.states[out[0].to].status == noRun {
			break
		}
		all = joined(all, out[0])
		if seen[all.to] {
			return nil
		}
		seen[all.to] = true
	}
	if all.to == s {
		return nil
	}
	return &all
}

// place is where the component is in a state.
func (g *behaviour) place(s int32) (cfa.Pos, bool) {
	loc, ok := g.control.Loc(g.states[s].node)
	if !ok {
		return cfa.Pos{}, false
	}
	return g.control.Comp.CFA.Locs[loc].Pos, true
}
