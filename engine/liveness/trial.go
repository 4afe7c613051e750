package liveness

// One round: with the graphs of the components, is there a run that is not as it is asked?

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
)

// A trial has the graphs of one round.
type trial struct {
	*Session
	ctx        context.Context
	behaviours []*behaviour
}

// search composes the components, with silent steps folded or not quite, and finds all nodes.
func (t *trial) search(fine bool) (*searched, error) {
	all, alphabets, err := t.processes(t.behaviours, fine)
	if err != nil {
		return nil, err
	}
	p, err := compose(t.ctx, all, alphabets, t.limit(allStates))
	if err != nil {
		return nil, err
	}
	return search(t.ctx, p, t.asked, t.not, t.limit(allStates))
}

// decide ends the session, or adds predicates and reports that there is another round.
func (t *trial) decide() (more bool, err error) {
	coarse, err := t.search(false)
	if err != nil {
		return false, err
	}
	fairness := t.claim.Live.Fairness
	if fairness == component.ChoiceFairness {
		return t.choice(coarse)
	}
	left := newExclusions()
	for l := coarse.find(fairness, true, left); l != nil; l = coarse.find(fairness, true, left) {
		not, err := t.violates(coarse, l)
		switch {
		case err != nil || not == nil:
			return false, err
		case t.rank(coarse, l, left):
		case t.refine(coarse, l, not):
			return true, nil
		default:
			return false, t.noArgument(coarse, l)
		}
	}
	return t.proves(coarse, fairness)
}

// violates executes a run that may violate, and ends the session if it can be executed. Else it says which processes
// cannot do their part.
func (t *trial) violates(s *searched, l *lasso) (not []int, err error) {
	x, err := s.execute(t.ctx, l, t.system, t.solvers)
	if err != nil || x.violation == nil {
		return x.not, err
	}
	if err := s.confirm(l); err != nil {
		return nil, err
	}
	t.found, t.lasso, t.graphsAtEnd = x.violation, x.lasso, t.behaviours
	t.end(verdict.Violates, verdict.Reason{})
	return nil, nil
}

// proves looks for a run that may be one that violates, and ends the session if there is none.
func (t *trial) proves(s *searched, fairness component.Fairness) (more bool, err error) {
	if n := s.unknowns(); n >= 0 {
		return false, t.cut(s, n)
	}
	if at, is := t.comps[0].CFA.Assumes(); is && fairness == component.NoFairness {
		return false, &verdict.Reason{Kind: verdict.NoProof, Place: at, Text: "no violation was found; an assumption ends runs here " +
			"that may be meant without fairness, for what one component or thread does alone is done at once"}
	}
	if fairness != component.NoFairness || len(t.lessened) > 0 { // ranks are checked step by step
		if s, err = t.search(true); err != nil {
			return false, err
		}
	}
	left := newExclusions()
	for l := s.find(fairness, false, left); l != nil; l = s.find(fairness, false, left) {
		if t.rank(s, l, left) {
			continue
		}
		if t.refine(s, l, nil) {
			return true, nil
		}
		return false, t.undecided(s, l)
	}
	t.proved()
	return false, nil
}

// cut is why nothing is known behind a tuple.
func (t *trial) cut(s *searched, n int32) error {
	r := &verdict.Reason{Kind: verdict.Recursion,
		Text: "no violation was found, and some runs are not followed: recursion, " +
			"or what is not modelled"}
	for i, q := range s.tuples[n] {
		p := &s.processes[i]
		if p.states[q].status == unknown {
			r.Place, _ = p.place(q)
			for _, refused := range p.control.Comp.CFA.Refused {
				if p.comesFrom(p.states[q].node, refused.At) {
					if why, known := verdict.Of(refused.Why); known {
						return &why
					}
				}
			}
			return r
		}
	}
	return r
}

// comesFrom reports whether a control point is a location, or comes behind it at once.
func (b *behaviour) comesFrom(n component.Node, at cfa.Loc) bool {
	loc, ok := b.control.Loc(n)
	return ok && loc == at ||
		slices.ContainsFunc(b.control.In(n), func(id int32) bool { return b.control.Edges[id].Loc == at })
}

// noArgument is why nothing is known of a loop that cannot be executed.
func (t *trial) noArgument(s *searched, l *lasso) error {
	r := &verdict.Reason{Kind: verdict.NoProof,
		Text: "a loop was found that no values go round, and no argument that it ends"}
	r.Place = s.loopPlace(l)
	return r
}

// undecided is why a run is neither a violation nor excluded.
func (t *trial) undecided(s *searched, l *lasso) error {
	r := &verdict.Reason{Kind: verdict.NoProof, Place: s.loopPlace(l)}
	exact := true
	for _, b := range t.behaviours {
		exact = exact && b.exact
	}
	switch {
	case !exact:
		r.Text = "a run was found that may violate it; whether it is one of the program is not known"
	default:
		r.Text = fmt.Sprintf("whether a run is fair (%s) depends on whether a component counts as unable to go on "+
			"while another one computes", t.claim.Live.Fairness.Said())
	}
	return r
}

// loopPlace is where a process is that moves in the loop, or at its end.
func (s *searched) loopPlace(l *lasso) (at struct {
	File      string
	Line, Col int
}) {
	way := l.loop
	if len(way) == 0 {
		way = l.stem
	}
	for _, p := range way {
		for _, m := range s.step(p).moves {
			if pos, ok := s.processes[m.process].place(m.way.to); ok {
				return pos
			}
		}
	}
	return at
}
