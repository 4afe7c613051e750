package magus

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/component"
	"magus/engine/cegar"
	"magus/engine/liveness"
	"magus/engine/termination"
	"magus/engine/threaded"
	"magus/evidence/certificate"
	"magus/evidence/witness"
)

// Options steer a check, a part for each room. The zero value is the default.
type Options = threaded.Options

// The parts of Options: how calls and memory are modelled, how the two-level loop works, and how programs with
// threads are searched.
type (
	Modelling = cfa.Modelling
	Loop      = cegar.Loop
	Threads   = threaded.Threads
)

// An Event says what a step of a session did; it prints as one line.
type Event = cegar.Event

// A Phase is a kind of step.
type Phase = cegar.Phase

// Finished is the phase of a session that has its outcome.
const Finished = cegar.Finished

// A Session works on one claim, a phase a step. Equal sessions take equal steps.
type Session interface {
	// Next is the phase that the next Step performs.
	Next() Phase
	// Step performs one phase. Once the session has ended it returns cegar.Ended with the same outcome again. A
	// context that ends makes the outcome unknown.
	Step(context.Context) Event
	// Certificate is what shows the verdict to a checker, once there is one.
	Certificate(context.Context) (*certificate.Certificate, error)
	// Inputs are what the compiled program is given to do a violation again; nil if there is none.
	Inputs() *witness.Inputs
	// Close frees what the session holds. It is not used afterwards.
	Close()
}

// NewSession begins the check of a claim with the engine for it: that of package liveness where whole runs are asked
// about, the search of package threaded where threads are
// created, or where the question is about threads, else the two-level loop of package cegar. This is the only
// place that chooses. An error means that the input is wrong, or that ctx ended.
func NewSession(ctx context.Context, claim *Claim, opt Options) (Session, error) {
	if claim.Live != nil {
		live, err := liveness.New(ctx, claim, cegar.Options{Modelling: opt.Modelling, Loop: opt.Loop})
		if err == nil && opt.Threads.MemoryModel != cfa.SC {
			live.UnderOtherModel(opt.Threads.MemoryModel)
		}
		return live, err
	}
	ends, err := termination.New(ctx, claim, endings(opt))
	if err != nil || ends != nil {
		return ends, err
	}
	if claim.AsksOfThreads() && claim.Program.DeclaresThreads() {
		return newHalves(ctx, claim, opt)
	}
	t, err := withThreads(ctx, claim, opt, threaded.New)
	switch {
	case err != nil:
		return nil, err
	case t != nil:
		return t, nil
	}
	s, err := NewLoop(ctx, claim, opt)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// EngineNames are the names of the methods that a check can be left to. The error of [NewSession] for a name that does
// not fit a claim lists those that do.
func EngineNames() []string {
	names := cegar.EngineNames()
	for _, name := range threaded.Names() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// NewThreads begins the search of a claim about threads as [NewSession] does, for a caller that looks into it: the
// search keeps the clauses of the order. It is nil for a claim that NewSession gives to the two-level loop.
func NewThreads(ctx context.Context, claim *Claim, opt Options) (*threaded.Session, error) {
	return withThreads(ctx, claim, opt, threaded.NewRecorded)
}

// withThreads begins the search of a claim about threads; it is nil for others, of which an engine for threads is
// refused.
func withThreads(ctx context.Context, claim *Claim, opt Options,
	begin func(context.Context, *Claim, Options) (*threaded.Session, error)) (*threaded.Session, error) {
	s, err := begin(ctx, claim, opt)
	if err == nil && s == nil && opt.Threads.Method != "" && !slices.Contains(cegar.EngineNames(), opt.Threads.Method) {
		err = &component.InputError{Pos: claim.Pos, Msg: fmt.Sprintf(
			"engine %s is for programs with threads, and this claim is about none; there are %s", opt.Threads.Method,
			strings.Join(cegar.EngineNames(), ", "))}
	}
	return s, err
}

// NewLoop begins the two-level loop of a claim, for a caller that looks into it and goes back. It shows
// the automata of a claim about threads too, which [NewSession] has the search of package threaded answer.
func NewLoop(ctx context.Context, claim *Claim, opt Options) (*cegar.Session, error) {
	return cegar.NewSession(ctx, claim, cegar.Options{Modelling: opt.Modelling, Loop: opt.Loop})
}

// Check answers a claim of any kind: a component or several, in copies of any number, or a program with threads.
// observe, if not nil, sees what happens on the way. An error means that the input is wrong, or that ctx ended
// before the check began; programs that use what is not modelled are unknown, with the position.
func Check(ctx context.Context, claim *Claim, opt Options, observe func(Event)) (*Outcome, error) {
	s, err := NewSession(ctx, claim, opt)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for {
		e := s.Step(ctx)
		if observe != nil {
			observe(e)
		}
		if end, ok := e.(cegar.Ended); ok {
			return end.Outcome, nil
		}
	}
}

// endings are the options of the question whether all runs end.
func endings(opt Options) termination.Options {
	return termination.Options{Modelling: opt.Modelling, Solver: opt.Loop.Solver, RefuseVacuous: opt.Loop.RefuseVacuous}
}

// Verify checks a certificate of a claim with nothing of the engine that made it. A *certificate.RefutedError says that
// it does not show its verdict.
func Verify(ctx context.Context, claim *Claim, opt Options, cert *certificate.Certificate) error {
	if len(cert.Parts) > 0 {
		if claim.AsksOfThreads() && claim.Program.DeclaresThreads() {
			return verifyHalves(ctx, claim, opt, cert)
		}
		return threaded.Verify(ctx, claim, opt, cert)
	}
	if claim.Live != nil {
		return liveness.Verify(ctx, claim, cegar.Options{Modelling: opt.Modelling, Loop: opt.Loop}, cert)
	}
	if claim.Question == component.Terminates {
		return termination.Verify(ctx, claim, endings(opt), cert)
	}
	if cert.Threads != nil {
		return threaded.Verify(ctx, claim, opt, cert)
	}
	return cegar.VerifyCertificate(ctx, claim, cegar.Options{Modelling: opt.Modelling, Loop: opt.Loop}, cert)
}

// The questions of a [Property].
const (
	NoError    = component.NoError    // the action error never happens
	NoRace     = component.NoRace     // no two threads access a variable at once, one of them writing
	NoDeadlock = component.NoDeadlock // threads never wait for each other for ever
	Terminates = component.Terminates // every run ends
	NoOverflow = component.NoOverflow // no signed operation overflows; nothing else is an error
	NoLivelock = component.NoLivelock // components never go on for ever without an action
)
