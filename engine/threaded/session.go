package threaded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/component"
	"magus/engine/cegar"
	"magus/engine/portfolio"
	"magus/engine/threads"
	"magus/evidence/confirm"
	"magus/evidence/verdict"
)

// A Session works on one claim about a program with threads, by a portfolio of methods.
type Session struct {
	*question
	replayed                               // the run with the violation that was found, if one was
	searcher  *searching                   // what all wait for, unless another method works alone
	methods   []Method                     // of the portfolio, the search first
	portfolio *portfolio.Session[*Finding] // nil where nothing can be searched
	asks      bool                         // the next step of the search asks for an execution
	share     portfolio.Effort             // looks at the context of a step of the search, before the others have shares
	probed    bool                         // runs were made
	frontier  frontier                     // at the last bound
	found     *Finding                     // nil before the end, and behind an end without an answer
	shown     *pair                        // that has shown the claim
	allowed   *allowed                     // that nothing forbidden is done, where refusals are asked for behind it
	outcome   *verdict.Outcome             // nil before the end
}

// New is a session for a claim about a program that creates threads, or whose question is about threads; nil for
// others. The error is one of lowering.
func New(ctx context.Context, c *component.Claim, opt Options) (*Session, error) {
	return begin(ctx, c, opt, false)
}

// NewRecorded is a session as New gives it, that keeps the clauses of the order to be looked at.
func NewRecorded(ctx context.Context, c *component.Claim, opt Options) (*Session, error) {
	return begin(ctx, c, opt, true)
}

func begin(ctx context.Context, c *component.Claim, opt Options, record bool) (*Session, error) {
	c = monitored(c)
	if c.Live != nil || c.Question == component.Terminates { // what is asked of whole runs is not looked at here
		return nil, nil
	}
	if c.AsksOfThreads() && c.Program.DeclaresThreads() {
		s := &Session{question: ask(c, opt, record)}
		s.end(verdict.Unknown, verdict.Reason{Kind: verdict.NotModelled, Place: c.Pos, Text: fmt.Sprintf(
			"--relation %s of a program that creates threads is asked in two parts, not in one search; "+
				"--relation failures asks what they refuse", c.Relation)})
		return s, nil
	}
	if c.Specification != "" || len(c.Procedures) != 1 || len(c.Copies) > 0 || len(c.Assumed) > 0 ||
		c.OfBlock() && c.Guards[0] != nil || (c.Question == component.NoError || c.OfBlock()) && !c.Program.DeclaresThreads() {
		return nil, nil
	}
	s := &Session{question: ask(c, opt, record)}
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
	return s, s.choose()
}

// choose makes the methods of the session.
func (s *Session) choose() error {
	s.searcher = &searching{question: s.question}
	s.searcher.begin()
	names, err := s.chosen()
	if err != nil {
		return err
	}
	for _, name := range names {
		m := s.method(name)
		if p, ok := m.(*pair); ok {
			p.puts = len(names) > 1 && p.by == cegar.AutoEngine // others count their effort themselves
		}
		s.methods = append(s.methods, m)
	}
	var rule portfolio.Rule = searchFirst{}
	if s.methods[0] != Method(s.searcher) {
		rule = alone(s.methods[0])
	}
	s.portfolio = portfolio.New("threads", rule, s.methods...)
	return nil
}

// Next is the phase that the next Step performs.
func (s *Session) Next() cegar.Phase {
	if s.outcome != nil {
		return cegar.Finished
	}
	return cegar.Unroll
}

// Step performs a step of the search, and gives others their shares before and behind it. Once it has returned Ended it
// returns the same Ended again.
func (s *Session) Step(ctx context.Context) cegar.Event {
	switch {
	case s.outcome != nil:
		return cegar.Ended{Outcome: s.outcome}
	case s.methods[0] != Method(s.searcher):
		return s.works(ctx)
	}
	for {
		e, err := s.searchStep(ctx)
		switch {
		case err != nil:
			return s.stop(ctx, err)
		case s.found != nil:
			return s.conclude(ctx)
		}
		told, err := s.follow(ctx, e)
		switch {
		case err != nil:
			return s.stop(ctx, err)
		case s.found != nil:
			return s.conclude(ctx)
		case told != nil:
			return told
		}
	}
}

// follow gives others what is due after a step of the search, and says what the session tells of it; nil if
// the search goes on at once.
func (s *Session) follow(ctx context.Context, e event) (cegar.Event, error) {
	s.asks = false
	if e, over := e.(gaveUp); over {
		why, _ := verdict.Of(e.Why)
		return s.end(verdict.Unknown, why), nil
	}
	step, _ := e.(paused)
	switch what := step.What.(type) {
	case Searched:
		s.asks = what.Anew == "" && (what.Kind == threads.Unrolled || what.Kind == threads.NoError)
		if what.Kind == threads.Unrolled {
			return what, s.probe(ctx, what.Event)
		}
		return what, nil
	case WentOn:
		err := s.goesOn(ctx, what)
		if what.Anew != "" || what.Last || err != nil {
			return nil, err
		}
		return Searched{Event: what.Event}, nil
	case Disbelieved:
		return nil, s.grant(ctx, grant{pair: pairName(rangesOf, cegar.InductionEngine)})
	case cegar.Event:
		return what, nil
	}
	return nil, fmt.Errorf("a search tells of no %T", step.What)
}

// conclude ends the session with what was found, if that stands its check.
func (s *Session) conclude(ctx context.Context) cegar.Event {
	f := s.found
	if f.violation != nil {
		s.replayed, s.auto, s.limit = f.violation.replayed, f.violation.auto, f.violation.limit
	} else if s.shown = f.by; f.search != nil {
		s.searcher.search = f.search
	}
	confirmation, refused := s.confirm(ctx, f.Verdict)
	if refused != nil {
		return s.end(verdict.Unknown, *refused)
	}
	if f.Verdict == verdict.Conforms && s.claim.Refusing() != nil {
		return s.refuses(ctx, confirmation)
	}
	if f.Verdict == verdict.Conforms && s.allowed != nil {
		confirmation = s.allowed.confirmation.And(confirmation)
	}
	ended := s.end(f.Verdict, verdict.Reason{})
	s.outcome.Confirmation = confirmation
	if f.violation != nil {
		s.outcome.Run = f.violation.report
	}
	if s.claim.Monitors() != nil {
		if err := s.completed(ctx, s.outcome); err != nil {
			return s.stop(ctx, err)
		}
	}
	return ended
}

// confirm has a verdict checked. That of a sequentialisation was checked by its prover.
func (s *Session) confirm(ctx context.Context, v verdict.Verdict) (verdict.Confirmation, *verdict.Reason) {
	if s.shown != nil {
		return s.found.confirmation, nil
	}
	made := int64(0)
	for i, r := range s.portfolio.Rows() {
		used := stepEffort * int64(r.Used)
		if s.methods[i].Name() == RunsMethod {
			used /= runsForLook
		}
		made += used
	}
	return confirm.Verdict(ctx, v, made, stepEffort, func(b *confirm.Budget) error {
		if v == verdict.Conforms { // the proof is found once more
			if err := b.Expect(stepEffort * int64(s.searcher.atBound)); err != nil {
				return err
			}
		}
		cert, err := s.certificate(b, v)
		if err != nil {
			return err
		}
		return cert.CheckThreads(b, s.subject(b.Solver(s.auto.Pool)))
	})
}

// stepEffort is what one look of the search, or one step of a prover, counts for where the effort of a check
// is compared with it: a search looks two to eight times in a millisecond.
const stepEffort = 1000

// stop ends early.
func (s *Session) stop(ctx context.Context, err error) cegar.Event {
	why, ok := verdict.Of(err)
	if !ok && ctx.Err() == nil {
		why = verdict.Reason{Kind: verdict.Fault, Text: err.Error()}
	} else if !ok {
		why = verdict.Stopped(ctx)
	}
	if s.searcher.doubt.Text != "" {
		why.Text += fmt.Sprintf(" (an error was found before, but it rests on what is not modelled: %v)", s.searcher.doubt)
	} else if n := s.searcher.search.Result().Bound; n > 0 {
		why.Text += " (" + s.within(n) + ")"
	}
	return s.end(verdict.Unknown, why)
}

// end finishes the session.
func (s *Session) end(v verdict.Verdict, why verdict.Reason) cegar.Event {
	s.outcome = &verdict.Outcome{Claim: s.claim.Name, Verdict: v, Reason: why, Components: s.claim.Procedures,
		Assumptions: s.assumptions(), Methods: s.rows()}
	if m := s.claim.Monitors(); m != nil && v != verdict.Unknown {
		s.outcome.ByTraces = m.Relation == component.Simulation
	}
	if v == verdict.Unknown {
		s.outcome.Divergence = s.divergence(why.Kind)
	}
	return cegar.Ended{Outcome: s.outcome}
}

func (s *Session) assumptions() []cfa.Warning {
	if s.auto == nil {
		return nil
	}
	all := slices.Clone(s.auto.Warnings)
	for i := range all {
		if s.opt.Threads.MemoryModel != cfa.SC &&
			strings.HasPrefix(all[i].Text, "accesses of all threads to memory have one order") {
			all[i].Text = "memory is as --memory-model " + s.opt.Threads.MemoryModel.String() +
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

// Close frees the decision procedures of the provers.
func (s *Session) Close() {
	if s.allowed != nil {
		s.allowed.Close()
	}
	for _, m := range s.methods {
		if p, ok := m.(*pair); ok {
			p.Close()
		}
	}
}

// Search is the search of the moment, and the automaton that it is about; nil where the claim cannot be searched.
func (s *Session) Search() (*threads.Search, *cfa.CFA) {
	if s.searcher == nil {
		return nil, s.auto
	}
	return s.searcher.search, s.auto
}

// Place is where the program does what is at a location: for models of the library, where it calls that.
func (s *Session) Place(l cfa.Loc) cfa.Pos {
	pos, _ := s.libraryCall(s.auto.Locs[l].Pos, s.auto.Locs[l].Frame)
	return pos
}

// Outcome is the verdict; nil before the end.
func (s *Session) Outcome() *verdict.Outcome { return s.outcome }

// Stats is what the search has done for its last bound.
func (s *Session) Stats() threads.Stats {
	if s.searcher == nil {
		return threads.Stats{}
	}
	return s.searcher.search.Result().Stats
}
