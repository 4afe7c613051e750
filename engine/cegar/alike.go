package cegar

// Components that look alike.
//
// Idea: components that were written one by one, to do the same, have other control graphs, and yet the same
// abstractions for a while, but for the names of actions. Where one of them cannot take a path with a trace,
// the others are asked whether they can take one with their names for it. What each is refined by is its own
// path, so nothing rests on the likeness, which is looked for in the simplest way: an action is the place
// where it comes first in the control graph, and with that the LTSs are equal.
//
// Source: ours. Cost: a walk through the abstractions of equal sizes, and a walk, a question to the decision
// procedure and an elimination test for each that is alike. One that could take several of
// what it was offered, one after the other, is offered no more (shape.go).

import (
	"context"
	"slices"

	"magus/component"
	"magus/lts"
)

// places are the actions of a control graph in the order in which they come, after τ.
type places struct {
	actions []lts.Action
	of      map[lts.Action]int
}

func placesIn(g *component.Graph) places {
	p := places{of: map[lts.Action]int{}}
	add := func(a lts.Action) {
		if _, met := p.of[a]; !met {
			p.of[a] = len(p.actions)
			p.actions = append(p.actions, a)
		}
	}
	add(lts.Tau)
	for i := range g.Edges {
		add(g.Edges[i].Action)
	}
	for _, a := range g.Alphabet() {
		add(a)
	}
	return p
}

// out are the edges of a state, with places for actions.
func (p places) out(m *lts.LTS, q lts.State) []lts.Edge {
	out := slices.Clone(m.Out(q))
	for i := range out {
		out[i].Action = lts.Action(p.of[out[i].Action])
	}
	slices.SortFunc(out, lts.Edge.Compare)
	return out
}

// alike reports whether the LTSs of two components are equal but for the names of actions.
func (c *model) alike(d *model) bool {
	m, n := c.checked(), d.checked()
	if m.NumStates() != n.NumStates() || m.NumEdges() != n.NumEdges() || m.Init() != n.Init() ||
		len(c.places.actions) != len(d.places.actions) {
		return false
	}
	for q := range lts.State(m.NumStates()) {
		if !slices.Equal(c.places.out(m, q), d.places.out(n, q)) {
			return false
		}
	}
	return true
}

// offerAlike offers the traces of paths that were noted to components that look alike and are not refined yet,
// and has those refined that cannot take them.
func (s *state) offerAlike(ctx context.Context, parts []otherPart) error {
	if s.opt.Alone {
		return nil
	}
	offered := make([][]lts.Action, len(s.comps))
	var to []int
	for _, p := range parts {
		from := s.comps[p.copied.Component]
		for j, c := range s.comps {
			if offered[j] != nil || s.refining(j) || c.fruitless >= fruitless ||
				slices.Contains(s.sameShape[p.copied.Component], j) || !from.alike(c) {
				continue
			}
			for _, a := range p.trace {
				offered[j] = append(offered[j], c.places.actions[from.places.of[a]])
			}
			to = append(to, j)
		}
	}
	err := s.each(to, func(j int, c *model) error { return c.takeTrace(ctx, offered[j]) })
	for _, j := range to {
		if c := s.comps[j]; len(c.spurious) > c.settled {
			s.refine = append(s.refine, j)
		}
	}
	return err
}

// takeTrace notes a path with the trace that the component cannot take, if the first one that is found is one.
func (c *model) takeTrace(ctx context.Context, trace []lts.Action) error {
	path, has := lts.Member(c.mp.LTS, trace)
	if !has {
		return nil
	}
	edges, err := c.mp.Edges(ctx, path)
	if err != nil {
		return err
	}
	return c.take(ctx, edges)
}
