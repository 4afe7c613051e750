package threaded

// The search of package threads as a method, with what it takes to believe it.
//
// Idea: an error is believed after the interpreter has replayed it. If it rests on memory that is not modelled,
// larger arrays are modelled. If that does not help, an error is looked for that does not come by that memory.
// Where executions come to the end of what is modelled, more is, and the search begins anew. Between the
// step that says so and the next one others may have shares.
//
// Cost: that of the search, once for each time that it begins anew.

import (
	"cmp"
	"context"
	"errors"

	"magus/cfa"
	"magus/cfa/events"
	"magus/engine/cegar"
	"magus/engine/portfolio"
	"magus/engine/threads"
	"magus/evidence/verdict"
)

// searching is a search as a method of a session.
type searching struct {
	*question
	search *threads.Search
	stage  stage
	last   threads.Event
	// atBound is the effort at the present bound
	atBound portfolio.Effort
	anew    string         // why more is to be modelled
	doubt   verdict.Reason // why the first error that was found is not believed, if one is not
	why     verdict.Reason // why the last one is not
	at      cfa.Loc        // where the value is assigned that it rests on
}

// A stage is what a search does next.
type stage int

const (
	stepping  stage = iota
	judging         // an error that was found
	doubting        // an error that is not believed
	extending       // what is modelled
	ending          // without an answer
)

// WentOn is a step of a search that has come to executions that go on.
type WentOn struct {
	threads.Event
	Cuts []events.Cut // where
	Anew string       // what is modelled with the next step, if more is
	Last bool         // nothing is left to do
}

// Disbelieved is a step of a search that has found an error which is not believed.
type Disbelieved struct{ threads.Event }

// begin makes a search of the automaton.
func (m *searching) begin() {
	m.search, m.stage = threads.New(m.auto, m.searchOptions()), stepping
}

// Name implements [Method].
func (m *searching) Name() string { return threads.SearchMethod }

// Advance implements [Method]: it takes a step.
func (m *searching) Advance(ctx context.Context, share portfolio.Effort) event {
	switch m.stage {
	case judging:
		return m.judge(ctx, 1)
	case doubting:
		return m.disbelieve(ctx)
	case extending:
		return m.model(ctx, Searched{m.last, m.anew})
	case ending:
		return gaveUp{Why: &noAnswer{m.conclusion()}}
	}
	e, used, late, err := m.search.StepWithin(ctx, share)
	m.atBound += used
	switch {
	case late, err != nil && ctx.Err() != nil:
		return worked{Used: used}
	case err != nil:
		return gaveUp{Used: used, Why: err}
	}
	if m.last = e; e.Kind == threads.Unrolled {
		m.atBound = 0
	}
	return m.after(ctx, used)
}

// after is what comes of a step of the search.
func (m *searching) after(ctx context.Context, used portfolio.Effort) event {
	out, done := m.search.Done()
	switch {
	case done && out.Answer == threads.Unsafe:
		return m.judge(ctx, used)
	case done && out.Answer == threads.Safe:
		if why := m.notKnown(); why.Text != "" {
			return gaveUp{Used: used, Why: &noAnswer{&why}}
		}
		return ended{Used: used, Outcome: &Finding{Verdict: verdict.Conforms, search: m.search}}
	case done || m.last.Kind == threads.Deeper:
		if m.anew = m.more(out.Cuts); m.anew != "" {
			m.stage = extending
		} else if done {
			m.stage = ending
		}
		return paused{Used: used, What: WentOn{m.last, out.Cuts, m.anew, done && m.anew == ""}}
	}
	return paused{Used: used, What: Searched{Event: m.last}}
}

// judge replays an error that was found.
func (m *searching) judge(ctx context.Context, used portfolio.Effort) event {
	m.stage = judging
	found, why, at, err := m.replay(ctx, m.search.Result().Schedule)
	switch {
	case err != nil && ctx.Err() != nil:
		return worked{Used: used}
	case err != nil:
		return gaveUp{Used: used, Why: err}
	case found != nil:
		return ended{Used: used, Outcome: &Finding{Verdict: verdict.Violates, violation: found}}
	}
	m.why, m.at, m.stage = why, at, doubting
	return paused{Used: used, What: Disbelieved{m.last}}
}

// disbelieve goes on behind an error that is not believed.
func (m *searching) disbelieve(ctx context.Context) event {
	if m.elements == 0 {
		m.elements, m.stage = mostElements, extending
		m.anew = "the violation depends on memory that is not modelled, so larger arrays are"
		return m.model(ctx, Searched{m.last, m.anew})
	}
	m.doubt = cmp.Or(m.doubt, m.why)
	if m.search.Doubt(m.at) {
		m.stage = stepping
		return paused{Used: 1, What: cegar.Unrolled{Depth: m.search.Result().Bound}}
	}
	m.stage = ending
	return gaveUp{Used: 1, Why: &noAnswer{m.conclusion()}}
}

// model begins anew with more that is modelled.
func (m *searching) model(ctx context.Context, what Searched) event {
	err := m.lower(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return worked{Used: 1}
	case err != nil:
		return gaveUp{Used: 1, Why: err}
	}
	m.begin()
	return paused{Used: 1, What: what}
}

// conclusion is why there is no answer, where nothing is left to do.
func (m *searching) conclusion() *verdict.Reason {
	out := m.search.Result()
	why := m.doubt
	switch {
	case why.Text != "":
	case out.Large && !m.notModelled(out.Cuts):
		why = verdict.Reason{Kind: verdict.States, Text: "the unrolled program is too large; " + m.within(out.Bound)}
	default:
		why = m.because(out)
	}
	return &why
}

// slicing is a search that looks at few variables at first. Its proofs are the claim's; errors are left to the search.
type slicing struct {
	*question
	of     *cfa.CFA // that it searches
	search *threads.Search
}

// Name implements [Method].
func (m *slicing) Name() string { return threads.SliceMethod }

// Advance implements [Method]: it takes a step.
func (m *slicing) Advance(ctx context.Context, share portfolio.Effort) event {
	if m.of != m.auto {
		o := m.searchOptions()
		o.Slice = true
		m.of, m.search = m.auto, threads.New(m.auto, o)
	}
	switch e := m.search.Advance(ctx, share).(type) {
	case portfolio.Paused[threads.Result]:
		return paused(e)
	case portfolio.GaveUp[threads.Result]:
		if unfinished := (*threads.Unfinished)(nil); errors.As(e.Why, &unfinished) {
			return gaveUp{Used: e.Used, Why: &noAnswer{e.Why}}
		}
		return gaveUp(e)
	case portfolio.Ended[threads.Result]:
		if e.Outcome.Answer == threads.Safe {
			return ended{Used: e.Used, Outcome: &Finding{Verdict: verdict.Conforms, search: m.search}}
		}
		return gaveUp{Used: e.Used, Why: &noAnswer{errLeft}}
	default:
		return worked{Used: e.Spent()}
	}
}

var errLeft = errors.New("errors that it finds are left to the search")
