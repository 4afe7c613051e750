package cegar

// The smallest set that suffices.
//
// Idea: a smallest set of candidates that eliminates all spurious paths seen so
// far is often a bad guess early on: there are many small sets, and each iteration of
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
// Programs, FMSD 25 (2004), section 6.3, asks for a minimum at every iteration. Going
// on with sets that merely hit, and asking for an optimum only when nothing else is
// left to do, is how solvers for maximum satisfiability by implicit hitting sets
// work (Davies and Bacchus, "Postponing Optimization to Speed Up MAXSAT
// Solving", CP 2013).
//
// Cost: the verdict comes after the first proof; what is spent afterwards
// serves the size of the set only. Proving a minimum takes at most as many iterations
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

// DefaultReduceIterations is how many iterations are spent on smaller sets.
const DefaultReduceIterations = 200

// smaller is the search for smaller sets.
type smaller struct {
	proved     bool        // the claim holds with the components' proofs; smaller ones are looked for
	reducing   bool        // the next refinement is to look for them
	iterations int         // of the loop before the first proof
	best       composition // of the best proof
	largest    int         // states of its largest abstraction, or of its product
}

// exact reports whether smallest sets are looked for at all.
func (s *question) exact() bool {
	_, exact := s.comps[0].strategy.(*minimize.Minimizer)
	return exact
}

// with keeps the present sets as the components' proofs, unless those they have are as small.
func (x smaller) with(comps []*model, checked composition, iterations int) smaller {
	cost := 0
	for _, c := range comps {
		cost += c.cost(c.set) - c.cost(c.proof.set)
	}
	if !x.proved || cost < 0 {
		x.best, x.largest = checked, checked.states
		for _, c := range comps {
			c.proof = proof{c.set, c.mp, c.ma, c.ended}
			x.largest = max(x.largest, c.mp.LTS.NumStates())
		}
	}
	if !x.proved {
		x.proved, x.iterations = true, iterations
	}
	x.reducing = true
	return x
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
			c.set, c.mp, c.ma, c.ended, c.stale = c.proof.set, c.proof.mp, c.proof.ma, c.proof.ended, false
		}
		s.stats.ProductStates, s.checked = s.best.states, s.best
	}
	e := s.end(verdict.Conforms, verdict.Reason{})
	s.reach().examine(s.outcome)
	if s.outcome.Loop.Smallest = shown == smallest; shown != smallest {
		s.outcome.Loop.NotShown = shown
	}
	return e
}

// exhausted reports whether the iterations for smaller sets are used up, and says so.
func (x smaller) exhausted(opt Options, iterations int) (string, bool) {
	n := cmp.Or(opt.ReduceIterations, DefaultReduceIterations)
	return fmt.Sprintf("--reduce-iterations %d", n), n > 0 && iterations >= x.iterations+n
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
func (x smaller) maxStates(opt Options) int {
	if !x.proved {
		return opt.MaxStates
	}
	n := max(leastReduceStates, reduceGrowth*x.largest)
	if opt.MaxStates > 0 {
		n = min(n, opt.MaxStates)
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
