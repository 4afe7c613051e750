package coverage

// Calls from which no run comes back, because the callee loops for ever.
//
// Idea: an inlined procedure that control enters, in which it can go round, and that it neither leaves
// nor ends the program in. The statements behind the call in the procedures that wait for it are
// never reached, for a reason that does not stand in them. A loop of the component's own procedure is
// none of these: a server has no end to get to.
//
// Cost: linear in the automaton for each procedure that calls others and is not left.

import (
	"slices"

	"magus/cfa"
	"magus/component"
	"magus/evidence/verdict"
	"magus/internal/graph"
)

// endless are these calls, the innermost ones.
func (s *survey) endless(all []verdict.Covered) []verdict.Endless {
	frames := s.g.Comp.CFA.Frames
	entered, open := make([]bool, len(frames)), make([]bool, len(frames))
	for id, e := range s.g.Edges {
		if !s.moves.Taken[id] {
			continue
		}
		from, to := s.frame(e.From), s.frame(e.To)
		for f := to; f > 0; f = frames[f].Parent {
			entered[f] = true
		}
		for f := from; f > 0; f = frames[f].Parent {
			open[f] = open[f] || to >= 0 && !s.inside(to, f) || to < 0 && s.endsAt(e.Loc)
		}
	}
	var found []verdict.Endless
	waits := map[int]bool{} // for one that is found
	for f := len(frames) - 1; f > 0; f-- {
		if !entered[f] || open[f] || waits[f] || !s.goesRound(f) {
			continue
		}
		for p := frames[f].Parent; p > 0; p = frames[p].Parent {
			waits[p] = true
		}
		if n := s.behind(f, all); n > 0 {
			found = append(found, verdict.Endless{Callee: frames[f].Proc, Pos: frames[f].Call, Behind: n})
		}
	}
	slices.Reverse(found)
	return found
}

// frame is the frame of a node, -1 where it has none.
func (s *survey) frame(n component.Node) int {
	l, _, _ := s.g.Point(n)
	if l < 0 {
		return -1
	}
	return s.g.Comp.CFA.Locs[l].Frame
}

// inside reports whether a frame is another one or is called within it.
func (s *survey) inside(f, outer int) bool {
	for f > outer {
		f = s.g.Comp.CFA.Frames[f].Parent
	}
	return f == outer
}

// endsAt reports whether the program is meant to end at a location.
func (s *survey) endsAt(l cfa.Loc) bool {
	if l < 0 {
		return true
	}
	h, ok := s.g.Comp.CFA.Locs[l].Stmt.(cfa.Halt)
	return !ok || h.Blocker(cfa.Pos{}).Kind == cfa.NeverOn
}

// goesRound reports whether control can go round within a frame.
func (s *survey) goesRound(f int) bool {
	within := func(n component.Node) bool { g := s.frame(n); return g >= 0 && s.inside(g, f) }
	g := graph.Func{Nodes: s.g.NumNodes(), Succ: func(n int, yield func(int)) {
		for _, id := range s.g.Out(component.Node(n)) {
			if to := s.g.Edges[id].To; s.moves.Taken[id] && within(component.Node(n)) && within(to) {
				yield(int(to))
			}
		}
	}}
	return slices.Contains(graph.SCC(g).OnCycle(g), true)
}

// behind counts the statements of the procedures that wait for a call which are never reached for
// a reason outside of them.
func (s *survey) behind(f int, all []verdict.Covered) int {
	n := 0
	frames := s.g.Comp.CFA.Frames
	for p := frames[f].Parent; p >= 0; p = frames[p].Parent {
		first, last := extent(all, frames[p].Proc)
		for _, st := range all {
			if st.Proc == frames[p].Proc && !st.Reached && (st.Because.Kind == cfa.NoWay || st.Because.Kind == cfa.NeverHolds) &&
				(before(st.Because.Pos, first) || before(last, st.Because.Pos)) {
				n++
			}
		}
	}
	return n
}

// extent is where the first and the last statement of a procedure stand.
func extent(all []verdict.Covered, proc string) (first, last cfa.Pos) {
	for _, st := range all {
		if st.Proc != proc {
			continue
		}
		if first.Line == 0 {
			first = st.Pos
		}
		last = st.Pos
	}
	return first, last
}

// before reports whether a place stands before another one; in another file, it does.
func before(a, b cfa.Pos) bool {
	return a.File != b.File || a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
}
