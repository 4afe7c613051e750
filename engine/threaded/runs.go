package threaded

// Random runs as a method.
//
// Idea: an error that shows only when loops went round often, or many threads were created, lies far
// behind the bounds of the search, and a run may come to it at once. So where the unrolled program is
// large, some runs are made first, of threads with random priorities (interp.Prober). A run with an error
// is replayed as any other, and believed only if it does not depend on what is not modelled. Where
// calls create more threads than the search tells apart, the runs have more. Where the unrolled program
// is of middle size, only the prober's first runs are made, once. A step of the search that takes long is
// preempted for some runs, ever longer (preemption.go).
//
// Cost: statements in proportion to the events of the search, and to its effort.

import (
	"context"

	"magus/cfa"
	"magus/cfa/interp"
	"magus/engine/portfolio"
	"magus/engine/threads"
	"magus/evidence/verdict"
)

// Where what is unrolled has leastEvents, or calls create more threads than are told apart, runs have
// probed statements for each event, mostRun in one. In the latter case they have up to wideThreads of
// each call. Behind so many shares as widens says they have mostWide, and four times as many statements, if
// the automaton has about wideLocs locations then at most: to make it takes long. With fewEvents there are
// the first runs only.
const (
	fewEvents   = 40
	leastEvents = 400
	probed      = 100
	mostRun     = 20_000
	mostChanges = 3
	wideThreads = 64
	mostWide    = 300
	wideRun     = 80_000
	wideLocs    = 40_000
	widens      = 2
)

// RunsMethod is the name of random runs.
const RunsMethod = "runs"

// running makes random runs.
type running struct {
	*question
	of     *cfa.CFA // that the prober runs
	prober *interp.Prober
	probe  *probe // the next share, if it is of another kind
	probes int    // shares of that kind
}

// A probe is a share of runs that begin anew.
type probe struct {
	auto   *cfa.CFA
	copies int // of the threads of one call
	prober *interp.Prober
	most   int // runs, if not 0
}

// Name implements [Method].
func (m *running) Name() string { return RunsMethod }

// Advance implements [Method]: a share is statements.
func (m *running) Advance(ctx context.Context, share portfolio.Effort) event {
	if p := m.probe; p != nil {
		m.probe = nil
		return p.run(ctx, m.question, share)
	}
	if m.of != m.auto {
		m.of, m.prober = m.auto, interp.NewProber(interp.New(m.auto), 0)
	}
	return (&probe{m.auto, m.limit, m.prober, 0}).run(ctx, m.question, share)
}

// probing has the next share begin anew, on an automaton with many threads if some call creates many. The error
// is ctx's.
func (m *running) probing(ctx context.Context, bound, most int) error {
	m.probes++
	auto, copies, err := m.wide(ctx, m.probes > widens)
	if err == nil {
		m.probe = &probe{auto, copies, interp.NewProber(interp.New(auto), int64(bound)), most}
	}
	return err
}

// run makes runs until a share of statements is used up, or the most were made.
func (p *probe) run(ctx context.Context, q *question, share portfolio.Effort) event {
	used := portfolio.Effort(0)
	longest := mostRun
	if p.copies > wideThreads {
		longest = wideRun
	}
	for runs := 0; used < share && (p.most == 0 || runs < p.most); runs++ {
		n, script, err := p.prober.Run(ctx, longest, runs%(mostChanges+1), cfa.ErrorAction)
		if err != nil {
			return interrupted(ctx, used, err)
		}
		used += portfolio.Effort(max(n, 1))
		if script == nil {
			continue
		}
		run, err := interp.New(p.auto).ReplayThreads(ctx, *script)
		if err != nil {
			return interrupted(ctx, used, err)
		}
		if run.Tainted == nil {
			found := &violation{replayed{*script, run, len(run.Steps), nil}, p.auto, p.copies,
				q.with(p.auto).report(run, &threads.Schedule{})}
			return ended{Used: used, Outcome: &Finding{Verdict: verdict.Violates, violation: found}}
		}
	}
	return worked{Used: used}
}

// interrupted is an error of a method that goes on, if its context has ended.
func interrupted(ctx context.Context, used portfolio.Effort, err error) event {
	if ctx.Err() != nil {
		return worked{Used: used}
	}
	return gaveUp{Used: used, Why: err}
}

// with is the question with another automaton.
func (q *question) with(auto *cfa.CFA) *question {
	other := *q
	other.auto = auto
	return &other
}
