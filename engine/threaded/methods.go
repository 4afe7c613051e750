package threaded

// Which methods a session has, and what is told of them.

import (
	"fmt"
	"slices"
	"strings"

	"magus/cfa"
	"magus/component"
	"magus/engine/cegar"
	"magus/engine/portfolio"
	"magus/engine/threads"
	"magus/evidence/verdict"
)

// AutoMethod is the name of all methods that may have shares.
const AutoMethod = "auto"

// Names are what people pick from: all methods that may have shares, or one of them, or another pair.
func Names() []string {
	return append([]string{AutoMethod, threads.SearchMethod, threads.SliceMethod, RunsMethod}, pairNames()...)
}

// method makes a method of a name.
func (s *Session) method(name string) Method {
	switch name {
	case threads.SearchMethod:
		return s.searcher
	case threads.SliceMethod:
		return &slicing{question: s.question}
	case RunsMethod:
		return &running{question: s.question}
	}
	return newPair(s.question, name)
}

// fitting are the names of the methods that can answer a question.
func (q *question) fitting() []string {
	fits := []string{threads.SearchMethod}
	switch {
	case q.plain():
		fits = append(fits, threads.SliceMethod, RunsMethod)
	case q.claim.Question != component.NoDeadlock || q.opt.Threads.MemoryModel != cfa.SC:
		return fits
	}
	for _, name := range pairNames() {
		p := newPair(q, name)
		if (p.of.name == standingOf) != q.plain() && (!p.of.any || q.anyNumber()) {
			fits = append(fits, name)
		}
	}
	return fits
}

// anyNumber reports whether there can be proofs for any number of threads: what is joined twice, or lost, is that
// of one copy.
func (q *question) anyNumber() bool {
	return q.opt.Threads.Limit == 0 && !q.opt.CheckPointers && !q.opt.CheckLeaks
}

// chosen are the names of the methods of a session.
func (s *Session) chosen() ([]string, error) {
	fits := s.fitting()
	if name := s.opt.Threads.Method; name != "" && name != AutoMethod {
		if !slices.Contains(fits, name) {
			return nil, &component.InputError{Pos: s.claim.Pos, Msg: fmt.Sprintf(
				"engine %s is not for this question about threads; there are %s", name,
				strings.Join(append([]string{AutoMethod}, fits...), ", "))}
		}
		return []string{name}, nil
	}
	induction, auto := cegar.InductionEngine, cegar.AutoEngine
	all := []string{threads.SearchMethod, threads.SliceMethod, RunsMethod}
	if s.opt.Threads.Slice { // the search is one that slices
		all = []string{threads.SearchMethod, RunsMethod}
	}
	if s.opt.Threads.Unwind == 0 { // else the search has an end
		all = append(all, pairName(rangesOf, induction), pairName(productOf, induction), pairName(productOf, auto),
			pairName(modularOf, induction), pairName(locationsOf, induction), pairName(movesOf, induction),
			pairName(modularOf, auto), pairName(movesOf, auto), pairName(standingOf, induction), pairName(standingOf, auto))
	}
	return slices.DeleteFunc(all, func(name string) bool { return !slices.Contains(fits, name) }), nil
}

// rows are what each method had of the effort, and what came of it.
func (s *Session) rows() []verdict.Share {
	if s.portfolio == nil {
		return nil
	}
	var all []verdict.Share
	for _, row := range s.portfolio.Rows() {
		result := row.Result()
		if n := s.searcher.search.Result().Bound; row.Name == threads.SearchMethod && row.State == portfolio.Open && n > 0 {
			result = s.within(n)
		}
		all = append(all, verdict.Share{Method: row.Name, Shares: row.Shares, Effort: int64(row.Used), Result: result})
	}
	return all
}
