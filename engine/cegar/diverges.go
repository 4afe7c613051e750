package cegar

// Divergences: what goes on for ever without an action that the specification observes.
//
// Idea: an infinite run of the components is one of the abstractions MP_i. In these, what may go round
// unobserved for ever is looked for, without the loops that end by a ranking (loop_ends.go). If there is
// nothing, nothing diverges. Else there is a lasso, and its rounds are tried as paths, more and more of them:
// if the components cannot take them, they are refined as always; if after some rounds all comes back on
// which the rounds rest, they go on for ever, which is executed.
//
// Source: divergences as in package lts; lassos: Cook, Podelski, Rybalchenko: Termination proofs for systems code (PLDI
// 2006), where a lasso that ends gives a ranking, and one that does not a counterexample. Cost: that of the search in
// package lts, and of the paths.

import (
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
	"magus/evidence/witness"
	"magus/lts"
	"magus/smt/expr"
)

// maxLaps bounds the rounds of a lasso that are tried.
const maxLaps = 12

// A lasso is a counterexample whose last steps go round.
type lasso struct {
	stem  int // steps before them
	round int // steps of a round
	// within are, where the one part that goes round does not come back, conditions that each round begins with, and
	// ends with; then there are two rounds.
	within []*expr.Expr
}

// diverging looks for what goes on for ever unobserved where the specification does not.
func (s *state) diverging(ctx context.Context) (answer, error) {
	a := answer{verdict: lts.Unknown}
	if _, given := s.written(1); !given {
		alone, err := s.divergesAlone(ctx)
		if err != nil {
			return answer{}, err
		}
		if alone.Verdict == lts.Holds {
			a.verdict, a.states = lts.Holds, alone.States
			return a, nil
		}
	}
	for n := 1; ; n++ {
		copies, given := s.written(n)
		r, err := s.divergesWith(ctx, copies)
		if err != nil {
			return answer{}, err
		}
		a.verdict, a.reason, a.states = r.Verdict, r.Reason, a.states+r.States
		switch {
		case r.Verdict == lts.Fails:
			a.cex = &cex{Counterexample: &lts.Counterexample{Steps: slices.Concat(r.Stem.Steps, r.Cycle.Steps)},
				copies: s.system.Written(copies), lasso: &lasso{stem: len(r.Stem.Steps), round: len(r.Cycle.Steps)}}
			return a, nil
		case r.Verdict == lts.Unknown || given:
			return a, nil
		case n == mostCopies:
			a.verdict, a.reason = lts.Unknown, fmt.Sprintf(
				"no divergence of up to %d copies of each component; whether more diverge is not decided", n)
			return a, nil
		}
	}
}

// divergesAlone looks for what a component can do for ever unobserved, if all others always do what it asks
// for. If there is nothing, no number of copies diverges: of these one makes infinitely many steps.
func (s *state) divergesAlone(ctx context.Context) (all lts.DivergenceResult, err error) {
	free := lts.NewBuilder(s.actions)
	one := free.AddState("any")
	for _, a := range s.against.Alphabet() {
		free.Alphabet(a)
		free.AddEdge(one, a, one)
	}
	spec := free.Build()
	for i, m := range s.levelOne() {
		c := s.comps[i]
		c.ended = nil
		ends := func(ctx context.Context, _ int, among []lts.Transition) ([]lts.Transition, error) {
			return c.loopEnds(ctx, among)
		}
		r, err := lts.Divergences(ctx, []*lts.LTS{m}, []map[lts.Action]lts.Standing{c.abs.Graph.Standing()},
			[]lts.Action{c.Cut}, spec, nil, ends, lts.Limits{MaxStates: s.maxStates(s.opt), Reduce: true})
		all.Verdict, all.States = r.Verdict, all.States+r.States
		if err != nil || r.Verdict != lts.Holds {
			return all, err
		}
	}
	return all, nil
}

// divergesWith is diverging of some copies.
func (s *state) divergesWith(ctx context.Context, copies []int) (lts.DivergenceResult, error) {
	var standing []map[lts.Action]lts.Standing
	var passed []lts.Action
	for _, c := range s.comps {
		standing, passed = append(standing, c.abs.Graph.Standing()), append(passed, c.Cut)
	}
	for _, c := range s.comps {
		c.ended = nil
	}
	w := lts.Copy(s.levelOne(), copies, s.against)
	ends := func(ctx context.Context, part int, among []lts.Transition) ([]lts.Transition, error) {
		own := slices.Clone(among)
		for i := range own {
			own[i].Action = w.Original(own[i].Action)
		}
		ended, err := s.comps[w.Of[part]].loopEnds(ctx, own)
		if err != nil {
			return nil, err
		}
		var all []lts.Transition
		for i, t := range own {
			if slices.Contains(ended, t) {
				all = append(all, among[i])
			}
		}
		return all, nil
	}
	r, err := lts.Divergences(ctx, w.Impl, w.Standing(standing), w.Variants(passed), w.Spec, s.system.Divergent, ends,
		lts.Limits{MaxStates: s.maxStates(s.opt), Reduce: true})
	if r.Verdict == lts.Fails {
		r.Stem, r.Cycle = w.Counterexample(r.Stem), w.Counterexample(r.Cycle)
	}
	return r, err
}

// withRounds is the counterexample with its last steps so many times.
func (x *cex) withRounds(n int) *cex {
	out := *x
	stem, round := x.Steps[:x.lasso.stem], x.Steps[x.lasso.stem:][:x.lasso.round]
	steps := slices.Clone(stem)
	for range n {
		steps = append(steps, round...)
	}
	out.Counterexample = &lts.Counterexample{Steps: steps}
	return &out
}

// made is how many of the first steps of a counterexample a part makes.
func (x *cex) made(steps, part int) (n int) {
	for _, step := range x.Steps[:steps] {
		for _, m := range step.Moves {
			if m.Component == part {
				n++
			}
		}
	}
	return n
}

// goRound tries more and more rounds of a lasso.
func (s *loop) goRound(ctx context.Context) (Event, result, error) {
	one := s.cex
	for n := 1; n <= maxLaps; n++ {
		s.cex = one.withRounds(n)
		s.paths = s.cex.Paths(len(s.cex.copies))
		if err := s.takePaths(ctx); err != nil {
			return nil, "", err
		}
		s.trace = s.cex.Trace()
		if e := s.note(); e.Spurious {
			if len(s.refine) == 0 {
				why := verdict.Reason{Kind: verdict.NoProgress,
					Text: fmt.Sprintf("no progress: a path of %s that was eliminated came back", s.comps[e.Component].Name)}
				s.refine = []int{e.Component}
				return s.giveUp(why, e)
			}
			return e, spurious, nil
		}
		again, err := s.comeBack(ctx, n)
		if err != nil {
			return nil, "", err
		}
		if again {
			return s.replay(ctx)
		}
	}
	recurs, err := s.recurs(ctx, one)
	switch {
	case err != nil:
		return nil, "", err
	case recurs:
		return s.replay(ctx)
	}
	why := verdict.Reason{Kind: verdict.NoProof, Place: s.roundPlace(one), Text: fmt.Sprintf(
		"whether this goes on for ever is not decided: it can go round %d times, no value was found to "+
			"come back, and no term to get smaller",
		maxLaps)}
	return s.giveUp(why, ValidatedC{})
}

// roundPlace is where the first part of a lasso that goes round does so.
func (s *state) roundPlace(one *cex) (p cfa.Pos) {
	for k, copied := range one.copies {
		c := s.comps[copied.Component]
		head := one.made(one.lasso.stem, k)
		steps := c.abs.Steps(s.taken[k].path)
		if len(steps) > head {
			if p := c.placeOf(locsOf(c.program(), c.abs.Graph.Program(steps[head:]))); p.IsValid() {
				return p
			}
		}
	}
	return p
}

// comeBack reports whether all parts that go n rounds can do so such that all on which these rest comes back,
// and has the runs be such.
func (s *loop) comeBack(ctx context.Context, n int) (bool, error) {
	runs := make([]*component.Execution, len(s.taken))
	for k, copied := range s.cex.copies {
		runs[k] = s.taken[k].feasible.Run
		head := s.cex.made(s.cex.lasso.stem, k)
		if s.cex.made(len(s.cex.Steps), k) == head {
			continue
		}
		c := s.comps[copied.Component]
		run, err := c.abs.FeasibleLasso(ctx, s.taken[k].path, head)
		if err != nil || run == nil {
			return false, err
		}
		at := len(c.abs.Graph.Program(c.abs.Steps(s.taken[k].path)[:head]))
		run.Edges = slices.Concat(run.Edges, run.Edges[at:])
		run.Step = slices.Concat(run.Step, run.Step[at:])
		runs[k] = run
	}
	s.runs = [][]*component.Execution{runs}
	return true, nil
}

// recurs reports whether a lasso in which one part goes round has a recurrence set, and has the runs be such.
func (s *loop) recurs(ctx context.Context, one *cex) (bool, error) {
	moving := -1
	for k := range one.copies {
		if one.made(len(one.Steps), k) == one.made(one.lasso.stem, k) {
			continue
		}
		if moving >= 0 {
			return false, nil
		}
		moving = k
	}
	s.cex = one.withRounds(2)
	s.paths = s.cex.Paths(len(s.cex.copies))
	if err := s.takePaths(ctx); err != nil {
		return false, err
	}
	s.trace = s.cex.Trace()
	c := s.comps[s.cex.copies[moving].Component]
	run, set, err := c.abs.Recurrence(ctx, s.taken[moving].path, one.made(one.lasso.stem, moving))
	if err != nil || run == nil {
		return false, err
	}
	runs := make([]*component.Execution, len(s.taken))
	for k := range s.taken {
		runs[k] = s.taken[k].feasible.Run
	}
	runs[moving] = run
	s.runs = [][]*component.Execution{runs}
	l := *one.lasso
	l.within = set
	s.cex.lasso = &l
	return true, nil
}

// executeLasso replays a run that goes round twice.
func (s *state) executeLasso(ctx context.Context) (*witness.Violation, error) {
	l := s.cex.lasso
	steps := s.cex.Steps
	if l.within == nil {
		steps = slices.Concat(steps, steps[l.stem:])
	}
	twice := &cex{Counterexample: &lts.Counterexample{Steps: steps}, copies: s.cex.copies}
	before := len(twice.joint(l.stem))
	marks := witness.Twice{Actions: before, Round: (len(twice.joint(len(steps))) - before) / 2, Within: l.within}
	var parts []witness.Part
	for k, copied := range s.cex.copies {
		c := s.comps[copied.Component]
		parts = append(parts, witness.Part{Copy: copied, Graph: c.program(), Execution: s.runs[0][k]})
		head := s.cex.made(l.stem, k)
		marks.Edges = append(marks.Edges, len(c.abs.Graph.Program(c.abs.Steps(s.taken[k].path)[:head])))
	}
	return witness.ReplayDiverging(ctx, s.system, parts, twice.joint(len(twice.Steps)), marks)
}

// levelOne are the components' MP_i, in which what goes round is what goes round in some of their states.
func (s *question) levelOne() (all []*lts.LTS) {
	for _, c := range s.comps {
		all = append(all, c.mp.LTS)
	}
	return all
}
