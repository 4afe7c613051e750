package threaded

// Whose share is next.
//
// Idea: the search leads. Where executions go on beyond its bound, others have shares before its next step: runs,
// if many threads are created; the product of the threads, if all executions stay among those that are told apart;
// and the sequentialisations of any number of threads. Where a step of the search takes long it is preempted, and
// the others have shares meanwhile (preemption.go).
//
// Source: ours. Cost: none of its own.

import (
	"context"
	"errors"
	"slices"

	"magus/cfa/events"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/engine/cegar"
	"magus/engine/portfolio"
	"magus/engine/threads"
	"magus/evidence/verdict"
)

// searchFirst is the rule of a session that has a search: others have shares only where the search says so.
type searchFirst struct{}

// Next implements [portfolio.Rule].
func (searchFirst) Next(rows []portfolio.Row) (int, portfolio.Effort, bool) {
	return 0, portfolio.Unlimited, rows[0].State == portfolio.Open
}

// give gives a share to the method of a name. Where there is none, or it has given up, nothing is done. The error is
// that of a method which fails, or ctx's.
func (s *Session) give(ctx context.Context, name string, share portfolio.Effort) (event, error) {
	at := s.number(name)
	if at < 0 || s.portfolio.Rows()[at].State != portfolio.Open {
		return nil, nil
	}
	s.portfolio.Begin(at, share)
	e := s.portfolio.Step(ctx).Event
	switch e := e.(type) {
	case ended:
		s.found = e.Outcome
	case gaveUp:
		if quiet := (*noAnswer)(nil); !errors.As(e.Why, &quiet) {
			return e, e.Why
		}
	}
	if ctx.Err() != nil && s.found == nil {
		return e, context.Cause(ctx)
	}
	return e, nil
}

// number is that of a method; -1 if the session does not have it.
func (s *Session) number(name string) int {
	return slices.IndexFunc(s.methods, func(m Method) bool { return m.Name() == name })
}

// hadShare reports whether a method has had a share.
func (s *Session) hadShare(name string) bool {
	at := s.number(name)
	return at >= 0 && s.portfolio.Rows()[at].Shares > 0
}

// A frontier says where executions went on.
type frontier struct {
	bound          int
	loops, creates bool // through loops; to create threads
	others         bool // to what no automaton of one thread has
}

// frontierAt is where executions go on beyond a bound.
func (q *question) frontierAt(bound int, cuts []events.Cut) frontier {
	o := frontier{bound: bound}
	for _, c := range cuts {
		switch c.Kind {
		case events.LoopCut:
			o.loops, o.creates = true, o.creates || q.auto.Creates(c.Head)
		case events.ThreadCut:
			o.creates = true
		default:
			o.others = true
		}
	}
	return o
}

// mayBeFew reports whether there may be only a few more threads than are told apart at first: a loop
// that creates them without end was cut as well.
func (s *Session) mayBeFew() bool {
	return s.frontier.creates && !s.frontier.loops && s.limit <= 2*lower.DefaultThreadLimit
}

// goesOn gives others shares where executions go on.
func (s *Session) goesOn(ctx context.Context, w WentOn) error {
	s.frontier = s.frontierAt(w.Bound, w.Cuts)
	if s.provesStanding() {
		return s.proveStanding(ctx, w.Last)
	}
	if s.cheap() && !w.Last {
		return nil
	}
	created := s.creates
	s.creates = s.creates || s.frontier.creates && s.opt.Threads.Limit == 0
	if s.creates && !created { // runs with many threads are cheaper than proofs
		if err := s.probe(ctx, w.Event); err != nil || s.found != nil {
			return err
		}
	}
	if s.mayBeFew() {
		return nil
	}
	return s.prove(ctx, w.Last)
}

// cheap reports whether the search has taken so little up to now that the next bound comes first: an error that lies
// behind a few unwindings is found before others have taken their time. Where loops create threads each bound has many
// more of them, so there only the second one comes first: in the first one a loop whose rounds count is not left behind
// its body.
func (s *Session) cheap() bool {
	if s.frontier.creates {
		return s.frontier.loops && s.frontier.bound == secondBound && s.searcher.atBound < cheapSearch
	}
	return s.frontier.bound < cheapBound && s.portfolio.Rows()[0].Used < cheapSearch
}

// prove gives sequentialisations shares where executions went on. After the last bound there is nothing else to do.
func (s *Session) prove(ctx context.Context, last bool) error {
	w := s.frontier
	if w.others || !w.creates && (!w.loops || w.bound < firstBound) {
		return nil
	}
	steps := portfolio.Effort(shareSteps * max(w.bound, firstBound))
	if last {
		steps = lastSteps
	}
	var due []grant
	if !w.creates {
		if ranges := pairName(rangesOf, cegar.InductionEngine); s.hadShare(ranges) {
			due = append(due, grant{ranges, 0})
		}
		due = append(due, grant{pairName(productOf, cegar.InductionEngine), 0},
			grant{pairName(productOf, cegar.AutoEngine), steps})
	}
	inductions := []grant{{pairName(modularOf, cegar.InductionEngine), 0},
		{pairName(locationsOf, cegar.InductionEngine), 0},
		{pairName(movesOf, cegar.InductionEngine), 0}}
	rounds := 1
	if !s.hadShare(inductions[0].pair) {
		rounds = firstRounds
	}
	due = append(due, slices.Repeat(inductions, rounds)...)
	due = append(due, grant{pairName(modularOf, cegar.AutoEngine), steps},
		grant{pairName(movesOf, cegar.AutoEngine), steps})
	return s.grantAll(ctx, due)
}

func (s *Session) grantAll(ctx context.Context, due []grant) error {
	for _, g := range due {
		if err := s.grant(ctx, g); err != nil || s.found != nil {
			return err
		}
	}
	return nil
}

// proveStanding gives the product of who waits for whom shares where executions go on in loops, or none of which it
// is known whether they do, and all threads are told apart. It takes little.
func (s *Session) proveStanding(ctx context.Context, last bool) error {
	if !s.mayStand() {
		return nil
	}
	steps := portfolio.Effort(shareSteps * max(s.frontier.bound, firstBound))
	if last {
		steps = lastSteps
	}
	return s.grantAll(ctx, []grant{{pairName(standingOf, cegar.InductionEngine), 0},
		{pairName(standingOf, cegar.AutoEngine), steps}})
}

// mayStand reports whether the product of who waits for whom has all runs, as far as is known.
func (s *Session) mayStand() bool {
	w := s.frontier
	return !w.others && !w.creates && (w.loops || w.bound == 0 && !s.limits())
}

// provesStanding reports whether the product of who waits for whom may still show the claim.
func (s *Session) provesStanding() bool {
	at := s.number(pairName(standingOf, cegar.AutoEngine))
	return at >= 0 && s.portfolio.Rows()[at].State == portfolio.Open
}

// firstRounds is how many shares inductions of any number of threads have before the loops have any, of which one
// step may take longer than all of these.
const firstRounds = 2

// cheapSearch is how often the search has looked at its context while the next bound comes first, if that is below
// cheapBound, or the second where loops create threads.
const (
	cheapSearch = 1 << 10
	cheapBound  = 16
	secondBound = 2
)

// A grant is a share for a pair; 0 is what is due to an induction.
type grant struct {
	pair  string
	steps portfolio.Effort
}

func (s *Session) grant(ctx context.Context, g grant) error {
	if g.steps == 0 {
		g.steps = nextSteps
		if at := s.number(g.pair); at >= 0 && !s.hadShare(g.pair) {
			g.steps = s.methods[at].(*pair).first()
		}
	}
	_, err := s.give(ctx, g.pair, g.steps)
	return err
}

// first is the first share of an induction.
func (p *pair) first() portfolio.Effort { return portfolio.Effort(p.of.first) }

// probe makes runs where what is unrolled is large, or many threads are created.
func (s *Session) probe(ctx context.Context, e threads.Event) error {
	few := e.Stats.Events < leastEvents && !s.creates
	at := s.number(RunsMethod)
	if at < 0 || few && (s.probed || e.Stats.Events < fewEvents) {
		return nil
	}
	s.probed = true
	most := 0
	if few {
		most = interp.FirstRuns
	}
	if err := s.methods[at].(*running).probing(ctx, e.Bound, most); err != nil {
		return err
	}
	share := probed * portfolio.Effort(max(e.Stats.Events, leastEvents))
	if s.creates && s.width > wideThreads {
		share *= 4
	}
	_, err := s.give(ctx, RunsMethod, share)
	return err
}

// alone is the rule of a session with one method, which is not the search: rounds that grow. A first share is
// about as long as that beside others.
func alone(m Method) portfolio.Rule {
	first := portfolio.Effort(firstShare)
	switch m := m.(type) {
	case *running:
		first *= runsForLook
	case *pair:
		first = m.first()
	}
	return portfolio.Rounds{First: first, Times: 2, Per: 1}
}

// A Share is what a method that works alone has done with one. It is a [cegar.Event].
type Share struct{ portfolio.Step[*Finding] }

// Phase implements [cegar.Event].
func (Share) Phase() cegar.Phase { return cegar.Unroll }

// works gives a method that works alone its next share.
func (s *Session) works(ctx context.Context) cegar.Event {
	if ctx.Err() != nil {
		return s.stop(ctx, context.Cause(ctx))
	}
	step := s.portfolio.Step(ctx)
	switch e := step.Event.(type) {
	case ended:
		s.found = e.Outcome
		return s.conclude(ctx)
	case gaveUp:
		var quiet *noAnswer
		if !errors.As(e.Why, &quiet) {
			return s.stop(ctx, e.Why)
		}
		why, ok := verdict.Of(e.Why)
		if !ok {
			why = verdict.Reason{Kind: verdict.NoProof, Text: e.Why.Error()}
		}
		return s.end(verdict.Unknown, why)
	}
	if ctx.Err() != nil {
		return s.stop(ctx, context.Cause(ctx))
	}
	return Share{step}
}
