package threaded

// Pairs of a sequentialisation and a prover, for loops and creations of threads without a bound.
//
// Idea: where executions go on in loops, unrolling has no end. From firstBound on others have shares. Each is
// a pair: a sequentialisation makes one automaton of the threads, and a prover takes that for a program with
// one thread. The sequentialisations are the product of the threads and, for any number of them, the
// thread-modular abstraction and the counter abstractions; where deadlocks are asked for, the product of who waits
// for whom. A proof by a pair is the claim's. Violations are left to
// the search, which replays them. With a limit for loops there are no such shares, since the search has an end.
//
// Cost: shares grow as the bounds do, so that neither waits for the other for long.

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/cfa/lower"
	"magus/cfa/sequential"
	"magus/component"
	"magus/engine/cegar"
	"magus/engine/portfolio"
	"magus/engine/threads/reduction"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
)

// firstBound is the bound from which on the product has shares, shareSteps how many steps these have
// for each unwinding of a loop, and lastSteps how many there are where no bound is left.
const (
	firstBound = 4
	shareSteps = 6
	lastSteps  = 1000
)

// firstSteps is how many steps an induction alone has in its first share, and nextSteps in each one
// after that: two are twice the effort of all before. Where arrays are known by ranges it has
// rangeSteps first, since otherwise all their elements become variables; where moves of threads are
// counted countSteps, since with more threads the search takes many times as long, and where it is
// counted how many are at each location locationSteps, which are quickly done; and over the product of the
// threads productSteps, which comes late.
const (
	firstSteps    = 8
	nextSteps     = 2
	rangeSteps    = 16
	countSteps    = 10
	locationSteps = 8
	productSteps  = 22
	standingSteps = 16
)

// A sequentialisation makes one automaton of one thread of a program's threads, if it can.
type sequentialisation struct {
	name  string
	whole string // as certificates have it
	make  func(context.Context, *cfa.CFA) (*cfa.CFA, error)
	any   bool // of any number of threads
	first int  // steps of an induction alone in its first share
}

// The names of sequentialisations.
const (
	rangesOf    = "ranges" // of large arrays, and the product
	productOf   = "product"
	modularOf   = "modular"
	movesOf     = "moves"     // of threads, counted
	locationsOf = "locations" // with how many threads are there
	standingOf  = "standing"  // of who waits for whom, for deadlocks
)

// sequentialisations are all.
func sequentialisations() []sequentialisation {
	return []sequentialisation{
		{rangesOf, certificate.Product, nil, false, rangeSteps},
		{productOf, certificate.Product, Product, false, productSteps},
		{modularOf, certificate.Modular, Modular, true, firstSteps},
		{movesOf, certificate.Moves, CountedMoves, true, countSteps},
		{locationsOf, certificate.Locations, CountedLocations, true, locationSteps},
		{standingOf, certificate.Standing, Standing, false, standingSteps},
	}
}

// provers are the engines that a sequentialisation is paired with.
func provers() []cegar.Engine {
	return []cegar.Engine{cegar.AutoEngine, cegar.LoopEngine, cegar.InductionEngine, cegar.PropertyDirectedEngine}
}

// pairName is the name of a pair.
func pairName(of string, by cegar.Engine) string { return of + "-" + by.Name() }

// pairNames are the names of all pairs.
func pairNames() []string {
	var names []string
	for _, of := range sequentialisations() {
		for _, by := range provers() {
			names = append(names, pairName(of.name, by))
		}
	}
	return names
}

// A pair is a sequentialisation and a prover as a method.
type pair struct {
	*question
	of       sequentialisation
	by       cegar.Engine
	ranges   []sequential.Range // of the arrays of which no more is known
	session  *cegar.Session     // nil before the first share, and after one that was interrupted
	made     int                // steps
	puts     bool               // off steps that take long, for others wait
	patience portfolio.Effort   // the effort of a step before it is put off
	copies   int                // of the threads of one call, as the session has them
	elements int                // of arrays
	over     event              // nil before the end
}

// newPair is the pair of a name; nil if it is the name of none.
func newPair(q *question, name string) *pair {
	for _, of := range sequentialisations() {
		for _, by := range provers() {
			if pairName(of.name, by) != name {
				continue
			}
			p := &pair{question: q, of: of, by: by}
			if of.make == nil {
				p.of.make = p.confine
			}
			return p
		}
	}
	return nil
}

// Name implements [Method].
func (p *pair) Name() string { return pairName(p.of.name, p.by) }

// Advance implements [Method]: a share is steps of the prover. After an interrupt the steps before are made once more,
// which are the same.
func (p *pair) Advance(ctx context.Context, share portfolio.Effort) event {
	if p.over != nil {
		return p.over
	}
	behind := 0
	if p.session == nil {
		behind = p.made
		if err := p.begin(ctx); err != nil {
			if ctx.Err() != nil {
				return worked{}
			}
			return p.end(0, nil, err)
		}
	}
	for n := portfolio.Effort(1); n <= share+portfolio.Effort(behind); n++ {
		e, late := p.step(ctx)
		switch {
		case ctx.Err() != nil:
			p.Close()
			p.session = nil
			return worked{Used: n - 1}
		case late:
			return worked{Used: share + portfolio.Effort(behind)}
		}
		if int(n) > behind {
			p.made++
		}
		if e, over := e.(cegar.Ended); over {
			return p.end(n, e.Outcome, nil)
		}
	}
	return worked{Used: share + portfolio.Effort(behind)}
}

// step takes a step of the prover. One that takes too much is late: it is put off, and may take twice as much
// when it is taken again.
func (p *pair) step(ctx context.Context) (e cegar.Event, late bool) {
	if !p.puts {
		return p.session.Step(ctx), false
	}
	p.patience = cmp.Or(p.patience, firstStep)
	allowed := portfolio.AllowEffort(ctx, p.patience, p.session.Effort)
	defer allowed.Close()
	e, err := p.session.Try(allowed)
	if err != nil && allowed.Over() {
		p.patience *= 2
		return nil, true
	}
	return e, false
}

// firstStep is the effort of a step of a prover before it is put off.
const firstStep = 1 << 21

// Why a pair has no answer.
var errOfAbstraction = errors.New("it has a violation, which may be one of the sequentialisation only")

// end is the end of a pair.
func (p *pair) end(used portfolio.Effort, o *verdict.Outcome, err error) event {
	switch {
	case err == nil && o.Verdict == verdict.Conforms:
		found := &Finding{Verdict: verdict.Conforms, by: p, confirmation: o.Confirmation}
		p.over = ended{Outcome: found}
		return ended{Used: used, Outcome: found}
	case err == nil && o.Verdict == verdict.Violates:
		err = &noAnswer{errOfAbstraction}
	case err == nil:
		err = &noAnswer{&o.Reason}
	case tooMuch(err):
		err = &noAnswer{err}
	}
	p.over = gaveUp{Why: err}
	return gaveUp{Used: used, Why: err}
}

// begin begins the prover.
func (p *pair) begin(ctx context.Context) error {
	copies := p.limit
	if p.of.any {
		copies = lower.AnyThreads
	}
	if p.made > 0 {
		copies = cmp.Or(p.copies, lower.AnyThreads)
	}
	o := p.opt.prover(copies, p.of.make)
	o.Recursion, o.ArrayLimit, o.Engine = p.recursion, p.question.elements, p.by
	o.Written = -1 // its violations are not looked at
	session, err := cegar.NewSession(ctx, asErrors(p.claim, &o), o)
	if err != nil {
		return err
	}
	p.session, p.copies, p.elements = session, max(copies, 0), p.question.elements
	return nil
}

// asErrors is a claim as one about errors, where that is what a sequentialisation makes of it.
func asErrors(c *component.Claim, o *cegar.Options) *component.Claim {
	if c.Question != component.NoDeadlock {
		return c
	}
	d := *c
	d.Question, o.Deadlocks = component.NoError, true
	return &d
}

// Close frees what the prover holds.
func (p *pair) Close() {
	if p.session != nil {
		p.session.Close()
	}
}

// Product makes one automaton of a program's threads, if it can.
func Product(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	if len(c.Threads) == 0 {
		return c, nil
	}
	c, err := reduction.Merge(ctx, c)
	if err != nil {
		return nil, err
	}
	return sequential.Product(ctx, c)
}

// Modular makes one automaton of a program's threads, of which any number may be created.
func Modular(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	if len(c.Threads) == 0 {
		return c, nil
	}
	c, err := reduction.Merge(ctx, c)
	if err != nil {
		return nil, err
	}
	return sequential.Modular(ctx, c)
}

// CountedMoves makes one automaton of a program's threads, which counts how often they have moved.
func CountedMoves(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	return counted(ctx, c, sequential.Moves)
}

// CountedLocations makes one automaton of a program's threads, which counts how many of them are where.
func CountedLocations(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	return counted(ctx, c, sequential.Locations)
}

// Standing has an error where all threads of a program stand, if it can be told.
func Standing(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	c = withMain(c)
	if len(c.Threads) == 1 && conditionOf(c).IsValid() { // which is taken to wake up at any time
		return nil, sequential.ErrStanding
	}
	return sequential.Standing(ctx, c)
}

func counted(ctx context.Context, c *cfa.CFA, tally sequential.Counter) (*cfa.CFA, error) {
	if len(c.Threads) == 0 {
		return c, nil
	}
	c, err := reduction.Merge(ctx, c)
	if err != nil {
		return nil, err
	}
	return sequential.CounterAbstraction(ctx, c, tally)
}

// countedAssumptions are what a proof by counting threads rests on besides.
func (s *Session) countedAssumptions() []cfa.Warning {
	var most string
	if s.shown == nil {
		return nil
	}
	switch s.shown.of.name {
	case locationsOf:
		most = "fewer than 2^24 threads are at one place of the program at the same time, " +
			"and fewer than 2^32 have ended and were not joined"
	case movesOf:
		most = "fewer than 2^32 threads are at one place of the program at the same time, or have ended and were not joined"
	default:
		return nil
	}
	all := []cfa.Warning{{Pos: s.auto.Threads[1].Site, Kind: cfa.AboutThreads, Text: most}}
	if i := slices.IndexFunc(s.auto.Locs, func(l cfa.Location) bool {
		_, joins := l.Stmt.(cfa.Join)
		return joins
	}); i >= 0 {
		all = append(all, cfa.Warning{Pos: s.auto.Locs[i].Pos, Kind: cfa.AboutThreads, Text: "no thread is joined twice"})
	}
	return all
}

// tooMuch reports whether there is no automaton of one thread, for no fault of the program or of this tool.
func tooMuch(err error) bool {
	return errors.Is(err, sequential.ErrLargeProduct) || errors.Is(err, sequential.ErrIdentity) ||
		errors.Is(err, sequential.ErrRange) || errors.Is(err, sequential.ErrStanding)
}
