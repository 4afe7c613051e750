package magus

// The smallest set that suffices.
//
// Idea: a smallest set of candidates that eliminates all spurious paths seen so
// far is often a bad guess early on: there are many small sets, and each turn of
// the loop excludes few of them. With the exact strategy the loop therefore goes
// on with generously extended sets until the claim is proved, which decides the
// verdict, and only then asks for a minimum over the paths seen. If that is
// smaller it is tried like any other set; what goes wrong with it is a new path,
// and the minimum over one path more is tried. It ends when the minimum over the paths seen is as large
// as the smallest sets with which the claim was proved. If each of these excludes
// all paths seen in its component, as it must where there is only one, and is as
// large as the component's minimum, they are proven to be smallest.
//
// Source: paper section 6.3 asks for a minimum at every turn. Going on with
// sets that merely hit, and asking for an optimum only when nothing else is
// left to do, is how solvers for maximum satisfiability by implicit hitting sets
// work (Davies and Bacchus, "Postponing Optimization to Speed Up MAXSAT
// Solving", CP 2013).
//
// Cost: the verdict comes after the first proof; what is spent afterwards
// serves the size of the set only. Proving a minimum takes at most as many turns
// as there are sets, mostly as many as there are candidates that matter; it ends
// after a bounded number of them, verdict unchanged and the outcome's Smallest
// false.

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"magus/actionref"
	"magus/minimize"
	"magus/predabs"
)

// DefaultReduceTurns is how many turns are spent on smaller sets.
const DefaultReduceTurns = 200

// A level is a component's set with the models built from it.
type level struct {
	set []int
	mp  *predabs.MP
	ma  *actionref.Abstraction
}

// holds notes that the claim was proved with the present sets.
func (s *Session) holds(states int) Event {
	if names := s.sharedErrors(); names != nil {
		e := s.end(Unknown, fmt.Sprintf("%s perform error together only, and wait for each other with it: check each alone, or leave error out of the specification", strings.Join(names, " and ")))
		s.outcome.Pos = s.claim.Pos
		return e
	}
	cost := 0
	for _, c := range s.comps {
		cost += c.cost(c.set) - c.cost(c.best.set)
	}
	if !s.proved || cost < 0 {
		for _, c := range s.comps {
			c.best = level{c.set, c.mp, c.ma}
		}
		s.bestStates, s.bestParts = states, s.compositional
	}
	if !s.proved {
		s.proved, s.turns = true, s.stats.Iterations
	}
	s.reducing = true
	if _, exact := s.comps[0].strategy.(*minimize.Minimizer); !exact {
		return s.conforms()
	}
	if s.exhausted() {
		return s.conforms()
	}
	s.phase = RefineData
	return Verified{Holds: true, States: states}
}

// cost is what a set of candidates costs.
func (c *part) cost(set []int) int {
	n := 0
	for _, i := range set {
		n += elimination{c: c}.Cost(i)
	}
	return n
}

// conforms ends with the smallest sets that proved the claim.
func (s *Session) conforms() Event {
	for _, c := range s.comps {
		c.set, c.mp, c.ma, c.stale = c.best.set, c.best.mp, c.best.ma, false
	}
	s.stats.ProductStates, s.compositional = s.bestStates, s.bestParts
	return s.end(Conforms, "")
}

// exhausted reports whether the turns for smaller sets are used up.
func (s *Session) exhausted() bool {
	n := cmp.Or(s.opt.ReduceTurns, DefaultReduceTurns)
	return n > 0 && s.stats.Iterations >= s.turns+n
}

// reduce tries smaller sets if there may be any.
func (s *Session) reduce(ctx context.Context) (Event, error) {
	var event Event
	smaller, smallest := 0, true
	for i, c := range s.comps {
		m, exact := c.strategy.(*minimize.Minimizer)
		if !exact { // chosen by hand meanwhile
			return s.conforms(), nil
		}
		r, err := m.Minimize(ctx, elimination{ctx, c})
		s.stats.Minimization.Add(r.Stats)
		if err != nil {
			return s.conforms(), nil // the verdict stands; the set is not proven to be smallest
		}
		less := c.cost(c.best.set) - c.cost(r.Set.Elements())
		smaller += less
		smallest = smallest && r.Proven && less == 0 && c.excludesAll(ctx)
		if e := s.adopt(i, r); event == nil || len(e.Added)+len(e.Dropped) > 0 {
			event = e
		}
	}
	if smaller <= 0 {
		e := s.conforms()
		s.outcome.Smallest = smallest
		return e, nil
	}
	s.stats.PredicateIterations++
	s.phase, s.reducing = AbstractData, false
	return event, nil
}

// excludesAll reports whether the best set excludes every spurious path seen in
// this component. Where components are composed it need not: what one does not
// exclude, another may.
func (c *part) excludesAll(ctx context.Context) bool {
	for _, path := range c.paths {
		if gone, err := c.abs.Eliminates(ctx, path, c.best.set); err != nil || !gone {
			return false
		}
	}
	return true
}
