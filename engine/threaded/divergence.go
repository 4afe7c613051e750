package threaded

import (
	"cmp"
	"fmt"
	"slices"

	"magus/cfa"
	"magus/cfa/events"
	"magus/engine/cegar"
	"magus/engine/threads"
	"magus/evidence/verdict"
)

// shownHeads is how many loops are named.
const shownHeads = 3

// divergence is how far the search has come, where it was ended by a reason of a kind; nil for other
// kinds.
func (s *Session) divergence(why verdict.Kind) *verdict.Divergence {
	x := &verdict.Divergence{Phase: cegar.Unroll.String()}
	if s.searcher != nil {
		x.Heads = s.cutLoops(s.searcher.search.Result().Cuts)
	}
	add := func(k verdict.AdviceKind, format string, args ...any) {
		x.Advice = append(x.Advice, verdict.Advice{Kind: k, Text: fmt.Sprintf(format, args...)})
	}
	switch option := map[verdict.Kind]string{verdict.Time: "--timeout", verdict.Memory: "--memory-limit"}[why]; {
	case option != "":
		add(verdict.AdviseBudget, "a greater budget: %s", option)
		if s.opt.Threads.Unwind == 0 {
			add(verdict.AdviseSearch, "--unwind N, if an error is expected within N unwindings of each loop: "+
				"the search ends there")
		}
		order := threads.Refined
		if threads.Order(s.opt.Threads.Order) == order {
			order = threads.ByTheory
		}
		add(verdict.AdviseEngine, "--order %s, which decides the order of accesses in another way", order)
	case why == verdict.Depth && s.opt.Threads.Unwind > 0:
		add(verdict.AdviseBudget, "a greater bound, or none: --unwind")
	case why == verdict.Depth && s.opt.Threads.Limit > 0:
		add(verdict.AdviseBudget, "a greater bound, or none: --thread-limit")
	case why != verdict.Interrupted && why != verdict.States && why != verdict.Depth:
		return nil
	}
	return x
}

// cutLoops are the loops that executions do not leave within the bound.
func (s *Session) cutLoops(cuts []events.Cut) []cfa.Pos {
	var all []cfa.Pos
	for _, c := range cuts {
		if p := s.auto.Locs[c.Head].Pos; c.Kind == events.LoopCut && p.IsValid() {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b cfa.Pos) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	all = slices.Compact(all)
	return all[:min(len(all), shownHeads)]
}
