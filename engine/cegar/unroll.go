package cegar

// Bounded search beside the loop.
//
// Idea: a violation that lies deep may be found sooner by looking for it than by failing
// to prove its absence. So between two iterations of the loop, or where an abstraction
// grows large, the component's runs are unrolled for a while (package bounded). What is
// found there is a path of the component like one that the abstractions led to, and is
// executed like it. If nothing is found the loop goes on where it was; but where all runs
// have ended, and none is cut off, the claim is proved.
//
// The two share one core and do not run side by side: which of them finds a violation, and
// so which one people see, must not depend on the machine. The bounded search gets its first
// share late, so that it has no part in what the loop decides in few iterations, and then an
// eighth of the effort that the loop has made.
//
// Source: the combination is common among the verifiers that compete in SV-COMP; sharing by
// counted effort is ours. Cost: an eighth of the loop's, as far as effort can be compared
// (bench/README.md has what was measured), and the abstractions that are given up for a share.

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"magus/component"
	"magus/engine/bounded"
	"magus/engine/portfolio"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
	"magus/lts"
	"magus/predabs"
)

// What the loop did, in the unit of package bounded's effort and as far as it does not depend
// on what is remembered, and when the bounded search has its shares.
const (
	pathEffort  = 1 << 15 // of a choice of predicates, for each spurious path
	hardEffort  = 1 << 18 // if one of the predicates multiplies or divides
	stateEffort = 16      // for each abstract state
	boundedPart = 8       // of it, the part that the bounded search makes
	firstEffort = 1 << 18 // of the loop, before the bounded search has its first share
	coverEffort = 1 << 22 // to find out what a proof is about
	firstStates = 1 << 12 // of an abstraction, beyond which it has a share first; then sixteen times as many
	maxGivenUp  = 2       // abstractions that are given up for a share
	maxUnrolled = 1 << 31 // control points times variables of a component that is unrolled: a bit for each are 256 MiB
)

// falsifiable reports whether the bounded search can be asked: of one component, which is not
// too large for it unless it is the engine that was asked for.
func (s *state) falsifiable() bool {
	m := s.opt.Engine.methods()
	return (m.search || m.induction) && !s.proved && !s.unfalsified && len(s.comps) == 1 &&
		s.system.Single() && !s.spec.HasError() &&
		(!m.loop || s.comps[0].unrollable())
}

// unrollable reports whether a component is small enough to be unrolled beside the loop: which
// variables matter is known for each control point, and so are their values where ways meet.
func (c *model) unrollable() bool {
	g := c.abs.Graph
	return g.NumNodes()*len(g.Comp.CFA.Vars) <= maxUnrolled
}

// due reports whether the bounded search has a share before the next iteration of the loop:
// when the loop has done twice as much as before its last share.
func (s *state) due() bool {
	return s.falsifiable() && s.effort >= max(cmp.Or(s.opt.TurnEffort, firstEffort), 2*s.granted)
}

// affordable is the largest abstraction that is built before the bounded search has
// another share; 0 for no bound.
func (s *state) affordable() int {
	most := s.maxStates()
	if !s.falsifiable() || s.givenUp == maxGivenUp {
		return most
	}
	if few := firstStates << (4 * s.givenUp); most == 0 || few < most {
		return few
	}
	return most
}

// gaveUp reports whether an abstraction was given up so that the bounded search has a
// share first.
func (s *state) gaveUp(err error) bool {
	var states *predabs.ErrStates
	return errors.As(err, &states) && states.Max != s.maxStates()
}

// unroll gives the bounded search a share.
func (s *Session) unroll(ctx context.Context) (Event, result, error) {
	search, err := s.boundedSearch(ctx)
	if err != nil {
		return nil, "", err
	}
	did, err := search.upTo(ctx, portfolio.Effort(s.effort/boundedPart))
	if err != nil {
		return nil, "", err
	}
	a := found(did.event)
	s.shares.had(boundedMethod, portfolio.Effort((s.effort-s.granted)/boundedPart), did.made[0])
	s.granted, s.unrolled = s.effort, a.Depth
	e := Unrolled{Depth: a.Depth, Ended: a.Ended, Found: a.Path != nil, Accelerated: a.Accelerated}
	if a.Path != nil {
		return s.confirm(ctx, a, e)
	}
	if a.Ended && !a.Cut {
		if s.covered, err = s.layers.search.Taken(ctx, coverEffort); err != nil {
			return nil, "", err
		}
		s.searched, s.bounded = a.Depth, true
		s.withoutPredicates()
		return s.conforms(notLooked), ended, nil
	}
	s.unfalsified = a.Ended
	if s.inductive() {
		return e, induct, nil
	}
	return s.goOn(e)
}

// found is what the bounded search knows after a share.
func found(e portfolio.Event[bounded.Finding]) bounded.Answer {
	switch e := e.(type) {
	case portfolio.Ended[bounded.Finding]:
		return e.Outcome.Answer
	case portfolio.GaveUp[bounded.Finding]:
		var none *bounded.NoViolation
		if errors.As(e.Why, &none) {
			return none.Answer
		}
	case portfolio.Worked[bounded.Finding]:
		a, _ := e.What.(bounded.Answer)
		return a
	}
	return bounded.Answer{}
}

// goOn says what follows the shares of the bounded search and of the induction.
func (s *Session) goOn(e Event) (Event, result, error) {
	m := s.opt.Engine.methods()
	last := !s.inductive() || s.effort >= lastEffort
	switch {
	case s.stuck != nil && (s.unfalsified || s.effort >= lastEffort):
		return s.end(verdict.Unknown, *s.stuck), ended, nil
	case s.unfalsified, s.stuck == nil && m.loop:
		return e, done, nil
	case !m.search && s.uninductive:
		return s.end(verdict.Unknown, verdict.Reason{Kind: verdict.NoProof, Text: "no proof by " + m.sentence}), ended, nil
	case s.opt.Bound > 0 && s.unrolled >= s.opt.Bound && last:
		why := verdict.Reason{Kind: verdict.Depth,
			Text: fmt.Sprintf("no violation closes fewer than %d loops (--bound %d)", s.unrolled, s.opt.Bound)}
		return s.end(verdict.Unknown, why), ended, nil
	}
	s.effort *= 2
	if !m.search {
		return e, induct, nil
	}
	return e, again, nil
}

// certifyRuns writes out that all runs were searched.
func (s *state) certifyRuns(c *Certificate) {
	c.Unrolled = &certificate.Unrolled{Layers: s.searched, Order: s.points(s.layers.search.Order())}
}

// points are control points of the only component in the words of a certificate.
func (s *question) points(nodes []component.Node) []certificate.Node {
	var points []certificate.Node
	for _, n := range nodes {
		points = append(points, s.comps[0].point(n))
	}
	return points
}

// confirm executes a path. If the run rests on a value that is not modelled, another one is
// looked for, the loop goes on alone, or a body is looked at.
func (s *Session) confirm(ctx context.Context, a bounded.Answer, e Unrolled) (Event, result, error) {
	c := s.comps[0]
	f, err := c.abs.FeasibleProgram(ctx, a.Path, a.Repeats)
	if err != nil {
		return nil, "", err
	}
	if !f.Feasible {
		return nil, "", verdict.Because(verdict.Fault,
			"the bounded search found a path that the component cannot take, which is a fault of this tool")
	}
	before := s.state
	s.take(a.Path, f)
	v, err := s.execute(ctx)
	why, undecided := verdict.Of(err)
	switch {
	case err == nil:
		s.bounded, s.accelerated = true, e.Accelerated
		return s.violates(v, len(observedBy(s.spec, s.trace)) > 1), ended, nil
	case !undecided || ctx.Err() != nil:
		return nil, "", err
	case s.needsBody(err):
		e.Body = s.unseen
		s.state = before
		s.unseen = e.Body
		return e, needsBody, nil
	case why.Kind == verdict.Fault:
		return s.end(verdict.Unknown, why), ended, nil
	}
	s.state = before
	v, err = s.instead(ctx, err)
	switch {
	case err == nil:
		s.bounded = true
		return s.violates(v, len(observedBy(s.spec, s.trace)) > 1), ended, nil
	case ctx.Err() != nil:
		return nil, "", err
	}
	s.unfalsified = true
	return e, done, nil
}

// take makes a path of the only component, in the program's edges, the counterexample.
func (s *state) take(path []int32, f predabs.Feasibility) {
	s.cex = &cex{Counterexample: &lts.Counterexample{}, copies: s.system.Written(s.system.Copies)}
	s.standing, s.against, s.trace, s.paths, s.taken = Open, s.spec, nil, nil, []taken{{feasible: f}}
	for _, id := range path {
		a := s.comps[0].program().Edges[id].Action
		s.cex.Steps = append(s.cex.Steps, lts.Step{Action: a, Moves: []lts.Move{{}}})
		if a != lts.Tau {
			s.trace = append(s.trace, a)
		}
	}
}
