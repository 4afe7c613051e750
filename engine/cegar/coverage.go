package cegar

// What a proof is about.

import (
	"context"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/evidence/coverage"
	"magus/evidence/verdict"
	"magus/lts"
)

// Coverage says what the present abstractions reach of each component that has
// one: in the end, what the proof reached.
func (s *state) Coverage() []*verdict.Coverage { return s.reach().coverage() }

// A reach is what a claim was proved with, as far as it tells what the proof is about.
type reach struct {
	*question
	overLayers bool        // the proof is one over layers, without abstractions
	covered    []bool      // edges that a run takes within them
	proved     bool        // with the components' abstractions
	best       composition // of them
}

// reach is that of the proof, or of the present abstractions.
func (s *state) reach() reach {
	if s.summary != nil {
		return reach{question: s.summary.question, overLayers: true, covered: s.covered}
	}
	return reach{s.question, s.searched > 0 || s.steps > 0 || s.induced != nil, s.covered, s.proved, s.best}
}

// coverage says what of each component that has an abstraction is reached.
func (r reach) coverage() []*verdict.Coverage {
	if r.overLayers {
		g := r.comps[0].program()
		taken := coverage.Moves{Taken: r.covered, Refused: make([]bool, len(g.Edges))}
		return []*verdict.Coverage{coverage.Of(g, taken)}
	}
	met := r.together()
	var all []*verdict.Coverage
	for i, c := range r.comps {
		if c.mp != nil {
			all = append(all, coverage.Of(c.program(), c.moves(met(i))))
		}
	}
	return all
}

// fewStates bounds the composition of the MPs of a proof, which is built for the sake of its coverage only,
// whether time is left or not, and fewStatesOfAll the states of its components in these: it takes some
// milliseconds.
const (
	fewStates      = 1 << 14
	fewStatesOfAll = 1 << 20
)

// together says of a component which states of its MP a transition may lead to,
// the others being where they are. In a proof about several components that is
// where their MPs come together, if these are not too many states; else where the
// last check has met their blocks.
func (r reach) together() func(i int) func(lts.Edge) bool {
	all := func(int) func(lts.Edge) bool { return func(lts.Edge) bool { return true } }
	if !r.proved || len(r.comps) < 2 && r.system.Single() || r.system.AnyNumber() {
		return all
	}
	mps := make([]*lts.LTS, len(r.comps))
	for i, c := range r.comps {
		if c.mp != c.proof.mp {
			return all
		}
		mps[i] = c.mp.LTS
	}
	b := lts.NewBuilder(r.actions) // observes nothing
	b.AddState("")
	w := lts.Copy(mps, r.system.Copies, b.Build())
	met, err := lts.Contains(context.Background(), w.Impl, w.Spec,
		lts.Limits{MaxStates: min(fewStates, fewStatesOfAll/len(w.Impl)), Visited: true, PartialOrder: !r.opt.AllOrders})
	if err == nil && met.Visited != nil {
		return func(i int) func(lts.Edge) bool {
			return func(e lts.Edge) bool { // some copy was there
				for k, of := range w.Of {
					if of == i && met.Visited[k][e.To] {
						return true
					}
				}
				return false
			}
		}
	}
	if r.best.visited == nil {
		return all
	}
	return func(i int) func(lts.Edge) bool {
		ma := r.comps[i].ma
		return func(e lts.Edge) bool {
			switch {
			case ma == nil:
				return r.best.visited[i][e.To]
			case e.Action == lts.Tau: // a block is anywhere where τ leads
				return true
			}
			return r.best.visited[i][ma.Block(e.To)]
		}
	}
}

// examine gives an outcome what the proof is about, and makes it unknown if that is
// too little and such proofs are refused.
func (r reach) examine(o *verdict.Outcome) {
	o.Coverage = r.coverage()
	o.Doubts = coverage.Doubts(r.claim, r.spec, r.graphs(), o.Coverage, r.looksForErrors())
	if r.opt.RefuseVacuous {
		coverage.Refuse(o)
	}
}

// names are the doubts about what the claim mentions.
func (s *question) names() []verdict.Doubt {
	if s.system == nil {
		return nil
	}
	return coverage.Names(s.claim, s.spec, s.graphs(), s.looksForErrors())
}

// graphs are those of the components.
func (s *question) graphs() []*component.Graph {
	graphs := make([]*component.Graph, len(s.comps))
	for i, c := range s.comps {
		graphs[i] = c.program()
	}
	return graphs
}

// looksForErrors reports whether errors are looked for which no text mentions.
func (s *question) looksForErrors() bool {
	return s.opt.CheckPointers || s.opt.CheckLeaks || s.opt.CheckFloat != 0 ||
		s.opt.SignedOverflow == cfa.OverflowIsError ||
		s.claim.Lowering.OverflowsOnly
}

// moves are the edges of the program that the component's MP takes by the transitions that it may.
func (c *model) moves(may func(lts.Edge) bool) coverage.Moves {
	n := len(c.program().Edges)
	m := coverage.Moves{Taken: make([]bool, n), Refused: make([]bool, n)}
	met := make([]bool, c.mp.LTS.NumStates())
	met[c.mp.LTS.Init()] = true
	for work := []lts.State{c.mp.LTS.Init()}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range c.mp.LTS.Out(at) {
			passes := may(e)
			for _, id := range c.mp.Stands(at, e) {
				c.mark(m, id, passes)
			}
			if passes && !met[e.To] {
				met[e.To] = true
				work = append(work, e.To)
			}
		}
	}
	return m
}

// mark marks what an edge of level one stands for: all of it is taken, or what comes before an action in
// which the others do not join, the action and what follows being refused.
func (c *model) mark(m coverage.Moves, id int32, passes bool) {
	parts := c.abs.Graph.Parts(id)
	first := len(parts)
	if !passes {
		first = max(0, slices.IndexFunc(parts, func(p int32) bool { return c.program().Edges[p].Action != lts.Tau }))
	}
	for i, p := range parts {
		if i < first {
			m.Taken[p] = true
		} else {
			m.Refused[p] = true
		}
	}
}
