package threaded

// What is asked, and how far the program is modelled to answer it.

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/events"
	"magus/cfa/lower"
	"magus/component"
	"magus/engine/threads"
	"magus/engine/threads/reduction"
	"magus/evidence/verdict"
	"magus/internal/phrase"
)

// What is tried where nobody says how much: threads of one call that are told apart, recursive
// calls within each other, and elements of an array where an error depends on memory that is not modelled.
const (
	mostThreads   = 24
	mostRecursion = 63
	mostElements  = 1024
)

// A question is a claim about a program with threads, and how far that is modelled: more where executions
// come to the end of what is. All methods of a session have it in common.
type question struct {
	claim     *component.Claim
	opt       Options
	record    bool // searches keep the clauses of the order to be looked at
	auto      *cfa.CFA
	limit     int // of threads of one call
	recursion int
	elements  int      // of arrays
	creates   bool     // some call creates more threads than are told apart
	many      *cfa.CFA // for runs with many threads; nil before it is asked for
	width     int      // threads of one call that it has
}

// ask begins to model a claim.
func ask(c *component.Claim, opt Options, record bool) *question {
	return &question{claim: c, opt: opt, record: record, limit: cmp.Or(opt.Threads.Limit, lower.DefaultThreadLimit),
		recursion: opt.Recursion, elements: opt.ArrayLimit}
}

// plain reports whether the question is one that others than the search can answer: about errors, in one order of
// all accesses.
func (q *question) plain() bool {
	return q.claim.Question == component.NoError && q.opt.Threads.MemoryModel == cfa.SC
}

// lower makes the automaton.
func (q *question) lower(ctx context.Context) error {
	auto, err := q.automaton(ctx, q.limit)
	if err != nil {
		return err
	}
	q.auto, q.many = auto, nil
	return nil
}

// searchOptions are the options of a search.
func (q *question) searchOptions() threads.Options {
	o := q.opt.Threads
	goal := map[component.Question]threads.Goal{component.NoRace: threads.Races,
		component.NoDeadlock: threads.Deadlocks}[q.claim.Question]
	return threads.Options{Order: threads.Order(o.Order), Unwind: o.Unwind, Goal: goal, Model: o.MemoryModel,
		Slice: o.Slice, Likely: o.Likely, Record: q.record}
}

// automaton is that of the claim, with so many threads of one call.
func (q *question) automaton(ctx context.Context, copies int) (*cfa.CFA, error) {
	modelling := q.opt.Modelling
	modelling.ArrayLimit, modelling.Recursion = q.elements, q.recursion
	auto, err := q.claim.Lower(ctx, 0, component.Options{Modelling: modelling, Threads: copies,
		Races: q.claim.Question == component.NoRace, Deadlocks: q.claim.Question == component.NoDeadlock,
		Weak: q.opt.Threads.MemoryModel != cfa.SC})
	if err != nil {
		return nil, err
	}
	if q.claim.Question == component.NoError && q.opt.Threads.MemoryModel == cfa.SC {
		return reduction.Merge(ctx, auto)
	}
	return withMain(auto), nil
}

// withMain is an automaton with at least its main thread.
func withMain(c *cfa.CFA) *cfa.CFA {
	if len(c.Threads) > 0 {
		return c
	}
	out := *c
	out.Threads = []cfa.Thread{{Name: c.Name, Proc: c.Name, Entry: c.Entry, Parent: -1, Spawn: -1}}
	return &out
}

// more has more modelled where executions come to the end of what is, and says what; "" if there is nothing.
func (q *question) more(cuts []events.Cut) string {
	for _, c := range cuts {
		switch {
		case c.Kind == events.ThreadCut && q.opt.Threads.Limit == 0 && q.limit < mostThreads:
			q.limit = min(2*q.limit, mostThreads)
			return fmt.Sprintf("%s of one call are told apart", phrase.Plural(q.limit, "thread"))
		case c.Kind == events.OtherCut && q.refused(c.Head) == nil && q.opt.Recursion == 0 && q.recursion < mostRecursion:
			q.recursion = 2*q.recursion + 1
			return fmt.Sprintf("%s within each other are followed", phrase.Plural(q.recursion, "recursive call"))
		}
	}
	return ""
}

// refused is what is not modelled at a location, or nil.
func (q *question) refused(at cfa.Loc) error {
	for _, r := range q.auto.Refused {
		if r.At == at {
			return r.Why
		}
	}
	return nil
}

// limits reports whether some call may create more threads than are told apart.
func (q *question) limits() bool {
	return slices.ContainsFunc(q.auto.Locs, func(l cfa.Location) bool {
		a, ok := l.Stmt.(cfa.Act)
		return ok && a.Action == cfa.ThreadLimit
	})
}

// notModelled reports whether executions come to what is not modelled: then there is no proof,
// however far the search goes.
func (q *question) notModelled(cuts []events.Cut) bool {
	return slices.ContainsFunc(cuts, func(c events.Cut) bool {
		return c.Kind == events.OtherCut && q.refused(c.Head) != nil
	})
}

// within is what was searched.
func (q *question) within(bound int) string {
	what := map[component.Question]string{component.NoRace: "data race",
		component.NoDeadlock: "deadlock"}[q.claim.Question]
	switch {
	case q.refusal():
		what = "refusal"
	case q.claim.Monitors() != nil:
		what = "forbidden action"
	}
	return fmt.Sprintf("no "+cmp.Or(what, "error")+
		" while loops go round at most %s and a call creates at most %s", phrase.Plural(bound,
		"time"), phrase.Plural(q.limit, "thread"))
}

// notKnown is why the search says too little, although it has found nothing; empty if it does not.
func (q *question) notKnown() verdict.Reason {
	switch {
	case q.claim.Question == component.NoDeadlock && len(q.auto.Threads) <= 1 && q.condition().IsValid():
		return verdict.Reason{Kind: verdict.NotModelled,
			Text:  "the only thread may wait for ever for this condition, which is taken to wake up at any time",
			Place: q.condition()}
	}
	return verdict.Reason{}
}

// condition is a call that waits for a condition variable: the only thread may wait on although it may
// wake up at any time.
func (q *question) condition() cfa.Pos { return conditionOf(q.auto) }

func conditionOf(c *cfa.CFA) cfa.Pos {
	waits := []string{"pthread_cond_wait", "pthread_cond_timedwait", "cnd_wait", "cnd_timedwait"}
	if i := slices.IndexFunc(c.Frames, func(f cfa.Frame) bool { return slices.Contains(waits, f.Proc) }); i >= 0 {
		return c.Frames[i].Call
	}
	return cfa.Pos{}
}

// because is why nothing is known: where executions go on.
func (q *question) because(out threads.Result) verdict.Reason {
	c := out.Cuts[0]
	for _, other := range out.Cuts { // what is not modelled says most
		if other.Kind == events.OtherCut && (c.Kind != events.OtherCut || q.refused(c.Head) == nil) {
			c = other
		}
	}
	place := q.auto.Locs[c.Head].Pos
	switch c.Kind {
	case events.LoopCut:
		return verdict.Reason{Kind: verdict.Depth, Text: q.within(out.Bound) + ", but this loop goes on", Place: place}
	case events.MemoryCut:
		return verdict.Reason{Kind: verdict.NotModelled, Place: place, Text: "an access to memory that is not modelled, " +
			"or to cells that overlap, where races or the memory model ask for it"}
	case events.ThreadCut:
		return verdict.Reason{Kind: verdict.Depth, Text: q.within(out.Bound) + ", but this call creates more", Place: place}
	}
	if r, ok := verdict.Of(q.refused(c.Head)); ok {
		return r
	}
	return verdict.Reason{Kind: verdict.Recursion, Text: q.within(out.Bound) + ", but this call goes deeper", Place: place}
}

// wide is an automaton of the claim with many threads, if some call creates more than are told apart,
// with the number of these; with the most of them if the automaton is small.
func (q *question) wide(ctx context.Context, most bool) (*cfa.CFA, int, error) {
	if !q.creates || q.opt.Threads.Limit > 0 || q.limit >= wideThreads {
		return q.auto, q.limit, nil
	}
	width := wideThreads
	if most && len(q.auto.Locs)/q.limit*mostWide <= wideLocs {
		width = mostWide
	}
	if q.many == nil || q.width < width {
		auto, err := q.automaton(ctx, width)
		if ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		if err != nil { // it may be too large with so many
			return q.auto, q.limit, nil
		}
		q.many, q.width = auto, width
	}
	return q.many, q.width, nil
}
