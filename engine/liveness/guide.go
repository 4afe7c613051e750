package liveness

// States from which no run violates.
//
// Idea: where a claim is about one process, the automaton of what is not asked goes with the states while
// they are found: of each it is known in which states the automaton may be there. Where it can be in none, no
// run violates, and what comes behind is not explored. What the automaton asks of actions and fluents is not
// looked at.
//
// Cost: the states times those of the automaton.

import (
	"magus/lts"
	"magus/lts/ltl"
)

// A guide has the automaton's states by state. One without an automaton lets everything be explored.
type guide struct {
	automaton *ltl.Automaton
	own       uint64   // propositions that are conditions
	may       []uint64 // states of the automaton, by state
	expanded  []bool
}

// newGuide is for an automaton of few states, or else without one.
func newGuide(a *ltl.Automaton, own uint64) *guide {
	if a == nil || own == 0 || len(a.Out) > 64 {
		return &guide{}
	}
	return &guide{automaton: a, own: own}
}

func (g *guide) begin() { g.may = append(g.may[:0], 1) }

// first reports whether a state is to be expanded now.
func (g *guide) first(i int32) bool {
	for int(i) >= len(g.expanded) {
		g.expanded = append(g.expanded, false)
	}
	if g.expanded[i] {
		return false
	}
	g.expanded[i] = true
	return true
}

// onward adds the states to look at behind state i.
func (g *guide) onward(b *behaviour, i int32, todo []int32) []int32 {
	for len(g.may) < len(b.states) {
		g.may = append(g.may, 0)
	}
	for _, t := range b.out[i] {
		next := g.behind(b, i, &t)
		if next&^g.may[t.to] != 0 {
			g.may[t.to] |= next
			todo = append(todo, t.to)
		}
	}
	return todo
}

// behind are the automaton's states behind a transition.
func (g *guide) behind(b *behaviour, i int32, t *transition) (next uint64) {
	from, to := &b.states[i], &b.states[t.to]
	began, begins := b.started[from.node], b.started[to.node]
	if g.automaton == nil || !begins || began && t.action == lts.Tau && from.conds == to.conds {
		return g.may[i]
	}
	for q, out := range g.automaton.Out {
		for k := range out {
			x := &out[k]
			if g.may[i]>>q&1 == 1 && to.conds&x.Has == x.Has&g.own && to.conds&x.Lacks&g.own == 0 {
				next |= 1 << x.To
			}
		}
	}
	return next
}

// end makes states of which nothing was explored such that no run comes there.
func (g *guide) end(b *behaviour) {
	for i := range b.states {
		if g.may[i] == 0 {
			b.states[i].status = noRun
		}
	}
}
