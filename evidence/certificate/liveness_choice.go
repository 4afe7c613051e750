package certificate

// Progress with fair choice.
//
// Idea: what is possible again and again is done again and again. So it is enough that from each tuple of
// states that can be met, steps that are possible for certain lead to an action of the progress, or to where
// an assumption fails. Under a condition all steps have to be certain, and each part that no run leaves has
// one of the actions, or none of the condition's.
//
// Source: Magee, Kramer: Concurrency (2nd ed. 2006), chapter 7: terminal sets. Cost: linear in the
// composition, and a few queries for a step.

import (
	"context"
	"slices"

	"magus/internal/graph"
)

// choice reports whether progress is shown by what is certain.
func (s *liveSearch) choice() (shown bool, err error) {
	if s.owing.progressing == nil {
		return false, refuted(s.line, "fair choice is of progress")
	}
	if err := s.explore(s.owing.set(nil)); err != nil {
		return false, err
	}
	sure := make([][]bool, len(s.nodes)) // by arc
	all := true
	for i := range s.nodes {
		for _, a := range s.arcs[i] {
			is, err := s.isSure(&s.tuples[s.nodes[i].tuple].steps[a.step])
			if err != nil {
				return false, err
			}
			sure[i], all = append(sure[i], is), all && is
		}
	}
	if s.owing.provided != nil {
		return all && s.terminal(), nil
	}
	return s.leads(sure)
}

// isSure reports whether a step is possible whatever the values are that its tuple stands for.
func (s *liveSearch) isSure(m *liveMove) (bool, error) {
	for j, k := range m.copies {
		model, w, action := s.models[s.of[k]], m.ways[j], m.ways[j].action
		for i := range w.path[1:] {
			if is, err := model.sure(w.path[i], w.path[i+1], action); err != nil || !is {
				return false, err
			}
			action = ""
		}
	}
	return true, nil
}

// action is what an arc performs.
func (s *liveSearch) action(n int, a liveArc) string {
	return s.tuples[s.nodes[n].tuple].steps[a.step].action
}

// leads reports whether sure steps lead from each node to an action of the progress, or to a failing assumption.
func (s *liveSearch) leads(sure [][]bool) (bool, error) {
	yes := make([]bool, len(s.nodes))
	back := make([][]int, len(s.nodes))
	var todo []int
	mark := func(n int) {
		if !yes[n] {
			yes[n] = true
			todo = append(todo, n)
		}
	}
	for n := range s.nodes {
		if s.tuples[s.nodes[n].tuple].noRun {
			mark(n)
		}
		for j, a := range s.arcs[n] {
			if !sure[n][j] {
				continue
			}
			back[a.to] = append(back[a.to], n)
			if slices.Contains(s.owing.progressing, s.action(n, a)) {
				mark(n)
			}
		}
	}
	for len(todo) > 0 {
		if s.ctx.Err() != nil {
			return false, context.Cause(s.ctx)
		}
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, m := range back[n] {
			mark(m)
		}
	}
	return !slices.Contains(yes, false), nil
}

// terminal reports whether each part that no run leaves has an action of the progress, or none of its condition.
func (s *liveSearch) terminal() bool {
	g := graph.Func{Nodes: len(s.nodes), Succ: func(n int, yield func(int)) {
		for _, a := range s.arcs[n] {
			yield(a.to)
		}
	}}
	scc := graph.SCC(g)
	leaves, asked, done := make([]bool, scc.Count), make([]bool, scc.Count), make([]bool, scc.Count)
	for n := range s.nodes {
		c := scc.Of[n]
		for _, a := range s.arcs[n] {
			leaves[c] = leaves[c] || scc.Of[a.to] != c
			asked[c] = asked[c] || slices.Contains(s.owing.provided, s.action(n, a))
			done[c] = done[c] || slices.Contains(s.owing.progressing, s.action(n, a))
		}
	}
	for c := range leaves {
		if !leaves[c] && asked[c] && !done[c] {
			return false
		}
	}
	return true
}
