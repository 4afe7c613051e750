package liveness

// Programs with threads.
//
// Idea: the threads of a component are the parts of one process, as components that exchange values are
// (actors.go). Their product says where each can go on (sequential.WholeRuns), so that fairness is about threads.
// Who waits for a condition variable wakes up without a signal only so often (lower/wait.go).
//
// Cost: that of the product.

import (
	"context"
	"errors"

	"magus/cfa"
	"magus/cfa/sequential"
	"magus/component"
	"magus/evidence/verdict"
)

// mostThreads are told apart of one call that creates them.
const mostThreads = 3

// lowering says how components are lowered: one that may create threads as their product.
func (s *Session) lowering() component.Options {
	o := component.Options{Modelling: s.opt.Modelling}
	if len(s.claim.Procedures) == 1 && !s.claim.IsJoint() && s.claim.Program.DeclaresThreads() {
		o.Threads, o.Deadlocks, o.Product = mostThreads, true, s.interleaved
	}
	return o
}

// interleaved is the product of the threads of an automaton.
func (s *Session) interleaved(ctx context.Context, c *cfa.CFA) (*cfa.CFA, error) {
	watched, err := s.claim.Watched([]*cfa.CFA{c})
	if err != nil {
		return nil, err
	}
	out, err := sequential.WholeRuns(ctx, c, watched)
	at := c.Locs[c.Entry].Pos
	if errors.Is(err, sequential.ErrLargeProduct) || errors.Is(err, sequential.ErrWaits) {
		return nil, cfa.Unsupported(at, "whole runs of a program with threads", err.Error())
	}
	if err != nil || out.Joint == nil {
		return out, err
	}
	for _, l := range out.Locs {
		if call, ok := l.Stmt.(cfa.Call); ok {
			return nil, cfa.Unsupported(l.Pos, "a call of "+call.Callee+" by its abstraction",
				"in whole runs of a program with threads bodies are looked at")
		}
	}
	return out, nil
}

// UnderOtherModel ends a session about threads, of which it is asked what happens where others see writes late.
func (s *Session) UnderOtherModel(m cfa.MemoryModel) {
	if s.outcome == nil && s.comps[0].CFA.Joint != nil && s.comps[0].CFA.Joint.Threads {
		s.end(verdict.Unknown, verdict.Reason{Kind: verdict.NotModelled, Place: s.claim.Pos,
			Text: "what happens at last in a program with threads is not looked at under --memory-model " + m.String()})
	}
}
