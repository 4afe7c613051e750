package cegar

// What each method had of a session's effort, and what came of it.

import (
	"fmt"
	"strings"

	"magus/engine/bounded"
	"magus/engine/portfolio"
	"magus/evidence/verdict"
)

// The methods of a session, in the order in which they are told.
const (
	loopMethod = iota
	boundedMethod
	kinductionMethod
	directedMethod
	numMethods
)

// shares are what the methods of a session had so far.
type shares struct {
	rows [numMethods]portfolio.Row
	last int           // method, that has worked
	by   bounded.Means // of the induction, that has found the proof
}

// begun are the shares of a session that begins.
func begun() shares {
	s := shares{last: -1}
	names := [numMethods]string{"loop", bounded.SearchMethod, bounded.KInduction.String(),
		bounded.PropertyDirected.String()}
	for i, name := range names {
		s.rows[i].Name, s.rows[i].State = name, portfolio.Open
	}
	return s
}

// loops notes that a phase of the loop was performed, with an effort. A share of the loop is all of its phases until
// another method goes on.
func (s *shares) loops(effort int64) {
	if s.last != loopMethod {
		s.rows[loopMethod].Shares++
	}
	s.last = loopMethod
	s.rows[loopMethod].Used += portfolio.Effort(effort)
	s.rows[loopMethod].Granted = s.rows[loopMethod].Used
}

// had notes that a method had a share.
func (s *shares) had(method int, granted portfolio.Effort, used int64) {
	s.last = method
	row := &s.rows[method]
	row.Shares, row.Granted, row.Used = row.Shares+1, row.Granted+granted, row.Used+portfolio.Effort(used)
}

// works counts an effort of the loop.
func (s *state) works(effort int64) {
	s.effort += effort
	s.shares.loops(effort)
}

// isLoop reports whether a phase is one of the loop.
func isLoop(p Phase) bool { return p != Unroll && p != Induct && p != Finished }

// methodRows are the shares as an outcome tells them: of the methods that may have any.
func (s *state) methodRows(v verdict.Verdict) []verdict.Share {
	m := s.opt.Engine.methods()
	single := len(s.comps) == 1
	inducing := single && m.induction
	takes := [numMethods]bool{
		loopMethod:       m.loop,
		boundedMethod:    single && m.search,
		kinductionMethod: inducing && m.means != bounded.PropertyDirected,
		directedMethod:   inducing && (m.means == bounded.All || m.means == bounded.PropertyDirected),
	}
	decided := s.decidedBy(v)
	var all []verdict.Share
	for i, row := range s.shares.rows {
		if !takes[i] && row.Shares == 0 {
			continue
		}
		switch {
		case i == decided:
			row.State = portfolio.Answered
		case i == loopMethod && s.stuck != nil:
			row.State, row.Why = portfolio.Failed, s.stuck
		case i == boundedMethod && s.unfalsified:
			row.State, row.Why = portfolio.Failed, &bounded.NoViolation{}
		case (i == kinductionMethod || i == directedMethod) && s.uninductive:
			row.State, row.Why = portfolio.Failed, bounded.ErrNoProof
		}
		result := row.Result()
		if i == boundedMethod && s.unrolled > 0 && row.State == portfolio.Open {
			result = fmt.Sprintf("no violation above depth %d", s.unrolled)
		}
		if i == kinductionMethod && m.means == bounded.Intervals {
			row.Name = bounded.Intervals.String()
		}
		all = append(all, verdict.Share{Method: row.Name, Shares: row.Shares, Effort: int64(row.Used),
			Result: strings.TrimSpace(result)})
	}
	return all
}

// decidedBy is the method that has found a verdict; -1 if it is unknown.
func (s *state) decidedBy(v verdict.Verdict) int {
	switch {
	case v == verdict.Unknown:
		return -1
	case s.induced != nil && s.shares.by == bounded.PropertyDirected:
		return directedMethod
	case s.induced != nil:
		return kinductionMethod
	case s.bounded:
		return boundedMethod
	}
	return loopMethod
}
