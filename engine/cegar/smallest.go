package cegar

// The smallest set that suffices.
//
// Idea: a smallest set of candidates that eliminates all spurious paths seen so
// far is often a bad guess early on: there are many small sets, and each turn of
// the loop excludes few of them. With the exact strategy the loop therefore goes
// on with generously extended sets until the claim is proved, which decides the
// verdict, and only then asks for a minimum over the paths seen. If that is
// smaller it is tried like any other set; what goes wrong with it is a new path,
// and the minimum over one path more is tried. It ends when the minimum over the
// paths seen is as large as the smallest sets with which the claim was proved. If
// each of these excludes all paths seen in its component, as it must where there
// is only one, and is as large as the component's minimum, they are proven to be
// smallest.
//
// Source: Chaki et al., Efficient Verification of Sequential and Concurrent C
// Programs, FMSD 25 (2004), section 6.3, asks for a minimum at every turn. Going
// on with sets that merely hit, and asking for an optimum only when nothing else is
// left to do, is how solvers for maximum satisfiability by implicit hitting sets
// work (Davies and Bacchus, "Postponing Optimization to Speed Up MAXSAT
// Solving", CP 2013).
//
// Cost: the verdict comes after the first proof; what is spent afterwards
// serves the size of the set only. Proving a minimum takes at most as many turns
// as there are sets, mostly as many as there are candidates that matter; it ends
// after a bounded number of them, or when an abstraction is much larger than those
// of the proof, or when the context ends, verdict unchanged and the outcome's NotShown
// says which. Who drives the session gives it the time (package job: as much as
// the proof took).

import (
	"cmp"
	"context"
	"fmt"

	"magus/evidence/verdict"
	"magus/minimize"
)

// DefaultReduceIterations is how many turns are spent on smaller sets.
const DefaultReduceIterations = 200

// exact reports whether smallest sets are looked for at all.
func (s *question) exact() bool {
	_, exact := s.comps[0].strategy.(*minimize.Minimizer)
	return exact
}

// keepProof keeps the present sets as the components' proofs, unless those they
// have are as small.
func (s *state) keepProof() {
	cost := 0
	for _, c := range s.comps {
		cost += c.cost(c.set) - c.cost(c.proof.set)
	}
	if !s.proved || cost < 0 {
		for _, c := range s.comps {
			c.proof = proof{c.set, c.mp, c.ma}
		}
		s.best, s.largest = s.checked, s.size()
	}
	if !s.proved {
		s.proved, s.turns = true, s.stats.Iterations
	}
}

// size is the number of states of the largest abstraction, or of the product.
func (s *state) size() int {
	n := s.checked.states
	for _, c := range s.comps {
		n = max(n, c.mp.LTS.NumStates())
	}
	return n
}

// cost is what a set of candidates costs.
func (c *model) cost(set []int) int {
	n := 0
	for _, i := range set {
		n += elimination{c}.Cost(i)
	}
	return n
}

// Proven to be smallest, or not and nobody looked for them.
const (
	smallest  = "smallest"
	notLooked = ""
)

// conforms ends with the smallest sets that proved the claim. shown is smallest
// if they are proven to be that, else what ended the search for such sets.
func (s *task) conforms(shown string) Event {
	if s.proved {
		for _, c := range s.comps {
			c.set, c.mp, c.ma, c.stale = c.proof.set, c.proof.mp, c.proof.ma, false
		}
		s.stats.ProductStates, s.checked = s.best.states, s.best
	}
	e := s.end(verdict.Conforms, verdict.Reason{})
	s.examine(s.outcome)
	if s.outcome.Loop.Smallest = shown == smallest; shown != smallest {
		s.outcome.Loop.NotShown = shown
	}
	return e
}

// exhausted reports whether the turns for smaller sets are used up, and says so.
func (s *state) exhausted() (string, bool) {
	n := cmp.Or(s.opt.ReduceIterations, DefaultReduceIterations)
	return fmt.Sprintf("--reduce-iterations %d", n), n > 0 && s.stats.Iterations >= s.turns+n
}

// An abstraction with a smaller set may have this many times the states of the
// proof's, and leastReduceStates always.
const (
	reduceGrowth      = 4
	leastReduceStates = 1000
)

// maxStates is how large an abstraction or a product may become; 0: no bound. An
// attempt with a smaller set that takes many more states than the proof did is
// worth nothing to whoever reads it.
func (s *state) maxStates() int {
	if !s.proved {
		return s.opt.MaxStates
	}
	n := max(leastReduceStates, reduceGrowth*s.largest)
	if s.opt.MaxStates > 0 {
		n = min(n, s.opt.MaxStates)
	}
	return n
}

// reduce tries smaller sets if there may be any.
func (s *loop) reduce(ctx context.Context) (Event, result, error) {
	var event Event
	smaller, shown := 0, smallest
	for i, c := range s.comps {
		c.own()
		m, exact := c.strategy.(*minimize.Minimizer)
		if !exact { // chosen by hand meanwhile
			return s.conforms(notLooked), atEnd, nil
		}
		r, err := m.Minimize(ctx, elimination{c})
		s.stats.Minimization.Add(minimization(r.Stats))
		if err != nil {
			return s.conforms(why(ctx, err)), atEnd, nil // the verdict stands; the set is not proven to be smallest
		}
		less := c.cost(c.proof.set) - c.cost(r.Set.Elements())
		smaller += less
		switch {
		case !r.Proven:
			shown = "no minimum is proven"
		case less != 0 || !c.excludesAll(ctx):
			shown = "one component excludes what another does not"
		}
		if e := s.adopt(i, r); event == nil || len(e.Added)+len(e.Dropped) > 0 {
			event = e
		}
	}
	if smaller <= 0 {
		return s.conforms(shown), atEnd, nil
	}
	s.stats.PredicateIterations++
	s.reducing = false
	return event, done, nil
}

// why says in a few words what ended the search for a minimum.
func why(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return context.Cause(ctx).Error()
	}
	return err.Error()
}

// excludesAll reports whether the proof's set excludes every spurious path seen
// in this component. Where components are composed it need not: what one does not
// exclude, another may.
func (c *model) excludesAll(ctx context.Context) bool {
	for _, p := range c.spurious {
		if gone, err := c.abs.Eliminates(ctx, p.path, c.proof.set); err != nil || !gone {
			return false
		}
	}
	return true
}
