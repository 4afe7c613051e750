package cegar

// Following one arbitrary element of each large array as a method of a session.
//
// Idea: elements of large arrays, and objects beyond the limit, are any value in proofs. After each share of the
// induction another session has one, about the claim with one arbitrary element of each array as a variable
// (package cfa/cells), by the bounded search and the induction. Its proof is the claim's; a violation is one of
// the transformed program only, and says that indices that are chosen in this way do not do. There is a session for
// each way, the last of which is about one object of each call that allocates, whose leaks and uses are looked for;
// those that are not over share the effort, and the first has as much as any two others.
//
// Source: package cells has those of the transformation. Cost: at most four times that of the induction, where there
// is such memory; else none.

import (
	"context"
	"errors"
	"slices"

	"magus/cfa"
	"magus/cfa/cells"
	"magus/component"
	"magus/engine/bounded"
	"magus/engine/portfolio"
	"magus/evidence/certificate"
	"magus/evidence/verdict"
)

// CellsMethod is the name of the method that follows one arbitrary element of each large array.
const CellsMethod = "cells"

// cellProof is such sessions as a method of another one.
type cellProof struct {
	*task
	at   portfolio.Effort // that it was granted
	ways []*chosenWay     // nil before the first share
}

// A chosenWay is a session with one choice of indices.
type chosenWay struct {
	how  cells.Choice
	cost portfolio.Effort // that is told of one unit of its effort when the next way is chosen
	in   *Session         // nil before it has begun, and when it is over
	used portfolio.Effort
	over bool
}

// followable reports whether a proof may come from following elements: the question is whether there is an error
// in one component, that no abstraction of a routine is a part of, and it reads memory without variables.
func (s *question) followable() bool {
	return s.askable() && s.opt.Engine.methods().cells && s.opt.Cells == "" && s.opt.Product == nil &&
		s.plain() && (cells.Read(s.comps[0].CFA) || s.comps[0].CFA.AllocatesBeyond)
}

// plain reports whether the claim is one about errors in one component without abstractions of routines.
func (s *question) plain() bool {
	return len(s.comps) == 1 && !s.claim.IsJoint() && s.claim.Specification == "" &&
		s.claim.Question == component.NoError &&
		len(s.comps[0].Routines) == 0
}

// Followed: a session about one arbitrary element of each large array had a share, and goes on later.
type Followed struct {
	Over bool // it has no further share
}

// Phase is Follow.
func (Followed) Phase() Phase { return Follow }

func (e Followed) String() string {
	if e.Over {
		return "no proof about one element of each array"
	}
	return "no proof about one element of each array so far"
}

// Name implements [portfolio.Method].
func (s *cellProof) Name() string { return CellsMethod }

// Rewind implements [portfolio.Rewinder].
func (s *cellProof) Rewind(granted portfolio.Effort) {
	if granted != s.at {
		*s = cellProof{task: s.task}
	}
	s.at = granted
}

// Advance implements [portfolio.Method].
func (s *cellProof) Advance(ctx context.Context, share portfolio.Effort) methodEvent {
	from := s.made()
	for s.made() < s.at+share {
		w, err := s.next(ctx)
		switch {
		case err != nil:
			return s.eventOf(ctx, 0, Followed{}, yields, err)
		case w == nil:
			return gaveUp{Used: s.made() - from, Why: &givenUp{Followed{Over: true}, bounded.ErrNoProof}}
		}
		e, err := w.in.Try(ctx)
		w.used = effortOf(w.in)
		if err != nil {
			return worked{Used: s.made() - from}
		}
		if end, over := e.(Ended); over {
			if end.Outcome.Verdict == verdict.Conforms {
				s.at += share // whoever goes back begins anew
				s.concludes(w.in, end.Outcome)
				return ended{Used: s.made() - from, Outcome: s.outcome}
			}
			w.in, w.over = nil, true
		}
	}
	s.at += share
	return worked{Used: s.made() - from, What: Followed{}}
}

// made is the effort so far.
func (s *cellProof) made() (sum portfolio.Effort) {
	for _, w := range s.ways {
		sum += w.used
	}
	return sum
}

// effortOf is the effort that a session has made.
func effortOf(s *Session) (sum portfolio.Effort) {
	for _, r := range s.portfolio.Rows() {
		sum += r.Used
	}
	return sum
}

// next is the way that has made least of its effort so far, with a session; nil if all are over.
func (s *cellProof) next(ctx context.Context) (*chosenWay, error) {
	if s.ways == nil {
		for i, how := range cells.Choices() {
			if how == cells.Allocation && !s.comps[0].CFA.AllocatesBeyond {
				continue
			}
			s.ways = append(s.ways, &chosenWay{how: how, cost: min(portfolio.Effort(i+1), 2)})
		}
	}
	for {
		var least *chosenWay
		for _, w := range s.ways {
			if !w.over && (least == nil || w.used*w.cost < least.used*least.cost) {
				least = w
			}
		}
		if least == nil || least.in != nil {
			return least, nil
		}
		opt := s.opt
		opt.Cells, opt.Engine, opt.Recursion, opt.Inlined = least.how, InductionEngine, s.depth, s.inlined
		opt.Written, opt.Queries, opt.Check = -1, nil, false // its violations are not looked at
		in, err := NewSession(ctx, s.claim, opt)
		switch {
		case errors.Is(err, cells.ErrNone):
			least.over = true
			continue
		case err != nil:
			return nil, err
		}
		least.in, s.solvers = in, append(slices.Clip(s.solvers), in.solvers...)
	}
}

// concludes ends the session with the proof of another one.
func (s *task) concludes(in *Session, o *verdict.Outcome) {
	s.within = in
	s.withoutPredicates()
	s.phase, s.status = Finished, s.status.atEnd(true, false)
	out := *o
	loop := *o.Loop
	loop.Cells = in.opt.Cells != cells.Every
	out.Loop, s.outcome, s.confirmation = &loop, &out, &out.Confirmation
}

// certifyCells writes the proof of the other session, with how its indices are chosen.
func (s certifying) certifyCells(ctx context.Context) (*Certificate, error) {
	c, err := certifying{&s.within.state}.certificate(ctx, verdict.Conforms)
	if err == nil {
		c.Cells = string(s.within.opt.Cells)
	}
	return c, err
}

// chosenCells are how a certificate has indices chosen.
func chosenCells(c *Certificate) (cells.Choice, error) {
	how := cells.Choice(c.Cells)
	known := how == cells.Every || slices.Contains(cells.Choices(), how)
	if how != "" && (!known || c.Verdict != verdict.Conforms.String()) {
		return "", &certificate.RefutedError{Reason: "one element of each array shows nothing in this way: " + c.Cells}
	}
	return how, nil
}

// cellsOf follows elements in an automaton.
func cellsOf(how cells.Choice) func(context.Context, *cfa.CFA) (*cfa.CFA, error) {
	return func(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) { return cells.Chosen(ctx, c, how) }
}
