package threaded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/events"
	"magus/cfa/interp"
	"magus/cfa/lower"
	"magus/component"
	"magus/engine/cegar"
	"magus/engine/threads"
	"magus/engine/threads/regions"
	"magus/evidence/certificate"
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

// A Session works on one claim about a program with threads.
type Session struct {
	claim     *component.Claim
	opt       cegar.Options
	auto      *cfa.CFA
	search    *threads.Search
	limit     int // of threads of one call
	recursion int
	elements  int            // of arrays
	doubt     verdict.Reason // why the first error that was found is not believed, if one is not
	// provers, with automata of one thread
	product, productInduction, modular, modularInduction, moves, movesInduction, placesInduction, confined prover

	script   interp.ThreadScript // of the violation, with the run that it gave
	run      *interp.ThreadRun
	last     int               // how many of its steps lead to the violation
	plan     *threads.Schedule // that it follows; of errors there may be none
	record   bool
	probed   bool             // runs were made
	patience int              // looks at the context of a step of the search, before runs are made
	prober   *interp.Prober   // of these
	sliced   *threads.Search  // beside the search, where that takes long
	asks     bool             // the next step of the search asks for an execution
	went     onward           // at the last bound
	creates  bool             // some call creates more threads than are told apart
	many     *cfa.CFA         // for runs with many threads
	outcome  *verdict.Outcome // nil before the end
}

// New is a session for a claim about a program that creates threads, or whose question is about threads; nil for
// others. The error is one of lowering.
func New(ctx context.Context, c *component.Claim, opt cegar.Options) (*Session, error) {
	return begin(ctx, c, opt, false)
}

// NewRecorded is a session as New gives it, that keeps the clauses of the order to be looked at.
func NewRecorded(ctx context.Context, c *component.Claim, opt cegar.Options) (*Session, error) {
	return begin(ctx, c, opt, true)
}

func begin(ctx context.Context, c *component.Claim, opt cegar.Options, record bool) (*Session, error) {
	if c.Specification != "" || len(c.Procedures) != 1 || len(c.Copies) > 0 || len(c.Assumed) > 0 ||
		c.Question == component.NoError && !creates(c) {
		return nil, nil
	}
	s := &Session{claim: c, opt: opt, record: record, limit: cmp.Or(opt.Threads, lower.DefaultThreadLimit),
		recursion: opt.Recursion, elements: opt.ArrayLimit}
	loop, induction := cegar.AutoEngine, cegar.InductionEngine
	s.product = prover{whole: certificate.Product, sequential: Product, engine: loop}
	s.productInduction = prover{whole: certificate.Product, sequential: Product, engine: induction, first: productSteps}
	s.modular = prover{whole: certificate.Modular, sequential: Modular, engine: loop}
	s.modularInduction = prover{whole: certificate.Modular, sequential: Modular, engine: induction}
	s.moves = prover{whole: certificate.Moves, sequential: CountedMoves, engine: loop}
	s.movesInduction = prover{whole: certificate.Moves, sequential: CountedMoves, engine: induction, first: countSteps}
	s.placesInduction = prover{whole: certificate.Places, sequential: CountedPlaces, engine: induction, first: placeSteps}
	s.confined = prover{whole: certificate.Product, engine: induction, first: rangeSteps}
	s.confined.sequential = s.confined.confine
	err := s.lower(ctx)
	var unsupported *cfa.UnsupportedError
	if errors.As(err, &unsupported) {
		r, _ := verdict.Of(err)
		s.end(verdict.Unknown, r)
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	if len(s.auto.Threads) == 0 && c.Question == component.NoError {
		return nil, nil
	}
	return s, nil
}

// creates reports whether the sources declare what creates threads.
func creates(c *component.Claim) bool {
	return slices.ContainsFunc([]string{"pthread_create", "thrd_create"}, func(name string) bool {
		_, ok := c.Program.Declared(name)
		return ok
	})
}

// lower makes the automaton and a search of it.
func (s *Session) lower(ctx context.Context) error {
	auto, err := s.automaton(ctx, s.limit)
	if err != nil {
		return err
	}
	s.many, s.prober, s.sliced, s.asks = nil, nil, nil, false
	s.auto, s.search = auto, threads.New(auto, s.searching())
	return nil
}

// searching are the options of a search.
func (s *Session) searching() threads.Options {
	o := s.opt
	goal := map[component.Question]threads.Goal{component.NoRace: threads.Races,
		component.NoDeadlock: threads.Deadlocks}[s.claim.Question]
	return threads.Options{Order: threads.Order(o.Order), Unwind: o.Unwind, Goal: goal, Model: o.MemoryModel,
		Slice: o.Slice, Likely: o.Likely, Record: s.record}
}

// automaton is that of the claim, with so many threads of one call.
func (s *Session) automaton(ctx context.Context, copies int) (*cfa.CFA, error) {
	o := s.opt
	auto, err := s.claim.Lower(ctx, 0, component.Options{
		StrictCalls: o.StrictCalls, CheckPointers: o.CheckPointers, CheckLeaks: o.CheckLeaks, KeepExterns: o.KeepExterns, PointerObjects: o.PointerObjects,
		ArrayLimit: s.elements, HeapLimit: o.HeapLimit, Recursion: s.recursion, Threads: copies,
		Races: s.claim.Question == component.NoRace,
	})
	if err != nil {
		return nil, err
	}
	if s.claim.Question == component.NoError && o.MemoryModel == cfa.SC {
		return regions.Merge(ctx, auto)
	}
	return alone(auto), nil
}

// alone is an automaton with at least its main thread.
func alone(c *cfa.CFA) *cfa.CFA {
	if len(c.Threads) > 0 {
		return c
	}
	out := *c
	out.Threads = []cfa.Thread{{Name: c.Name, Proc: c.Name, Entry: c.Entry, Parent: -1, Spawn: -1}}
	return &out
}

// Next is the phase that the next Step performs.
func (s *Session) Next() cegar.Phase {
	if s.outcome != nil {
		return cegar.Finished
	}
	return cegar.Unroll
}

// Step performs a step of the search. Once it has returned Ended it returns the same Ended again.
func (s *Session) Step(ctx context.Context) cegar.Event {
	if s.outcome != nil {
		return cegar.Ended{Outcome: s.outcome}
	}
	e, ended, err := s.searches(ctx)
	if err != nil {
		return s.stop(ctx, err)
	}
	if ended != nil {
		return ended
	}
	if e.Kind == threads.Unrolled {
		ended, err := s.probe(ctx, e)
		if err != nil {
			return s.stop(ctx, err)
		}
		if ended != nil {
			return ended
		}
	}
	out, done := s.search.Done()
	if out.Answer == threads.Unknown && (done || e.Kind == threads.Deeper) {
		created := s.creates
		s.went = s.onward(e.Bound, out.Cuts)
		s.creates = s.creates || s.went.creates && s.opt.Threads == 0
		anew := s.more(out.Cuts)
		if s.creates && !created { // runs with many threads are cheaper than proofs
			if ended, err := s.probe(ctx, e); err != nil {
				return s.stop(ctx, err)
			} else if ended != nil {
				return ended
			}
		}
		shown, err := false, error(nil)
		if !s.mayBeFew() {
			shown, err = s.prove(ctx, done && anew == "")
		}
		if err != nil {
			return s.stop(ctx, err)
		}
		if shown {
			return s.end(verdict.Conforms, verdict.Reason{})
		}
		if anew != "" {
			if err := s.lower(ctx); err != nil {
				return s.stop(ctx, err)
			}
			return Turn{e, anew}
		}
	}
	if done {
		return s.finish(ctx, e, out)
	}
	return Turn{Event: e}
}

// more has more modelled where executions come to the end of what is, and says what; "" if there is nothing.
func (s *Session) more(cuts []events.Cut) string {
	for _, c := range cuts {
		switch {
		case c.Kind == events.ThreadCut && s.opt.Threads == 0 && s.limit < mostThreads:
			s.limit = min(2*s.limit, mostThreads)
			return fmt.Sprintf("%s of one call are told apart", phrase.Plural(s.limit, "thread"))
		case c.Kind == events.OtherCut && s.refused(c.Head) == nil && s.opt.Recursion == 0 && s.recursion < mostRecursion:
			s.recursion = 2*s.recursion + 1
			return fmt.Sprintf("%s within each other are followed", phrase.Plural(s.recursion, "recursive call"))
		}
	}
	return ""
}

// refused is what is not modelled at a place, or nil.
func (s *Session) refused(at cfa.Loc) error {
	for _, r := range s.auto.Refused {
		if r.At == at {
			return r.Why
		}
	}
	return nil
}

// notModelled reports whether executions come to what is not modelled: then there is no proof,
// however far the search goes.
func (s *Session) notModelled(cuts []events.Cut) bool {
	return slices.ContainsFunc(cuts, func(c events.Cut) bool {
		return c.Kind == events.OtherCut && s.refused(c.Head) != nil
	})
}

// stop ends early.
func (s *Session) stop(ctx context.Context, err error) cegar.Event {
	why, ok := verdict.Of(err)
	if !ok && ctx.Err() == nil {
		why = verdict.Reason{Kind: verdict.Fault, Text: err.Error()}
	} else if !ok {
		why = verdict.Stopped(ctx)
	}
	if s.doubt.Text != "" {
		why.Text += fmt.Sprintf(" (an error was found before, but it rests on what is not modelled: %v)", s.doubt)
	} else if n := s.search.Result().Bound; n > 0 {
		why.Text += " (" + s.within(n) + ")"
	}
	return s.end(verdict.Unknown, why)
}

// within is what was searched.
func (s *Session) within(bound int) string {
	what := map[component.Question]string{component.NoRace: "data race",
		component.NoDeadlock: "deadlock"}[s.claim.Question]
	return fmt.Sprintf("no "+cmp.Or(what, "error")+
		" while loops go round at most %s and a call creates at most %s", phrase.Plural(bound,
		"time"), phrase.Plural(s.limit, "thread"))
}

// finish makes the outcome of a search the session's.
func (s *Session) finish(ctx context.Context, e threads.Event, out threads.Result) cegar.Event {
	switch {
	case out.Answer == threads.Unknown && s.doubt.Text != "":
		return s.end(verdict.Unknown, s.doubt)
	case out.Answer == threads.Safe:
		if why := s.notKnown(); why.Text != "" {
			return s.end(verdict.Unknown, why)
		}
		return s.end(verdict.Conforms, verdict.Reason{})
	case out.Answer == threads.Unsafe:
		run, why, at, err := s.replay(ctx, out.Schedule)
		if err != nil {
			return s.stop(ctx, err)
		}
		if run == nil {
			if shown, err := s.provesConfined(ctx, out.Cuts); err != nil {
				return s.stop(ctx, err)
			} else if shown {
				return s.end(verdict.Conforms, verdict.Reason{})
			}
		}
		if run == nil && s.elements == 0 {
			s.elements = mostElements
			if err := s.lower(ctx); err != nil {
				return s.stop(ctx, err)
			}
			return Turn{e, "the violation depends on memory that is not modelled, so larger arrays are"}
		}
		if run == nil {
			s.doubt = cmp.Or(s.doubt, why)
			if s.search.Doubt(at) {
				return cegar.Unrolled{Depth: out.Bound}
			}
			return s.end(verdict.Unknown, s.doubt)
		}
		ended := s.end(verdict.Violates, verdict.Reason{})
		s.outcome.Run = run
		return ended
	case out.Large && !s.notModelled(out.Cuts):
		return s.end(verdict.Unknown, verdict.Reason{Kind: verdict.States,
			Text: "the unrolled program is too large; " + s.within(out.Bound)})
	}
	return s.end(verdict.Unknown, s.because(out))
}

// notKnown is why the search says too little, although it has found nothing; empty if it does not.
func (s *Session) notKnown() verdict.Reason {
	switch {
	case s.claim.Question == component.NoDeadlock && s.condition().IsValid():
		return verdict.Reason{Kind: verdict.NotModelled,
			Text: "a thread may wait for ever for this condition, which is taken to wake up at any time", Place: s.condition()}
	case s.claim.Question == component.NoRace && s.auto.BitField.IsValid():
		return verdict.Reason{Kind: verdict.NotModelled,
			Text: "bit-fields side by side are one memory location, and are told apart here", Place: s.auto.BitField}
	}
	return verdict.Reason{}
}

// condition is a call that waits for a condition variable: such a thread may wait on although it may
// wake up at any time.
func (s *Session) condition() cfa.Pos {
	waits := []string{"pthread_cond_wait", "pthread_cond_timedwait", "cnd_wait", "cnd_timedwait"}
	if i := slices.IndexFunc(s.auto.Frames, func(f cfa.Frame) bool { return slices.Contains(waits, f.Proc) }); i >= 0 {
		return s.auto.Frames[i].Call
	}
	return cfa.Pos{}
}

// because is why nothing is known: a place where executions go on.
func (s *Session) because(out threads.Result) verdict.Reason {
	c := out.Cuts[0]
	for _, other := range out.Cuts { // what is not modelled says most
		if other.Kind == events.OtherCut && (c.Kind != events.OtherCut || s.refused(c.Head) == nil) {
			c = other
		}
	}
	place := s.auto.Locs[c.Head].Pos
	switch c.Kind {
	case events.LoopCut:
		return verdict.Reason{Kind: verdict.Depth, Text: s.within(out.Bound) + ", but this loop goes on", Place: place}
	case events.MemoryCut:
		return verdict.Reason{Kind: verdict.NotModelled, Text: "an access to memory that is not modelled, or to cells that overlap, where races or the memory model ask for it", Place: place}
	case events.ThreadCut:
		return verdict.Reason{Kind: verdict.Depth, Text: s.within(out.Bound) + ", but this call creates more", Place: place}
	}
	if r, ok := verdict.Of(s.refused(c.Head)); ok {
		return r
	}
	return verdict.Reason{Kind: verdict.Recursion, Text: s.within(out.Bound) + ", but this call goes deeper", Place: place}
}

// end finishes the session.
func (s *Session) end(v verdict.Verdict, why verdict.Reason) cegar.Event {
	s.outcome = &verdict.Outcome{Claim: s.claim.Name, Verdict: v, Reason: why, Components: s.claim.Procedures,
		Assumptions: s.assumptions()}
	if v == verdict.Unknown {
		s.outcome.Divergence = s.impasse(why.Kind)
	}
	return cegar.Ended{Outcome: s.outcome}
}

func (s *Session) assumptions() []cfa.Warning {
	if s.auto == nil {
		return nil
	}
	all := slices.Clone(s.auto.Warnings)
	for i := range all {
		if s.opt.MemoryModel != cfa.SC && strings.HasPrefix(all[i].Text, "accesses of all threads to memory have one order") {
			all[i].Text = "memory is as --memory-model " + s.opt.MemoryModel.String() +
				" says; the compiler changes no order of accesses"
		}
	}
	all = append(all, s.countedAssumptions()...)
	slices.SortStableFunc(all, func(a, b cfa.Warning) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(all)
}

// Close frees the decision procedures of the product.
func (s *Session) Close() {
	for _, p := range s.provers() {
		if p.session != nil {
			p.session.Close()
		}
	}
}

// Search is the search of the moment, and the automaton that it is about; nil where the claim cannot be searched.
func (s *Session) Search() (*threads.Search, *cfa.CFA) { return s.search, s.auto }

// Place is where the program does what is at a location: for models of the library, where it calls that.
func (s *Session) Place(l cfa.Loc) cfa.Pos {
	pos, _ := s.outside(s.auto.Locs[l].Pos, s.auto.Locs[l].Frame)
	return pos
}

// Outcome is the verdict; nil before the end.
func (s *Session) Outcome() *verdict.Outcome { return s.outcome }

// Stats is what the search has done for its last bound.
func (s *Session) Stats() threads.Stats {
	if s.search == nil {
		return threads.Stats{}
	}
	return s.search.Result().Stats
}
