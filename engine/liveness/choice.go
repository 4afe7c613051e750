package liveness

// Progress with fair choice.
//
// Idea: if what is possible again and again is done again and again, a run ends in a part of the graph that it cannot
// leave, and does all that is possible there. So progress is violated exactly if a state can be reached from which no
// action of the progress can be any more: if none can at most, and it holds if one can at least from everywhere. Where
// an assumption fails no run goes on, and nothing is violated.
//
// Source: Magee, Kramer: Concurrency: State models and Java programs (2nd ed. 2006), chapter 7: terminal sets.
//
// Cost: linear in the composition.

import (
	"magus/component"
	"magus/evidence/verdict"
	"magus/internal/graph"
	"magus/lts"
)

// choice decides progress with fair choice.
func (t *trial) choice(s *searched) (more bool, err error) {
	bare, err := search(t.ctx, s.product, t.asked, nil, t.limit(allStates))
	if err != nil {
		return false, err
	}
	if t.claim.Live.Progress == nil {
		return false, verdict.Because(verdict.NoProof, "fair choice is of progress")
	}
	if t.claim.Live.Progress.Conditional {
		return t.conditional(bare, s)
	}
	good := t.some(t.claim.Live.Progress.Then)
	possible, sure := bare.leads(good, false), bare.leads(good, true)
	for n := range bare.nodes {
		if possible[n] {
			continue
		}
		l := bare.trap(int32(n))
		not, err := t.violates(bare, l)
		switch {
		case err != nil || not == nil:
			return false, err
		case t.refine(bare, l, not):
			return true, nil
		}
		return t.weaker(s)
	}
	for n := range bare.nodes {
		if !sure[n] {
			return t.weaker(s)
		}
	}
	if n := s.unknowns(); n >= 0 {
		return false, t.cut(s, n)
	}
	t.proved()
	return false, nil
}

// some are actions by their names.
func (t *trial) some(names []string) map[lts.Action]bool {
	all := map[lts.Action]bool{}
	for _, name := range names {
		for _, of := range t.claim.Carrying(name) {
			if a, ok := t.graphs[0].Comp.Actions.Lookup(of); ok {
				all[a] = true
			}
		}
	}
	return all
}

// leads says from which nodes a step by one of some actions can be reached, at most or for certain; or a failing
// assumption, or at most what is not known.
func (s *searched) leads(good map[lts.Action]bool, sure bool) []bool {
	yes := make([]bool, len(s.nodes))
	back := make([][]int32, len(s.nodes))
	var todo []int32
	mark := func(n int32) {
		if !yes[n] {
			yes[n] = true
			todo = append(todo, n)
		}
	}
	for i := range s.nodes {
		n := int32(i)
		if u := s.nodes[n].tuple; s.noRun[u] || s.unknown[u] && !sure {
			mark(n)
		}
		for k := range s.arcs[n] {
			a := &s.arcs[n][k]
			st := &s.steps[s.nodes[n].tuple][a.step]
			if sure && !st.certain {
				continue
			}
			if back[a.to] = append(back[a.to], n); good[st.action] {
				mark(n)
			}
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, m := range back[n] {
			mark(m)
		}
	}
	return yes
}

// trap is a run to a node, and on to where it goes round for ever, or ends.
func (s *searched) trap(n int32) *lasso {
	g := graph.Func{Nodes: len(s.nodes), Succ: func(k int, yield func(int)) {
		for j := range s.arcs[k] {
			yield(int(s.arcs[k][j].to))
		}
	}}
	comps := graph.SCC(g)
	for {
		next := int32(-1)
		for k := range s.arcs[n] {
			if comps.Of[s.arcs[n][k].to] != comps.Of[n] && !s.noRun[s.nodes[s.arcs[n][k].to].tuple] {
				next = s.arcs[n][k].to
			}
		}
		if next < 0 {
			break
		}
		n = next
	}
	var set []int32
	within := map[int32]bool{}
	for k := range s.nodes {
		if comps.Of[k] == comps.Of[n] {
			set = append(set, int32(k))
			within[int32(k)] = true
		}
	}
	f := &fair{searched: s, fairness: component.NoFairness}
	inside := func(n int32, k int) bool { return within[s.arcs[n][k].to] }
	for _, m := range set {
		for k := range s.arcs[m] {
			if inside(m, k) {
				return f.round(set, inside, 0, false, 0)
			}
		}
	}
	return s.leading(n, nil)
}

// conditional decides progress under a condition: a part that no run leaves has none of the actions, though
// it has one of those of the condition. That is known where the graphs are exact only.
func (t *trial) conditional(bare, s *searched) (more bool, err error) {
	for _, b := range t.behaviours {
		if !b.exact {
			return t.weaker(s)
		}
	}
	g := graph.Func{Nodes: len(bare.nodes), Succ: func(k int, yield func(int)) {
		for j := range bare.arcs[k] {
			yield(int(bare.arcs[k][j].to))
		}
	}}
	comps := graph.SCC(g)
	leaves, cond, done := make([]bool, comps.Count), make([]bool, comps.Count), make([]bool, comps.Count)
	first := make([]int32, comps.Count)
	ifs, thens := t.some(t.claim.Live.Progress.If), t.some(t.claim.Live.Progress.Then)
	for n := len(bare.nodes) - 1; n >= 0; n-- {
		c := comps.Of[n]
		first[c] = int32(n)
		for k := range bare.arcs[n] {
			a := bare.steps[bare.nodes[n].tuple][bare.arcs[n][k].step].action
			leaves[c] = leaves[c] || comps.Of[bare.arcs[n][k].to] != c
			cond[c], done[c] = cond[c] || ifs[a], done[c] || thens[a]
		}
		leaves[c] = leaves[c] || bare.unknown[bare.nodes[n].tuple]
	}
	for c := range leaves {
		if !leaves[c] && cond[c] && !done[c] {
			if not, err := t.violates(bare, bare.trap(first[c])); err != nil || not == nil {
				return false, err
			}
			return false, verdict.Because(verdict.NoProof,
				"a part without the actions was found, and no values that go round in it")
		}
	}
	if n := s.unknowns(); n >= 0 {
		return false, t.cut(s, n)
	}
	t.proved()
	return false, nil
}

// weaker proves progress for all runs that are weakly fair, of which those with fair choice are some.
func (t *trial) weaker(s *searched) (more bool, err error) {
	return t.proves(s, component.WeakFairness)
}
